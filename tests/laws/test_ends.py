"""A closed form begins at zero, and zero is what rounding makes of it."""

from __future__ import annotations

import anholonomy as ah
from anholonomy import System
from tests.wording import blames


def test_a_motion_that_begins_at_zero_but_for_rounding() -> None:
    pushed = System(name="pushed", coordinates=["x"], lagrangian="x'^2/2", forces={"x": "cos(t)"})
    closed = pushed.closed_form()
    for t in (-4e-16, -1e-17, 0.0, 4e-16):
        assert closed.check(pushed.simulate({"x": 1, "x'": 2, "t": t}, until=3.0))
    with blames(ah.errors.NotSupportedError, "t", "0"):
        closed.check(pushed.simulate({"x": 1, "x'": 2, "t": 1e-9}, until=3.0))
