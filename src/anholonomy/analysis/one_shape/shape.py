r"""Motions that close on one function of the configuration and as many speeds as there are.

.. math:: \dot s = \rho_a(s)\,v^a + \rho_0(s), \qquad \dot v = f(s, v)

Either the equations mention one coordinate alone, or symmetries leave nothing but one shape: fields $\xi$ that preserve the Lagrangian and the admissible
directions, whose orbits have one dimension less than the configurations. Then $s$ and the $v^a$ are what they leave alone, found among products of the
functions that occur, and a curve across the orbits stands for all configurations: so a body of revolution on a plane has its tilt, and a ball in a bowl
its distance from the axis.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import isqrt, pi
from typing import final

import symengine

from anholonomy.analysis.integrals.ansatz import product_of
from anholonomy.analysis.integrals.function_space import FunctionSpace, automatic_functions
from anholonomy.analysis.momentum import lift
from anholonomy.analysis.reduced_motion import ReducedMotion
from anholonomy.formulations.reduction.combinations import constant_combinations
from anholonomy.formulations.reduction.symmetries import candidates
from anholonomy.symbolic.calculus import along
from anholonomy.symbolic.display.simplify import simplify
from anholonomy.symbolic.expressions import Expr, Matrix, Symbol, Vector, dot, identity, symbol, zero
from anholonomy.symbolic.matrices.sampled_rank import certified_rows
from anholonomy.symbolic.numbers.doubles import at_point
from anholonomy.symbolic.orbits.orbit import Block
from anholonomy.symbolic.patience import check
from anholonomy.symbolic.zero import are_all_zero

__all__ = ["Shape", "shape_of"]

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
    """What symmetries leave alone, where their orbits have one dimension less than the configurations."""
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
    found = constant_combinations(rows, frame)
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
        for weights in sorted(constant_combinations(rows, frame), key=lambda each: sum(e != 0 for e in each)):
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
