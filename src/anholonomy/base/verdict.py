"""Proven, refuted or unknown: three answers to every question, and only the first is true."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum

__all__ = ["Verdict"]


class Verdict(Enum):
    """What is known of a claim; true in an ``if`` only when it is proven.

    ``not verdict`` says *not proven*, of an unknown claim too; ask ``is_refuted`` for *proven false*.

    >>> [bool(verdict) for verdict in (Verdict.PROVEN, Verdict.REFUTED, Verdict.UNKNOWN)]
    [True, False, False]
    >>> (not Verdict.UNKNOWN), Verdict.UNKNOWN.is_refuted
    (True, False)
    """

    PROVEN = "proven"
    REFUTED = "refuted"
    UNKNOWN = "unknown"

    def __bool__(self) -> bool:
        return self is Verdict.PROVEN

    def __str__(self) -> str:
        return str(self.value)

    @property
    def is_proven(self) -> bool:
        """Whether the claim is proven to hold."""
        return self is Verdict.PROVEN

    @property
    def is_refuted(self) -> bool:
        """Whether the claim is proven to fail."""
        return self is Verdict.REFUTED

    @property
    def is_unknown(self) -> bool:
        """Whether neither is proven."""
        return self is Verdict.UNKNOWN

    @classmethod
    def of(cls, answer: bool | None) -> Verdict:
        """The verdict of a yes, a no, or None for neither.

        >>> Verdict.of(None)
        <Verdict.UNKNOWN: 'unknown'>
        """
        return cls.UNKNOWN if answer is None else cls.PROVEN if answer else cls.REFUTED

    @classmethod
    def on_all(cls, verdicts: Iterable[Verdict]) -> Verdict:
        """The verdict on claims taken together: one that fails refutes them, and otherwise one unknown leaves them unknown.

        >>> Verdict.on_all([Verdict.PROVEN, Verdict.UNKNOWN, Verdict.REFUTED])
        <Verdict.REFUTED: 'refuted'>
        >>> Verdict.on_all([])
        <Verdict.PROVEN: 'proven'>
        """
        found = cls.PROVEN
        for verdict in verdicts:
            if verdict.is_refuted:
                return verdict
            found = found if verdict else verdict
        return found
