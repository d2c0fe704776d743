"""Integrals of low degree come first, and numbers under roots hinder nothing."""

from anholonomy import System
from tests.wording import pinned


def test_a_momentum_with_a_magnetic_part_is_not_hidden_in_a_quadratic_integral():
    """x y' - y x' + b (x^2 + y^2)/2 generates the turns."""
    charge = System(
        name="charge",
        coordinates=["x", "y"],
        lagrangian="(x'^2 + y'^2)/2 + b*(x*y' - y*x')/2 - k*(x^2 + y^2)/2",
        parameters=["b", "k"],
    )
    laws = charge.conserved()
    assert [law.kind for law in laws] == ["energy", "linear"]
    at = {"x": 2.0, "y": 1.0, "x'": 3.0, "y'": 5.0, "b": 7.0, "k": 1.0}
    assert laws[1](at) == 2 * (2 * 5 - 1 * 3 + 7 * 5 / 2)
    assert not laws.consequences


def test_linear_integrals_of_a_blade_on_moving_ice():
    """Seen from the ice the speed along the blade and x theta' - y' are constant."""
    blade = System(
        name="blade",
        coordinates={"x": "length", "y": "length", "th": "angle"},
        lagrangian="(x'^2 + y'^2 + J*th'^2)/2",
        constraints=["cos(th)*(y' - V) - sin(th)*x' = 0"],
        parameters=["J", "V"],
    )
    assert [law.degree for law in blade.conserved()] == [1, 1, 1]


def test_numbers_under_roots_have_roots_modulo_some_primes():
    particle = System(
        name="roots",
        coordinates=["x", "y", "z"],
        lagrangian="(x'^2 + sqrt(2)*y'^2 + sqrt(3)*z'^2)/2",
        constraints=["z' = sqrt(5)*x*y'"],
    )
    laws = particle.conserved(degree=1)
    pinned(str(laws[0]), "x'", "1")
    pinned(str(laws[1]), "sqrt", "5", "x", "2")
