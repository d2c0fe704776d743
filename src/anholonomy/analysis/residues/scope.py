"""What holds at a random point modulo a prime, in words."""

from __future__ import annotations

from anholonomy.analysis.residues.levels import GENERIC_LEVELS, residue_level
from anholonomy.findings import Scope
from anholonomy.system.model import Model

__all__ = ["generic"]


def generic(model: Model) -> Scope:
    """Where ranks at a point hold: where the declared values do, and off what constraints on positions single out where these are not solved."""
    where = GENERIC_LEVELS if residue_level(model) is None else "at generic points"
    return Scope(points=where, values=tuple(sorted(model.values.items(), key=lambda item: str(item[0]))))
