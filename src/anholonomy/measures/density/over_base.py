r"""Route: an invariant density from Chaplygin's multiplier over a base.

Over a base of dimension $n$ the motion preserves $f^{n-1}\,dr\,d\pi$, and the fibre follows:

.. math:: \ln N = (n - 1)\ln f - \ln\det S_a{}^i, \qquad u^aS_a{}^i = w^i

$S$ are the base components of the fields of the speeds. The slopes of this function are compared with the divergence along every field.
"""

from __future__ import annotations

from dataclasses import replace

import symengine

from anholonomy.algebra.calculus import along
from anholonomy.algebra.expressions import dot
from anholonomy.algebra.linear_algebra.symbolic import determinant
from anholonomy.algebra.zero_test import are_all_zero
from anholonomy.base.errors import NotSupportedError
from anholonomy.equations.reduction.cyclic import Reduction, frame_over_fibre
from anholonomy.findings import Identity
from anholonomy.measures.density.problem import Decision, DensityProblem
from anholonomy.measures.new_time.over_base import hamiltonized

__all__ = ["over_base"]


def over_base(problem: DensityProblem) -> Decision | None:
    """Proven, if a multiplier over a base is, with the logarithm in coordinates where the multiplier is known in closed form."""
    divergence, motion = problem.divergence, problem.motion
    model = motion.model
    if motion.mentions_time or divergence.has_offset or not model.constraints or not model.frame.is_chart:
        return None
    try:
        base = Reduction.of(model, frame_over_fibre(model)).base_model()
        found = hamiltonized(model, base, lambda made: made)
        if not found or found.equations.time_enters:
            return None
        own = [k for k, w in enumerate(model.velocities) if w in base.velocities]
        rows = [[row[k] for k in own] for row in motion.span_ba]
        stretch = determinant(rows)
        by_name = dict(zip(base.velocities, found.equations.psi_i, strict=True))
    except NotSupportedError:
        return None
    psi = [by_name[model.velocities[k]] for k in own]
    n = len(own)
    misfits = tuple(
        (n - 1) * dot(row, psi) - along(symengine.log(stretch), each.rates) - each.value
        for row, each in zip(rows, divergence.fields, strict=False)
    )
    if len(divergence.fields) != len(rows) or not are_all_zero(misfits, motion.on):
        return None
    own_identity = Identity(
        "(n - 1) d(ln f) + div for every admissible field X", misfits, r"(n - 1)\psi_a + \theta_a", motion.on
    )
    finding = replace(found.finding, claim=problem.claim, evidence=(own_identity, *found.finding.evidence))
    logarithm = None if found.rescaled is None else found.rescaled.logarithm
    return Decision(finding, None if logarithm is None else (n - 1) * logarithm - symengine.log(stretch))
