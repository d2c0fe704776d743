"""Groups from their names: ``SO3``, ``SO3:ball_ * R(x, y)``; what `AbstractGroup.name` says is read back."""

from __future__ import annotations

from collections.abc import Callable

from anholonomy.geometry.groups.base import AbstractGroup, Product
from anholonomy.geometry.groups.so3 import SO3
from anholonomy.geometry.groups.translations import Circle, Rn
from anholonomy.language import check_name
from anholonomy.refusals import UnknownName

__all__ = ["GROUPS", "as_group"]

GROUPS: dict[str, Callable[[str], AbstractGroup]] = {"SO3": SO3}
"""Groups with fixed symbols, made from the prefix of these."""
_LISTED: dict[str, Callable[..., AbstractGroup]] = {"R": Rn, "S1": Circle}
"""Groups with coordinates that are named one by one."""


def as_group(given: AbstractGroup | str) -> AbstractGroup:
    """A group, or the one that a text names.

    >>> as_group("SO3:ball_ * R(x, y)")
    SO3:ball_ * R(x, y)
    >>> as_group("SO4")
    Traceback (most recent call last):
    anholonomy.refusals.UnknownName: there is no group 'SO4'; choose from SO3, R(x, …), S1(theta, …), or join them with *.
    """
    if isinstance(given, AbstractGroup):
        return given
    factors = [_factor(text.strip()) for text in str(given).split("*")]
    return factors[0] if len(factors) == 1 else Product(*factors)


def _factor(text: str) -> AbstractGroup:
    head, _, rest = text.partition("(")
    if rest.endswith(")") and head.strip() in _LISTED:
        return _LISTED[head.strip()](*(name.strip() for name in rest[:-1].split(",")))
    name, _, prefix = text.partition(":")
    if name in GROUPS:
        if prefix:
            check_name(prefix, "the prefix")
        return GROUPS[name](prefix)
    listed = (f"{name}({example}, …)" for name, example in (("R", "x"), ("S1", "theta")))
    raise UnknownName(f"there is no group {text!r}; choose from {', '.join((*GROUPS, *listed))}, or join them with *.")
