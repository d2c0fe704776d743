r"""Moments of inertia that no solid has: $I_1 + I_2 < I_3$, against $\int x_3^2\,dm \ge 0$."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from anholonomy.bodies.body import RigidBody
from anholonomy.bodies.vectors import number
from anholonomy.symbolic.expressions import Symbol
from anholonomy.system.doubts import UnlikelyMass
from anholonomy.system.warning import unless, warn_the_user

__all__ = ["warn_of_inertia"]

_ROUNDING = 1 + 1e-9


def warn_of_inertia(name: str, bodies: Mapping[str, RigidBody], values: Mapping[Symbol, Any]) -> None:
    """Say which body has a moment that exceeds the sum of the others, though all three are given and matter.

    In the plane one moment matters, and a 0 says that a moment does not; a body with rotors or water around it is rare.
    """
    for label, body in bodies.items():
        entries = [[number(entry.xreplace(values)) for entry in row] for row in body.inertia]
        if body.moves == "plane" or any(entry is None for row in entries for entry in row):
            continue
        small, middle, large = np.linalg.eigvalsh(np.array(entries, dtype=float))
        if small > 0 and large > _ROUNDING * (small + middle):
            warn_the_user(
                f"{name}: the moments of inertia of {label} are {small:.4g}, {middle:.4g} and {large:.4g}, and of a solid body "
                f"none exceeds the sum of the others; correct them {unless('it is no solid', UnlikelyMass)}.",
                UnlikelyMass,
            )
