"""The exceptions of the package: one base, one sentence each.

Every exception that a user's input can provoke is an `Error`. Its text is the sentence the command
line prints, so it names the culprit and the cure and reads well without a traceback.
"""

from __future__ import annotations

import re

__all__ = [
    "Error", "ExpressionError", "DeclarationError", "ArgumentError", "StateError", "FileError", "NotSupportedError", "UnknownNameError",
    "IntegrationError", "TimeLimitError",
]  # fmt: skip
"""The errors, which are also what `anholonomy.errors` offers."""

_OBJECT = re.compile(r"<(?:[\w.<>]*\.)?(\w+) object at 0x[0-9a-f]+>")
_CLASS = re.compile(r"<class '(?:[\w.<>]*\.)?(\w+)'>")


class Error(Exception):
    """Something was asked that cannot be done; the text says why and what would help."""


class ExpressionError(Error):
    """A text is not an expression or equation of the language."""


class DeclarationError(Error):
    """A declaration does not describe a mechanical system."""


class ArgumentError(Error, ValueError):
    """An argument of a call has a wrong value; the declaration is not to blame."""


class StateError(Error):
    """A state is incomplete or violates the constraints."""


class FileError(Error):
    """A file cannot be read as what it claims to be."""


class NotSupportedError(Error):
    """A principle was asked for a system outside its scope."""


class UnknownNameError(Error):
    """A name is not one of those that exist here."""


class IntegrationError(Error):
    """A motion cannot be integrated as asked."""


class TimeLimitError(Error):
    """A question took longer than it was given."""


def quoted(value: object, longest: int = 60) -> str:
    """A value as a message shows it: on one line, cut where it is long, an object of Python by its class.

    >>> quoted("a\\nb"), quoted(["x" * 70], 20), quoted(object()), quoted(int)
    ("'a\\\\nb'", "['xxxxxxxxxxxxxxxxx…", 'an object of the class object', 'the class int')
    """
    text = _OBJECT.sub(r"an object of the class \1", " ".join(repr(value).split()))
    text = _CLASS.sub(r"the class \1", text)
    return text if len(text) <= longest else f"{text[: longest - 1]}…"
