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

        A declaration with units is refused where a term does not fit; with kinds alone it is warned of (`UnfitTerm`), unless a number may hide a unit.

        >>> from anholonomy import System
        >>> System(coordinates={"x": "length"}, lagrangian="m*x'^2/2 - 9.81*m*x", parameters=["m"]).dimensions().misfit
        "the term 981*m*x/100 in the Lagrangian ..."
        """
        from anholonomy.system.units.checking import dimensions_of

        return dimensions_of(self.with_words())
