r"""A rest in one coordinate: reversible motions close, and the first terms tell the rest where both eigenvalues are zero.

.. math:: \ddot x = f(x, \dot x), \qquad f(x, 0) = a x^m + \dots, \qquad \partial_{\dot x} f(x, 0) = b x^n + \dots

With $a < 0$ and $m$ odd the motions turn about the rest if $m < 2n + 1$, or $m = 2n + 1$ and $b^2 + 4a(n + 1) < 0$; otherwise it is a node for even
$n$, stable exactly if $b < 0$, and has an elliptic sector for odd $n$, so that it is unstable (Andreev 1958). What turns about the rest and is
reversible, by $(x, t) \to (x, -t)$ or $(-x, -t)$, is a centre.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import final

import flint

from anholonomy.algebra.numbers.balls import precision
from anholonomy.algebra.numbers.local_series import Coefficient, LocalArithmetic, LocalSeries, is_zero, rational
from anholonomy.base.verdict import Verdict
from anholonomy.findings.evidence import AbstractEvidence
from anholonomy.language.answers import Part
from anholonomy.stability.exact_state import DIGITS, ExactState
from anholonomy.stability.rest_energy import FAILURES, Rest, rest_of

__all__ = ["PlaneRest", "plane_rest"]

_DEGREE = 15
"""Terms up to this degree are looked at."""
_POINTS = 3
"""At so many points it is tried whether the motion is reversible."""


@final
@dataclass(frozen=True, repr=False)
class PlaneRest(AbstractEvidence):
    """The first terms of the force without speed and of its slope by the speed, and whether the motion is reversible.

    Attributes
    ----------
    a, m
        The first term $a x^m$.
    b, n
        The first term $b x^n$; 0 and the first order that is not known if there is none.
    reversible
        Whether the motion is reversible, by exact numbers at random points.
    """

    a: Coefficient
    m: int
    b: Coefficient
    n: int
    reversible: bool

    @property
    def turns(self) -> bool:
        """Whether motions turn about the rest."""
        if not self.a < 0 or self.m % 2 == 0:
            return False
        limit = 2 * self.n + 1
        return self.m < limit or (self.m == limit and self.b**2 + 4 * self.a * (self.n + 1) < 0)

    @property
    def verdict(self) -> Verdict:
        """Whether the rest is stable."""
        if self.turns:
            return Verdict.of(True if self.reversible else None)
        if self.a > 0 or self.m % 2 == 0:
            return Verdict.REFUTED
        if self.b == 0:
            return Verdict.UNKNOWN
        return Verdict.of(self.n % 2 == 0 and self.b < 0)

    def check(self) -> Verdict:
        return Verdict.UNKNOWN if self.verdict is Verdict.UNKNOWN else Verdict.PROVEN

    def as_rows(self) -> Iterable[Part]:
        first = f"x'' = {_term(self.a, self.m)}"
        if self.turns:
            return [f"motions turn about the rest, {first} + ..., and are reversible, so that they close"]
        drag = f" + {_term(self.b, self.n)} x'" if self.b != 0 else ""
        kind = "a stable node" if self.verdict is Verdict.PROVEN else "motions that leave"
        return [f"both eigenvalues are zero, and {first}{drag} + ... has {kind}"]


def _term(c: Coefficient, power: int) -> str:
    return f"{float(Fraction(int(c.p), int(c.q))):.6g} x" + (f"^{power}" if power > 1 else "")


def plane_rest(state: ExactState) -> PlaneRest | None:
    """Return what the first terms decide of a rest in one coordinate, or None if nothing."""
    try:
        with precision(DIGITS):
            rest = rest_of(state)
            if rest is None or rest.count != 1 or rest.free != (0,) or not state.rational:
                return None
            found = _first_terms(rest)
    except FAILURES:
        return None
    return found if found is not None and found.verdict is not Verdict.UNKNOWN else None


def _first_terms(rest: Rest) -> PlaneRest | None:
    do = LocalArithmetic(_DEGREE)
    x = [do.variable(v, k) for k, v in enumerate(rest.state.x)]
    (f,) = rest.near(x, rest.state.field.equations.rates, do)
    if not all(isinstance(c, flint.fmpq) for c in f.parts.values()):
        return None
    still = [(k, c) for k in range(1, _DEGREE + 1) if not is_zero(c := f.coefficient(*([0] * k)))]
    moving = [(k, c) for k in range(_DEGREE) if not is_zero(c := f.coefficient(*([0] * k), 1))]
    if not still:
        return None
    (m, a), (n, b) = still[0], moving[0] if moving else (_DEGREE, rational(0))
    if n == 0:  # then one eigenvalue is not zero
        return None
    return PlaneRest(a, m, b, n, _is_reversible(rest, 0) or _is_reversible(rest, 1))


def _is_reversible(rest: Rest, place: int) -> bool:
    """Whether changing the signs of time and of the speed, or of the coordinate, gives the same motions."""
    do, rate = LocalArithmetic(0), rest.state.field.equations.rates
    for k in range(_POINTS):
        away = (Fraction(7 + 2 * k, 61 + 3 * k), Fraction(11 + k, 53 + 5 * k))
        seen = []
        for side in (1, -1):
            sides = (side, 1) if place == 0 else (1, side)
            x = [LocalSeries({(): v + rational(s * d)}) for v, s, d in zip(rest.state.x, sides, away, strict=True)]
            seen.append(rest.near(x, rate, do)[0].constant)
        off = seen[0] + seen[1] if place == 0 else seen[0] - seen[1]
        if not is_zero(off) and (isinstance(off, flint.fmpq) or not abs(off) < flint.arb(10) ** -120):
            return False
    return True
