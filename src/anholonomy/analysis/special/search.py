r"""Integrals that exist for special values of parameters alone, and these values.

.. math:: R(\pi)\,c = 0, \qquad \operatorname{rank}R(\pi_*) < \operatorname{rank}R

The values are zeros of irreducible polynomials that all maximal minors share. Each is solved for a parameter, put into the
system, and this is searched anew: what is found there and does not follow from what holds in general is proven like any law.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import combinations
from typing import TypeAlias, final

import numpy as np
import symengine

from anholonomy.analysis.integrals.ansatz import Ansatz
from anholonomy.analysis.integrals.consequences import consequences
from anholonomy.analysis.integrals.degrees import degree_classes
from anholonomy.analysis.integrals.function_space import FunctionSpace
from anholonomy.analysis.integrals.search import MAX_WEIGHT, Search
from anholonomy.analysis.law import Law
from anholonomy.analysis.reduced_motion import reduced_motion
from anholonomy.analysis.residues.points import Values, draw_points
from anholonomy.analysis.residues.transcendentals import function_nodes
from anholonomy.analysis.special.condition import Condition
from anholonomy.analysis.special.determinants import Determinants, NotRational
from anholonomy.analysis.special.exact import excluded_others
from anholonomy.analysis.special.factors import special_factors
from anholonomy.analysis.special.solving import satisfies, solved
from anholonomy.findings import Finding, Reason, Scope, SpecialValues
from anholonomy.refusals import GaveUp, NotCovered, Refusal
from anholonomy.symbolic.expressions import Expr, Symbol, free_symbols, zero
from anholonomy.symbolic.matrices.linear import determinant
from anholonomy.symbolic.matrices.modular import residue_rank
from anholonomy.symbolic.patience import ASIDE, check, effort
from anholonomy.symbolic.zero import is_zero
from anholonomy.system.declaration.replaced import with_parameters_replaced
from anholonomy.system.model import Model
from anholonomy.verdict import Verdict

__all__ = ["SpecialSearch"]

Known: TypeAlias = Sequence[tuple[Expr, int]]
"""Laws with their degrees."""

MAX_COLUMNS = 110
"""Constants of an ansatz up to which its determinants are a matter of seconds."""
_SMALL, _POINTS = 4, 200
"""Speeds up to which the determinant of the inertia is looked at, and points at which laws are compared."""


@final
@dataclass
class SpecialSearch:
    """What was found so far: conditions, the classes in which ranks were looked at, and doubts."""

    unknown: tuple[Symbol, ...]
    degree: int
    given: FunctionSpace | None
    conditions: list[Condition] = field(default_factory=list)
    classes: dict[str, set[int]] = field(default_factory=dict)
    doubts: list[str] = field(default_factory=list)
    looked_at: list[tuple[Determinants, list[Expr]]] = field(default_factory=list)
    proofs: list[str] = field(default_factory=list)

    def run(self, search: Search) -> None:
        """Look for conditions of one equation and on these for further ones; then where unknown parameters vanish, or are equal."""
        known = [(law.expression, law.degree) for law in search.found]
        sources = [e for step in search.motion.equations.unknown_steps for e in step.sources]
        inside = free_symbols(function_nodes(sources))
        self.doubts += [
            f"{s.name} occurs inside a function, whose special values are not looked at"
            for s in self.unknown
            if s in inside
        ]
        self._among(search, self.unknown, {}, known)
        for count in range(2, len(self.unknown) + 1):
            for some in combinations(self.unknown, count):
                self._tried(search, dict.fromkeys(some, zero), {}, known)
        with suppress(GaveUp), effort(ASIDE):
            self._on_planes(search)
        check()
        self._exclude_others()

    def _on_planes(self, search: Search) -> None:
        """Conditions of several equations none of which is special alone: one says that a parameter vanishes, or that two are equal."""
        pairs = combinations(self.unknown, 2)
        planes = [*((s, zero) for s in self.unknown), *pairs] if len(self.unknown) > 1 else []
        for s, value in planes:
            looked_at = any(_is_same({s: value}, each) for each in self.conditions)
            there = None if looked_at else self._search(search.motion.model, {s: value})
            if there is not None:
                known = [(law.expression, law.degree) for law in there.found]
                self._among(there, [each for each in self.unknown if each != s], {s: value}, known)

    def _exclude_others(self) -> None:
        """Why it is not proven that there are no other values, for every class; last, because it takes longest."""
        if len(self.unknown) > 1:
            self.proofs.append("several parameters are unknown, for which minors are polynomials in several variables")
            return
        for equations, factors in self.looked_at:
            try:
                why = excluded_others(
                    equations.motion, equations.ansatz, equations.columns, equations.parameter, factors
                )
            except GaveUp:
                why = "the time was over before the minors were written out exactly"
            self.proofs.append(why)
            if why:
                return

    def _among(self, search: Search, unknown: Sequence[Symbol], fixed: Values, before: Known) -> None:
        for factor in self._factors(search, unknown):
            check()
            found = solved(factor, unknown, search.motion.model.values)
            if found is None:
                self.conditions.append(_undecided(factor, fixed))
                continue
            s, value = found
            there = self._tried(search, {s: value}, fixed, before)
            if there is not None and (rest := [each for each in unknown if each != s]):
                here = {name: e.xreplace({s: value}) for name, e in fixed.items()} | {s: value}
                self._among(there, rest, here, [(law.expression, law.degree) for law in there.found])

    def _tried(self, search: Search, more: Values, fixed: Values, before: Known) -> Search | None:
        """The search where parameters have further values, if it finds something new; then that is a condition."""
        values = {name: e.xreplace(dict(more)) for name, e in fixed.items()} | dict(more)
        if any(_is_same(values, each) for each in self.conditions):
            return None
        there = self._search(search.motion.model, more)
        if there is None:
            return None
        wider = [each for each in self.conditions if all(satisfies(values, e) for e in each.condition.alternatives[0])]
        before = [*before, *((law.expression, law.degree) for each in wider for law in each.laws)]
        known = [(F, d) for F, d in ((_at(F, values), d) for F, d in before) if F is not None]
        new = _new(there, known)
        if not new:
            return None
        self.conditions.append(_condition(values, new))
        return there

    def _factors(self, search: Search, unknown: Sequence[Symbol]) -> Iterator[Expr]:
        """Polynomials, one of which vanishes where there are more integrals."""
        motion, seen = search.motion, set[Expr]()
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
                for f in self._of_class(search, s, [each for each in free if each != s], degrees):
                    if f not in seen:
                        seen |= {f, -f}
                        yield f

    def _of_class(self, search: Search, s: Symbol, others: Sequence[Symbol], degrees: Sequence[int]) -> list[Expr]:
        """Over the largest classes whose determinants are small enough."""
        short = {v: k for k, v in search.motion.model.named.items()}
        found: list[Expr] | None = None
        plain = FunctionSpace(
            tuple(g for g in search.space.generators if s not in g.value.free_symbols), search.space.given
        )
        for weight in (0,) if plain.given else range(MAX_WEIGHT, -1, -1):
            ansatz = search.ansatz(plain, weight, degrees, MAX_COLUMNS)
            found = None if ansatz is None else self._factors_of(search, ansatz, s, others)
            if found is not None:
                self.classes.setdefault(plain.words(weight, short), set()).update(degrees)
                break
        ansatz = None if plain.given else search.polynomials(degrees, MAX_COLUMNS)
        if ansatz is not None and not any(s in f.free_symbols for f in ansatz.space.values):
            more = self._factors_of(search, ansatz, s, others)
            if more is not None:
                self.classes.setdefault(ansatz.words, set()).update(degrees)
                found = [*(found or ()), *more]
        if found is None:
            self.doubts.append(f"the equations are too long, or no quotients of polynomials in {s.name}")
        return found or []

    def _factors_of(self, search: Search, ansatz: Ansatz, s: Symbol, others: Sequence[Symbol]) -> list[Expr] | None:
        try:
            equations = Determinants.of(search.motion, ansatz, s)
            found = special_factors(equations, others)
        except (NotRational, NotCovered):
            return None
        self.looked_at.append((equations, found))
        return found

    def _search(self, model: Model, values: Values) -> Search | None:
        """The search at a condition; None where the system degenerates, having no inertia for instance."""
        try:
            motion = reduced_motion(with_parameters_replaced(model, values))
            if len(motion.mass_ab) <= _SMALL and is_zero(determinant(motion.mass_ab), motion.on):
                return None
            found = Search(motion, self.degree)
            found.search(None if self.given is None else self.given.where(values))
        except GaveUp:
            raise
        except (Refusal, RuntimeError):  # SymEngine divides by zero in its own way
            return None
        return found

    @property
    def finding(self) -> Finding:
        """That there are no other values: proven by exact minors where these can be written, otherwise as far as ranks modulo primes tell."""
        names = ", ".join(s.name for s in self.unknown)
        among = _among(self.classes)
        claim = (
            f"no other values of {names} allow an integral more that is polynomial of degree at most {self.degree} in the "
            f"speeds with coefficients among {among}"
        )
        if self.classes and len(self.proofs) == len(self.looked_at) and not self.doubts and not any(self.proofs):
            why = "two minors of the equations for it, exactly, share no other real zero but where the inertia degenerates"
            return Finding(claim, Verdict.PROVEN, (Reason(why),))
        modular = "the minors share no other factor modulo several primes, which is no proof"
        reason = next(iter([*self.doubts, *(f"{modular}: {each}" for each in self.proofs if each)]), modular)
        return Finding.unknown(claim, reason)


def _among(classes: Mapping[str, set[int]]) -> str:
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


def _new(search: Search, before: Known) -> list[Law]:
    """The laws that are no combinations of products of what is known."""
    motion = search.motion
    laws = [search.found[k] for k in search.independent()]
    nodes = function_nodes([*(F for F, _ in before), *(law.expression for law in laws)])
    points = draw_points(motion, tuple(nodes), _POINTS, values=motion.model.values)
    known, new = list(before), []
    for law in laws:
        old, ((own, _),) = consequences(known, points, (), search.degree), points.at([law.expression])
        if residue_rank(np.stack([*old, own]), points.prime) > residue_rank(np.stack(old), points.prime):
            new.append(law)
            known.append((law.expression, law.degree))
    return new


def _at(expression: Expr, values: Values) -> Expr | None:
    """A law in general at a condition; None where it has no value there."""
    try:
        found = expression.xreplace(dict(values))
    except RuntimeError:
        return None
    return None if found.atoms(type(symengine.zoo), type(symengine.nan)) else found


def _is_same(values: Values, other: Condition) -> bool:
    """Whether values satisfy equations that are as many."""
    equations = other.condition.alternatives[0]
    return len(equations) == len(values) and all(satisfies(values, e) for e in equations)


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
