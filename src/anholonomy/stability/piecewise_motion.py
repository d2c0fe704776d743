r"""Steady motions where the equations kink: theorems about motions that are smooth on each of several cones.

.. math:: \dot x = A_i x + O(|x|^2) \ \text{where the signs of } \ell_1(x), \dots, \ell_m(x) \ \text{are } \sigma_i

Growth: an eigenvector of one $A_i$ with a positive eigenvalue lies strictly inside the cone of $A_i$; then a motion leaves along it.
Decay: a continuous function $x^{\mathsf T}P_\sigma x$ that decreases on every piece; with a sign zero, on the plane where it is.

.. math:: P_\sigma = P + \sum_{\sigma_i = -1} c_i\,\ell_i^{\mathsf T}\ell_i > 0, \qquad A_\sigma^{\mathsf T}P_\sigma + P_\sigma A_\sigma < 0
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import final

import flint
import numpy as np

from anholonomy.algebra.numbers.balls import precision
from anholonomy.algebra.numbers.local_series import (
    Coefficient,
    Direction,
    LocalArithmetic,
    LocalSeries,
    NoSeries,
    SwitchHere,
    ball_of,
    is_certain,
    rational,
    sign_of,
)
from anholonomy.base.verdict import Verdict
from anholonomy.findings.evidence import AbstractEvidence
from anholonomy.language.answers import Part
from anholonomy.stability.exact_linear import (
    exact_linear,
    inverse,
    is_exact,
    is_positive,
    kernel,
    times_vector,
    transposed,
)
from anholonomy.stability.exact_roots import characteristic, complex_roots, product
from anholonomy.stability.exact_state import DIGITS, ExactState, local_values
from anholonomy.stability.linear_part import LinearPart

__all__ = ["GrowingPiece", "OneForm", "piecewise_evidence"]

_MOST = 4
"""Switches at one state of which all signs are tried."""
_FINE = 10**6
"""Denominators of the entries of a quadratic form."""

Rows = list[list[Coefficient]]


@final
@dataclass(frozen=True, repr=False)
class GrowingPiece(AbstractEvidence):
    """A piece of the motion, its linear part and the direction in which it grows.

    Attributes
    ----------
    rows
        The linear part of the piece.
    inside
        Linear forms that are positive on the piece.
    names
        The coordinates and velocities of the rows.
    """

    rows: tuple[tuple[Coefficient, ...], ...]
    inside: tuple[tuple[Coefficient, ...], ...]
    names: tuple[str, ...]

    def check(self) -> Verdict:
        with precision(DIGITS):
            return Verdict.of(True if growing_direction(self.rows, self.inside) is not None else None)

    def as_rows(self) -> Iterable[Part]:
        with precision(DIGITS):
            found = growing_direction(self.rows, self.inside)
        if found is None:
            return ["no direction of a piece grows"]
        rate, vector = found
        largest = max(abs(v) for v in vector)
        where = ", ".join(f"{n}: {v / largest:.6g}" for n, v in zip(self.names, vector, strict=True) if abs(v) > 1e-12)
        return [f"on one side of a kink the eigenvalue {rate:.6g} has a direction inside that side ({where})"]


@final
@dataclass(frozen=True, repr=False)
class OneForm(AbstractEvidence):
    """A function, quadratic on each piece, that decreases on all of them.

    Attributes
    ----------
    form
        The rows of the quadratic form where all signs are positive.
    terms
        For each switch its linear form, and how many of its squares are added where it is negative.
    pieces
        The linear part of each piece with the signs of the switches; None for a switch that does not matter there.
    """

    form: tuple[tuple[Coefficient, ...], ...]
    terms: tuple[tuple[Coefficient, tuple[Coefficient, ...]], ...]
    pieces: tuple[tuple[tuple[tuple[Coefficient, ...], ...], tuple[int | None, ...]], ...]

    def check(self) -> Verdict:
        with precision(DIGITS):
            return Verdict.of(True if all(self._decreases(A, signs) for A, signs in self.pieces) else None)

    def _decreases(self, A: Sequence[Sequence[Coefficient]], signs: Sequence[int | None]) -> bool:
        """Whether it is positive and decreases on a piece, whatever the signs that do not matter there."""
        if None in signs:
            k = list(signs).index(None)
            return all(self._decreases(A, [*signs[:k], s, *signs[k + 1 :]]) for s in (1, -1))
        P = [list(row) for row in self.form]
        for s, (c, form) in zip(signs, self.terms, strict=True):
            if s == -1:
                P = [[a + c * u * v for a, v in zip(row, form, strict=True)] for row, u in zip(P, form, strict=True)]
        plane = kernel([list(form) for s, (_, form) in zip(signs, self.terms, strict=True) if s == 0], len(P))
        return is_positive(P) and decreases(P, [list(row) for row in A], plane)

    def as_rows(self) -> Iterable[Part]:
        kind = "one quadratic form" if not any(c for c, _ in self.terms) else "one function, quadratic on each side,"
        return [f"{kind} decreases on all sides of the kinks there ({len(self.pieces)} pieces)"]


def piecewise_evidence(
    state: ExactState, part: LinearPart, names: Sequence[str]
) -> tuple[Verdict, AbstractEvidence] | None:
    """Return what is proven of a steady motion at kinks, or None."""
    try:
        with precision(DIGITS):
            return _decided(state, part, tuple(names))
    except (NoSeries, ArithmeticError, KeyError, ValueError, np.linalg.LinAlgError):
        return None


def _decided(state: ExactState, part: LinearPart, names: tuple[str, ...]) -> tuple[Verdict, AbstractEvidence] | None:
    if part.carried or state.field.equations.observables.positions:
        return None
    pieces = list(_pieces(state, part, {}))
    if not pieces or not all(is_exact(A) for _, A in pieces):
        return None
    to_x = inverse(_of_z(state, part))
    switches = list(dict.fromkeys(direction for signs, _ in pieces for direction in signs))
    forms = [_form(direction, to_x) for direction in switches]
    whole = []
    for signs, A in pieces:
        if all(signs.values()):
            inside = [[rational(s) * c for c in forms[switches.index(each)]] for each, s in signs.items()]
            if growing_direction(A, inside) is not None:
                return Verdict.REFUTED, GrowingPiece(_tuples(A), _tuples(inside), names)
            whole.append((_doubles(A), [signs.get(each) for each in switches]))
    found = _common_form(whole, _doubles(forms))
    if found is None:
        return None
    form = OneForm(
        _tuples(found[0]),
        tuple((c, tuple(each)) for c, each in zip(found[1], forms, strict=True)),
        tuple((_tuples(A), tuple(signs.get(each) for each in switches)) for signs, A in pieces),
    )
    return (Verdict.PROVEN, form) if form.check() else None


def _doubles(M: Rows) -> np.ndarray:
    return np.array([[float(ball_of(c)) for c in row] for row in M])


def _tuples(M: Sequence[Sequence[Coefficient]]) -> tuple[tuple[Coefficient, ...], ...]:
    return tuple(map(tuple, M))


def _pieces(
    state: ExactState, part: LinearPart, signs: Mapping[Direction, int]
) -> Iterable[tuple[dict[Direction, int], Rows]]:
    try:
        yield dict(signs), exact_linear(state, part, signs).A
    except SwitchHere as switch:
        if switch.direction is None or len(signs) == _MOST:
            raise NoSeries(switch.name) from None
        for s in (1, -1, 0):
            yield from _pieces(state, part, {**signs, switch.direction: s})


def _of_z(state: ExactState, part: LinearPart) -> Rows:
    """Return the slopes of the independent coordinates and velocities along the state's."""
    do, e = LocalArithmetic(1), state.field.equations
    values = {s: do.variable(v, k) for k, (s, v) in enumerate(zip(e.state, state.x, strict=True))}
    values |= {s: LocalSeries({(): v}) for s, v in zip(state.field.model.parameter_symbols, state.p, strict=True)}
    z = (*state.field.model.coordinates, *state.field.model.velocities)
    series = local_values(state.field, [z[k] for k in part.places], values, do)
    return [[each.coefficient(k) for k in range(len(state.x))] for each in series]


def _form(direction: Direction, to_x: Rows) -> list[Coefficient]:
    """Return a linear form of the state as one of the independent coordinates."""
    row = [rational(0)] * len(to_x)
    for k, text in direction:
        row[k] = rational(Fraction(text))
    return product([row], to_x)[0]


def growing_direction(
    A: Sequence[Sequence[Coefficient]], inside: Sequence[Sequence[Coefficient]]
) -> tuple[float, list[float]] | None:
    """Return a positive eigenvalue with an eigenvector strictly inside a cone, or None if none is proven to be.

    The eigenvalue is the only one with its real part, and has one eigenvector: motions then leave along this.
    """
    n = len(A)
    polynomial = characteristic([list(row) for row in A])
    roots = complex_roots(flint.fmpq_poly(polynomial))
    for k, (root, _) in enumerate(roots):
        if root.imag != 0 or sign_of(root.real) != 1:
            continue
        if any(j != k and (other.real - root.real).contains(0) for j, (other, _) in enumerate(roots)):
            continue
        value = root.real
        # The columns of the adjoint matrix of the eigenvalue are eigenvectors, and it vanishes if these are several.
        M: Rows = [[rational(int(i == j)) for j in range(n)] for i in range(n)]
        adjoint: Rows = [[flint.arb(0)] * n for _ in range(n)]
        for power in range(n - 1, -1, -1):
            adjoint = [
                [a + ball_of(m) * value**power for a, m in zip(p, q, strict=True)]
                for p, q in zip(adjoint, M, strict=True)
            ]
            M = product([list(row) for row in A], M)
            for i in range(n):
                M[i][i] = M[i][i] + polynomial[power]
        columns = [v for v in transposed(adjoint) if any(is_certain(c) for c in v)]
        if not columns:
            continue
        v = max(columns, key=lambda column: max(float(abs(c).lower()) for c in column))
        along = [sign_of(c) for c in times_vector([list(row) for row in inside], v)]
        if all(s == 1 for s in along) or all(s == -1 for s in along):
            return float(value), [float(c) * (along[0] or 1) for c in v]
    return None


def decreases(P: Rows, A: Rows, plane: Rows) -> bool:
    """True if the quadratic form decreases along the linear motion on a plane."""
    if not plane:
        return True
    PA = product(P, A)
    rate = [[-(a + b) for a, b in zip(p, q, strict=True)] for p, q in zip(PA, transposed(PA), strict=True)]
    return is_positive(product(product(plane, rate), transposed(plane)))


def _common_form(
    pieces: Sequence[tuple[np.ndarray, Sequence[int | None]]], forms: np.ndarray
) -> tuple[Rows, list[Coefficient]] | None:
    """Return a form and multiples of squares that may decrease on all pieces, looked for in doubles."""
    from scipy.linalg import solve_continuous_lyapunov
    from scipy.optimize import minimize

    if not pieces or any((np.linalg.eigvals(A).real >= 0).any() for A, _ in pieces):
        return None
    n, lower = pieces[0][0].shape[0], np.tril_indices(pieces[0][0].shape[0])
    squares = np.einsum("ki,kj->kij", forms, forms)

    def form(c: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        L = np.zeros((n, n))
        L[lower] = c[: lower[0].size]
        P, more = L @ L.T, c[lower[0].size :]
        size = max(float(np.trace(P)), 1e-300)
        return P / size, more / size

    def worst(c: np.ndarray) -> float:
        P, more = form(c)
        found = []
        for A, signs in pieces:
            Q = P + sum((m * square for m, square, s in zip(more, squares, signs, strict=True) if s == -1), 0 * P)
            found += [float(np.linalg.eigvalsh(Q @ A + A.T @ Q)[-1]), -float(np.linalg.eigvalsh(Q)[0])]
        return max(found)

    starts = [solve_continuous_lyapunov(A.T, -np.eye(n)) for A, _ in pieces]
    starts.append(sum(starts) / len(starts))
    best: tuple[float, tuple[np.ndarray, np.ndarray]] | None = None
    for start in starts:
        c = np.linalg.cholesky((start + start.T) / 2 + 1e-12 * np.eye(n))[lower]
        found = minimize(worst, np.append(c, np.zeros(len(forms))), method="Nelder-Mead", options={"maxiter": 600 * n})
        if best is None or found.fun < best[0]:
            best = float(found.fun), form(found.x)
        if best[0] < 0:
            break
    if best is None or best[0] >= 0:
        return None
    P, more = best[1]
    fine = [
        [rational(Fraction(round(float(P[max(i, j), min(i, j)]) * _FINE), _FINE)) for j in range(n)] for i in range(n)
    ]
    return fine, [rational(Fraction(round(float(c) * _FINE), _FINE)) for c in more]
