"""The exceptions of the package: one base, one sentence each.

Every exception that a user's input can provoke is a `Refusal`. Its text is the sentence the command
line prints, so it names the culprit and the cure and reads well without a traceback.
"""

from __future__ import annotations

__all__ = [
    "Refusal", "SyntaxProblem", "IllPosedSystem", "InadmissibleState", "BrokenFile", "NotCovered", "UnknownName",
    "IntegrationProblem", "GaveUp",
]  # fmt: skip


class Refusal(Exception):
    """Something was asked that cannot be done; the text says why and what would help."""


class SyntaxProblem(Refusal):
    """A text is not an expression or equation of the language."""


class IllPosedSystem(Refusal):
    """A declaration does not describe a mechanical system."""


class InadmissibleState(Refusal):
    """A state is incomplete or violates the constraints."""


class BrokenFile(Refusal):
    """A file cannot be read as what it claims to be."""


class NotCovered(Refusal):
    """A principle was asked for a system outside its scope."""


class UnknownName(Refusal):
    """A name is not one of those that exist here."""


class IntegrationProblem(Refusal):
    """A motion cannot be integrated as asked."""


class GaveUp(Refusal):
    """A question took longer than it was given."""
