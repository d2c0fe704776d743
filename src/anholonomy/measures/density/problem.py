r"""The problem of an invariant density, and the decision that a route returns.

.. math:: X_a(\ln N) = -\theta_a, \qquad (X_0 + \partial_t)(\ln N) = -\theta_0, \qquad \mu = N\,dq\,d\pi = N\det G\;dq\,du

The $\theta$ are the divergence of the motion along its fields (`anholonomy.laws.divergence`). A route is a function of a `DensityProblem`; it returns
a `Decision`, or None if it does not decide. The order of the routes is in `anholonomy.measures.invariant_measure`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from typing import NamedTuple, final

from anholonomy.algebra.expressions import Expr, time
from anholonomy.base.caching import cached_property
from anholonomy.base.verdict import Verdict
from anholonomy.findings import AbstractEvidence, Finding, Identity, Quantity, Scope, vanishing
from anholonomy.findings.special_values import either, special_values
from anholonomy.laws.divergence import Divergence
from anholonomy.laws.prolongation.bracket_closure import BracketClosure
from anholonomy.laws.reduced_motion import ReducedMotion

__all__ = ["Decision", "DensityProblem"]


@final
class Decision(NamedTuple):
    r"""A finding, and where a density is known the logarithms of those of $dq\,d\pi$ and of $dq\,du$.

    The second is None where it is the first plus $\ln\det G$.
    """

    answer: Finding
    logarithm: Expr | None = None
    logarithm_of_density: Expr | None = None


@final
@dataclass(frozen=True)
class DensityProblem:
    """The claim that a density exists, and the fields of the motion with the divergence along them.

    ``unfinished`` names routes that gave up at a glance.
    """

    claim: str
    divergence: Divergence
    unfinished: list[str] = field(default_factory=list)

    @property
    def motion(self) -> ReducedMotion:
        return self.divergence.motion

    @cached_property
    def closure(self) -> BracketClosure:
        """The fields and their brackets as functions."""
        return BracketClosure(self.motion.model.frame, self.divergence.fields, self.motion.on)

    def has_long_fields(self) -> bool:
        """True if the fields are too long for their brackets to be written out."""
        return not self.closure.has_short_fields

    def has_short_fields(self) -> bool:
        """True if brackets are looked at as functions."""
        return self.closure.has_short_fields

    def has_unfinished_routes(self) -> bool:
        """True if a route gave up at a glance."""
        return bool(self.unfinished)

    def proven(self, evidence: Identity, logarithm: Expr, logarithm_of_density: Expr | None = None) -> Decision:
        """The decision that a density is invariant, by an identity."""
        scope = Scope.of(evidence.expressions, evidence.on)
        return Decision(Finding(self.claim, Verdict.PROVEN, (evidence,), scope), logarithm, logarithm_of_density)

    def refuted(self, evidence: AbstractEvidence, scope: Scope | None = None) -> Decision:
        """The decision that there is no density, by evidence that checks itself."""
        return Decision(Finding(self.claim, Verdict.REFUTED, (evidence,), scope or Scope()))

    def by_misfits(self, misfits: list[Quantity], minors: Sequence[Expr] | None = ()) -> Finding:
        """The first misfit that does not vanish, and the values of free parameters for which alone all do, or the basis behind them is none."""
        motion = self.motion
        found = vanishing(self.claim, "the misfit of every bracket", misfits, motion.on)
        every = [[each.value for each in misfits], *([minors] if minors else [])]
        kinds = [special_values(each, {*motion.coordinates, time}, motion.on) for each in every]
        special = None if minors is None else reduce(either, kinds)
        return replace(found, scope=replace(found.scope, special=special))
