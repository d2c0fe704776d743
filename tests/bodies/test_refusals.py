"""What cannot be built is refused in a sentence."""

from __future__ import annotations

import pytest

import anholonomy as ah

BODY = ah.RigidBody("body", mass="m", inertia=["I", "I", "I"])
OTHER = ah.RigidBody("other", mass="m", inertia=["I", "I", "I"])
BALL = ah.Sphere("r")


def system(**words: object) -> ah.System:
    return ah.System(**({"name": "a", "bodies": [BODY], "parameters": ["m", "I", "r", "g"]} | words))


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: ah.RigidBody("b", inertia=[1, 1, 1]), "no mass"),
        (lambda: ah.RigidBody("b", mass=1), "no inertia"),
        (lambda: ah.RigidBody("b", mass=-2, inertia=[1, 1, 1]), "mass of b is -2"),
        (lambda: ah.RigidBody("b", mass=1, inertia=[1, -1, 1]), "negative moment"),
        (lambda: ah.RigidBody("b", mass=1, inertia=[[1, 2, 0], [0, 1, 0], [0, 0, 1]]), "not symmetric"),
        (lambda: ah.RigidBody("b", mass=1, inertia=[1, 1]), "three principal moments"),
        (lambda: ah.RigidBody("b", mass=1, inertia=[1, 1, 1], moves="up"), "moves='up'"),
        (lambda: ah.RigidBody("2b", mass=1, inertia=[1, 1, 1]), "not a name"),
        (lambda: ah.Disc("r", axis=4), "axis=4"),
        (lambda: ah.Convex("g1^2"), "degree one"),
        (lambda: ah.Plane(normal=[0, 0, 0]), "is zero"),
        (lambda: ah.Plane(slope=1, normal=[0, 0, 1]), "either"),
        (lambda: ah.Plane(moving=["x'", 0, 0]), "uses x'"),
        (lambda: ah.Rolling(BODY, surface=ah.Disc("r"), on=ah.Bowl("R")), "Disc on a Bowl"),
        (lambda: ah.Rolling(BODY, surface=BALL, on=BALL), "give a support"),
        (lambda: ah.Rolling(BODY, surface=ah.Plane(), on=ah.Plane()), "give one such as Sphere"),
        (lambda: ah.Rolling(BODY, surface=BALL, on=ah.Plane(), twist="some"), "twist='some'"),
        (lambda: ah.Force(BODY, [1, 2]), "three components"),
        (lambda: ah.Torque(BODY, [1, 2, 3], axes="moon"), "axes='moon'"),
        (lambda: system(contacts=[ah.Rolling(OTHER, surface=BALL, on=ah.Plane())]), "no body 'other'"),
        (lambda: system(contacts=[ah.Rolling("otter", surface=BALL, on=ah.Plane())]), "no body 'otter'"),
        (lambda: system(contacts=["rolling"]), "`contacts` has 'rolling'"),
        (lambda: system(bodies=[BODY, BODY]), "two bodies are called body"),
        (lambda: system(bodies=["ball"]), "`bodies` has 'ball'"),
        (lambda: system(bodies=BODY), "give a list"),
        (lambda: system(bodies=[], gravity="g"), "`gravity` needs `bodies`"),
        (lambda: system(kinetic=[1, 1, 1, 1, 1, 1]), "drop it"),
        (lambda: system(coordinates=["x"]), "x belongs to a body"),
        (lambda: system(constraints="x' = 0"), "`constraints` is"),
        (lambda: system(joints=[ah.Revolute(BODY, BODY)]), "one parent"),
        (lambda: system(bodies=[BODY, OTHER], joints=[ah.Fixed(BODY, OTHER), ah.Fixed(OTHER, BODY)]), "leave one free"),
        (lambda: system(joints=["hinge"]), "`joints` has 'hinge'"),
        (lambda: system(loads=[3]), "`loads` has 3"),
        (lambda: system(parameters=["I"]), "m appears in the Lagrangian"),
    ],
)
def test_it_says_why(make, says) -> None:
    with pytest.raises(ah.Refusal, match=says.replace("(", r"\(")) as problem:
        make()
    assert str(problem.value).rstrip()[-1] in ".?"


def test_names_have_a_prefix_where_several_bodies_are_free() -> None:
    two = system(bodies=[BODY, OTHER], contacts=[ah.Rolling(b, surface=BALL, on=ah.Plane()) for b in (BODY, "other")])
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
