"""Two SymPy symbols of one name: different to SymPy, which never lets them cancel, and one and the same here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import symengine

from anholonomy.language.given import is_list
from anholonomy.system.warnings.user_line import Doubt, warn_the_user

__all__ = ["AmbiguousName", "atoms_of", "warn_of_twins"]


_USUAL = ("real", "positive", "negative", "nonnegative", "nonpositive", "nonzero", "integer")


class AmbiguousName(Doubt):
    """Two SymPy symbols of one name and different assumptions were taken for one."""


def warn_of_twins(name: str, atoms: Iterable[Any]) -> None:
    """Say which name stands for several symbols or functions of time, and in what they differ."""
    first: dict[tuple[bool, str], Any] = {}
    for own in sorted(
        {atom if atom.is_Symbol else atom.func for atom in atoms}, key=lambda own: (own.name, _assumed(own))
    ):
        twin = first.setdefault((isinstance(own, type), own.name), own)
        if twin != own:
            warn_the_user(
                f"{name}: there are two symbols called {own.name}, one {_assumed(twin)} and one {_assumed(own)}, which are "
                "different to SymPy and the same here; make it once, with the same assumptions everywhere.",
                AmbiguousName,
            )
            return


def atoms_of(thing: Any) -> Iterator[Any]:
    """SymPy's symbols and functions of time in expressions, however deep in lists and dicts."""
    if isinstance(thing, Mapping):
        for value in thing.values():
            yield from atoms_of(value)
    elif is_list(thing) and not hasattr(thing, "free_symbols"):
        for value in thing:
            yield from atoms_of(value)
    elif hasattr(thing, "atoms") and not isinstance(thing, symengine.Basic | symengine.MatrixBase):
        from sympy import Symbol
        from sympy.core.function import AppliedUndef

        yield from thing.atoms(Symbol, AppliedUndef)


def _assumed(own: Any) -> str:
    """The assumptions that a user gives; those of a function are kept among all that follow from them."""
    functions = getattr(own, "_kwargs", {})
    given = getattr(own, "_assumptions_orig", None) or {word: functions[word] for word in _USUAL if word in functions}
    said = [word if value else f"not {word}" for word, value in sorted(given.items())]
    return " and ".join(said) or "without assumptions"
