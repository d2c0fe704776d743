"""Inputs of many members: each way to give them, beside `simulate` of one member after the other."""

import numpy as np
import pytest

import anholonomy as ah
from tests.wording import blames

TIMES = np.linspace(0, 5, 7)
KNOTS = np.linspace(0, 5, 11)
STARTS = {"x": 0, "y": 0, "theta": 0.1, "x'": [0.5, 1.0, 1.5], "theta'": 0.2}


@pytest.fixture(scope="module")
def sleigh():
    return ah.System(
        name="pushed sleigh",
        coordinates={"x": "length", "y": "length", "theta": "angle"},
        lagrangian="m*((x' - a*theta'*sin(theta))^2 + (y' + a*theta'*cos(theta))^2)/2 + I*theta'^2/2",
        constraints=["x'*sin(theta) = y'*cos(theta)"],
        forces={"theta": "tau", "x": "F*cos(theta)", "y": "F*sin(theta)"},
        inputs=["tau", "F"],
        parameters={"m": 1.0, "I": 0.3, "a": 0.2},
    )


@pytest.mark.parametrize(
    "inputs",
    [
        {"tau": 0.3, "F": -0.1},
        {"tau": [0.1, 0.2, 0.3], "F": 0.0},
        {"tau": "-0.5*theta' + 0.2*cos(t)", "F": "-0.3*(x'*cos(theta) + y'*sin(theta))"},
        {"tau": (KNOTS, np.sin(3 * KNOTS)), "F": 0.1},
        {"tau": ah.Signal((KNOTS, np.sin(3 * KNOTS)), interpolation="cubic"), "F": "-0.1*x'"},
        {"tau": ah.Signal((KNOTS, np.sin(3 * KNOTS)), interpolation="previous"), "F": (KNOTS, 0.1 * KNOTS)},
    ],
    ids=["numbers", "members", "feedback", "data", "spline", "steps"],
)
def test_members_are_motions_with_the_same_signals(sleigh, inputs):
    """Also backward, with what depends on the input itself (multipliers) and with events."""
    asked = {"events": {"cross": "theta - 0.3"}, "tolerance": 1e-11}
    runs = sleigh.ensemble(STARTS, times=TIMES, inputs=inputs, **asked)
    kept = sleigh.ensemble(STARTS, times=TIMES, inputs=inputs, keep=["lambda1"], tolerance=1e-11)
    for i in range(3):
        start = {name: value[i] if isinstance(value, list) else value for name, value in STARTS.items()}
        own = {name: value[i] if isinstance(value, list) else value for name, value in inputs.items()}
        one = sleigh.simulate(start, times=TIMES, inputs=own, events=asked["events"])
        for name in ("x", "theta'", "lambda1", "theta''"):
            np.testing.assert_allclose(runs[name].values[i], one[name].values, atol=1e-9)
        np.testing.assert_allclose(kept["lambda1"].values[i], one["lambda1"].values, atol=1e-9)
        met = runs.events.values[runs.events["event_member"].values == i]
        np.testing.assert_allclose(met, one.events.values, atol=1e-9)
    np.testing.assert_allclose(runs.member(2)["theta"].values, one["theta"].values, atol=1e-12)
    back = sleigh.ensemble(
        {**{s: runs[s].values[:, -1] for s in ("x", "y", "theta", "x'", "y'", "theta'")}},
        times=TIMES[::-1],
        inputs=inputs,
        project=True,
        tolerance=1e-11,
    )
    np.testing.assert_allclose(back["theta"].values[:, -1], 0.1, atol=1e-8)


def test_an_event_stops_a_driven_member_in_its_leg(sleigh):
    inputs = {"tau": (KNOTS, np.cos(KNOTS)), "F": 0}
    runs = sleigh.ensemble(STARTS, times=TIMES, inputs=inputs, events={"far": "x - 1"}, stop="far")
    one = sleigh.simulate(STARTS | {"x'": 1.5}, times=TIMES, inputs=inputs, events={"far": "x - 1"}, stop="far")
    assert runs.data["stop_time"].values[2] == pytest.approx(one.events.values[0], abs=1e-9)
    assert "stopped by the event far" in runs.outcomes[2]
    assert runs.outcomes[0] == "the motion was integrated to the end"
    assert runs.is_complete


def test_a_sweep_varies_an_input_and_streams_data(sleigh, tmp_path):
    start = {"x": 0, "y": 0, "theta": 0, "x'": 1, "theta'": 0}
    inputs, over = {"F": (KNOTS, np.sin(3 * KNOTS))}, {"tau": np.linspace(-1, 1, 4)}
    asked = {"start": start, "until": 2, "inputs": inputs, "summaries": {"w": "theta'", "force": "lambda1"}}
    runs = sleigh.sweep(over, **asked)
    one = sleigh.simulate(start, until=2, inputs={"tau": -1 / 3, **inputs})
    assert runs["w"].values[1] == pytest.approx(one["theta'"].values[-1], abs=1e-7)
    assert runs["force"].values[1] == pytest.approx(one["lambda1"].values[-1], abs=1e-7)
    stored = sleigh.sweep(over, **asked, store=tmp_path / "runs.zarr")
    np.testing.assert_array_equal(stored["w"].values, runs["w"].values)
    with blames(ah.errors.FileError):
        sleigh.sweep(over, **asked | {"inputs": {"F": (KNOTS, KNOTS)}}, store=tmp_path / "runs.zarr")
    with blames(ah.errors.NotSupportedError):
        sleigh.sweep(over, **asked | {"summaries": "lyapunov"})


@pytest.mark.parametrize(
    ("inputs", "names"),
    [
        (None, ()),
        ({"tau": 0}, ()),
        ({"tau": lambda t, state: 0.0, "F": 0}, ()),
        ({"tua": 1}, ("tua",)),
        ({"tau": "thet", "F": 0}, ()),
        ({"tau": [1, 2], "F": 0}, ("3", "tau", "2")),
        ({"tau": (KNOTS[:3], KNOTS[:3]), "F": 0}, ("0", "1")),
        (5, ()),
    ],
)
def test_what_is_no_signal_is_refused(sleigh, inputs, names):
    with blames(ah.Error, *names):
        sleigh.ensemble(STARTS, until=5, inputs=inputs)
