"""A finding: a claim about a connection, and the tensor that must vanish for it to hold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from anholonomy.geometry.special_values import SpecialValues, special_values
from anholonomy.geometry.tensor import Tensor
from anholonomy.language.brevity import Readable
from anholonomy.lazy import cached_property
from anholonomy.verdict import Verdict

__all__ = ["Finding"]


@final
@dataclass(frozen=True, repr=False)
class Finding(Readable):
    """A claim with its evidence; true only where it is proven.

    Attributes
    ----------
    claim
        What is claimed, in words.
    residual
        The tensor that is zero exactly when the claim holds.

    Examples
    --------
    >>> from anholonomy.geometry.frame import Frame
    >>> finding = Finding("it is flat", Tensor.of(Frame(["x"]), "uddd", {}, "R"))
    >>> bool(finding), finding.verdict
    (True, <Verdict.PROVEN: 'proven'>)
    >>> print(finding)
    it is flat: proven, R = 0
    """

    claim: str
    residual: Tensor

    @cached_property
    def verdict(self) -> Verdict:
        """What is proven about the residual."""
        return self.residual.is_zero()

    @cached_property
    def special(self) -> SpecialValues | None:
        """Of a refuted claim, the values of free parameters for which alone it may hold; None where that was not decided."""
        if self.verdict is not Verdict.REFUTED:
            return SpecialValues(())
        frame = self.residual.frame
        return special_values((value for _, value in self.residual.items), frame.coordinates, frame.orbit)

    def __bool__(self) -> bool:
        return self.verdict is Verdict.PROVEN

    def lines(self, whole: bool = False) -> list[str]:
        """The claim, the verdict, and what refutes it."""
        if self:
            return [f"{self.claim}: proven, {self.residual.letter} = 0"]
        if self.verdict is Verdict.UNKNOWN:
            return [f"{self.claim}: unknown, it holds exactly if {self.residual.letter} = 0"]
        where = f"; it holds only where {self.special.text(whole)}" if self.special else ""
        return [f"{self.claim}: refuted, {'; '.join(self.residual.lines(whole))}{where}"]
