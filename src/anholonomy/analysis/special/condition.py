"""A condition on parameters under which more is conserved."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, final

from anholonomy.analysis.law import Law
from anholonomy.findings import CarriesFinding, Finding, SpecialValues
from anholonomy.findings.words import in_words
from anholonomy.language.brevity import Readable
from anholonomy.language.writing import to_text
from anholonomy.symbolic.expressions import Expr

__all__ = ["Condition"]


@final
@dataclass(frozen=True, repr=False)
class Condition(CarriesFinding, Readable):
    """What holds for special values of parameters alone; true in an ``if`` when there is something, proven.

    Attributes
    ----------
    condition
        The equations for the parameters.
    values
        Parameters by the others, as the equations were solved; empty where they were not.
    laws
        What is conserved then and does not follow from what is conserved in general.
    finding
        That there are such laws; unknown where the condition could not be gone through.
    """

    condition: SpecialValues
    values: Mapping[str, Expr]
    laws: tuple[Law, ...]
    finding: Finding

    def lines(self, whole: bool = False) -> list[str]:
        """The condition, and the laws below it."""
        if not self.laws:
            why = ", ".join(each.text(whole) for each in self.finding.evidence)
            return [f"if {self.condition.text(whole)}: {self.finding.verdict}, {why}"]
        return [f"if {self.condition.text(whole)}:", *(f"  {line}" for law in self.laws for line in law.lines(whole))]

    def latex(self) -> str:
        r"""The same in LaTeX, on one line."""
        said = r",\quad ".join(law.latex() for law in self.laws) or self.finding.latex()
        return rf"{in_words('if ')} {self.condition.latex()}: \quad {said}"

    def to_dict(self) -> dict[str, Any]:
        """Plain data: the condition, the values, the laws and the verdict."""
        return {
            "condition": self.condition.text(),
            "values": {name: to_text(value) for name, value in self.values.items()},
            "laws": [law.to_dict() for law in self.laws],
            "verdict": str(self.finding.verdict),
        }
