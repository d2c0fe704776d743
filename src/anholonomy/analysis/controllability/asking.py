r"""Accessibility and small-time controllability from rest.

Without a potential and friction the accelerations that inputs make grow by symmetric products. A product is *bad* where every input
occurs in it an even number of times. If good products span the admissible directions and every bad one is a combination of good ones
of lower degree, and brackets of the admissible directions reach all directions (Chow), the system is small-time controllable (Sussmann;
Lewis and Murray). With forces of its own it is so where its linear part is controllable. By its speeds alone Chow decides.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from anholonomy.analysis.controllability.answer import Controllability
from anholonomy.analysis.controllability.control_system import ControlSystem, held
from anholonomy.analysis.controllability.linear import linearly_controllable
from anholonomy.analysis.controllability.products import Products
from anholonomy.analysis.controllability.spans import SpanPlace
from anholonomy.analysis.controllability.words import spanning_brackets
from anholonomy.analysis.residues.declared_level import told
from anholonomy.analysis.residues.levels import GENERIC_LEVELS, fixed_by_positions
from anholonomy.findings.evidence import AbstractEvidence, Reason
from anholonomy.findings.finding import Finding
from anholonomy.findings.scope import Scope
from anholonomy.geometry.distributions.distribution import Distribution
from anholonomy.geometry.distributions.places import read_place
from anholonomy.refusals import GaveUp, NotCovered, UnknownName
from anholonomy.symbolic.expressions import Expr, Symbol
from anholonomy.symbolic.numbers.balls import precision
from anholonomy.symbolic.patience import patience
from anholonomy.system.declaration.solved import positions_of, solved_positions
from anholonomy.system.model import Model
from anholonomy.system.states.sampling import admissible_points
from anholonomy.verdict import Verdict

__all__ = ["controllability"]

ACCESSIBLE = "accessible: the states that are reached fill an open set"
SMALL_TIME = "small-time controllable: the states reached in small times surround the start"


def controllability(model: Model, at: Mapping[str, Any] | None, by: str | None, limit: float | None) -> Controllability:
    """What the inputs reach, or the speeds where there are none."""
    if by not in (None, "inputs", "speeds"):
        raise UnknownName(f"{model.name}: by={by!r:.60} means nothing here; say 'inputs' or 'speeds'.")
    if at is None and (solved := solved_positions(model)) is not None:
        found = controllability(solved.model, at, by, limit)
        return replace(found, accessible=told(found.accessible, solved), small_time=told(found.small_time, solved))
    place = _place(model, at) or fixed_by_positions(model)
    kinematic = by == "speeds" or (by is None and not model.inputs and bool(model.velocity_constraints))
    scope = Scope(points="at this place, from rest" if at else f"from rest {_generic_places(model)}")
    try:
        with patience(limit):
            return _by_speeds(model, at, place) if kinematic else _by_inputs(model, place, scope)
    except (GaveUp, KeyboardInterrupt) as trouble:
        findings = [replace(Finding.unknown(claim, trouble), scope=scope) for claim in (ACCESSIBLE, SMALL_TIME)]
        return Controllability(model.name, model.inputs, findings[0], findings[1])


def _generic_places(model: Model) -> str:
    return "at generic places" if len(fixed_by_positions(model)) == len(positions_of(model)) else GENERIC_LEVELS


def _place(model: Model, at: Mapping[str, Any] | None) -> dict[Symbol, Expr]:
    """The exact values of coordinates; velocities must vanish."""
    if at is None:
        return {}
    moving = {w.name for w in model.velocities}
    for name, value in at.items():
        if name in moving and value not in (0, "0"):
            raise NotCovered(
                f"{model.name}: it is asked from rest what inputs reach, and {name} = {value!r:.40}; leave velocities out."
            )
    own = {q: value for q, value in at.items() if q not in moving}
    return read_place(own, model.frame_at_values, ())


def _chow(model: Model, at: Mapping[Symbol, Expr]) -> tuple[Verdict, AbstractEvidence, Distribution]:
    D = Distribution.of(model.independent)
    if D.on_spacetime:
        raise NotCovered(
            f"{model.name}: a constraint is affine or moves, and what is reached from rest is asked where rest is possible."
        )
    growth, size = D.growth_vector(at=dict(at) or None, limit=None), D.frame.size - held(model)
    whole = growth[-1] == size
    known = growth.is_certified if whole else growth.evidence == "exact"
    why = Reason(f"brackets of admissible directions span {growth} of {size}, {growth.evidence}")
    return Verdict.of(whole if known else None), why, D


def _by_speeds(model: Model, at: Any, place: Mapping[Symbol, Expr]) -> Controllability:
    """Chow and Rashevskii: without drift both claims are that brackets reach every direction."""
    verdict, why, D = _chow(model, place)
    scope = Scope(points="at this place" if at else _generic_places(model))
    names = tuple(model.speed_names or (f"X_{k}" for k in range(1, D.rank + 1)))
    findings = [Finding(claim, verdict, (why,), scope) for claim in (ACCESSIBLE, SMALL_TIME)]
    brackets = spanning_brackets(D, _sampled(model, place), [f"X_{k}" for k in range(1, D.rank + 1)])
    return Controllability(model.name, tuple(f"the speed {u}" for u in names), findings[0], findings[1], brackets)


def _sampled(model: Model, place: Mapping[Symbol, Expr]) -> SpanPlace:
    with precision(40):
        point = next(iter(admissible_points(model.with_words(inputs=()), 30, seed=20)))
    return SpanPlace(dict(place), point, model.frame_at_values.orbit)


def _by_inputs(model: Model, values: Mapping[Symbol, Expr], scope: Scope) -> Controllability:
    if not model.inputs:
        idle = (Reason("nothing acts on it, so that it goes one way from every state"),)
        found = [Finding(claim, Verdict.REFUTED, idle, scope) for claim in (ACCESSIBLE, SMALL_TIME)]
        return Controllability(model.name, (), found[0], found[1])
    place = _sampled(model, values)
    system = ControlSystem.of(model, values, place)
    base, why, _ = _chow(model, values)
    if base is Verdict.REFUTED:
        findings = [Finding(claim, base, (why,), scope) for claim in (ACCESSIBLE, SMALL_TIME)]
        return Controllability(model.name, model.inputs, findings[0], findings[1])
    products = Products(system, place)
    drifts = system.only_inertia
    if drifts is not Verdict.PROVEN and not products.fully_actuated:
        return linearly_controllable(system, place, scope, ACCESSIBLE, SMALL_TIME)
    fibre, proof = products.spanning()
    accessible = Verdict.on_all([fibre, base])
    tame, reasons = products.neutralised()
    if accessible is Verdict.REFUTED:
        tame, reasons = Verdict.REFUTED, (Reason("it is not accessible"),)
    elif tame is not Verdict.REFUTED:
        tame = Verdict.on_all([tame, base])
    reached = Finding(ACCESSIBLE, accessible, (*proof, why), scope)
    surrounds = Finding(SMALL_TIME, tame, (*reasons, why), scope)
    return Controllability(model.name, model.inputs, reached, surrounds, products.names, products.reductions())
