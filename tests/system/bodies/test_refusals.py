"""What cannot be built is refused in a sentence."""

from __future__ import annotations

import numpy as np
import pytest
import sympy

import anholonomy as ah

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
    ("make", "says"),
    [
        (lambda: wheeled(ah.bodies.Disc(1), axis=[0, 1, 0]), "about another; give Disc(…, axis=2"),
        (
            lambda: wheeled(ah.bodies.Torus(0.9, 0.1), axis=[1, 0, 0]),
            "Torus of wheel is about axis 3, since no `axis` says",
        ),
        (lambda: wheeled(ah.bodies.Disc(1)), "the Disc of wheel lies flat on its plane and touches it all round; give"),
        (lambda: ah.bodies.RigidBody("b", inertia=[1, 1, 1]), "no mass"),
        (lambda: ah.bodies.RigidBody("b", mass=1), "no inertia"),
        (lambda: ah.bodies.RigidBody("b", mass=-2, inertia=[1, 1, 1]), "mass of b is -2"),
        (lambda: ah.bodies.RigidBody("b", mass=1, inertia=[1, -1, 1]), "negative moment"),
        (lambda: ah.bodies.RigidBody("b", mass=1, inertia=[[1, 2, 0], [0, 1, 0], [0, 0, 1]]), "not symmetric"),
        (lambda: ah.bodies.RigidBody("b", mass="-pi", inertia=[1, 1, 1]), "mass of b is -pi"),
        (lambda: ah.bodies.RigidBody("b", mass=1, inertia=["1", "-sqrt(2)", 1]), "negative moment"),
        (lambda: ah.bodies.RigidBody("b", mass=1, inertia=-np.eye(3)), "negative moment -1 about (1,"),
        (
            lambda: ah.bodies.RigidBody("b", mass=1, inertia=[[1, 2, 0], [2, 1, 0], [0, 0, 1]]),
            "negative moment -1 about",
        ),
        (
            lambda: ah.bodies.RigidBody("b", mass=1, inertia=[["I", 0, 0], [0, 1, 2], [0, 2, 1]]),
            "negative moment -1 about (0,",
        ),
        (
            lambda: ah.bodies.RigidBody("b", mass=1, inertia=[["I", 0, 0], [0, "I", 0], [0, 0, -2]]),
            "negative moment -2",
        ),
        (lambda: ah.bodies.RigidBody("b", mass=1, inertia=[1, 1]), "three principal moments"),
        (lambda: ah.bodies.Sphere(-1), "the sphere's radius is -1; give a positive one"),
        (lambda: ah.bodies.Sphere("0"), "the sphere's radius is 0"),
        (lambda: ah.bodies.Disc(0), "the disc's radius is 0"),
        (lambda: ah.bodies.Torus(-1, 0.1), "the torus's radius is -1"),
        (lambda: ah.bodies.Torus(1, "-r/r"), "the radius of the torus's tube is -r/r"),
        (lambda: ah.bodies.Ellipsoid(1, -2, 3), "a semi-axis of the ellipsoid is -2"),
        (lambda: ah.bodies.Bowl(-1), "the bowl's radius is -1"),
        (lambda: ah.bodies.Ball("-pi"), "the ball's radius is -pi"),
        (lambda: ah.bodies.Cylinder(0.0), "the cylinder's radius is 0.0"),
        (lambda: rolling_in(ah.bodies.Bowl(1)), "the bowl's radius less that of the body in it is -1"),
        (lambda: rolling_in(ah.bodies.Cylinder(2)), "the cylinder's radius less that of the body in it is 0"),
        (lambda: ah.bodies.RigidBody("b", mass=1, inertia=[1, 1, 1], moves="up"), "moves='up'"),
        (lambda: ah.bodies.RigidBody("2b", mass=1, inertia=[1, 1, 1]), "not a name"),
        (lambda: ah.bodies.Disc("r", axis=4), "axis=4"),
        (lambda: ah.bodies.Convex("g1^2"), "degree one"),
        (lambda: ah.bodies.Plane(normal=[0, 0, 0]), "is zero"),
        (lambda: ah.bodies.Plane(slope=1, normal=[0, 0, 1]), "either"),
        (lambda: ah.bodies.Plane(moving=["x'", 0, 0]), "uses x'"),
        (
            lambda: ah.bodies.Rolling(BODY, surface=ah.bodies.Disc("r"), on=ah.bodies.ParallelSurface("z")),
            "Disc on a ParallelSurface",
        ),
        (
            lambda: touching(ah.bodies.Plane(), constraints={"height": "w3 = 0"}),
            "a contact has a constraint 'height' too",
        ),
        (lambda: touching(ah.bodies.Plane(moving=["x", 0, 0])), "uses the coordinate x"),
        (lambda: touching(ah.bodies.Plane(normal=["q1", 0, 1])), "uses the coordinate q1"),
        (lambda: touching(ah.bodies.Bowl("m*t")), "uses t; its shape"),
        (lambda: touching(ah.bodies.Plane(), ah.bodies.Sphere(1, at=["t", 0, 0])), "uses t; its shape"),
        (lambda: touching(ah.bodies.LevelSurface("z - q0*x^2")), "uses q0; its shape"),
        (lambda: touching(ah.bodies.LevelSurface("-z")), "give it another `pole`"),
        (lambda: touching(ah.bodies.Plane(), parameters={"m": -1, "I": 1}), "the mass of body, m, is -1"),
        (
            lambda: touching(ah.bodies.Plane(), ah.bodies.Disc("I"), parameters={"m": 1, "I": -1}),
            "the width of the Disc",
        ),
        (
            lambda: touching(ah.bodies.Bowl("m"), ah.bodies.Sphere("I"), parameters={"m": 1, "I": 2}),
            "bowl's radius less that",
        ),
        (lambda: clashing(ah.bodies.RigidBody("contact", mass="m", inertia=["I", "I", "I"])), "contact_x of a contact"),
        (lambda: ah.bodies.Rolling(BODY, surface=BALL, on=BALL), "give a support"),
        (lambda: ah.bodies.Rolling(BODY, surface=ah.bodies.Plane(), on=ah.bodies.Plane()), "give one such as Sphere"),
        (lambda: ah.bodies.Rolling(BODY, surface=BALL, on=ah.bodies.Plane(), twist="some"), "twist='some'"),
        (lambda: ah.bodies.Force(BODY, [1, 2]), "three components"),
        (lambda: ah.bodies.Torque(BODY, [1, 2, 3], axes="moon"), "axes='moon'"),
        (lambda: system(contacts=[ah.bodies.Rolling(OTHER, surface=BALL, on=ah.bodies.Plane())]), "no body 'other'"),
        (lambda: system(contacts=[ah.bodies.Rolling("otter", surface=BALL, on=ah.bodies.Plane())]), "no body 'otter'"),
        (lambda: system(contacts=["rolling"]), "`contacts` has 'rolling'"),
        (lambda: system(bodies=[BODY, BODY]), "two bodies are called body"),
        (lambda: system(bodies=["ball"]), "`bodies` has 'ball'"),
        (lambda: system(bodies=BODY), "give a list"),
        (lambda: system(bodies=[], gravity="g"), "`gravity` needs `bodies`"),
        (lambda: system(kinetic=[1, 1, 1, 1, 1, 1]), "drop it"),
        (lambda: system(coordinates=["x"]), "x belongs to a body"),
        (lambda: system(constraints="x' = 0"), "`constraints` is"),
        (lambda: system(joints=[ah.bodies.Revolute(BODY, BODY)]), "one parent"),
        (
            lambda: system(bodies=[BODY, OTHER], joints=[ah.bodies.Fixed(BODY, OTHER), ah.bodies.Fixed(OTHER, BODY)]),
            "leave one free",
        ),
        (lambda: system(joints=["hinge"]), "`joints` has 'hinge'"),
        (lambda: system(loads=[3]), "`loads` has 3"),
        (lambda: system(parameters=["I"]), "m appears in the Lagrangian"),
    ],
)
def test_it_says_why(make, says) -> None:
    with pytest.raises(ah.Error, match=says.replace("(", r"\(")) as problem:
        make()
    assert str(problem.value).rstrip()[-1] in ".?"


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
    assert repr(spring) == "JointSpring(on='p', stiffness='k', rest=pi/2)"
    rolls = ah.bodies.Rolling(BODY, surface=ah.bodies.Disc("r", axis=2), on=ah.bodies.Plane(slope="s"))
    assert repr(rolls) == "Rolling(body='body', surface=Disc(radius='r', axis=2), on=Plane(slope='s'))"


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
