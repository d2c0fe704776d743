"""What the declaration that travels with a motion says of its coordinates: which are lengths and which are angles."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import symengine

from anholonomy.simulate.trajectories.from_dataset import model_of
from anholonomy.symbolic.expressions import Expr, Symbol
from anholonomy.system.model import Model

if TYPE_CHECKING:
    import xarray as xr

__all__ = ["coordinate_kinds", "declared_kinds"]

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
