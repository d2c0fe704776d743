"""Fits against SciPy's on closed forms, what data leave open, and data in every form."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import curve_fit

import anholonomy as ah
from anholonomy.base.errors import Error, IntegrationError, UnknownNameError
from tests.fitting.closed_forms import FORWARD, blade, oscillation, oscillator, sleigh
from tests.wording import blames

TIMES = np.linspace(0, 8, 60)
NOISE = 0.01


def noisy(values: np.ndarray, seed: int) -> np.ndarray:
    return values + NOISE * np.random.default_rng(seed).normal(size=values.shape)


def start(**values: float) -> dict[str, float]:
    return {"x": 1.0, "x'": 0.0, **values}


@pytest.mark.parametrize("seed", [0, 1])
def test_damped_oscillator_as_scipy_fits_the_closed_form(seed):
    x = noisy(oscillation(TIMES, 3.7, 0.25, 0.9, 0.2), seed)
    theirs, covariance = curve_fit(oscillation, TIMES, x, [4, 0.3, 1, 0], xtol=1e-15, ftol=1e-15)
    fit = oscillator().fit({"time": TIMES, "x": x}, estimate=["k", "c", "x", "x'"], start=start())
    assert fit.converged
    assert fit.identifiable
    assert fit.rank == 4
    np.testing.assert_allclose(list(fit.values.values()), theirs, rtol=2e-7)
    np.testing.assert_allclose(fit.covariance, covariance, rtol=1e-5)
    np.testing.assert_allclose(list(fit.errors.values()), np.sqrt(np.diag(covariance)), rtol=1e-5)
    assert fit.system.parameters["k"] == fit.values["k"]
    np.testing.assert_allclose(fit.residual.sel(quantity="x"), x - fit.run["x"], atol=1e-14)


def test_sleigh_as_scipy_fits_the_closed_form_of_an_expression():
    truth = (1.0, 0.35, 0.24, 0.8, 0.9)
    v, w = (noisy(part, seed) for seed, part in enumerate(blade(TIMES, *truth)))

    def model(t, a, v0, w0):
        return np.concatenate(blade(TIMES, 1.0, 0.35, a, v0, w0))

    theirs, covariance = curve_fit(model, TIMES, np.concatenate([v, w]), [0.2, 1, 1], xtol=1e-15, ftol=1e-15)
    guess = {"x": 0, "y": 0, "theta": 0, "x'": 1.0, "theta'": 1.0}
    system = sleigh().with_parameters(I=0.35, a=0.2)
    fit = system.fit({"time": TIMES, FORWARD: v, "theta'": w}, estimate=["a", "x'", "theta'"], start=guess)
    np.testing.assert_allclose(list(fit.values.values()), theirs, rtol=1e-7)
    np.testing.assert_allclose(fit.covariance, covariance, rtol=1e-5)


def test_errors_are_those_given_where_sigma_is():
    x = noisy(oscillation(TIMES, 3.7, 0.25, 1.0, 0.0), 3)
    sigma = np.linspace(0.01, 0.03, TIMES.size)
    theirs, covariance = curve_fit(
        lambda t, k, c: oscillation(t, k, c, 1.0, 0.0), TIMES, x, [4, 0.3], sigma=sigma, absolute_sigma=True, xtol=1e-15
    )
    fit = oscillator().fit({"time": TIMES, "x": x}, estimate=["k", "c"], start=start(), sigma={"x": sigma})
    np.testing.assert_allclose(list(fit.values.values()), theirs, rtol=1e-6)
    np.testing.assert_allclose(fit.covariance, covariance, rtol=1e-5)
    alike = oscillator().fit({"time": TIMES, "x": x}, estimate=["k", "c"], start=start(), sigma=0.01)
    free = oscillator().fit({"time": TIMES, "x": x}, estimate=["k", "c"], start=start())
    spread = 0.01 * alike.rms * np.sqrt(TIMES.size / (TIMES.size - 2))
    assert alike.errors["k"] / 0.01 == pytest.approx(free.errors["k"] / spread, rel=1e-9)


def test_unscaled_motion_leaves_the_scale_of_inertia_open():
    run = sleigh().simulate({"x": 0, "y": 0, "theta": 0, "x'": 1, "theta'": 0.5}, times=TIMES)
    data = {"time": TIMES, "x": run["x"].values, "y": run["y"].values, "theta": run["theta"].values}
    fit = sleigh().fit(data, estimate=["m", "I", "a"], start={"x": 0, "y": 0, "theta": 0, "x'": 1, "theta'": 0.5})
    assert fit.rank == 2
    assert not fit.identifiable
    (direction,) = fit.undetermined
    assert set(direction) == {"m", "I"}
    assert direction["m"] == pytest.approx(direction["I"], rel=1e-6)
    assert fit.errors["m"] == fit.errors["I"] == np.inf
    assert fit.errors["a"] < 1e-9
    assert "not identifiable" in fit.verdict
    assert "d ln m" in fit.verdict
    assert "d ln I" in fit.verdict
    force = sleigh().fit({**data, "lambda1": run["lambda1"].values}, ["m", "I", "a"], start=fit.start)
    assert force.identifiable  # a force has a scale


def test_start_moves_on_the_constraint():
    begin = {"x": 0, "y": 0, "theta": 0.4, "x'": np.cos(0.4), "y'": np.sin(0.4), "theta'": 0.5}
    run = sleigh().simulate(begin, times=TIMES)
    guess = {**begin, "x'": 1.1 * np.cos(0.4), "y'": 1.1 * np.sin(0.4)}
    data = {"time": TIMES, "x": run["x"].values, "y": run["y"].values}
    fit = sleigh().fit(data, estimate=["x'", "theta'"], start=guess)
    assert fit.values == pytest.approx({"x'": np.cos(0.4), "theta'": 0.5}, abs=1e-10)
    assert fit.start["y'"] == pytest.approx(np.sin(0.4), abs=1e-10)
    assert fit.follow == ("y'",)
    assert "y' at the start follows" in str(fit)
    with blames(Error, "y'", "x'"):
        sleigh().fit(data, estimate=["x'", "y'"], start=begin)


def test_data_in_every_form():
    xr, pd = pytest.importorskip("xarray"), pytest.importorskip("pandas")
    system = oscillator()
    run = system.with_parameters(k=3.7).simulate(start(), times=TIMES)
    x = run["x"].values
    frame = pd.DataFrame({"time": TIMES, "x": x})
    forms = [
        {"time": list(TIMES), "x": list(x)},
        run,
        run["x"],
        run.data,
        run.data["q"],
        xr.Dataset({"x": ("time", x)}, coords={"time": TIMES}),
        frame,
        frame.set_index("time"),
        frame.sample(frac=1, random_state=0),
    ]
    for data in forms:
        fit = system.fit(data, estimate=["k"], start=start())
        assert fit.values["k"] == pytest.approx(3.7, abs=1e-11)


def test_gaps_and_repeated_times():
    x = oscillation(TIMES, 3.7, 0.3, 1.0, 0.0)
    v = np.full(TIMES.size, np.nan)
    v[7] = oscillator().with_parameters(k=3.7).simulate(start(), times=TIMES)["x'"].values[7]
    holes = np.where(np.arange(TIMES.size) % 3 == 0, np.nan, x)
    data = {"time": np.tile(TIMES, 2), "x": np.tile(holes, 2), "x'": np.concatenate([v, v])}
    fit = oscillator().fit(data, estimate=["k"], start=start())
    assert fit.values["k"] == pytest.approx(3.7, abs=1e-11)
    assert fit.measured.count == 2 * (np.isfinite(holes).sum() + 1)


def test_start_before_the_first_measurement():
    late = TIMES[10:]
    data = {"time": late, "x": oscillation(late, 3.7, 0.3, 1.0, 0.0)}
    fit = oscillator().fit(data, estimate=["k"], start={**start(), "t": 0})
    assert fit.values["k"] == pytest.approx(3.7, abs=1e-11)


def test_a_trial_without_a_motion_is_stepped_back_from():
    """From far off the first steps lead to masses below zero, which no system has."""
    data = {"time": TIMES, "x": oscillation(TIMES, 1.0, 0.05, 1.0, 0.0)}
    fit = oscillator().with_parameters(m=0.2, k=1.0, c=0.05).fit(data, estimate=["m"], start=start())
    assert fit.values["m"] > 0
    within = (
        oscillator()
        .with_parameters(m=0.8, k=1.0, c=0.05)
        .fit(data, estimate=["m"], start=start(), bounds={"m": (0.5, None)})
    )
    assert within.values["m"] == pytest.approx(1.0, abs=1e-9)


def test_time_dependent_affine_constraints():
    driven = ah.System(
        name="driven",
        coordinates=["x", "y"],
        lagrangian="(x'^2 + y'^2)/2 - k*x^2/2",
        constraints=["y' = x*x' + w*cos(w*t)"],
        parameters={"k": 4.0, "w": 1.3},
    )
    run = driven.simulate({"x": 1, "y": 0, "x'": 0.1}, times=TIMES)
    fit = driven.with_parameters(k=3.8, w=1.35).fit(
        {"time": TIMES, "y": run["y"].values}, ["k", "w", "x'"], start={"x": 1, "y": 0, "x'": 0.2}
    )
    assert fit.values == pytest.approx({"k": 4.0, "w": 1.3, "x'": 0.1}, abs=1e-9)


GOOD = {"time": [0.0, 1.0, 2.0], "x": [1.0, 0.5, 0.2]}


@pytest.mark.parametrize(
    ("data", "words", "names"),
    [
        ({"time": [0.0], "x": [1.0]}, {"estimate": ["k", "c"]}, ("1", "2")),
        ({"x": [1.0, 2.0]}, {}, ("time",)),
        ({"time": [0.0, np.nan], "x": [1.0, 2.0]}, {}, ()),
        ({"time": [0.0, 1.0], "x": [1.0, np.inf]}, {}, ("1",)),
        ({"time": [0.0, 1.0], "x": [1.0]}, {}, ("2", "1", "x")),
        ({"time": [0.0, 1.0]}, {}, ()),
        ({"time": [0.0, 1.0], "x": ["a", "b"]}, {}, ()),
        ({"time": [0.0, 1.0], "z": [1.0, 2.0]}, {}, ("z",)),
        (7, {}, ()),
        (GOOD, {"estimate": ["kk"]}, ("estimate", "kk")),
        (GOOD, {"estimate": "k"}, ()),
        (GOOD, {"estimate": []}, ()),
        (GOOD, {"estimate": ["k", "k"]}, ("k",)),
        (GOOD, {"sigma": 0.0}, ()),
        (GOOD, {"sigma": {"v": 1.0}}, ("sigma", "v")),
        (GOOD, {"bounds": {"k": (2, 1)}}, ("bounds", "k")),
        (GOOD, {"bounds": {"c": (0, 1)}}, ()),
        (GOOD, {"observed": ["y"]}, ("y",)),
        (GOOD, {"observed": 3}, ("observed", "3")),
        (GOOD, {"modulo": [1]}, ("modulo", "1")),
        (GOOD, {"estimate": np.zeros((2, 2))}, ("estimate",)),
        (GOOD, {"start": {"x": 1, "x'": 0, "t": 1}}, ()),
        (GOOD, {"start": None}, ()),
        (GOOD, {"start": 3}, ()),
        (GOOD, {"estimate": ["x'"], "start": {"x": 1}}, ("x'",)),
    ],
)
def test_bad_input_gets_a_sentence(data, words, names):
    with blames(Error, "damped oscillator", *names):
        oscillator().fit(data, **{"estimate": ["k"], "start": start(), **words})


def test_an_unknown_that_does_not_act_is_named():
    particle = ah.System(
        name="particle", coordinates=["x", "y"], lagrangian="(x'^2 + y'^2)/2 - k*y^2/2", parameters={"k": 1.0}
    )
    data = {"time": [0.0, 1.0, 2.0], "x": [0.0, 1.0, 2.0]}
    with blames(IntegrationError, "k"):
        particle.fit(data, ["k"], start={"x": 0, "y": 1, "x'": 1, "y'": 0})


def test_free_parameter_needs_a_guess():
    free = oscillator().with_parameters(k=None)
    with blames(IntegrationError, "k"):
        free.fit(GOOD, ["k"], start=start())
    fit = free.fit({"time": TIMES, "x": oscillation(TIMES, 3.7, 0.3, 1.0, 0.0)}, ["k"], start={**start(), "k": 4})
    assert fit.values["k"] == pytest.approx(3.7, abs=1e-11)


def test_unknown_columns_are_chosen_away():
    data = {**GOOD, "temperature": [20.0, 21.0, 22.0]}
    with blames(UnknownNameError, "observed"):
        oscillator().fit(data, ["k"], start=start())
    assert oscillator().fit(data, ["k"], start=start(), observed=["x"]).measured.names == ("x",)


@pytest.mark.exhaustive
def test_covariance_is_that_of_many_experiments():
    truth = {"k": 3.7, "c": 0.25, "x": 1.0}
    times = np.linspace(0, 8, 40)
    exact, found = oscillation(times, 3.7, 0.25, 1.0, 0.0), []
    for seed in range(150):
        x = exact + NOISE * np.random.default_rng(seed).normal(size=times.size)
        fit = oscillator().fit({"time": times, "x": x}, list(truth), start=start(), sigma=NOISE)
        found.append(list(fit.values.values()))
    spread = np.cov(np.array(found).T)
    # The spread of a variance over N experiments is sqrt(2/N) of it: 12 %.
    np.testing.assert_allclose(np.diag(spread), np.diag(fit.covariance), rtol=0.4)
    np.testing.assert_allclose(
        np.corrcoef(np.array(found).T)[0, 2], _correlation(fit.covariance.values)[0, 2], atol=0.2
    )
    assert np.abs(np.mean(found, axis=0) - list(truth.values())).max() < 4 * np.sqrt(np.diag(spread).max() / 150)


def _correlation(covariance: np.ndarray) -> np.ndarray:
    errors = np.sqrt(np.diag(covariance))
    return covariance / np.outer(errors, errors)


def driven(**values: float) -> ah.System:
    return ah.System(
        name="driven wheel",
        coordinates=["phi"],
        lagrangian="I*phi'^2/2",
        forces={"phi": "K*tau - c*phi'"},
        inputs=["tau"],
        parameters={"I": 1.0, "c": 0.4, "K": 1.5, **values},
    )


def test_driven_motions_by_data_text_and_their_own_signals():
    begin, knots = {"phi": 0, "phi'": 0}, (TIMES[[0, 20, 40, -1]], np.array([0.5, 1.0, -1.0, 0.2]))
    torque = np.full(TIMES.size, np.nan)
    torque[[0, 20, 40, -1]] = knots[1]
    run = driven().simulate(begin, times=TIMES, inputs={"tau": knots})
    table = {"time": TIMES, "phi": run["phi"].values}
    for data, inputs in (({**table, "tau": torque}, None), (table, {"tau": knots}), (run, None)):
        fit = driven(c=0.6, K=1.2).fit(data, ["c", "K"], start=begin, inputs=inputs)
        assert fit.values == pytest.approx({"c": 0.4, "K": 1.5}, abs=1e-9)
    open_ = driven(c=0.6, K=1.2).fit({**table, "tau": torque}, ["c", "K", "I"], start=begin)
    assert open_.rank == 2  # a torque without its scale
    fed = driven().simulate({"phi": 1, "phi'": 0}, times=TIMES, inputs={"tau": "-2*phi"})
    fit = driven(c=0.6, K=1.2).fit(fed, ["c", "K"])
    assert fit.values == pytest.approx({"c": 0.4, "K": 1.5}, abs=1e-9)
    with blames(Error, "tau"):
        driven().fit(table, ["c"], start=begin, inputs={"tau": lambda t, state: 0.0})
    with blames(Error):
        driven().fit(table, ["c"], start=begin)


def test_far_guesses_are_led_home_by_the_first_part_of_the_data():
    """Over many swings a wrong frequency fits somewhere; over the first it fits nowhere else."""
    times = np.linspace(0, 60, 400)
    data = {"time": times, "x": oscillation(times, 3.7, 0.01, 1.0, 0.0)}
    fit = oscillator().with_parameters(k=2.4, c=0.01).fit(data, estimate=["k", "c"], start=start())
    assert fit.values == pytest.approx({"k": 3.7, "c": 0.01}, abs=1e-9)


def test_directions_of_negative_unknowns():
    pair = ah.System(name="pair", coordinates=["x"], lagrangian="x'^2/2 - a*b*x^2/2", parameters={"a": -2.0, "b": 1.5})
    run = pair.simulate({"x": 1, "x'": 0}, times=np.linspace(0, 1, 20))
    fit = pair.fit(run, ["a", "b"])
    (direction,) = fit.undetermined
    assert direction["a"] == pytest.approx(-direction["b"], rel=1e-6)


def test_angles_but_for_full_turns():
    wheel = ah.System(name="wheel", coordinates=["a"], lagrangian="a'^2/2 - g*a", parameters={"g": -1.0})
    times = np.linspace(0, 6, 60)
    turned = np.angle(np.exp(1j * (0.3 * times + 0.8 * times**2 / 2)))
    fit = wheel.fit({"time": times, "a": turned}, ["g", "a'"], start={"a": 0, "a'": 0.2}, modulo="a")
    assert fit.values == pytest.approx({"g": -0.8, "a'": 0.3}, abs=1e-9)
    assert abs(fit.residual).max() < 1e-9
    with blames(UnknownNameError, "modulo", "b"):
        wheel.fit({"time": times, "a": turned}, ["g"], start={"a": 0, "a'": 0.2}, modulo=["b"])
