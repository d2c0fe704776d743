"""Motions with inputs against closed forms, exact discretisation and SciPy on equations written by hand."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.interpolate import CubicSpline
from scipy.linalg import expm

import anholonomy as ah
from tests.wording import blames

TIMES = np.linspace(0, 10, 101)
START = {"x": 1, "x'": 0}
CART = ah.System(
    name="cart", coordinates=["x"], lagrangian="m*x'^2/2", parameters={"m": 2.0}, forces={"x": "F"}, inputs=["F"]
)


def law(t, state):
    return -8 * state["x"] - 0.8 * state["x'"]


def oscillation(t, damping=0.2, pace=2.0):
    """Of x'' + 0.4 x' + 4 x = 0 from rest at 1."""
    own = np.sqrt(pace**2 - damping**2)
    return np.exp(-damping * t) * (np.cos(own * t) + damping / own * np.sin(own * t))


@pytest.mark.parametrize("integrator", [None, "taylor", "runge-kutta", "scipy"])
def test_feedback_in_text_is_the_closed_form_by_every_integrator(integrator):
    run = CART.simulate(START, times=TIMES, inputs={"F": "-4*m*x - 0.8*x'"}, integrator=integrator)
    assert np.abs(run["x"] - oscillation(TIMES)).max() < (1e-14 if integrator is None else 1e-11)
    assert np.abs(run["F"] + 8 * run["x"] + 0.8 * run["x'"]).max() < 1e-13


def test_a_function_asked_all_the_time_is_the_closed_form():
    run = CART.simulate(START, times=TIMES, inputs={"F": law})
    assert np.abs(run["x"] - oscillation(TIMES)).max() < 1e-12
    assert np.abs(run["x''"] - run["F"] / 2).max() < 1e-14


@pytest.mark.parametrize("how", [{"sampling": 0.05}, {"wrapped": True}])
def test_what_is_held_is_the_exact_discretisation(how):
    h = 0.05
    M = expm(h * np.array([[0, 1, 0], [0, 0, 0.5], [0, 0, 0]]))
    z, exact = np.array([1.0, 0.0]), [1.0]
    for _ in range(100):
        z = M[:2, :2] @ z + M[:2, 2] * law(0, {"x": z[0], "x'": z[1]})
        exact.append(z[0])
    signal = ah.Signal(law, every=h) if how.pop("wrapped", False) else law
    run = CART.simulate(START, times=h * np.arange(101), inputs={"F": signal}, **how)
    assert np.abs(run["x"] - exact).max() < 1e-14
    assert np.abs(run["F"] - law(0, {"x": run["x"], "x'": run["x'"]})).max() < 1e-14


def test_a_function_with_memory_is_asked_once_for_each_sample():
    asked = []

    def integral(t, state):
        asked.append(t)
        return -0.1 * sum(asked)

    run = CART.simulate(START, until=1, inputs={"F": integral}, sampling=0.1, events={"slow": "x' + 0.01"})
    assert asked == pytest.approx(0.1 * np.arange(11))
    assert len(run.events) == 1


@pytest.mark.parametrize("how", ["linear", "previous", "cubic"])
def test_data_goes_on_between_its_times_as_stated(how):
    knots = np.linspace(0, 10, 11)
    values = np.sin(knots)
    run = CART.simulate(START, times=TIMES, inputs={"F": ah.Signal((knots, values), interpolation=how)})
    x, v, wanted = 1.0, 0.0, {0.0: 1.0}
    spline = CubicSpline(knots, values)
    for k, tau in enumerate(values[:-1]):  # exact: x'' is a polynomial between knots
        slope = values[k + 1] - tau
        c = {"linear": [tau, slope, 0, 0], "previous": [tau, 0, 0, 0], "cubic": list(spline.c[::-1, k])}[how]
        for s in np.linspace(0, 1, 11)[1:]:
            n = np.arange(4)
            wanted[k + s] = x + v * s + sum(np.array(c) / 2 * s ** (n + 2) / ((n + 1) * (n + 2)))
        x, v = wanted[k + 1.0], v + sum(np.array(c) / 2 / (np.arange(4) + 1))
    assert np.abs(run["x"] - np.array(list(wanted.values()))).max() < 1e-13


def test_arrays_and_series_over_time_are_data():
    pandas = pytest.importorskip("pandas")
    import xarray as xr

    knots, values = [0.0, 4.0, 10.0], [0.0, 1.0, -1.0]
    given = [
        (knots, values),
        xr.DataArray(values, coords={"time": knots}, dims="time"),
        pandas.Series(values, index=knots),
    ]
    ends = [float(CART.simulate(START, until=10, inputs={"F": each})["x"][-1]) for each in given]
    assert ends[0] == ends[1] == ends[2]


def test_a_wheeled_system_with_feedback_is_what_scipy_makes_of_its_equations():
    sleigh = ah.catalogue.chaplygin_sleigh(m=1.0, I=0.3, a=0.2)
    driven = sleigh.with_forces({"theta": "tau"}, inputs=["tau"])
    start = {"x": 0, "y": 0, "theta": 0, "x'": 1, "theta'": 0.5}
    run = driven.simulate(start, times=TIMES, inputs={"tau": "-omega - 0.2*sin(theta)"})

    def rates(t, s):
        _x, _y, theta, u, w = s
        return [u * np.cos(theta), u * np.sin(theta), w, 0.2 * w**2, (-0.2 * u * w - w - 0.2 * np.sin(theta)) / 0.34]

    exact = solve_ivp(rates, (0, 10), [0, 0, 0, 1, 0.5], t_eval=TIMES, rtol=1e-11, atol=1e-12).y
    assert np.abs(run["theta"] - exact[2]).max() < 1e-8
    asked = driven.simulate(start, times=TIMES, inputs={"tau": lambda t, s: -s["omega"] - 0.2 * np.sin(s["theta"])})
    assert np.abs(asked["x"] - run["x"]).max() < 1e-12


@pytest.mark.parametrize("signal", ["-8*x - 0.8*x'", law, ah.Signal(law, every=0.01)], ids=["text", "function", "held"])
def test_a_driven_motion_goes_on_and_is_asked_at_other_times(signal, tmp_path):
    whole = CART.simulate(START, until=2, inputs={"F": signal}, events={"through": "x"})
    parts = CART.simulate(START, until=1, inputs={"F": signal}, events={"through": "x"}).continue_to(until=2)
    assert float(parts["x"][-1]) == pytest.approx(float(whole["x"][-1]), abs=1e-13)
    assert parts.events.values == pytest.approx(whole.events.values, abs=1e-12)
    assert float(whole.at([0.737])["x"][0]) == pytest.approx(
        float(CART.simulate(START, times=[0, 0.737], inputs={"F": signal})["x"][-1]), abs=1e-13
    )
    parts.save(tmp_path / "run.nc")
    loaded = ah.load(tmp_path / "run.nc")
    assert np.array_equal(loaded["F"], parts["F"])
    if signal is law:
        with blames(ah.errors.IntegrationError):
            loaded.continue_to(until=3)
        assert loaded.continue_to(until=3, inputs={"F": law}).time[-1] == 3
    else:
        assert np.abs(loaded.at([1.5])["x"] - whole.at([1.5])["x"]).max() < 1e-13


def test_events_see_inputs_and_motions_run_backward():
    run = CART.simulate(START, until=3, inputs={"F": "-8*x"}, events={"idle": "F"})
    assert run.events.values == pytest.approx([np.pi / 4, 3 * np.pi / 4], abs=1e-14)
    knots, values = np.linspace(0, 3, 4), [0.0, 2.0, -1.0, 0.5]
    ahead = CART.simulate(START, until=3, inputs={"F": (knots, values)})
    end = {"x": float(ahead["x"][-1]), "x'": float(ahead["x'"][-1]), "t": 3.0}
    back = CART.simulate(end, until=0, inputs={"F": (knots, values)})
    assert float(back["x"][-1]) == pytest.approx(1, abs=1e-14)


def test_switches_are_met_with_data_as_with_text():
    sled = ah.System(
        name="sled",
        coordinates=["x"],
        lagrangian="x'^2/2",
        forces={"x": "min(max(F, -1), 1) - 0.3*sign(x')"},
        inputs=["F"],
    )
    knots = np.linspace(0, 6, 301)
    text = sled.simulate({"x": 0, "x'": 1}, until=6, inputs={"F": "2*cos(t)"})
    data = sled.simulate(
        {"x": 0, "x'": 1}, until=6, inputs={"F": ah.Signal((knots, 2 * np.cos(knots)), interpolation="cubic")}
    )
    assert float(text["x"][-1]) == pytest.approx(float(data["x"][-1]), abs=1e-8)
    asked = []  # the motion turns round at t = 1/1.3, between two samples, which asks for none
    sled.simulate({"x": 0, "x'": 1}, until=3, inputs={"F": lambda t, s: asked.append(t) or -1.0}, sampling=1.0)
    assert asked == pytest.approx([0, 1, 2, 3])
    with blames(ah.errors.IntegrationError):
        sled.simulate({"x": 0, "x'": 1}, until=6, inputs={"F": lambda t, s: 0.0})


@pytest.mark.parametrize("sampling", [None, 0.1])
@pytest.mark.parametrize(("fault", "names"), [(lambda: np.nan, ()), (lambda: 1 / 0, ("ZeroDivisionError",))])
def test_nothing_is_lost_where_a_function_fails_on_the_way(fault, names, sampling):
    run = CART.simulate(START, until=2, inputs={"F": lambda t, s: 1.0 if t <= 1 else fault()}, sampling=sampling)
    assert not run.is_complete
    assert run.outcome.startswith(("the input F", "the function of the input F"))
    assert run.time[-1] >= 1 - 1e-12
    assert np.abs(run["x"] - (1 + run.time**2 / 4)).max() < 1e-9
    with blames(ah.errors.IntegrationError, *names):
        CART.simulate(START, until=2, inputs={"F": lambda t, s: fault()})


@pytest.mark.parametrize(
    ("words", "names"),
    [
        ({}, ()),
        ({"inputs": {"F": 1, "G": 2}}, ("G", "F")),
        ({"inputs": {"F": "-2*y"}}, ("F", "y")),
        ({"inputs": {"F": "x''"}}, ()),
        ({"inputs": {"F": np.inf}}, ()),
        ({"inputs": {"F": [1, 2, 3]}}, ("1", "2", "3")),
        ({"inputs": {"F": ([0, 1], [1, 2])}}, ("0", "1", "2")),
        ({"inputs": {"F": ([0, 2, 1], [1, 2, 3])}}, ()),
        ({"inputs": {"F": ([0, 2], [1, np.nan])}}, ()),
        ({"inputs": {"F": ([0, 2], [1])}}, ("2", "1")),
        ({"inputs": {"F": law}, "sampling": 0}, ("sampling",)),
        ({"inputs": {"F": "x"}, "sampling": 0.1}, ()),
        ({"inputs": {"F": law}, "integrator": "taylor"}, ("integrator",)),
        ({"inputs": {"F": lambda t, s: s["y"]}}, ("y", "F", "0", "KeyError")),
        ({"inputs": "x"}, ("inputs", "x")),
    ],
)
def test_signals_that_are_none_are_refused_in_a_sentence(words, names):
    with blames(ah.Error, *names):
        CART.simulate(START, until=2, **words)


def test_a_system_without_inputs_takes_none():
    with blames(ah.errors.UnknownNameError, "F"):
        ah.catalogue.skate().simulate({"x": 0, "y": 0, "theta": 0, "x'": 1, "theta'": 0}, until=1, inputs={"F": 1})


def test_one_function_may_say_all_inputs():
    body = ah.System(
        name="body",
        coordinates=["x", "y"],
        lagrangian="(x'^2 + y'^2)/2",
        forces={"x": "a", "y": "b - a"},
        inputs=["a", "b"],
    )
    start = {"x": 1, "y": 0, "x'": 0, "y'": 1}
    text = body.simulate(start, until=2, inputs={"a": "-x", "b": "-y"})
    both = body.simulate(start, until=2, inputs=lambda t, s: {"a": -s["x"], "b": -s["y"]})
    assert np.abs(text["y"] - both["y"]).max() < 1e-13


def test_a_prescribed_coordinate_reports_the_torque_that_it_needs():
    """A pendulum led as sin t: tau = I phi'' + c phi' + m g l sin(phi)."""
    arm = ah.System(
        name="arm",
        coordinates=["phi"],
        lagrangian="I*phi'^2/2 + m*g*l*cos(phi)",
        parameters={"I": 2.0, "m": 1.0, "g": 9.81, "l": 0.7, "c": 0.1},
        forces={"phi": "-c*phi'"},
        constraints={"servo": "phi = sin(t)"},
    )
    run = arm.simulate({"phi": 0}, until=5)
    t = run.time.values
    torque = -2 * np.sin(t) + 0.1 * np.cos(t) + 9.81 * 0.7 * np.sin(np.sin(t))
    assert np.abs(run["reaction_phi"] - torque).max() < 1e-13
    assert np.abs(run.multipliers.sel(constraint="servo") - torque).max() < 1e-13
