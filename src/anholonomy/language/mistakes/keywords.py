"""A misspelt keyword of a call is a mistake like others: refused in a sentence, with what was meant."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

from anholonomy.language.mistakes.nearest import did_you_mean
from anholonomy.refusals import UnknownName

__all__ = ["with_known_keywords"]

P = ParamSpec("P")
R = TypeVar("R")


def with_known_keywords(name: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """A method that users call by that name, with a sentence for words it does not take; calls that are right cost nothing.

    >>> @with_known_keywords("System")
    ... def declare(self, *, coordinates, lagrangian): ...
    >>> declare(None, lagrangean="x'^2/2")
    Traceback (most recent call last):
    anholonomy.refusals.UnknownName: System has no 'lagrangean'; did you mean 'lagrangian'? Its words are coordinates, lagrangian.
    """

    def made(method: Callable[P, R]) -> Callable[P, R]:
        @wraps(method)
        def asked(*args: P.args, **words: P.kwargs) -> R:
            try:
                return method(*args, **words)
            except TypeError:
                _refuse_unknown(name, method, args, words)
                raise

        return asked

    return made


def _refuse_unknown(
    name: str, method: Callable[..., object], args: tuple[object, ...], words: dict[str, object]
) -> None:
    _, *parameters = inspect.signature(method).parameters.values()
    known = [each.name for each in parameters]
    for word in words:
        if word not in known:
            hint = did_you_mean(word, known)
            raise UnknownName(
                f"{name} has no {word!r}; {hint}{'I' if hint else 'i'}ts words are {', '.join(known)}."
            ) from None
    places = sum(each.kind is not each.KEYWORD_ONLY for each in parameters)
    if len(args) - 1 > places:
        raise UnknownName(
            f"{name} does not know what {args[1 + places]!r:.60} is; give it by name: {known[places]}=… or another of {', '.join(known)}."
        ) from None
