r"""Routes: the values that brackets of the fields must have, at a point and as functions.

.. math:: [X_A, X_B] = f^CX_C \quad\Longrightarrow\quad X_A(\theta_B) - X_B(\theta_A) = f^C\theta_C

One bracket for which that fails at one point proves that there is no density; where it holds for all of them there is one around every generic
point (`anholonomy.laws.prolongation.bracket_closure`).
"""

from __future__ import annotations

from anholonomy.base.deadlines import GLANCE, check, effort
from anholonomy.base.errors import TimeLimitError
from anholonomy.findings import vanishing
from anholonomy.laws.prolongation.bracket_closure import contradiction
from anholonomy.measures.density.closed_form import closed_form_for_values
from anholonomy.measures.density.problem import Decision, DensityProblem
from anholonomy.measures.density.too_many_brackets import too_many_brackets

__all__ = ["contradiction_at_a_glance", "contradiction_at_a_point", "every_bracket"]


def contradiction_at_a_glance(problem: DensityProblem) -> Decision | None:
    """Refuted, if a contradiction is met within seconds; where brackets are short, by the first as a function that fails."""
    try:
        with effort(GLANCE):
            found = contradiction_at_a_point(problem)
    except TimeLimitError:  # what has a density may have many brackets that agree
        check()
        return None
    if found is None or problem.has_long_fields():
        return found
    return Decision(problem.by_misfits(list(problem.closure.mismatches()), problem.closure.minors))


def contradiction_at_a_point(problem: DensityProblem) -> Decision | None:
    """Refuted, if a bracket contradicts the others at a point."""
    motion = problem.motion
    conflict = contradiction(motion.model.frame, problem.divergence.fields, motion.on)
    return None if conflict is None else problem.refuted(conflict)


def every_bracket(problem: DensityProblem) -> Decision:
    """Proven or refuted by all brackets as functions; a density in closed form may be known for the declared parameters alone."""
    closure = problem.closure
    finding = vanishing(problem.claim, "the misfit of every bracket", closure.mismatches(), problem.motion.on)
    if finding.is_unknown and (refuted := too_many_brackets(problem)) is not None:
        return refuted
    return Decision(finding, (closure.integrated() or closed_form_for_values(problem.divergence)) if finding else None)
