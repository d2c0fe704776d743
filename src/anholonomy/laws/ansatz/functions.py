r"""The functions of the configuration from which conserved quantities are built, chosen by what occurs in a system.

.. math:: \varphi = q^\alpha\ \cos^k\!\vartheta\,\sin^l\!\vartheta\ e^{m\eta}\ (\det M)^{n/2}\cdots, \qquad |\alpha| + k + l + |m| + |n| \le w

They are coordinates that stand bare or do not occur at all (a translation moves integrals by polynomials), sines and cosines, exponentials, roots and
denominators that occur, the density $\sqrt{\det M}$ of the kinetic energy on the admissible directions, and the named functions of a group.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any, final

import symengine

from anholonomy.algebra.calculus import partial
from anholonomy.algebra.expressions import Expr, Symbol, Vector, free_symbols, nodes_of, time
from anholonomy.algebra.linear_algebra.symbolic import determinant
from anholonomy.algebra.numbers.balls import FEW_DIGITS, evaluate_balls, excludes_zero
from anholonomy.algebra.numbers.random_points import random_point
from anholonomy.algebra.poles import has_poles
from anholonomy.algebra.residues.functions import function_nodes
from anholonomy.algebra.residues.linear_algebra import independent_columns
from anholonomy.algebra.short_forms_on_groups import shortened
from anholonomy.algebra.simplification.simplify import simplify
from anholonomy.algebra.switching import without_squares
from anholonomy.algebra.unknown_functions import unknown_functions
from anholonomy.algebra.zero_test import is_zero
from anholonomy.base.deadlines import check
from anholonomy.base.errors import ArgumentError, UnknownNameError
from anholonomy.geometry.symmetry.basis_functions import arguments
from anholonomy.language.arguments import expect_list, expression
from anholonomy.language.writing import to_text
from anholonomy.laws.ansatz.random_points import roots_modulo_a_prime
from anholonomy.laws.divergence import Divergence
from anholonomy.laws.reduced_motion import ReducedMotion
from anholonomy.system.declaration.unspecified_functions import calls_only
from anholonomy.system.model import Model

__all__ = [
    "FunctionSpace",
    "Generator",
    "automatic_functions",
    "density_factors",
    "given_functions",
    "read_functions",
]

_READABLE = 120
"""Operations up to which a factor of the density is worth a generator."""
_LONG = 1_000
"""Operations of a mass matrix up to which its determinant is factored."""
_POINTS = 24
"""Points at which the sign of a factor is looked at."""
_MANY = 96
"""Points at which it is seen which radicands have roots modulo a prime."""
one, half = symengine.Integer(1), symengine.Rational(1, 2)


@final
@dataclass(frozen=True)
class Generator:
    """A function with the powers that a product may contain of it."""

    value: Expr
    least: int = 0
    most: int = 9


@final
@dataclass(frozen=True)
class FunctionSpace:
    """Products of generators, or exactly the functions that were given."""

    generators: tuple[Generator, ...]
    given: bool = False

    def powers(self, weight: int) -> list[tuple[int, ...]]:
        """The exponents of all products of at most so many factors, simple ones first."""
        if self.given:
            size = len(self.generators)
            return [tuple(int(i == k) for i in range(size)) for k in range(size)]
        found: list[tuple[int, ...]] = [()]
        for each in self.generators:
            check()
            choices = range(max(each.least, -weight), min(each.most, weight) + 1)
            found = [(*some, k) for some, k in product(found, choices) if sum(map(abs, some)) + abs(k) <= weight]
        return sorted(found, key=lambda powers: (sum(map(abs, powers)), sum(k < 0 for k in powers)))

    @property
    def values(self) -> Vector:
        return tuple(each.value for each in self.generators)

    def where(self, values: Mapping[Symbol, Expr]) -> FunctionSpace:
        """The same functions at values of parameters."""
        return replace(
            self, generators=tuple(replace(g, value=g.value.xreplace(dict(values))) for g in self.generators)
        )

    def words(self, weight: int, short: Mapping[Expr, Symbol]) -> str:
        """The class in words, functions on a group by their ``short`` names."""
        texts = [(to_text(short.get(g.value, g.value)), g) for g in self.generators]
        names = ", ".join(f"1/({text})" if g.most == 0 else text + f", 1/{text}" * _divides(g) for text, g in texts)
        if self.given:
            return names or "none"
        if not weight or not names:
            return "constants"
        return f"products of at most {weight} of {names}" if weight > 1 else f"1, {names}"


def _divides(g: Generator) -> bool:
    """True if a coordinate stands below fractions too; of exponentials and roots that is understood."""
    return g.least < 0 and isinstance(g.value, symengine.Symbol)


def given_functions(values: Iterable[Expr]) -> FunctionSpace:
    """The functions of a user, as they are."""
    return FunctionSpace(tuple(Generator(value) for value in values), given=True)


def read_functions(model: Model, functions: Sequence[Any]) -> list[Expr]:
    """The functions of a user, in coordinates, time and parameters, and those that were declared without being specified."""
    known, heads = {*model.coordinates, *model.parameter_symbols, time}, [call.get_name() for call in model.functions]
    found = []
    if not expect_list(functions, "the functions"):
        raise ArgumentError(
            f"{model.name}: the list of functions is empty; give some, such as ['1', 'x'], or leave it out."
        )
    for given in functions:
        read = expression(given, "a function", heads)
        f = model.frame.in_coordinates(calls_only(model.name, "a function", read, model.functions))
        if strange := sorted(s.name for s in f.free_symbols - known):
            raise UnknownNameError(
                f"{model.name}: {strange[0]!r} in the function {given} is no coordinate and no parameter; there are "
                f"{', '.join(s.name for s in (*model.coordinates, *model.parameter_symbols))}."
            )
        found.append(f)
    return found


def automatic_functions(motion: ReducedMotion) -> FunctionSpace:
    """The functions that occur in a system, and those that its symmetries may bring."""
    model = motion.model
    on = model.frame.orbit
    tied = set(on.tied) if on is not None else set()
    moving = [q for q in model.coordinates if q not in tied]
    moving += [time] if motion.mentions_time else []
    sources = [model.lagrangian, *(model.momenta_a or ()), *model.forces_a]
    sources += [c.expression for c in model.constraints]
    sources += [e for row in model.frame.anchor_ai for e in row] if not model.frame.is_chart else []
    found = [*_circular(sources, moving), *_exponential(sources, moving), *_bare(motion, sources, moving)]
    found += [Generator(value) for value in model.named.values() if value.free_symbols & tied]
    if tied and not model.named:
        found += [Generator(q) for q in model.coordinates if q in tied]
    found += _roots([*sources], moving, tied)
    found += _density(motion, moving) + (_density_on_a_group(motion) if tied else [])
    return FunctionSpace(_without_signs(motion, _merged(found)))


def _without_signs(motion: ReducedMotion, generators: tuple[Generator, ...]) -> tuple[Generator, ...]:
    r"""Without roots that others are but for a sign and a number, as $\sqrt{1 - \cos^2}$ is: their quotients have no slope and make copies of every law.

    A radicand that has a root modulo a prime exactly where a product of others has one is that product times a square.
    """
    powers = [g for g in generators if isinstance(g.value, symengine.Pow)]
    roots = [g for g in powers if g.value.args[1] == half]
    if not roots:
        return generators
    table = roots_modulo_a_prime(motion, [g.value.args[0] for g in roots], _MANY)
    if len(table) < _MANY // 4:
        return generators
    kept = {roots[k - 1].value for k in independent_columns(table, 2) if k}
    return tuple(g for g in generators if g.value in kept or g not in roots)


def _merged(found: Iterable[Generator]) -> tuple[Generator, ...]:
    """Each function once, with all powers that it was met with: a coordinate may stand bare here and below a fraction there."""
    merged: dict[Expr, Generator] = {}
    for g in found:
        old = merged.get(g.value, g)
        merged[g.value] = Generator(g.value, min(g.least, old.least), max(g.most, old.most))
    return tuple(merged.values())


def _circular(sources: Sequence[Expr], moving: Sequence[Symbol]) -> list[Generator]:
    circular, _, _ = arguments(sources)
    angles = [a for a in circular if not a.free_symbols.isdisjoint(moving)]
    kept: list[Expr] = []
    for angle in sorted(angles, key=lambda a: (len(a.free_symbols), symengine.count_ops(a), str(a))):
        if not _is_combination(angle, kept):
            kept.append(angle)
    return [Generator(f(a), 0, most) for a in kept for f, most in ((symengine.cos, 9), (symengine.sin, 1))]


def _is_combination(angle: Expr, others: Sequence[Expr]) -> bool:
    """True if an angle is a sum of whole multiples of angles that are symbols."""
    plain = [a for a in others if isinstance(a, symengine.Symbol)]
    rest = symengine.expand(angle - symengine.Add(*(partial(angle, a) * a for a in plain)))
    whole = all(isinstance(partial(angle, a), symengine.Integer) for a in plain)
    return whole and rest == 0


def _exponential(sources: Sequence[Expr], moving: Sequence[Symbol]) -> list[Generator]:
    _, exponents, _ = arguments(sources)
    some = sorted((e for e in exponents if not e.free_symbols.isdisjoint(moving)), key=str)
    return [Generator(symengine.exp(e), -9) for e in some]


def _bare(motion: ReducedMotion, sources: Sequence[Expr], moving: Sequence[Symbol]) -> list[Generator]:
    """Coordinates as such, unless they are angles."""
    model = motion.model
    circular, _, bare = arguments(sources)
    turning = free_symbols(circular)
    closed = {*turning, *model.turning_coordinates}
    return [Generator(q) for q in moving if q in bare or q not in closed]


def _roots(sources: Sequence[Expr], moving: Sequence[Symbol], tied: set[Symbol]) -> list[Generator]:
    found = []
    for node in sorted({n for e in sources for n in nodes_of(e, symengine.Pow)}, key=str):
        base, exponent = node.args
        if base == symengine.E or base.free_symbols.isdisjoint(moving) or base.free_symbols & tied:
            continue
        if isinstance(exponent, symengine.Rational) and not isinstance(exponent, symengine.Integer):
            # The root of a square is a sign times what is squared, and signs seem constant.
            base = without_squares(base)
            if not base.free_symbols.isdisjoint(moving):
                found.append(Generator(symengine.sqrt(base), -9))
        elif isinstance(exponent, symengine.Integer) and int(exponent) < 0:
            found.append(Generator(base, -9, 0 if not isinstance(base, symengine.Symbol) else 9))
    return found


def _density_on_a_group(motion: ReducedMotion) -> list[Generator]:
    r"""$\sqrt f$ for the factors of the numerator of $\det G$: the momentum about an axis of a symmetric body has such a factor, as Routh's integral."""
    if not motion.has_frame or not 2 <= len(motion.speeds) <= 4 or motion.model.momenta_a is not None:
        return []
    volume = Divergence(motion).named_determinant
    if symengine.count_ops(volume) > _READABLE:
        return []
    above, on = volume.as_numer_denom()[0], motion.model.frame.orbit
    parts = above.args if isinstance(above, symengine.Mul) else (above,)
    bases = [f.args[0] if isinstance(f, symengine.Pow) and f.args[0] != symengine.E else f for f in parts]
    factors = [shortened(motion.model.frame.in_coordinates(f), on) for f in bases]
    moving = [f for f in factors if on is not None and not f.free_symbols.isdisjoint(on.tied)]
    moving = [
        f
        for f in moving
        if not all(is_zero(motion.model.frame.derivative(a, f), on) for a in range(motion.model.frame.size))
    ]
    if moving and any(f.is_Number and f.is_negative for f in parts):
        moving[0] = -moving[0]  # the determinant is positive, and so must be what a root is taken of
    return [Generator(symengine.sqrt(f), 0, 1) for f in moving]


def _positive(factor: Expr, volume: Expr) -> Expr:
    """A factor with the sign that it has where the volume is positive: a root of the other would be imaginary there."""
    rng, names = random.Random(5), volume.free_symbols
    for kind in range(0 if unknown_functions(volume) else _POINTS):
        whole, part = evaluate_balls([volume, factor], random_point(names, rng, kind), FEW_DIGITS)
        if bool(whole > 0) and excludes_zero(part):
            return factor if bool(part > 0) else symengine.expand(-factor)
    return factor


def _density(motion: ReducedMotion, moving: Sequence[Symbol]) -> list[Generator]:
    r"""$\sqrt f$ for the factors of $\det M$ that depend on the configuration."""
    volume, bases = density_factors(motion)
    return [
        Generator(symengine.sqrt(_positive(f, volume)), -2, 2)
        for f in bases
        if not f.free_symbols.isdisjoint(moving)
        and not isinstance(f, symengine.Symbol)
        and not function_nodes([f]) & {f}
        and symengine.count_ops(f) <= _READABLE
        and not has_poles(f, moving)
        and not f.free_symbols & set(motion.speeds)
    ]


def density_factors(motion: ReducedMotion) -> tuple[Expr, Vector]:
    r"""$\det M$ and its factors, without their powers; one and none where it is long."""
    entries = [e for row in motion.mass_ab for e in row] if motion.has_frame and len(motion.speeds) <= 4 else []
    if not entries or symengine.count_ops(*entries) > _LONG:
        return one, ()
    volume = simplify(determinant(motion.mass_ab)) if motion.speeds else one
    factors = volume.args if isinstance(volume, symengine.Mul) else (volume,)
    bases = [f.args[0] if isinstance(f, symengine.Pow) and f.args[0] != symengine.E else f for f in factors]
    return volume, tuple(shortened(f, motion.model.frame.orbit) for f in bases)
