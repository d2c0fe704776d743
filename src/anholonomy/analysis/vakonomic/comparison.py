r"""Is every motion of mechanics vakonomic? The decision with its certificate, the multiplier and the exceptions.

.. math:: \exists\mu: \quad N\mu = 0, \quad \dot\mu = R\mu - \nu \qquad\text{along every motion}

The equations are differentiated until they close (`anholonomy.analysis.vakonomic.prolongation`). Yes is an identity: a multiplier as a
function of the state, or equations that imply their own derivatives. No is a state, and the equation that fails at it.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any, final

import symengine

from anholonomy.analysis.along_motions import expect_motion, within
from anholonomy.analysis.reduced_motion import reduced_motion
from anholonomy.analysis.vakonomic.along_motion import best_multiplier
from anholonomy.analysis.vakonomic.conditions import conditions, explanation
from anholonomy.analysis.vakonomic.families import Family, factors, families
from anholonomy.analysis.vakonomic.multiplier_equations import MultiplierEquations, multiplier_equations
from anholonomy.analysis.vakonomic.prolongation import Prolongation, prolonged
from anholonomy.analysis.vakonomic.series import contradiction
from anholonomy.analysis.vakonomic.states import state_with
from anholonomy.analysis.vakonomic.unspecified import fewer_arguments, requirements
from anholonomy.findings import Finding, Identity, Quantity, Reason, Scope, Witness
from anholonomy.findings.deciding import short_form, witness_of
from anholonomy.formulations.needs import NO_FORCES
from anholonomy.geometry.special_values import special_values
from anholonomy.language.brevity import Readable, brief
from anholonomy.language.writing import to_text
from anholonomy.lazy import cached_property
from anholonomy.refusals import GaveUp, NotCovered
from anholonomy.symbolic.display.latex import latex
from anholonomy.symbolic.expressions import Expr, Vector, symbol, time
from anholonomy.symbolic.normal_forms.canonical import Canonical, NoNormalForm
from anholonomy.symbolic.normal_forms.quotients import TooLarge
from anholonomy.symbolic.numbers.balls import precision
from anholonomy.symbolic.patience import patience
from anholonomy.symbolic.zero import is_zero, zero_test
from anholonomy.system.kinds import Kind
from anholonomy.system.model import Model
from anholonomy.system.states.sampling import admissible_points
from anholonomy.verdict import Verdict

__all__ = ["Comparison", "compared", "refuse"]

_DIGITS, _STATES = 130, 2
_LONGEST, _FORMULAS = 6_000, 20.0
"""Operations up to which equations are written out, and seconds for a formula where a state has refuted already."""
_LIMIT = 1e-9
_GENERIC = "at generic states"


@final
@dataclass(frozen=True, repr=False)
class Comparison(Readable):
    """Whether motions of mechanics are vakonomic, why, and with which multiplier.

    Attributes
    ----------
    finding
        The claim, its verdict and its evidence: an identity, or a state and the equation that fails at it.
    multiplier
        The vakonomic multipliers by name, in coordinates and speeds; None where there is none, or none was found as a function.
    freedom
        How many multipliers may be chosen at the start; None where there is no multiplier.
    exceptions
        Families of initial data for which the answer is another, and factors whose zeros were not examined.
    requirements
        Differential equations that a function which nobody specified satisfies if the answer for it is another.
    kept
        The function with fewer arguments, for every one of which the answer is another.
    counterexample
        A state whose motion is not vakonomic, complete, by name; None where none is known.
    equations, found
        The multiplier's equations along a motion, and their reduction.

    Examples
    --------
    >>> from anholonomy.catalogue import skate
    >>> print(skate().compare_vakonomic())
    every motion of skate is vakonomic: refuted, 1 derivative of N mu = 0 leaves 0 = -m*omega*u, not zero at m = 1, omega = -5/4, u = 1/4
      where omega = 0: they are
      where u = 0: they are
    """

    finding: Finding
    model: Model
    multiplier: dict[str, Expr] | None = field(default=None, hash=False)
    freedom: int | None = None
    exceptions: tuple[Family, ...] = ()
    requirements: Vector = ()
    kept: Vector = ()
    counterexample: dict[str, float] | None = field(default=None, hash=False)
    equations: MultiplierEquations | None = field(default=None, compare=False)
    found: Prolongation | None = field(default=None, compare=False)

    def __bool__(self) -> bool:
        return bool(self.finding)

    @property
    def verdict(self) -> Verdict:
        """Whether the claim is proven, refuted or unknown."""
        return self.finding.verdict

    @cached_property
    def conditions(self) -> dict[str, Finding]:
        """The named conditions that each decide the question by themselves, and whether they hold for all admissible velocities."""
        return conditions(self.model, self.equations or multiplier_equations(reduced_motion(self.model)))

    @property
    def explanation(self) -> str:
        """The name of the condition that explains the verdict; empty where none does."""
        return explanation(self.verdict, self.conditions) if self.equations is not None else ""

    def check(self, run: Any) -> Finding:
        """Whether the best multiplier along a motion satisfies its equations there, in doubles: whatever was decided."""
        expect_motion(run, self.model)
        equations = self.equations or multiplier_equations(reduced_motion(self.model))
        _, misfit = best_multiplier(self.model, equations, run)
        return within(
            "a multiplier does along the motion", "the misfit of the best, relative to its terms,", misfit, _LIMIT
        )

    def lines(self, whole: bool = False) -> list[str]:
        """The verdict, the multiplier and the exceptions."""
        rows = [self.finding.text(whole)]
        if self.explanation:
            rows.append(f"  because ({self.explanation}) {self.conditions[self.explanation].text(whole)}")
        rows += [f"  {name} = {brief(value, whole)}" for name, value in (self.multiplier or {}).items()]
        if self.freedom:
            rows.append(f"  of the multipliers {self.freedom} may be chosen at the start")
        rows += [f"  for every {to_text(each)} they are" for each in self.kept]
        rows += [f"  where they are, {brief(each, whole)} = 0" for each in self.requirements]
        return [*rows, *(f"  {each.text(whole)}" for each in self.exceptions)]

    def latex(self) -> str:
        """The same in LaTeX."""
        rows = [f"& {self.finding.latex()}"]
        rows += [f"{latex(symbol(name))} &= {latex(value)}" for name, value in (self.multiplier or {}).items()]
        rows += [rf"& {each.latex()}:\ \text{{{each.verdict}}}" for each in self.exceptions]
        return "\\begin{aligned}\n" + " \\\\\n".join(rows) + "\n\\end{aligned}"

    def _repr_latex_(self) -> str:
        return "$$" + self.latex() + "$$"

    def to_dict(self) -> dict[str, Any]:
        """Plain data: the verdict, the certificate in words, the multiplier and the exceptions."""
        return {
            "claim": self.finding.claim,
            "verdict": str(self.verdict),
            "certificate": [each.text(True) for each in self.finding.evidence],
            "explanation": self.explanation,
            "multiplier": None if self.multiplier is None else {n: to_text(e) for n, e in self.multiplier.items()},
            "freedom": self.freedom,
            "kept": [to_text(each) for each in self.kept],
            "requirements": [to_text(each) for each in self.requirements],
            "exceptions": [{"where": each.text(True), "verdict": str(each.verdict)} for each in self.exceptions],
        }


def compared(model: Model, limit: float | None) -> Comparison:
    """The decision for every motion, within a time."""
    refuse(model)
    answer = Comparison(Finding(f"every motion of {model.name} is vakonomic", Verdict.UNKNOWN), model)
    try:
        with patience(limit):
            answer = _sampled(answer)
            answer = _in_formulas(answer)
            if model.functions and answer.finding.is_refuted:
                return _with_functions(answer)
            if _may_except(answer) and answer.equations is not None and answer.found is not None:
                answer = replace(answer, exceptions=tuple(families(answer.equations, answer.found)))
    except (GaveUp, KeyboardInterrupt) as trouble:
        return _given_up(answer, str(trouble) or "interrupted")
    except (NoNormalForm, TooLarge):
        return _given_up(answer, "the equations of the multiplier outgrew their bounds")
    return answer


def _with_functions(answer: Comparison) -> Comparison:
    """What is required of functions for which the answer is another, and the arguments for which all are such."""
    if answer.found is None or answer.equations is None or answer.found.failing is None:
        return answer
    answer = replace(answer, requirements=requirements(answer.found.failing, answer.equations.speeds))

    def holds(model: Model) -> bool:
        found = prolonged(multiplier_equations(reduced_motion(model)))
        return bool(found.verdict(answer.equations and answer.equations.on))

    return replace(answer, kept=tuple(fewer_arguments(answer.model, holds)))


def _sampled(answer: Comparison) -> Comparison:
    """A random state from which no multiplier does, where one is met: of a system of any size."""
    model, claim = answer.model, answer.finding.claim
    if model.functions or not model.constraints:
        return answer
    with precision(_DIGITS):
        states = list(islice(admissible_points(model.independent, _DIGITS), _STATES))
    for state in states:
        if (found := contradiction(model, state)) is not None:
            numbers = {s.name: float(state[s].mid()) for s in (*model.coordinates, *model.velocities, time)}
            return replace(answer, finding=Finding(claim, Verdict.REFUTED, (found,)), counterexample=numbers)
    return answer


def _in_formulas(answer: Comparison) -> Comparison:
    """The same as an identity or an equation that fails, where expressions stay within bounds."""
    motion = reduced_motion(answer.model)
    if motion.equations.written_size > _LONGEST:
        if answer.finding.is_unknown:
            raise GaveUp("the equations of motion are too long to be written out.")
        return answer
    with patience(_FORMULAS if answer.finding.is_refuted else None):
        return decided(answer)


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


def decided(answer: Comparison) -> Comparison:
    """Free parameters first; declared values where something vanishes for these alone."""
    model, claim = answer.model, answer.finding.claim
    equations = multiplier_equations(reduced_motion(model))
    found = prolonged(equations)
    special = (*found.divided, *(() if found.failing is None else (found.failing,)))
    if model.values and any(is_zero(each.xreplace(model.values)) for each in special):
        equations = equations.where(model.values)
        found = prolonged(equations)
    answer = replace(answer, equations=equations, found=found)
    if found.failing is None:
        return _proven(answer, equations, found)
    finding = _refuted(claim, equations, found)
    return answer if finding.is_unknown else replace(answer, finding=finding)


def _refuted(claim: str, equations: MultiplierEquations, found: Prolongation) -> Finding:
    """The equation that fails, at a state where the reduction that led to it holds."""
    on, shown = equations.on, short_form(found.failing, equations.on)
    if not zero_test(symengine.Mul(*found.divided, found.failing), on).is_refuted:
        return Finding(claim, Verdict.UNKNOWN, (Reason("no state was met at which the equation that fails does"),))
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
        return replace(answer, finding=Finding(claim, Verdict.UNKNOWN, (Reason("no generic state was met"),)))
    evidence = Identity(f"what {_derivatives(found.order)} of N mu = 0 would add", found.vanished, "", on)
    finding = Finding(claim, Verdict.PROVEN, (evidence,), replace(Scope.of(found.vanished, on), points=_GENERIC))
    return replace(answer, finding=finding, freedom=len(found.free))


def _derivatives(order: int) -> str:
    return f"{order} derivative" + ("" if order == 1 else "s")


def _is_regular(mu: tuple[Expr, ...], equations: MultiplierEquations) -> bool:
    """Whether no denominator of a multiplier may vanish at a state."""
    try:
        forms = Canonical(mu)
        below = [forms.ring.expanded(forms.quotient(each).den) for each in mu]
    except (NoNormalForm, TooLarge):
        return False
    return not any(factors(each, equations.rates) for each in below)


def _may_except(answer: Comparison) -> bool:
    """Whether some initial data may be different: not where a multiplier is a function without poles."""
    return answer.finding.is_refuted or bool(answer.finding and answer.finding.scope.points)


def _given_up(answer: Comparison, why: str) -> Comparison:
    """The verdict that was reached, or none; exceptions were then not looked for, or not all."""
    if answer.finding.is_unknown:
        return replace(answer, finding=replace(answer.finding, evidence=(Reason(why),)))
    return answer
