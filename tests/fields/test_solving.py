"""Fields in numbers: closed forms, measured orders, refusals."""

from __future__ import annotations

import numpy as np
import pytest

import anholonomy as ah
from anholonomy.fields import examples as catalogue
from tests.wording import blames

WAVE = ah.Field(
    name="wave", parameters=["t", "s"], fields=["u"], lagrangian="u_t^2/2 - c^2*u_s^2/2", constants={"c": 1.5}
)
CASES = {
    "fixed ends": (
        {"s=0": "u = 0", "s=1": "u = 0"},
        "sin(2*pi*s)",
        lambda t, s: np.sin(2 * np.pi * s) * np.cos(3 * np.pi * t),
    ),
    "free ends": ({"s": "free"}, "cos(pi*s)", lambda t, s: np.cos(np.pi * s) * np.cos(1.5 * np.pi * t)),
    "mixed ends": (
        {"s=0": "u = 0", "s=1": "u_s = 0"},
        "sin(pi*s/2)",
        lambda t, s: np.sin(np.pi * s / 2) * np.cos(0.75 * np.pi * t),
    ),
    "periodic": ({"s": "periodic"}, "sin(2*pi*s)", lambda t, s: np.sin(2 * np.pi * s) * np.cos(3 * np.pi * t)),
}


def error(case: str, points: int, scheme: str, order: int = 4) -> float:
    boundary, start, exact = CASES[case]
    run = WAVE.solve(
        {"s": (0, 1, points)},
        boundary,
        {"u": start, "u_t": 0},
        times=[0, 0.4, 0.8],
        scheme=scheme,
        order=order,
        tolerance=1e-11,
    )
    return float(np.abs(run.u.values - exact(run.t.values[:, None], run.s.values[None, :])).max())


@pytest.mark.exhaustive
@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("order", [2, 4, 6])
def test_differences_have_their_order(case: str, order: int) -> None:
    if order == 6 and case != "periodic":
        with blames(ah.errors.ArgumentError):
            error(case, 20, "differences", 6)
        return
    coarse, fine = (
        error(case, n + (case != "periodic"), "differences", order) for n in ((60, 120) if order == 2 else (30, 60))
    )
    assert order - 0.4 < np.log2(coarse / fine) < order + 1.3


@pytest.mark.parametrize("case", CASES)
def test_spectral_grids_reach_eight_digits(case: str) -> None:
    assert error(case, 26, "spectral") < 1e-8


def test_d_alemberts_string_splits_into_two_waves() -> None:
    run = WAVE.solve(
        {"s": (0, 10, 128)},
        {"s": "periodic"},
        {"u": "exp(-4*(s - 5)^2)", "u_t": 0},
        times=[0, 0.5, 1],
        scheme="spectral",
        tolerance=1e-11,
    )
    s = run.s.values
    for t, u in zip(run.t.values, run.u.values, strict=True):
        exact = sum(np.exp(-4 * (s - 5 + k * 1.5 * t) ** 2) / 2 for k in (-1, 1))
        assert np.abs(u - exact).max() < 1e-8


def test_the_damped_string_dies_as_its_equation_says() -> None:
    run = catalogue.damped_string(c=0.4).solve(
        {"s": (0, 1, 20)},
        {"s": "fixed"},
        {"u": "sin(pi*s)", "u_t": 0},
        times=[0, 1, 3],
        scheme="spectral",
        tolerance=1e-11,
    )
    w = np.sqrt(np.pi**2 - 0.04)
    t = run.t.values
    exact = np.exp(-0.2 * t) * (np.cos(w * t) + 0.2 / w * np.sin(w * t))
    assert np.abs(run.u.values - exact[:, None] * np.sin(np.pi * run.s.values)).max() < 1e-8
    assert "energy" not in run


@pytest.mark.exhaustive
def test_a_membranes_mode_has_its_frequency() -> None:
    sheet = ah.Field(parameters=["t", "x", "y"], fields=["u"], lagrangian="(u_t^2 - u_x^2 - u_y^2)/2")
    run = sheet.solve(
        {"x": (0, 1, 16), "y": (0, 2, 18)},
        {"x": "fixed", "y": "fixed"},
        {"u": "sin(pi*x)*sin(pi*y/2)", "u_t": 0},
        times=[0, 0.5, 1],
        scheme="spectral",
        tolerance=1e-10,
    )
    shape = np.sin(np.pi * run.x.values)[:, None] * np.sin(np.pi * run.y.values / 2)[None, :]
    exact = np.cos(np.pi * np.sqrt(1.25) * run.t.values)[:, None, None] * shape
    assert np.abs(run.u.values - exact).max() < 1e-8
    assert run.u.dims == ("t", "x", "y")
    assert np.ptp(run.energy.values) < 1e-7


@pytest.mark.exhaustive
def test_the_membrane_in_the_wind_moves_as_its_transform_does() -> None:
    """u = e^{kx/(2T)} w turns the load into a lower frequency: w has the frequency of T(π² + π²) + k²/(4T)."""
    run = catalogue.windy_membrane(k=0.5).solve(
        {"x": (0, 1, 18), "y": (0, 1, 16)},
        {"x": "fixed", "y": "fixed"},
        {"u": "exp(x/4)*sin(pi*x)*sin(pi*y)", "u_t": 0},
        times=[0, 0.4, 0.8],
        scheme="spectral",
        tolerance=1e-10,
    )
    w = np.sqrt(2 * np.pi**2 + 0.25 / 4)
    x, y = run.x.values[:, None], run.y.values[None, :]
    shape = np.exp(x / 4) * np.sin(np.pi * x) * np.sin(np.pi * y)
    assert np.abs(run.u.values - np.cos(w * run.t.values)[:, None, None] * shape).max() < 1e-7


def test_a_kink_keeps_its_energy_and_its_speed() -> None:
    kink = lambda t: f"4*atan(exp((s + 5 - 3/5*({t}))*5/4))"
    field = catalogue.sine_gordon()
    assert field.first_variation().is_extremal({"u": kink("t")})
    run = field.solve(
        {"s": (-20, 20, 401)},
        {"s": "fixed"},
        {"u": kink("0"), "u_t": "-3*exp((s + 5)*5/4)/(1 + exp((s + 5)*5/2))"},
        times=[0, 2, 4],
        tolerance=1e-8,
    )
    exact = 4 * np.arctan(np.exp((run.s.values + 5 - 0.6 * 4) * 1.25))
    assert np.abs(run.u.values[-1] - exact).max() < 2e-4
    assert abs(run.energy.values[0] - 10) < 1e-3  # 8 gamma
    assert np.ptp(run.energy.values) < 1e-6


def test_moving_ends_and_loads_in_time() -> None:
    """u = s^2 t is a motion of u_tt = u_ss - 2t with ends that move so."""
    forced = ah.Field(parameters=["t", "s"], fields=["u"], lagrangian="u_t^2/2 - u_s^2/2", forces={"u": "-2*t"})
    run = forced.solve({"s": (0, 1, 12)}, {"s=0": "u_s = 0", "s=1": "u = t"}, {"u": 0, "u_t": "s^2"}, times=[0, 1, 2])
    assert np.abs(run.u.values - run.s.values[None, :] ** 2 * run.t.values[:, None]).max() < 1e-7


@pytest.mark.exhaustive
def test_diffusion_and_robins_condition() -> None:
    """A field without momentum in time is of first order: u_t = u_ss, u_s + u = 0 at s = 1."""
    heat = ah.Field(parameters=["t", "s"], fields=["u"], momenta={"s": "-u_s"}, forces={"u": "-u_t"})
    k = 2.028757838110434  # tan k = -k
    run = heat.solve(
        {"s": (0, 1, 16)},
        {"s=0": "u = 0", "s=1": "u_s + u = 0"},
        {"u": f"sin({k}*s)"},
        times=[0, 0.1, 0.3],
        scheme="spectral",
        tolerance=1e-10,
    )
    exact = np.exp(-(k**2) * run.t.values)[:, None] * np.sin(k * run.s.values)[None, :]
    assert np.abs(run.u.values - exact).max() < 1e-7


def rolling(by: str):
    heading = "sin(2*pi*s)/2"
    turn = "(1 + cos(2*pi*s)/2)"
    start = {
        "x": 0,
        "y": 0,
        "phi": heading,
        "theta": 0,
        "phi_t": 0,
        "theta_t": turn,
        "x_t": f"cos({heading})*{turn}",
        "y_t": f"sin({heading})*{turn}",
    }
    return catalogue.rolling_discs().solve(
        {"s": (0, 1, 24)}, {"s": "periodic"}, start, times=[0, 0.5, 1], by=by, scheme="spectral", tolerance=1e-10
    )


def test_rolling_discs_obey_wave_equations_by_d_alembert_and_not_by_the_vakonomic_principle() -> None:
    run, other = rolling("dalembert"), rolling("vakonomic")
    t, s = run.t.values[:, None], run.s.values[None, :]
    phi = np.sin(2 * np.pi * s) * np.cos(4 * np.pi * t) / 2
    w = 2 * np.pi / np.sqrt(1.5)
    theta = t + np.cos(2 * np.pi * s) * np.sin(w * t) / (2 * w)
    assert np.abs(run.phi.values - phi).max() < 1e-8
    assert np.abs(run.theta.values - theta).max() < 1e-8
    assert float(run.residual_1.max()) < 1e-8
    assert np.ptp(run.energy.values) < 1e-6
    assert np.abs(other.phi.values - phi).max() > 5e-3


def test_soap_films_are_scherks_to_rounding() -> None:
    film = ah.Field(name="soap film", parameters=["x", "y"], fields=["u"], lagrangian="sqrt(1 + u_x^2 + u_y^2)")
    side, end = "u = log(cos(y)/cos(1))", "u = log(cos(1)/cos(x))"
    run = film.stationary(
        {"x": (-1, 1, 20), "y": (-1, 1, 20)}, {"x=-1": side, "x=1": side, "y=-1": end, "y=1": end}, scheme="spectral"
    )
    exact = np.log(np.cos(run.y.values)[None, :] / np.cos(run.x.values)[:, None])
    assert np.abs(run.u.values - exact).max() < 1e-9


def test_pictures_and_films(tmp_path) -> None:
    run = WAVE.solve({"s": (0, 1, 20)}, {"s": "fixed"}, {"u": "sin(pi*s)", "u_t": 0}, times=[0, 0.5, 1])
    assert len(WAVE.plot(run, tmp_path / "string.png")) == 1
    assert (tmp_path / "string.png").read_bytes().startswith(b"\x89PNG")
    WAVE.animate(run, tmp_path / "string.gif")
    assert (tmp_path / "string.gif").read_bytes().startswith(b"GIF")
    for call in (lambda: WAVE.plot(3), lambda: WAVE.animate(3, tmp_path / "three.gif")):
        with blames(ah.errors.FileError):
            call()
    with blames(ah.errors.FileError):
        WAVE.animate(run, tmp_path / "string.mp4")


@pytest.mark.parametrize(
    ("words", "names"),
    [
        ({"boundary": {"s=0": "u = 0"}}, ("u", "s", "1")),
        ({"boundary": {"s=2": "u = 0", "s": "fixed"}}, ("s",)),
        ({"boundary": {"r=0": "u = 0"}}, ()),
        ({"boundary": {"s": "u^2 = 0"}}, ()),
        ({"boundary": {"s": "periodic", "s=0": "u = 0"}}, ("periodic",)),
        ({"grid": {"s": (0, 1, 5)}}, ()),
        ({"grid": {"s": (1, 0, 50)}}, ()),
        ({"grid": {"r": (0, 1, 50)}}, ()),
        ({"start": {"u": 0}}, ("u_t",)),
        ({"start": {"u": 0, "u_t": 0, "v": 1}}, ("u", "u_t")),
        ({"start": {"u": "u", "u_t": 0}}, ()),
        ({"start": {"u": np.zeros(3), "u_t": 0}}, ()),
        ({"until": None}, ("until", "times")),
        ({"until": -1}, ("0",)),
        ({"scheme": "elements"}, ("scheme",)),
        ({"order": 3}, ("2", "4", "6")),
        ({"boundary": {"s=0": ["u = 0", "u_s = 0"], "s=1": "u = 0"}}, ("s", "0")),
        ({"boundary": {"s": "u_t = 0"}}, ("s",)),
        ({"until": None, "times": ["now", "then"]}, ()),
        ({"until": None, "times": [0, np.inf]}, ()),
        ({"tolerance": 0}, ("0", "1")),
        ({"start": {"u": "1/s", "u_t": 0}}, ("s", "0")),
        ({"start": {"u": ["a"] * 20, "u_t": 0}}, ()),
        ({"constants": {"c": None}, "boundary": {"s": "free"}}, ("c",)),
    ],
)
def test_what_cannot_be_solved_is_refused_in_a_sentence(words, names) -> None:
    usual = {"grid": {"s": (0, 1, 20)}, "boundary": {"s": "fixed"}, "start": {"u": 0, "u_t": 0}, "until": 1}
    with blames(ah.Error, *names):
        WAVE.solve(**usual | words)


def test_elliptic_and_free_questions_are_refused() -> None:
    usual = {"grid": {"s": (0, 1, 20)}, "boundary": {"s": "fixed"}, "start": {"u": 0, "u_t": 0}, "until": 1}
    laplace = ah.Field(parameters=["t", "s"], fields=["u"], lagrangian="u_t^2/2 + u_s^2/2")
    with blames(ah.errors.ArgumentError):
        laplace.solve(**usual)
    with blames(ah.errors.ArgumentError, "T"):
        ah.Field(parameters=["t", "s"], fields=["u"], lagrangian="u_t^2/2 - T*u_s^2/2").solve(**usual)
    still = ah.Field(parameters=["t", "s"], fields=["u"], lagrangian="u_s^2/2")
    with blames(ah.errors.NotSupportedError, "stationary"):
        still.solve(**usual | {"start": {"u": 0}})


def test_a_field_without_inertia_follows_the_one_it_is_bound_to() -> None:
    bound = ah.Field(
        parameters=["t", "s"], fields=["x", "a"], lagrangian="a_t^2/2 - a_s^2/2", constraints=["x_t = 2*a_t"]
    )
    start = {"x": 0, "a": "sin(2*pi*s)", "a_t": 0, "x_t": 0}
    run = bound.solve({"s": (0, 1, 12)}, {"s": "periodic"}, start, times=[0, 0.3, 0.7], scheme="spectral")
    exact = np.sin(2 * np.pi * run.s.values) * np.cos(2 * np.pi * run.t.values)[:, None]
    assert np.abs(run.a.values - exact).max() < 1e-6
    assert np.abs(run.x.values - 2 * (run.a.values - run.a.values[0])).max() < 1e-9
    with blames(ah.errors.StateError, "x_t", "2"):
        bound.solve({"s": (0, 1, 12)}, {"s": "periodic"}, start | {"x_t": 1}, until=1)


def test_waves_of_first_order_keep_the_energy_that_has_no_rates() -> None:
    """Schrödinger's equation: u + iv = exp(2is - 4it), with energy the integral of 2(u^2 + v^2)."""
    wave = ah.Field(parameters=["t", "s"], fields=["u", "v"], lagrangian="(v*u_t - u*v_t)/2 - (u_s^2 + v_s^2)/2")
    grid = {"s": (0, 2 * np.pi, 16)}
    run = wave.solve(grid, {"s": "periodic"}, {"u": "cos(2*s)", "v": "sin(2*s)"}, times=[0, 0.4], scheme="spectral")
    assert np.abs(run.u.values - np.cos(2 * run.s.values - 4 * run.t.values[:, None])).max() < 1e-5
    assert np.abs(run.energy.values - 4 * np.pi).max() < 1e-5


def test_whatever_is_called_t_is_not_taken_for_the_clock() -> None:
    """u = (x^3 + x)*t*(1 - t) evolves along x; t is a place."""
    field = ah.Field(
        parameters=["x", "t"], fields=["u"], lagrangian="u_x^2/2 - u_t^2/2", forces={"u": "6*x*t*(1 - t) + 2*(x^3 + x)"}
    )
    run = field.solve({"t": (0, 1, 8)}, {"t": "u = 0"}, {"u": 0, "u_x": "t*(1 - t)"}, times=[0, 0.5, 1])
    x, t = run.x.values[:, None], run.t.values
    assert np.abs(run.u.values - (x**3 + x) * t * (1 - t)).max() < 1e-7
    still = ah.Field(parameters=["x", "t"], fields=["u"], lagrangian="u_x^2/2 + u_t^2/2")
    rest = still.stationary({"x": (0, 1, 8), "t": (0, 2, 9)}, {"x": "u = x*t", "t": "u = x*t"})
    assert np.abs(rest.u.values - np.outer(rest.x.values, rest.t.values)).max() < 1e-9
    named = ah.Field(
        parameters=["tau", "s"], fields=["u"], lagrangian="u_tau^2/2 - u_s^2/2 + t*tau*u", constants={"t": 6}
    )
    run = named.solve({"s": (0, 1, 8)}, {"s": "periodic"}, {"u": 0, "u_tau": 0}, times=[0, 1])
    assert np.abs(run.u.values[-1] - 1).max() < 1e-7


@pytest.mark.parametrize(
    ("lagrangian", "names"),
    [
        ("u_t^2 - u_x^2 - u_y^2 - 4*u_x*u_y", ()),
        ("(u_t + 2*u_x)^2 - u_x^2 - u_y^2", ()),
    ],
)
def test_waves_that_no_grid_follows_are_refused_in_every_direction(lagrangian, names) -> None:
    sheet = ah.Field(parameters=["t", "x", "y"], fields=["u"], lagrangian=lagrangian)
    grid, ends = {"x": (0, 1, 8), "y": (0, 1, 8)}, {"x": "periodic", "y": "periodic"}
    with blames(ah.Error, *names):
        sheet.solve(grid, ends, {"u": "sin(2*pi*x)", "u_t": 0}, until=0.1)


def test_a_string_that_moves_slower_than_its_waves_carries_them() -> None:
    string = ah.Field(parameters=["t", "s"], fields=["u"], lagrangian="(u_t + u_s/2)^2/2 - u_s^2/2")
    run = string.solve(
        {"s": (0, 1, 16)}, {"s": "periodic"}, {"u": "sin(2*pi*s)", "u_t": 0}, times=[0, 0.3, 0.7], scheme="spectral"
    )
    wave = lambda speed: np.sin(2 * np.pi * (run.s.values - speed * run.t.values[:, None]))
    assert np.abs(run.u.values - (wave(1.5) / 4 + 3 * wave(-0.5) / 4)).max() < 1e-6


def test_ends_of_a_sheet_may_be_robins_and_move() -> None:
    """u = x^2 y sin(t)."""
    sheet = ah.Field(
        parameters=["t", "x", "y"],
        fields=["u"],
        lagrangian="(u_t^2 - u_x^2 - u_y^2)/2",
        forces={"u": "-sin(t)*(x^2*y + 2*y)"},
    )
    run = sheet.solve(
        {"x": (0, 1, 8), "y": (0, 1, 9)},
        {"x=0": "u_x = 0", "x=1": "u_x + u = 3*y*sin(t)", "y": "u_y - u = sin(t)*x^2*(1 - y)"},
        {"u": 0, "u_t": "x^2*y"},
        times=[0, 0.5, 1],
    )
    exact = run.x.values[:, None] ** 2 * run.y.values * np.sin(run.t.values)[:, None, None]
    assert np.abs(run.u.values - exact).max() < 1e-6


def test_one_end_goes_before_both_whatever_their_order() -> None:
    start = {"u": "cos(pi*s/2)", "u_t": 0}
    runs = [
        WAVE.solve({"s": (0, 1, 12)}, dict(ends), start, times=[0, 0.5])
        for ends in ([("s=0", "u_s = 0"), ("s", "u = 0")], [("s", "u = 0"), ("s=0", "u_s = 0")])
    ]
    assert np.array_equal(runs[0].u.values, runs[1].u.values)
    assert runs[0].u.values[-1, 0] != 0


def test_constraints_that_repeat_others_are_refused() -> None:
    twice = ah.Field(
        parameters=["t", "s"], fields=["u", "v"], lagrangian="u_t^2 + v_t^2", constraints=["u_t = v_t", "2*u_t = 2*v_t"]
    )
    with blames(ah.errors.ArgumentError):
        twice.solve({"s": (0, 1, 8)}, {"s": "periodic"}, {"u": 0, "v": 0, "u_t": 0, "v_t": 0}, until=1)


def test_a_field_that_nothing_holds_together_falls_at_every_point() -> None:
    dust = ah.Field(parameters=["t", "s"], fields=["u"], lagrangian="u_t^2/2", forces={"u": "6*t"})
    run = dust.solve({"s": (0, 1, 8)}, {}, {"u": "s", "u_t": 0}, times=[0, 1])
    assert np.abs(run.u.values[-1] - run.s.values - 1).max() < 1e-8
