"""A finding: a claim, its verdict, the evidence, and the scope it holds for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any, final

import symengine

from anholonomy.algebra.calculus import partial
from anholonomy.algebra.expressions import Expr, Symbol, Vector, free_symbols
from anholonomy.algebra.normal_forms.canonical import Canonical, NoNormalForm
from anholonomy.algebra.redundant_coordinates import Orbit
from anholonomy.algebra.unknown_functions import unknown_functions
from anholonomy.algebra.zero_test import zero_test
from anholonomy.base.verdict import Verdict
from anholonomy.findings.evidence import AbstractEvidence, Reason
from anholonomy.findings.special_values import MAX_OPERATIONS, SpecialValues, special_values
from anholonomy.language.answers import EQUALS, Part, Readable, Row, joined
from anholonomy.language.writing import to_text

__all__ = ["CarriesFinding", "Finding", "Scope"]


_LONG = 40
"""Operations of equations between parameters that are still read; of longer ones the values are stated."""
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
        The declared values of parameters without which the claim is not proven; the other parameters may have any.
    equations
        Functions of parameters of which each is zero for the declared values, and all of which being zero suffices; empty where only the values are known to do.
    special
        The values of free parameters for which alone the verdict may be another; None where that was not looked for.
    """

    points: str = ""
    group: tuple[Symbol, ...] = ()
    functions: tuple[str, ...] = ()
    values: tuple[tuple[Symbol, Expr], ...] = ()
    equations: Vector = ()
    special: SpecialValues | None = None

    @classmethod
    def of(cls, expressions: Iterable[Expr], on: Orbit | None = None, proven: bool = True) -> Scope:
        """The scope of the claim that expressions vanish, where redundant coordinates and known parameters let them be."""
        given = tuple(expressions)
        used = free_symbols(given)
        functions = sorted({call.get_name() for each in given for call in unknown_functions(each)})
        tied = on.tied if on is not None and not used.isdisjoint(on.tied) else ()
        values, equations = _needed(given, on) if proven else ((), ())
        return cls("", tied, tuple(functions), values, equations)

    def also(self, other: Scope) -> Scope:
        """The scope of what needs another claim too: both restrict it.

        >>> import symengine
        >>> x, k = symengine.symbols("x k")
        >>> print(Scope("at generic points", values=((k, x**0),)).also(Scope(group=(x,), values=((k, x**0),))))
        at generic points, on the group of x, for k = 1
        """
        known = all(each.equations or not each.values for each in (self, other))
        return replace(
            self,
            group=tuple(dict.fromkeys((*self.group, *other.group))),
            functions=tuple(sorted({*self.functions, *other.functions})),
            values=tuple(dict.fromkeys((*self.values, *other.values))),
            equations=tuple(dict.fromkeys((*self.equations, *other.equations))) if known else (),
        )

    def as_rows(self) -> Iterable[Part]:
        values: Part = joined((name, EQUALS, _as_declared(value)) for name, value in self.values)
        if self.equations:
            values = SpecialValues((self.equations,)).row
        group = f"on the group of {', '.join(q.name for q in self.group)}" if self.group else ""
        functions = f"for every {' and '.join(self.functions)}" if self.functions else ""
        yield Row(joined([self.points, group, functions, ("for ", values) if values else ""]))


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


def _needed(expressions: Iterable[Expr], on: Orbit | None) -> tuple[tuple[tuple[Symbol, Expr], ...], Vector]:
    """The known values without which some of the expressions would not vanish, and equations between these that suffice."""
    if on is None or not on.values:
        return (), ()
    free = on.with_free_parameters
    some = [e for e in expressions if e.free_symbols & on.known.keys() and not zero_test(e, free)]
    symbols = free_symbols(some)
    needed = {name: value for name, value in on.values if name in symbols}
    if not needed or symengine.count_ops(*some) > MAX_OPERATIONS:
        return tuple(needed.items()), ()
    equations = _equations(some, needed, free)
    for name in [*needed]:
        others = {s: value for s, value in needed.items() if s != name}
        if all(zero_test(e.xreplace(others), free) for e in some):
            needed = others
    return tuple(needed.items()), equations


def _equations(expressions: Iterable[Expr], known: Mapping[Symbol, Expr], on: Orbit) -> Vector:
    """The fewest equations between parameters that known values satisfy and that make the expressions vanish; none where they are not found, or long."""
    given = tuple(expressions)
    special = special_values(given, free_symbols(given) - known.keys(), on)
    held = (
        each
        for each in (special.alternatives if special else ())
        if symengine.count_ops(*each) <= _LONG and all(symengine.expand(e.xreplace(dict(known))) == 0 for e in each)
    )
    return _by_factors(min(held, key=len, default=()), known)


def _by_factors(equations: Vector, known: Mapping[Symbol, Expr]) -> Vector:
    """Equations that known values satisfy, each by the factor that is zero there, and with what earlier ones give."""
    found, given = list[Expr](), dict[Symbol, Expr]()
    for equation in sorted(equations, key=symengine.count_ops):
        e = symengine.expand(equation.xreplace(given))
        if e == 0:
            continue
        with suppress(NoNormalForm):
            forms = Canonical([e])
            factors = [forms.ring.expanded(f) for f, _ in forms.quotient(e).num.factor()[1]]
            e = next((f for f in factors if symengine.expand(f.xreplace(dict(known))) == 0), e)
        found.append(e)
        for p in sorted(e.free_symbols, key=str):
            slope = symengine.expand(partial(e, p))
            if slope.is_Number and slope != 0:
                given[p] = symengine.expand(p - e / slope)
                break
    return tuple(found)


class Decided:
    """What has a verdict, and is true in an ``if`` only when that is proven."""

    __slots__ = ()

    if TYPE_CHECKING:  # a field of some, a property of others

        @property
        def verdict(self) -> Verdict: ...

    def __bool__(self) -> bool:
        return self.verdict.is_proven

    @property
    def is_proven(self) -> bool:
        """Whether the claim is proven to hold."""
        return self.verdict.is_proven

    @property
    def is_refuted(self) -> bool:
        """Whether the claim is proven to fail."""
        return self.verdict.is_refuted

    @property
    def is_unknown(self) -> bool:
        """Whether neither is proven."""
        return self.verdict.is_unknown


@final
@dataclass(frozen=True, repr=False)
class Finding(Decided, Readable):
    r"""A claim with its verdict and its evidence; true in an ``if`` only when it is proven.

    ``not finding`` says *not proven*, of an unknown claim too; ask ``is_refuted`` for *proven false*.

    Attributes
    ----------
    claim
        What is claimed, in words.
    verdict
        Whether it is proven, refuted or unknown.
    evidence
        What the verdict rests on: identities, a witness point, bounds, reasons.
    scope
        What the verdict holds for.

    Examples
    --------
    >>> import anholonomy as ah
    >>> closed = ah.geometry.Form(ah.geometry.Frame(["x", "y"]), "x*dy").is_closed()
    >>> bool(closed), closed.is_refuted
    (False, True)
    >>> print(closed)
    the form is closed: refuted, dω_xy = 1
    >>> print(ah.geometry.Form(ah.geometry.Frame(["x", "y"]), "x*dx").is_closed().latex())
    \text{the form is closed: proven, } dω = 0
    >>> closed.check()
    <Verdict.REFUTED: 'refuted'>
    """

    claim: str
    verdict: Verdict
    evidence: tuple[AbstractEvidence, ...] = ()
    scope: Scope = field(default_factory=Scope)

    @classmethod
    def unknown(cls, claim: str, why: object) -> Finding:
        """Neither proven nor refuted, for a reason in words, or for what ended the search: too little time, or a key.

        >>> print(Finding.unknown("there is a measure", KeyboardInterrupt()))
        there is a measure: unknown, interrupted
        """
        return cls(claim, Verdict.UNKNOWN, (Reason(str(why) or "interrupted"),))

    def check(self) -> Verdict:
        """The verdict once more, if all of the evidence stands when it is gone through again; otherwise unknown, as where there is none."""
        stands = bool(self.evidence) and all(each.check() for each in self.evidence)
        return self.verdict if stands else Verdict.UNKNOWN

    def as_rows(self) -> Iterable[Part]:
        scope = Row(self.scope if self.is_proven else self.scope.points)
        special = (self._only, " ", self.scope.special) if self.scope.special else ()
        why = joined(dict.fromkeys(map(Row, (*self.evidence, special))), "; ")
        yield Row(f"{self.claim}: ", joined([joined([self.verdict, scope], " "), why]))

    @property
    def _only(self) -> str:
        return "it holds only where" if self.is_refuted else "it may fail only where"

    def _data(self) -> dict[str, Any]:
        return {
            "claim": self.claim,
            "verdict": self.verdict,
            "evidence": self.evidence,
            "special": self.scope.special or "",
        }


class CarriesFinding(Decided):
    """An answer that tells more than its finding, and is true where that is proven."""

    __slots__ = ()

    if TYPE_CHECKING:  # a field of some, a property of others

        @property
        def finding(self) -> Finding: ...

    @property
    def verdict(self) -> Verdict:
        """Whether the claim is proven, refuted or unknown."""
        return self.finding.verdict
