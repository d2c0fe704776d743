"""Linear integrals by the equations of their coefficients: which of them are new, and the laws that they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from math import pi
from typing import final

import numpy as np
import symengine

from anholonomy.analysis.closed_forms.names import in_names
from anholonomy.analysis.integrals.proofs import on_submanifold
from anholonomy.analysis.law import Law
from anholonomy.analysis.one_shape.coefficient_equations import CoefficientEquations, coefficient_equations
from anholonomy.analysis.one_shape.shape import shape_of
from anholonomy.analysis.one_shape.solved_coefficients import SolvedCoefficients
from anholonomy.analysis.prolongation.local_motion import is_quadratic
from anholonomy.analysis.reduced_motion import ReducedMotion
from anholonomy.findings import Finding, Quantity, vanishing
from anholonomy.language.brevity import brief
from anholonomy.refusals import InadmissibleState
from anholonomy.symbolic.calculus import along, gradient, partial
from anholonomy.symbolic.display.simplify import simplify
from anholonomy.symbolic.expressions import Expr, Symbol, Vector, dot, symbol, time
from anholonomy.symbolic.matrices.sampled_rank import certified_rows
from anholonomy.symbolic.numbers.doubles import at_point
from anholonomy.system.warnings.angles import angles_of, spoken
from anholonomy.tolerances import NOTHING

__all__ = ["SolvedLaws", "solved_laws"]

_ORIGINS = tuple(symengine.Rational(*each) for each in ((0, 1), (1, 1), (1, 2), (2, 1), (-1, 1), (-1, 2), (-2, 1)))
"""Places where coefficients may have their first values: the first at which their equations are regular is taken."""


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
        rows = [self._differential(F, self.laws[0]) for F in known]
        rows += [self._differential(law.expression, law) for law in self.laws]
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


def solved_laws(motion: ReducedMotion) -> SolvedLaws:
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


def _origin(motion: ReducedMotion, found: CoefficientEquations) -> Expr | None:
    """Where the equations are regular, for the declared parameters and some values of free ones."""
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
    where += f", with {found.shape.s.name} counted beyond a full turn" if on_cover else ""
    return replace(proof, scope=replace(proof.scope, points=where))


def _changes_in_a_turn(motion: ReducedMotion, solved: Sequence[SolvedCoefficients]) -> bool:
    """Whether the variable is an angle, and some coefficients have other values after a full turn; free parameters at some values."""
    model, rng, s = motion.model, np.random.default_rng(5), solved[0].s
    turned = {s: s + 2 * symengine.pi}
    if s not in angles_of(model) or any(e.xreplace(turned) != e for e in spoken(model)):
        return False
    some = zip(model.parameters.items(), rng.uniform(0.5, 2, len(model.parameters)), strict=True)
    numbers = {name: float(free if value is None else value) for (name, value), free in some}
    try:
        after = [each.at([float(each.origin) + 2 * pi], numbers, model.name)[:, 0] for each in solved]
    except InadmissibleState:  # no full turn is possible
        return False
    return bool(np.abs(np.array(after) - np.eye(len(solved))).max() > NOTHING)
