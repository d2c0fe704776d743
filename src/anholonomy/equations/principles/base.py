"""The base class of a principle: what it covers, and how it turns a system into equations of motion.

A principle covers kinds of constraints, which are flags, and needs properties of a system; refusals, the table of principles and the
choice of those that are compared are made from both.
"""

from __future__ import annotations

import abc
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, Protocol, final

from anholonomy.algebra.calculus import partial
from anholonomy.algebra.expressions import Symbol, time
from anholonomy.algebra.numbers.balls import precision
from anholonomy.algebra.zero_test import zero_test
from anholonomy.base.errors import NotSupportedError
from anholonomy.base.notebook import Shown
from anholonomy.base.verdict import Verdict
from anholonomy.equations.equations_of_motion import EquationsOfMotion
from anholonomy.equations.lagrangian import variational_derivative
from anholonomy.geometry.adapted_frame import AdaptedFrame
from anholonomy.language.arguments import plain
from anholonomy.system.checks.well_posed import is_nonsingular
from anholonomy.system.constraints import Kind
from anholonomy.system.frames.adapted import adapted_frame, full_frame
from anholonomy.system.model import Model
from anholonomy.system.states.newton import rows_at
from anholonomy.system.states.random_states import generic_points

__all__ = ["COORDINATES", "INERTIA", "NO_FORCES", "QUADRATIC", "STILL", "Need", "AbstractPrinciple"]


# What a principle may ask of a system besides the kind of its constraints.


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


# A principle.


class FrameChoice(Protocol):
    """From a model, a point (None: a generic one) and whether the choice must last, to the frame of the speeds."""

    def __call__(
        self, model: Model, at: Mapping[Symbol, float] | None = None, strict: bool = False
    ) -> AdaptedFrame: ...


class CostateChoice(Protocol):
    """From a model to the symbols of its costates."""

    def __call__(self, model: Model) -> tuple[Symbol, ...]: ...


def no_costates(model: Model) -> tuple[Symbol, ...]:
    """None: coordinates and velocities are a state."""
    return ()


class AbstractPrinciple(Shown, abc.ABC):
    """One principle. A new one is one new file with `name`, `title`, `handles` and `_derive`."""

    name: ClassVar[str]
    """The name in the API, at the command line and in the documentation."""
    title: ClassVar[str]
    """The name in a heading."""
    handles: ClassVar[Kind]
    """The kinds of system it covers."""
    needs: ClassVar[tuple[Need, ...]] = ()
    """What it asks besides."""
    agrees: ClassVar[bool] = True
    """Whether its motions are those of d'Alembert's principle, so that it can be compared with the others."""
    costates: ClassVar[CostateChoice] = staticmethod(no_costates)
    """The symbols that a state needs besides coordinates and velocities."""
    choose_frame: ClassVar[FrameChoice] = staticmethod(adapted_frame)
    """How it chooses its speeds."""

    @final
    def covers(self, model: Model) -> bool:
        """Whether the system is of the kinds this principle handles and has what it needs."""
        return not self.obstacle(model)

    @final
    def obstacle(self, model: Model) -> str:
        """Why the principle does not cover the system, as the end of a sentence; empty when it does."""
        model = plain(model)
        if beyond := model.kinds & ~self.handles:
            return f"does not cover {', '.join(kind.phrase for kind in beyond)}"
        return next((f"needs {need.label}, and {why}" for need in self.needs if (why := need.obstacle(model))), "")

    @final
    def frame(self, model: Model, at: Mapping[Symbol, float] | None = None, strict: bool = False) -> AdaptedFrame:
        """The speeds this principle uses where none are given, chosen at a point."""
        return type(self).choose_frame(plain(model), at, strict)

    @final
    def derive(self, model: Model, frame: AdaptedFrame | None = None) -> EquationsOfMotion:
        """Check that the principle covers the system, then apply it in an adapted frame (default: a generic choice)."""
        model = plain(model)
        self.refuse_unless_covered(model)
        return self._derive(model, frame or self.frame(model))

    @final
    def refuse_unless_covered(self, model: Model) -> None:
        """Say why the principle does not cover the system, and which one does."""
        if why := self.obstacle(model):
            raise NotSupportedError(
                f"{model.name}: the principle {self.name} {why}; {self._instead(model)} covers this system."
            )

    @property
    @final
    def takes_speeds(self) -> bool:
        """Whether it leaves a choice of speeds; otherwise it is written in all velocities."""
        return type(self).choose_frame is not full_frame

    @staticmethod
    def _instead(model: Model) -> str:
        return "'gauss'" if Kind.REDUNDANT in model.kinds else "'lagrange-dalembert'"

    @abc.abstractmethod
    def _derive(self, model: Model, frame: AdaptedFrame) -> EquationsOfMotion:
        """The equations of motion of a system that is known to be covered."""

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and vars(self) == vars(other)

    def __hash__(self) -> int:
        return hash(type(self))

    def __str__(self) -> str:
        return self.name
