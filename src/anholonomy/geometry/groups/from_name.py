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
from collections.abc import Callable
from functools import lru_cache

from anholonomy.geometry.algebras.lie_algebra import LieAlgebra
from anholonomy.geometry.groups.base import AbstractGroup, Product
from anholonomy.geometry.groups.heisenberg import Heisenberg
from anholonomy.geometry.groups.matrix_group import MatrixGroup
from anholonomy.geometry.groups.se2 import SE2
from anholonomy.geometry.groups.se3 import SE3
from anholonomy.geometry.groups.semidirect import Semidirect
from anholonomy.geometry.groups.sl2r import SL2R
from anholonomy.geometry.groups.so3 import SO3, SU2
from anholonomy.geometry.groups.so21 import SO21
from anholonomy.geometry.groups.translations import Circle, Rn
from anholonomy.refusals import UnknownName

__all__ = ["GROUPS", "as_group"]

GROUPS: dict[str, Callable[[str], AbstractGroup]] = {
    "SO3": SO3,
    "SU2": SU2,
    "SE2": SE2,
    "SE3": SE3,
    "SL2R": SL2R,
    "SO21": SO21,
    "Heisenberg": Heisenberg,
}
"""Groups with fixed symbols, made from the prefix of these."""
_LISTED: dict[str, Callable[..., AbstractGroup]] = {"R": Rn, "S1": Circle, "SO2": Circle}
"""Groups with coordinates that are named one by one."""


def as_group(given: AbstractGroup | str) -> AbstractGroup:
    """A group, or the one that a text names.

    >>> as_group("SO3:ball_ * R(x, y)")
    SO3:ball_ * R(x, y)
    >>> as_group("R(s) @ R(x, y)[exp(s), 0; 0, exp(-s)]").algebra.name
    'e(1,1)'
    >>> as_group("SO4")
    Traceback (most recent call last):
    anholonomy.refusals.UnknownName: there is no group 'SO4'; choose from SO3, SU2, SE2, SE3, SL2R, SO21, Heisenberg, R(x, …), S1(phi, …), Matrices(…), or join them with * and @.
    """
    if isinstance(given, AbstractGroup):
        return given
    if isinstance(given, type) and issubclass(given, AbstractGroup):
        raise UnknownName(f"the group is the class {given.__name__}; call it, {given.__name__}(…), to make one.")
    if isinstance(given, LieAlgebra):
        raise UnknownName(
            f"the group is a {given!r:.60}, and an algebra alone does not say which of its groups is meant; give matrices that "
            "close as it does, MatrixGroup([…])."
        )
    if not isinstance(given, str):
        raise UnknownName(f"the group is {given!r:.60}; give one, such as SO3(), or its name, such as 'SO3'.")
    return _named(given)


@lru_cache(maxsize=64)
def _named(text: str) -> AbstractGroup:
    factors = [_factor(part) for part in _split(text, "*")]
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


def _factor(text: str) -> AbstractGroup:
    acting, *moved = _split(text, "@")
    if len(moved) == 1 and (found := re.fullmatch(r"R\(([^()]*)\)\s*(?:\[(.*)\])?", moved[0], re.DOTALL)):
        names = [name.strip() for name in found[1].split(",")]
        rows = None if found[2] is None else [_split(row, ",") for row in _split(found[2], ";")]
        inner = acting[1:-1] if acting.startswith("(") and acting.endswith(")") else acting
        return Semidirect(as_group(inner), names, rows)
    if not moved and (found := re.fullmatch(r"(\w+)\s*(?::(\w+))?\s*(?:\((.*)\))?", text, re.DOTALL)):
        name, prefix, inside = found[1], found[2] or "", found[3]
        if inside is not None and not prefix and name in _LISTED:
            return _LISTED[name](*(each.strip() for each in inside.split(",")))
        if inside is not None and name == "Matrices":
            return MatrixGroup([[row.split() for row in E.split(";")] for E in inside.split("|")], prefix)
        if inside is None and name in GROUPS:
            return GROUPS[name](prefix)
        if inside is None and (sized := re.fullmatch(r"Heisenberg(\d{1,2})", name)):
            return Heisenberg(prefix, int(sized[1]))
    listed = ("R(x, …)", "S1(phi, …)", "Matrices(…)")
    raise UnknownName(
        f"there is no group {text!r}; choose from {', '.join((*GROUPS, *listed))}, or join them with * and @."
    )
