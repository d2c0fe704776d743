r"""Moments of inertia that no solid has: $I_1 + I_2 < I_3$, against $\int x_3^2\,dm \ge 0$."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from anholonomy.bodies.body import RigidBody
from anholonomy.bodies.vectors import number
from anholonomy.symbolic.expressions import Symbol
from anholonomy.system.warnings import doubt_moments

__all__ = ["warn_of_inertia"]


def warn_of_inertia(name: str, bodies: Mapping[str, RigidBody], values: Mapping[Symbol, Any]) -> None:
    """Say which body has a moment that exceeds the sum of the others, though all three are given and matter.

    In the plane one moment matters, and a 0 says that a moment does not; a body with rotors or water around it is rare.
    """
    for label, body in bodies.items():
        entries = [[number(entry.xreplace(values)) for entry in row] for row in body.inertia]
        if body.moves == "plane" or any(entry is None for row in entries for entry in row):
            continue
        doubt_moments(name, f" of {label}", np.array(entries, dtype=float))
