"""What cannot be built is refused in a sentence."""

from __future__ import annotations

import numpy as np
import pytest
import sympy

import anholonomy as ah
from tests.wording import blames, pinned

BODY = ah.bodies.RigidBody("body", mass="m", inertia=["I", "I", "I"])
OTHER = ah.bodies.RigidBody("other", mass="m", inertia=["I", "I", "I"])
BALL = ah.bodies.Sphere("r")


def system(**words: object) -> ah.System:
    return ah.System(**({"name": "a", "bodies": [BODY], "parameters": ["m", "I", "r", "g"]} | words))


def rolling_in(support: object) -> ah.System:
    return system(contacts=[ah.bodies.Rolling(BODY, surface=ah.bodies.Sphere(2), on=support)])


def touching(on: object, surface: object = BALL, **words: object) -> ah.System:
    return system(contacts=[ah.bodies.Rolling(BODY, surface=surface, on=on)], **words)


def clashing(other: ah.bodies.RigidBody) -> ah.System:
    return touching(ah.bodies.LevelSurface("z - x^2"), bodies=[BODY, other])


def wheeled(surface: ah.bodies.Disc | ah.bodies.Torus, **joint: object) -> ah.System:
    cart, wheel = (ah.bodies.RigidBody(name, mass=1, inertia=[1, 1, 1], moves="plane") for name in ("cart", "wheel"))
    rolls = ah.bodies.Rolling(wheel, surface=surface, on=ah.bodies.Plane())
    return ah.System(
        bodies=[cart, wheel], joints=[ah.bodies.Revolute(cart, wheel, at=[0, 1, 1], **joint)], contacts=[rolls]
    )


@pytest.mark.parametrize(
    ("make", "names"),
    [
        (lambda: wheeled(ah.bodies.Disc(1), axis=[0, 1, 0]), ("axis", "2")),
        (
            lambda: wheeled(ah.bodies.Torus(0.9, 0.1), axis=[1, 0, 0]),
            ("axis", "3"),
        ),
        (lambda: wheeled(ah.bodies.Disc(1)), ()),
        (lambda: ah.bodies.RigidBody("b", inertia=[1, 1, 1]), ()),
        (lambda: ah.bodies.RigidBody("b", mass=1), ()),
        (lambda: ah.bodies.RigidBody("b", mass=-2, inertia=[1, 1, 1]), ("mass", "b", "-2")),
        (lambda: ah.bodies.RigidBody("b", mass=1, inertia=[1, -1, 1]), ()),
        (lambda: ah.bodies.RigidBody("b", mass=1, inertia=[[1, 2, 0], [0, 1, 0], [0, 0, 1]]), ()),
        (lambda: ah.bodies.RigidBody("b", mass="-pi", inertia=[1, 1, 1]), ("mass", "b", "pi")),
        (lambda: ah.bodies.RigidBody("b", mass=1, inertia=["1", "-sqrt(2)", 1]), ()),
        (lambda: ah.bodies.RigidBody("b", mass=1, inertia=-np.eye(3)), ("-1",)),
        (
            lambda: ah.bodies.RigidBody("b", mass=1, inertia=[[1, 2, 0], [2, 1, 0], [0, 0, 1]]),
            ("-1",),
        ),
        (
            lambda: ah.bodies.RigidBody("b", mass=1, inertia=[["I", 0, 0], [0, 1, 2], [0, 2, 1]]),
            ("-1", "0"),
        ),
        (
            lambda: ah.bodies.RigidBody("b", mass=1, inertia=[["I", 0, 0], [0, "I", 0], [0, 0, -2]]),
            ("-2",),
        ),
        (lambda: ah.bodies.RigidBody("b", mass=1, inertia=[1, 1]), ()),
        (lambda: ah.bodies.Sphere(-1), ("-1",)),
        (lambda: ah.bodies.Sphere("0"), ("0",)),
        (lambda: ah.bodies.Disc(0), ("0",)),
        (lambda: ah.bodies.Torus(-1, 0.1), ("-1",)),
        (lambda: ah.bodies.Torus(1, "-r/r"), ("r",)),
        (lambda: ah.bodies.Ellipsoid(1, -2, 3), ("-2",)),
        (lambda: ah.bodies.Bowl(-1), ("-1",)),
        (lambda: ah.bodies.Ball("-pi"), ("pi",)),
        (lambda: ah.bodies.Cylinder(0.0), ("0.0",)),
        (lambda: rolling_in(ah.bodies.Bowl(1)), ("-1",)),
        (lambda: rolling_in(ah.bodies.Cylinder(2)), ("0",)),
        (lambda: ah.bodies.RigidBody("b", mass=1, inertia=[1, 1, 1], moves="up"), ("up", "moves")),
        (lambda: ah.bodies.RigidBody("2b", mass=1, inertia=[1, 1, 1]), ()),
        (lambda: ah.bodies.Disc("r", axis=4), ("axis", "4")),
        (lambda: ah.bodies.Convex("g1^2"), ()),
        (lambda: ah.bodies.Plane(normal=[0, 0, 0]), ()),
        (lambda: ah.bodies.Plane(slope=1, normal=[0, 0, 1]), ()),
        (lambda: ah.bodies.Plane(moving=["x'", 0, 0]), ("x'",)),
        (
            lambda: ah.bodies.Rolling(BODY, surface=ah.bodies.Disc("r"), on=ah.bodies.ParallelSurface("z")),
            ("ParallelSurface",),
        ),
        (
            lambda: touching(ah.bodies.Plane(), constraints={"height": "w3 = 0"}),
            ("height",),
        ),
        (lambda: touching(ah.bodies.Plane(moving=["x", 0, 0])), ("x",)),
        (lambda: touching(ah.bodies.Plane(normal=["q1", 0, 1])), ("q1",)),
        (lambda: touching(ah.bodies.Bowl("m*t")), ("t",)),
        (lambda: touching(ah.bodies.Plane(), ah.bodies.Sphere(1, at=["t", 0, 0])), ("t",)),
        (lambda: touching(ah.bodies.LevelSurface("z - q0*x^2")), ("q0",)),
        (lambda: touching(ah.bodies.LevelSurface("-z")), ("pole",)),
        (lambda: touching(ah.bodies.Plane(), parameters={"m": -1, "I": 1}), ("m", "-1")),
        (
            lambda: touching(ah.bodies.Plane(), ah.bodies.Disc("I"), parameters={"m": 1, "I": -1}),
            (),
        ),
        (
            lambda: touching(ah.bodies.Bowl("m"), ah.bodies.Sphere("I"), parameters={"m": 1, "I": 2}),
            (),
        ),
        (lambda: clashing(ah.bodies.RigidBody("contact", mass="m", inertia=["I", "I", "I"])), ("contact_x", "contact")),
        (lambda: ah.bodies.Rolling(BODY, surface=BALL, on=BALL), ()),
        (lambda: ah.bodies.Rolling(BODY, surface=ah.bodies.Plane(), on=ah.bodies.Plane()), ()),
        (lambda: ah.bodies.Rolling(BODY, surface=BALL, on=ah.bodies.Plane(), twist="some"), ("some", "twist")),
        (lambda: ah.bodies.Force(BODY, [1, 2]), ()),
        (lambda: ah.bodies.Torque(BODY, [1, 2, 3], axes="moon"), ("moon", "axes")),
        (lambda: system(contacts=[ah.bodies.Rolling(OTHER, surface=BALL, on=ah.bodies.Plane())]), ("other",)),
        (lambda: system(contacts=[ah.bodies.Rolling("otter", surface=BALL, on=ah.bodies.Plane())]), ("otter",)),
        (lambda: system(contacts=["rolling"]), ("contacts", "rolling")),
        (lambda: system(bodies=[BODY, BODY]), ()),
        (lambda: system(bodies=["ball"]), ("bodies", "ball")),
        (lambda: system(bodies=BODY), ()),
        (lambda: system(bodies=[], gravity="g"), ("gravity", "bodies")),
        (lambda: system(kinetic=[1, 1, 1, 1, 1, 1]), ()),
        (lambda: system(coordinates=["x"]), ("x",)),
        (lambda: system(constraints="x' = 0"), ("constraints",)),
        (lambda: system(joints=[ah.bodies.Revolute(BODY, BODY)]), ()),
        (
            lambda: system(bodies=[BODY, OTHER], joints=[ah.bodies.Fixed(BODY, OTHER), ah.bodies.Fixed(OTHER, BODY)]),
            (),
        ),
        (lambda: system(joints=["hinge"]), ("joints", "hinge")),
        (lambda: system(loads=[3]), ("loads", "3")),
        (lambda: system(parameters=["I"]), ()),
    ],
)
def test_it_says_why(make, names) -> None:
    with blames(ah.Error, *names):
        make()


def test_a_wheel_may_be_turned_about_a_diameter_where_that_is_said() -> None:
    """As a coin that leans: on purpose, and not because an axis was forgotten."""
    lean = ah.bodies.RigidBody("lean", mass=1, inertia=[1, 1, 1])
    hinge = ah.bodies.Revolute(BODY, lean, axis=[1, 0, 0])
    system(
        bodies=[BODY, lean],
        joints=[hinge],
        contacts=[ah.bodies.Rolling(lean, surface=ah.bodies.Disc(1, axis=3), on=ah.bodies.Plane())],
    )


def test_parts_show_themselves_by_their_words() -> None:
    hinge = ah.bodies.Revolute(BODY, OTHER, at=["a", 0, np.float64(0.5)], angle="p")
    assert repr(hinge) == "Revolute(parent='body', child='other', at=['a', 0, 0.5], angle='p')"
    spring = ah.bodies.JointSpring(hinge, stiffness="k", rest=sympy.pi / 2)
    pinned(repr(spring), "p", "k", "JointSpring", "on")
    rolls = ah.bodies.Rolling(BODY, surface=ah.bodies.Disc("r", axis=2), on=ah.bodies.Plane(slope="s"))
    pinned(repr(rolls), "body", "r", "s", "surface")


def test_names_have_a_prefix_where_several_bodies_are_free() -> None:
    two = system(
        bodies=[BODY, OTHER],
        contacts=[ah.bodies.Rolling(b, surface=BALL, on=ah.bodies.Plane()) for b in (BODY, "other")],
    )
    assert [q.name for q in two.coordinates][:5] == ["body_q0", "body_q1", "body_q2", "body_q3", "other_q0"]
    assert two.constraints[0].label == "body height"
    assert two.constraints[-1].label == "other slip 2"


def test_what_a_user_adds_is_added() -> None:
    more = system(
        coordinates={"s": "length"},
        lagrangian="m*s'^2/2",
        potential="m*s*x",
        constraints=["w3 = 0"],
        forces={"s": "-s'"},
    )
    assert [c.label for c in more.constraints] == ["c1"]
    assert more.verify(states=1).agree


@pytest.mark.parametrize(
    "inertia", [[0, 0, 1], np.diag([1.0, 0, 0]), np.ones((3, 3)), sympy.eye(3), [["a", 0, 0], [0, "b", 0], [0, 0, 1]]]
)
def test_inertias_that_may_be(inertia) -> None:
    """Of a plane figure one moment matters, and rounding may leave a zero moment a little negative."""
    assert ah.bodies.RigidBody("b", mass=1, inertia=inertia).mass == 1
