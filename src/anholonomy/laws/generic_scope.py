r"""The scope of a result at generic points: on which level set of the constraints on positions it holds, and where absolute values are their arguments.

.. math:: \varphi(q, t) = 0 \quad\Longrightarrow\quad q^k = f(\text{the others}, t)

Equations of motion know such a constraint by its rate, $\dot\varphi = 0$, and so all levels $\varphi = c$ at once. What fails for some $c$ may hold
for $c = 0$. So a refutation is looked at where the constraint, of degree one or two in a coordinate, is solved for that. A rank at a random point modulo
a prime holds off such levels, and where absolute values are their arguments.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

import symengine

from anholonomy.algebra.expressions import Expr, Symbol, free_symbols
from anholonomy.algebra.numbers.balls import FEW_DIGITS, evaluate_balls
from anholonomy.algebra.numbers.random_points import random_point
from anholonomy.algebra.piecewise import corner_name, corners
from anholonomy.algebra.residues.functions import function_nodes
from anholonomy.algebra.zero_test import zero_test
from anholonomy.base.verdict import Verdict
from anholonomy.findings import Finding, Quantity, Scope, Witness
from anholonomy.findings.zero_claims import witness_of
from anholonomy.language.writing import to_text
from anholonomy.laws.reduced_motion import ReducedMotion
from anholonomy.system.model import Model
from anholonomy.system.solved_constraints import positions_of, roots_and_rest

__all__ = [
    "GENERIC_LEVELS",
    "fixed_by_positions",
    "off_levels",
    "on_declared_level",
    "residue_level",
    "residue_level_and_rest",
    "generic",
    "level_of",
    "where_positive",
]


GENERIC_LEVELS = "on generic levels of the constraints on positions"
_POINTS = 60
"""Real points at which the arguments of absolute values are looked at."""


def level_of(model: Model, avoid: Collection[Symbol] = ()) -> dict[Symbol, Expr] | None:
    """Coordinates in the others where every constraint on positions holds; None where one is not solved."""
    found, left = _solved_and_left(model, avoid)
    return None if left else found


def _solved_and_left(model: Model, avoid: Collection[Symbol]) -> tuple[dict[Symbol, Expr], list[Expr]]:
    orbit = model.frame.orbit
    tied = set() if orbit is None else set(orbit.tied)
    found, left = roots_and_rest(model, [q for q in model.coordinates if q not in avoid and q not in tied])
    return {q: root.value for q, root in found.items()}, left


def fixed_by_positions(model: Model) -> dict[Symbol, Expr]:
    """The coordinates to which constraints on positions give one value each."""
    return {q: value for q, value in (level_of(model) or {}).items() if not value.free_symbols}


def residue_level(model: Model) -> dict[Symbol, Expr] | None:
    """The same by coordinates that no sine and no exponential contains: random residues stand for these."""
    return level_of(model, free_symbols(function_nodes(_declared(model))))


def residue_level_and_rest(model: Model) -> tuple[dict[Symbol, Expr], Expr | None] | None:
    """The same as far as it is solved, and what must vanish besides, None if nothing; None where residues say too little about the level.

    A coordinate of what must vanish has residues of its own or those of its sines and exponentials, not both: the relation between these two would be lost.
    """
    every = _declared(model)
    inside = free_symbols(function_nodes(every))
    solved, left = _solved_and_left(model, inside)
    if len(left) > 1 or not free_symbols(left).isdisjoint(inside & free_symbols(_without_functions(every))):
        return None
    return solved, left[0] if left else None


def _without_functions(expressions: Sequence[Expr]) -> list[Expr]:
    """The expressions where functions that arithmetic does not know are left out."""
    nodes = dict.fromkeys(function_nodes(expressions), symengine.Integer(1))
    return [e.xreplace(nodes) for e in expressions]


def _declared(model: Model) -> list[Expr]:
    every = [model.lagrangian, *model.forces_a, *(c.expression for c in model.constraints), *positions_of(model)]
    return [*every, *(e for row in model.frame.anchor_ai for e in row)]


def off_levels(model: Model) -> str:
    """The place of random points that know the constraints on positions by their rates, in words."""
    return GENERIC_LEVELS if positions_of(model) else "at generic points"


def on_declared_level(finding: Finding, model: Model, named: Mapping[Symbol, Expr] | None = None) -> Finding:
    """A refutation as one on the declared level, or unknown where its witness says nothing there; ``named`` are functions with names in it."""
    positions = positions_of(model)
    seen = [each for each in finding.evidence if isinstance(each, Witness)]
    if not finding.is_refuted or not positions:
        return finding
    if not seen:
        return _unknown_on_level(finding) if finding.scope.points in ("", GENERIC_LEVELS) else finding
    whole = seen[0].expression.xreplace(dict(named or {}))
    if free_symbols([whole]).isdisjoint(free_symbols(positions) & set(model.coordinates)):
        return finding
    level, on = level_of(model), model.frame_at_values.orbit
    if level is None:
        return _unknown_on_level(finding)
    value = whole.xreplace(level)
    if zero_test(value, on) is Verdict.REFUTED:
        there = witness_of(Quantity(seen[0].name, value, seen[0].mark), on)
        return replace(finding, evidence=tuple(there if e is seen[0] else e for e in finding.evidence))
    names = ", ".join(q.name for q in level)
    why = (
        f"{seen[0].name} is not zero on other levels of the constraints on positions than the declared one, and of that it says nothing; "
        f"solve them for {names} and declare the system without"
    )
    return Finding.unknown(finding.claim, why)


def _unknown_on_level(finding: Finding) -> Finding:
    why = (
        "it fails on generic levels of the constraints on positions, and of the declared one that says nothing; solve the constraints on "
        "positions for coordinates and declare the system without"
    )
    return Finding.unknown(finding.claim, why)


def generic(model: Model) -> Scope:
    """The scope of a rank at a point: the declared values, and generic levels if constraints on positions are not solved."""
    where = GENERIC_LEVELS if residue_level_and_rest(model) is None else "at generic points"
    return Scope(points=where, values=tuple(sorted(model.values.items(), key=lambda item: str(item[0]))))


@lru_cache(maxsize=64)
def where_positive(motion: ReducedMotion) -> str | None:
    """The states where absolute values are their arguments, as random residues take them, in words; None if no such real point was met."""
    model = motion.model
    every = [model.lagrangian, *(model.momenta_a or ()), *model.forces_a, *(c.expression for c in model.constraints)]
    bent = {node.args[0] for e in every for node in corners(e) if corner_name(node) in ("abs", "sign")}
    arguments: list[Expr] = sorted(bent, key=str)
    if not arguments:
        return ""
    values, rng = model.values, random.Random(3)
    here = [e.xreplace(values) for e in arguments]
    for kind in range(_POINTS):
        found = evaluate_balls(here, random_point(free_symbols(here), rng, kind), FEW_DIGITS)
        if all(bool(value > 0) for value in found):
            return (
                f"where {' and '.join(to_text(e) for e in arguments)} {'is' if len(arguments) == 1 else 'are'} positive"
            )
    return None
