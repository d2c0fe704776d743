"""What a refuted density of the configuration says about densities of the velocities, beside densities that exist."""

from __future__ import annotations

import pytest

from anholonomy import System
from anholonomy.algebra.calculus import partial
from anholonomy.algebra.expressions import symbol
from anholonomy.algebra.zero_test import is_zero
from anholonomy.language import parse_expression
from anholonomy.laws.reduced_motion import reduced_motion

OPEN = "densities that depend on the velocities are not excluded"

X, Y = "(x'-a*sin(theta)*theta')", "(y'+a*cos(theta)*theta')"
x, y = "(x+a*cos(theta))", "(y+a*sin(theta))"


def gyrostat(axis: str) -> System:
    """A body that may not turn about one axis, with a rotor along one."""
    return System(
        name="gyrostat",
        group="SO3",
        lagrangian=f"(2*w1^2 + 3*w2^2 + 4*w3^2)/2 + w1*w3/2 + k*{axis}",
        constraints=["w3 = 0"],
        parameters={"k": 1},
    )


MAGNETIC = System(
    name="sleigh in a magnetic field",
    coordinates=["x", "y", "theta"],
    lagrangian=f"m*({X}^2+{Y}^2)/2 + I*theta'^2/2 - b/2*({x}*{Y}-{y}*{X})",
    constraints=["sin(theta)*x' = cos(theta)*y'"],
    parameters={"m": 1, "I": 2, "a": 1, "b": 1},
)
CARRIED = System(
    name="drag on what is carried along",
    coordinates=["x", "y"],
    lagrangian="(x'^2 + y'^2)/2",
    constraints=["y' = 1"],
    forces={"x": "-x'*x"},
)


@pytest.mark.parametrize(("system", "density"), [(gyrostat("w3"), "1/(k + w1/2)"), (MAGNETIC, "1/(b - m*theta')")])
def test_no_theorem_where_a_gyroscopic_term_acts(system: System, density: str) -> None:
    """There is a density that is smooth and positive near rest, found by hand."""
    mu = system.invariant_measure()
    motion = reduced_motion(system.model)
    names = {s.name: s for s in (*motion.coordinates, *motion.speeds, *system.model.parameter_symbols)}
    N = parse_expression(density).xreplace({symbol(n): s for n, s in names.items()})
    spread = sum(partial(motion.rates[u], u) for u in motion.speeds) + mu.known_divergence.spread_of_configurations
    assert is_zero(motion.rate(N) + N * spread, motion.on)
    assert mu.finding.is_refuted
    assert mu.theorem == OPEN


def test_no_theorem_where_nothing_rests() -> None:
    """What is carried along evenly keeps a density around y = 0, made along the flow."""
    mu = CARRIED.invariant_measure()
    assert mu.finding.is_refuted
    assert mu.theorem == OPEN


def test_a_linear_term_that_does_nothing_costs_no_theorem() -> None:
    """The constraint bears what a rotor along an axis does about which the body may turn."""
    mu = gyrostat("w1").invariant_measure()
    assert mu.finding.is_refuted
    assert "near rest" in mu.theorem
