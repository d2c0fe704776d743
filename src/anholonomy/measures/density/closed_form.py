r"""Route: an invariant density in closed form, a product of powers of what the divergence divides by.

.. math:: \ln N = \sum_k\alpha_k\ln P_k + \sum_j\beta_jm_j, \qquad X_a(\ln N) = -\theta_a

The $P_k$ are factors of denominators and of $\det G$, the $m_j$ products of what occurs; the constants solve linear equations
(`anholonomy.laws.primitives`).
"""

from __future__ import annotations

import symengine

from anholonomy.algebra.calculus import along
from anholonomy.algebra.expressions import Expr, nodes_of, time
from anholonomy.algebra.linear_algebra.symbolic import determinant
from anholonomy.base.deadlines import check
from anholonomy.findings import Identity
from anholonomy.laws.divergence import Divergence
from anholonomy.laws.group_functions import logarithm_in_names, logarithms_in_names
from anholonomy.laws.primitives import primitive_along
from anholonomy.measures.density.problem import Decision, DensityProblem

__all__ = ["closed_form", "closed_form_for_values"]


def closed_form(problem: DensityProblem) -> Decision | None:
    """Proven, if a density is found for all values of the parameters."""
    motion, fields = problem.motion, problem.divergence.fields
    model = motion.model
    coordinates = (*model.coordinates, time) if motion.mentions_time else model.coordinates
    rates, values = [each.rates for each in fields], [each.value for each in fields]
    found = primitive_along(coordinates, rates, values, _hints(problem.divergence), motion.on)
    if found is None:
        check()
        return None
    misfits = tuple(along(found, each.rates) - each.value for each in fields)
    evidence = Identity("X(ln N) + div for every admissible field X", misfits, r"X_a(\ln N) + \theta_a", motion.on)
    return problem.proven(evidence, logarithms_in_names(found, model.frame))


def closed_form_for_values(divergence: Divergence) -> Expr | None:
    r"""$\ln N$ for the declared values of the parameters alone, where there is none for all."""
    motion = divergence.motion
    model, values = motion.model, motion.model.values
    if not values:
        return None
    rates = [{q: rate.xreplace(values) for q, rate in each.rates.items()} for each in divergence.fields]
    slopes = [each.value.xreplace(values) for each in divergence.fields]
    hints = [hint.xreplace(values) for hint in _hints(divergence)]
    found = primitive_along(model.coordinates, rates, slopes, hints, motion.on)
    return None if found is None else logarithms_in_names(found, model.frame)


def _hints(divergence: Divergence) -> list[Expr]:
    """The factors of the determinant, in coordinates: powers of these make a density; on a group its characters are factors of its volume."""
    frame = divergence.motion.model.frame
    parts = logarithm_in_names(divergence.named_determinant, frame)
    volume = [determinant(frame.anchor_ai)] if not frame.is_chart and len(frame.coordinates) == frame.size else []
    return [*(frame.in_coordinates(node.args[0]) for node in nodes_of(parts, symengine.log)), *volume]
