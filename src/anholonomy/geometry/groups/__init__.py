"""Lie groups, in the order of tables. A new one is one new file and one new line here."""

from __future__ import annotations

from anholonomy.geometry.groups.translations import *
from anholonomy.geometry.groups.se2 import *
from anholonomy.geometry.groups.so3 import *
from anholonomy.geometry.groups.se3 import *
from anholonomy.geometry.groups.heisenberg import *
from anholonomy.geometry.groups.sl2r import *
from anholonomy.geometry.groups.so21 import *
from anholonomy.geometry.groups.matrix_group import *
from anholonomy.geometry.groups.semidirect import *
from anholonomy.geometry.groups.base import AbstractGroup as AbstractGroup, Product as Product

from anholonomy.geometry.algebras.lie_algebra import LieAlgebra
from anholonomy.geometry.groups import from_name
from anholonomy.base.registry import listed, publish
from anholonomy.base.errors import UnknownNameError, quoted

GROUPS: tuple[type[AbstractGroup], ...] = listed(globals(), AbstractGroup)
"""Every kind of group."""


def as_group(given: AbstractGroup | str) -> AbstractGroup:
    """A group, or the one that a text names.

    >>> as_group("SO3:ball_ * R(x, y)")
    SO3:ball_ * R(x, y)
    >>> as_group("R(s) @ R(x, y)[exp(s), 0; 0, exp(-s)]").algebra.name
    'e(1,1)'
    >>> as_group("SO4")
    Traceback (most recent call last):
    anholonomy.base.errors.UnknownNameError: there is no group 'SO4'; write it like one of R(x, y), S1(phi), SE2, SO3, ...
    """
    if isinstance(given, AbstractGroup):
        return given
    if isinstance(given, type) and issubclass(given, AbstractGroup):
        raise UnknownNameError(f"the group is the class {given.__name__}; call it, {given.__name__}(…), to make one.")
    if isinstance(given, LieAlgebra):
        raise UnknownNameError(
            f"the group is a {quoted(given)}, and an algebra alone does not say which of its groups is meant; give matrices that "
            "close as it does, MatrixGroup([…])."
        )
    if not isinstance(given, str):
        raise UnknownNameError(f"the group is {quoted(given)}; give one, such as SO3(), or its name, such as 'SO3'.")
    return from_name.read_group(given, GROUPS)


publish(globals())
