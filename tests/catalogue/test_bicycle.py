"""The bicycle: its facts, against the benchmark and the conservation of energy."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import anholonomy as ah
from anholonomy import catalogue
from anholonomy.catalogue import ENTRIES
from anholonomy.programs.exports.functions import ExportedFunction
from anholonomy.public.system import Motion
from tests.catalogue.checks import Checks, motion, registers, stated, values
from tests.reference.whipple_benchmark import C1, CAPSIZE_SPEED, K0, K2, WEAVE_SPEED, M

KEY = "whipple-bicycle"
CHECKS: Checks = {}
fact = registers(CHECKS)


def test_every_fact_of_the_bicycle_has_its_check() -> None:
    assert set(CHECKS) == stated([KEY])


@cache
def _rates() -> ExportedFunction:
    return catalogue.whipple_bicycle().derive("hamel", speeds=["roll'", "steer'", "rear_turn'"]).function("numpy")


def _linearised(v: float, step: float = 2e-4) -> np.ndarray:
    """Accelerations of lean and steer by lean, steer and their rates: differences of fourth order."""
    rates = _rates()
    names = list(rates.inputs)
    upright = np.zeros(len(names))
    upright[names.index("rear_turn'")] = v / 0.3
    # The pitch follows in second order only, and left and right mirror one another: it may stay as it is.
    sides = step * np.eye(len(names))[[names.index(name) for name in ("roll", "steer", "roll'", "steer'")]].T
    found = rates(0.0, np.hstack([upright[:, None] + k * sides for k in (-2, -1, 1, 2)])).reshape(len(names), 4, 4)
    slopes = np.einsum("nkj,k->nj", found, [1, -8, 8, -1]) / (12 * step)
    return np.array(slopes[[names.index(name) for name in ("roll'", "steer'")]])


def _growth(v: float) -> float:
    return float(np.linalg.eigvals(np.vstack([np.eye(4)[2:], _linearised(v)])).real.max())


@fact(KEY, "its equations linearised about upright straight running are the benchmark's")
def _() -> None:
    for v in (0.0, 3.0, 8.0):
        printed = -np.linalg.solve(M, np.hstack([9.81 * K0 + v**2 * K2, v * C1]))
        np.testing.assert_allclose(_linearised(v), printed, atol=1e-7)


@fact(KEY, "upright it is stable between the weave speed 4.29238253634111 and the capsize speed 6.02426201538837")
def _() -> None:
    between = np.linspace(WEAVE_SPEED + 1e-5, CAPSIZE_SPEED - 1e-5, 9)
    assert max(map(_growth, between)) < 0
    assert min(map(_growth, (1.0, 3.0, WEAVE_SPEED - 1e-5, CAPSIZE_SPEED + 1e-5, 8.0))) > 0


@cache
def _pushed() -> Motion:
    return motion(KEY, until=40.0)


@fact(KEY, "pushed at 4.6 m/s it rights itself, and rolls on straight in another direction")
def _() -> None:
    roll, steer, theta, turning = values(_pushed(), "roll", "steer", "theta", "theta'")
    assert np.abs(roll).max() > 0.1
    for angle in (roll, steer, turning):
        assert np.abs(angle[-50:]).max() < 1e-5
    assert abs(theta[-1]) > 0.1


@fact(KEY, "what the push gave to its energy it keeps as speed")
def _() -> None:
    run = _pushed()
    assert np.ptp(run.energy.values) < 1e-10
    # Rolling straight on, masses and turning wheels count; the push put M11 roll'^2 / 2 into leaning.
    carried = 2.0 + 85.0 + 4.0 + 3.0 + 0.12 / 0.3**2 + 0.28 / 0.35**2
    speed = np.hypot(*values(run, "x'", "y'"))[-1]
    assert speed == pytest.approx(np.sqrt(4.6**2 + M[0, 0] * 0.5**2 / carried), abs=1e-9)


@fact(KEY, "pushed at 3 m/s it falls over")
def _() -> None:
    run = motion(KEY, until=1.6, x_=3.0)
    roll, leaning = values(run, "roll", "roll'")
    # First to the right, as pushed, then over to the left, and on.
    assert roll.max() > 0.15
    assert roll[-1] < -0.7
    assert leaning[-1] < -1
    assert np.ptp(run.energy.values) < 1e-10


def test_files_hold_the_bicycle(tmp_path) -> None:
    system = ENTRIES[KEY].make()
    system.save(tmp_path / "system.toml")
    assert ah.load(tmp_path / "system.toml") == system


@pytest.mark.exhaustive
def test_steering_into_the_fall_keeps_a_slow_bicycle_upright() -> None:
    """Feedback by the torque on the handlebar: too slow to be stable by itself, it stays up."""
    start = {**ENTRIES[KEY].start, "x'": 3.0, "roll'": 0.05}
    ridden = catalogue.whipple_bicycle(steer_torque="12*roll' - 1.5*steer'")
    (roll,) = values(ridden.simulate(start, until=15.0), "roll")
    assert np.abs(roll).max() < 0.1
    assert np.abs(roll[-50:]).max() < 1e-3


@pytest.mark.exhaustive_for(
    "whipple-bicycle-its equations linearised about upright s",
    "whipple-bicycle-pushed at 4.6 m/s it rights itself, and ",
    "whipple-bicycle-upright it is stable between the weave s",
)
@pytest.mark.parametrize(("key", "text"), CHECKS, ids=lambda value: str(value)[:40])
def test_the_fact_holds(key: str, text: str) -> None:
    CHECKS[key, text]()
