"""A list of conserved quantities, with what is known about its completeness."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, final, overload

from anholonomy.analysis.law import Law
from anholonomy.analysis.special.condition import Condition
from anholonomy.displays.typeset import Typeset, aligned
from anholonomy.findings import Finding
from anholonomy.findings.words import in_words
from anholonomy.language.brevity import Readable, page

__all__ = ["Laws"]


@final
@dataclass(frozen=True, repr=False)
class Laws(Typeset, Readable):
    """Independent conserved quantities of a system, each proven.

    Attributes
    ----------
    system
        The name of the system.
    found
        The laws, functionally independent at generic points.
    completeness
        What is proven or not about others: in a class of functions, and beyond any class.
    consequences
        Other laws that are functions of these, though no polynomials in them: the energy may be among them.
    gave_up
        Why the search ended before its end; empty where it did not.
    conditions
        What is conserved for special values of the unknown parameters alone, where these were asked for.
    level
        The level on which was asked, in words; empty where all motions were meant.
    on_cover
        Further laws of whose coefficients another value comes back when an angle has turned once: no functions on the configurations.

    Examples
    --------
    >>> from anholonomy.catalogue import chaplygin_sleigh
    >>> laws = chaplygin_sleigh(m=None, I=None, a=None).conserved()
    >>> len(laws), laws[0].kind
    (1, 'energy')
    """

    system: str
    found: tuple[Law, ...]
    completeness: tuple[Finding, ...]
    consequences: tuple[Law, ...] = ()
    gave_up: str = ""
    conditions: tuple[Condition, ...] = ()
    level: str = ""
    on_cover: tuple[Law, ...] = ()

    def __len__(self) -> int:
        return len(self.found)

    def __iter__(self) -> Iterator[Law]:
        return iter(self.found)

    @overload
    def __getitem__(self, index: int) -> Law: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Law, ...]: ...
    def __getitem__(self, index: int | slice) -> Law | tuple[Law, ...]:
        return self.found[index]

    @property
    def finding(self) -> Finding:
        """The strongest statement about what is missing."""
        if not self.completeness:
            return Finding.unknown("no other quantity is conserved", self.gave_up or "it was not asked")
        return self.completeness[-1]

    def lines(self, whole: bool = False) -> list[str]:
        """The laws, and what is known about others."""
        count = f"{len(self)} conserved quantit{'y' if len(self) == 1 else 'ies'}"
        where = f" where {self.level}" if self.level else ""
        lines = [f"{self.system}: {count if self.found else 'no conserved quantity'} found{where}"]
        every = (*self.found, *self.on_cover)
        for before, law in zip((None, *every), every, strict=False):
            lines += [f"  {line}" for line in (law.lines(whole) if before is None else law.lines_after(before, whole))]
        lines += [
            f"  {line.removesuffix(')')}, a function of the others)"
            for law in self.consequences
            for line in law.lines(whole)
        ]
        lines += [f"  {line}" for each in (*self.conditions, *self.completeness) for line in each.lines(whole)]
        if self.gave_up:
            lines.append(f"  unknown beyond that: {self.gave_up}")
        return page(lines, whole)

    def latex(self) -> str:
        r"""The laws in LaTeX, a line each, and what is known about others."""
        rows = [f"&{law.latex()}" for law in (*self.found, *self.on_cover)]
        rows += [f"&{each.latex()}" for each in self.conditions]
        rows += [f"&{each.latex()}" for each in self.completeness]
        rows += [f"&{in_words(self.gave_up)}"] if self.gave_up else []
        return aligned(rows)

    def to_dict(self) -> dict[str, Any]:
        """Plain data: the laws, and what is known about others."""
        known = [{"claim": each.claim, "verdict": str(each.verdict), "why": each.text()} for each in self.completeness]
        return {
            "laws": [law.to_dict() for law in self.found],
            "consequences": [law.to_dict() for law in self.consequences],
            "conditions": [each.to_dict() for each in self.conditions],
            "completeness": known,
            "gave_up": self.gave_up,
            "level": self.level,
            "on_cover": [law.to_dict() for law in self.on_cover],
        }
