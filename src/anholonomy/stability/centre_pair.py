r"""One pair of imaginary eigenvalues and all others decaying: Lyapunov's coefficients of the motion on the centre manifold.

.. math:: F = x^2 + \omega^2 y^2 + F_3 + \dots, \qquad \dot F = \ell_k\,(x^2 + \omega^2 y^2)^{k+1} + \dots, \qquad
          \ell_k \ne 0: \quad \text{stable exactly if } \ell_k < 0

The manifold and the function are found order by order over the rational numbers; the first coefficient that is not zero decides (Lyapunov 1892).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias, final

import flint

from anholonomy.algebra.numbers.balls import precision
from anholonomy.algebra.numbers.local_series import Coefficient, LocalArithmetic, LocalSeries, rational, sign_of
from anholonomy.base.verdict import Verdict
from anholonomy.findings.evidence import AbstractEvidence
from anholonomy.language.answers import Part
from anholonomy.stability.centre_manifold import free_places
from anholonomy.stability.exact_linear import inverse, is_exact, kernel, times_vector, transposed
from anholonomy.stability.exact_roots import characteristic, product
from anholonomy.stability.exact_state import DIGITS, ExactState, values_and_speed_rates
from anholonomy.stability.rest_energy import FAILURES

__all__ = ["LyapunovCoefficient", "lyapunov_coefficient"]

_ORDERS = (3, 5, 7, 9)
"""Terms of the rates up to these orders are looked at, one after the other."""

Plane: TypeAlias = list[Coefficient]
"""The coefficients of a form of two variables, from $x^k$ to $y^k$."""


@final
@dataclass(frozen=True, repr=False)
class LyapunovCoefficient(AbstractEvidence):
    """The first coefficient that is not zero, and its number."""

    number: int
    coefficient: Coefficient

    @property
    def verdict(self) -> Verdict:
        """Whether the steady motion is stable."""
        sign = sign_of(self.coefficient)
        return Verdict.of(None if not sign else sign == -1)

    def check(self) -> Verdict:
        return Verdict.PROVEN if sign_of(self.coefficient) else Verdict.UNKNOWN

    def as_rows(self) -> Iterable[Part]:
        a = self.coefficient
        ordinal = {1: "first", 2: "second", 3: "third"}.get(self.number, f"{self.number}th")
        return [
            f"one pair of eigenvalues is imaginary, and the {ordinal} coefficient of Lyapunov is {float(Fraction(int(a.p), int(a.q))):.6g}"
        ]


def lyapunov_coefficient(state: ExactState) -> LyapunovCoefficient | None:
    """Return the first coefficient; one pair of eigenvalues is imaginary, others decay. None if it is not found."""
    try:
        with precision(DIGITS):
            return _first(state)
    except FAILURES:
        return None


def _first(state: ExactState) -> LyapunovCoefficient | None:
    free = free_places(state)
    if free is None:
        return None
    do = LocalArithmetic(1)
    rates = values_and_speed_rates(state.field, [do.variable(v, k) for k, v in enumerate(state.x)], state.p, do)[1]
    A = [[rates[i].coefficient(k) for k in free] for i in free]
    if not is_exact(A):
        return None
    square = _square_of_frequency(A)
    if square is None:
        return None
    n = len(A)
    N = product(A, A)
    N = [[c + (square if i == j else rational(0)) for j, c in enumerate(row)] for i, row in enumerate(N)]
    plane = kernel(N, n)
    if len(plane) != 2:
        return None
    first = plane[0]
    rest = transposed(_columns(N))  # N sends all onto what decays
    P = transposed([first, times_vector(A, first), *rest])
    back = inverse(P)
    B = product(product(back, A), P)
    for order in _ORDERS:
        field = _on_manifold(state, free, P, back, B, order)
        found = _coefficient(field, square, order)
        if found is not None:
            return found
    return None


def _square_of_frequency(A: Sequence[Sequence[Coefficient]]) -> Coefficient | None:
    """Return the square of the only frequency of eigenvalues on the imaginary axis."""
    polynomial = characteristic(A)
    even = flint.fmpq_poly([c * (-1) ** (k // 2) if k % 2 == 0 else 0 for k, c in enumerate(polynomial)])
    odd = flint.fmpq_poly([c * (-1) ** (k // 2) if k % 2 else 0 for k, c in enumerate(polynomial)])
    common = even.gcd(odd)
    if common.degree() != 2 or common[1] != 0 or not common[0] / common[2] < 0:
        return None
    return -flint.fmpq(common[0] / common[2])


def _columns(N: Sequence[Sequence[Coefficient]]) -> list[list[Coefficient]]:
    """Return independent columns of a matrix, as a matrix."""
    chosen: list[list[Coefficient]] = []
    for column in transposed([list(row) for row in N]):
        trial = [*chosen, column]
        if len(kernel(transposed(trial), len(trial))) == 0:
            chosen = trial
    return transposed(chosen) if chosen else [[] for _ in N]


def _on_manifold(
    state: ExactState,
    free: Sequence[int],
    P: Sequence[Sequence[Coefficient]],
    back: Sequence[Sequence[Coefficient]],
    B: Sequence[Sequence[Coefficient]],
    order: int,
) -> list[dict[int, Plane]]:
    """Return the rates in the plane by their orders, on the centre manifold."""
    n = len(free)
    h: list[dict[int, Plane]] = [{} for _ in range(n - 2)]

    def rates(upto: int) -> list[LocalSeries]:
        do = LocalArithmetic(upto)
        parts: list[LocalSeries] = [LocalSeries({(0,): rational(1)}), LocalSeries({(1,): rational(1)})]
        for each in h:
            terms = dict[tuple[int, ...], Coefficient]()
            for k, form in each.items():
                terms |= {(0,) * (k - j) + (1,) * j: c for j, c in enumerate(form)}
            parts.append(LocalSeries(terms))
        x = [LocalSeries({(): v}) for v in state.x]
        for row, place in zip(P, free, strict=True):
            moved = [do.scaled(part, c) for part, c in zip(parts, row, strict=True)]
            x[place] = do.add([x[place], *moved])
        f = values_and_speed_rates(state.field, x, state.p, do)[1]
        return [do.add([do.scaled(f[place], c) for place, c in zip(free, row, strict=True)]) for row in back]

    for k in range(2, order) if n > 2 else ():
        g = rates(k)
        centre = [_forms(each, k) for each in g[:2]]
        known = []
        for i, each in enumerate(h):
            right = _form(g[2 + i], k)
            for j, form in each.items():  # the slopes of the manifold so far times the terms of the plane
                right = [a - b for a, b in zip(right, _carried(form, centre, j, k), strict=True)]
            known.append(right)
        for i, form in enumerate(_solved_forms(B, known, k)):
            h[i][k] = form
    g = rates(order)
    return [_forms(each, order) for each in g[:2]]


def _form(series: LocalSeries, k: int) -> Plane:
    return [series.coefficient(*((0,) * (k - j) + (1,) * j)) for j in range(k + 1)]


def _forms(series: LocalSeries, upto: int) -> dict[int, Plane]:
    return {k: _form(series, k) for k in range(1, upto + 1)}


def _carried(form: Plane, centre: Sequence[dict[int, Plane]], j: int, k: int) -> Plane:
    """Return the terms of order ``k`` of the rate of a form of order ``j``, where the plane's terms of order $k + 1 - j$ act."""
    out = [rational(0)] * (k + 1)
    order = k + 1 - j
    if order < 1:
        return out
    for m, c in enumerate(form):  # c x^(j - m) y^m
        for slope, place, rate in ((j - m, m, centre[0][order]), (m, m - 1, centre[1][order])):
            if slope:
                for s, r in enumerate(rate):
                    out[place + s] += c * slope * r
    return out


def _solved_forms(B: Sequence[Sequence[Coefficient]], known: Sequence[Plane], k: int) -> list[Plane]:
    r"""Solve $Dh\cdot A_c x - B h = r$ for forms of order ``k``."""
    m = len(known)
    width = k + 1
    square = -B[0][1]
    rows = [[flint.fmpq(0)] * (m * width) for _ in range(m * width)]
    for i in range(m):
        for j in range(width):
            # x' = -w^2 y, y' = x: the rate of x^(k - j) y^j
            if k - j:
                rows[i * width + j + 1][i * width + j] += -square * (k - j)
            if j:
                rows[i * width + j - 1][i * width + j] += flint.fmpq(j)
            for s in range(m):
                rows[i * width + j][s * width + j] -= B[2 + i][2 + s]
    flat = [[c] for form in known for c in form]
    solution = flint.fmpq_mat(rows).solve(flint.fmpq_mat(flat))
    return [[flint.fmpq(solution[i * width + j, 0]) for j in range(width)] for i in range(m)]


def _coefficient(field: Sequence[dict[int, Plane]], square: Coefficient, order: int) -> LyapunovCoefficient | None:
    """Return the first coefficient of a plane field that is not zero, up to its order."""
    F: dict[int, Plane] = {2: [rational(1), rational(0), square]}
    for k in range(3, order + 2):
        known = [rational(0)] * (k + 1)
        for j, form in F.items():
            known = [a + b for a, b in zip(known, _carried(form, field, j, k), strict=True)]
        rows: list[list[Any]] = [[flint.fmpq(0)] * (k + 3) for _ in range(k + 1)]
        for j in range(k + 1):
            if k - j:
                rows[j + 1][j] += -square * (k - j)
            if j:
                rows[j - 1][j] += flint.fmpq(j)
        if k % 2 == 0:
            power = flint.fmpq_poly([1, 0, square]) ** (k // 2)
            for j in range(k + 1):
                rows[j][k + 1] = -flint.fmpq(power[j])
        for j in range(k + 1):
            rows[j][k + 2] = -known[j]
        reduced, rank = flint.fmpq_mat(rows).rref()
        values = [flint.fmpq(0)] * (k + 2)
        for i in range(rank):
            pivot = next(c for c in range(k + 3) if reduced[i, c] != 0)
            if pivot == k + 2:
                return None
            values[pivot] = flint.fmpq(reduced[i, k + 2])
        F[k] = values[: k + 1]
        if k % 2 == 0 and values[k + 1] != 0:
            return LyapunovCoefficient(k // 2 - 1, values[k + 1])
    return None
