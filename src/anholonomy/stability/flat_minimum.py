r"""A conserved quantity whose second variation vanishes in one direction: least or not by its first term along it.

.. math:: V = \tfrac12 K y^2 + b\,s^k + \dots, \quad K > 0: \qquad \text{least exactly if $k$ is even and $b > 0$}

Where it is least the steady motion is stable (Lagrange and Dirichlet). The rest of a natural system whose energy is not least is unstable:
in one degree of freedom a motion leaves on the level of the rest, in more that is Kozlov's theorem on the first form of the potential.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import final

import flint

from anholonomy.algebra.expressions import Expr
from anholonomy.algebra.numbers.balls import precision
from anholonomy.algebra.numbers.local_series import (
    Coefficient,
    LocalArithmetic,
    LocalSeries,
    NoSeries,
    is_zero,
    rational,
    sign_of,
)
from anholonomy.base.verdict import Verdict
from anholonomy.findings.evidence import AbstractEvidence
from anholonomy.language.answers import Part
from anholonomy.stability.exact_linear import inverse, is_exact, is_positive, kernel, times_vector
from anholonomy.stability.exact_state import DIGITS, ExactState, values_and_speed_rates

__all__ = ["ENERGY", "FirstTerm", "first_term", "potential_term"]

ENERGY = "the energy"

_HIGHEST, _LONGEST = 14, 48
"""Terms up to this order are looked at, and in one coordinate."""

_FAILURES = (NoSeries, ArithmeticError, KeyError, ValueError)


@final
@dataclass(frozen=True, repr=False)
class FirstTerm(AbstractEvidence):
    """A conserved quantity and its first term where its second variation vanishes.

    Attributes
    ----------
    quantity
        Its name.
    order, coefficient
        The term; of order 2 if the second variation is definite.
    natural
        Whether the system is natural, so that a rest is unstable if the energy is not least.
    """

    quantity: str
    order: int
    coefficient: Coefficient
    natural: bool

    @property
    def least(self) -> bool:
        return self.order % 2 == 0 and sign_of(self.coefficient) == 1

    @property
    def verdict(self) -> Verdict:
        """Whether the steady motion is stable."""
        if self.least:
            return Verdict.PROVEN
        return Verdict.REFUTED if self.natural and sign_of(self.coefficient) else Verdict.UNKNOWN

    def check(self) -> Verdict:
        return Verdict.UNKNOWN if self.verdict is Verdict.UNKNOWN else Verdict.PROVEN

    def as_rows(self) -> Iterable[Part]:
        if self.order == 2 and self.least:
            return [f"{self.quantity}, which is conserved, is least"]
        size = float(Fraction(int(self.coefficient.p), int(self.coefficient.q)))
        kind = "least" if self.least else "not least"
        return [
            f"{self.quantity}, which is conserved, is {kind}: {size:.6g} s^{self.order} + ... where its second variation vanishes"
        ]


def first_term(state: ExactState, name: str, law: Expr, carried: Sequence[int]) -> FirstTerm | None:
    """Return the first term of a law that symmetries leave alone, or None if it is not found."""
    model = state.field.model
    if state.field.equations.observables.positions or not state.rational:
        return None
    if any(place >= len(model.coordinates) for place in carried):
        return None
    free = [k for k in range(len(state.x)) if k not in carried]
    try:
        with precision(DIGITS):
            return _found(state, name, law, free)
    except _FAILURES:
        return None


def potential_term(state: ExactState) -> FirstTerm | None:
    """Return the first term of the potential of $\\ddot x = f(x)$ in one coordinate, or None if this is not the system."""
    model = state.field.model
    if len(model.coordinates) != 1 or len(state.x) != 2 or not state.rational or state.symmetries:
        return None
    try:
        with precision(DIGITS):
            if not _is_natural(state, ENERGY, 1, (0, 1), (rational(1), rational(0))):
                return None
            x = [LocalSeries({(): state.x[0], (0,): rational(1)}), LocalSeries({(): state.x[1]})]
            for order in range(1, _LONGEST):
                # Only the first term that is not zero is looked at, so that lower ones need not be kept.
                f = values_and_speed_rates(state.field, x, state.p, LocalArithmetic(order))[1][1]
                a = f.coefficient(*([0] * order))
                if not is_zero(a):
                    exact = isinstance(a, flint.fmpq)
                    return FirstTerm(ENERGY, order + 1, -a / rational(order + 1), natural=True) if exact else None
    except _FAILURES:
        return None
    return None


def _found(state: ExactState, name: str, law: Expr, free: Sequence[int]) -> FirstTerm | None:
    do = LocalArithmetic(2)
    V = values_and_speed_rates(state.field, [do.variable(v, k) for k, v in enumerate(state.x)], state.p, do, (law,))[0][
        0
    ]
    K = [[V.coefficient(i, j) * (2 if i == j else 1) for j in free] for i in free]
    if not free or not is_exact(K) or not all(is_zero(V.coefficient(k)) for k in range(len(state.x))):
        return None
    side = next((s for k in range(len(free)) if (s := sign_of(K[k][k]))), 0)
    K = [[c * rational(side or 0) for c in row] for row in K]
    null = kernel(K, len(free))
    if not null:
        return FirstTerm(name, 2, rational(1), natural=False) if is_positive(K) else None
    if len(null) > 1 or not side:
        return None
    (r,) = null
    if not is_positive([[c + a * b for c, b in zip(row, r, strict=True)] for row, a in zip(K, r, strict=True)]):
        return None
    back = inverse([[*row, b] for row, b in zip([*K, r], [*r, rational(0)], strict=True)])
    curve: list[dict[tuple[int, ...], Coefficient]] = [{(0,): c} for c in r]
    for order in range(2, _HIGHEST):
        slopes = [c * rational(side) for c in _slopes(state, law, free, curve, order)]
        b = sum((u * v for u, v in zip(r, slopes, strict=True)), rational(0)) / rational(order + 1)
        if not isinstance(b, flint.fmpq):
            return None
        if not is_zero(b):
            return FirstTerm(name, order + 1, b, _is_natural(state, name, side, free, r))
        h = times_vector(back, [*(-c for c in slopes), rational(0)])
        for k, c in enumerate(h[:-1]):
            curve[k][(0,) * order] = c
    return None


def _slopes(
    state: ExactState,
    law: Expr,
    free: Sequence[int],
    curve: Sequence[dict[tuple[int, ...], Coefficient]],
    order: int,
) -> list[Coefficient]:
    """Return the terms of an order of the slopes of a law along a curve."""
    do, found = LocalArithmetic(order + 1), []
    x = [LocalSeries({(): v}) for v in state.x]
    for k, parts in zip(free, curve, strict=True):
        x[k] = LocalSeries({(): state.x[k], **parts})
    for k in free:
        moved = list(x)
        moved[k] = do.add([x[k], LocalSeries({(1,): rational(1)})])
        V = values_and_speed_rates(state.field, moved, state.p, do, (law,))[0][0]
        found.append(V.coefficient(*([0] * order), 1))
    return found


def _is_natural(state: ExactState, name: str, side: int, free: Sequence[int], r: Sequence[Coefficient]) -> bool:
    """Whether nothing but a potential acts, at rest, and the flat direction is one of coordinates."""
    model, e = state.field.model, state.field.equations
    n = len(model.coordinates)
    if model.constraints or model.group is not None or len(e.speeds) != n or len(free) != len(state.x):
        return False
    if not all(is_zero(v) for v in state.x[n:]) or not all(is_zero(c) for c in r[n:]):
        return False
    if n > 1 and (any(F != 0 for F in model.forces_a) or name != ENERGY or side != 1):
        return False
    # What is odd in the speeds is gyroscopic or friction.
    do = LocalArithmetic(0)
    for seed in (3, 7):
        q = [LocalSeries({(): v + rational(Fraction(seed + 2 * k, 97 + k))}) for k, v in enumerate(state.x[:n])]
        rates = []
        for s in (1, -1):
            u = [LocalSeries({(): rational(Fraction(s * (5 * seed + k), 31 + k))}) for k in range(n)]
            rates.append(values_and_speed_rates(state.field, [*q, *u], state.p, do)[1][n:])
        if n == 1:  # then nothing depends on the speed
            u = [LocalSeries({(): rational(seed)})]
            rates[1] = values_and_speed_rates(state.field, [*q, *u], state.p, do)[1][n:]
        for a, b in zip(*rates, strict=True):
            gap = a.constant - b.constant
            if not is_zero(gap) and (isinstance(gap, flint.fmpq) or not abs(gap) < flint.arb(10) ** -120):
                return False
    return True
