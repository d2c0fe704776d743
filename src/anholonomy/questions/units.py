"""What one may ask of a system's units."""

from __future__ import annotations

from typing import TYPE_CHECKING

from anholonomy.system.model import Model

if TYPE_CHECKING:
    from anholonomy.system.units.checking import Dimensions

__all__ = ["UnitQuestions"]


class UnitQuestions(Model):
    """A model that knows its dimensions."""

    def dimensions(self) -> Dimensions:
        """The dimension of every name as far as kinds and units imply it, and the first term that does not fit, if there is one.

        A declaration with units is refused where a term does not fit; with kinds alone only this verb looks.

        >>> from anholonomy import System
        >>> System(coordinates={"x": "length"}, lagrangian="m*x'^2/2 - m*x", parameters=["m"]).dimensions().misfit
        "the terms m*x'^2/2 and m*x in the Lagrangian cannot have one dimension; ..."
        """
        from anholonomy.system.units.checking import dimensions_of

        return dimensions_of(self.with_words())
