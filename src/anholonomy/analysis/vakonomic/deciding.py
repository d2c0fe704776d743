r"""Is every motion of mechanics vakonomic? The decision with its certificate, the multiplier and the exceptions.

.. math:: \exists\mu: \quad N\mu = 0, \quad \dot\mu = R\mu - \nu \qquad\text{along every motion}

The equations are differentiated until they close (`anholonomy.analysis.vakonomic.prolongation`). Yes is an identity: a multiplier as a
function of the state, or equations that imply their own derivatives. No is a state, and the equation that fails at it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import islice
from math import inf

import symengine

from anholonomy.analysis.reduced_motion import reduced_motion
from anholonomy.analysis.vakonomic.comparison import Comparison
from anholonomy.analysis.vakonomic.exceptional.families import Family, factors, families
from anholonomy.analysis.vakonomic.exceptional.plane_families import plane_families
from anholonomy.analysis.vakonomic.levels import on_level, undecided, where_positions_hold
from anholonomy.analysis.vakonomic.multiplier_equations import MultiplierEquations, multiplier_equations
from anholonomy.analysis.vakonomic.prolongation import Prolongation, prolonged
from anholonomy.analysis.vakonomic.rewritten.plain_rows import without_factors
from anholonomy.analysis.vakonomic.series import contradiction
from anholonomy.analysis.vakonomic.states import state_with
from anholonomy.analysis.vakonomic.unspecified_functions.potentials import FunctionSolution, solutions
from anholonomy.analysis.vakonomic.unspecified_functions.requirements import fewer_arguments, requirements
from anholonomy.findings import Finding, Identity, Quantity, Scope, Witness
from anholonomy.findings.deciding import short_form, witness_of
from anholonomy.formulations.needs import NO_FORCES
from anholonomy.formulations.reduction.from_space import seen_from_space
from anholonomy.geometry.special_values import special_values
from anholonomy.refusals import GaveUp, NotCovered
from anholonomy.symbolic.display.readable import SEARCHED
from anholonomy.symbolic.expressions import Expr, Symbol, Vector, time
from anholonomy.symbolic.normal_forms.canonical import Canonical, NoNormalForm
from anholonomy.symbolic.numbers.balls import MANY_DIGITS, precision
from anholonomy.symbolic.patience import ASIDE, effort, patience
from anholonomy.symbolic.zero import is_zero, zero_test
from anholonomy.system.declaration.solved import positions_of, solved_positions
from anholonomy.system.kinds import Kind
from anholonomy.system.model import Model
from anholonomy.system.states.sampling import admissible_points
from anholonomy.verdict import Verdict

__all__ = ["compared", "refuse"]

_STATES = 2
"""States at which the question is asked in numbers before formulas are."""
_GENERIC = "at generic states"


def compared(model: Model, limit: float | None) -> Comparison:
    """The decision for every motion, within a time; on the declared level of constraints on positions where these are solved."""
    refuse(model)
    if (solved := solved_positions(model)) is not None:
        there = on_level(compared(solved.model, limit), solved)
        return _at_a_real_state(there) if solved.radicands and not there.finding else there
    answer = Comparison(Finding(f"every motion of {model.name} is vakonomic", Verdict.UNKNOWN), model)
    try:
        with patience(limit):
            answer = _sampled(answer)
            answer = _with_formulas(answer)
            if model.functions and answer.finding.is_refuted:
                return _with_functions(answer)
            if answer.finding.is_refuted and not positions_of(model):
                planes = tuple(plane_families(model, answer.equations, answer.exceptions))
                answer = replace(answer, exceptions=_sorted(answer.exceptions, planes))
    except (GaveUp, KeyboardInterrupt) as trouble:
        return _given_up(answer, trouble)
    except NoNormalForm:
        return _given_up(answer, "the equations of the multiplier outgrew their bounds")
    return answer


def _with_formulas(answer: Comparison) -> Comparison:
    """The answer with formulas and what follows from them; where a state has refuted it, what was reached before they outgrew their bounds."""
    try:
        answer = _in_formulas(answer)
        if (
            _may_except(answer)
            and not answer.model.functions
            and not positions_of(answer.model)
            and answer.equations is not None
            and answer.found is not None
        ):
            answer = replace(answer, exceptions=tuple(families(answer.equations, answer.found)))
    except (GaveUp, NoNormalForm):
        if answer.finding.is_unknown:
            raise
    return answer


def _sorted(known: tuple[Family, ...], more: tuple[Family, ...]) -> tuple[Family, ...]:
    """All families, what was not examined last."""
    return (
        *(each for each in known if each.equations),
        *more,
        *(each for each in known if not each.equations),
    )


def _with_functions(answer: Comparison) -> Comparison:
    """What is required of functions for which the answer is another, and the arguments for which all are such."""
    if answer.found is None or answer.equations is None or answer.found.failing is None:
        return answer
    answer = replace(answer, requirements=requirements(answer.found.failing, answer.equations.speeds))

    def decide(model: Model) -> Prolongation:
        return prolonged(multiplier_equations(reduced_motion(model)))

    def holds(model: Model) -> bool:
        return bool(decide(model).verdict(answer.equations and answer.equations.on))

    answer = replace(answer, kept=tuple(fewer_arguments(answer.model, holds)))
    found = list[FunctionSolution]()
    try:
        with effort(ASIDE):
            found.extend(solutions(answer.model, answer.requirements, answer.kept, decide))
    except (GaveUp, NoNormalForm):
        pass  # what was found is proven
    return replace(answer, solutions=tuple(found))


def _sampled(answer: Comparison) -> Comparison:
    """A random state from which no multiplier does, where one is met: of a system of any size."""
    model, claim = answer.model, answer.finding.claim
    if model.functions or not model.constraints:
        return answer
    with precision(MANY_DIGITS + 10):
        states = list(islice(admissible_points(model.independent, MANY_DIGITS + 10), _STATES))
    for state in states:
        if (found := contradiction(model, state)) is not None:
            numbers = {s.name: float(state[s].mid()) for s in (*model.coordinates, *model.velocities, time)}
            return replace(answer, finding=Finding(claim, Verdict.REFUTED, (found,)), counterexample=numbers)
    return answer


def _at_a_real_state(answer: Comparison) -> Comparison:
    """A refutation where roots are real: at a state that satisfies the constraints on positions, as declared."""
    asked = replace(answer, finding=Finding(answer.finding.claim, Verdict.UNKNOWN))
    here = _sampled(asked)
    if here.finding.is_refuted:
        return here
    why = "no state was met on the declared level whose motion is not vakonomic"
    return answer if answer.finding.is_unknown else replace(asked, finding=undecided(asked.finding, why))


def _in_formulas(answer: Comparison) -> Comparison:
    """The same as an identity or an equation that fails, where expressions stay within bounds."""
    model, named = seen_from_space(answer.model)
    factors: Vector = ()
    if reduced_motion(model).equations.written_size > SEARCHED:
        model, factors = without_factors(model)
    if reduced_motion(model).equations.written_size > SEARCHED:
        if answer.finding.is_unknown:
            raise GaveUp("the equations of motion are too long to be written out.")
        return answer
    with effort(ASIDE if answer.finding.is_refuted else inf):
        return _scaled(decided(answer, model, named), factors)


def _scaled(answer: Comparison, factors: Vector) -> Comparison:
    """The multipliers of constraints whose factors were divided out."""
    if not factors or answer.multiplier is None:
        return answer
    found = {name: value / c for (name, value), c in zip(answer.multiplier.items(), factors, strict=True)}
    return replace(answer, multiplier=found)


def refuse(model: Model) -> None:
    """Say why a system has no vakonomic motions to compare with."""
    if Kind.ACCELERATION in model.kinds:
        raise NotCovered(
            f"{model.name}: a constraint restricts accelerations; vakonomic motions are those of constraints on velocities."
        )
    if model.momenta_a is not None:
        raise NotCovered(
            f"{model.name} has no Lagrangian, and so no vakonomic motions; `find_lagrangian` looks for one."
        )
    if why := NO_FORCES.obstacle(model):
        raise NotCovered(
            f"{why}, and vakonomic motions are extremals of an action; put the potential into the Lagrangian, or leave it out."
        )


def decided(answer: Comparison, model: Model, named: Mapping[Symbol, Expr]) -> Comparison:
    """Free parameters first; declared values where something vanishes for these alone. The model is the system as it is written out."""
    claim = answer.finding.claim
    equations = multiplier_equations(reduced_motion(model), named)
    found = prolonged(equations)
    levels = bool(positions_of(model))
    special = (*found.divided, *(() if found.failing is None else (found.failing,)))
    if model.values and any(is_zero(each.xreplace(model.values)) for each in special):
        equations = equations.where(model.values)
        found = prolonged(equations)
    answer = replace(answer, equations=equations, found=found)
    if found.failing is None:
        if not answer.finding.is_refuted:
            proven = _proven(answer, equations, found)
            return where_positions_hold(proven) if levels else proven
        return answer if levels else _disagreeing(answer)
    if levels:  # which says nothing about the declared one
        why = "an equation fails where the constraints on positions may not hold, and none at the states that were met"
        return replace(answer, finding=undecided(answer.finding, why)) if answer.finding.is_unknown else answer
    finding = _refuted(claim, equations, found)
    return answer if finding.is_unknown else replace(answer, finding=finding)


def _disagreeing(answer: Comparison) -> Comparison:
    """Two decisions that exclude each other leave none; it has not been met."""
    why = "the formulas say yes and the power series no, one of which is wrong; please report it"
    return replace(answer, finding=Finding.unknown(answer.finding.claim, why))


def _refuted(claim: str, equations: MultiplierEquations, found: Prolongation) -> Finding:
    """The equation that fails, at a state where the reduction that led to it holds."""
    on, shown = equations.on, short_form(found.failing, equations.on)
    if not zero_test(symengine.Mul(*found.divided, found.failing), on).is_refuted:
        return Finding.unknown(claim, "no state was met at which the equation that fails does")
    name = f"{_derivatives(found.order)} of N mu = 0 leave{'s' if found.order == 1 else ''} 0"
    point = state_with(shown, (*found.divided, *equations.divisors), equations)
    quantity = Quantity(name, shown, r"0\cdot\mu")
    evidence = witness_of(quantity, on) if point is None else Witness(name, shown, point, quantity.mark)
    special = special_values([shown], equations.rates, on)
    return Finding(claim, Verdict.REFUTED, (evidence,), replace(Scope.of([shown], on, False), special=special))


def _proven(answer: Comparison, equations: MultiplierEquations, found: Prolongation) -> Comparison:
    """A multiplier that is a function where one is found, and otherwise the closed equations."""
    claim, on, mu = answer.finding.claim, equations.on, found.solved()
    misfits = equations.misfits(mu)
    if all(is_zero(each, on) for each in misfits):
        evidence = Identity("N mu and mu' - R mu + nu", misfits, r"N\mu = \dot\mu - R\mu + \nu", on)
        scope = replace(Scope.of(misfits, on), points="" if _is_regular(mu, equations) else _GENERIC)
        multiplier = dict(zip((s.name for s in equations.multipliers), mu, strict=True))
        finding = Finding(claim, Verdict.PROVEN, (evidence,), scope)
        return replace(answer, finding=finding, multiplier=multiplier, freedom=len(found.free))
    if found.witness(on) is None:
        return replace(answer, finding=Finding.unknown(claim, "no generic state was met"))
    said = (
        f"after {_derivatives(found.order)} of N mu = 0 another adds nothing"
        if found.order
        else "differentiating N mu = 0 adds nothing"
    )
    evidence = Identity("what differentiating N mu = 0 would add", found.vanished, "", on, said)
    finding = Finding(claim, Verdict.PROVEN, (evidence,), replace(Scope.of(found.vanished, on), points=_GENERIC))
    return replace(answer, finding=finding, freedom=len(found.free))


def _derivatives(order: int) -> str:
    return f"{order} derivative" + ("" if order == 1 else "s")


def _is_regular(mu: tuple[Expr, ...], equations: MultiplierEquations) -> bool:
    """Whether no denominator of a multiplier may vanish at a state."""
    try:
        forms = Canonical(mu)
        below = [forms.ring.expanded(forms.quotient(each).den) for each in mu]
    except NoNormalForm:
        return False
    return not any(factors(each, equations.rates) for each in below)


def _may_except(answer: Comparison) -> bool:
    """Whether some initial data may be different: not where a multiplier is a function without poles."""
    return answer.finding.is_refuted or bool(answer.finding and answer.finding.scope.points)


def _given_up(answer: Comparison, why: object) -> Comparison:
    """The verdict that was reached, or none; exceptions were then not looked for, or not all."""
    if answer.finding.is_unknown:
        return replace(answer, finding=Finding.unknown(answer.finding.claim, why))
    return answer
