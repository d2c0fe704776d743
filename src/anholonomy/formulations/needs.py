"""What a principle may ask of a system besides the kind of its constraints."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import final

from anholonomy.formulations.euler_lagrange import variational_derivative
from anholonomy.symbolic.calculus import partial
from anholonomy.symbolic.expressions import time
from anholonomy.symbolic.numbers.balls import precision
from anholonomy.symbolic.zero import zero_test
from anholonomy.system.checks.redundancy import generic_points
from anholonomy.system.checks.well_posed import is_nonsingular
from anholonomy.system.model import Model
from anholonomy.system.states.newton import rows_at
from anholonomy.verdict import Verdict

__all__ = ["COORDINATES", "INERTIA", "NO_FORCES", "QUADRATIC", "STILL", "Need"]


@final
@dataclass(frozen=True)
class Need:
    """A property a system must have: its name in tables, and what is wrong with a system that lacks it."""

    label: str
    obstacle: Callable[[Model], str]
    """A clause that says why a system lacks it; empty for one that has it."""


def _chart_obstacle(model: Model) -> str:
    return "" if model.frame.is_chart else f"the velocities of {model.name} are those of a moving frame"


@lru_cache(maxsize=64)
def _quadratic_obstacle(model: Model) -> str:
    w = set(model.velocities)
    for row in variational_derivative(model).mass_ab:
        for entry in row:
            for each in sorted(entry.free_symbols & w, key=str):
                if zero_test(partial(entry, each)) is not Verdict.PROVEN:
                    return f"the inertia of {model.name} depends on {each}"
    return ""


@lru_cache(maxsize=64)
def _still_obstacle(model: Model) -> str:
    frame = model.frame
    if any(entry != 0 for entry in frame.drift_i) or any(
        time in e.free_symbols for row in frame.anchor_ai for e in row
    ):
        return f"the frame of {model.name} moves in time"
    entries = (entry for row in variational_derivative(model).mass_ab for entry in row if time in entry.free_symbols)
    moving = any(zero_test(partial(entry, time)) is not Verdict.PROVEN for entry in entries)
    return f"the inertia of {model.name} depends on time" if moving else ""


@lru_cache(maxsize=64)
def _inertia_obstacle(model: Model) -> str:
    mass_ab, digits = variational_derivative(model).mass_ab, 100  # entries may be uneven far from where a system lives
    with precision(digits + 10):
        for point in generic_points(model, digits):
            if is_nonsingular(rows_at(mass_ab, point), digits):
                return ""
    return f"some velocity of {model.name} has none"


def _forces_obstacle(model: Model) -> str:
    forced = [w.name for w, Q in zip(model.velocities, model.forces_a, strict=True) if Q != 0]
    return f"{model.name} has a force along {forced[0]} that has no potential" if forced else ""


COORDINATES = Need("coordinates", _chart_obstacle)
QUADRATIC = Need("a Lagrangian quadratic in the velocities", _quadratic_obstacle)
STILL = Need("a kinetic metric independent of time", _still_obstacle)
INERTIA = Need("inertia in every direction", _inertia_obstacle)
NO_FORCES = Need("forces with a potential", _forces_obstacle)
