r"""The question "Is every motion of mechanics vakonomic?", decided with a certificate, the multiplier and the exceptions.

.. math:: \exists\mu: \quad N\mu = 0, \quad \dot\mu = R\mu - \nu \qquad\text{along every motion}

The equations are differentiated until they close (`anholonomy.vakonomic.comparison.multiplier_equations`). Yes is an identity: a multiplier as a
function of the state, or equations that imply their own derivatives. No is a state, and the equation that fails at it. First the question is
decided in numbers at some states, then in formulas; functions that nobody specified, families of states and invariant sets come last.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import reduce
from itertools import islice
from math import inf

import symengine

from anholonomy.algebra.expressions import Expr, Symbol, Vector, dot, free_symbols, symbol, time
from anholonomy.algebra.normal_forms.canonical import Canonical, NoNormalForm
from anholonomy.algebra.numbers.balls import DIGITS, MANY_DIGITS, evaluate_balls, excludes_zero, precision
from anholonomy.algebra.simplification.simplify import SEARCHED
from anholonomy.algebra.unknown_functions import unknown_functions, with_jets
from anholonomy.algebra.zero_test import is_zero, zero_test
from anholonomy.base.deadlines import ASIDE, effort, patience
from anholonomy.base.errors import NotSupportedError, TimeLimitError
from anholonomy.base.verdict import Verdict
from anholonomy.equations.principles.base import NO_FORCES
from anholonomy.equations.principles.vakonomic import Vakonomic
from anholonomy.equations.reduction.spatial import seen_from_space
from anholonomy.findings import Finding, Identity, Quantity, Scope, Witness
from anholonomy.findings.special_values import MAX_OPERATIONS, SpecialValues, either, special_values
from anholonomy.findings.zero_claims import short_form, witness_of
from anholonomy.laws.position_constraints import CURE, is_regular_on_level, told
from anholonomy.laws.reduced_motion import reduced_motion
from anholonomy.system.constraints import Constraint, Kind, classify
from anholonomy.system.model import Model
from anholonomy.system.solved_constraints import Solved, positions_of, solved_positions
from anholonomy.system.states.random_states import admissible_points, known_parameters
from anholonomy.vakonomic.comparison.answer import VakonomicComparison
from anholonomy.vakonomic.comparison.exceptional_states import Family, factors, families, plane_families
from anholonomy.vakonomic.comparison.multiplier_equations import (
    MultiplierEquations,
    Prolongation,
    multiplier_equations,
    primitive_row,
    prolonged,
)
from anholonomy.vakonomic.comparison.power_series import contradiction
from anholonomy.vakonomic.comparison.unspecified_functions import (
    FunctionSolution,
    fewer_arguments,
    requirements,
    solutions,
)

__all__ = ["compared"]

_STATES = 2
"""States at which the question is asked in numbers before formulas are."""
_GENERIC = "at generic states"
_SMALL = tuple(Fraction(n, d) for n, d in ((1, 1), (1, 2), (2, 1), (3, 2), (1, 3), (3, 1)))
_TRIES = 60
"""Draws of small numbers."""
_ONE = symengine.Integer(1)
_PLAIN = Kind.LINEAR | Kind.AFFINE | Kind.TIME_DEPENDENT


def compared(model: Model, time_limit: float | None) -> VakonomicComparison:
    """The decision for every motion, within a time; on the declared level of constraints on positions where these are solved."""
    _refuse(model)
    if (solved := solved_positions(model)) is not None:
        there = on_level(compared(solved.model, time_limit), solved)
        return _at_a_real_state(there) if solved.radicands and not there.finding else there
    answer = VakonomicComparison(Finding(f"every motion of {model.name} is vakonomic", Verdict.UNKNOWN), model)
    try:
        with patience(time_limit):
            answer = _sampled(answer)
            answer = _with_formulas(answer)
            if model.functions and answer.finding.is_refuted:
                return _with_functions(answer)
            if answer.finding.is_refuted and not positions_of(model):
                planes = tuple(plane_families(model, answer.equations, answer.exceptions))
                answer = replace(answer, exceptions=_sorted(answer.exceptions, planes))
    except (TimeLimitError, KeyboardInterrupt) as trouble:
        return _given_up(answer, trouble)
    except NoNormalForm:
        return _given_up(answer, "the equations of the multiplier outgrew their bounds")
    return answer


def _refuse(model: Model) -> None:
    """Say why a system has no vakonomic motions to compare with."""
    if Kind.ACCELERATION in model.kinds:
        raise NotSupportedError(
            f"{model.name}: a constraint restricts accelerations; vakonomic motions are those of constraints on velocities."
        )
    if model.momenta_a is not None:
        raise NotSupportedError(
            f"{model.name} has no Lagrangian, and so no vakonomic motions; `find_lagrangian` looks for one."
        )
    if why := NO_FORCES.obstacle(model):
        raise NotSupportedError(
            f"{why}, and vakonomic motions are extremals of an action; put the potential into the Lagrangian, or leave it out."
        )


def _sampled(answer: VakonomicComparison) -> VakonomicComparison:
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


def _at_a_real_state(answer: VakonomicComparison) -> VakonomicComparison:
    """A refutation where roots are real: at a state that satisfies the constraints on positions, as declared."""
    asked = replace(answer, finding=Finding(answer.finding.claim, Verdict.UNKNOWN))
    here = _sampled(asked)
    if here.finding.is_refuted:
        return here
    why = "no state was met on the declared level whose motion is not vakonomic"
    return answer if answer.finding.is_unknown else replace(asked, finding=undecided(asked.finding, why))


def _with_formulas(answer: VakonomicComparison) -> VakonomicComparison:
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
    except (TimeLimitError, NoNormalForm):
        if answer.finding.is_unknown:
            raise
    return answer


def _in_formulas(answer: VakonomicComparison) -> VakonomicComparison:
    """The same as an identity or an equation that fails, where expressions stay within bounds."""
    model, named = seen_from_space(answer.model)
    factors: Vector = ()
    if reduced_motion(model).equations.expanded_operation_count > SEARCHED:
        model, factors = without_factors(model)
    if reduced_motion(model).equations.expanded_operation_count > SEARCHED:
        if answer.finding.is_unknown:
            raise TimeLimitError("the equations of motion are too long to be written out.")
        return answer
    with effort(ASIDE if answer.finding.is_refuted else inf):
        return _scaled(_decided(answer, model, named), factors)


def _scaled(answer: VakonomicComparison, factors: Vector) -> VakonomicComparison:
    """The multipliers of constraints whose factors were divided out."""
    if not factors or answer.multiplier is None:
        return answer
    found = {name: value / c for (name, value), c in zip(answer.multiplier.items(), factors, strict=True)}
    return replace(answer, multiplier=found)


def _decided(answer: VakonomicComparison, model: Model, named: Mapping[Symbol, Expr]) -> VakonomicComparison:
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


def _refuted(claim: str, equations: MultiplierEquations, found: Prolongation) -> Finding:
    """The equation that fails, at a state where the reduction that led to it holds."""
    on, shown = equations.on, short_form(found.failing, equations.on)
    if not zero_test(symengine.Mul(*found.divided, found.failing), on).is_refuted:
        return Finding.unknown(claim, "no state was met at which the equation that fails does")
    name = f"{_derivatives(found.order)} of N mu = 0 leave{'s' if found.order == 1 else ''} 0"
    point = state_with(shown, (*found.divided, *equations.divisors), equations)
    quantity = Quantity(name, shown, r"0\cdot\mu")
    evidence = witness_of(quantity, on) if point is None else Witness(name, shown, point, quantity.mark)
    special = _special([shown, *found.divided], equations)
    return Finding(claim, Verdict.REFUTED, (evidence,), replace(Scope.of([shown], on, False), special=special))


def _special(functions: Sequence[Expr], equations: MultiplierEquations) -> SpecialValues | None:
    """The values of free parameters for which one of the functions vanishes, or a divisor of these and of the equations: there the question is another."""
    every, moving = (*functions, *equations.entries), {*equations.rates, *equations.speeds}
    if free_symbols(every) <= moving:
        return SpecialValues(())
    if symengine.count_ops(*every) > MAX_OPERATIONS:
        return None
    try:
        below = dict.fromkeys(each for e in every for each in _below(e) if each.free_symbols - moving)
    except NoNormalForm:
        return None
    found = (special_values([e], moving, equations.on) for e in (*functions, *below))
    return reduce(either, found)


def _below(e: Expr) -> Iterator[Expr]:
    """The denominator of the normal form."""
    forms = Canonical([e])
    yield forms.ring.expanded(forms.quotient(e).den)


def _proven(answer: VakonomicComparison, equations: MultiplierEquations, found: Prolongation) -> VakonomicComparison:
    """A multiplier that is a function where one is found, and otherwise the closed equations."""
    claim, on, mu = answer.finding.claim, equations.on, found.solved()
    misfits = equations.misfits(mu)
    if all(is_zero(each, on) for each in misfits):
        evidence = Identity("N mu and mu' - R mu + nu", misfits, r"N\mu = \dot\mu - R\mu + \nu", on)
        scope = replace(Scope.of(misfits, on), points="" if _has_no_poles(mu, equations) else _GENERIC)
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


def _has_no_poles(mu: tuple[Expr, ...], equations: MultiplierEquations) -> bool:
    """Whether no denominator of a multiplier may vanish at a state."""
    try:
        forms = Canonical(mu)
        below = [forms.ring.expanded(forms.quotient(each).den) for each in mu]
    except NoNormalForm:
        return False
    return not any(factors(each, equations.rates) for each in below)


def _disagreeing(answer: VakonomicComparison) -> VakonomicComparison:
    """Two decisions that exclude each other leave none; it has not been met."""
    why = "the formulas say yes and the power series no, one of which is wrong; please report it"
    return replace(answer, finding=Finding.unknown(answer.finding.claim, why))


def _may_except(answer: VakonomicComparison) -> bool:
    """Whether some initial data may be different: not where a multiplier is a function without poles."""
    return answer.finding.is_refuted or bool(answer.finding and answer.finding.scope.points)


def _sorted(known: tuple[Family, ...], more: tuple[Family, ...]) -> tuple[Family, ...]:
    """All families, what was not examined last."""
    return (
        *(each for each in known if each.equations),
        *more,
        *(each for each in known if not each.equations),
    )


def _given_up(answer: VakonomicComparison, why: object) -> VakonomicComparison:
    """The verdict that was reached, or none; exceptions were then not looked for, or not all."""
    if answer.finding.is_unknown:
        return replace(answer, finding=Finding.unknown(answer.finding.claim, why))
    return answer


# Functions that nobody specified.


def _with_functions(answer: VakonomicComparison) -> VakonomicComparison:
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
    except (TimeLimitError, NoNormalForm):
        pass  # what was found is proven
    return replace(answer, solutions=tuple(found))


# Constraints on positions: an answer about their declared level, from one in the coordinates that are left, or from one about all levels.
#
# What is proven for generic states of all levels holds for generic ones of the declared level where nothing that was divided by vanishes at a
# state on it.


def on_level(answer: VakonomicComparison, solved: Solved) -> VakonomicComparison:
    """The answer in the coordinates that are left as one about the declared system.

    Its multipliers are those of the same constraints; each of a constraint on positions has a constant that may be chosen.
    """
    declared, left = solved.declared, solved.model
    names = dict(zip((c.label for c in declared.constraints), Vakonomic.costates(declared), strict=True))
    own = {mu.name: names[c.label].name for mu, c in zip(Vakonomic.costates(left), left.constraints, strict=True)}
    multiplier = answer.multiplier and {own[name]: value for name, value in answer.multiplier.items()}
    freedom = None if answer.freedom is None else answer.freedom + len(solved.values)
    return replace(
        answer,
        finding=told(answer.finding, solved),
        model=declared,
        multiplier=multiplier,
        freedom=freedom,
        counterexample=None if solved.radicands else answer.counterexample and _whole(answer.counterexample, solved),
    )


def _whole(state: dict[str, float], solved: Solved) -> dict[str, float] | None:
    """A state with the coordinates and velocities that the others give; None where these have parameters without a value."""
    point = {symbol(name): Fraction(value) for name, value in state.items()} | known_parameters(solved.model)
    if not free_symbols(solved.substitution.values()) <= point.keys():
        return None
    given = evaluate_balls(list(solved.substitution.values()), point, DIGITS)
    whole = state | {s.name: float(value.mid()) for s, value in zip(solved.substitution, given, strict=True)}
    return {s.name: whole[s.name] for s in (*solved.declared.coordinates, *solved.declared.velocities, time)}


def undecided(finding: Finding, why: str) -> Finding:
    """Nothing is known of the declared level, and what would help."""
    return Finding.unknown(finding.claim, f"{why}; {CURE}")


def where_positions_hold(answer: VakonomicComparison) -> VakonomicComparison:
    """A proof about generic states of all levels as one about the declared level: where nothing was divided by zero at a state there."""
    if not answer.finding or _is_regular(answer):
        return answer
    why = "it holds on other levels of the constraints on positions than the declared one, of which that says nothing"
    return replace(answer, finding=undecided(answer.finding, why), multiplier=None, freedom=None)


def _is_regular(answer: VakonomicComparison) -> bool:
    equations, found = answer.equations, answer.found
    assert equations is not None
    assert found is not None
    divided = (*found.divided, *equations.divisors)
    values = (*equations.entries, *(answer.multiplier or {}).values())
    return is_regular_on_level(reduced_motion(equations.model), divided, values)


# A state in small numbers at which something does not vanish: positive parameters, and nothing that is divided by zero.


def state_with(
    f: Expr, others: Sequence[Expr], equations: MultiplierEquations
) -> tuple[tuple[Symbol, Fraction], ...] | None:
    """Values of what ``f`` depends on, with which neither it nor the others vanish; None where none was met.

    Redundant coordinates have no small numbers; functions that nobody specified take any values, and their derivatives too.
    """
    jets, on = with_jets(f), equations.on
    if jets is None:
        return None
    shown = jets.expression
    every = [shown, *(e for e in others if not unknown_functions(e))]
    names = free_symbols(every)
    if jets.differences or (on is not None and not names.isdisjoint(on.tied)):
        return None
    known = {} if on is None else {s: Fraction(str(value)) for s, value in on.values}
    rng = random.Random(len(names))
    for _ in range(_TRIES):
        point = {s: known[s] if s in known else _drawn(s, equations, rng) for s in sorted(names, key=str)}
        values = evaluate_balls(every, point, DIGITS)
        if all(map(excludes_zero, values)):
            return tuple((s, value) for s, value in point.items() if s in shown.free_symbols)
    return None


def _drawn(s: Symbol, equations: MultiplierEquations, rng: random.Random) -> Fraction:
    size = rng.choice(_SMALL)
    return -size if s in equations.rates and rng.random() < 0.3 else size


# Constraints without common factors: $c(q)\,\varphi$ and $\varphi$ admit the same velocities, and their multipliers differ by $c$.
#
# .. math:: \mu_{c\varphi} = \frac{\mu_\varphi}{c}


def without_factors(model: Model) -> tuple[Model, Vector]:
    """The model with the factors of its constraints divided out, and these.

    >>> from anholonomy import System
    >>> rolling = System(coordinates=["x", "y", "z"], lagrangian="(x'^2 + y'^2 + z'^2)/2", constraints=["(x^2 + 2)*z' = (x^2 + 2)*y*x'"])
    >>> plain, factors = without_factors(rolling.model)
    >>> print(plain.constraints[0].expression, factors)
    z' - y*x' (2 + x**2,)
    """
    plain = model.independent
    found = [_divided(plain, c) for c in plain.constraints]
    return plain.replaced(constraints=tuple(c for c, _ in found)), tuple(factor for _, factor in found)


def _divided(model: Model, c: Constraint) -> tuple[Constraint, Expr]:
    if c.kind & ~_PLAIN:
        return c, _ONE
    try:
        entries, factor = primitive_row((*c.coefficients, c.offset))
    except NoNormalForm:
        return c, _ONE
    return classify(c.label, dot(entries, (*model.velocities, _ONE)), model.frame, model.velocities), factor
