r"""Route: conserved quantities that exist for special values of parameters only, and the proof that no other value is special.

.. math:: R(\pi)\,c = 0, \qquad \operatorname{rank}R(\pi_*) < \operatorname{rank}R

The values are zeros of irreducible polynomials that all maximal minors share (`anholonomy.laws.ansatz.rank_drops`). Each is solved for a parameter, put into the
system, and this is searched anew: what is found there and does not follow from what holds in general is proven like any law.

That no other value of one parameter is special is proven by two minors of the equations, exactly, as polynomials in the parameter:

.. math:: \det R_P(s),\ \det R_{P'}(s) \in \mathbb Q[s], \qquad \gcd(\det R_P, \det R_{P'})(s_*) \ne 0 \ \Longrightarrow\ \operatorname{rank}R(s_*) = \operatorname{rank}R

The rows are taken at points with whole coordinates, on circles and groups at rational points, times the determinant of the inertia, so that nothing is divided by.
Where the minors share zeros that are neither known nor those of the inertia, other points are taken.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import combinations
from math import lcm
from typing import Any, TypeAlias, final

import flint
import numpy as np
import symengine

from anholonomy.algebra.calculus import partial
from anholonomy.algebra.expressions import Expr, Symbol, free_symbols, nodes_of, time, zero
from anholonomy.algebra.linear_algebra.symbolic import determinant
from anholonomy.algebra.residues.functions import function_nodes
from anholonomy.algebra.residues.linear_algebra import residue_rank
from anholonomy.algebra.steps.definitions import inline
from anholonomy.algebra.zero_test import is_zero
from anholonomy.base.deadlines import ASIDE, check, effort
from anholonomy.base.errors import Error, NotSupportedError, TimeLimitError
from anholonomy.base.verdict import Verdict
from anholonomy.findings import AbstractEvidence, Finding, Scope, SpecialValues
from anholonomy.language.answers import Part, Row
from anholonomy.laws.ansatz.candidates import Ansatz, Column, degree_classes, product_of
from anholonomy.laws.ansatz.functions import FunctionSpace
from anholonomy.laws.ansatz.independence import consequences
from anholonomy.laws.ansatz.random_points import Values, draw_points
from anholonomy.laws.ansatz.rank_drops import Determinants, NotRational, special_factors
from anholonomy.laws.first_integrals.polynomial import MAX_WEIGHT, graded_polynomials
from anholonomy.laws.known_laws import KnownLaws
from anholonomy.laws.law import Condition, Law
from anholonomy.laws.proofs import cramer, on_submanifold, rate_times_inertia
from anholonomy.laws.reduced_motion import ReducedMotion, reduced_motion
from anholonomy.system.declaration.declare import with_parameters_replaced
from anholonomy.system.model import Model

__all__ = ["SpecialSearch", "excluded_others"]


WithDegrees: TypeAlias = Sequence[tuple[Expr, int]]
"""Laws with their degrees."""

_DETERMINANT_COLUMNS = 110
"""Constants of an ansatz up to which its determinants are a matter of seconds."""
_SPEEDS, _POINTS = 4, 200
"""Speeds up to which the determinant of the inertia is looked at, and points at which laws are compared."""
_MINOR_COLUMNS, _MINOR_SPEEDS, _MINOR_DEGREE = 70, 4, 300
"""Products, speeds and degrees in the parameter up to which minors are computed in seconds."""
_SETS = 3
"""Sets of equations, chosen at random, of which two may give determinants without a common zero."""


@final
@dataclass
class SpecialSearch:
    """The search at special values: conditions, the classes in which ranks were looked at, and doubts.

    ``search`` adds what is conserved in general to what is known of a motion.
    """

    unknown: tuple[Symbol, ...]
    degree: int
    given: FunctionSpace | None
    search: Callable[[KnownLaws], None]
    conditions: list[Condition] = field(default_factory=list)
    classes: dict[str, set[int]] = field(default_factory=dict)
    doubts: list[str] = field(default_factory=list)
    looked_at: list[tuple[Determinants, list[Expr]]] = field(default_factory=list)
    proofs: list[str] = field(default_factory=list)

    def run(self, general: KnownLaws) -> None:
        """Look for conditions of one equation and on these for further ones; then where unknown parameters vanish, or are equal."""
        known = _with_degrees(general)
        sources = [e for step in general.motion.equations.unknown_steps for e in step.sources]
        inside = free_symbols(function_nodes(sources))
        self.doubts += [
            f"{s.name} occurs inside a function, whose special values are not looked at"
            for s in self.unknown
            if s in inside
        ]
        self._among(general, self.unknown, {}, known)
        for count in range(2, len(self.unknown) + 1):
            for some in combinations(self.unknown, count):
                self._tried(general, dict.fromkeys(some, zero), {}, known)
        with suppress(TimeLimitError), effort(ASIDE):
            self._on_planes(general)
        check()
        self._exclude_others()

    def _on_planes(self, general: KnownLaws) -> None:
        """Conditions of several equations none of which is special alone: one says that a parameter vanishes, or that two are equal."""
        pairs = combinations(self.unknown, 2)
        planes = [*((s, zero) for s in self.unknown), *pairs] if len(self.unknown) > 1 else []
        for s, value in planes:
            looked_at = any(_is_same({s: value}, each) for each in self.conditions)
            there = None if looked_at else self._search(general.motion.model, {s: value})
            if there is not None:
                self._among(there, [each for each in self.unknown if each != s], {s: value}, _with_degrees(there))

    def _exclude_others(self) -> None:
        """Note for every class why it is not proven that there are no other values; last, because it takes longest."""
        if len(self.unknown) > 1:
            self.proofs.append("several parameters are unknown, for which minors are polynomials in several variables")
            return
        for equations, factors in self.looked_at:
            try:
                why = excluded_others(
                    equations.motion, equations.ansatz, equations.columns, equations.parameter, factors
                )
            except TimeLimitError:
                why = "the time was over before the minors were written out exactly"
            self.proofs.append(why)
            if why:
                return

    def _among(self, known: KnownLaws, unknown: Sequence[Symbol], fixed: Values, before: WithDegrees) -> None:
        for factor in self._factors(known, unknown):
            check()
            found = _solved_for_parameter(factor, unknown, known.motion.model.values)
            if found is None:
                self.conditions.append(_undecided(factor, fixed))
                continue
            s, value = found
            there = self._tried(known, {s: value}, fixed, before)
            if there is not None and (rest := [each for each in unknown if each != s]):
                here = {name: e.xreplace({s: value}) for name, e in fixed.items()} | {s: value}
                self._among(there, rest, here, _with_degrees(there))

    def _tried(self, known: KnownLaws, more: Values, fixed: Values, before: WithDegrees) -> KnownLaws | None:
        """The laws where parameters have further values, if some of them are new; then that is a condition."""
        values = {name: e.xreplace(dict(more)) for name, e in fixed.items()} | dict(more)
        if any(_is_same(values, each) for each in self.conditions):
            return None
        there = self._search(known.motion.model, more)
        if there is None:
            return None
        wider = [each for each in self.conditions if all(_satisfies(values, e) for e in each.condition.alternatives[0])]
        before = [*before, *((law.expression, law.degree) for each in wider for law in each.laws)]
        old = [(F, d) for F, d in ((_at_values(F, values), d) for F, d in before) if F is not None]
        new = _new(there, old)
        if not new:
            return None
        self.conditions.append(_condition(values, new))
        return there

    def _factors(self, known: KnownLaws, unknown: Sequence[Symbol]) -> Iterator[Expr]:
        """Polynomials, one of which vanishes where there are more integrals."""
        motion, seen = known.motion, set[Expr]()
        free = [s for s in motion.model.parameter_symbols if s not in motion.model.values]
        # What is said of low degrees is said over longer functions: one large class for all would leave short ones alone.
        classes = [
            degrees
            for top in range(min(1, self.degree), self.degree + 1)
            for degrees in degree_classes(motion, top)
            if max(degrees) == top or top == self.degree
        ]
        for s in unknown:
            for degrees in dict.fromkeys(classes):
                for f in self._of_class(known, s, [each for each in free if each != s], degrees):
                    if f not in seen:
                        seen |= {f, -f}
                        yield f

    def _of_class(self, known: KnownLaws, s: Symbol, others: Sequence[Symbol], degrees: Sequence[int]) -> list[Expr]:
        """Over the largest classes whose determinants are small enough."""
        short = {v: k for k, v in known.motion.model.named.items()}
        found: list[Expr] | None = None
        plain = FunctionSpace(
            tuple(g for g in known.space.generators if s not in g.value.free_symbols), known.space.given
        )
        for weight in (0,) if plain.given else range(MAX_WEIGHT, -1, -1):
            ansatz = Ansatz.independent(known.motion, plain, known.letters, weight, degrees, _DETERMINANT_COLUMNS)
            found = None if ansatz is None else self._factors_of(known.motion, ansatz, s, others)
            if found is not None:
                self.classes.setdefault(plain.words(weight, short), set()).update(degrees)
                break
        ansatz = None if plain.given else graded_polynomials(known, degrees, _DETERMINANT_COLUMNS)
        if ansatz is not None and not any(s in f.free_symbols for f in ansatz.space.values):
            more = self._factors_of(known.motion, ansatz, s, others)
            if more is not None:
                self.classes.setdefault(ansatz.words, set()).update(degrees)
                found = [*(found or ()), *more]
        if found is None:
            self.doubts.append(f"the equations are too long, or no quotients of polynomials in {s.name}")
        return found or []

    def _factors_of(
        self, motion: ReducedMotion, ansatz: Ansatz, s: Symbol, others: Sequence[Symbol]
    ) -> list[Expr] | None:
        try:
            equations = Determinants.of(motion, ansatz, s)
            found = special_factors(equations, others)
        except (NotRational, NotSupportedError):
            return None
        self.looked_at.append((equations, found))
        return found

    def _search(self, model: Model, values: Values) -> KnownLaws | None:
        """The laws at a condition; None if the system degenerates, having no inertia for instance."""
        try:
            motion = reduced_motion(with_parameters_replaced(model, values))
            if len(motion.mass_ab) <= _SPEEDS and is_zero(determinant(motion.mass_ab), motion.on):
                return None
            found = KnownLaws(motion, self.degree, None if self.given is None else self.given.where(values))
            self.search(found)
        except TimeLimitError:
            raise
        except (Error, RuntimeError):  # SymEngine divides by zero in its own way
            return None
        return found

    @property
    def finding(self) -> Finding:
        """The claim that there are no other values: proven by exact minors where these can be written, otherwise as far as ranks modulo primes tell."""
        names = ", ".join(s.name for s in self.unknown)
        among = _classes_text(self.classes)
        claim = (
            f"no other values of {names} allow an integral more that is polynomial of degree at most {self.degree} in the "
            f"speeds with coefficients among {among}"
        )
        if self.classes and len(self.proofs) == len(self.looked_at) and not self.doubts and not any(self.proofs):
            return Finding(claim, Verdict.PROVEN, (NoOtherZeros(tuple(self.looked_at)),))
        modular = "the minors share no other factor modulo several primes, which is no proof"
        reason = next(iter([*self.doubts, *(f"{modular}: {each}" for each in self.proofs if each)]), modular)
        return Finding.unknown(claim, reason)


@final
@dataclass(frozen=True, repr=False)
class NoOtherZeros(AbstractEvidence):
    """Evidence that minors of the equations for one integral more share no zeros but known ones."""

    looked_at: tuple[tuple[Determinants, list[Expr]], ...] = field(compare=False)

    def check(self) -> Verdict:
        every = (
            excluded_others(each.motion, each.ansatz, each.columns, each.parameter, known)
            for each, known in self.looked_at
        )
        return Verdict.of(None if any(every) else True)

    def as_rows(self) -> Iterable[Part]:
        yield Row(
            "two minors of the equations for it, exactly, share no other real zero but where the inertia degenerates"
        )


def _classes_text(classes: Mapping[str, set[int]]) -> str:
    """The classes, and where they differ the degrees in the speeds in which each was gone through."""
    every = set().union(*classes.values())
    told = ((words, sorted(degrees)) for words, degrees in classes.items())
    return (
        " and ".join(
            words if set(some) == every else f"{words} (degree{'s' * (len(some) > 1)} {', '.join(map(str, some))})"
            for words, some in told
        )
        or "none"
    )


def _with_degrees(known: KnownLaws) -> WithDegrees:
    return [(law.expression, law.degree) for law in known.laws]


def _new(there: KnownLaws, before: WithDegrees) -> list[Law]:
    """The laws that are no combinations of products of what is known."""
    motion = there.motion
    laws = [there.laws[k] for k in there.independent()]
    nodes = function_nodes([*(F for F, _ in before), *(law.expression for law in laws)])
    points = draw_points(motion, tuple(nodes), _POINTS, values=motion.model.values)
    known, new = list(before), []
    for law in laws:
        old, ((own, _),) = consequences(known, points, (), there.degree), points.at([law.expression])
        if residue_rank(np.stack([*old, own]), points.prime) > residue_rank(np.stack(old), points.prime):
            new.append(law)
            known.append((law.expression, law.degree))
    return new


def _at_values(expression: Expr, values: Values) -> Expr | None:
    """A law in general at a condition; None where it has no value there."""
    try:
        found = expression.xreplace(dict(values))
    except RuntimeError:
        return None
    return None if found.atoms(type(symengine.zoo), type(symengine.nan)) else found


def _is_same(values: Values, other: Condition) -> bool:
    """True if values satisfy equations that are as many."""
    equations = other.condition.alternatives[0]
    return len(equations) == len(values) and all(_satisfies(values, e) for e in equations)


def _equations(values: Values) -> SpecialValues:
    return SpecialValues((tuple(s - value for s, value in values.items()),))


def _condition(values: Values, laws: Sequence[Law]) -> Condition:
    special = _equations(values)
    claim = f"where {special.text()}, {len(laws)} {'law holds' if len(laws) == 1 else 'laws hold'} more"
    evidence = tuple(part for law in laws for part in law.finding.evidence)
    named = {s.name: value for s, value in values.items()}
    return Condition(special, named, tuple(laws), Finding(claim, Verdict.PROVEN, evidence, Scope()))


def _undecided(factor: Expr, fixed: Values) -> Condition:
    special = SpecialValues(((*(s - value for s, value in fixed.items()), factor),))
    why = "it has no solution that is a quotient of polynomials"
    finding = Finding.unknown(f"where {special.text()}, laws hold more", why)
    return Condition(special, {}, (), finding)


def _solved_for_parameter(
    factor: Expr, unknown: Sequence[Symbol], values: Mapping[Symbol, Expr]
) -> tuple[Symbol, Expr] | None:
    """A parameter and its value where the polynomial vanishes: an unknown one if it is linear in one, else another without value.

    >>> a, I, m = symengine.symbols("a I m")
    >>> _solved_for_parameter(3 * a**2 * m - I, [a], {})
    (I, 3*a**2*m)
    >>> _solved_for_parameter(a**2 - 2, [a], {}) is None
    True
    """
    others = sorted(factor.free_symbols - set(unknown) - values.keys(), key=str)
    for s in (*(u for u in unknown if u in factor.free_symbols), *others):
        slope = symengine.expand(partial(factor, s))
        if s not in slope.free_symbols:
            return s, symengine.expand(-factor.xreplace({s: zero}) / slope)
    return None


def _satisfies(values: Mapping[Symbol, Expr], equation: Expr) -> bool:
    """True if an equation holds for values that are quotients of polynomials."""
    try:
        return bool(symengine.expand(equation.xreplace(dict(values))) == 0)
    except RuntimeError:
        return False


def excluded_others(
    motion: ReducedMotion, ansatz: Ansatz, columns: Sequence[Column], s: Symbol, known: Sequence[Expr]
) -> str:
    """Empty where every real value but the zeros of ``known`` and of the inertia keeps the rank; otherwise why that is not proven."""
    if not columns:
        return ""
    if len(columns) > _MINOR_COLUMNS or len(motion.speeds) > _MINOR_SPEEDS:
        return "the minors are too long to be written out exactly"
    if not motion.has_frame or free_symbols(_sources(motion)) & set(motion.model.parameter_symbols) - {
        s,
        *motion.model.values,
    }:
        return "other parameters are free, for which minors are polynomials in several variables"
    values = (*ansatz.space.values, *ansatz.letters.values)
    written = [on_submanifold(motion, inline([product_of(values, c)], ansatz.letters.steps)[0]) for c in columns]
    rates = [rate_times_inertia(motion, F) for F in written]
    inertia = cramer(motion.mass_ab, motion.force_a)[0]
    shared: Any = None
    for seed in range(_SETS):
        check()
        found = _minor(motion, rates, inertia, s, seed)
        if found is None:
            return "the equations are no polynomials in the parameter with rational values at rational points"
        minor, poles = found
        shared = minor if shared is None else shared.gcd(minor)
        rest = _without(shared, [poles, *(_polynomial(e, s) for e in known)])
        if seed and not _has_real_zero(rest):
            return ""
    return "the minors that were looked at share another factor"


def _sources(motion: ReducedMotion) -> list[Expr]:
    return [e for step in motion.equations.unknown_steps for e in step.sources]


def _minor(motion: ReducedMotion, rates: Sequence[Expr], inertia: Expr, s: Symbol, seed: int) -> tuple[Any, Any] | None:
    """A determinant of as many rows as there are columns, and what the inertia shares at the points; None where points have no numbers."""
    rng, rows, poles = random.Random(seed + 3), list[list[list[Any]]](), flint.fmpq_poly([])
    every = [*rates, inertia]
    nodes = function_nodes(every)
    for _ in rates:
        check()
        at = _point(motion, nodes, s, rng)
        if at is None:
            return None
        entries = [_coefficients(e.xreplace(at), s) for e in every]
        known = [e for e in entries if e is not None]
        if len(known) < len(entries):
            return None
        rows.append(known[:-1])
        poles = poles.gcd(flint.fmpq_poly(known[-1]))
    degree = sum(max(len(e) for e in row) - 1 for row in rows)
    if degree > _MINOR_DEGREE:
        return None
    scales = [lcm(*(int(c.q) for e in row for c in e)) for row in rows]
    whole = [[flint.fmpz_poly([int(c * k) for c in e]) for e in row] for row, k in zip(rows, scales, strict=True)]
    through, product = flint.fmpq_poly([]), flint.fmpq_poly([1])
    for x in range(degree + 1):  # Newton's interpolation
        check()
        value = flint.fmpz_mat([[e(x) for e in row] for row in whole]).det()
        through += product * ((flint.fmpq(value) - through(x)) / product(x))
        product *= flint.fmpq_poly([-x, 1])
    return through, poles


def _point(motion: ReducedMotion, nodes: set[Expr], s: Symbol, rng: random.Random) -> dict[Expr, Expr] | None:
    """Numbers for everything but the parameter: whole ones, rational ones on circles and on groups."""
    model = motion.model
    on = model.frame.orbit
    tied = dict(on.chart) if on is not None and on.tied and on.chart is not None else {}
    if on is not None and on.tied and not tied:
        return None
    at: dict[Expr, Expr] = {p: value for p, value in model.values.items() if p != s}
    inside = free_symbols(tied.values())
    for v in sorted({*model.coordinates, *motion.speeds, time, *inside} - set(tied), key=str):
        at[v] = symengine.Integer(rng.choice([n for n in range(-9, 10) if n]))
    at |= {q: symengine.expand(value.xreplace(at)) for q, value in tied.items()}
    angles: dict[Expr, tuple[Expr, Expr]] = {}
    for node in sorted(nodes, key=str):
        if not isinstance(node, symengine.sin | symengine.cos) or node.args[0] not in model.coordinates:
            return None
        tau = symengine.Rational(rng.randrange(2, 9), rng.choice([1, 3, 5]))
        c, sine = angles.setdefault(node.args[0], ((1 - tau**2) / (1 + tau**2), 2 * tau / (1 + tau**2)))
        at[node] = c if isinstance(node, symengine.cos) else sine
    return at


def _coefficients(value: Expr, s: Symbol) -> list[Any] | None:
    """The coefficients of a polynomial with rational numbers, lowest first; None where it is none."""
    powers = (node for node in nodes_of(value, symengine.Pow) if s in node.free_symbols)
    if any(not isinstance(node.args[1], symengine.Integer) or node.args[1] < 0 for node in powers):
        return None
    found, rest, factorial = list[Any](), symengine.expand(value), 1
    for k in range(20):
        here = symengine.expand(rest.xreplace({s: symengine.Integer(0)}))
        if not isinstance(here, symengine.Rational):
            return None
        found.append(flint.fmpq(*map(int, str(here).split("/"))) / factorial)
        rest, factorial = symengine.expand(partial(rest, s)), factorial * (k + 1)
        if rest == 0:
            return found
    return None


def _polynomial(e: Expr, s: Symbol) -> Any:
    found = _coefficients(e, s)
    return flint.fmpq_poly([1] if found is None else found)


def _without(polynomial: Any, others: Sequence[Any]) -> Any:
    """The polynomial without the zeros of others."""
    for other in others:
        while other.degree() > 0 and (common := polynomial.gcd(other)).degree() > 0:
            polynomial //= common
    return polynomial


def _has_real_zero(polynomial: Any) -> bool:
    if polynomial.degree() < 1:
        return bool(polynomial == 0)
    return any(root.imag.contains(0) for root, _ in polynomial.numer().complex_roots())
