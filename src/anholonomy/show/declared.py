"""What the declaration that travels with a motion says of its coordinates: which are lengths and which are angles."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

import symengine

from anholonomy.symbolic.expressions import Expr, Symbol
from anholonomy.system.declare import declare
from anholonomy.system.files import from_toml
from anholonomy.system.model import Model

if TYPE_CHECKING:
    import xarray as xr

__all__ = ["coordinate_kinds", "declared_model"]

_PLACE = re.compile(r"(.*_)?[xyzXYZ](_?\d*)")
"""Names that stand for places, such as ``x``, ``y2`` or ``ball_z``."""
_CIRCULAR = (symengine.sin, symengine.cos, symengine.tan)


def declared_model(data: xr.Dataset) -> Model | None:
    """The system of a motion, without verbs; None where the motion does not say."""
    text = str(data.attrs.get("declaration", ""))
    return _model(text) if text else None


@lru_cache(maxsize=8)
def _model(text: str) -> Model:
    return declare(**from_toml(text, "the trajectory's declaration"))


def coordinate_kinds(data: xr.Dataset) -> dict[str, str]:
    """By coordinate ``"length"``, ``"angle"`` or nothing: as declared, or else by name and by what stands inside a sine."""
    names = [str(name) for name in data["coordinate"].values]
    model = declared_model(data)
    if model is None:
        return dict.fromkeys(names, "")
    turning = _inside_circular_functions(model)
    kinds = {}
    for q, kind in zip(model.coordinates, model.coordinate_kinds, strict=True):
        guess = "length" if _PLACE.fullmatch(q.name) else "angle" if q in turning else ""
        kinds[q.name] = kind or guess
    return kinds


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
