r"""Exceptional families: initial states for which the answer differs from the general one.

.. math:: f = 0 \ \text{and}\ \dot f = 0 \ \text{wherever}\ f = 0

What a reduction divided by, and the equation that failed, are products of factors $f$. A motion on which no factor stays zero is like
the others. Where one is solved for a speed or a coordinate, and its rate vanishes there (or is made to vanish likewise), the same question
is asked of the motions that are left. It is also asked on each set of zeros that motions do not leave.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import final

import flint
import symengine

from anholonomy.algebra.calculus import partial
from anholonomy.algebra.expressions import Expr, Symbol, Vector, zero
from anholonomy.algebra.normal_forms.canonical import Canonical, NoNormalForm
from anholonomy.algebra.numbers.balls import FEW_DIGITS, evaluate_ball, excludes_zero, precision
from anholonomy.algebra.short_forms_on_groups import shortened
from anholonomy.algebra.simplification.simplify import simplify
from anholonomy.algebra.zero_test import is_zero, zero_test
from anholonomy.base.deadlines import check, effort
from anholonomy.base.errors import TimeLimitError
from anholonomy.base.verdict import Verdict
from anholonomy.findings.special_values import keeps_its_sign
from anholonomy.language.answers import EQUALS, Part, Readable, Row, joined
from anholonomy.laws.reduced_motion import reduced_motion
from anholonomy.system.model import Model
from anholonomy.vakonomic.comparison.invariant_sets import (
    AxisPose,
    InvariantPlane,
    OnPlane,
    equations_of,
    invariant_planes,
    on_plane,
)
from anholonomy.vakonomic.comparison.multiplier_equations import MultiplierEquations, Prolongation, prolonged

__all__ = ["Family", "factors", "families", "plane_families"]

_TERMS = 2_000
"""Terms of a polynomial that is factored."""
_ARCS = 200
"""Arcs of a circle on each of which a function is enclosed."""
_DEPTH, _LONGEST = 4, 200
"""How many equations may cut out a family, and the operations of a factor that is looked at."""
_EACH, _ALL = 4.0, 15.0
"""Seconds of the processor for the formulas of one plane, and for everything."""
_MOST = 24
"""Families that are listed."""


@final
@dataclass(frozen=True, repr=False)
class Family(Readable):
    """Motions that satisfy some equations for ever, and whether these are vakonomic.

    Attributes
    ----------
    equations
        Speeds or coordinates with the values that they keep; empty where ``factor`` could not be solved.
    verdict
        The answer for generic motions of the family.
    factor
        What vanishes on it.
    found, pose
        The reduction that decided it, and the pose that its angles belong to, if there is one.
    """

    equations: tuple[tuple[Symbol, Expr], ...]
    verdict: Verdict
    factor: Expr
    found: Prolongation | None = field(default=None, compare=False)
    pose: AxisPose | None = None

    def as_rows(self) -> Iterable[Part]:
        if self.equations:
            said = {Verdict.PROVEN: "they are", Verdict.REFUTED: "they are not", Verdict.UNKNOWN: "unknown"}
            where = joined(((s, EQUALS, value) for s, value in self.equations), " and ")
            yield Row("where ", where, f": {said[self.verdict]}")
        else:
            yield Row("where ", self.factor, " stays zero, if anywhere: not examined")

    @property
    def expressions(self) -> Vector:
        """Everything that its equations say."""
        return tuple(e for pair in self.equations for e in pair) or (self.factor,)

    def holds(self, values: Callable[[Expr], bool]) -> bool:
        """Whether a test of being zero accepts every equation."""
        return bool(self.equations) and all(values(s - value) for s, value in self.equations)


def families(equations: MultiplierEquations, found: Prolongation) -> Iterator[Family]:
    """The exceptional families of a decision, those with the fewest equations first."""
    general = found.verdict(equations.on)
    search = _Search(equations, general)
    search.look_at({}, equations, found)
    met = sorted(search.found, key=lambda each: len(each.equations))
    kept: list[Family] = []
    for each in met:
        if each.verdict is not general and not any(_contains(other, each) for other in kept):
            kept.append(each)
    yield from kept
    yield from (Family((), Verdict.UNKNOWN, f) for f in dict.fromkeys(search.unsolved))


@final
class _Search:
    """Equations are added until the rates of all of them vanish."""

    def __init__(self, equations: MultiplierEquations, general: Verdict) -> None:
        self.whole, self.general = equations, general
        self.found: list[Family] = []
        self.unsolved: list[Expr] = []
        self.seen: set[frozenset[tuple[Symbol, Expr]]] = set()

    def look_at(self, values: Mapping[Symbol, Expr], here: MultiplierEquations, found: Prolongation) -> None:
        """The factors of one decision."""
        special = (*found.divided, *(() if found.failing is None else (found.failing,)))
        for f in dict.fromkeys(f for each in special for f in factors(each, here.rates)):
            self._solve(values, here, f)

    def _solve(self, values: Mapping[Symbol, Expr], here: MultiplierEquations, f: Expr) -> None:
        check()
        f = shortened(f, self.whole.on)
        if len(values) >= _DEPTH or f.free_symbols.isdisjoint(here.rates) or _keeps_away(f, self.whole):
            return
        ways = list(_solutions(f, here)) if self._is_plain(f) else []
        if not ways and not values:
            self.unsolved.append(f)
        for s, value in ways:
            self._restrict(values, here, s, value, f)
            for g in factors(partial(f, s), here.rates):
                if s not in g.free_symbols:  # where the solution has no value
                    self._solve(values, here, g)

    def _is_plain(self, f: Expr) -> bool:
        """Whether a factor is short and no redundant coordinate occurs in it."""
        tied = () if self.whole.on is None else self.whole.on.tied
        return bool(f.free_symbols.isdisjoint(tied) and symengine.count_ops(f) <= _LONGEST)

    def _restrict(
        self, values: Mapping[Symbol, Expr], here: MultiplierEquations, s: Symbol, value: Expr, f: Expr
    ) -> None:
        try:
            below = here.where({s: value})
            put = {name: e.xreplace({s: value}) for name, e in values.items()} | {s: value}
            rates = [(self.whole.rates[name] - self.whole.rate(e)).xreplace(put) for name, e in put.items()]
        except RuntimeError:  # SymEngine refuses to divide by zero
            return
        if any(each.has(symengine.zoo, symengine.nan) for each in (*rates, *put.values(), *below.entries)):
            return
        together = {name: simplify(e) for name, e in put.items()}
        key = frozenset(together.items())
        if key in self.seen:
            return
        self.seen.add(key)
        moves = next((rate for rate in rates if not is_zero(rate, here.on)), None)
        if moves is None:
            self._ask(together, below, f)
        for g in [] if moves is None else factors(moves, below.rates):
            self._solve(together, below, g)

    def _ask(self, values: Mapping[Symbol, Expr], here: MultiplierEquations, f: Expr) -> None:
        try:
            found = prolonged(here)
        except (NoNormalForm, ZeroDivisionError, RuntimeError):
            return
        verdict = found.verdict(here.on)
        self.found.append(Family(tuple(sorted(values.items(), key=str)), verdict, f, found))
        if verdict is self.general:
            self.look_at(values, here, found)


def factors(expression: Expr, state: Iterable[Symbol]) -> list[Expr]:
    """The different factors of the numerator that depend on the state and may vanish."""
    try:
        forms = Canonical([expression])
        numerator = forms.quotient(expression).num
    except NoNormalForm:
        return [expression]
    moving = set(state)
    if numerator.is_constant():
        return []
    if len(numerator) > _TERMS:
        return [expression]
    every = [f for f, _ in numerator.factor()[1] if not keeps_its_sign(f)]
    written = [forms.ring.expanded(f) for f in every]
    return [f for f in written if not f.free_symbols.isdisjoint(moving)]


def _solutions(f: Expr, here: MultiplierEquations) -> Iterator[tuple[Symbol, Expr]]:
    """Ways to make a factor vanish: for a speed or a coordinate that it is linear in, for an angle, for a root."""
    tied = set() if here.on is None else set(here.on.tied)
    order = [*here.speeds, *(s for s in here.rates if s not in here.speeds and s not in tied and s.name != "t")]
    own = [s for s in order if s in f.free_symbols]
    linear = [(s, slope) for s in own if s not in (slope := symengine.expand(partial(f, s))).free_symbols]
    if linear:
        s, slope = min(linear, key=lambda pair: (not pair[1].free_symbols.isdisjoint(here.rates), own.index(pair[0])))
        yield s, simplify(-f.xreplace({s: zero}) / slope)
        return
    if isinstance(f, symengine.sin | symengine.cos) and f.args[0] in own:
        shift = zero if isinstance(f, symengine.sin) else symengine.pi / 2
        yield from ((f.args[0], shift + turn * symengine.pi) for turn in (0, -1 if shift != 0 else 1))
        return
    yield from _roots(f, [s for s in own if s in here.speeds])


def _roots(f: Expr, speeds: list[Symbol]) -> Iterator[tuple[Symbol, Expr]]:
    """The roots of a factor that is quadratic in a speed, where they may be real."""
    for s in speeds:
        first = symengine.expand(partial(f, s))
        second = symengine.expand(partial(first, s))
        if s in second.free_symbols or second == 0:
            continue
        c0, c1, c2 = f.xreplace({s: zero}), first.xreplace({s: zero}), second / 2
        inside = symengine.expand(c1**2 - 4 * c0 * c2)
        if zero_test(symengine.sqrt(inside)).is_unknown:  # imaginary wherever it was tried
            continue
        for sign in (1, -1):
            yield s, simplify((-c1 + sign * symengine.sqrt(inside)) / (2 * c2))
        return


def _keeps_away(f: Expr, whole: MultiplierEquations) -> bool:
    """Whether a function of one angle has no zero, for the declared values of parameters: it has none on arcs that cover the circle."""
    own = f.xreplace({} if whole.on is None else whole.on.known)
    angles = {node.args[0] for node in own.atoms(symengine.sin, symengine.cos)}
    if len(angles) != 1:
        return False
    (angle,), turn = angles, symengine.Symbol("_turn")
    own = own.xreplace({symengine.sin(angle): symengine.sin(turn), symengine.cos(angle): symengine.cos(turn)})
    if own.free_symbols != {turn}:
        return False
    with precision(FEW_DIGITS):
        half = flint.arb.pi() / _ARCS
        arcs = [flint.arb((2 * k + 1) * half.mid(), half.upper()) for k in range(_ARCS)]
    return all(excludes_zero(evaluate_ball(own, {turn: arc}, FEW_DIGITS)) for arc in arcs)


def _contains(large: Family, small: Family) -> bool:
    """Whether one family satisfies the equations of another."""
    put = dict(small.equations)
    return all(is_zero((s - value).xreplace(put)) for s, value in large.equations) and large.verdict is small.verdict


# Families that are planes.


def plane_families(model: Model, equations: MultiplierEquations | None, known: Sequence[Family]) -> Iterator[Family]:
    """Planes on which motions are vakonomic though others are not, and that are no part of families known already."""
    plain, found = model.independent, list[InvariantPlane]()
    try:
        with effort(_ALL):
            for plane in invariant_planes(model):
                if len(found) >= _MOST:
                    return
                if any(plane.lies_in(other) for other in found):
                    continue
                family = _asked(plain, plane, equations, known)
                if family is not None:
                    found.append(plane)
                if family is not None and family.equations:
                    yield family
    except TimeLimitError:
        return


def _asked(
    model: Model, plane: InvariantPlane, equations: MultiplierEquations | None, known: Sequence[Family]
) -> Family | None:
    """The family of a plane whose motions are vakonomic; without equations where it is known."""
    try:
        with effort(_EACH):
            there = on_plane(model, plane)
            if there is None:
                return None
            if any(_covers(family, there, equations) for family in known if family.verdict):
                return Family((), known[0].verdict, zero)
            found = prolonged(there.equations)
            verdict = found.verdict(there.equations.on)
            cut = equations_of(model, plane) if verdict else None
            return None if cut is None else Family(cut, verdict, zero, found, plane.pose)
    except (TimeLimitError, NoNormalForm, ZeroDivisionError, RuntimeError):
        return None


def _covers(family: Family, there: OnPlane, equations: MultiplierEquations | None) -> bool:
    """Whether a plane satisfies the equations of a family, which are in the speeds of the answer."""
    if equations is None or not family.equations:
        return False
    own = reduced_motion(equations.model).speeds_of_velocities
    steps: list[Mapping[Symbol, Expr]] = [own, equations.named, there.equations.model.named, there.put]
    for s, value in family.equations:
        e = s - value
        for step in steps:
            e = e.xreplace(dict(step))
        if e.has(symengine.zoo, symengine.nan) or not is_zero(e, there.equations.on):
            return False
    return True
