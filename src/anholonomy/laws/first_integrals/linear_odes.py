r"""Route: conserved quantities linear in the speeds whose coefficients solve linear differential equations in one coordinate, as for a rolling disc.

A motion may close on one function $s$ of the configuration and as many speeds as there are,

.. math:: \dot s = \rho_a(s)\,v^a + \rho_0(s), \qquad \dot v = f(s, v) .

Either the equations mention one coordinate alone, or symmetries leave nothing but one shape: fields $\xi$ that preserve the Lagrangian and the admissible
directions, whose orbits have one dimension less than the configurations. Then $s$ and the $v^a$ are what they leave alone, found among products of the
functions that occur, and a curve across the orbits stands for all configurations: so a body of revolution on a plane has its tilt, and a ball in a bowl
its distance from the axis. The conditions on coefficients are linear and ordinary then,

.. math::
   F = c_0(s) + c_a(s)\,v^a, \qquad \dot F = 0 \;\Longleftrightarrow\; A(s)\,c' + B(s)\,c = 0
   \;\Longleftrightarrow\; c = K(s)\,z,\quad z' = N(s)\,z .

Rows of $A$ that vanish tie the coefficients, $c = Kz$, and are differentiated until none is left; then every start $z(s_0)$ gives an integral, whether or not
its coefficients are known functions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import combinations_with_replacement, count
from math import isqrt, pi
from typing import final

import numpy as np
import symengine

from anholonomy.algebra.calculus import along, gradient, partial
from anholonomy.algebra.constant_relations import constant_factor
from anholonomy.algebra.expressions import (
    Expr,
    Matrix,
    Symbol,
    Vector,
    dot,
    identity,
    matrix_product,
    symbol,
    time,
    zero,
)
from anholonomy.algebra.linear_algebra.sampled import certified_rows
from anholonomy.algebra.linear_algebra.symbolic import nullspace, row_echelon, solve
from anholonomy.algebra.normal_forms.canonical import NoNormalForm
from anholonomy.algebra.numbers.doubles import at_point
from anholonomy.algebra.numeric_relations import constant_combinations
from anholonomy.algebra.redundant_coordinates import Block
from anholonomy.algebra.simplification.simplify import READABLE, simplify
from anholonomy.algebra.zero_test import are_all_zero
from anholonomy.base.deadlines import check
from anholonomy.base.errors import StateError
from anholonomy.base.tolerances import NOTHING
from anholonomy.equations.reduction.symmetries import candidates
from anholonomy.findings import Finding, Quantity, vanishing
from anholonomy.geometry.potentials import by_table
from anholonomy.language.writing import brief
from anholonomy.laws.ansatz.candidates import product_of
from anholonomy.laws.ansatz.functions import FunctionSpace, automatic_functions
from anholonomy.laws.group_functions import in_names
from anholonomy.laws.known_laws import KnownLaws
from anholonomy.laws.law import Law
from anholonomy.laws.momentum import lift
from anholonomy.laws.ode_solutions import SolvedCoefficients
from anholonomy.laws.prolongation.series_at_point import is_quadratic
from anholonomy.laws.proofs import constant, on_submanifold
from anholonomy.laws.reduced_motion import ReducedMotion, reduced_motion
from anholonomy.system.solved_constraints import positions_of
from anholonomy.system.warnings import angles_of, spoken

__all__ = ["Shape", "SolvedLaws", "coefficients_by_equations", "in_closed_form", "shape_of"]

one = symengine.Integer(1)
_LONG = 4_000
"""Operations of all rates up to which they are written out to see what they mention."""
_WEIGHT = 2
"""Factors of functions that occur, in what symmetries leave alone."""
_MANY = 400
"""Products up to which these are looked for."""
_PLACES = 40
"""Places of a curve at which something must have one sign to stand without its absolute value."""
_ANGLES = ("tilt", "angle", "s")
"""Names for the angle along a circle of a group: the first that is free."""
_ORIGINS = tuple(symengine.Rational(*each) for each in ((0, 1), (1, 1), (1, 2), (2, 1), (-1, 1), (-1, 2), (-2, 1)))
"""Places where coefficients may have their first values: the first at which their equations are regular is taken."""


def coefficients_by_equations(known: KnownLaws) -> None:
    """Add the laws whose coefficients solve differential equations, beside those that were found; none on a level of constraints on positions."""
    if known.degree and known.given is None and not positions_of(known.motion.model):
        known.solved = _solved_laws(known.motion)


def _solved_laws(motion: ReducedMotion) -> SolvedLaws:
    """The integrals linear in the speeds whose coefficients are functions of the one shape on which the motion closes, all of them.

    For all values of the parameters where that leaves as many as the declared ones do. None where functions are not specified: the coefficients
    would have no numbers.
    """
    motion = replace(motion, has_clock=False)
    asked = motion.speeds and not motion.mentions_time and not motion.model.functions and is_quadratic(motion)
    if not asked or (shape := shape_of(motion)) is None:
        return SolvedLaws(motion)
    there, free = (coefficient_equations(motion, shape, values) for values in (motion.model.values, {}))
    for found in (free, there):
        if there is not None and found is not None and len(found.N) == len(there.N):
            origin = _origin(motion, found)
            if origin is not None:
                return _laws(motion, found, origin)
    return SolvedLaws(motion)


@final
@dataclass(frozen=True)
class SolvedLaws:
    """Laws whose coefficients solve the same equations from independent starts; functions on a cover where a turn changes them."""

    motion: ReducedMotion
    curve: Mapping[Symbol, Expr] = field(default_factory=dict)
    laws: tuple[Law, ...] = ()
    on_cover: bool = False

    def independent_of(self, known: Sequence[Expr]) -> list[Law]:
        """Those that are functionally independent of known functions and of each other, proven where their coefficients start."""
        if not self.laws:
            return []
        try:
            rows = [self._differential(F, self.laws[0]) for F in known]
            rows += [self._differential(law.expression, law) for law in self.laws]
        except RuntimeError:  # a function without a value where the coefficients start
            return []
        chosen = certified_rows(rows)
        return [self.laws[k - len(known)] for k in chosen if k >= len(known)]

    def _differential(self, F: Expr, law: Law) -> Vector:
        """The differential where the coefficients start, along the directions of the frame and of the speeds."""
        motion, own = self.motion, law.coefficients
        assert own is not None
        letters = {c: symbol(f"_{n}") for n, c in enumerate(own.functions)}
        plain = on_submanifold(motion, F.xreplace(letters))
        slopes = [
            partial(plain, letters[c]) * dot(row, own.values) for c, row in zip(own.functions, own.rates, strict=True)
        ]
        own_slope = symengine.Add(*slopes)
        directions = (*motion.model.frame.fields, {time: symengine.Integer(1)})
        found = [along(plain, each) + own_slope * along(own.place, each) for each in directions]
        first = {letters[c]: value for c, value in zip(own.functions, own.values, strict=True)}
        begin = {own.s: own.origin} | dict(motion.model.values)
        there = {q: e.xreplace(begin) for q, e in self.curve.items()} | begin | first
        return tuple(e.xreplace(there) for e in (*found, *gradient(plain, motion.speeds)))


def _origin(motion: ReducedMotion, found: CoefficientEquations) -> Expr | None:
    """A place where the equations are regular, for the declared parameters and some values of free ones."""
    entries = [e.xreplace(dict(motion.model.values)) for row in (*found.N, *found.K) for e in row]
    free = sorted({s for e in entries for s in e.free_symbols} - {found.shape.s}, key=str)
    rng = np.random.default_rng(5)
    some = {s: float(value) for s, value in zip(free, rng.uniform(0.5, 2, len(free)), strict=True)}
    for place in _ORIGINS:
        if np.isfinite(at_point(entries, some | {found.shape.s: float(place)})).all():
            return place
    return None


def _laws(motion: ReducedMotion, found: CoefficientEquations, origin: Expr) -> SolvedLaws:
    model, shape, k = motion.model, found.shape, len(found.N)
    taken = {*model.names, *(s.name for s in motion.speeds)}
    letters = (name for n in count(1) if (name := f"c{n}") not in taken)
    c = tuple(symengine.Function(next(letters))(shape.s) for _ in range(k))
    speeds = motion.speeds_of_velocities
    whole = tuple(simplify(dot(column, found.columns).xreplace(speeds)) for column in zip(*found.K, strict=True))
    names = {value: name for name, value in model.named.items()}
    place = shape.value.xreplace({shape.seen: names.get(shape.seen, shape.seen)})
    F, named = dot(c, whole), dot(c, [in_names(e, model.frame) for e in whole])
    starts = [tuple(symengine.Integer(int(i == j)) for i in range(k)) for j in range(k)]
    solved = [SolvedCoefficients(shape.s, shape.value, place, c, found.N, origin, start) for start in starts]
    on_cover = _changes_in_a_turn(motion, solved)
    proof = _proof(motion, found, f"{brief(named)} is constant", on_cover)
    kind = "gauge momentum" if len(found.columns) == len(motion.speeds) else "linear"
    laws = tuple(Law(model, kind, 1, F, proof, named, coefficients=each) for each in solved) if proof else ()
    return SolvedLaws(motion, shape.curve, laws, on_cover)


def _proof(motion: ReducedMotion, found: CoefficientEquations, claim: str, on_cover: bool) -> Finding:
    parts = [Quantity("dF/dt", e, r"\dot F") for e in found.misfits()]
    proof = vanishing(claim, "dF/dt with these derivatives of the coefficients", parts, motion.on)
    where = "as far as the equations of its coefficients are regular"
    where += f", {_beyond_a_turn(found.shape.s)}" if on_cover else ""
    return replace(proof, scope=replace(proof.scope, points=where))


def in_closed_form(law: Law) -> Law:
    """The law with its coefficients written out where their equations are solved one after the other by a table of integrals; otherwise itself."""
    own = law.coefficients
    if own is None or (found := _solved_in_turn(own)) is None:
        return law
    moving = (*law.model.coordinates, *law.model.velocities)
    F = law.expression.xreplace(found)
    if symengine.count_ops(F) > READABLE:
        return law
    with suppress(NoNormalForm):
        F = F / constant_factor([F], moving)
    motion, F = reduced_motion(law.model), simplify(F)
    proof = constant(motion, F, (), motion.on)
    points = ", ".join(
        filter(
            None,
            (
                proof.scope.points,
                _beyond_a_turn(own.s) if law.finding.scope.points.endswith(_beyond_a_turn(own.s)) else "",
            ),
        )
    )
    proof = replace(proof, scope=replace(proof.scope, points=points))
    return (
        replace(law, expression=F, named=in_names(F, law.model.frame), finding=proof, coefficients=None)
        if proof
        else law
    )


def _solved_in_turn(own: SolvedCoefficients) -> dict[Expr, Expr] | None:
    r"""The functions with their values at the origin, $c_i = e^{a}\bigl(c_i(s_0) + \int e^{-a}\sum_jN_{ij}c_j\,\mathrm{d}s\bigr)$, $a = \int N_{ii}\,\mathrm{d}s$, in an order in which each has its $c_j$."""
    s, found, left = own.s, dict[int, Expr](), set(range(len(own.functions)))

    def integral(f: Expr) -> Expr | None:
        F = by_table(f, s)
        return None if F is None else F - F.xreplace({s: own.origin})

    while left:
        k = next((k for k in left if all(j == k or j in found or e == 0 for j, e in enumerate(own.rates[k]))), None)
        if k is None:
            return None
        a = integral(own.rates[k][k])
        if a is None:
            return None
        pushed = integral(
            symengine.exp(-a)
            * dot(
                [e for j, e in enumerate(own.rates[k]) if j in found],
                [found[j] for j, _ in enumerate(own.rates[k]) if j in found],
            )
        )
        if pushed is None:
            return None
        found[k] = symengine.exp(a) * (own.values[k] + pushed)
        left.remove(k)
    own_place = {s: own.place}
    return {c: found[k].xreplace(own_place) for k, c in enumerate(own.functions)}


def _beyond_a_turn(s: Symbol) -> str:
    return f"with {s.name} counted beyond a full turn"


def _changes_in_a_turn(motion: ReducedMotion, solved: Sequence[SolvedCoefficients]) -> bool:
    """True if the variable is an angle, and some coefficients have other values after a full turn; free parameters at some values."""
    model, rng, s = motion.model, np.random.default_rng(5), solved[0].s
    turned = {s: s + 2 * symengine.pi}
    if s not in {*angles_of(model), *model.turning_coordinates} or any(e.xreplace(turned) != e for e in spoken(model)):
        return False
    some = zip(model.parameters.items(), rng.uniform(0.5, 2, len(model.parameters)), strict=True)
    numbers = {name: float(free if value is None else value) for (name, value), free in some}
    try:
        after = [each.at([float(each.origin) + 2 * pi], numbers, model.name)[:, 0] for each in solved]
    except StateError:  # no full turn is possible
        return False
    return bool(np.abs(np.array(after) - np.eye(len(solved))).max() > NOTHING)


@final
@dataclass(frozen=True)
class CoefficientEquations:
    r"""$A(s)c' + B(s)c = 0$, a row for each power of the speeds, and what is left of it: $c = Kz$, $z' = Nz$.

    ``columns`` are what the coefficients multiply: the speeds of the shape, after 1 where the motion has a drift.
    """

    shape: Shape
    columns: Vector
    slopes: Matrix
    values: Matrix
    K: Matrix
    N: Matrix

    def misfits(self) -> Vector:
        """The entries of $A(KN + K') + BK$; zero if every solution is an integral."""
        slope = _added(matrix_product(self.K, self.N), _derivative(self.K, self.shape.s))
        rest = _added(matrix_product(self.slopes, slope), matrix_product(self.values, self.K))
        return tuple(e for row in rest for e in row)


def coefficient_equations(
    motion: ReducedMotion, shape: Shape, values: Mapping[Symbol, Expr]
) -> CoefficientEquations | None:
    """The equations for parameters with some values; None where no coefficients are left, or all are free."""
    columns, slopes, rows = _written(motion, shape, dict(values))
    try:
        left = _completed(slopes, rows, shape.s)
    except NoNormalForm:
        return None
    return None if left is None else CoefficientEquations(shape, columns, slopes, rows, *left)


def _written(motion: ReducedMotion, shape: Shape, values: dict[Symbol, Expr]) -> tuple[Vector, Matrix, Matrix]:
    r"""The factors of the coefficients, $A$ and $B$: the powers of the speeds in $c_0'\dot s + c_a'\dot sv^a + c_a\dot v^a$, on the curve."""
    u, still = motion.speeds, dict.fromkeys(motion.speeds, zero)
    there = {**shape.curve, **values}
    mass = [[e.xreplace(there) for e in row] for row in motion.mass_ab]
    (pushed,) = solve(mass, [[e.xreplace(there) for e in motion.force_a]])
    moving = {q: e.xreplace(values) for q, e in motion.coordinate_rates.items()}

    def rate(F: Expr) -> Expr:
        own = along(F, moving).xreplace(shape.curve)
        return own + dot([e.xreplace(shape.curve) for e in gradient(F, u)], pushed)

    clock, turned = rate(shape.seen) / partial(shape.as_seen, shape.s), [rate(v) for v in shape.speeds]
    drift = [clock, *(slope for e in turned for slope in gradient(e, u))]
    constant: Vector = (one,) if any(shape.on_curve(e.xreplace(still)) != 0 for e in drift) else ()
    moved = [clock * e.xreplace(shape.curve) for e in (*constant, *shape.speeds)]
    turned = [*(zero for _ in constant), *turned]
    powers = [(), *((a,) for a in u), *combinations_with_replacement(u, 2)]
    both = [[[_part(shape, e, power, still) for e in each] for each in (moved, turned)] for power in powers]
    return (*constant, *shape.speeds), tuple(tuple(a) for a, _ in both), tuple(tuple(b) for _, b in both)


def _part(shape: Shape, e: Expr, power: tuple[Symbol, ...], still: dict[Symbol, Expr]) -> Expr:
    """The coefficient of a power of the speeds, up to a factor."""
    check()
    for u in power:
        e = partial(e, u)
    return shape.on_curve(e.xreplace(still))


def _completed(slopes: Matrix, values: Matrix, s: Symbol) -> tuple[Matrix, Matrix] | None:
    """$K$ and $N$; None where nothing is left, or functions are left free."""
    K = identity(len(slopes[0]))
    while True:
        check()
        width = len(K[0])
        reduced, pivots = row_echelon([(*a, *b) for a, b in zip(slopes, values, strict=True)])
        rows = reduced[: len(pivots)]
        tied = [row[width:] for row, pivot in zip(rows, pivots, strict=True) if pivot >= width]
        if not tied:
            break
        basis = nullspace(tied)
        if not basis:
            return None
        C = tuple(zip(*basis, strict=True))
        own = [row for row, pivot in zip(rows, pivots, strict=True) if pivot < width]
        A, B = tuple(row[:width] for row in own), tuple(row[width:] for row in own)
        slopes, values = matrix_product(A, C), _added(matrix_product(A, _derivative(C, s)), matrix_product(B, C))
        K = matrix_product(K, C)
        if not slopes:
            return None
    if pivots != tuple(range(width)):
        return None
    N = tuple(tuple(simplify(-e / row[k]) for e in row[width:]) for k, row in enumerate(rows))
    return tuple(tuple(map(simplify, row)) for row in K), N


def _added(A: Matrix, B: Matrix) -> Matrix:
    return tuple(tuple(map(symengine.Add, a, b)) for a, b in zip(A, B, strict=True))


def _derivative(A: Matrix, s: Symbol) -> Matrix:
    return tuple(tuple(partial(e, s) for e in row) for row in A)


@final
@dataclass(frozen=True)
class Shape:
    r"""A function $s$ of the configuration with speeds $v$ on which a motion closes.

    Attributes
    ----------
    s, value
        The variable, and the function of the configuration that it is.
    speeds
        The $v^a$, in configuration and speeds of the motion.
    seen, as_seen
        A function of the configuration that symmetries leave alone, and what it is in $s$.
    curve
        Coordinates by $s$, along a curve across the configurations that differ by symmetries; none where the equations mention $s$ alone.
    """

    s: Symbol
    value: Expr
    speeds: Vector
    seen: Expr
    as_seen: Expr
    curve: Mapping[Symbol, Expr] = field(default_factory=dict)

    def on_curve(self, e: Expr) -> Expr:
        """A function on the curve; what has one sign all along it stands without its absolute value."""
        found = simplify(e.xreplace(dict(self.curve)))
        signs = {node: node.args[0] * sign for node in found.atoms(symengine.Abs) if (sign := self._sign(node.args[0]))}
        return simplify(found.xreplace(signs)) if signs and self.curve else found

    def _sign(self, e: Expr) -> int:
        """The sign that a function of the angle alone has on the whole circle; 0 where it has both, or the curve is none."""
        if e.free_symbols != {self.s} or self.as_seen == self.s:
            return 0
        begin, end = (0.0, pi) if self.as_seen == symengine.cos(self.s) else (-pi / 2, pi / 2)
        places = (begin + (end - begin) * (k + 0.5) / _PLACES for k in range(_PLACES))
        values = [value for place in places for value in at_point([e], {self.s: place})]
        return 1 if all(v > 0 for v in values) else -1 if all(v < 0 for v in values) else 0


def shape_of(motion: ReducedMotion) -> Shape | None:
    """The one function on which the motion closes; None where none is found."""
    return _mentioned(motion) or _by_symmetries(motion)


def _mentioned(motion: ReducedMotion) -> Shape | None:
    """The one coordinate that the equations mention, or one of its own where they mention none."""
    orbit = motion.model.frame.orbit
    if orbit is not None and orbit.tied:
        return None
    rates = [motion.rates[u] for u in motion.speeds]
    if symengine.count_ops(*rates) > _LONG:
        return None
    mentioned = {q for e in map(simplify, rates) for q in motion.coordinates if q in e.free_symbols}
    every, moving = set(motion.coordinates), motion.coordinate_rates
    alone = [
        q for q in motion.coordinates if mentioned <= {q} and moving[q] != 0 and moving[q].free_symbols & every <= {q}
    ]
    # The one on which most of the others depend: of a sleigh with a wheel its heading, not the turn of the wheel.
    s = max(alone, key=lambda q: sum(q in e.free_symbols for e in moving.values()), default=None)
    return None if s is None else Shape(s, s, motion.speeds, s, s)


def _by_symmetries(motion: ReducedMotion) -> Shape | None:
    """The function and the speeds that symmetries leave alone, if their orbits have one dimension less than the configurations."""
    model, frame = motion.model, motion.model.frame
    if any(e != 0 for e in (*model.forces_a, *model.offset_n, *frame.drift_i)):
        return None
    fields = _symmetries(motion)
    if len(certified_rows(fields, on=frame.orbit)) != frame.size - 1:
        return None
    rates = [frame.direction(row) for row in fields]
    space = automatic_functions(motion)
    kept = [v for v in dict.fromkeys((*motion.coordinates, *space.values)) if _is_kept(v, rates, motion)]
    moved = FunctionSpace(tuple(g for g in space.generators if g.value not in kept))
    for value in kept:
        for s, curve in _curves(motion):
            there = simplify(value.xreplace(curve))
            inverse = _inverse(value, s, there)
            if inverse is not None:
                speeds = _kept_speeds(motion, fields, rates, moved)
                return None if speeds is None else Shape(s, inverse, speeds, value, there, curve)
    return None


def _inverse(value: Expr, s: Symbol, there: Expr) -> Expr | None:
    """The variable as a function of the configuration, from the value that it gives a function on the curve."""
    if there == s:
        return value
    return {
        symengine.cos(s): symengine.acos(value),
        symengine.sin(s): symengine.asin(value),
        -symengine.sin(s): -symengine.asin(value),
    }.get(there)


def _symmetries(motion: ReducedMotion) -> Matrix:
    r"""Fields that preserve the Lagrangian and the admissible directions, $\hat\xi(L) = 0$ and $[\xi, X_a] \in D$, among invariant ones, shifts and turns."""
    model, frame = motion.model, motion.model.frame
    fields = list(dict.fromkeys((*candidates(frame), *identity(frame.size))))
    rows = []
    for row in fields:
        check()
        outside = [dot(c.coefficients, each) for each in motion.brackets_with(row) for c in model.constraints]
        rows.append([lift(model, row), *outside])
    found = constant_combinations(rows, frame.orbit)
    return tuple(tuple(dot(weights, column) for column in zip(*fields, strict=True)) for weights in found)


def _is_kept(f: Expr, rates: Sequence[Mapping[Symbol, Expr]], motion: ReducedMotion) -> bool:
    return are_all_zero((along(f, rate) for rate in rates), motion.model.frame.orbit)


def _kept_speeds(
    motion: ReducedMotion, fields: Matrix, rates: Sequence[Mapping[Symbol, Expr]], space: FunctionSpace
) -> Vector | None:
    r"""As many independent combinations $f_au^a$ that symmetries leave alone, $\xi(f_b) = f_a\,[\xi, X_b]^a$, as there are speeds."""
    u, frame, found = motion.speeds, motion.model.frame, list[Vector]()
    brackets = [[_components(motion, each) for each in motion.brackets_with(row)] for row in fields]
    pairs = [(rate, b, C[b]) for rate, C in zip(rates, brackets, strict=True) for b in range(len(u))]
    for weight in range(_WEIGHT + 1):
        powers = [each for each in space.powers(weight) if sum(map(abs, each)) == weight]
        columns = [(a, one * product_of(space.values, each)) for each in powers for a in range(len(u))]
        if len(columns) > _MANY:
            return None
        rows = []
        for a, f in columns:
            check()
            rows.append([(along(f, rate) if a == b else zero) - f * C[a] for rate, b, C in pairs])
        for weights in sorted(constant_combinations(rows, frame.orbit), key=lambda each: sum(e != 0 for e in each)):
            form = [zero] * len(u)
            for (a, f), c in zip(columns, weights, strict=True):
                form[a] = form[a] + c * f
            if len(certified_rows([*found, form], on=frame.orbit)) > len(found):
                found.append(tuple(form))
        if len(found) == len(u):
            return tuple(dot(form, u) for form in found)
    return None


def _components(motion: ReducedMotion, direction: Vector) -> Vector:
    """An admissible field by its components along the speeds."""
    w = dict(zip(motion.model.velocities, direction, strict=True))
    return tuple(value.xreplace(w) for value in motion.speeds_of_velocities.values())


def _curves(motion: ReducedMotion) -> Iterator[tuple[Symbol, dict[Symbol, Expr]]]:
    """Curves along one coordinate or one circle of a group; the other coordinates stay at the origin."""
    model, orbit = motion.model, motion.model.frame.orbit
    blocks = orbit.blocks if orbit is not None else ()
    origin = dict.fromkeys(model.coordinates, zero)
    for block in blocks:
        origin |= zip(block.coordinates, block.origin, strict=True)
    for q in model.coordinates:
        if orbit is None or q not in orbit.tied:
            yield q, origin | {q: q}
    s = next(symbol(name) for name in _ANGLES if name not in model.names)
    for block in blocks:
        for circle in _circles(block, s):
            yield s, origin | circle


def _circles(block: Block, s: Symbol) -> Iterator[dict[Symbol, Expr]]:
    r"""$e^{sA} = 1 + \tfrac{\sin ks}{k}A + \tfrac{1 - \cos ks}{k^2}A^2$ at the origin, where $A^3 = -k^2A$."""
    start = [*map(Fraction, map(str, block.origin)), Fraction(1)]
    for A in block.generators or ():
        first = _times(A, start)
        second = _times(A, first)
        third = _times(A, second)
        squares = {-c / a for a, c in zip(first, third, strict=True) if a}
        k2 = next(iter(squares), Fraction(0))
        k = Fraction(isqrt(abs(k2.numerator)), isqrt(k2.denominator))
        if len(squares) != 1 or k2 <= 0 or k * k != k2 or any(c != -k2 * a for a, c in zip(first, third, strict=True)):
            continue
        turn = symengine.Rational(k.numerator, k.denominator) * s
        weights = (one, symengine.sin(turn) / _exact(k), (1 - symengine.cos(turn)) / _exact(k2))
        parts = zip(start, first, second, strict=True)
        values = [dot(weights, tuple(map(_exact, each))) for each in parts]
        yield dict(zip(block.coordinates, values, strict=False))


def _times(A: Sequence[Sequence[Fraction]], x: Sequence[Fraction]) -> list[Fraction]:
    """The rate of $(x, 1)$, whose last entry stays."""
    return [*(sum((a * b for a, b in zip(row, x, strict=True)), Fraction(0)) for row in A), Fraction(0)]


def _exact(value: Fraction) -> Expr:
    return symengine.Rational(value.numerator, value.denominator)
