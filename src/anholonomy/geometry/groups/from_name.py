"""Groups from their names: ``SO3``, ``SO3:ball_ * R(x, y)``; what `AbstractGroup.name` says is read back.

A colon gives the symbols of a group a prefix, ``*`` joins groups side by side, ``@`` lets a group act on translations::

    SE2:car_ * S1(phi)
    Heisenberg5
    Matrices(0 -1; 1 0)                               a basis of matrices, separated by |
    SO3 @ R(x, y, z)                                  the group's own matrix acts
    R(s) @ R(x, y)[exp(s), 0; 0, exp(-s)]             the matrix that acts
"""

from __future__ import annotations

import re
from functools import lru_cache

from anholonomy.base.errors import UnknownNameError
from anholonomy.geometry.groups.base import AbstractGroup, Product
from anholonomy.geometry.groups.semidirect import Semidirect
from anholonomy.language.suggestions import same_name

__all__ = ["read_group"]


@lru_cache(maxsize=64)
def read_group(text: str, kinds: tuple[type[AbstractGroup], ...]) -> AbstractGroup:
    """The group that a text names, each of its parts being of one of the kinds."""
    factors = [_factor(part, kinds) for part in _split(text, "*")]
    return factors[0] if len(factors) == 1 else Product(*factors)


def _split(text: str, mark: str) -> list[str]:
    """The parts between marks that stand outside of brackets."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter in "([") - (letter in ")]")
        if letter == mark and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts]


def _factor(text: str, kinds: tuple[type[AbstractGroup], ...]) -> AbstractGroup:
    acting, *moved = _split(text, "@")
    if len(moved) == 1 and (found := re.fullmatch(r"R\(([^()]*)\)\s*(?:\[(.*)\])?", moved[0], re.DOTALL)):
        names = [name.strip() for name in found[1].split(",")]
        rows = None if found[2] is None else [_split(row, ",") for row in _split(found[2], ";")]
        inner = acting[1:-1] if acting.startswith("(") and acting.endswith(")") else acting
        return Semidirect(read_group(inner, kinds), names, rows)
    if not moved and (found := re.fullmatch(r"(\w+)\s*(?::(\w+))?\s*(?:\((.*)\))?", text, re.DOTALL)):
        for kind in kinds:
            if group := kind.read(found[1], found[2] or "", found[3]):
                return group
    examples = [kind.examples[0] for kind in kinds]
    if meant := same_name(text, examples):
        raise UnknownNameError(f"there is no group {text!r}; did you mean {meant!r}?")
    raise UnknownNameError(f"there is no group {text!r}; write it like one of {', '.join(examples)}.")
