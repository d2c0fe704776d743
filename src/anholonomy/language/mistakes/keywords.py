"""A misspelt or missing word of a call is a mistake like others: refused in a sentence, with what was meant."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from anholonomy.language.mistakes.nearest import did_you_mean
from anholonomy.refusals import UnknownName

__all__ = ["misfit", "with_known_keywords", "with_known_verbs"]

P = ParamSpec("P")
R = TypeVar("R")
C = TypeVar("C", bound=type)


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
                if why := misfit(name, inspect.signature(method), args[1:], words):
                    raise UnknownName(why) from None
                raise

        return asked

    return made


def with_known_verbs(below: type = object) -> Callable[[C], C]:
    """A class whose public methods say so of words they do not take; inherited ones too, but for those of what is ``below`` it."""

    def made(noun: C) -> C:
        kinds = [kind for kind in reversed(noun.__mro__) if not issubclass(below, kind)]
        for name, verb in {name: verb for kind in kinds for name, verb in vars(kind).items()}.items():
            if inspect.isfunction(verb) and not name.startswith("_"):
                setattr(noun, name, with_known_keywords(name)(verb))
        return noun

    return made


def misfit(name: str, signature: inspect.Signature, values: Sequence[Any], words: Mapping[str, Any]) -> str:
    """Why values and words do not fit a method: one is unknown, without its name, given twice or missing; nothing where they fit.

    >>> misfit("a Sphere", inspect.signature(lambda self, radius, *, at=None: ...), [], {})
    'a Sphere needs `radius`; its words are radius, at.'
    """
    _, *parameters = signature.parameters.values()
    if any(each.kind in (each.VAR_KEYWORD, each.VAR_POSITIONAL) for each in parameters):
        return ""
    known = [each.name for each in parameters]
    placed = [each.name for each in parameters if each.kind is not each.KEYWORD_ONLY]
    named = [word for word in known if word not in placed]
    needed = [each.name for each in parameters[len(values) :] if each.default is each.empty and each.name not in words]
    if unknown := [word for word in words if word not in known]:
        near = did_you_mean(unknown[0], known)
        return f"{name} has no {unknown[0]!r}; {near}{'I' if near else 'i'}ts words are {', '.join(known)}."
    if len(values) > len(placed):
        after = f"after {', '.join(placed)} its words" if placed else "its words"
        stranger = f"{name} does not know what {values[len(placed)]!r:.60} is"
        return f"{stranger}; {after} are given by name: {', '.join(named) or 'there are none'}."
    if twice := [word for word in placed[: len(values)] if word in words]:
        return f"{name} is given {twice[0]!r} twice; give it once."
    if needed:
        return f"{name} needs {' and '.join(f'`{word}`' for word in needed)}; its words are {', '.join(known)}."
    return ""
