"""What is watched at every step: divisors of the declaration that change their sign, and pivots that shrink."""

from __future__ import annotations

import numpy as np
import pytest

import anholonomy as ah
from anholonomy.algebra.expressions import symbol, zero
from anholonomy.motion.charts.one_motion import RunnableEquations
from anholonomy.programs.of_equations import Compiled
from anholonomy.programs.program import Program


@pytest.fixture(scope="module")
def falling() -> ah.System:
    """Towards a pole at x = 1, which draws as the sun does."""
    return ah.System(name="pole", coordinates=["x"], lagrangian="x'^2/2 - 1/(x - 1)")


def test_a_divisor_that_changes_its_sign_is_a_pole_crossed(falling) -> None:
    runnable = RunnableEquations(Compiled(falling.derive().data))
    watch = runnable.watch_divisors(0.0, np.array([0.0, 1.0]), np.empty(0))
    assert watch is not None
    states = np.array([[0.0, 1.0], [0.999, 1.0], [1.001, 1.0], [2.0, 1.0], [-5.0, 1.0]])
    assert watch(np.arange(5.0), states).tolist() == [False, False, True, True, False]
    assert (
        RunnableEquations(Compiled(ah.System(coordinates=["x"], lagrangian="x'^2/2").derive().data)).watch_divisors(
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


@pytest.mark.parametrize(
    "words", [{"until": 20}, {"until": 1, "integrator": "runge-kutta"}, {"until": 20, "by": "hamel"}]
)
def test_a_pole_whose_divisor_keeps_its_sign_ends_a_motion(words) -> None:
    """Along x = 0 the well -1/y^2 is entered with E > 0 and reached soon; x^2 + y^2 is positive on both sides."""
    well = ah.System(
        name="well",
        coordinates=["x", "y"],
        lagrangian="m*(x'^2 + y'^2)/2 + G/(x^2 + y^2)",
        parameters={"m": 1.0, "G": 1.0},
        constraints=["x' = y'*x*y"],
    )
    run = well.simulate({"x": 0, "y": 1, "x'": 0, "y'": -3}, **words)
    # y^2 = 1 - 6 t + 7 t^2 with E = 7/2
    reached = (3 - np.sqrt(2)) / 7
    assert not run.is_complete
    assert "pole" in run.outcome or "singular" in run.outcome
    assert run.time.values[-1] == pytest.approx(reached, abs=1e-3)
    assert abs(run.energy.values[-2] - 3.5) < 1
    ends = well.ensemble({"x": 0, "y": 1, "x'": 0, "y'": [-3.0, 3.0]}, until=20)
    assert ends.data["complete"].values.tolist() == [False, True]


def test_a_narrow_pass_is_no_pole() -> None:
    """An ellipse of eccentricity 0.9999 keeps its energy where 1/r is large, and so does what a pole hardly bends."""
    comet = ah.System(coordinates=["x", "y"], lagrangian="(x'^2 + y'^2)/2 + G/sqrt(x^2 + y^2)", parameters={"G": 1.0})
    for G, start in ((1.0, {"x": 1, "y": 0, "x'": 0, "y'": 1e-2}), (1e-12, {"x": -1, "y": 1e-3, "x'": 1, "y'": 0})):
        for tolerance in (1e-6, 1e-12):
            run = comet.simulate({**start, "G": G}, until=10, tolerance=tolerance)
            assert run.is_complete
