"""Systems with a modulus in them: declared, derived, verified and run."""

from __future__ import annotations

import pytest
import sympy

import anholonomy as ah
from anholonomy.system.constraints import Kind

PLANE = {"name": "s", "coordinates": ["x", "y"], "lagrangian": "x'^2/2 + y'^2/2"}
START = {"x": 1, "y": 0, "x'": 2}


@pytest.mark.parametrize(
    ("row", "start", "expected"),
    [
        ("y' = abs(x)*x'", START, -2),
        ("y = x^2*abs(x)", {**START, "y": 1}, -7.2),
        ("y' = abs(x')", START, 0),
    ],
)
def test_constraints(row, start, expected):
    system = ah.System(**PLANE, constraints=[row])
    assert system.verify(states=2).agree
    by = "lagrange-dalembert" if Kind.NONLINEAR in system.model.kinds else "hamel"
    assert system.derive(by).accelerations(start)["x''"] == pytest.approx(expected, rel=1e-12, abs=1e-12)
    assert "Derivative" not in str(system.derive(by))


def test_the_modulus_of_a_velocity_is_not_linear():
    (constraint,) = ah.System(**PLANE, constraints=["y' = abs(x')"]).constraints
    assert constraint.kind == Kind.NONLINEAR


def test_a_potential_with_a_corner():
    system = ah.System(name="s", coordinates=["x"], lagrangian="x'^2/2 - abs(x)")
    assert str(system.derive()).splitlines()[1].strip() == "x'' = -sign(x)"


def test_the_square_of_a_modulus_is_a_square():
    v = ah.velocity("x")
    system = ah.System(name="s", coordinates=["x"], lagrangian=sympy.Abs(v) ** 2)
    assert system.derive().accelerations({"x": 1, "x'": 0}) == {"x''": 0}
