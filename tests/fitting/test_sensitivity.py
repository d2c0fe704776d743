"""Derivatives of motions against closed forms in many digits, and against differences where there are none."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import mpmath
import numpy as np

import anholonomy as ah
from anholonomy.base.errors import Error
from tests.fitting.closed_forms import FORWARD, blade, oscillation, oscillator, sleigh
from tests.wording import blames

TIMES = np.linspace(0, 6, 13)


def slopes(function: Callable[..., object], values: list[float]) -> np.ndarray:
    """The derivatives by each of the values, by differences in 50 digits."""
    with mpmath.workdps(50):
        exact, step = [mpmath.mpf(v) for v in values], mpmath.mpf("1e-20")
        columns = []
        for k in range(len(values)):
            ends = [function(*exact[:k], exact[k] + sign * step, *exact[k + 1 :]) for sign in (1, -1)]
            columns.append([float((up - down) / (2 * step)) for up, down in zip(*ends, strict=True)])
        return np.array(columns).T


def test_oscillator_in_fifty_digits():
    run = oscillator().simulate({"x": 0.9, "x'": 0.2}, times=TIMES)
    found = run.sensitivity(["k", "c", "x", "x'"], of=["x"])
    with mpmath.workdps(50):
        times = [mpmath.mpf(float(t)) for t in TIMES]
    exact = slopes(lambda *values: [oscillation(t, *values, by=mpmath) for t in times], [4.0, 0.3, 0.9, 0.2])
    np.testing.assert_allclose(found.sel(quantity="x"), exact, rtol=0, atol=1e-12 * np.abs(exact).max())
    assert found.dims == ("time", "quantity", "unknown")


def test_sleigh_in_fifty_digits():
    run = sleigh().simulate({"x": 0, "y": 0, "theta": 0, "x'": 0.8, "theta'": 0.9}, times=TIMES)
    names = ["m", "I", "a", "x'", "theta'"]
    found = run.sensitivity(names, of=[FORWARD, "theta'"])
    values = [*(sleigh().parameters[name] for name in names[:3]), 0.8, 0.9]
    with mpmath.workdps(50):
        times = [mpmath.mpf(float(t)) for t in TIMES]
    for k, quantity in enumerate((FORWARD, "theta'")):
        exact = slopes(lambda *v, k=k: [blade(t, *v, by=mpmath)[k] for t in times], values)
        np.testing.assert_allclose(found.sel(quantity=quantity), exact, rtol=0, atol=3e-12 * np.abs(exact).max())


def differences(run: Callable[[float], np.ndarray], value: float) -> np.ndarray:
    """A derivative by differences, extrapolated twice."""
    step = 1e-3 * max(1.0, abs(value))
    rough = [(run(value + h) - run(value - h)) / (2 * h) for h in (step, step / 2, step / 4)]
    better = [(4 * fine - coarse) / 3 for coarse, fine in itertools.pairwise(rough)]
    return (16 * better[1] - better[0]) / 15


def check(system: ah.System, start: dict, unknown: list[str], of: list[str], times: np.ndarray = TIMES) -> ah.Motion:
    """Against motions from neighbouring starts, complete by the constraints."""
    motion = system.simulate(start, times=times)
    found = motion.sensitivity(unknown, of=of)
    for name in unknown:

        def run(value, name=name):
            parameters = {name: value} if name in system.parameters else {}
            begin = start if parameters else {**start, name: value}
            other = system.simulate(begin, times=times, parameters=parameters)
            return np.stack([other[quantity].values for quantity in of], axis=1)

        value = float(system.parameters[name]) if name in system.parameters else start[name]
        expected = differences(run, value)
        np.testing.assert_allclose(
            found.sel(unknown=name), expected, rtol=0, atol=1e-9 * max(1.0, np.abs(expected).max())
        )
    return motion


def test_forces_that_jump():
    """Whoever stops earlier is pushed the other way for longer."""
    dry = ah.System(
        name="dry friction",
        coordinates=["x"],
        lagrangian="x'^2/2 - k*x^2/2",
        forces={"x": "-mu*sign(x')"},
        parameters={"k": 4.0, "mu": 0.3},
    )
    check(dry, {"x": 2.0, "x'": 0.1}, ["mu", "k", "x", "x'"], ["x", "x'"])


def test_other_charts_on_the_way():
    system = ah.System(
        name="contact particle",
        coordinates=["x", "y", "z"],
        lagrangian="m*(x'^2 + y'^2 + z'^2)/2 - k*(x^2 + y^2)/2",
        constraints=["cos(x)*z' = sin(x)*y'"],
        parameters={"m": 1.0, "k": 0.2},
    )
    run = check(system, {"x": 0.2, "y": 0.0, "z": 0.0, "x'": 1.0, "y'": 0.7}, ["m", "k", "x", "y'"], ["x", "y", "z"])
    assert run.data.attrs["charts"] > 0


def test_entries_of_a_quaternion_move_together():
    ball = ah.catalogue.chaplygin_ball()
    start = ah.catalogue.ENTRIES["chaplygin-ball"].start
    check(ball, dict(start), ["I1", "w1"], ["q0", "x", "w2", "energy"], np.linspace(0, 3, 7))


def test_a_motion_from_a_file_and_bad_names(tmp_path):
    run = oscillator().simulate({"x": 0.9, "x'": 0.2}, times=TIMES)
    run.save(tmp_path / "run.nc")
    loaded = ah.load(tmp_path / "run.nc")
    np.testing.assert_allclose(loaded.sensitivity(["k"]), run.sensitivity(["k"]), atol=1e-13)
    for wrong, names in ((["kk"], ("unknown", "kk")), ("k", ("k",)), ([], ())):
        with blames(Error, *names):
            run.sensitivity(wrong)
    with blames(Error):
        run.sensitivity(["k"], of=["xx"])


def test_a_parameter_of_the_constraint_moves_the_start():
    """With another radius the disc begins with another speed, and its centre goes elsewhere at the same turns."""
    disc, entry = ah.catalogue.rolling_disk(), ah.catalogue.ENTRIES["rolling-disk"]
    start = {name: value for name, value in entry.start.items() if name not in ("x'", "y'")}
    check(disc, start, ["R", "theta'"], ["x", "y", "x'"])
