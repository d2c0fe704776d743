"""Did you mean ...? Misspelt names, and misspelt or missing keywords of a call, refused in a sentence that says what was meant."""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from anholonomy.language.syntax_errors import rate_meant

__all__ = ["did_you_mean", "misfit", "near_symbol", "nearest", "same_name"]


_FEW = 3
"""How many names a sentence suggests."""


def same_name(word: object, known: Iterable[str]) -> str | None:
    """The one of some names that a word is, but for case, blanks, hyphens, underscores and apostrophes.

    >>> same_name("Lagrange_d'Alembert", ["hamel", "lagrange-dalembert"])
    'lagrange-dalembert'
    """
    alike = [name for name in known if isinstance(word, str) and _bare(name) == _bare(word)]
    return str(word) if word in alike else alike[0] if len(alike) == 1 else None


def nearest(word: object, known: Iterable[str]) -> list[str]:
    """At most three names: those that contain the word, and otherwise the one spelt most like it.

    >>> nearest("sleigh", ["chaplygin-sleigh", "skate"]), nearest("hamell", ["hamel", "kane"])
    (['chaplygin-sleigh'], ['hamel'])
    """
    names, bare = {_bare(name): name for name in known}, _bare(str(word))
    inside = [name for key, name in names.items() if len(bare) > _FEW and bare in key]
    return inside[:_FEW] or [names[key] for key in difflib.get_close_matches(bare, names, 1)]


def did_you_mean(word: object, known: Iterable[str]) -> str:
    """A question with a blank after it, or nothing where no name is near.

    >>> did_you_mean("ball", ["rolling-ball", "rubber-ball"]), did_you_mean("xyz", ["hamel"])
    ("did you mean 'rolling-ball' or 'rubber-ball'? ", '')
    """
    *others, last = [repr(name) for name in nearest(word, known)] or [""]
    said = f"{', '.join(others)} or {last}" if others else last
    return f"did you mean {said}? " if said else ""


def near_symbol(name: str, known: Iterable[str]) -> str | None:
    """The symbol that is meant, primes and all: a rate in another notation, or the one spelt most like it.

    >>> near_symbol("xdot", ["x", "x'"]), near_symbol("tehta", ["theta", "theta'"])
    ("x'", 'theta')
    """
    known = sorted(known)
    meant = rate_meant([name], known)
    return meant[1] if meant and meant[1] in known else next(iter(difflib.get_close_matches(name, known, 1)), None)


def _bare(name: str) -> str:
    return "".join(character for character in name.lower() if character.isalnum())


# Keywords of a call.


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
