"""A derivation: a principle applied to a model in a frame, and derived again where that frame fails."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, final

from anholonomy.algebra.expressions import Symbol
from anholonomy.base.errors import NotSupportedError
from anholonomy.equations.equations_of_motion import EquationsOfMotion
from anholonomy.equations.principles.base import AbstractPrinciple
from anholonomy.geometry.adapted_frame import AdaptedFrame
from anholonomy.language.writing import to_text
from anholonomy.system.checks.redundant_constraints import best_rows
from anholonomy.system.frames.adapted import ORTHONORMAL, frame_of_speeds
from anholonomy.system.frames.spatial import frame_in_space
from anholonomy.system.frames.speeds import read_speeds
from anholonomy.system.model import Model

__all__ = ["Derivation"]


@final
@dataclass(frozen=True)
class Derivation:
    """A principle, the model it is applied to, and the frame of the speeds.

    Attributes
    ----------
    speeds
        What the user chose as speeds, in words that can be read again: names with definitions, or ``"orthonormal"``; empty where
        the software chose the frame.
    """

    principle: AbstractPrinciple
    model: Model
    frame: AdaptedFrame
    speeds: tuple[tuple[str, str], ...] | str = field(default=(), compare=False)

    @classmethod
    def of(
        cls,
        model: Model,
        principle: AbstractPrinciple,
        speeds: Mapping[Any, Any] | Sequence[Any] | str | None = None,
        at: Mapping[Symbol, float] | None = None,
    ) -> Derivation:
        """With the speeds that a user chose, or else those of the principle, regular at a state if one is given."""
        principle.refuse_unless_covered(model)
        if speeds is None:
            frame = principle.frame(model) if at is None else principle.frame(model, at, strict=True)
            return cls(principle, model, frame)
        if not principle.takes_speeds:
            raise NotSupportedError(
                f"{model.name}: {principle.name} is written in all velocities and leaves no speeds to choose; use another "
                "principle, such as 'hamel', or leave `speeds` out."
            )
        return cls(principle, model, frame_of_speeds(model, speeds, at), _in_words(model, speeds))

    @classmethod
    def for_all_values(cls, model: Model, principle: AbstractPrinciple) -> Derivation:
        """For all values of the parameters at once, made once for a sweep; at some of them its frame may fail."""
        principle.refuse_unless_covered(model)
        general = _general(principle, model.with_free_parameters) or model
        return cls(principle, general, _lasting(principle, general, principle.frame(general)))

    def of_values(self, model: Model) -> Derivation:
        """The same for the model with other values of its parameters: this one, unless they make it another."""
        if (
            self.model.constraints == model.constraints
            and _general(self.principle, model.with_free_parameters) is not None
        ):
            return self
        return Derivation.of(model, self.principle, self.asked_speeds or None)

    @property
    def asked_speeds(self) -> dict[str, str] | str:
        """The user's choice of speeds as `of` takes it; empty where there is none."""
        return self.speeds if isinstance(self.speeds, str) else dict(self.speeds)

    @property
    def equations(self) -> EquationsOfMotion:
        """The equations of motion, derived once."""
        return _derived(self.principle, self.model, self.frame)

    @property
    def is_chosen(self) -> bool:
        """Whether the frame is the user's: kept as long as it serves, though another may be better."""
        return bool(self.speeds) or self.frame.is_given or self.model.speed_values is not None

    def at(self, point: Mapping[Symbol, float]) -> Derivation:
        """The same principle with the constraints and in the frame that are farthest from singular at a state."""
        exchanged = self.in_rows_for(point)
        frame = self.principle.frame(exchanged.model, point, strict=True)
        return replace(exchanged, frame=_lasting(self.principle, exchanged.model, frame))

    def in_rows_for(self, point: Mapping[Symbol, float]) -> Derivation:
        """The same in the same frame, with the constraints that are farthest from dependent at a state."""
        # A costate is that of one constraint and cannot be handed on to another.
        model = self.model if self.principle.costates(self.model) else best_rows(self.model, point)
        return self if model is self.model else replace(self, model=model)


def _lasting(principle: AbstractPrinciple, model: Model, frame: AdaptedFrame) -> AdaptedFrame:
    """A frame for motions: what turns with a body in its own speeds, and so fails somewhere, may stand still in those of space."""
    is_chosen = frame.is_given or model.speed_values is not None
    if not frame.pivots or is_chosen or not principle.takes_speeds or model.group is None:
        return frame
    return frame_in_space(model) or frame


@lru_cache(maxsize=256)
def _general(principle: AbstractPrinciple, shape: Model) -> Model | None:
    """The model with free parameters, unless only their values let the principle cover it."""
    return shape if principle.covers(shape) else None


@lru_cache(maxsize=64)
def _derived(principle: AbstractPrinciple, model: Model, frame: AdaptedFrame) -> EquationsOfMotion:
    return principle.derive(model, frame)


def _in_words(model: Model, speeds: Mapping[Any, Any] | Sequence[Any] | str) -> tuple[tuple[str, str], ...] | str:
    if isinstance(speeds, str) and speeds == ORTHONORMAL:
        return speeds
    symbols, values = read_speeds(model, speeds)
    return tuple((u.name, to_text(value)) for u, value in zip(symbols, values, strict=True))
