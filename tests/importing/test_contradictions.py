"""Constraints that cannot hold together, or that hold of themselves, are refused by their labels."""

from __future__ import annotations

import pytest

import anholonomy as ah
from tests.wording import blames


def plane(constraints, **words):
    lagrangian = "(x'^2 + y'^2 + z'^2)/2"
    return ah.System(name="s", coordinates=list("xyz"), lagrangian=lagrangian, constraints=constraints, **words)


@pytest.mark.parametrize("redundant", ["refuse", "drop"])
def test_a_row_of_zeros_has_a_name(redundant):
    """With k = 0 nothing is left of k*x' = 0, and with k*x' = 1 a contradiction."""
    for right in ("0", "1"):
        with blames(ah.errors.DeclarationError, "spring", "k", "0"):
            plane({"rail": "x' = y'", "spring": f"k*x' = {right}"}, parameters={"k": 0.0}, redundant=redundant)


def test_values_that_leave_a_row_of_zeros():
    system = plane({"rail": "x' = y'", "spring": "k*x' = l*z'"}, parameters={"k": 1.0, "l": 0.0})
    with blames(ah.errors.DeclarationError, "k", "0", "l"):
        system.with_parameters(k=0.0)


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("constraints", "names"),
    [
        ({"a": "z' = x'", "circle": "x^2 + y^2 = 1", "ball": "x^2 + y^2 + z^2 = 1/4"}, ("circle", "ball")),
        ({"nothing": "x^2 + y^2 = -1", "line": "x = y"}, ("nothing",)),
    ],
)
def test_what_contradicts_is_named(constraints, names):
    with blames(ah.errors.DeclarationError, *names) as caught:
        plane(constraints)
    assert " a " not in str(caught.value).split("satisfies")[1]


@pytest.mark.exhaustive
def test_contradicting_contacts_are_named():
    """A ball on the floor does not reach a bowl whose lowest point is at height 7."""
    ball = ah.bodies.RigidBody("ball", mass=1, inertia=[1, 1, 1])
    contacts = [
        ah.bodies.Sliding(ball, surface=ah.bodies.Sphere(1), on=ah.bodies.Plane()),
        ah.bodies.Sliding(ball, surface=ah.bodies.Sphere(1), on=ah.bodies.Bowl(3, moving=[0, 0, 10])),
    ]
    with blames(ah.errors.DeclarationError, "1", "2"):
        ah.System(name="s", bodies=[ball], contacts=contacts)
