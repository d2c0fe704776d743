"""Names of curves: units beside them, and kinds of coordinates, lengths or angles."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

import symengine

from anholonomy.algebra.expressions import Expr, Symbol
from anholonomy.base.errors import Error
from anholonomy.language.arguments import expression
from anholonomy.show.style import math
from anholonomy.system.model import Model
from anholonomy.system.units.checking import dimension_in, dimensions_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from anholonomy.system.units.dimension import Dimension

__all__ = [
    "add_units",
    "axis_label",
    "coordinate_kinds",
    "declared_kinds",
    "rate_units",
    "shown_unit",
    "unit_in",
    "with_unit",
]


# Units, where the declaration has them.


def axis_label(model: Model, name: str) -> str:
    """A name as mathematics with its unit."""
    return with_unit(math(name), unit_in(model, name))


def add_units(ax: Axes, model: Model, x: str = "", y: str = "") -> None:
    """Put the units of names behind what the axes are called already."""
    if x:
        ax.set_xlabel(with_unit(ax.get_xlabel(), unit_in(model, x)))
    if y:
        ax.set_ylabel(with_unit(ax.get_ylabel(), unit_in(model, y)))


def with_unit(text: str, unit: str) -> str:
    return f"{text} ({unit})" if unit else text


def unit_in(model: Model, name: str) -> str:
    """The unit of a name of a system, such as ``m/s``, or of an expression of such names; nothing if the system has no units."""
    if not model.units:
        return ""
    if declared_kinds(model).get(name.rstrip("'")) == "angle":
        return {0: "rad", 1: "rad/s"}.get(len(name) - len(name.rstrip("'")), "")
    if name == "t":
        return "s"
    known = dimensions_of(model)
    found = known[name] if name in known.of else _of_expression(model, name)
    return found.symbol if found is not None else ""


def _of_expression(model: Model, text: str) -> Dimension | None:
    """The dimension of what is computed; None if it is not known."""
    try:
        return dimension_in(model, expression(text, "the quantity"))
    except Error:  # a title, such as "final speed"
        return None


def shown_unit(model: Model, name: str) -> str:
    """The unit of a name; radians for an angle that is declared so, also in a system without units."""
    return unit_in(model, name) or ("rad" if declared_kinds(model).get(name) == "angle" else "")


def rate_units(model: Model) -> tuple[str, str]:
    """The units of growth and of frequency; nothing if the system has no units."""
    return ("1/s", "rad/s") if model.units else ("", "")


# Kinds of coordinates.


_PLACE = re.compile(r"(.*_)?[xyzXYZ](_?\d*)")
"""Names that stand for places, such as ``x``, ``y2`` or ``ball_z``."""
_CIRCULAR = (symengine.sin, symengine.cos, symengine.tan)


def declared_kinds(model: Model) -> dict[str, str]:
    """By coordinate what was declared: ``"length"``, ``"angle"`` or nothing."""
    return dict(zip((q.name for q in model.coordinates), model.coordinate_kinds, strict=True))


@lru_cache(maxsize=64)
def coordinate_kinds(model: Model) -> Mapping[str, str]:
    """By coordinate ``"length"``, ``"angle"`` or nothing: as declared, or else by name and by what stands inside a sine."""
    turning = {q.name for q in _inside_circular_functions(model)}
    return {
        name: kind or ("length" if _PLACE.fullmatch(name) else "angle" if name in turning else "")
        for name, kind in declared_kinds(model).items()
    }


def _inside_circular_functions(model: Model) -> set[Symbol]:
    found: set[Symbol] = set()
    seen: set[Expr] = set()
    todo: list[Expr] = [model.lagrangian, *model.forces_a, *(c.declared for c in model.constraints)]
    while todo:
        each = todo.pop()
        if isinstance(each, _CIRCULAR):
            found |= each.free_symbols
        todo += set(each.args) - seen
        seen |= set(each.args)
    return found & set(model.coordinates)
