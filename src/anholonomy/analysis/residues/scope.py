"""What holds at a random point modulo a prime, in words."""

from __future__ import annotations

from anholonomy.findings import Scope
from anholonomy.system.kinds import Kind
from anholonomy.system.model import Model

__all__ = ["generic"]


def generic(model: Model) -> Scope:
    """Where ranks at a point hold: where the declared values do, and off what constraints on positions single out."""
    levels = any(Kind.POSITION in c.kind for c in model.constraints)
    where = "on generic levels of the constraints on positions" if levels else "at generic points"
    return Scope(points=where, values=tuple(sorted(model.values.items(), key=lambda item: str(item[0]))))
