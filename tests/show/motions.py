"""Motions to draw, each computed once."""

from __future__ import annotations

from functools import cache
from typing import Any

from anholonomy import Motion, System, catalogue

__all__ = ["changed", "disk", "pendulum", "sleigh"]

TIMES = [0.0, 0.5, 1.0, 1.5, 2.0]


@cache
def sleigh() -> Motion:
    """Two lengths and an angle, one constraint."""
    start = {"x": 0, "y": 0, "theta": 0, "x'": 1, "theta'": 0.5}
    return catalogue.chaplygin_sleigh().simulate(start, times=TIMES)


@cache
def disk() -> Motion:
    """Angles declared before lengths, two constraints, one of them with an awkward name."""
    system = System(
        name="disk for 5$ and 6$",
        coordinates={"phi": "angle", "theta": "angle", "x": "length", "y": "length"},
        lagrangian="x'^2/2 + y'^2/2 + phi'^2/4 + theta'^2/8",
        constraints={"_along": "x' = cos(theta)*phi'", "across": "y' = sin(theta)*phi'"},
    )
    return system.simulate({"x": 0, "y": 0, "phi": 0, "theta": 0, "phi'": 1, "theta'": 0.7}, times=TIMES)


@cache
def pendulum() -> Motion:
    """One coordinate, no constraint."""
    system = System(name="pendulum", coordinates=["alpha_1"], lagrangian="alpha_1'^2/2 + cos(alpha_1)")
    return system.simulate({"alpha_1": 1, "alpha_1'": 0}, times=TIMES)


def changed(motion: Motion, **variables: Any) -> Motion:
    """The motion with other numbers."""
    return Motion.of(motion.system, motion.data.assign(**variables))
