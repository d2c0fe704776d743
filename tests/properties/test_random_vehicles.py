"""Random vehicles: what is derived and exported is finite and right at every admissible state.

The truth are multipliers in long double (`tests.properties.vehicles`), which know nothing of frames, speeds or the package;
``python -m tests.properties.vehicles`` tries a thousand.
"""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from tests.programs.c_library import COMPILER, Library
from tests.properties.vehicles.robot import robot
from tests.properties.vehicles.trial import Trial, trial

STATES = 8
"""Vehicles of one shape: other lengths and masses, elsewhere and with other velocities."""


def check(seed: int, count: int = STATES) -> None:
    assert [found.fault for found in trial(seed).verdicts(seed, count) if found.fault] == [], f"seed {seed}"


@pytest.mark.exhaustive_for("1", "8")
@pytest.mark.parametrize("seed", range(10))
def test_random_vehicles_move_as_their_multipliers_say(seed: int) -> None:
    check(seed, count=4)


@pytest.mark.exhaustive
@pytest.mark.parametrize("dozen", range(13))
def test_more_random_vehicles_move_as_their_multipliers_say(dozen: int) -> None:
    for seed in range(10 + 10 * dozen, 20 + 10 * dozen):
        check(seed)


def test_a_robot_of_bodies_moves_as_its_multipliers_say() -> None:
    vehicle, system = robot()
    given, draw = Trial(vehicle, system.derive(), False), np.random.default_rng(5)
    accelerations = given.equations.function(of="accelerations")
    for at in given.states(draw, STATES):
        p, q, w = (list(each.values()) for each in (at.p, at.q, at.w))
        assert list(system.parameters) == list(at.p)
        assert_allclose(accelerations(0.0, [*q, *w], p), vehicle.accelerations(at).astype(float), atol=1e-10)


@pytest.mark.parametrize("backend", ["c", "jax", "casadi"])
def test_other_backends_give_the_same_accelerations(backend: str, tmp_path) -> None:
    given = trial(3)
    at = next(given.states(np.random.default_rng(0), 1))
    p, q, w = (np.array(list(each.values())) for each in (at.p, at.q, at.w))
    wanted, x = given.vehicle.accelerations(at).astype(float), np.array([*q, *w])
    if backend == "c":
        if COMPILER is None:
            pytest.skip("there is no C compiler")
        found = Library({"v": given.equations.c_source("v")}, tmp_path)("v_accelerations", 0.0, x, p, len(wanted))
    else:
        pytest.importorskip(backend)
        found = given.equations.function(backend, of="accelerations")(0.0, x, p)
    assert_allclose(found, wanted, rtol=0, atol=1e-10)
