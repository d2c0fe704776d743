"""Claims that components in a frame vanish, decided where its coordinates and parameters take their values."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from anholonomy.findings import Finding, Quantity, vanishing
from anholonomy.geometry.special_values import special_values
from anholonomy.symbolic.expressions import Expr

if TYPE_CHECKING:
    from anholonomy.geometry.frames.frame import Frame  # a frame holds tensors, which make claims

__all__ = ["components_vanish", "with_special"]


def components_vanish(frame: Frame, claim: str, what: str, components: Iterable[Quantity], mark: str = "") -> Finding:
    """The finding that a claim holds because components vanish, and where it is refuted the parameters for which it may hold.

    ``what`` names the components together, and ``mark`` does so in LaTeX.

    >>> import symengine
    >>> from anholonomy.geometry.frames.frame import Frame
    >>> k, x = symengine.symbols("k x")
    >>> print(components_vanish(Frame(["x"]), "it is flat", "R", [Quantity("R_1", k * x - x)]).text())
    ... # doctest: +ELLIPSIS
    it is flat: refuted, R_1 = (k - 1)*x, not zero at k = ...; it holds only where k = 1
    """
    given = list(components)
    return with_special(frame, vanishing(claim, what, given, frame.orbit, mark), [each.value for each in given])


def with_special(frame: Frame, found: Finding, components: Iterable[Expr]) -> Finding:
    """A finding, refuted ones with the values of free parameters for which all components vanish."""
    if not found.is_refuted:
        return found
    special = special_values(components, frame.coordinates, frame.orbit)
    return replace(found, scope=replace(found.scope, special=special))
