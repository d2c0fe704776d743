"""Bodies, joints, contacts and loads in files: read as they would be declared, and written without loss."""

from __future__ import annotations

import tomllib
import warnings

import pytest
import sympy

import anholonomy as ah
from anholonomy.catalogue import ENTRIES
from tests.wording import blames

HEAD = 'schema = "anholonomy-system-1"\nname = "ball"\n'
BALL = """
gravity = "g"

[[bodies]]
name = "ball"
mass = "m"
inertia = ["I", "I", "I"]

[[contacts]]
type = "rolling"
body = "ball"
surface = { type = "sphere", radius = "r" }
on = { type = "plane", slope = "alpha" }
"""


def read(tmp_path, text):
    (tmp_path / "a.toml").write_text(HEAD + text)
    return ah.load(tmp_path / "a.toml")


def machine() -> ah.System:
    """Every kind of joint and load, and words of every kind beside them."""
    floor = ah.bodies.RigidBody("floor", mass=0, inertia=[0, 0, 0], moves="nowhere")
    bodies = [
        floor,
        *(ah.bodies.RigidBody(f"b{k}", mass=f"m{k}", inertia=[1, 2, "J"], centre=[0.1, 0, 0]) for k in range(6)),
    ]
    joints = [
        ah.bodies.Revolute(floor, bodies[1], at=[0, 0, 1], axis=[1, 1, 0], angle="phi"),
        ah.bodies.Prismatic(bodies[1], "b1", axis=[0, 0, 1], own=["l", 0, 0]),
        ah.bodies.Cylindrical(bodies[1], bodies[3]),
        ah.bodies.Universal("b2", bodies[4], angles=["p", "q"]),
        ah.bodies.Spherical(bodies[4], bodies[5], at=[1, sympy.Symbol("l"), 0]),
        ah.bodies.Fixed(bodies[5], bodies[6], angle=0.3),
    ]
    loads = [
        ah.bodies.Force("b5", ["F*cos(t)", 0, 1.5], axes="body"),
        ah.bodies.Torque(bodies[1], [0, 0, "M"]),
        ah.bodies.Spring(floor, bodies[6], stiffness="k", length="l", end=[0, 0, 1]),
        ah.bodies.Damper(bodies[4], damping=0.2, end=[5, 5, 5]),
        ah.bodies.Motor(joints[0], "u"),
        ah.bodies.JointSpring("p", stiffness=3, rest="pi/2"),
        ah.bodies.JointDamper(joints[1], damping=sympy.Rational(1, 3)),
    ]
    return ah.System(
        name="machine",
        bodies=bodies,
        joints=joints,
        loads=loads,
        gravity=["0", 0, "-g"],
        coordinates={"z": "length"},
        lagrangian="z'^2/2",
        constraints={"tie": "z' = phi'"},
        forces={"z": 2},
        start={"phi": "pi/2"},
    )


def wheels() -> ah.System:
    body = ah.bodies.RigidBody("body", mass="m", inertia=[0, 0, "J"], moves="plane")
    wheels = [ah.bodies.RigidBody(name, mass=0, inertia=[0, "I", 0]) for name in ("left", "right")]
    return ah.System(
        name="carriage", bodies=[body, *wheels], redundant="drop",
        joints=[ah.bodies.Revolute(body, wheel, at=[0, place, "R"], axis=[0, 1, 0]) for wheel, place in zip(wheels, ("w", "-w"), strict=True)],
        contacts=[ah.bodies.Rolling(wheel, surface=ah.bodies.Disc("R", axis=2), on=ah.bodies.Plane()) for wheel in wheels],
        parameters={"m": 1.0, "J": 0.4, "I": 0.1, "R": 0.5, "w": 0.6},
    )  # fmt: skip


def touching(surface, on, **words) -> ah.System:
    egg = ah.bodies.RigidBody("egg", mass="m", inertia=["I1", "I2", "I3"])
    return ah.System(
        name="egg", bodies=[egg], gravity="g", contacts=[ah.bodies.Rolling(egg, surface=surface, on=on, **words)]
    )


MADE = {
    "machine": machine,
    "wheels": wheels,
    "sphere in bowl": lambda: touching(
        ah.bodies.Sphere("r", at=[0, 0, "c"]), ah.bodies.Bowl("R", pole=[0, 1, 0]), twist="none"
    ),
    "sphere in cylinder": lambda: touching(ah.bodies.Sphere("r"), ah.bodies.Cylinder("R", 1, rotating="W")),
    "torus": lambda: touching(ah.bodies.Torus("R", "r"), ah.bodies.Plane(rotating="W", moving=["sin(t)", 0, 0])),
    "egg": lambda: touching(ah.bodies.Ellipsoid("a", "a", "c"), ah.bodies.Plane(normal=[0, 1, 1])),
    "parallel": lambda: touching(ah.bodies.Sphere("r"), ah.bodies.ParallelSurface("z - x^2")),
    "convex": lambda: touching(ah.bodies.Convex("sqrt(g1^2 + 2*g2^2 + g3^2)", round="r"), ah.bodies.Plane()),
}


@pytest.mark.exhaustive_for("machine")
@pytest.mark.parametrize("make", MADE.values(), ids=MADE)
def test_a_machine_is_written_by_its_parts_and_read_back_equal(make, tmp_path):
    system = make()
    system.save(tmp_path / "a.toml")
    written = tomllib.loads((tmp_path / "a.toml").read_text())
    assert written["bodies"], "not as a Lagrangian"
    assert written.get("lagrangian", "").count("'") < 2
    again = ah.load(tmp_path / "a.toml")
    assert again == system
    assert again.model.scene == system.model.scene
    again.save(tmp_path / "b.toml")
    assert (tmp_path / "b.toml").read_text() == (tmp_path / "a.toml").read_text()


def test_a_file_by_hand_says_what_python_says(tmp_path):
    ball = ah.bodies.RigidBody("ball", mass="m", inertia=["I", "I", "I"])
    contact = ah.bodies.Rolling(ball, surface=ah.bodies.Sphere("r"), on=ah.bodies.Plane(slope="alpha"))
    assert read(tmp_path, BALL) == ah.System(name="ball", bodies=[ball], contacts=[contact], gravity="g")


def test_values_and_starts_are_kept_and_other_changes_are_written_out(tmp_path):
    system = wheels().with_parameters(m=3.0, J=None).with_start({"x": 1})
    system.save(tmp_path / "a.toml")
    assert "[[bodies]]" in (tmp_path / "a.toml").read_text()
    assert ah.load(tmp_path / "a.toml") == system
    pushed = wheels().with_forces({"x": "1"})
    pushed.save(tmp_path / "b.toml")
    assert ah.load(tmp_path / "b.toml").model.forces_a == pushed.model.forces_a


def test_the_motion_of_a_machine_knows_its_system(tmp_path):
    system = wheels()
    start = {"x": 0, "y": 0, "theta": 0, "left_angle": 0, "right_angle": 0, "x'": 1, "theta'": 0}
    run = system.simulate(start, times=[0, 1])
    run.save(tmp_path / "run.nc")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        again = ah.load(tmp_path / "run.nc").system
    assert again == system
    assert run.system == system


def test_the_motion_of_a_desk_on_four_legs_knows_its_contacts(tmp_path):
    """One leg follows from the others and is dropped, and so is whether each of them pushes; the ball beside it does."""
    desk = ah.bodies.RigidBody("desk", mass=1, inertia=[1, 1, 1])
    ball = ah.bodies.RigidBody("ball", mass=1, inertia=[1, 1, 1])
    legs = [
        ah.bodies.Sliding(desk, surface=ah.bodies.Sphere(0.1, at=[x, y, -1]), on=ah.bodies.Plane())
        for x in (1, -1)
        for y in (1, -1)
    ]
    rolls = ah.bodies.Rolling(ball, surface=ah.bodies.Sphere(1), on=ah.bodies.Plane())
    system = ah.System(name="s", bodies=[desk, ball], contacts=[*legs, rolls], gravity=9.8, redundant="drop")
    still = {q.name: 1 if q.name.endswith("q0") else 0 for q in system.coordinates}
    start = still | {"desk_z": 1.1, "ball_z": 1, "desk_x'": 1, "desk_y'": 0, "desk_w3": 0, "ball_w1": 1, "ball_w2": 0}
    system.simulate(start | {"ball_w3": 0}, times=[0, 0.1]).save(tmp_path / "run.nc")
    again = ah.load(tmp_path / "run.nc").system
    assert again == system
    assert again.model.one_sided == ("ball height",)


@pytest.mark.parametrize("key", ["rattleback", "routh-sphere"])
def test_systems_of_the_catalogue_survive(key, tmp_path):
    system = ENTRIES[key].make()
    system.save(tmp_path / "a.toml")
    assert ah.load(tmp_path / "a.toml") == system


@pytest.mark.parametrize(
    ("change", "names"),
    [
        (('type = "rolling"', 'type = "roling"'), ("rolling",)),
        (('type = "rolling"\n', ""), ("contacts", "type", "1")),
        (('type = "sphere"', 'type = "cube"'), ("contacts", "surface", "cube", "1")),
        (("radius", "radus"), ("radus", "radius")),
        (('mass = "m"', 'weight = "m"'), ("weight", "mass")),
        (('mass = "m"', "mass = -1"), ("bodies", "mass", "-1")),
        (('mass = "m"', "mass = { kg = 1 }"), ("mass",)),
        (('mass = "m"', "mass = [1]"), ("mass",)),
        (('body = "ball"\n', ""), ("body",)),
        (('body = "ball"', 'body = "bal"'), ("bal",)),
        (('body = "ball"', "body = 3"), ("3",)),
        (('name = "ball"\nmass', "name = 3\nmass"), ()),
        (("[[bodies]]", "[[corpses]]"), ()),
        (('gravity = "g"', "gravity = true"), ("gravity",)),
        (("[[contacts]]", "[contacts]"), ()),
        (('slope = "alpha"', 'slope = "2 +"'), ()),
    ],
)
def test_a_mistake_gets_a_sentence_with_its_place(tmp_path, change, names):
    assert change[0] in BALL
    with blames(ah.Error, *names):
        read(tmp_path, BALL.replace(*change))


def test_a_joint_without_body_gets_a_sentence(tmp_path):
    with blames(ah.errors.FileError):
        read(tmp_path, 'lagrangian = "x\'^2"\ncoordinates = ["x"]\n[[joints]]\ntype = "revolute"\n')
    with blames(ah.Error):
        read(tmp_path, BALL + '[[joints]]\ntype = "revolute"\nparent = "ball"\nchild = "ball"\nangle = 3\n')
