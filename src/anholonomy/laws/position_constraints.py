r"""Constraints on positions that were solved: answers in the remaining coordinates are stated for the declared system.

.. math:: F(r, \dot r) \text{ on the level } q = f(r, t), \qquad \xi = \xi^ae_a + \xi(f^k)\,\partial_k, \qquad \dot g = 0

A level is not left, so that the constraints on positions are integrals too, of degree zero. A finding says which level is meant; where $f$ takes roots,
it says on which branch, and its witnesses are points where the roots are real.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import islice
from typing import Any, final

import symengine

from anholonomy.algebra.calculus import total_derivative
from anholonomy.algebra.expressions import Expr, Symbol, Vector, dot, free_symbols, nodes_of, time, zero
from anholonomy.algebra.numbers.balls import DIGITS, MANY_DIGITS, evaluate_balls, excludes_zero, precision
from anholonomy.algebra.numbers.random_points import random_point
from anholonomy.algebra.redundant_coordinates import Orbit
from anholonomy.algebra.simplification.simplify import simplify
from anholonomy.algebra.steps.definitions import inline
from anholonomy.algebra.unknown_functions import unknown_functions
from anholonomy.algebra.zero_test import is_zero, zero_test
from anholonomy.base.errors import StateError
from anholonomy.base.verdict import Verdict
from anholonomy.equations.evaluation import speeds_at
from anholonomy.findings import AbstractEvidence, Finding, Quantity, Witness, vanishing
from anholonomy.language.answers import EQUALS, Part, Row, joined
from anholonomy.language.arguments import expression
from anholonomy.language.writing import brief, to_text
from anholonomy.laws.law import Law, Laws
from anholonomy.laws.proofs import constant, short_form
from anholonomy.laws.reduced_motion import ReducedMotion, reduced_motion
from anholonomy.system.model import Model
from anholonomy.system.momenta import momenta
from anholonomy.system.solved_constraints import Solved, positions_of
from anholonomy.system.states.random_states import admissible_points

__all__ = ["CURE", "is_regular_on_level", "law_on_level", "laws_on_level", "levels_there", "told"]


CURE = "solve the constraints on positions for coordinates and declare the system without"
"""What helps where the declared level of a constraint on positions decides and is not known."""
_STATES = 3
"""States of the declared level that are looked at."""
_TRIES = 200
"""Points drawn until roots are real at one."""


@final
@dataclass(frozen=True, repr=False)
class PositionsSolved(AbstractEvidence):
    """Evidence that the declared constraints on positions hold where coordinates have these values."""

    positions: Vector
    values: tuple[tuple[Symbol, Expr], ...]
    on: Orbit | None

    def check(self) -> Verdict:
        here = dict(self.values)
        return Verdict.on_all(zero_test(g.xreplace(here), self.on) for g in self.positions)

    def as_rows(self) -> Iterable[Part]:
        yield Row("there ", joined((q, EQUALS, value) for q, value in self.values))


def told(finding: Finding, solved: Solved) -> Finding:
    """A finding in the coordinates that are left as one about the declared system: it says which level that is, and which part of it was looked at."""
    if finding.is_unknown:
        return finding
    on = solved.model.frame_at_values.orbit
    where = PositionsSolved(positions_of(solved.declared), tuple(solved.values.items()), on)
    if finding.is_proven:
        points = ", ".join(filter(None, (finding.scope.points, *(f"where {each}" for each in solved.branches))))
        return replace(finding, evidence=(*finding.evidence, where), scope=replace(finding.scope, points=points))
    real = [_real(each, solved) for each in finding.evidence]
    if None in real:
        why = f"no point was met where it fails and {to_text(solved.radicands[0])} is positive; {CURE}"
        return Finding.unknown(finding.claim, why)
    return replace(finding, evidence=(*(each for each in real if each is not None), where))


def _real(evidence: AbstractEvidence, solved: Solved) -> AbstractEvidence | None:
    """The evidence, at another point where roots are imaginary at its own; None where none is met."""
    point = getattr(evidence, "point", None)
    if not solved.radicands or point is None or _positive(solved, (), dict(point)):
        return evidence
    if not isinstance(evidence, Witness) or unknown_functions(evidence.expression):
        return None
    rng, f, values = random.Random(11), evidence.expression, solved.model.values
    on = solved.model.frame.orbit
    names = free_symbols([f, *solved.radicands]) - values.keys()
    for kind in range(_TRIES if on is None or names.isdisjoint(on.tied) else 0):
        drawn = random_point(names, rng, kind)
        if _positive(solved, (f,), drawn):
            here = {**{s: Fraction(str(e)) for s, e in values.items()}, **drawn}
            shown = tuple((s, here[s]) for s in sorted(names | (f.free_symbols & values.keys()), key=str))
            return replace(evidence, point=shown)
    return None


def _positive(solved: Solved, nonzero: Vector, point: Mapping[Symbol, Any]) -> bool:
    """True if roots are real at a point, where everything of them is known, and nothing vanishes that must not."""
    values = {s: Fraction(str(e)) for s, e in solved.model.values.items()}
    known = {**values, **point}
    if not free_symbols([*solved.radicands, *nonzero]) <= known.keys():
        return False
    found = evaluate_balls([*solved.radicands, *nonzero], known, DIGITS)
    inside = found[: len(solved.radicands)]
    return all(bool(value > 0) for value in inside) and all(map(excludes_zero, found[len(inside) :]))


def is_regular_on_level(motion: ReducedMotion, nonzero: Vector, finite: Vector) -> bool:
    """True if at a state where constraints on positions hold, none being solved, functions do not vanish and others are finite."""
    every = [*nonzero, *finite]
    with precision(MANY_DIGITS + 10):
        for state in islice(admissible_points(motion.model, MANY_DIGITS + 10), _STATES):
            try:
                point = speeds_at(motion.equations, state)
            except StateError:  # the frame of the speeds fails there
                continue
            if not free_symbols(every) <= point.keys():
                return False
            found = evaluate_balls(every, point, MANY_DIGITS)
            if all(map(excludes_zero, found[: len(nonzero)])) and all(value.is_finite() for value in found):
                return True
    return False


def laws_on_level(laws: Laws, solved: Solved) -> Laws:
    """The laws in the coordinates that are left as those of the declared system, and the constraints on positions among them."""
    energies = tuple(law for law in laws.found if law.kind == "energy")
    others = tuple(law for law in laws.found if law.kind != "energy")
    return replace(
        laws,
        found=(*_told(energies, solved), *_leaves(solved.declared), *_told(others, solved)),
        consequences=_told(laws.consequences, solved),
        on_cover=_told(laws.on_cover, solved),
        completeness=tuple(told(each, solved) for each in laws.completeness),
        conditions=tuple(
            replace(each, laws=_told(each.laws, solved), finding=told(each.finding, solved)) for each in laws.conditions
        ),
    )


def levels_there(on: Any, solved: Solved) -> Any:
    """The levels that a user gives, in the coordinates that are left."""
    if not isinstance(on, Mapping):
        return on
    names = [q.name for q in solved.declared.coordinates]
    found: dict[Any, Any] = {}
    for text, value in on.items():
        if isinstance(text, str) and text == "energy":
            found[text if not solved.moves else solved.here(_energy(solved.declared))] = value
            continue
        own = getattr(text, "expression", None)  # a law
        read = expression(text, "the quantity of a level", coordinates=names) if own is None else own
        found[solved.here(solved.declared.frame.in_coordinates(read))] = value
    return found


def law_on_level(law: Law, solved: Solved) -> Law:
    """A law as one of the declared system; the energy as it is there, unless the level moves."""
    declared = solved.declared
    changed = replace(law, model=declared, finding=told(law.finding, solved), field=solved.pushed(law.field))
    if law.kind == "energy" and solved.moves:
        return replace(changed, kind="moving energy")
    if law.kind == "energy":
        whole = _energy(declared)
        changed = replace(changed, expression=whole, named=whole)
    return _on_every_branch(changed, solved) if solved.branches else changed


def _on_every_branch(law: Law, solved: Solved) -> Law:
    """The law with roots as the coordinates they are, where it is proven so on every branch; otherwise as it is, on its own."""
    motion, branches = reduced_motion(solved.declared), list[Solved]()
    candidates = (
        *_as_momentum(law, solved),
        *_as_energy(law, solved),
        law.expression.xreplace(_roots(law.expression, solved)),
    )
    for F in candidates:
        proof: Finding | None = constant(motion, F, (), motion.on)  # which knows all levels at once
        if not proof:
            branches = branches or [solved, *solved.others()]
            proof = _proven_on(branches, F)
        if proof:
            field = {name: e.xreplace(_roots(e, solved)) for name, e in law.field.items()}
            return replace(law, expression=F, named=F, finding=proof, field=field)
    return replace(law, place=solved.values) if solved.radicands else law


def _proven_on(branches: Sequence[Solved], F: Expr) -> Finding | None:
    """A proof that a quantity is constant on all branches of the declared level; None if one is missing."""
    proofs = []
    for each in branches:
        motion = reduced_motion(each.model)
        own = each.here(F)
        if not free_symbols([own]) <= {
            *motion.coordinates,
            *each.model.velocities,
            *each.model.parameter_symbols,
            time,
        }:
            return None
        proof = constant(motion, own, (), motion.on, F)
        if not proof:
            return None
        proofs.append(told(proof, replace(each, branches=())))
    return replace(proofs[0], evidence=tuple(e for proof in proofs for e in proof.evidence))


def _as_energy(law: Law, solved: Solved) -> Iterator[Expr]:
    r"""$E - \langle p, \partial_tf\rangle + W$: energy and momenta of the declared system make that of the coordinates that are left, regular all round."""
    if law.kind != "moving energy" or not solved.moves:
        return
    p, Y = momenta(solved.declared), solved.pushed({}, moving=True)
    field: list[Expr] = [Y.get(name, zero) for name in solved.declared.directions]
    along = [e.xreplace(_roots(e, solved)) for e in field]
    J = symengine.Add(_energy(solved.declared), -inline([dot(p.momentum_a, along)], p.definitions)[0])
    W = simplify(law.expression - solved.here(J))
    if W.free_symbols.isdisjoint(solved.declared.velocities):
        yield simplify(J + W.xreplace(_roots(W, solved)))


def _as_momentum(law: Law, solved: Solved) -> Iterator[Expr]:
    r"""$\langle p, \xi\rangle$ with the momenta of the declared system, which is regular where the field is: $x'/y$ on a circle is $yx' - xy'$."""
    if not law.field or solved.moves:
        return
    p, xi = momenta(solved.declared), [law.field.get(name, zero) for name in solved.declared.directions]
    J = inline([dot(p.momentum_a, [e.xreplace(_roots(e, solved)) for e in xi])], p.definitions)[0]
    if is_zero(solved.here(J) - law.expression):
        yield simplify(J)


def _roots(F: Expr, solved: Solved) -> dict[Expr, Expr]:
    r"""Powers $D^{k/2}$ of what a root is taken of, as powers of what the root is."""
    found: dict[Expr, Expr] = {}
    for node in nodes_of(F, symengine.Pow):
        base, exponent = node.args
        root = solved.roots.get(symengine.expand(base))
        if root is not None and isinstance(exponent, symengine.Rational):
            found[node] = root ** (2 * exponent)
    return found


def _told(laws: tuple[Law, ...], solved: Solved) -> tuple[Law, ...]:
    return tuple(law_on_level(law, solved) for law in laws)


def _energy(model: Model) -> Expr:
    """The energy in coordinates and velocities, short where it is not long."""
    p = momenta(model)
    return short_form(inline([p.energy[0]], p.definitions)[0])


def _leaves(model: Model) -> Iterator[Law]:
    """The constraints on positions as what is constant: their rates are what the constraints say of velocities."""
    flow, on = model.frame.coordinate_rates(model.velocities), model.frame_at_values.orbit
    for c in (*model.constraints, *model.implied, *model.spare_constraints):
        g = c.position
        if g is not None and any(e != 0 for e in c.coefficients):
            rate = total_derivative(g, flow) - c.expression
            claim = f"{brief(g)} is constant"
            rest = Quantity("dF/dt less the constraint", rate, r"\dot F - \varphi")
            yield Law(model, "leaf", 0, g, vanishing(claim, rest.name, [rest], on), g)
