"""What a joint connects is drawn as connected: rods end where closed forms say."""

from __future__ import annotations

import math

import pytest

import anholonomy as ah


def ends(system: ah.System, state: dict[str, float]) -> list[tuple[list[float], list[float]]]:
    """Where the rods of a scene begin and end."""
    at = {s: state[s.name] for s in system.coordinates}
    rods = [shape for shape in system.model.scene if shape.kind == "rod"]
    return [tuple([float(e.subs(at)) for e in place] for place in (rod.position, rod.to)) for rod in rods]


def body(name: str, **words) -> ah.bodies.RigidBody:
    return ah.bodies.RigidBody(name, **({"mass": 1, "inertia": [0.1, 0.1, 0.1]} | words))


def test_a_double_pendulum_hangs_on_its_rods():
    """The second hinge is below the middle of the first bob, so that three rods are seen."""
    wall, one, two = body("wall", moves="nowhere"), body("one"), body("two")
    first = ah.bodies.Revolute(wall, one, axis=[0, 1, 0], own=[0, 0, 1], angle="p")
    second = ah.bodies.Revolute(one, two, at=[0, 0, -0.5], axis=[0, 1, 0], own=[0, 0, 2], angle="s")
    system = ah.System(name="s", bodies=[wall, one, two], joints=[first, second], gravity=1)
    p, s = 0.3, 0.4

    def down(angle: float, length: float) -> list[float]:
        return [-length * math.sin(angle), 0, -length * math.cos(angle)]

    hinge, tip = down(p, 1.5), [a + b for a, b in zip(down(p, 1.5), down(p + s, 2), strict=True)]
    expected = [([0, 0, 0], down(p, 1)), (down(p, 1), hinge), (hinge, tip)]
    for (a, b), (c, d) in zip(ends(system, {"p": p, "s": s}), expected, strict=True):
        assert a == pytest.approx(c, abs=1e-12)
        assert b == pytest.approx(d, abs=1e-12)


def test_a_slide_is_as_long_as_it_has_slid():
    wall, cart = body("wall", moves="nowhere"), body("cart", centre=[0, 0, 1])
    system = ah.System(
        name="s", bodies=[wall, cart], joints=[ah.bodies.Prismatic(wall, cart, at=[1, 0, 0], distance="d")]
    )
    assert ends(system, {"d": 0.7}) == [([1, 0, 0], [1.7, 0, 0]), ([1.7, 0, 0], [1.7, 0, 1])]


def test_drawbars_are_level_and_axles_end_at_wheels():
    """A box on the floor is lifted, its drawbar too; the centre of a wheel stays where it is."""
    car = body("car", inertia=[0, 0, 24], moves="plane")
    trailer, wheel = body("trailer", inertia=[0, 0, 24]), body("wheel", mass=0, inertia=[0, 1, 0])
    joints = [
        ah.bodies.Revolute(car, trailer, own=[3, 0, 0], angle="hitch"),
        ah.bodies.Revolute(car, wheel, at=[0, 2, 0.5], axis=[0, 1, 0], angle="spin"),
    ]
    rolls = ah.bodies.Rolling(wheel, surface=ah.bodies.Disc(0.5, axis=2), on=ah.bodies.Plane())
    system = ah.System(name="s", bodies=[car, trailer, wheel], joints=joints, contacts=[rolls])
    height = math.sqrt(6 * 24) / 4
    drawbar, axle = ends(system, {"x": 1, "y": 2, "theta": 0, "hitch": 0, "spin": 0})
    assert drawbar == ([1, 2, height / 2], [-2, 2, height / 2])
    assert axle == ([1, 2, height / 2], [1, 4, 0.5])


def test_a_body_on_its_joint_needs_no_rod():
    wall, top = body("wall", moves="nowhere"), body("top")
    assert (
        ends(ah.System(name="s", bodies=[wall, top], joints=[ah.bodies.Revolute(wall, top, angle="p")]), {"p": 1}) == []
    )
