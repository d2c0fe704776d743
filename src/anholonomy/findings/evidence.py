r"""The evidence of a verdict: an identity, a point where it fails, a bound, a reason; each can be checked again.

.. math:: f \equiv 0 \ \text{(identity)}, \qquad f(q_*) \ne 0 \ \text{(witness)}, \qquad a \le |f| \le b \ \text{(bound)}
"""

from __future__ import annotations

import abc
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from typing import Any, final

from anholonomy.algebra.expressions import Expr, Symbol, zero
from anholonomy.algebra.latex import shown
from anholonomy.algebra.numbers.balls import Ball, evaluate_ball, evaluate_balls, excludes_zero
from anholonomy.algebra.redundant_coordinates import Orbit
from anholonomy.algebra.unknown_functions import Jets, with_jets
from anholonomy.algebra.zero_test import decide
from anholonomy.base.verdict import Verdict
from anholonomy.language.answers import EQUALS, Mark, Part, Readable, Row, joined

__all__ = ["AbstractEvidence", "Bound", "Calculation", "Identity", "Quantity", "Reason", "Undecided", "Witness"]

_DIGITS, _AGAIN = 60, 1
"""The precision and the seed with which evidence is gone through again."""
_DIFFERS_AT = Mark(", not zero at ", r"\ne 0 \text{ at }")


def named(name: str, mark: str) -> Part:
    """The name of a quantity, with the mark that LaTeX writes if there is one."""
    return Mark(name, mark) if mark else name


@final
@dataclass(frozen=True)
class Quantity:
    """An expression and its name, plain and in LaTeX."""

    name: str
    value: Expr
    mark: str = ""

    @property
    def parts(self) -> tuple[Part, ...]:
        """The equation of the name and the value."""
        return named(self.name, self.mark), EQUALS, self.value


class AbstractEvidence(Readable):
    """A part of what a verdict rests on."""

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

    def as_rows(self) -> Iterable[Part]:
        yield Row(self.said) if self.said else Row(named(self.name, self.mark), EQUALS, zero)

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

    def as_rows(self) -> Iterable[Part]:
        yield Row(named(self.name, self.mark), EQUALS, self.of_value)

    @property
    def of_value(self) -> list[Part]:
        """The quantity, and the point at which it is not zero."""
        place = joined((node, EQUALS, value) for node, value in self._place)
        return [self.expression, *([_DIFFERS_AT, *place] if place else [])]

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

    def as_rows(self) -> Iterable[Part]:
        first, *others = self.quantities
        more = f", and {len(others)} more" if others else ""
        yield Row("it holds exactly if ", first.parts, " is zero", more)

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

    def as_rows(self) -> Iterable[Part]:
        yield f"{self.name} is {self._said}, the limit {shown(self.limit)}"

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
class Calculation(AbstractEvidence):
    """What a calculation gives, in words; it is made again from the same data, with nothing remembered, and compared.

    Attributes
    ----------
    said
        The words.
    of, given
        A function of a module, and its arguments, which are data.
    result
        What it gave.

    Examples
    --------
    >>> print(counted := Calculation("two of three are even", sum, ((1, 0, 1),), 2), counted.check(), sep="; ")
    two of three are even; proven
    """

    said: str
    of: Callable[..., Any]
    given: tuple[Any, ...] = field(compare=False)
    result: Any

    def as_rows(self) -> Iterable[Part]:
        yield self.said

    def check(self) -> Verdict:
        return Verdict.PROVEN if self.of(*self.given) == self.result else Verdict.UNKNOWN


@final
@dataclass(frozen=True, repr=False)
class Reason(AbstractEvidence):
    """Why a claim could not be decided, or what is to be known besides, in words that no machine can go through again."""

    why: str

    def as_rows(self) -> Iterable[Part]:
        yield self.why.rstrip(".")

    def check(self) -> Verdict:
        return Verdict.UNKNOWN
