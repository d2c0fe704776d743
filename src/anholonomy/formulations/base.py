"""A principle of mechanics: what it covers, and how it turns a system into equations of motion."""

from __future__ import annotations

import abc
from typing import ClassVar, final

from anholonomy.formulations.equations import EquationsOfMotion
from anholonomy.geometry.adapted import AdaptedFrame
from anholonomy.refusals import NotCovered
from anholonomy.system.adapting import adapted_frame
from anholonomy.system.kinds import Kind
from anholonomy.system.model import Model

__all__ = ["AbstractFormulation"]


class AbstractFormulation(abc.ABC):
    """One principle. A new one is one new file with `name`, `handles` and `_derive`."""

    name: ClassVar[str]
    """The name in the API, at the command line and in the documentation."""
    title: ClassVar[str]
    """The name in a heading."""
    handles: ClassVar[Kind]
    """The kinds of constraint it covers."""

    @final
    def covers(self, model: Model) -> bool:
        """Whether every constraint of the model is of a kind this principle handles."""
        return model.kinds in self.handles

    @final
    def derive(self, model: Model, frame: AdaptedFrame | None = None) -> EquationsOfMotion:
        """Check that the principle covers the system, then apply it in an adapted frame (default: a generic choice)."""
        if not self.covers(model):
            beyond = ", ".join(kind.label for kind in model.kinds & ~self.handles)
            raise NotCovered(
                f"the principle {self.name} does not cover the {beyond} constraints of {model.name}; "
                "use 'lagrange-dalembert', which covers every kind."
            )
        return self._derive(model, frame or adapted_frame(model))

    @abc.abstractmethod
    def _derive(self, model: Model, frame: AdaptedFrame) -> EquationsOfMotion:
        """The equations of motion of a system that is known to be covered."""

    def __str__(self) -> str:
        return self.name
