"""What inputs reach, as an answer: two findings, the brackets they rest on, and kinematic reductions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from anholonomy.findings.finding import Finding
from anholonomy.language.brevity import Readable
from anholonomy.verdict import Verdict

__all__ = ["Controllability"]


@final
@dataclass(frozen=True, repr=False)
class Controllability(Readable):
    """Whether what acts on a system reaches every state near by; true in an ``if`` only where it is proven to do so in small times.

    Attributes
    ----------
    accessible
        That the states reached in any time from a place at rest fill an open set of states.
    small_time
        That those reached in arbitrarily small times surround the place.
    brackets
        The fields, products and brackets that span the directions, in the order in which they were needed.
    reductions
        Fields along which the system can be led as fast as one likes (decoupling fields), in the system's own directions.
    """

    system: str
    by: tuple[str, ...]
    accessible: Finding
    small_time: Finding
    brackets: tuple[str, ...] = ()
    reductions: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.small_time)

    @property
    def verdict(self) -> Verdict:
        """That of small-time controllability."""
        return self.small_time.verdict

    @property
    def findings(self) -> tuple[Finding, Finding]:
        return self.accessible, self.small_time

    def lines(self, whole: bool = False) -> list[str]:
        """Both findings, the brackets and the reductions."""
        head = f"{self.system}, by {', '.join(self.by) or 'nothing'}"
        rows = [line for each in self.findings for line in each.lines(whole)]
        rows += [f"spanned by {', '.join(self.brackets)}"] if self.brackets else []
        rows += [f"led kinematically along {each}" for each in self.reductions]
        return [head, *(f"  {row}" for row in rows)]
