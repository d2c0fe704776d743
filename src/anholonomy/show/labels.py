"""What curves are called: units, lengths or angles, a drift or a change of energy.

Units beside the names of axes, where the declaration that travels with a motion has units.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import symengine

from anholonomy.algebra.expressions import Expr, Symbol
from anholonomy.base.errors import Refusal
from anholonomy.equations.lagrangian import keeps_energy
from anholonomy.language.arguments import expression
from anholonomy.motion.dataset.one_motion import PLANNED, model_of
from anholonomy.show.style import math
from anholonomy.system.model import Model
from anholonomy.system.units.checking import dimension_in, dimensions_of

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.axes import Axes

    from anholonomy.system.units.dimension import Dimension

__all__ = [
    "coordinate_kinds",
    "declared_kinds",
    "add_units",
    "axis_label",
    "rate_units",
    "shown_unit",
    "unit_in",
    "unit_of",
    "with_unit",
    "keeps_energy",
    "must_keep_energy",
]


# What the declaration that travels with a motion says of its coordinates: which are lengths and which are angles.


_PLACE = re.compile(r"(.*_)?[xyzXYZ](_?\d*)")
"""Names that stand for places, such as ``x``, ``y2`` or ``ball_z``."""
_CIRCULAR = (symengine.sin, symengine.cos, symengine.tan)


def coordinate_kinds(data: xr.Dataset) -> dict[str, str]:
    """By coordinate ``"length"``, ``"angle"`` or nothing: as declared, or else by name and by what stands inside a sine."""
    model = model_of(data)
    turning = _inside_circular_functions(model)
    kinds = {}
    for q, kind in zip(model.coordinates, model.coordinate_kinds, strict=True):
        guess = "length" if _PLACE.fullmatch(q.name) else "angle" if q in turning else ""
        kinds[q.name] = kind or guess
    return kinds


def declared_kinds(model: Model) -> dict[str, str]:
    """By coordinate what was declared; nothing is guessed, which would take a walk through the Lagrangian."""
    return dict(zip((q.name for q in model.coordinates), model.coordinate_kinds, strict=True))


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


# Units beside the names of axes, where the declaration that travels with a motion has units.


def unit_of(data: xr.Dataset, name: str) -> str:
    """The unit of a name of a motion, such as ``m/s``; nothing where none is known or the system has no units."""
    return unit_in(model_of(data), name)


def unit_in(model: Model, name: str) -> str:
    """The unit of a name of a system, or of an expression of such names."""
    if not model.units:
        return ""
    kinds = dict(zip((q.name for q in model.coordinates), model.coordinate_kinds, strict=True))
    if kinds.get(name.rstrip("'")) == "angle":
        return {0: "rad", 1: "rad/s"}.get(len(name) - len(name.rstrip("'")), "")
    if name == "t":
        return "s"
    known = dimensions_of(model)
    found = known[name] if name in known.of else _of_expression(model, name)
    return found.symbol if found is not None else ""


def _of_expression(model: Model, text: str) -> Dimension | None:
    """The dimension of what is computed; None where it is not known."""
    try:
        return dimension_in(model, expression(text, "the quantity"))
    except Refusal:  # a title, such as "final speed"
        return None


def shown_unit(model: Model, name: str) -> str:
    """The unit of a name; of an angle that is declared so radians, where there are no units."""
    kinds = dict(zip((q.name for q in model.coordinates), model.coordinate_kinds, strict=True))
    return unit_in(model, name) or ("rad" if kinds.get(name) == "angle" else "")


def rate_units(model: Model) -> tuple[str, str]:
    """The units of growth and of frequency; nothing where the system has no units."""
    return ("1/s", "rad/s") if model.units else ("", "")


def with_unit(text: str, unit: str) -> str:
    return f"{text} ({unit})" if unit else text


def add_units(ax: Axes, model: Model, x: str = "", y: str = "") -> None:
    """Put the units of names behind what the axes are called already."""
    if x:
        ax.set_xlabel(with_unit(ax.get_xlabel(), unit_in(model, x)))
    if y:
        ax.set_ylabel(with_unit(ax.get_ylabel(), unit_in(model, y)))


def axis_label(data: xr.Dataset, name: str) -> str:
    """A name as mathematics with its unit."""
    return with_unit(math(name), unit_of(data, name))


# Whether a motion must keep its energy, so that a change of it is an error.


def must_keep_energy(data: xr.Dataset) -> bool:
    """Whether the system of a motion keeps its energy, and nothing drives it."""
    return data.attrs["principle"] != PLANNED and keeps_energy(model_of(data))
