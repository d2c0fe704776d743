"""A finding: a claim, what is known of it, why, and what it holds for."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, final

from anholonomy.displays.typeset import Typeset
from anholonomy.findings.evidence import AbstractEvidence, Reason
from anholonomy.findings.scope import Scope
from anholonomy.findings.words import in_words
from anholonomy.language.brevity import Readable
from anholonomy.verdict import Verdict

__all__ = ["CarriesFinding", "Finding"]


class Decided:
    """What has a verdict, and is true in an ``if`` only when that is proven."""

    __slots__ = ()

    if TYPE_CHECKING:  # a field of some, a property of others

        @property
        def verdict(self) -> Verdict: ...

    def __bool__(self) -> bool:
        return self.verdict.is_proven

    @property
    def is_proven(self) -> bool:
        """Whether the claim is proven to hold."""
        return self.verdict.is_proven

    @property
    def is_refuted(self) -> bool:
        """Whether the claim is proven to fail."""
        return self.verdict.is_refuted

    @property
    def is_unknown(self) -> bool:
        """Whether neither is proven."""
        return self.verdict.is_unknown


@final
@dataclass(frozen=True, repr=False)
class Finding(Decided, Typeset, Readable):
    """A claim with its verdict and its evidence; true in an ``if`` only when it is proven.

    ``not finding`` says *not proven*, of an unknown claim too; ask ``is_refuted`` for *proven false*.

    Attributes
    ----------
    claim
        What is claimed, in words.
    verdict
        Whether it is proven, refuted or unknown.
    evidence
        What the verdict rests on: identities, a witness point, bounds, reasons.
    scope
        What the verdict holds for.

    Examples
    --------
    >>> import anholonomy as ah
    >>> closed = ah.Form(ah.Frame(["x", "y"]), "x*dy").is_closed()
    >>> bool(closed), closed.is_refuted
    (False, True)
    >>> print(closed)
    the form is closed: refuted, dω_xy = 1
    >>> closed.check()
    <Verdict.PROVEN: 'proven'>
    """

    claim: str
    verdict: Verdict
    evidence: tuple[AbstractEvidence, ...] = ()
    scope: Scope = field(default_factory=Scope)

    @classmethod
    def unknown(cls, claim: str, why: object) -> Finding:
        """Neither proven nor refuted, for a reason in words, or for what ended the search: too little time, or a key.

        >>> print(Finding.unknown("there is a measure", KeyboardInterrupt()))
        there is a measure: unknown, interrupted
        """
        return cls(claim, Verdict.UNKNOWN, (Reason(str(why) or "interrupted"),))

    def check(self) -> Verdict:
        """Whether all of the evidence stands when it is gone through once more; unknown where there is none to go through."""
        return Verdict.on_all(each.check() for each in self.evidence) if self.evidence else Verdict.UNKNOWN

    def lines(self, whole: bool = False) -> list[str]:
        """The claim, the verdict with its scope, and the evidence, in a sentence."""
        scope = self.scope.text(whole) if self.is_proven else self.scope.points
        said = " ".join(filter(None, (str(self.verdict), scope)))
        parts = dict.fromkeys((*(each.text(whole) for each in self.evidence), self._exception(whole)))
        why = "; ".join(filter(None, parts))
        return [f"{self.claim}: {said}" + (f", {why}" if why else "")]

    def _exception(self, whole: bool) -> str:
        return f"{self._only} {self.scope.special.text(whole)}" if self.scope.special else ""

    @property
    def _only(self) -> str:
        return "it holds only where" if self.is_refuted else "it may fail only where"

    def latex(self) -> str:
        r"""The same in LaTeX, words inside ``\text``.

        >>> import anholonomy as ah
        >>> print(ah.Form(ah.Frame(["x", "y"]), "x*dx").is_closed().latex())
        \text{the form is closed: proven, } dω = 0
        """
        scope = self.scope.text() if self.is_proven else self.scope.points
        head = f"{self.claim}: {' '.join(filter(None, (str(self.verdict), scope)))}"
        parts = list(dict.fromkeys(each.latex() for each in self.evidence))
        if self.scope.special:
            parts.append(f"{in_words(self._only + ' ')} {self.scope.special.latex()}")
        return " ".join([in_words(head + (", " if parts else "")), r";\ ".join(parts)]).strip()

    def to_dict(self) -> dict[str, Any]:
        """Plain data: the claim, the verdict and the evidence in words."""
        only = self.scope.special.text() if self.scope.special else ""
        evidence = [each.text() for each in self.evidence]
        return {"claim": self.claim, "verdict": str(self.verdict), "evidence": evidence, "special": only}


class CarriesFinding(Decided):
    """An answer that tells more than its finding, and is true where that is proven."""

    __slots__ = ()

    if TYPE_CHECKING:  # a field of some, a property of others

        @property
        def finding(self) -> Finding: ...

    @property
    def verdict(self) -> Verdict:
        """Whether the claim is proven, refuted or unknown."""
        return self.finding.verdict
