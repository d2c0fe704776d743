"""Names that were nearly right: taken where only case and hyphens differ, and otherwise the nearest ones are suggested."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from anholonomy.language.mistakes.foreign import rate_meant

__all__ = ["did_you_mean", "near_symbol", "nearest", "same_name"]

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
