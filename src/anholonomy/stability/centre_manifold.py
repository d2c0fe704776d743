r"""One zero eigenvalue and all others decaying: the first term of the motion on the centre manifold.

.. math:: \dot s = a s^k + \dots, \qquad a \ne 0: \quad \text{stable exactly if $k$ is odd and $a < 0$}

The curve $x(s) = x_0 + s r + h(s)$ on which all components of the rates but the one along $r$ vanish is found as a power series over the
rational numbers; as long as that one vanishes too, the curve is the centre manifold to the same order.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import final

import flint

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
from anholonomy.stability.exact_linear import inverse, is_exact, kernel, times_vector, transposed
from anholonomy.stability.exact_state import DIGITS, ExactState, exact_matrix, values_and_speed_rates

__all__ = ["CentreTerm", "centre_term"]

_HIGHEST = 48
"""Terms up to this order are looked at."""


@final
@dataclass(frozen=True, repr=False)
class CentreTerm(AbstractEvidence):
    """The first term of the motion along the direction of the zero eigenvalue: its order and its coefficient."""

    order: int
    coefficient: Coefficient

    @property
    def verdict(self) -> Verdict:
        """Whether the steady motion is stable."""
        s = sign_of(self.coefficient)
        return Verdict.of(None if not s else self.order % 2 == 1 and s < 0)

    def check(self) -> Verdict:
        return Verdict.PROVEN if sign_of(self.coefficient) else Verdict.UNKNOWN

    def as_rows(self) -> Iterable[Part]:
        a = self.coefficient
        size = float(flint.arb(a)) if isinstance(a, flint.fmpq) else float(a.mid())
        return [f"along the centre manifold s' = {size:.6g} s^{self.order} + ..., and all else decays"]


def centre_term(state: ExactState) -> CentreTerm | None:
    """Return the first term; the linear part has one zero eigenvalue, others decay. None if it is not found."""
    try:
        with precision(DIGITS):
            return _term(state)
    except (NoSeries, ArithmeticError, KeyError, ValueError):
        return None


def free_places(state: ExactState) -> list[int] | None:
    """Return the places of the state that symmetries leave alone, if all of these are translations of one coordinate each."""
    moved = set[int]()
    for each in state.symmetries:
        exact = exact_matrix(each)
        if exact is None or any(not is_zero(c) for row in exact[1] for c in row):
            return None
        places = [k for k, c in enumerate(exact[0]) if not is_zero(c)]
        if len(places) != 1:
            return None
        moved |= set(places)
    if state.field.equations.observables.positions or not state.rational:
        return None
    return [k for k in range(len(state.x)) if k not in moved]


def _term(state: ExactState) -> CentreTerm | None:
    free = free_places(state)
    if free is None:
        return None
    do = LocalArithmetic(1)
    x = [do.variable(v, k) for k, v in enumerate(state.x)]
    rates = values_and_speed_rates(state.field, x, state.p, do)[1]
    A = [[rates[i].coefficient(k) for k in free] for i in free]
    if not is_exact(A):
        return None
    right, left = kernel(A, len(free)), kernel(transposed(A), len(free))
    if len(right) != 1 or len(left) != 1:
        return None
    r, l = right[0], left[0]
    weight = sum((a * b for a, b in zip(l, r, strict=True)), rational(0))
    if is_zero(weight):
        return None
    l = [c / weight for c in l]
    back = inverse([[*row, b] for row, b in zip([*A, l], [*r, rational(0)], strict=True)])
    curve: list[dict[tuple[int, ...], Coefficient]] = [{(0,): c} for c in r]
    for order in range(2, _HIGHEST + 1):
        f = along_curve(state, free, curve, order)
        a = sum((u * v for u, v in zip(l, f, strict=True)), rational(0))
        if not is_zero(a):
            return CentreTerm(order, a) if sign_of(a) else None
        h = times_vector(back, [*(-c for c in f), rational(0)])
        for k, c in enumerate(h[:-1]):
            curve[k][(0,) * order] = c
    return None


def along_curve(
    state: ExactState, free: Sequence[int], curve: Sequence[dict[tuple[int, ...], Coefficient]], order: int
) -> list[Coefficient]:
    """Return the terms of an order of the rates along a curve through the state."""
    do = LocalArithmetic(order)
    x = [LocalSeries({(): v}) for v in state.x]
    for k, parts in zip(free, curve, strict=True):
        x[k] = LocalSeries({(): state.x[k], **parts})
    rates = values_and_speed_rates(state.field, x, state.p, do)[1]
    return [rates[k].coefficient(*([0] * order)) for k in free]
