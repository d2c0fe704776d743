r"""Densities on the configurations, not on a cover: what a logarithm gains on a closed way, and whether another density gains nothing.

.. math:: \oint d\ln N = \int_0^{2\pi}\eta(q)\,d\vartheta, \qquad \eta = -f^A\theta_A, \quad \partial_\vartheta = f^AX_A

On a leaf of the fields and their brackets $\ln N$ is unique up to a constant. So where a closed way lies on a leaf and the logarithm gains something on it,
there is no density with one value. On a group of matrices the closed ways are one-parameter subgroups with $e^{TE} = 1$, and $\eta$ is a constant there.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import isqrt, lcm
from typing import Any, NamedTuple, final

import flint
import symengine

from anholonomy.algebra.calculus import along
from anholonomy.algebra.constant_relations import constant_relations
from anholonomy.algebra.expressions import Expr, Symbol, Vector, dot, identity, zero
from anholonomy.algebra.linear_algebra.sampled import certified_rows
from anholonomy.algebra.linear_algebra.symbolic import solve
from anholonomy.algebra.normal_forms.canonical import NoNormalForm
from anholonomy.algebra.numbers.balls import Ball, evaluate_balls, excludes_zero, precision
from anholonomy.algebra.simplification.simplify import readable, simplify
from anholonomy.algebra.zero_test import is_zero, zero_test
from anholonomy.base.deadlines import check
from anholonomy.base.verdict import Verdict
from anholonomy.findings import AbstractEvidence, Finding, Identity, Scope
from anholonomy.findings.special_values import SpecialValues, special_values
from anholonomy.geometry.groups.matrix_group import AbstractMatrixGroup
from anholonomy.language.answers import Part, Row
from anholonomy.laws.divergence import Divergence
from anholonomy.laws.primitives import exponential
from anholonomy.laws.prolongation.bracket_closure import BracketClosure
from anholonomy.system.model import Model

__all__ = ["Gain", "Valued", "single_valued"]

_PIECES, _DIGITS = 400, 30
"""Parts of a turn on each of which a slope is enclosed, and the digits of the balls."""


@final
@dataclass(frozen=True, repr=False)
class Gain(AbstractEvidence):
    """Evidence that the logarithm of every density gains something on a closed way.

    Attributes
    ----------
    way
        The closed way, in words.
    gain
        What the logarithm gains; None where it is known by the integral of a slope alone.
    slope, angle
        The slope along the way and the angle over which it is integrated, where the gain is no expression.
    """

    way: str
    gain: Expr | None
    slope: Expr = field(default=zero)
    angle: Symbol | None = None
    values: tuple[tuple[Symbol, Fraction], ...] = ()

    def check(self) -> Verdict:
        if self.gain is not None:
            return Verdict.of(True if zero_test(self.gain).is_refuted else None)
        return Verdict.of(True if excludes_zero(self.integral()) else None)

    def integral(self) -> Ball:
        """The gain in a ball: slopes in balls around parts of a turn, times these."""
        assert self.angle is not None
        return _integral(self.slope, self.angle, dict(self.values))

    def as_rows(self) -> Iterable[Part]:
        if self.gain is not None:
            yield Row("every density is multiplied by ", simplify(exponential(self.gain)), f" {self.way}")
        else:
            at = ", ".join(f"{s.name} = {value}" for s, value in self.values)
            about = float(self.integral().mid())
            yield f"the logarithm of every density gains about {about:.3g} {self.way}{' where ' + at if at else ''}"


@final
class Valued(NamedTuple):
    """The finding about densities with one value, that about a cover where the first is none, and what is added to the logarithm of a density."""

    answer: Finding
    on_cover: Finding | None = None
    more: Expr = zero


def single_valued(finding: Finding, divergence: Divergence, logarithm: Expr | None) -> Valued:
    """The claim that there is a density with one value at each configuration, by one that is known."""
    motion = divergence.motion
    if not finding.is_proven:
        return Valued(finding)
    if logarithm is not None and logarithm.free_symbols.isdisjoint(motion.model.turning_coordinates):
        return Valued(finding)  # nothing needs the fields, which may be long
    more = zero
    closure = BracketClosure(motion.model.frame, divergence.fields, motion.on)
    for q in motion.model.turning_coordinates:
        check()
        here = None if logarithm is None else logarithm + more
        found = _after_a_turn(motion.model, closure, here, q)
        if found is True:
            continue
        if here is None or (other := _without_gain(divergence, here, q)) is None:
            return _instead(finding, found, q)
        more = more + other
    if logarithm is None and isinstance(motion.model.group, AbstractMatrixGroup):
        return _on_matrices(finding, motion.model, closure, motion.model.group)
    if more != 0:
        slopes = tuple(along(more, each.rates) for each in divergence.fields)
        constant = Identity("X(what makes up for a turn) for every admissible field X", slopes, "", motion.on)
        finding = replace(finding, evidence=(*finding.evidence, constant))
    return Valued(finding, None, more)


def _without_gain(divergence: Divergence, logarithm: Expr, q: Symbol) -> Expr | None:
    """A multiple of a combination of coordinates that constraints keep constant, by which the logarithm gains nothing in a turn; None where none does."""
    motion = divergence.motion
    gain = readable(symengine.expand(logarithm.xreplace({q: q + 2 * symengine.pi}) - logarithm))
    coordinates = motion.coordinates
    if not gain.free_symbols.isdisjoint(coordinates):
        return None
    rates = [[each.rates.get(s, zero) for each in divergence.fields] for s in coordinates]
    try:
        kept = constant_relations(rates, coordinates, None if motion.on is None else motion.on.with_free_parameters)
    except NoNormalForm:
        return None
    others = {s for s in motion.model.turning_coordinates if s != q}
    for row in kept:
        weights = dict(zip(coordinates, row, strict=True))
        if weights[q] != 0 and all(weights[s] == 0 for s in others):
            return readable(-gain / (2 * symengine.pi * weights[q]) * dot(row, coordinates))
    return None


def _instead(finding: Finding, found: Gain | str | bool, q: Symbol) -> Valued:
    on_cover = replace(
        finding, claim=finding.claim.replace("a density of the configuration", f"a density on the cover of {q.name}")
    )
    if isinstance(found, Gain):
        scope = Scope(special=_special(found.gain))
        return Valued(Finding(finding.claim, Verdict.REFUTED, (found,), scope), on_cover)
    return Valued(Finding.unknown(finding.claim, found), on_cover)


def _special(gain: Expr | None) -> SpecialValues | None:
    """The values of free parameters for which nothing is gained."""
    return None if gain is None else special_values([symengine.expand(gain / symengine.pi)], ())


def _after_a_turn(model: Model, closure: BracketClosure, logarithm: Expr | None, q: Symbol) -> Gain | str | bool:
    """What every density gains when an angle has turned once; True if one gains nothing, and a reason where that is open."""
    way = f"when {q.name} has turned once"
    if logarithm is not None:
        if q not in logarithm.free_symbols:
            return True
        square = exponential(2 * logarithm)  # of a density that may have been found with either sign
        turned = {q: q + 2 * symengine.pi}
        if is_zero(square.xreplace(turned) - square, closure.on):
            return True
        gain: Expr | None = readable(symengine.expand(logarithm.xreplace(turned) - logarithm))
        if gain is None or not zero_test(gain, closure.on).is_refuted:
            return f"whether the density has one value {way} is not decided"
        slope = zero
    else:
        known = _slope_along(model, closure, q)
        if known is None:
            return f"whether the density has one value {way} is not decided: its slope there is not known"
        slope, gain = known, None
        if is_zero(slope, closure.on) or _is_odd(slope, q, closure):
            return True
        if q not in slope.free_symbols:
            gain = 2 * symengine.pi * slope
            if not zero_test(gain, closure.on).is_refuted:
                return f"whether the density has one value {way} is not decided"
    if not _is_on_leaf(model, closure, q):
        return f"the density that was found has another value {way}, and others, times what the constraints keep constant, were not looked for"
    if gain is not None:
        return Gain(way, gain)
    rng = random.Random(7)
    given = {s: Fraction(str(value)) for s, value in model.values.items()}
    values = tuple(
        (s, given.get(s, Fraction(rng.randrange(1, 9), 7))) for s in sorted(slope.free_symbols - {q}, key=str)
    )
    try:
        found = Gain(way, None, slope, q, values)
        if found.check().is_proven:
            return found
    except (KeyError, ZeroDivisionError):  # a function without balls
        pass
    return f"whether the density has one value {way} is not decided"


def _direction(model: Model, q: Symbol) -> Vector | None:
    """A coordinate's own direction in the frame; None where coordinates are redundant."""
    frame = model.frame
    if frame.is_chart:
        return identity(frame.size)[frame.coordinates.index(q)]
    if len(frame.coordinates) != frame.size:
        return next(
            (row for row, rates in zip(identity(frame.size), frame.fields, strict=True) if _is_unit(rates, q)), None
        )
    columns = tuple(zip(*frame.anchor_ai, strict=True))
    (found,) = solve(columns, [identity(frame.size)[frame.coordinates.index(q)]])
    return tuple(map(simplify, found))


def _is_unit(rates: Mapping[Symbol, Expr], q: Symbol) -> bool:
    return all(rate == (1 if s == q else 0) for s, rate in rates.items())


def _is_on_leaf(model: Model, closure: BracketClosure, q: Symbol) -> bool:
    """True if fields and brackets reach the direction of an angle."""
    row, basis = _direction(model, q), [each.components for each in closure.basis]
    if len(basis) == model.frame.size and all(each[-1] == 0 for each in basis):
        return True
    if row is None:
        return False
    extended = [*basis, (*row, zero)]
    return all(is_zero(left, closure.on) for left in _left_over(basis, extended[-1]))


def _left_over(basis: list[Vector], row: Vector) -> list[Expr]:
    """What a combination of rows, chosen to agree with one where they can, leaves of it."""
    columns = tuple(zip(*basis, strict=True))
    chosen = certified_rows(columns)
    try:
        (weights,) = solve([columns[k] for k in chosen], [[row[k] for k in chosen]])
    except ZeroDivisionError:
        return [symengine.Integer(1)]
    return [e - dot(column, weights) for e, column in zip(row, columns, strict=True)]


def _slope_along(model: Model, closure: BracketClosure, q: Symbol) -> Expr | None:
    r"""$\partial_q\ln N$ by the values that fields and brackets must have; None where they do not reach it."""
    row, basis = _direction(model, q), closure.basis
    if row is None or not basis:
        return None
    columns = tuple(zip(*(each.components for each in basis), strict=True))
    whole = (*row, zero)
    chosen = certified_rows(columns, on=closure.on)
    (weights,) = solve([columns[k] for k in chosen], [[whole[k] for k in chosen]])
    left = [e - dot(column, weights) for e, column in zip(whole, columns, strict=True)]
    if not all(is_zero(e, closure.on) for e in left):
        return None
    return simplify(dot(weights, [each.value for each in basis]))


def _is_odd(slope: Expr, q: Symbol, closure: BracketClosure) -> bool:
    """True if a reflection of the circle turns the slope round, so that its integral over a turn vanishes."""
    for centre in (0, symengine.pi, symengine.pi / 2, -symengine.pi / 2):
        if is_zero(slope.xreplace({q: centre - q}) + slope, closure.on):
            return True
    return False


def _integral(slope: Expr, q: Symbol, values: dict[Symbol, Fraction]) -> Ball:
    with precision(_DIGITS):
        step = 2 * flint.arb.pi() / _PIECES
        total = flint.arb(0)
        for k in range(_PIECES):
            around = flint.arb((k + Fraction(1, 2)).numerator) / 2 * step
            part = flint.arb(around.mid(), (step / 2 + around.rad()).upper())
            (value,) = evaluate_balls([slope], {**values, q: part}, _DIGITS)
            total += value * step
        return total


def _on_matrices(finding: Finding, model: Model, closure: BracketClosure, group: AbstractMatrixGroup) -> Valued:
    """The same for a density on matrices that is known by constant slopes along the basis of the algebra."""
    slopes = [_slope_in_frame(closure, row) for row in identity(model.frame.size)]
    if all(e is not None and is_zero(e, closure.on) for e in slopes):
        return Valued(finding)
    on_cover = replace(finding, claim=finding.claim.replace("of the configuration", "on a cover of the group"))
    for a, slope in enumerate(slopes[: group.dimension]):
        if slope is None or not slope.free_symbols.isdisjoint(model.coordinates):
            continue
        period = _period(group.basis[a])
        if period is not None and zero_test(slope, closure.on).is_refuted:
            gain = simplify(slope * period)
            way = f"along the closed subgroup of {group.speeds[a].name}"
            return Valued(
                Finding(finding.claim, Verdict.REFUTED, (Gain(way, gain),), Scope(special=_special(gain))),
                on_cover,
            )
    why = f"whether the density has one value at each element of {group.name} is not decided"
    return Valued(Finding.unknown(finding.claim, why), on_cover)


def _slope_in_frame(closure: BracketClosure, row: Vector) -> Expr | None:
    basis = closure.basis
    if len(basis) < len(row):
        return None
    columns = tuple(zip(*(each.components[:-1] for each in basis), strict=True))
    (weights,) = solve(columns, [row])
    return simplify(dot(weights, [each.value for each in basis]))


def _period(matrix: Sequence[Sequence[Any]]) -> Expr | None:
    r"""$T$ with $e^{TE} = 1$; None where eigenvalues are not imaginary with rational ratios, or the matrix is not diagonal in any basis.

    >>> _period([[0, -2], [2, 0]]), _period([[0, 1], [0, 0]])
    (pi, None)
    """
    n = len(matrix)
    E = flint.fmpq_mat(n, n, [flint.fmpq(q) for row in matrix for q in row])
    minimal = E.minpoly()
    squares: list[Fraction] = []
    for factor, power in minimal.factor()[1]:
        c = [Fraction(int(e.p), int(e.q)) for e in factor.coeffs()]
        if power > 1:
            return None
        if len(c) == 2 and c[0] == 0:
            continue
        if len(c) != 3 or c[1] != 0 or c[0] / c[2] <= 0:
            return None
        squares.append(c[0] / c[2])
    if not squares:
        return None
    ratios = [_root(each / squares[0]) for each in squares]
    if None in ratios:
        return None
    turns = lcm(*(each.denominator for each in ratios if each is not None))  # of the first eigenvalue
    whole = symengine.Rational(squares[0].numerator, squares[0].denominator)
    return simplify(2 * symengine.pi * turns / symengine.sqrt(whole))


def _root(value: Fraction) -> Fraction | None:
    p, q = isqrt(value.numerator), isqrt(value.denominator)
    return Fraction(p, q) if p * p == value.numerator and q * q == value.denominator else None
