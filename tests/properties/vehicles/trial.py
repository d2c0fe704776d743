"""One vehicle tried: what is derived and exported beside its multipliers, at many states."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

import anholonomy as ah
from anholonomy.programs.exports.functions import ExportedFunction
from tests.properties.vehicles.drawing import draw_vehicle
from tests.properties.vehicles.vehicle import State, Vehicle

ADMISSIBLE = 0.02
"""How independent the constraints are where a state counts as admissible, rows of length one."""
REGULAR = 1e-3
"""The same for constraints and a user's speeds together: elsewhere these speeds are none."""


@dataclass(frozen=True)
class Verdict:
    """What a trial found at one state: ``error`` is the largest one, in parts of what is allowed there."""

    error: float
    fault: str = ""
    singular: bool = False
    """Whether the exported function says that it fails here."""
    rightly: bool = False
    """Whether the user's own speeds fail here, so that no function could do better."""


@dataclass(frozen=True)
class Trial:
    """A vehicle, its equations, and whether its speeds are the user's."""

    vehicle: Vehicle
    equations: ah.Equations
    chosen: bool

    def regularity(self, at: State) -> float:
        """How far constraints and the user's speeds are from dependent, rows of length one."""
        v = self.vehicle
        speeds = tuple(part for _, part in v.speeds) if self.chosen else ()
        rows, _ = v.rows((*v.constraints, *speeds), at)
        unit = rows.astype(float) / np.linalg.norm(rows.astype(float), axis=1, keepdims=True)
        return float(np.linalg.svd(unit, compute_uv=False).min())

    def states(self, draw: np.random.Generator, count: int) -> Iterator[State]:
        """So many states at which the constraints are independent."""
        while count:
            at = self.vehicle.draw_state(draw)
            if at.rank > ADMISSIBLE:
                count -= 1
                yield at

    def verdicts(self, seed: int, count: int) -> Iterator[Verdict]:
        """One verdict a state; the first is also asked of the equations themselves, in exact arithmetic."""
        for k, at in enumerate(self.states(np.random.default_rng([seed, 1]), count)):
            yield self.verdict(at, exact=k == 0)

    def verdict(self, at: State, *, exact: bool) -> Verdict:
        regularity, said = self.regularity(at), self.says_singular(at)
        rightly = self.chosen and regularity < REGULAR
        if said and not self.equations.data.frame.pivots:
            return Verdict(np.inf, "said to be singular, although nothing is divided by", said)
        if not said and regularity < 1e-12:
            return Verdict(np.inf, "the speeds are none here, and the function does not say so", said)
        if said or rightly:
            return Verdict(0.0, singular=said, rightly=rightly)
        errors = dict(self.errors(at, min(regularity, at.rank), exact=exact))
        worst = max(errors, key=lambda name: np.nan_to_num(errors[name], nan=np.inf))
        wrong = not errors[worst] <= 1
        return Verdict(errors[worst], f"{worst} off by {errors[worst]:.3g} at {at.point}" if wrong else "")

    def says_singular(self, at: State) -> bool:
        rest = [0.0] * len(self.equations.speeds)
        return bool(self._rates.singular(0.0, [*at.q.values(), *rest], list(at.p.values())))

    def errors(self, at: State, regularity: float, *, exact: bool) -> Iterator[tuple[str, float]]:
        """What the functions give beside the multipliers, each error in parts of what is allowed."""
        p, q, w = (np.array(list(each.values())) for each in (at.p, at.q, at.w))
        wanted, n = self.vehicle.accelerations(at), len(q)
        near = 1e-13 / regularity**2 * (1 + float(abs(wanted).max()))
        if exact:
            digits = np.array(list(self.equations.accelerations(at.point).values()))
            yield "accelerations()", _largest((digits - wanted) / (1 + abs(wanted))) / 1e-9
        yield "exported accelerations", _largest(self._accelerations(0.0, [*q, *w], p) - wanted) / near
        x = self._state(0.0, [*q, *w], p)
        found = self._rates(0.0, x, p)
        yield "NumPy's rates beside LLVM's", _largest(self._again(0.0, x, p) - found) / (near * (1 + abs(found).max()))
        yield "velocities", _largest(found[:n] - w) / near
        u = self._rates_of_speeds(at, wanted, lambda s: self._state(0.0, [*(q + s * w), *(w + s * wanted)], p)[n:])
        yield "rates of the speeds", _largest(found[n:] - u) / (1e5 * near * (1 + abs(u).max()))

    @cached_property
    def _rates(self) -> ExportedFunction:
        return self.equations.function("llvm")

    @cached_property
    def _again(self) -> ExportedFunction:
        return self.equations.function("numpy")

    @cached_property
    def _state(self) -> ExportedFunction:
        return self.equations.function("numpy", "state")

    @cached_property
    def _accelerations(self) -> ExportedFunction:
        return self.equations.function("numpy", "accelerations")

    def _rates_of_speeds(self, at: State, wanted: np.ndarray, after: Callable[[float], np.ndarray]) -> np.ndarray:
        """The user's speeds differentiated by hand; differences of fourth order for the software's."""
        if self.chosen:
            Y, Y_rate = self.vehicle.rows(tuple(part for _, part in self.vehicle.speeds), at)
            return (Y @ wanted + Y_rate @ np.array(list(at.w.values()))).astype(float)
        h = 1e-3
        near, far = (after(s * h) - after(-s * h) for s in (1, 2))
        return (8 * near - far) / (12 * h)


def trial(seed: int) -> Trial:
    """The vehicle of a seed, declared in one of three ways: speeds of the software, of the declaration, of the derivation."""
    draw = np.random.default_rng(seed)
    vehicle = draw_vehicle(draw, f"vehicle {seed}")
    values = vehicle.draw_state(draw).p
    way = seed % 3 if vehicle.speeds else 0
    system = vehicle.declared(values, **({"speeds": vehicle.speed_texts} if way == 1 else {}))
    return Trial(vehicle, system.derive(**({"speeds": vehicle.speed_texts} if way == 2 else {})), way > 0)


def _largest(errors: np.ndarray) -> float:
    """The largest absolute value, not a number where one is none."""
    return float(abs(errors).max())
