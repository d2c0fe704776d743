"""Linear integrals by the equations of their coefficients: which of them are new, and the laws that they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import count

import numpy as np
import symengine

from anholonomy.analysis.integrals.coefficient_equations import CoefficientEquations, coefficient_equations
from anholonomy.analysis.integrals.proofs import on_submanifold
from anholonomy.analysis.law import Law
from anholonomy.analysis.reduced_motion import ReducedMotion
from anholonomy.analysis.solved_coefficients import SolvedCoefficients
from anholonomy.findings import Finding, Quantity, Scope, vanishing
from anholonomy.language.brevity import brief
from anholonomy.symbolic.calculus import gradient, partial
from anholonomy.symbolic.display.simplify import simplify
from anholonomy.symbolic.expressions import Expr, Vector, dot, symbol
from anholonomy.symbolic.matrices.sampled_rank import certified_rows
from anholonomy.symbolic.numbers.doubles import at_point

__all__ = ["independent_of", "solved_laws"]

_ORIGINS = ("0", "1", "1/2", "2", "-1", "-1/2", "-2")
"""Places where coefficients may have their first values: the first at which their equations are regular is taken."""


def solved_laws(motion: ReducedMotion) -> tuple[Law, ...]:
    """The integrals linear in the speeds whose coefficients are functions of the one coordinate on which the motion closes, all of them.

    For all values of the parameters where that leaves as many as the declared ones do.
    """
    values = motion.model.values
    there, free = coefficient_equations(motion, dict(values)), coefficient_equations(motion, {})
    if there is None:
        return ()
    if free is not None and len(free.N) == len(there.N) and (origin := _origin(motion, free)) is not None:
        return _laws(motion, free, origin)
    origin = _origin(motion, there)
    return () if origin is None else _laws(motion, there, origin)


def _origin(motion: ReducedMotion, found: CoefficientEquations) -> Expr | None:
    """Where the equations are regular, for the declared parameters and some values of free ones."""
    entries = [e.xreplace(dict(motion.model.values)) for row in (*found.N, *found.K) for e in row]
    free = sorted({s for e in entries for s in e.free_symbols} - {found.s}, key=str)
    rng = np.random.default_rng(5)
    some = {s: float(value) for s, value in zip(free, rng.uniform(0.5, 2, len(free)), strict=True)}
    for place in map(symengine.sympify, _ORIGINS):
        if np.isfinite(at_point(entries, some | {found.s: float(place)})).all():
            return place
    return None


def _laws(motion: ReducedMotion, found: CoefficientEquations, origin: Expr) -> tuple[Law, ...]:
    model, k = motion.model, len(found.N)
    taken = {*model.names, *(s.name for s in motion.speeds)}
    letters = (name for n in count(1) if (name := f"c{n}") not in taken)
    c = tuple(symengine.Function(next(letters))(found.s) for _ in range(k))
    speeds = motion.speeds_of_velocities
    whole = tuple(simplify(dot(column, found.columns).xreplace(speeds)) for column in zip(*found.K, strict=True))
    F = dot(c, whole)
    proof = _proof(motion, found, f"{brief(F)} is constant")
    if not proof:
        return ()
    laws = []
    for j in range(k):
        start = tuple(symengine.Integer(int(i == j)) for i in range(k))
        solved = SolvedCoefficients(found.s, c, found.N, origin, start)
        laws.append(Law(model, "gauge momentum", 1, F, proof, F, coefficients=solved))
    return tuple(laws)


def _proof(motion: ReducedMotion, found: CoefficientEquations, claim: str) -> Finding:
    parts = [Quantity("dF/dt", e, r"\dot F") for e in found.misfits()]
    proof = vanishing(claim, "dF/dt with these derivatives of the coefficients", parts, motion.on)
    return replace(proof, scope=replace(proof.scope, points="as far as the equations of its coefficients are regular"))


def independent_of(motion: ReducedMotion, known: Sequence[Expr], laws: Sequence[Law]) -> list[int]:
    """Which of the laws are functionally independent of known functions and of each other, proven at the origin of their coefficients."""
    if not laws:
        return []
    rows = [_differential(motion, on_submanifold(motion, F), laws[0]) for F in known]
    rows += [_differential(motion, on_submanifold(motion, law.expression), law) for law in laws]
    chosen = certified_rows(rows, on=motion.on)
    return [k - len(known) for k in chosen if k >= len(known)]


def _differential(motion: ReducedMotion, F: Expr, law: Law) -> Vector:
    """The differential at the origin, where the coefficients have their first values."""
    own = law.coefficients
    assert own is not None
    letters = {c: symbol(f"_{n}") for n, c in enumerate(own.functions)}
    first = {letters[c]: value for c, value in zip(own.functions, own.values, strict=True)}
    slopes = {letters[c]: dot(row, own.values) for c, row in zip(own.functions, own.rates, strict=True)}
    plain = F.xreplace(letters)
    parts = dict(zip(motion.coordinates, gradient(plain, motion.coordinates), strict=True))
    parts[own.s] = parts[own.s] + symengine.Add(*(partial(plain, letter) * slope for letter, slope in slopes.items()))
    here = first | {own.s: own.origin} | dict(motion.model.values)
    return tuple(e.xreplace(here) for e in (*parts.values(), *gradient(plain, motion.speeds)))
