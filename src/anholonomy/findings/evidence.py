r"""The evidence of a verdict: an identity, a point where it fails, a bound, a reason; each can be checked again.

.. math:: f \equiv 0 \ \text{(identity)}, \qquad f(q_*) \ne 0 \ \text{(witness)}, \qquad a \le |f| \le b \ \text{(bound)}
"""

from __future__ import annotations

import abc
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from typing import Any, final

from anholonomy.algebra.expressions import Expr, Symbol
from anholonomy.algebra.latex import in_words, latex, shown
from anholonomy.algebra.numbers.balls import Ball, evaluate_ball, evaluate_balls, excludes_zero
from anholonomy.algebra.redundant_coordinates import Orbit
from anholonomy.algebra.unknown_functions import Jets, with_jets
from anholonomy.algebra.zero_test import decide
from anholonomy.base.verdict import Verdict
from anholonomy.language.writing import Readable, brief, to_text

__all__ = ["AbstractEvidence", "Bound", "Identity", "Quantity", "Reason", "Undecided", "Witness"]

_DIGITS, _AGAIN = 60, 1
"""The precision and the seed with which evidence is gone through again."""


@final
@dataclass(frozen=True)
class Quantity:
    """An expression and its name, plain and in LaTeX."""

    name: str
    value: Expr
    mark: str = ""

    @property
    def latex_name(self) -> str:
        """The name in LaTeX; in words where it has no other."""
        return self.mark or in_words(self.name)


class AbstractEvidence(Readable):
    """A part of what a verdict rests on."""

    @abc.abstractmethod
    def latex(self) -> str:
        """The same in LaTeX."""

    @abc.abstractmethod
    def check(self) -> Verdict:
        """Whether the evidence stands when it is gone through once more, with nothing remembered."""


@final
@dataclass(frozen=True, repr=False)
class Identity(AbstractEvidence):
    """Expressions that vanish identically, or on a group: their normal forms are zero.

    >>> import symengine
    >>> x = symengine.Symbol("x")
    >>> square = Identity("cos^2 + sin^2 - 1", (symengine.cos(x) ** 2 + symengine.sin(x) ** 2 - 1,))
    >>> print(square, square.check(), sep="; ")
    cos^2 + sin^2 - 1 = 0; proven
    """

    name: str
    expressions: tuple[Expr, ...]
    mark: str = ""
    on: Orbit | None = field(default=None, compare=False)
    said: str = ""

    def lines(self, whole: bool = False) -> list[str]:
        """What is zero, or the sentence that says so."""
        return [self.said or f"{self.name} = 0"]

    def latex(self) -> str:
        return in_words(self.said) if self.said else f"{self.mark or in_words(self.name)} = 0"

    def check(self) -> Verdict:
        return Verdict.on_all(decide(expression, self.on, _AGAIN) for expression in self.expressions)

    def at(self, point: Mapping[Symbol, Any], digits: int = 30) -> tuple[Ball, ...]:
        """The expressions at a point, as balls: what an identity amounts to along a motion."""
        return evaluate_balls(self.expressions, point, digits)


@final
@dataclass(frozen=True, repr=False)
class Witness(AbstractEvidence):
    """A point where a quantity is proven different from zero.

    Attributes
    ----------
    name, expression, mark
        The quantity: its name, what it is, its name in LaTeX.
    point
        Values of the symbols, exact; of redundant coordinates of a group without rational points at hand, rounded.
        Values of unknown functions and their derivatives are there as ``_jet0``, …

    Examples
    --------
    >>> import symengine
    >>> x = symengine.Symbol("x")
    >>> root = Witness("f", symengine.sqrt(x**2) - x, ((x, Fraction(-1, 2)),))
    >>> print(root, root.check(), root.value().contains(1), sep="; ")
    f = sqrt(x^2) - x, not zero at x = -1/2; proven; True
    """

    name: str
    expression: Expr
    point: tuple[tuple[Symbol, Fraction], ...]
    mark: str = ""

    def value(self, digits: int = _DIGITS) -> Ball:
        """The ball that excludes zero."""
        jets = self._jets
        return evaluate_ball(self.expression if jets is None else jets.expression, dict(self.point), digits)

    def check(self) -> Verdict:
        try:
            return Verdict.PROVEN if excludes_zero(self.value()) else Verdict.UNKNOWN
        except (ValueError, OverflowError):  # an imaginary number or an infinity
            return Verdict.UNKNOWN

    def lines(self, whole: bool = False) -> list[str]:
        """The quantity, and where it is not zero."""
        return [f"{self.name} = {self.value_text(whole)}"]

    def value_text(self, whole: bool = False) -> str:
        """What the quantity is, and where that is not zero."""
        at = ", ".join(f"{to_text(node)} = {value}" for node, value in self._place)
        return brief(self.expression, whole) + (f", not zero at {at}" if at else "")

    def latex(self) -> str:
        at = ",\\ ".join(f"{latex(node)} = {_fraction(value)}" for node, value in self._place)
        shown = f"{self.mark or in_words(self.name)} = {latex(self.expression)}"
        return shown + (rf" \ne 0 \text{{ at }} {at}" if at else "")

    @property
    def _jets(self) -> Jets | None:
        return with_jets(self.expression)

    @property
    def _place(self) -> list[tuple[Expr, Fraction]]:
        """The point, with unknown functions written as such."""
        jets = self._jets
        meaning = {} if jets is None else {stand_in: node for node, stand_in in jets.values}
        return [(meaning.get(name, name), value) for name, value in self.point]


@final
@dataclass(frozen=True, repr=False)
class Undecided(AbstractEvidence):
    """Quantities that are neither proven zero nor proven different from it: the claim holds exactly if all of them vanish.

    >>> import symengine
    >>> x = symengine.Symbol("x")
    >>> print(Undecided((Quantity("f", symengine.sqrt(x) - x),)))
    it holds exactly if f = sqrt(x) - x is zero
    """

    quantities: tuple[Quantity, ...]
    on: Orbit | None = field(default=None, compare=False)

    def lines(self, whole: bool = False) -> list[str]:
        """The first of them, and how many more there are."""
        first, *others = self.quantities
        more = f", and {len(others)} more" if others else ""
        return [f"it holds exactly if {first.name} = {brief(first.value, whole)} is zero{more}"]

    def latex(self) -> str:
        rows = (f"{each.latex_name} = {latex(each.value)}" for each in self.quantities[:1])
        return rf"{''.join(rows)} \overset{{?}}{{=}} 0"

    def check(self) -> Verdict:
        return Verdict.on_all(decide(each.value, self.on, _AGAIN) for each in self.quantities)


@final
@dataclass(frozen=True, repr=False)
class Bound(AbstractEvidence):
    """A number between proven bounds, and the limit that it is compared with.

    >>> near = Bound("the largest disagreement", Decimal(0), Decimal("3e-29"), Decimal("1e-25"))
    >>> print(near, near.check(), sep="; ")
    the largest disagreement is at most 3.0e-29, the limit 1.0e-25; proven
    """

    name: str
    least: Decimal
    most: Decimal
    limit: Decimal

    def lines(self, whole: bool = False) -> list[str]:
        """The bound that decides, or both of them where none does."""
        return [f"{self.name} is {self._said}, the limit {shown(self.limit)}"]

    def latex(self) -> str:
        return in_words(self.text())

    def check(self) -> Verdict:
        """Whether the bounds settle on which side of the limit the number lies."""
        return Verdict.PROVEN if self.most <= self.limit or self.least > self.limit else Verdict.UNKNOWN

    @property
    def _said(self) -> str:
        if self.most <= self.limit:
            return f"at most {shown(self.most)}"
        if self.least > self.limit:
            return f"at least {shown(self.least)}"
        return f"between {shown(self.least)} and {shown(self.most)}"


@final
@dataclass(frozen=True, repr=False)
class Reason(AbstractEvidence):
    """Why a claim is as it is, or why it could not be decided, in words that no machine can go through again."""

    why: str

    def lines(self, whole: bool = False) -> list[str]:
        """The words."""
        return [self.why.rstrip(".")]

    def latex(self) -> str:
        return in_words(self.text())

    def check(self) -> Verdict:
        return Verdict.UNKNOWN


def _fraction(value: Fraction) -> str:
    whole = (
        str(abs(value.numerator))
        if value.denominator == 1
        else rf"\tfrac{{{abs(value.numerator)}}}{{{value.denominator}}}"
    )
    return f"-{whole}" if value < 0 else whole
