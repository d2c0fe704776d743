"""Equations that fail where a pivot vanishes say so: in print, in LaTeX, in C, in functions and in refusals."""

from __future__ import annotations

import math

import numpy as np
import pytest

import anholonomy as ah
from anholonomy.show.text.equations import latex_document
from tests.wording import blames

COMPASS = ah.System(
    name="compass",
    coordinates=["x", "y", "z"],
    lagrangian="(x'^2 + y'^2 + z'^2)/2 - z",
    constraints=["x*x' + y*y' + z*z' = 0"],
)
"""Tangent to spheres: no two directions are independent everywhere, so a pivot remains whatever the software chooses."""
CAR = ah.System(
    name="car",
    coordinates=["x", "y", "theta", "delta"],
    lagrangian="(x'^2 + y'^2 + theta'^2 + delta'^2)/2",
    constraints=["x'*sin(theta) = y'*cos(theta)", "x'*sin(theta+delta) - y'*cos(theta+delta) = l*cos(delta)*theta'"],
    parameters={"l": 2.5},
    speeds={"v": "x'*cos(theta) + y'*sin(theta)", "w": "delta'"},
)
"""The speed of the rear axle does not say how fast the car turns on the spot, its front wheel across."""


def places() -> list[np.ndarray]:
    """Points of the unit sphere with one coordinate zero, and one with none."""
    return [np.array(p) for p in ([0, 0.6, 0.8], [0.6, 0, 0.8], [0.6, 0.8, 0], [2 / 3, 1 / 3, 2 / 3])]


def on_the_sphere(q: np.ndarray, w: np.ndarray) -> np.ndarray:
    r"""$\ddot q = -e_z + \lambda q$ with $q\cdot\ddot q + |\dot q|^2 = 0$."""
    return -np.array([0, 0, 1]) + (q[2] - w @ w) / (q @ q) * q


def test_a_function_is_right_or_says_that_it_is_singular() -> None:
    equations = COMPASS.derive()
    rates, accelerations = equations.function(), equations.function(of="accelerations")
    said = []
    for q in places():
        w = np.cross(q, [0.3, -0.2, 0.5])
        said.append(rates.singular(0.0, [*q, 0, 0]))
        assert accelerations.singular(0.0, [*q, *w]) == said[-1]
        if not said[-1]:
            np.testing.assert_allclose(accelerations(0.0, [*q, *w]), on_the_sphere(q, w), rtol=1e-12, atol=1e-12)
    assert sorted(said)[:3] == [(), (), ()]
    assert len(sorted(said)[3]) == 1


def test_a_state_where_a_pivot_vanishes_is_refused_by_its_name() -> None:
    equations = COMPASS.derive()
    (name,) = equations.data.divisors.texts()
    q = (
        np.array([0.6, 0.8, 0.0])
        if name == "z"
        else np.array([0.0, 0.6, 0.8])
        if name == "x"
        else np.array([0.6, 0, 0.8])
    )
    w = np.cross(q, [0.25, -0.5, 0.75])
    state = {**dict(zip("xyz", q, strict=True)), **dict(zip(["x'", "y'", "z'"], w, strict=True))}
    with blames(ah.errors.StateError, name) as refused:
        equations.accelerations(state)
    assert "inertia" not in str(refused.value)
    there = COMPASS.derive(at=state).accelerations(state)
    np.testing.assert_allclose(list(there.values()), on_the_sphere(q, w), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("delta", [math.pi / 2, -math.pi / 2, 5 * math.pi / 2])
def test_speeds_of_a_user_that_are_none_there(delta: float) -> None:
    equations = CAR.derive()
    assert equations.function().singular(0.0, [0, 0, 0.3, delta, 1, 1]) == ("l*cos(delta)",)
    assert equations.function("numpy", "accelerations").singular(0, [0, 0, 0.3, delta, 0, 0, 1, 1]) == ("l*cos(delta)",)
    assert not equations.function().singular(0.0, [0, 0, math.pi / 2, delta + 1e-6, 1, 1])
    with blames(ah.errors.StateError, "l", "delta"):
        equations.accelerations(
            {"x": 0, "y": 0, "theta": 0, "delta": "pi/2", "x'": 0, "y'": 0, "theta'": 1, "delta'": 1}
        )


def test_print_latex_and_c_say_where() -> None:
    equations = CAR.derive()
    assert "(singular where l*cos(delta) = 0)" in str(equations)
    assert r"&\text{(singular where } l \cos{\left(\delta \right)} = 0\text{)}" in equations.latex()
    assert "singular where" in latex_document(CAR.model, [equations])
    assert " * The equations are singular where l*cos(delta) = 0." in equations.c_source().splitlines()


def test_regular_equations_say_nothing() -> None:
    equations = CAR.derive("lagrange-dalembert")
    assert "singular where" not in str(equations) + equations.latex() + equations.c_source()
    assert not equations.function().singular(0.0, [0, 0, 0, math.pi / 2, 0, 0, 1, 1])


def test_singular_looks_at_one_state() -> None:
    with blames(ah.errors.ArgumentError):
        CAR.derive().function().singular(0.0, np.zeros((6, 2)))


def test_an_inertia_that_vanishes_is_still_to_blame() -> None:
    system = ah.System(name="s", coordinates=["x"], lagrangian="x*x'^2/2")
    with blames(ah.errors.StateError):
        system.derive().accelerations({"x": 0, "x'": 1})
