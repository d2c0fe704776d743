r"""A rest of a system without constraints, by its potential energy and the power of its other forces.

.. math:: E = T + V, \quad \dot E = Q\cdot\dot q: \qquad
          \begin{aligned} V\ \text{strictly least},\ \dot E \le 0 &: \text{stable (Lagrange, Dirichlet; Thomson, Tait, Chetaev)}\\
          V < 0\ \text{near by},\ \dot E < 0\ \text{for}\ \dot q \ne 0 &: \text{unstable (Chetaev, Salvadori)}\\
          \dot E > 0\ \text{for}\ \dot q \ne 0 &: \text{unstable}\end{aligned}

Gyroscopic forces may act in all three. Without them and other forces, a rest in two coordinates is stable exactly if $V$ is strictly least
(Palamodov 1977, Taliaferro 1980, Laloy and Peiffer 1982); in more, it is unstable if the first form of $V$ on the kernel of its second
variation is negative somewhere (Kozlov 1982). In one coordinate the index of the rest decides, whatever forces act: a stable one has the
index 1, and so $V$ is strictly least.

A steady motion in which all coordinates but one are carried along by symmetries is a rest of the amended potential, whose slope is
$-\partial L/\partial q$ where the velocities of the others are those of the same momenta (Routh).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, product
from math import factorial
from typing import final

import flint
import symengine

from anholonomy.algebra.calculus import has_corner, partial
from anholonomy.algebra.expressions import Expr, Symbol, free_symbols
from anholonomy.algebra.numbers.balls import precision
from anholonomy.algebra.numbers.local_series import (
    Coefficient,
    LocalArithmetic,
    LocalSeries,
    NoSeries,
    is_certain,
    is_zero,
    rational,
    sign_of,
)
from anholonomy.algebra.zero_test import zero_test
from anholonomy.base.verdict import Verdict
from anholonomy.findings.evidence import AbstractEvidence
from anholonomy.language.answers import Part
from anholonomy.stability.exact_linear import inverse, is_exact, is_positive, kernel, times_vector
from anholonomy.stability.exact_roots import characteristic
from anholonomy.stability.exact_state import DIGITS, ExactState, exact_matrix, local_values
from anholonomy.stability.local_minimum import Terms, first_form, is_definite_form, is_semidefinite_form, local_sign

__all__ = ["LeastAtRest", "Rest", "amended_evidence", "rest_evidence", "rest_of"]

_DEGREES = (4, 6, 8, 12)
"""Terms up to these degrees are looked at, one after the other."""
_LINE = 48
"""Terms up to this degree are looked at in one coordinate."""
_HIGHEST_POWER = 8
"""The highest degree in the speeds at which the power may begin."""

FAILURES = (NoSeries, ArithmeticError, KeyError, ValueError, RuntimeError, NotImplementedError)


@final
@dataclass(frozen=True)
class Power:
    """The sign of the power of forces that no potential has: 0 if they have none, None if it is not known.

    ``complete`` says that it vanishes at rest only.
    """

    sign: int | None
    complete: bool


@final
@dataclass(frozen=True, repr=False)
class LeastAtRest(AbstractEvidence):
    """The potential energy near a rest, and the power of the other forces.

    Attributes
    ----------
    free
        How many coordinates the symmetries leave alone.
    rows
        The second variation of the potential energy in these.
    terms, degree
        The potential energy on the kernel of the second variation, with all terms up to a degree.
    natural
        Whether nothing but the potential acts: neither gyroscopic forces nor others.
    alone
        Whether there are no other coordinates than the free ones.
    smooth
        Whether the equations have power series there.
    level
        Whether the potential energy is constant on a line through the rest.
    amended
        Whether it is the amended potential of a steady motion.
    closing
        Whether the power is that of forces odd in the velocity, beside the closed motions that the others leave.
    """

    free: int
    rows: tuple[tuple[Coefficient, ...], ...]
    terms: tuple[tuple[tuple[int, ...], Coefficient], ...]
    degree: int
    power: Power
    natural: bool
    alone: bool
    smooth: bool
    level: bool
    amended: bool = False
    closing: bool = False

    @property
    def sign(self) -> int | None:
        """1 if the potential energy is strictly least, -1 if it is less near by."""
        with precision(DIGITS):
            found = _sign_of_rows(self.rows)
            if found:
                return found
            if not self.terms:
                return None
            return local_sign(dict(self.terms), len(self.terms[0][0]), self.degree)

    @property
    def plain(self) -> bool:
        """Whether it is the theorem of Lagrange and Dirichlet with a definite second variation."""
        return self.power.sign == 0 and not self.terms and self.verdict is Verdict.PROVEN

    @property
    def verdict(self) -> Verdict:
        """Whether the rest is stable."""
        sign, power = self.sign, self.power
        if sign == 1 and power.sign in (0, -1):
            return Verdict.PROVEN
        return Verdict.REFUTED if self.smooth and self._leaves(sign) else Verdict.UNKNOWN

    def _leaves(self, sign: int | None) -> bool:
        power, line = self.power, self.free == 1 and self.alone
        if power.sign == 1 and (power.complete or (line and sign == 1)):
            return True
        if sign == -1:
            if line or (power.complete and power.sign == -1):
                return True
            if self.natural and (self.free <= 2 or _sign_of_rows(self.rows) == -1):
                return True
            # Of more coordinates the first form has to tell.
            form = first_form(dict(self.terms))
            return self.natural and bool(form) and local_sign(form, len(next(iter(form))), self.degree) == -1
        return self.level and self.natural and self.free <= 2

    def check(self) -> Verdict:
        return Verdict.UNKNOWN if self.verdict is Verdict.UNKNOWN else Verdict.PROVEN

    def as_rows(self) -> Iterable[Part]:
        sign, power = self.sign, self.power
        name = "the amended potential" if self.amended else "the potential energy"
        kind = {1: "least", -1: "not least"}.get(sign or 0, "constant along a line" if self.level else "not decided")
        forces = {
            0: "the energy is conserved",
            -1: "the energy decreases",
            1: "the energy grows",
            None: "other forces act",
        }[power.sign]
        if self.closing:
            name, kind = "motions without the forces odd in the velocity close, as the potential energy", "least"
            forces = {0: "there are none", -1: "these lead inward", 1: "these lead outward"}[power.sign or 0]
            return [f"{name} is {kind}, and {forces}"]
        return [f"{name} is {kind}, and {forces}{' in every motion' if power.complete and power.sign else ''}"]


def rest_evidence(state: ExactState, smooth: bool = True) -> LeastAtRest | None:
    """Return what the potential energy decides, or None if nothing."""
    try:
        with precision(DIGITS):
            rest = rest_of(state)
            found = rest.evidence(smooth) if rest is not None else None
    except FAILURES:
        return None
    return found if found is not None and found.verdict is not Verdict.UNKNOWN else None


def rest_of(state: ExactState) -> Rest | None:
    """Return the rest of a system without constraints, or None if the state is none."""
    e, model = state.field.equations, state.field.model
    n = len(model.coordinates)
    if model.constraints or model.group is not None or model.momenta_a is not None or model.functions:
        return None
    if e.observables.positions or model.invariants or len(e.speeds) != n or len(e.observables.energy) != 1:
        return None
    if len(state.x) != 2 * n or not all(is_zero(c) for c in (*state.x[n:], *state.pace)):
        return None
    carried = set[int]()
    for each in state.symmetries:
        exact = exact_matrix(each)
        if exact is None:
            return None
        if all(is_zero(c) for c in _field(exact, state.x)):
            continue  # it leaves the rest where it is, as a rotation about it
        if any(not is_zero(c) for row in exact[1] for c in row):
            return None
        places = [k for k, c in enumerate(exact[0]) if not is_zero(c)]
        if len(places) != 1 or places[0] >= n:
            return None
        carried |= set(places)
    exactly = dict(zip(model.parameter_symbols, map(_number, state.p), strict=True))
    pulls = tuple(Q.xreplace(exactly) for Q in model.forces_a)
    still = dict.fromkeys(model.velocities, symengine.Integer(0))
    held = tuple(Q.xreplace(still) for Q in pulls)
    for a, b in combinations(range(n), 2):
        if held[a] == held[b] == 0:
            continue
        q = model.coordinates
        if zero_test(partial(held[a], q[b]) - partial(held[b], q[a])) is not Verdict.PROVEN:
            return None
    power = sum(((Q - F) * w for Q, F, w in zip(pulls, held, model.velocities, strict=True)), symengine.Integer(0))
    free = tuple(k for k in range(n) if k not in carried)
    return Rest(state, free, e.observables.energy[0], held, symengine.expand(power))


def _field(
    symmetry: tuple[Sequence[Coefficient], Sequence[Sequence[Coefficient]]], z: Sequence[Coefficient]
) -> list[Coefficient]:
    shift, matrix = symmetry
    return [a + b for a, b in zip(shift, times_vector(matrix, z), strict=True)]


def _number(c: Coefficient) -> Expr:
    return symengine.Rational(int(c.p), int(c.q))


def amended_evidence(state: ExactState) -> LeastAtRest | None:
    """Return what the amended potential of one coordinate decides, the others being carried along, or None if nothing."""
    try:
        with precision(DIGITS):
            found = _amended(state)
    except FAILURES:
        return None
    return found if found is not None and found.verdict is not Verdict.UNKNOWN else None


def _amended(state: ExactState) -> LeastAtRest | None:
    e, model = state.field.equations, state.field.model
    n, w, L = len(model.coordinates), model.velocities, model.lagrangian
    if model.constraints or model.group is not None or model.momenta_a is not None or model.functions:
        return None
    if e.observables.positions or model.invariants or len(e.speeds) != n or not state.rational or has_corner(L):
        return None
    carried = set[int]()
    for each in state.symmetries:
        exact = exact_matrix(each)
        if exact is not None and all(is_zero(c) for row in exact[1] for c in row):
            places = [k for k, c in enumerate(exact[0]) if not is_zero(c)]
            carried |= set(places) if len(places) == 1 and places[0] < n else set()
    free = [k for k in range(n) if k not in carried]
    if len(free) != 1 or not is_zero(state.x[n + free[0]]):
        return None
    if any(F != 0 for F in model.forces_a) or any(
        zero_test(partial(L, model.coordinates[k])) is not Verdict.PROVEN for k in carried
    ):
        return None
    q, others = model.coordinates[free[0]], sorted(carried)
    exactly = dict(zip(model.parameter_symbols, map(_number, state.p), strict=True)) | {
        w[free[0]]: symengine.Integer(0)
    }
    L = L.xreplace(exactly)
    here = {s: _number(v) for s, v in zip((*model.coordinates, *w), state.x, strict=True)}
    M = [[symengine.expand(partial(partial(L, w[i]), w[j])) for j in others] for i in others]
    if not free_symbols(c for row in M for c in row).isdisjoint(w):
        return None
    still = {w[k]: symengine.Integer(0) for k in others}
    momenta = [partial(L, w[k]) for k in others]
    right = [p.xreplace(here) - p.xreplace(still) for p in momenta]
    found = symengine.DenseMatrix(M).LUsolve(symengine.DenseMatrix([[c] for c in right]))
    slope = -partial(L, q).xreplace({w[k]: found[i, 0] for i, k in enumerate(others)})
    do = LocalArithmetic(2)
    x = [do.variable(v, k - n if k >= n else None) for k, v in enumerate(state.x)]
    T = local_values(state.field, e.observables.energy, _known(state, x), do)[0]
    inertia = [[T.coefficient(i, j) * (2 if i == j else 1) for j in range(n)] for i in range(n)]
    if not is_positive(inertia):
        return None
    if zero_test(slope) is Verdict.PROVEN:
        # Where the potential energy itself is constant, a symmetry of the kinetic energy that was not found may lead along q.
        pull = partial(L.xreplace(dict.fromkeys(w, symengine.Integer(0))), q)
        if zero_test(pull) is not Verdict.REFUTED:
            return None
        return LeastAtRest(1, ((rational(0),),), (), 0, Power(0, True), True, False, True, True, True)
    do = LocalArithmetic(_LINE - 1)
    series = local_values(
        state.field,
        (slope,),
        _known(state, [do.variable(v, 0 if k == free[0] else None) for k, v in enumerate(state.x)]),
        do,
    )[0]
    if not is_zero(series.constant):
        return None
    V = LocalSeries({(*m, 0): c / rational(len(m) + 1) for m, c in series.parts.items()})
    K = 2 * V.coefficient(0, 0)
    return LeastAtRest(
        1, ((K,),), tuple(_by_exponents(V, 1).items()), _LINE, Power(0, True), True, False, True, False, True
    )


def _known(state: ExactState, x: Sequence[LocalSeries]) -> dict[Expr, LocalSeries]:
    field = state.field
    values: dict[Expr, LocalSeries] = dict(zip(field.equations.state, x, strict=True))
    return values | {s: LocalSeries({(): v}) for s, v in zip(field.model.parameter_symbols, state.p, strict=True)}


@final
@dataclass(frozen=True, eq=False)
class Rest:
    """A rest without constraints.

    Attributes
    ----------
    free
        The coordinates that symmetries leave alone.
    energy
        That of the Lagrangian.
    pulls
        The forces at rest, which have a potential of their own.
    power
        That of all other forces.
    """

    state: ExactState
    free: tuple[int, ...]
    energy: Expr
    pulls: tuple[Expr, ...]
    power: Expr

    @property
    def count(self) -> int:
        """The number of coordinates."""
        return len(self.pulls)

    def series(self, q: Sequence[LocalSeries], functions: Sequence[Expr], do: LocalArithmetic) -> list[LocalSeries]:
        """Return functions at rest, from series of the coordinates."""
        return self.near([*q, *(LocalSeries({}) for _ in q)], functions, do)

    def near(self, x: Sequence[LocalSeries], functions: Sequence[Expr], do: LocalArithmetic) -> list[LocalSeries]:
        """Return functions from series of coordinates and velocities."""
        return local_values(self.state.field, functions, _known(self.state, x), do)

    def potential(self, moved: Sequence[LocalSeries], do: LocalArithmetic) -> LocalSeries:
        """Return the potential energy where the coordinates are moved by series without constants."""
        q = [do.add([LocalSeries({(): v}), h]) for v, h in zip(self.state.x, moved, strict=False)]
        lagrangian, *pulls = self.series(q, (self.energy, *self.pulls), do)
        parts = [lagrangian.moved()]
        if any(Q != 0 for Q in self.pulls):
            # -U(1) where U' = Q . h along the rays; for a linear h the degrees tell the integral.
            for Q, h in zip(pulls, moved, strict=True):
                work = do.times(Q, h)
                parts.append(LocalSeries({m: -c / rational(len(m)) for m, c in work.parts.items()}))
        return do.add(parts)

    def evidence(self, smooth: bool) -> LeastAtRest | None:
        """Return what is known of the potential energy and the power."""
        n, state = self.count, self.state
        if not self._has_inertia():
            return None
        do, columns = LocalArithmetic(2), {k: i for i, k in enumerate(self.free)}
        V = self.potential([do.variable(rational(0), columns.get(k)) for k in range(n)], do)
        r = range(len(self.free))
        K = [[V.coefficient(i, j) * (2 if i == j else 1) for j in r] for i in r]
        if any(is_certain(V.coefficient(i)) for i in r):
            return None
        power = self._power()
        alone, natural = len(self.free) == n, power.sign == 0 and self._is_natural()
        rows = tuple(map(tuple, K))
        found = LeastAtRest(len(self.free), rows, (), 0, power, natural, alone, smooth, False)
        if n == 1 and found.sign == 1 and smooth and found.verdict is Verdict.UNKNOWN:
            return self._beside_a_centre(found)
        if found.sign is not None or not smooth or not state.rational or not is_exact(K):
            return found
        for degree in _DEGREES if len(self.free) > 1 else (_LINE,):
            terms = self._reduced(K, degree)
            found = LeastAtRest(
                len(self.free), rows, tuple(terms.items()), degree, power, natural, alone, smooth, False
            )
            if found.verdict is not Verdict.UNKNOWN or found.sign is not None:
                break
        if n == 1 and found.sign == 1 and found.verdict is Verdict.UNKNOWN:
            return self._beside_a_centre(found)
        if found.sign is not None:
            return found
        if natural and len(self.free) == 2 and self._is_level(K):
            return LeastAtRest(len(self.free), rows, (), 0, power, natural, alone, smooth, True)
        return found

    def _beside_a_centre(self, found: LeastAtRest) -> LeastAtRest:
        """Compare with the motions under forces that are even in the velocity: they close, and the other forces lead in or out.

        In the plane of $x$ and $\\dot x$ these closed curves meet each line $x$ = constant at two opposite velocities.
        """
        (w,) = self.state.field.model.velocities
        L = symengine.expand(self.state.field.model.lagrangian)
        if zero_test(partial(partial(partial(L, w), w), w)) is not Verdict.PROVEN or has_corner(self.power):
            return found
        # P = Q w, so that the odd part of Q has the even part of P.
        odd = symengine.expand((self.power + self.power.xreplace({w: -w})) / 2)
        return replace(found, power=replace(self, power=odd)._power(), closing=True)

    def _has_inertia(self) -> bool:
        """Whether the kinetic energy is positive definite."""
        n, do = self.count, LocalArithmetic(2)
        x = [do.variable(v, k - n if k >= n else None) for k, v in enumerate(self.state.x)]
        (T,) = self.near(x, (self.energy,), do)
        M = [[T.coefficient(i, j) * (2 if i == j else 1) for j in range(n)] for i in range(n)]
        return is_positive(M)

    def _reduced(self, K: list[list[Coefficient]], degree: int) -> Terms:
        """Return the potential energy on the kernel of its second variation, the other coordinates where it is critical."""
        r = len(self.free)
        basis = kernel(K, r)
        zeros = len(basis)
        pivots = _complement(basis, r)
        do = LocalArithmetic(degree)
        moved = [LocalSeries({}) for _ in range(self.count)]
        for i, k in enumerate(self.free):
            parts: dict[tuple[int, ...], Coefficient] = {(j,): v[i] for j, v in enumerate(basis)}
            parts |= {(zeros + j,): rational(1) for j, p in enumerate(pivots) if p == i}
            moved[k] = LocalSeries(parts)
        V = self.potential(moved, do)
        if not pivots:
            return _by_exponents(V, zeros)
        back = inverse([[K[i][j] for j in pivots] for i in pivots])
        slopes = [_slope(V, zeros + j) for j in range(len(pivots))]
        y = [LocalSeries({}) for _ in pivots]
        for order in range(2, degree // 2 + 1):
            at = LocalArithmetic(order)
            left = [_composed(g, zeros, y, at) for g in slopes]
            y = [
                at.add([yi, *(at.scaled(g, -c) for g, c in zip(left, row, strict=True))])
                for yi, row in zip(y, back, strict=True)
            ]
        # An error of y of one order is one of twice that order in V, as V is critical there.
        return _by_exponents(_composed(V, zeros, y, do), zeros)

    def _is_level(self, K: list[list[Coefficient]]) -> bool:
        """Whether the potential energy is constant along a coordinate or a direction of the kernel, which no symmetry is known to follow.

        Where the inertia is constant all symmetries are affine and found; elsewhere one that is not may lead along the line.
        """
        r = len(self.free)
        w = self.state.field.model.velocities
        inertia = [partial(partial(self.energy, a), b) for a in w for b in w]
        if not free_symbols(inertia).isdisjoint(self.state.field.model.coordinates):
            return False
        lines = [*kernel(K, r), *([rational(int(i == k)) for i in range(r)] for k in range(r))]
        s = symengine.Symbol("$s")
        model, x = self.state.field.model, self.state.x
        seen = {w: symengine.Integer(0) for w in model.velocities}
        seen |= dict(zip(model.parameter_symbols, map(_number, self.state.p), strict=True))
        for line in lines:
            along = dict.fromkeys(range(self.count), rational(0)) | dict(zip(self.free, line, strict=True))
            at = {q: _number(x[k]) + s * _number(along[k]) for k, q in enumerate(model.coordinates)}
            work = sum((Q.xreplace(at) * _number(along[k]) for k, Q in enumerate(self.pulls)), symengine.Integer(0))
            slope = partial(self.energy.xreplace(seen).xreplace(at), s) - work
            if zero_test(slope) is Verdict.PROVEN:
                return True
        return False

    def _is_natural(self) -> bool:
        """Whether the kinetic energy is a quadratic form and nothing is odd in the velocities, as random points tell exactly."""
        model = self.state.field.model
        n, w = self.count, model.velocities
        if not free_symbols(model.forces_a).isdisjoint(w):
            return False
        L = symengine.expand(model.lagrangian)
        for a, b in combinations_with_replacement(w, 2):
            if not free_symbols((symengine.expand(partial(partial(L, a), b)),)).isdisjoint(w):
                return False
        do = LocalArithmetic(0)
        e = self.state.field.equations
        for seed in (3, 7):
            q = [
                LocalSeries({(): v + rational(Fraction(seed + 2 * k, 97 + k))}) for k, v in enumerate(self.state.x[:n])
            ]
            rates = []
            for side in (1, -1):
                u = [LocalSeries({(): rational(Fraction(side * (5 * seed + k), 31 + k))}) for k in range(n)]
                rates.append(self.near([*q, *u], e.rates, do))
            for a, b in zip(*rates, strict=True):
                gap = a.constant - b.constant
                if not is_zero(gap) and (isinstance(gap, flint.fmpq) or not abs(gap) < flint.arb(10) ** -120):
                    return False
        return True

    # The power of the forces that no potential has.

    def _power(self) -> Power:
        P, w = self.power, self.state.field.model.velocities
        if P == 0 or zero_test(P) is Verdict.PROVEN:
            return Power(0, True)
        signs = {self._sign_of_term(term) for term in (P.args if isinstance(P, symengine.Add) else (P,))}
        if not has_corner(P):
            found = self._lowest_form(P)
            if found is not None:
                return found
            if self.count == 1 and (sign := self._sign_in_plane(P)):
                return Power(sign, True)
            if len(signs) > 1 or None in signs:
                return Power(self._semidefinite(P, w), False)
        return Power(signs.pop() if len(signs) == 1 else None, False)

    def _sign_of_term(self, term: Expr) -> int | None:
        """The sign that a term of a sum has near the rest, where it is not zero."""
        sign = 1
        for factor in term.args if isinstance(term, symengine.Mul) else (term,):
            base, power = factor.args if isinstance(factor, symengine.Pow) else (factor, symengine.Integer(1))
            if isinstance(base, symengine.Abs) and power.is_Number and power > 0:
                continue
            if isinstance(power, symengine.Integer) and int(power) > 0 and int(power) % 2 == 0:
                continue
            x = [LocalSeries({(): v}) for v in self.state.x]
            here = sign_of(self.near(x, (factor,), LocalArithmetic(0))[0].constant)
            if not here:
                return None
            sign *= here
        return sign

    def _lowest_form(self, P: Expr) -> Power | None:
        """The sign by the terms of the lowest degree in the velocities, if these are definite."""
        w, n = self.state.field.model.velocities, self.count
        still = dict.fromkeys(w, symengine.Integer(0))
        layer: dict[tuple[int, ...], Expr] = {(0,) * n: P}
        for degree in range(1, _HIGHEST_POWER + 1):
            layer = {
                _raised(exponents, k): partial(f, w[k])
                for exponents, f in layer.items()
                for k in range(n)
                if k >= max((i for i, e in enumerate(exponents) if e), default=0)
            }
            tests = {e: f.xreplace(still) for e, f in layer.items()}
            if all(zero_test(f) is Verdict.PROVEN for f in tests.values()):
                continue
            if degree % 2:
                return None
            x = [LocalSeries({(): v}) for v in self.state.x]
            values = self.near(x, tuple(tests.values()), LocalArithmetic(0))
            form = {}
            for e, value in zip(tests, values, strict=True):
                size = 1
                for k in e:
                    size *= factorial(k)
                form[e] = value.constant / rational(size)
            for sign in (1, -1):
                if _is_definite({e: c * sign for e, c in form.items()}, n, degree):
                    return Power(sign, True)
            if n == 2 and not free_symbols(tests.values()) and all(isinstance(c, flint.fmpq) for c in form.values()):
                terms = (_number(c) * w[0] ** i * w[1] ** j for (i, j), c in form.items())
                if symengine.expand(P - sum(terms, symengine.Integer(0))) == 0:
                    return next((Power(s, False) for s in (1, -1) if is_semidefinite_form(form, s)), None)
            return None
        return None

    def _sign_in_plane(self, P: Expr) -> int | None:
        """The sign of $P/\\dot x^2$ in one coordinate, if that is definite."""
        if not self.state.rational:
            return None
        do = LocalArithmetic(_DEGREES[-1])
        x = [do.variable(v, k) for k, v in enumerate(self.state.x)]
        (series,) = self.near(x, (P,), do)
        terms = {(m.count(0), m.count(1) - 2): c for m, c in series.parts.items()}
        if not all(isinstance(c, flint.fmpq) for c in terms.values()) or any(j < 0 for _, j in terms):
            return None
        if (0, 0) in terms:
            return sign_of(terms[(0, 0)])
        for sign in (1, -1):
            if local_sign({e: c * sign for e, c in terms.items()}, 2, _DEGREES[-1] - 2) == 1:
                return sign
        return None

    def _semidefinite(self, P: Expr, w: Sequence[Symbol]) -> int | None:
        """The sign of a quadratic form with constant coefficients."""
        D = [[symengine.expand(partial(partial(P, a), b)) for b in w] for a in w]
        if free_symbols(c for row in D for c in row):
            return None
        form = sum((D[i][j] * w[i] * w[j] / 2 for i, j in product(range(len(w)), repeat=2)), symengine.Integer(0))
        if symengine.expand(P - form) != 0:
            return None
        x = [LocalSeries({(): v}) for v in self.state.x]
        flat = self.near(x, tuple(c for row in D for c in row), LocalArithmetic(0))
        values = [each.constant for each in flat]
        if not all(isinstance(c, flint.fmpq) for c in values):
            return None
        for sign in (1, -1):
            rows = [[-values[i * len(w) + j] * sign for j in range(len(w))] for i in range(len(w))]
            if all(c >= 0 for c in characteristic(rows)):
                return sign
        return None


def _raised(exponents: tuple[int, ...], k: int) -> tuple[int, ...]:
    return (*exponents[:k], exponents[k] + 1, *exponents[k + 1 :])


def _is_definite(form: Terms, count: int, degree: int) -> bool:
    """True if a form in the velocities is proven positive definite; its coefficients may be balls of degree two."""
    if degree == 2:
        M = [
            [form[_raised(_raised((0,) * count, i), j)] * (2 if i == j else 1) for j in range(count)]
            for i in range(count)
        ]
        return is_positive(M)
    if count == 1:
        return sign_of(form[(degree,)]) == 1
    if not all(isinstance(c, flint.fmpq) for c in form.values()):
        return False
    return is_definite_form({e: c for e, c in form.items() if c != 0}, count)


def _sign_of_rows(rows: Sequence[Sequence[Coefficient]]) -> int | None:
    """Return 1 if a symmetric matrix is positive definite, -1 if it is negative along a direction, None if neither is seen."""
    if is_positive(rows):
        return 1
    if not is_exact([list(row) for row in rows]):
        left = [list(row) for row in rows]
        for k in range(len(left)):
            sign = sign_of(left[k][k])
            if sign == -1:
                return -1
            if sign != 1:
                return -1 if any(sign_of(row[i]) == -1 for i, row in enumerate(left) if i > k) else None
            for i in range(k + 1, len(left)):
                ratio = left[i][k] / left[k][k]
                left[i] = [a - ratio * b for a, b in zip(left[i], left[k], strict=True)]
        return None
    # det(s + M) has coefficients that are not negative exactly if M has no negative eigenvalue.
    return -1 if any(c < 0 for c in characteristic([[-c for c in row] for row in rows])) else None


def _complement(basis: Sequence[Sequence[Coefficient]], count: int) -> list[int]:
    """Return places whose unit vectors complete a basis; those of the kernel's own free variables are left out."""
    rows: list[list[Coefficient]] = [list(v) for v in basis]
    chosen = list[int]()
    for k in range(count):
        trial = [*rows, [rational(int(i == k)) for i in range(count)]]
        if len(kernel(trial, count)) == count - len(trial):
            rows, chosen = trial, [*chosen, k]
    return chosen


def _slope(V: LocalSeries, place: int) -> LocalSeries:
    parts: dict[tuple[int, ...], Coefficient] = {}
    for m, c in V.parts.items():
        if k := m.count(place):
            left = list(m)
            left.remove(place)
            parts[tuple(left)] = c * k
    return LocalSeries(parts)


def _composed(f: LocalSeries, zeros: int, y: Sequence[LocalSeries], do: LocalArithmetic) -> LocalSeries:
    """Return a series with the variables from ``zeros`` on replaced by series."""
    powers: list[list[LocalSeries]] = [[LocalSeries({(): rational(1)})] for _ in y]
    terms = []
    for m, c in f.parts.items():
        kept = tuple(k for k in m if k < zeros)
        if len(kept) + 2 * (len(m) - len(kept)) > do.degree:  # y begins with quadratic terms
            continue
        term = LocalSeries({kept: c})
        for i in range(len(y)):
            k = m.count(zeros + i)
            while len(powers[i]) <= k:
                powers[i].append(do.times(powers[i][-1], y[i]))
            if k:
                term = do.times(term, powers[i][k])
        terms.append(term)
    return do.add(terms) if terms else LocalSeries({})


def _by_exponents(V: LocalSeries, count: int) -> Terms:
    if not all(isinstance(c, flint.fmpq) for c in V.parts.values()):
        raise NoSeries("coefficients that are not rational")
    return {tuple(m.count(k) for k in range(count)): c for m, c in V.parts.items() if m}
