"""The base class of bodies, joints, contacts, surfaces, supports and loads, which keeps the words it was declared with.

They are what a file holds and what a copy is made from, and two parts are equal where their words say the same.
"""

from __future__ import annotations

import abc
import inspect
import re
from collections.abc import Mapping
from functools import partial
from typing import Any, Self, final

from anholonomy.base.errors import UnknownNameError
from anholonomy.base.notebook import Shown
from anholonomy.language import to_text
from anholonomy.language.arguments import expression, is_list
from anholonomy.language.suggestions import misfit
from anholonomy.system.units.quantities import is_quantity, quantity

__all__ = ["Part", "plain"]


class Part(Shown, abc.ABC):
    """Something that is declared by the words of its constructor."""

    words: Mapping[str, Any]
    """What was given, by the name of the argument."""

    def __new__(cls, *values: Any, **words: Any) -> Self:
        made = super().__new__(cls)
        signature = inspect.signature(cls.__init__)
        try:
            given = signature.bind(made, *values, **words).arguments
        except TypeError:
            raise UnknownNameError(misfit(f"a {cls.__name__}", signature, values, words)) from None
        made.words = {word: value for word, value in list(given.items())[1:] if value is not None}
        return made

    @classmethod
    @final
    def kind(cls) -> str:
        """What a file calls it: ``knife-edge`` for a KnifeEdge."""
        return re.sub(r"(?<=[a-z])(?=[A-Z])", "-", cls.__name__).lower()

    @property
    @final
    def table(self) -> dict[str, Any]:
        """The part as a table of a file; refused where a word is no expression."""
        return {"type": self.kind(), **{word: plain(value, word) for word, value in self.words.items()}}

    @property
    def reference(self) -> Any:
        """How the words of another part name this one."""
        return self.table

    def _details(self) -> list[tuple[str, str]]:
        return [(word, _shown(value)) for word, value in self.words.items()]

    def __repr__(self) -> str:
        said = (f"{word}={_shown(value)}" for word, value in self.words.items())
        return f"{type(self).__name__}({', '.join(said)})"

    @final
    def __reduce__(self) -> Any:
        return partial(type(self), **self.words), ()

    @final
    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.table == other.table

    @final
    def __hash__(self) -> int:
        return hash((type(self), repr(self.table)))


def plain(value: Any, what: str) -> Any:
    """A word as files hold it: texts, numbers, lists and tables."""
    if isinstance(value, Part):
        return value.reference
    if isinstance(value, str | bool | int):
        return value
    if isinstance(value, float):
        return float(value)
    if isinstance(value, Mapping):
        return {str(word): plain(each, what) for word, each in value.items()}
    if is_quantity(value) and not is_list(value):
        read = quantity(value, what)
        return f"{read.number!r} {read.dimension}".strip()
    value = value.tolist() if hasattr(value, "tolist") else value
    if isinstance(value, list | tuple):
        return [plain(each, what) for each in value]
    return to_text(expression(value, what))


def _shown(value: Any) -> str:
    """A word in short: bodies by their names, lists as such, expressions as text."""
    if isinstance(value, Part):
        return repr(value.reference) if isinstance(value.reference, str) else repr(value)
    if isinstance(value, str | int | float):
        return repr(float(value) if isinstance(value, float) else value)
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_shown, value))}]"
    return str(value)
