"""What is watched at every step: divisors of the declaration that change their sign, and pivots that shrink."""

from __future__ import annotations

import numpy as np
import pytest

import anholonomy as ah
from anholonomy.compile.lowering import Compiled
from anholonomy.compile.program import Program
from anholonomy.simulate.pieces.runnable_equations import RunnableEquations
from anholonomy.symbolic.expressions import symbol, zero


@pytest.fixture(scope="module")
def falling() -> ah.System:
    """Towards a pole at x = 1, which draws as the sun does."""
    return ah.System(name="pole", coordinates=["x"], lagrangian="x'^2/2 - 1/(x - 1)")


def test_a_divisor_that_changes_its_sign_is_a_pole_crossed(falling) -> None:
    runnable = RunnableEquations(Compiled(falling.derive()))
    watch = runnable.watch_divisors(0.0, np.array([0.0, 1.0]), np.empty(0))
    assert watch is not None
    states = np.array([[0.0, 1.0], [0.999, 1.0], [1.001, 1.0], [2.0, 1.0], [-5.0, 1.0]])
    assert watch(np.arange(5.0), states).tolist() == [False, False, True, True, False]
    assert (
        RunnableEquations(Compiled(ah.System(coordinates=["x"], lagrangian="x'^2/2").derive())).watch_divisors(
            0.0, np.zeros(2), np.empty(0)
        )
        is None
    )


@pytest.mark.parametrize("integrator", ["taylor", "runge-kutta"])
def test_no_motion_goes_on_behind_a_pole(falling, integrator: str) -> None:
    run = falling.simulate({"x": 0, "x'": 0}, until=5, integrator=integrator)
    # The fall from rest at distance 1 of Kepler's problem on a line.
    assert not run.is_complete
    assert float(run.time[-1]) == pytest.approx(np.pi / (2 * np.sqrt(2)), abs=1e-6)
    assert float(run["x"].max()) <= 1


def test_a_pivot_that_shrinks_is_noticed() -> None:
    x = symbol("x")
    straight = Program((x,), (), (), (zero,), pivots=(x, x * x + 1))
    watch = RunnableEquations.watch_pivots(straight, 0.0, np.array([1.0]), np.empty(0))
    assert watch is not None
    assert watch(np.zeros(4), np.array([[1.0], [-2.0], [1e-9], [0.0]])).tolist() == [False, False, True, True]
    assert RunnableEquations.watch_pivots(Program((x,), (), (), (zero,)), 0.0, np.array([1.0]), np.empty(0)) is None
