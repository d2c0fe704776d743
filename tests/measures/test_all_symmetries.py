"""A refutation of `hamiltonize` modulo symmetries stands only where no symmetry is missing; what is the same system is not refuted in one dress and proven in another."""

from __future__ import annotations

import pytest

import anholonomy as ah
from anholonomy import System, Verdict, catalogue
from anholonomy.laws.reduced_motion import reduced_motion
from anholonomy.measures.new_time.all_symmetries import at_most, none_missing

KNOWN = {"skate": 3, "chaplygin_sleigh": 3, "heisenberg": 4, "martinet": 2, "free_particle": 2, "suslov": 3}
"""Dimensions of symmetry groups, which the catalogue names or any motion shows."""
SURFACES = {
    "a plane": ("(x'^2 + y'^2)/2", 3),
    "a plane in other coordinates": ("(cosh(x)^2*x'^2 + y'^2)/2", 3),
    "a sphere": ("(x'^2 + sin(x)^2*y'^2)/2", 3),
    "a surface of revolution": ("(x'^2 + (2 + sin(x))^2*y'^2)/2", 1),
    "any surface": ("(x'^2 + (2 + sin(x) + y^2)^2*y'^2 + x^2*y*x'*y')/2", 0),
    "a plane with a central force": ("(x'^2 + y'^2)/2 - (x^2 + y^2)^2", 1),
    "a plane with a force along x": ("(x'^2 + y'^2)/2 - x^3", 1),
}


@pytest.mark.parametrize("name", SURFACES)
def test_as_many_symmetries_as_a_surface_has(name: str) -> None:
    lagrangian, count = SURFACES[name]
    motion = reduced_motion(System(coordinates=["x", "y"], lagrangian=lagrangian).model)
    assert at_most(motion) == count
    assert none_missing(motion, count) is not None
    if count:
        assert none_missing(motion, count - 1) is None


@pytest.mark.parametrize("name", KNOWN)
def test_as_many_as_a_constrained_system_has(name: str) -> None:
    assert at_most(reduced_motion(getattr(catalogue, name)().model)) == KNOWN[name]


def test_no_more_is_said_where_constraints_keep_something() -> None:
    """Where z is constant, symmetries may be multiplied by functions of z."""
    flat = System(coordinates=["x", "y", "z"], lagrangian="(x'^2 + y'^2 + z'^2)/2", constraints=["z' = 0"])
    assert at_most(reduced_motion(flat.model)) is None


EDGE = "(x'^2 + {0}'^2*{1} + phi'^2)/2 + x"
KNIFE = {
    "plain": System(coordinates=["x", "y", "phi"], lagrangian=EDGE.format("y", "1"), constraints=["cos(phi)*y' = sin(phi)*x'"]),
    "disguised": System(
        coordinates=["x", "r", "phi"],
        lagrangian=EDGE.format("r", "cosh(r)^2"),
        constraints=["cos(phi)*cosh(r)*r' = sin(phi)*x'"],
    ),
}  # fmt: skip


def test_a_disguised_knife_edge_is_not_refuted() -> None:
    """Its symmetry along y = sinh(r) is no shift of a coordinate."""
    assert KNIFE["plain"].hamiltonize().verdict is Verdict.PROVEN
    h = KNIFE["disguised"].hamiltonize()
    assert h.verdict is Verdict.UNKNOWN
    assert "modulo the symmetries that were found" in str(h.finding)
    assert [each.verdict for each in h.besides] == [Verdict.REFUTED]


def test_a_constraint_times_a_function_is_not_refuted() -> None:
    metric = "(1 + x^2/2)*x'^2 + x*y*x'*y'/2 + (1 + y^2/2)*y'^2 + (1 + z^2 + x^2)*(z' - y*x' + x*y')^2"
    verdicts = []
    for factor in ("1", "sqrt(1 + z^2)"):
        system = System(
            coordinates=["x", "y", "z"],
            lagrangian=f"({metric})/2 - x^2 - y^2",
            constraints=[f"{factor}*(z' - y*x' + x*y') = 0"],
        )
        verdicts.append(system.hamiltonize().verdict)
    assert Verdict.REFUTED not in verdicts


def test_a_rubber_disc_made_of_bodies_is_not_refuted() -> None:
    """By Euler's angles it is proven."""
    disc = ah.bodies.RigidBody("disc", mass="m", inertia=["J", "J", "I"])
    contact = ah.bodies.Rolling(disc, surface=ah.bodies.Disc("r"), on=ah.bodies.Plane(), twist="none")
    h = System(bodies=[disc], contacts=[contact], parameters=["m", "I", "J", "r"]).hamiltonize()
    assert h.verdict is not Verdict.REFUTED


@pytest.mark.exhaustive
def test_a_rubber_ball_over_a_ball_is_not_refuted() -> None:
    ball = ah.bodies.RigidBody("ball", mass="m", inertia=["I"] * 3)
    contact = ah.bodies.Rolling(ball, surface=ah.bodies.Sphere("r"), on=ah.bodies.Ball("R"), twist="none")
    h = System(bodies=[ball], contacts=[contact], parameters=["m", "I", "r", "R"]).hamiltonize()
    assert h.verdict is not Verdict.REFUTED


@pytest.mark.exhaustive
def test_a_truck_with_two_trailers_is_refuted_modulo_all() -> None:
    """Translations and turns of the plane are all symmetries."""
    h = catalogue.n_trailer().hamiltonize()
    assert h.verdict is Verdict.REFUTED
    assert "it cannot have more than 3 symmetries" in str(h)
