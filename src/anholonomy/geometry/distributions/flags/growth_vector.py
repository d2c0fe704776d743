"""Growth vectors: the dimensions of a flag, with what is known of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias, final

from anholonomy.displays.shown import Shown
from anholonomy.findings import Finding, Reason, Scope, SpecialValues
from anholonomy.language import to_text
from anholonomy.symbolic.expressions import Expr
from anholonomy.verdict import Verdict

__all__ = ["Evidence", "GrowthVector"]

Evidence: TypeAlias = Literal["exact", "certified below, sampled above", "sampled", "certified below"]


@final
class GrowthVector(Shown, tuple[int, ...]):
    """Dimensions of the flag, until they stop growing.

    ``evidence`` is ``"exact"``; or ``"certified below, sampled above"``, every dimension a proven lower bound that random points
    did not exceed; or ``"sampled"``, where entries have no normal form; or ``"certified below"`` where the flag may go on: at a
    point where the brackets looked at did not yet reach the generic dimension, or where the next step outgrows exact algebra.
    ``special`` are the values of free parameters for which alone a dimension may be smaller; None where that was not looked for.
    ``read`` are the floats of the place that were taken for multiples of pi, by coordinate; ``where`` is the place in words, and
    ``why`` the reason that the flag ends there.

    >>> GrowthVector((2, 3)) == (2, 3), GrowthVector((2, 3)).evidence
    (True, 'exact')
    """

    evidence: Evidence
    special: SpecialValues | None
    read: Mapping[str, Expr]
    where: str
    why: str

    @property
    def is_settled(self) -> bool:
        """Whether the flag ends here; otherwise longer brackets than those looked at might still add to it."""
        return self.evidence != "certified below"

    @property
    def is_certified(self) -> bool:
        """Whether every dimension is at least a proven lower bound."""
        return self.evidence != "sampled"

    @property
    def finding(self) -> Finding:
        """That these are the dimensions: proven where they are exact, otherwise unknown."""
        why = self.why if self.is_settled else "and may go on"
        return Finding(
            f"the growth vector is {self}",
            Verdict.of(self.evidence == "exact" or None),
            (Reason(f"the dimensions are {self.evidence}" + (f", {why}" if why else "")),),
            Scope(points=self.where, special=self.special),
        )

    def __repr__(self) -> str:
        return super().__repr__() + self._besides

    def __str__(self) -> str:
        # As mathematics writes it: one dimension alone has no comma.
        return f"({', '.join(map(str, self))}){self._besides}"

    @property
    def _besides(self) -> str:
        place = ", ".join(f"{name} was read as {to_text(value)}" for name, value in self.read.items())
        return ("" if self.is_settled else " so far") + (f" ({place})" if place else "")

    def __new__(
        cls,
        dimensions: Sequence[int],
        evidence: Evidence = "exact",
        special: SpecialValues | None = None,
        read: Mapping[str, Expr] | None = None,
        where: str = "",
        why: str = "",
    ) -> GrowthVector:
        made = super().__new__(cls, dimensions)
        made.evidence, made.special, made.read = evidence, special, {} if read is None else read
        made.where, made.why = where, why
        return made
