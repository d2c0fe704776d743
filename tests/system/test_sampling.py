"""States that satisfy the constraints are found where they exist, also far from where the search begins."""

from __future__ import annotations

import numpy as np

import anholonomy as ah
from tests.wording import blames


def plateaus(level: str) -> dict[str, object]:
    """Six functions that are flat except near their zeros, where Newton's method must begin to arrive."""
    names = [f"x{i}" for i in range(6)]
    return {
        "name": "plateaus",
        "coordinates": [*names, "y"],
        "lagrangian": " + ".join(f"{q}'^2" for q in [*names, "y"]),
        "constraints": [f"tanh(10*{q} + y) = {level}" for q in names],
    }


def test_a_state_is_found_where_newtons_method_overshoots():
    system = ah.System(**plateaus("1/2"))
    start = {f"x{i}": (np.arctanh(0.5) - 0.1) / 10 for i in range(6)} | {"y": 0.1, "y'": 1.0}
    # All arguments stay as they are: 10 x' = -y'.
    found = system.derive("lagrange-dalembert").accelerations(start | {f"x{i}'": -0.1 for i in range(6)})
    assert abs(found["y''"]) < 1e-10


def test_where_there_is_no_state_it_is_still_refused():
    with blames(ah.errors.DeclarationError):
        ah.System(**plateaus("2"))
