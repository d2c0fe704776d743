"""Speeds that a user chooses for one derivation, and the adapted frame they make."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from anholonomy.geometry.frames.adapted import AdaptedFrame
from anholonomy.symbolic.expressions import Symbol
from anholonomy.system.declaration.speed_reading import read_speeds
from anholonomy.system.frames.of_speeds import frame_of_values
from anholonomy.system.frames.orthonormal import orthonormal_frame
from anholonomy.system.model import Model

__all__ = ["ORTHONORMAL", "frame_of_speeds"]

ORTHONORMAL = "orthonormal"
"""The word for speeds that make the kinetic energy a sum of squares."""


def frame_of_speeds(
    model: Model, speeds: Mapping[Any, Any] | Sequence[Any] | str, at: Mapping[Symbol, float] | None = None
) -> AdaptedFrame:
    """The adapted frame of speeds given as a dict from name to expression, or as a list of velocities or expressions.

    There is one speed for each admissible direction; together with the constraints they must determine every velocity.
    ``"orthonormal"`` makes the kinetic energy a sum of squares. ``at`` is where what must be divided by is large (default: a
    generic point).
    """
    if isinstance(speeds, str) and speeds == ORTHONORMAL:
        return orthonormal_frame(model, at)
    return frame_of_values(model, *read_speeds(model, speeds), at)
