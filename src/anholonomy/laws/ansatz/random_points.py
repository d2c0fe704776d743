r"""Random points of the constraint submanifold modulo a prime, with the rates of coordinates and speeds.

.. math:: q, u \in \mathbb F_p, \qquad \varphi(q, u) = 0, \qquad I(q, u) = c, \qquad \dot q, \dot u \in \mathbb F_p

Coordinates are random, on a group through its rational parametrisation; speeds are random, and satisfy constraints that are nonlinear
in them, and levels, through roots of quadratic equations. The equations of motion are the steps they are: nothing is written out or inverted
symbolically, so that a bicycle costs no more than its operations, for all points at once.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache, partial
from itertools import combinations
from types import MappingProxyType
from typing import final

import flint
import numpy as np
import symengine

from anholonomy.algebra.arithmetic import evaluate
from anholonomy.algebra.calculus import partial as slope
from anholonomy.algebra.expressions import Expr, Symbol, free_symbols, time, zero
from anholonomy.algebra.residues.arrays import PRIMES, Array, Moving, ResidueArrays, ResidueRates, primes
from anholonomy.algebra.residues.functions import Transcendentals, function_nodes
from anholonomy.algebra.steps.definitions import Assign, Step
from anholonomy.base.deadlines import check
from anholonomy.base.errors import NotSupportedError
from anholonomy.laws.generic_scope import residue_level
from anholonomy.laws.reduced_motion import ReducedMotion
from anholonomy.system.constraints import Constraint, Kind
from anholonomy.system.model import Model
from anholonomy.system.momenta import momenta

__all__ = [
    "AGAIN",
    "SPARE",
    "Points",
    "Values",
    "are_roots_independent",
    "draw_point_where_zero",
    "draw_points",
    "roots_modulo_a_prime",
]

Values = Mapping[Symbol, Expr]
"""Parameters with rational values; others are random."""

AGAIN = 1_000
"""The seed of the points at which evidence is gone through again."""
SPARE = 20
"""Points more than there are unknowns."""
_MANY = 512
"""Points among which one without a root is looked for."""
_ROOTS = (symengine.Rational(1, 2), symengine.Rational(-1, 2))
_SMALL_PRIMES = (1979, 1907, 1847, 1823, 1787, 1619, 1607, 1559, 1523, 1487, 1439, 1427)
"""Of the kind of `primes`; modulo these a function vanishes at one point of some two thousand."""
_TRIES = 4
"""Draws, each of four times as many points, since some have no roots modulo the prime."""


@final
@dataclass(frozen=True)
class Points:
    """Values at some points with the rates of coordinates, speeds and time, and whether every relation of functions was respected.

    ``slopes`` are the derivatives of functions that no arithmetic knows, and ``definitions`` what the velocities need.
    """

    prime: int
    count: int
    given: dict[Expr, Array]
    rates: dict[Symbol, Array]
    slopes: dict[Expr, dict[Symbol, Expr]]
    definitions: tuple[Assign, ...]
    exact: bool

    def at(self, expressions: Iterable[Expr], steps: Sequence[Assign] = ()) -> list[Moving]:
        """Expressions in coordinates, speeds, velocities, time and parameters at every point, with their rates along the motion."""
        return self.along(self.rates, expressions, steps)

    def along(
        self, rates: Mapping[Symbol, Array], expressions: Iterable[Expr], steps: Sequence[Assign] = ()
    ) -> list[Moving]:
        """The same with rates in another direction; what has none there stays."""
        do = ResidueArrays(self.prime, self.count)
        moved, known = ResidueRates(do), self._pairs(do, rates)
        for step in (*self.definitions, *steps):
            known[step.target] = evaluate(step.value, moved, known)
        return [evaluate(e, moved, known) for e in expressions]

    def _pairs(self, do: ResidueArrays, rates: Mapping[Symbol, Array]) -> dict[Expr, Moving]:
        still = do.number(0)
        pairs = {s: (value, rates.get(s, still)) for s, value in self.given.items()}
        for node, each in self.slopes.items():
            memo = dict(self.given)
            terms = [do.multiply([evaluate(e, do, memo), rates[s]]) for s, e in each.items() if s in rates]
            pairs[node] = self.given[node], do.add([still, *terms])
        return pairs

    def where(self, good: Array) -> Points:
        """Some of the points."""
        given = {s: value[good] for s, value in self.given.items()}
        rates = {s: value[good] for s, value in self.rates.items()}
        return replace(self, count=int(good.sum()), given=given, rates=rates)


def draw_points(
    motion: ReducedMotion,
    functions: Sequence[Expr],
    count: int,
    *,
    values: Values | None = None,
    level: Values | None = None,
    each: Iterable[Symbol] = (),
    prime: int | None = None,
    seed: int = 0,
) -> Points:
    """So many random points, at which ``functions`` and their rates will be asked for; modulo the first prime that has them, where none is given.

    A root of a number exists modulo one prime of two. Coordinates in ``level`` have their values there. Parameters have their ``values``, are random at each point where ``each`` names them, and are random constants otherwise.
    """
    for modulus in primes() if prime is None else (prime,):
        drawn = count + 5
        for attempt in range(_TRIES):
            draw = _Draw(
                motion, functions, dict(values or {}), set(each), modulus, drawn, random.Random(seed + attempt)
            )
            draw.level = dict(level or {})
            points = draw.points()
            if points.count >= count:
                return points
            if not points.count and attempt:
                break
            drawn *= 4
    raise NotSupportedError(f"{motion.model.name}: no points of the constraint submanifold were found modulo a prime.")


def draw_point_where_zero(
    motion: ReducedMotion, function: Expr, values: Values, level: Values, seed: int = 0
) -> Points:
    """A random point modulo a small prime where a function vanishes, found among several times as many points as there are residues.

    Where the motion exists there, some slope of a constraint on positions is not zero, and so the point is that of a solution, reduced.
    """
    for attempt, prime in enumerate(_SMALL_PRIMES):
        with suppress(NotSupportedError, ValueError):  # no points, or a number that is divided by the prime
            points = draw_points(
                motion, (function,), prime, values=values, level=level, prime=prime, seed=seed + attempt
            )
            zeros = np.flatnonzero(points.at([function])[0][0] % prime == 0)
            if len(zeros):
                chosen = np.zeros(points.count, dtype=bool)
                chosen[zeros[0]] = True
                return points.where(chosen)
    raise NotSupportedError(f"{motion.model.name}: no point of its level was found modulo a prime.")


@lru_cache(maxsize=64)
def are_roots_independent(motion: ReducedMotion, functions: tuple[Expr, ...] = (), corners: bool = False) -> bool:
    r"""True if no square root is a function of the others but their product, so that one sign of each is as good as the other.

    A point where $a$ has no root and all before have proves that $a$ is no square of what these make: $\sqrt{6 + 2\sqrt5} = 1 + \sqrt5$ has
    none. Absolute values and signs have no other sign at all; ``corners`` allows them. Numbers have factors: 3 has a root modulo all of these primes.
    """
    seen: dict[int, bool] = {}
    numbers = _numbers_under_roots(motion, functions)
    for prime in PRIMES:
        draw = _Draw(motion, functions, dict(motion.model.values), set(), prime, _MANY, random.Random(1))
        draw.level = residue_level(motion.model) or {}
        draw.points()
        if draw.do.has_corners and not corners:
            return False
        apart = _independent_numbers(draw.do, numbers)
        for k, (value, without) in enumerate(draw.do.radicands):
            without = without or any(np.array_equal(value, number) for number in apart)
            before = [other for other, _ in draw.do.radicands[:k]]
            seen[k] = seen.get(k, False) or without or _is_product(value, before, draw.do)
        if all(seen.values()):
            return True
    return False


def _numbers_under_roots(motion: ReducedMotion, functions: Sequence[Expr]) -> list[Fraction]:
    """The rational numbers of which square roots are taken in the equations of motion and in some functions."""
    sources = [e for step in motion.equations.unknown_steps for e in step.sources]
    nodes = {node for e in (*sources, *functions) for node in e.atoms(symengine.Pow)}
    found = {node.args[0] for node in nodes if isinstance(node.args[0], symengine.Rational) and node.args[1] in _ROOTS}
    phases = any(node.atoms(type(symengine.pi)) for node in function_nodes([*sources, *functions]))
    return sorted({Fraction(str(q)) for q in found} | ({Fraction(2), Fraction(3)} if phases else set()))


def _independent_numbers(do: ResidueArrays, numbers: Sequence[Fraction]) -> list[Array]:
    """The residues of numbers that are no square of a rational number times a product of those before."""
    kept, known = list[Array](), list[frozenset[int]]()
    for q in numbers:
        odd = frozenset(
            int(p) for p, power in flint.fmpz(abs(q.numerator) * q.denominator).factor() if power % 2
        ) ^ frozenset([-1] if q < 0 else [])
        for other in known:
            odd = min(odd, odd ^ other, key=lambda primes: sorted(primes, reverse=True))
        if odd:
            known.append(odd)
            kept.append(do.number(q))
    return kept


def roots_modulo_a_prime(motion: ReducedMotion, radicands: Sequence[Expr], count: int) -> Array:
    """A column of ones, and one for each radicand: 0 at random points where it has a square root modulo a prime, and 1 elsewhere.

    Modulo the first prime at which numbers under further roots have roots; without rows where none is met.
    """
    for prime in PRIMES:
        draw = _Draw(motion, (), dict(motion.model.values), set(), prime, count, random.Random(2))
        known, do = draw.anywhere(radicands), ResidueArrays(prime, count)
        values = [evaluate(e, do, dict(known)) for e in radicands]
        if do.good.any():
            break
    rows = [(do.power(value, (prime - 1) // 2) != 1).astype(np.int64) for value in values]
    return np.stack([np.ones(count, dtype=np.int64), *rows], axis=1)[do.good]


def _is_product(value: Array, others: Sequence[Array], do: ResidueArrays) -> bool:
    """True if a value is the product of two or three others at every point: then so are their roots."""
    sets = (each for size in (2, 3) for each in combinations(others, size))
    return any(np.array_equal(do.multiply(list(each)), value) for each in sets)


@lru_cache(maxsize=64)
def _functions_of_momenta(model: Model) -> frozenset[Expr]:
    """Functions in momenta and energy, which no equation needs to have: those of a total derivative, or of time alone."""
    p = momenta(model)
    targets = {step.target for step in p.definitions}
    nodes = function_nodes((*p.momentum_a, *p.energy, *(step.value for step in p.definitions)))
    return frozenset(node for node in nodes if targets.isdisjoint(node.free_symbols))


@final
class _Draw:
    """One draw of points; coordinates in ``level`` are functions of the others."""

    level: Mapping[Symbol, Expr] = MappingProxyType({})

    def __init__(
        self,
        motion: ReducedMotion,
        functions: Sequence[Expr],
        values: dict[Symbol, Expr],
        each: set[Symbol],
        prime: int,
        count: int,
        rng: random.Random,
    ) -> None:
        self.motion, self.functions, self.values, self.each, self.rng = motion, functions, values, each, rng
        self.do = ResidueArrays(prime, count)

    def points(self) -> Points:
        motion, do = self.motion, self.do
        equations, model = motion.equations, motion.model
        chart = self._chart()
        sources = [e for step in equations.unknown_steps for e in step.sources]
        every = [*sources, *equations.coordinate_rates, *self.functions, *chart.values(), *self.level.values()]
        every += [c.expression for c in self._nonlinear] + [value for _, value in motion.levels]
        nodes = function_nodes(every) | _functions_of_momenta(model)
        slopes = {node: {s: slope(node, s) for s in node.free_symbols} for node in nodes}
        nodes |= function_nodes(e for each in slopes.values() for e in each.values())
        moving = {*model.coordinates, *motion.speeds, *free_symbols(chart.values()), time, *self.each}
        targets = {target for step in equations.unknown_steps for target in step.targets}
        known: dict[Expr, Array] = {}
        own = {*moving, *model.parameter_symbols}  # a constant in the energy need not be in the equations
        for s in sorted(free_symbols([*every, *nodes, *self.values]) | own, key=str):
            if s not in targets and s not in chart:
                known[s] = self._symbol(s, moving)
        opaque = Transcendentals(nodes, moving, self.values, known)
        known |= opaque.values(do, self.rng)
        for q, value in chart.items():
            known[q] = evaluate(value, do, dict(known))
        known |= zip(self.level, self._all(self.level.values(), known), strict=True)
        self._onto_nonlinear(known)
        self._onto_levels(known)
        given = dict(known)
        known = self._after(equations.unknown_steps, known)
        rates = dict(zip(model.coordinates, self._all(equations.coordinate_rates, known), strict=True))
        rates |= {u: known[z] for u, z in zip(motion.speeds, equations.rates, strict=True)} | {time: do.number(1)}
        points = Points(do.prime, len(do.good), given, rates, slopes, equations.definitions, opaque.exact)
        memo = dict(given)
        for f in self.functions:
            evaluate(f, do, memo)  # marks where one of them has no value
        return points.where(do.good)

    def anywhere(self, expressions: Sequence[Expr]) -> dict[Expr, Array]:
        """Values of coordinates, parameters and functions, without the motion, that may have none at a point."""
        model, chart = self.motion.model, self._chart()
        nodes = function_nodes([*expressions, *chart.values()])
        moving = {*model.coordinates, *self.motion.speeds, *free_symbols(chart.values()), time}
        own = {*moving, *model.parameter_symbols, *free_symbols([*expressions, *nodes, *self.values])}
        known: dict[Expr, Array] = {s: self._symbol(s, moving) for s in sorted(own - chart.keys(), key=str)}
        known |= Transcendentals(nodes, moving, self.values, known).values(self.do, self.rng)
        return known | {q: evaluate(value, self.do, dict(known)) for q, value in chart.items()}

    def _chart(self) -> dict[Symbol, Expr]:
        on = self.motion.model.frame.orbit
        if on is None or not on.tied:
            return {}
        if on.chart is None:
            raise NotSupportedError(f"{self.motion.model.name}: its group has no rational parametrisation at hand.")
        return dict(on.chart)

    def _symbol(self, s: Symbol, moving: set[Symbol]) -> Array:
        do, rng = self.do, self.rng
        if s in self.values:
            return evaluate(self.values[s], do, {})
        if s not in moving:
            return do.number(rng.randrange(2, do.prime))
        return np.array([rng.randrange(2, do.prime) for _ in do.good], dtype=np.int64)

    def _all(self, expressions: Iterable[Expr], known: Mapping[Expr, Array]) -> list[Array]:
        memo = dict(known)
        return [evaluate(e, self.do, memo) for e in expressions]

    def _after(self, steps: Sequence[Step], known: dict[Expr, Array]) -> dict[Expr, Array]:
        for step in steps:
            check()
            found = self._all(step.sources, known)
            if isinstance(step, Assign):
                known[step.target] = found[0]
                continue
            size = len(step.unknowns)
            matrix = [found[i * size : (i + 1) * size] for i in range(size)]
            known |= dict(zip(step.unknowns, self.do.solve(matrix, found[size * size :]), strict=True))
        return known

    @property
    def _nonlinear(self) -> list[Constraint]:
        model = self.motion.model
        return [] if self.motion.has_frame else [c for c in model.constraints if Kind.ACCELERATION not in c.kind]

    def _onto_nonlinear(self, known: dict[Expr, Array]) -> None:
        """Change one velocity for each constraint so that it holds, where it is at most quadratic in that."""
        chosen: set[Symbol] = set()
        for c in self._nonlinear:
            own = [w for w in self.motion.model.velocities if w in c.expression.free_symbols and w not in chosen]
            found = next(filter(None, (_solved(c.expression, w) for w in own)), None)
            if found is None:
                raise NotSupportedError(
                    f"{self.motion.model.name}: no velocity is found from the constraint {c.label}."
                )
            w, solver = found
            chosen.add(w)
            known[w] = solver(self.do, partial(self._value, known))

    def _onto_levels(self, known: dict[Expr, Array]) -> None:
        """Change one speed for each level; the last was solved for first with the others free."""
        values = dict(self.motion.levels)
        for (u, value), I in zip(self.motion.levels, self.motion.level_functions, strict=True):
            others = {s: e for s, e in values.items() if s != u}
            found = _solved(I.xreplace(others), u)
            known[u] = self._value(known, value) if found is None else found[1](self.do, partial(self._value, known))

    def _value(self, known: Mapping[Expr, Array], expression: Expr) -> Array:
        return self._all([expression], known)[0]


def _solved(phi: Expr, w: Symbol) -> tuple[Symbol, Callable[[ResidueArrays, Callable[[Expr], Array]], Array]] | None:
    r"""A solver for a velocity in $c_2w^2 + c_1w + c_0 = 0$; None if the degree is higher."""
    first = slope(phi, w)
    second = slope(first, w)
    if w in second.free_symbols:
        return None
    c0, c1, c2 = phi.xreplace({w: zero}), first.xreplace({w: zero}), second / 2

    def solve(do: ResidueArrays, at: Callable[[Expr], Array]) -> Array:
        if c2 == 0:
            return do.multiply([-at(c0) % do.prime, do.inverse(at(c1))])
        # Products of residues: those of expressions may be functions that are met nowhere else, such as exp(2*x).
        a, b, c = at(c2), at(c1), at(c0)
        root = do.function("sqrt", [do.add([do.multiply([b, b]), -4 * do.multiply([a, c]) % do.prime])])
        return do.multiply([(root - b) % do.prime, do.inverse(2 * a % do.prime)])

    return w, solve
