"""Scenes: read from a declaration, kept in files and trajectories, refused in sentences."""

from __future__ import annotations

import numpy as np
import pytest

import anholonomy as ah
from anholonomy.system.scene import ROLES, SIZES, scene_tables
from tests.wording import blames

EVERY = [
    {"shape": kind, "position": ["x", "y", 0.5], **{word: f"{k + 1}*r" for k, word in enumerate(sizes)}}
    | {
        "polyline": {"points": [["0", "0", "0"], ["r", "x", "t"]]},
        "surface": {"equation": "z - r*x^2", "spin": [0, 0, "theta'"]},
        "convex": {"support": "sqrt(r*g1^2 + g2^2 + g3^2)", "clear": True},
    }.get(kind, {})
    for kind, sizes in SIZES.items()
]


def skate(scene=None) -> ah.System:
    return ah.System(
        name="skate", coordinates={"x": "length", "y": "length", "theta": "angle"},
        lagrangian="(x'^2 + y'^2 + theta'^2)/2", constraints=["x'*sin(theta) = y'*cos(theta)"],
        parameters={"r": 0.5}, scene=scene,
    )  # fmt: skip


@pytest.mark.parametrize(
    "rotation",
    [
        [["z", "theta"], ["x", "-t"]],
        ["cos(theta/2)", 0, 0, "sin(theta/2)"],
        ["cos(theta)", "-sin(theta)", 0, "sin(theta)", "cos(theta)", 0, 0, 0, 1],
        [["cos(theta)", "-sin(theta)", 0], ["sin(theta)", "cos(theta)", 0], [0, 0, 1]],
    ],
    ids=["steps", "quaternion", "matrix", "rows"],
)
def test_a_scene_survives_its_file(rotation, tmp_path) -> None:
    scene = [*EVERY, {"shape": "box", "rotation": rotation, "colour": "#AA0011", "trail": True}]
    scene.append({"shape": "arrow", "position": ["x", "y", "0"], "to": ["x + x'", "y + y'", "0"]})
    system = skate(scene)
    system.save(tmp_path / "skate.toml")
    assert ah.load(tmp_path / "skate.toml") == system
    assert skate(scene_tables(system.model.scene)) == system
    assert len(system.model.scene) == len(scene)
    assert system.with_parameters(r=2.0).model.scene == system.model.scene


def test_a_trajectory_carries_the_scene(tmp_path) -> None:
    run = skate([{"shape": "sphere", "radius": "r"}]).simulate(
        {"x": 0, "y": 0, "theta": 0, "x'": 1, "theta'": 1}, until=1
    )
    run.save(tmp_path / "run.nc")
    assert ah.load(tmp_path / "run.nc").system.model.scene[0].kind == "sphere"


def test_names_on_a_group_are_understood() -> None:
    scene = [{"shape": "box", "rotation": [f"R{i}{j}" for i in (1, 2, 3) for j in (1, 2, 3)]}]
    top = ah.System(name="top", group="SO3", kinetic=[1, 2, 3], scene=scene)
    assert {s.name for entry in top.model.scene[0].rotation.entries for s in entry.free_symbols} == {
        "q0",
        "q1",
        "q2",
        "q3",
    }


@pytest.mark.parametrize(
    ("scene", "names"),
    [
        ("sphere", ()),
        ([3], ("shape",)),
        ([{"shape": "spheer"}], ("sphere",)),
        ([{"shape": "sphere", "raduis": "r"}], ("raduis",)),
        ([{"shape": "sphere", "radius": "s"}], ("s", "radius", "shape", "1")),
        ([{"shape": "sphere", "position": ["x", "y"]}], ()),
        ([{"shape": "sphere", "rotation": [["w", "theta"]]}], ()),
        ([{"shape": "sphere", "rotation": ["theta"]}], ()),
        ([{"shape": "sphere", "rotation": "theta"}], ()),
        ([{"shape": "sphere", "colour": "red;x"}], tuple(ROLES)),
        ([{"shape": "sphere", "trail": "yes"}], ()),
        ([{"shape": "polyline"}], ("points",)),
        ([{"shape": "sphere", "position": ["x''", "y", "0"]}], ()),
        ([{"shape": "sphere", "radius": "-sqrt(2)"}], ("radius", "sqrt", "2")),
        ([{"shape": "box", "rotation": [1, 0, 0, 0, 1, 0, 0, 0, -1]}], ()),
        ([{"shape": "box", "rotation": [1, 0, 0, 0, 2, 0, 0, 0, 1]}], ()),
        ([{"shape": "box", "spin": ["0", "1"]}], ()),
        ([{"shape": "box", "clear": "yes"}], ()),
        ([{"shape": "surface"}], ("equation",)),
        ([{"shape": "surface", "equation": "r"}], ()),
        ([{"shape": "surface", "equation": "z - s*x"}], ("s", "equation")),
        ([{"shape": "convex", "support": "x"}], ("g1", "g2", "g3")),
    ],
)
def test_bad_scenes_are_refused(scene, names) -> None:
    with blames(ah.errors.DeclarationError, *names):
        skate(scene)


def test_text_is_parsed_and_not_evaluated() -> None:
    with blames(ah.Error):
        skate([{"shape": "sphere", "radius": "__import__('os').getcwd()"}])


def test_a_file_with_a_scene_of_another_shape_is_refused(tmp_path) -> None:
    skate().save(tmp_path / "skate.toml")
    text = (tmp_path / "skate.toml").read_text().replace("lagrangian", 'scene = "sphere"\nlagrangian', 1)
    (tmp_path / "skate.toml").write_text(text)
    with blames(ah.errors.FileError):
        ah.load(tmp_path / "skate.toml")


def ball_on(plane: ah.bodies.Plane, surface=None, **words) -> ah.System:
    ball = ah.bodies.RigidBody("ball", mass="m", inertia=["J", "J", "K"])
    return ah.System(
        name="ball", bodies=[ball], gravity="g", parameters={"m": 1, "J": 0.3, "K": 0.4, "r": 0.5, "g": 9.81, "W": 2.0},
        contacts=[ah.bodies.Rolling(ball, surface=surface or ah.bodies.Sphere("r"), on=plane)], **words,
    )  # fmt: skip


def kinds(system: ah.System) -> list[str]:
    return [shape.kind for shape in system.model.scene]


def test_bodies_wear_their_surfaces() -> None:
    assert kinds(ball_on(ah.bodies.Plane())) == ["plane", "sphere", "trail"]
    assert kinds(ball_on(ah.bodies.Plane(), ah.bodies.Disc("r", axis=1))) == ["plane", "disc", "trail"]
    egg = ball_on(ah.bodies.Plane(), ah.bodies.Ellipsoid("r", "2*r", "3*r")).model.scene[1]
    assert egg.kind == "ellipsoid"
    assert [float(value.subs({"r": 0.5})) for _, value in egg.sizes] == [1.0, 2.0, 3.0]
    assert kinds(ball_on(ah.bodies.Plane(), ah.bodies.Torus("r", "r/3"))) == ["plane", "convex", "trail"]
    assert kinds(ball_on(ah.bodies.Plane(), ah.bodies.Convex("sqrt(r*g1^2 + g2^2 + g3^2)"))) == [
        "plane",
        "convex",
        "trail",
    ]
    for on in (ah.bodies.Bowl("3*r"), ah.bodies.Cylinder("3*r"), ah.bodies.ParallelSurface("z - x^2")):
        assert kinds(ball_on(on)) == ["surface", "sphere", "trail"]
    assert kinds(ball_on(ah.bodies.Ball("3*r"))) == ["sphere", "sphere", "trail"]
    assert kinds(ball_on(ah.bodies.Plane(), scene=[{"shape": "point"}])) == ["point"]


def test_the_axis_of_a_disc_is_that_of_the_body() -> None:
    for axis in (1, 2, 3):
        system = ball_on(ah.bodies.Plane(), ah.bodies.Disc("r", axis=axis))
        upright = {q: float(q.name == "q0") for q in system.coordinates}
        turn = [float(entry.xreplace(upright)) for entry in system.model.scene[1].rotation.entries]
        assert [turn[3 * k + 2] for k in range(3)] == [float(k == axis - 1) for k in range(3)]
        columns = [[turn[3 * k + j] for k in range(3)] for j in range(3)]
        assert _triple(*columns) == 1.0


def _triple(a, b, c) -> float:
    """a · (b × c), 1 for a rotation's columns."""
    return sum(a[k] * (b[k - 2] * c[k - 1] - b[k - 1] * c[k - 2]) for k in range(3))


def test_bodies_without_surface_are_boxes_of_their_inertia() -> None:
    brick = ah.bodies.RigidBody("brick", mass=12, inertia=[13, 10, 5])  # edges 1, 2, 3
    (box,) = ah.System(name="brick", bodies=[brick]).model.scene
    assert [str(value) for _, value in box.sizes] == ["1", "2", "3"]


def test_a_turntable_turns_its_grid(tmp_path) -> None:
    system = ball_on(ah.bodies.Plane(rotating="W"))
    assert system.model.scene[0].position is not None
    assert [str(entry) for entry in system.model.scene[0].spin] == ["0", "0", "W"]
    system.save(tmp_path / "ball.toml")
    assert ah.load(tmp_path / "ball.toml").model.scene == system.model.scene


def test_wheels_are_seen_through_what_they_carry() -> None:
    body = ah.bodies.RigidBody("body", mass="m", inertia=[0, 0, "J"], moves="plane")
    wheel = ah.bodies.RigidBody("wheel", mass=0, inertia=[0, "J", 0])
    system = ah.System(
        name="barrow", bodies=[body, wheel], joints=[ah.bodies.Revolute(body, wheel, at=[0, 0, "r"], axis=[0, 1, 0])],
        contacts=[ah.bodies.Rolling(wheel, surface=ah.bodies.Disc("r", axis=2), on=ah.bodies.Plane())],
        parameters={"m": 1.0, "J": 0.4, "r": 0.5}, redundant="drop",
    )  # fmt: skip
    assert {shape.kind: shape.clear for shape in system.model.scene} == {
        "plane": False, "disc": False, "trail": False, "box": True, "rod": False,
    }  # fmt: skip
    assert float(system.model.scene[-1].position[2].subs({"m": 1, "J": 0.4})) > 0  # it stands on the plane


def test_a_knife_edge_in_the_plane_has_a_floor() -> None:
    sleigh = ah.bodies.RigidBody("sleigh", mass="m", inertia=[0, 0, "J"], moves="plane")
    system = ah.System(
        name="sleigh", bodies=[sleigh], contacts=[ah.bodies.KnifeEdge(sleigh)], parameters={"m": 1.0, "J": 0.4}
    )
    assert kinds(system) == ["plane", "blade", "box"]


def test_a_body_beside_its_origin_is_drawn_about_its_middle() -> None:
    aside = ball_on(ah.bodies.Plane(), ah.bodies.Convex("sqrt(4*g1^2 + g2^2 + g3^2) + 3*g2", round="r")).model.scene[1]
    central = ball_on(
        ah.bodies.Plane(), ah.bodies.Convex("sqrt(4*g1^2 + g2^2 + g3^2)", round="r", at=[0, 3, 0])
    ).model.scene[1]
    assert aside == central


def test_a_support_function_is_homogeneous() -> None:
    with blames(ah.errors.DeclarationError, "support"):
        skate([{"shape": "convex", "support": "g1^2/4 + g2^2 + g3^2"}])
    with blames(ah.errors.DeclarationError):
        skate([{"shape": "convex", "support": "sqrt(g1^2 + g2^2 + g3^2) + r"}])
    assert skate([{"shape": "convex", "support": "abs(g1) + r*sqrt(g2^2 + g3^2) + 2*g3"}]).model.scene


def test_arrays_are_lists() -> None:
    place = np.array([1, 2.5, 0])
    (ball,) = skate([{"shape": "sphere", "position": place, "rotation": np.eye(3)}]).model.scene
    assert [float(entry) for entry in ball.position] == [1, 2.5, 0]
    with blames(ah.errors.DeclarationError):
        skate([{"shape": "sphere", "position": np.array(1.0)}])
