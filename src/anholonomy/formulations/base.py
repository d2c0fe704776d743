"""A principle of mechanics: what it covers, and how it turns a system into equations of motion."""

from __future__ import annotations

import abc
from collections.abc import Mapping
from typing import ClassVar, Protocol, final

from anholonomy.displays.shown import Shown
from anholonomy.formulations.equations.equations_of_motion import EquationsOfMotion
from anholonomy.formulations.needs import Need
from anholonomy.geometry.frames.adapted import AdaptedFrame
from anholonomy.refusals import NotCovered
from anholonomy.symbolic.expressions import Symbol
from anholonomy.system.frames.adapted import adapted_frame, full_frame
from anholonomy.system.kinds import Kind
from anholonomy.system.model import Model

__all__ = ["AbstractFormulation"]


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


class AbstractFormulation(Shown, abc.ABC):
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
        if beyond := model.kinds & ~self.handles:
            return f"does not cover {', '.join(kind.phrase for kind in beyond)}"
        return next((f"needs {need.label}, and {why}" for need in self.needs if (why := need.obstacle(model))), "")

    @final
    def frame(self, model: Model, at: Mapping[Symbol, float] | None = None, strict: bool = False) -> AdaptedFrame:
        """The speeds this principle uses where none are given, chosen at a point."""
        return type(self).choose_frame(model, at, strict)

    @final
    def derive(self, model: Model, frame: AdaptedFrame | None = None) -> EquationsOfMotion:
        """Check that the principle covers the system, then apply it in an adapted frame (default: a generic choice)."""
        self.refuse_unless_covered(model)
        return self._derive(model, frame or self.frame(model))

    @final
    def refuse_unless_covered(self, model: Model) -> None:
        """Say why the principle does not cover the system, and which one does."""
        if why := self.obstacle(model):
            raise NotCovered(
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
