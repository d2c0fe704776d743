"""A thousand random vehicles: what is derived and exported is finite and right at every admissible state.

The truth are multipliers in long double (`tests.laws.vehicles`), which know nothing of frames, speeds or the package.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import pytest
from numpy.testing import assert_allclose

import anholonomy as ah
from anholonomy.compile.export import ExportedFunction
from tests.compile.test_export import COMPILER, Library
from tests.laws.vehicles.drawing import draw_vehicle
from tests.laws.vehicles.robot import robot
from tests.laws.vehicles.vehicle import State, Vehicle

STATES = 8
"""Vehicles of one shape: other lengths and masses, elsewhere and with other velocities."""
ADMISSIBLE = 0.02
"""How independent the constraints are where a state counts as admissible, rows of length one."""
REGULAR = 1e-3
"""The same for constraints and a user's speeds together: elsewhere these speeds are none."""


@dataclass(frozen=True)
class Trial:
    """A vehicle, its equations, and whether its speeds are the user's."""

    vehicle: Vehicle
    equations: ah.Equations
    chosen: bool

    def regularity(self, at: State) -> float:
        v = self.vehicle
        speeds = tuple(part for _, part in v.speeds) if self.chosen else ()
        rows, _ = v.rows((*v.constraints, *speeds), at)
        unit = rows.astype(float) / np.linalg.norm(rows.astype(float), axis=1, keepdims=True)
        return float(np.linalg.svd(unit, compute_uv=False).min())

    def states(self, draw: np.random.Generator, count: int = STATES) -> Iterator[State]:
        """So many states at which the constraints are independent."""
        while count:
            at = self.vehicle.draw_state(draw)
            if at.rank > ADMISSIBLE:
                count -= 1
                yield at


def trial(seed: int) -> Trial:
    """The vehicle of a seed, declared in one of three ways: speeds of the software, of the declaration, of the derivation."""
    draw = np.random.default_rng(seed)
    vehicle = draw_vehicle(draw, f"vehicle {seed}")
    values = vehicle.draw_state(draw).p
    way = seed % 3 if vehicle.speeds else 0
    system = vehicle.declared(values, **({"speeds": vehicle.speed_texts} if way == 1 else {}))
    return Trial(vehicle, system.derive(**({"speeds": vehicle.speed_texts} if way == 2 else {})), way > 0)


@dataclass(frozen=True)
class Exports:
    """The functions of one vehicle."""

    rates: Callable[..., np.ndarray]
    again: Callable[..., np.ndarray]
    state: Callable[..., np.ndarray]
    accelerations: Callable[..., np.ndarray]


def check(seed: int, count: int = STATES) -> None:
    given = trial(seed)
    made = [
        given.equations.function(*of) for of in (("llvm",), ("numpy",), ("numpy", "state"), ("numpy", "accelerations"))
    ]
    for k, at in enumerate(given.states(np.random.default_rng([seed, 1]), count)):
        if singular(given, made[0], at) or given.regularity(at) < REGULAR:
            continue
        compare(given, Exports(*made), at)
        if k == 0:
            exact = list(given.equations.accelerations(at.point).values())
            assert_allclose(exact, given.vehicle.accelerations(at).astype(float), rtol=1e-9, atol=1e-9)


def singular(given: Trial, rates: ExportedFunction, at: State) -> bool:
    """Whether the export says that it fails; it must where the user's speeds do, and never where nothing is divided by."""
    said = rates.singular(0.0, [*at.q.values(), *[0.0] * len(given.equations.speeds)], list(at.p.values()))
    assert said or given.regularity(at) > 1e-12, given.vehicle.name
    assert not said or given.equations.frame.pivots, given.vehicle.name
    return bool(said)


def compare(given: Trial, made: Exports, at: State) -> None:
    p, q, w = (np.array(list(each.values())) for each in (at.p, at.q, at.w))
    wanted = given.vehicle.accelerations(at)
    near = 1e-13 / min(given.regularity(at), at.rank) ** 2 * (1 + float(abs(wanted).max()))
    said = f"{given.vehicle.name} at {at.point}"
    assert_allclose(made.accelerations(0.0, [*q, *w], p), wanted.astype(float), rtol=0, atol=near, err_msg=said)
    x = made.state(0.0, [*q, *w], p)
    found = made.rates(0.0, x, p)
    assert_allclose(made.again(0.0, x, p), found, rtol=0, atol=near * (1 + abs(found).max()), err_msg=said)
    assert_allclose(found[: len(q)], w, rtol=0, atol=near, err_msg=said)
    u = rates_of_speeds(given, at, wanted, lambda s: made.state(0.0, [*(q + s * w), *(w + s * wanted)], p)[len(q) :])
    assert_allclose(found[len(q) :], u, rtol=0, atol=1e5 * near * (1 + abs(u).max()), err_msg=said)


def rates_of_speeds(
    given: Trial, at: State, wanted: np.ndarray, speeds_after: Callable[[float], np.ndarray]
) -> np.ndarray:
    """The user's speeds differentiated by hand; differences of fourth order for the software's."""
    if given.chosen:
        Y, Y_rate = given.vehicle.rows(tuple(part for _, part in given.vehicle.speeds), at)
        return (Y @ wanted + Y_rate @ np.array(list(at.w.values()))).astype(float)
    h = 1e-3
    near, far = (speeds_after(s * h) - speeds_after(-s * h) for s in (1, 2))
    return (8 * near - far) / (12 * h)


@pytest.mark.parametrize("seed", range(10))
def test_random_vehicles_move_as_their_multipliers_say(seed: int) -> None:
    check(seed, count=4)


@pytest.mark.exhaustive
@pytest.mark.parametrize("dozen", range(13))
def test_a_thousand_random_vehicles_move_as_their_multipliers_say(dozen: int) -> None:
    for seed in range(10 + 10 * dozen, 20 + 10 * dozen):
        check(seed)


def test_a_robot_of_bodies_moves_as_its_multipliers_say() -> None:
    vehicle, system = robot()
    given, draw = Trial(vehicle, system.derive(), False), np.random.default_rng(5)
    accelerations = given.equations.function(of="accelerations")
    for at in given.states(draw):
        p, q, w = (list(each.values()) for each in (at.p, at.q, at.w))
        assert list(system.parameters) == list(at.p)
        assert_allclose(accelerations(0.0, [*q, *w], p), vehicle.accelerations(at).astype(float), atol=1e-10)


@pytest.mark.parametrize("backend", ["c", "jax", "casadi"])
def test_other_backends_give_the_same_accelerations(backend: str, tmp_path) -> None:
    given = trial(3)
    at = next(given.states(np.random.default_rng(0)))
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
