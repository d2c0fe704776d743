"""What a finding holds for: which points, which group, which functions, which values of parameters."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from typing import final

from anholonomy.findings.special import SpecialValues
from anholonomy.language.brevity import Readable
from anholonomy.language.writing import to_text
from anholonomy.symbolic.arithmetic import unknown_functions
from anholonomy.symbolic.expressions import Expr, Symbol, free_symbols
from anholonomy.symbolic.orbits.orbit import Orbit
from anholonomy.symbolic.zero import zero_test

__all__ = ["Scope"]

_SHORT = 3
"""Digits of a denominator that is still read at a glance."""


@final
@dataclass(frozen=True, repr=False)
class Scope(Readable):
    """What a verdict holds for; with nothing said, for every point where the claim makes sense and all parameters.

    Attributes
    ----------
    points
        At which points, in words such as "at generic points".
    group
        The redundant coordinates that were taken on their group.
    functions
        The functions nobody specified: what is proven holds for all of them, what is refuted fails for some.
    values
        The declared values of parameters without which the claim is not proven.
    special
        The values of free parameters for which alone the verdict may be another; None where that was not looked for.
    """

    points: str = ""
    group: tuple[Symbol, ...] = ()
    functions: tuple[str, ...] = ()
    values: tuple[tuple[Symbol, Expr], ...] = ()
    special: SpecialValues | None = None

    @classmethod
    def of(cls, expressions: Iterable[Expr], on: Orbit | None = None, proven: bool = True) -> Scope:
        """The scope of the claim that expressions vanish, where redundant coordinates and known parameters let them be."""
        given = tuple(expressions)
        used = free_symbols(given)
        functions = sorted({call.get_name() for each in given for call in unknown_functions(each)})
        tied = on.tied if on is not None and not used.isdisjoint(on.tied) else ()
        return cls("", tied, tuple(functions), _needed(given, on) if proven else ())

    def also(self, other: Scope) -> Scope:
        """The scope of what needs another claim too: both restrict it.

        >>> import symengine
        >>> x, k = symengine.symbols("x k")
        >>> print(Scope("at generic points", values=((k, x**0),)).also(Scope(group=(x,), values=((k, x**0),))))
        at generic points, on the group of x, for k = 1
        """
        return replace(
            self,
            group=tuple(dict.fromkeys((*self.group, *other.group))),
            functions=tuple(sorted({*self.functions, *other.functions})),
            values=tuple(dict.fromkeys((*self.values, *other.values))),
        )

    def lines(self, whole: bool = False) -> list[str]:
        """The scope in a phrase; empty where nothing is restricted."""
        given = ", ".join(f"{name} = {_as_declared(value)}" for name, value in self.values)
        parts = [
            self.points,
            f"on the group of {', '.join(q.name for q in self.group)}" if self.group else "",
            f"for every {' and '.join(self.functions)}" if self.functions else "",
            f"for {given}" if given else "",
        ]
        return [", ".join(part for part in parts if part)]


def _as_declared(value: Expr) -> str:
    """A value as somebody would write it: a long fraction that ends as a decimal is one.

    >>> import symengine
    >>> _as_declared(symengine.Rational(3, 10)), _as_declared(symengine.Rational(31415926, 10**7))
    ('3/10', '3.1415926')
    """
    text = to_text(value)
    over, slash, below = text.partition("/")
    if not (slash and below.isdigit() and len(below) > _SHORT and over.lstrip("-").isdigit()):
        return text
    exact = Decimal(over) / Decimal(below)
    return str(exact) if Fraction(exact) == Fraction(text) else text


def _needed(expressions: Iterable[Expr], on: Orbit | None) -> tuple[tuple[Symbol, Expr], ...]:
    """The known values without which some of the expressions would not vanish."""
    if on is None or not on.values:
        return ()
    free = on.with_free_parameters
    symbols = free_symbols(e for e in expressions if e.free_symbols & on.known.keys() and not zero_test(e, free))
    return tuple((name, value) for name, value in on.values if name in symbols)
