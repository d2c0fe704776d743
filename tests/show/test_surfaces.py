"""What an expression gives: patches of surfaces, convex bodies, and what turns with an angular velocity."""

from __future__ import annotations

import numpy as np
import pytest

import anholonomy as ah
from anholonomy.algebra.expressions import symbol
from anholonomy.catalogue import ENTRIES
from anholonomy.language.arguments import expression
from anholonomy.show.animation.film import Film
from anholonomy.show.animation.meshes import convex, patch
from anholonomy.show.animation.rotations import from_spin, matrix_of, smooth
from tests.wording import blames

CORNER = np.array([1.1, 1.2, 1.3])
SURFACES = {
    "waves": ("z - a*sin(3*x)", lambda x, y, z: z - 0.5 * np.sin(3 * x)),
    "ceiling": ("a*x^2 - 2*z", lambda x, y, z: 0.5 * x**2 - 2 * z),
    "sphere": ("x^2 + y^2 + z^2 - 1", lambda x, y, z: x**2 + y**2 + z**2 - 1),
    "cylinder": ("y^2 + z^2 - a", lambda x, y, z: y**2 + z**2 - 0.5),
    "cone, from inside": ("a*z^2 - x^2 - y^2 + 1/10", lambda x, y, z: 0.5 * z**2 - x**2 - y**2 + 0.1),
}


def still(scene, until=2.0) -> Film:
    entry = ENTRIES["skate"]
    return entry.make().simulate(entry.start, until=until).animate(scene=scene, frames=41).film


@pytest.mark.parametrize("case", SURFACES)
def test_a_patch_lies_on_its_surface_and_looks_to_where_the_equation_grows(case) -> None:
    text, F = SURFACES[case]
    vertices, faces, tones = patch(expression(text, "F"), {symbol("a"): 0.5}, -CORNER, CORNER)
    assert abs(F(*vertices.T)).max() < 1e-9
    assert len(tones) == len(faces) > 100
    corners = np.array([[vertices[c] for c in face] for face in faces])
    normals = np.cross(corners[:, 2] - corners[:, 0], corners[:, 3] - corners[:, 1])
    middles = corners.mean(axis=1)
    assert (F(*(middles + 1e-3 * normals).T) > F(*(middles - 1e-3 * normals).T)).all()


def test_a_patch_is_cut_by_the_box_and_moved_by_its_offset() -> None:
    F = expression("x^2 + y^2 - 1", "F")
    tube = patch(F, {}, -CORNER, CORNER).vertices
    np.testing.assert_allclose([tube[:, 2].min(), tube[:, 2].max()], [-1.3, 1.3], atol=1e-12)
    np.testing.assert_allclose(np.hypot(*patch(F, {}, -CORNER, CORNER, 0.25).vertices[:, :2].T), 0.75, atol=1e-9)
    assert patch(F, {}, 5 * CORNER, 6 * CORNER) is None
    assert patch(expression("z - log(-1 - x^2)", "F"), {}, -CORNER, CORNER) is None


def test_a_convex_body_touches_the_planes_of_its_support_function() -> None:
    rng = np.random.default_rng(0)
    directions = rng.normal(size=(200, 3))
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    for text, h in (
        ("sqrt(4*g1^2 + g2^2 + g3^2/4)", lambda u: np.sqrt(u**2 @ [4, 1, 0.25])),
        ("2*sqrt(g1^2 + g2^2) + sqrt(g1^2 + g2^2 + g3^2)/2", lambda u: 2 * np.hypot(u[:, 0], u[:, 1]) + 0.5),
    ):
        body = convex(expression(text, "h"), {})
        reach = (body.vertices @ directions.T).max(axis=0)
        assert (reach < h(directions) + 1e-9).all()
        assert (reach > 0.97 * h(directions)).all()
        edges = [edge for face in body.faces for edge in zip(face, face[1:] + face[:1], strict=True)]
        assert {(b, a) for a, b in edges} == set(edges)  # closed


def test_a_turn_is_the_integral_of_its_angular_velocity() -> None:
    """About one axis, where the angle is known; and about an axis that turns, ω = (cos t, sin t, 1), R(t) = exp(t e₃) exp(t e₁)."""
    t = np.linspace(0, 6, 4 * 100 + 1)
    angle = from_spin(np.array([0 * t, 0 * t, t**2]), t[1], 2)
    np.testing.assert_allclose(2 * np.unwrap(np.arctan2(angle[:, 3], angle[:, 0])), t[::4] ** 3 / 3, atol=1e-10)
    turns = from_spin(np.array([np.cos(t), np.sin(t), 1 + 0 * t]), t[1], 2)
    for s, q in zip(t[::4], smooth(turns), strict=True):
        c, d = np.cos(s), np.sin(s)
        expected = np.array([[c, -d, 0], [d, c, 0], [0, 0, 1]]) @ np.array([[1, 0, 0], [0, c, -d], [0, d, c]])
        np.testing.assert_allclose(matrix_of(q), expected, atol=1e-5)


def test_a_support_that_turns_with_a_velocity_is_drawn_as_it_turns() -> None:
    ball = ah.bodies.RigidBody("ball", mass=1, inertia=[0.1, 0.1, 0.1])
    system = ah.System(
        name="free turntable", bodies=[ball], coordinates=["phi"], lagrangian="phi'^2/2", gravity=9.81,
        contacts=[ah.bodies.Rolling(ball, surface=ah.bodies.Sphere(0.3), on=ah.bodies.Plane(rotating="phi'"))],
    )  # fmt: skip
    start = {
        "x": 1,
        "y": 0,
        "z": 0.3,
        "q0": 1,
        "q1": 0,
        "q2": 0,
        "q3": 0,
        "phi": 0,
        "phi'": 1,
        "w1": 0,
        "w2": 0,
        "w3": 0,
    }
    run = system.simulate(start, until=4)
    frames = run.animate(frames=81).film
    turn = next(a for a in frames.actors if a.kind == "plane").turn
    angle = 2 * np.unwrap(np.arctan2(turn[:, 3], turn[:, 0]))
    np.testing.assert_allclose(angle[-1] - angle[0], float(run["phi"][-1]), atol=1e-9)
    assert float(run["phi'"][-1]) < 0.9  # the ball slows the table, so that its angle is no multiple of the time


SUPPORTS = {
    "bowl": (ah.bodies.Bowl("R"), [1, 0, -np.sqrt(1.7**2 - 1)], lambda x, y, z: 2 - np.sqrt(x**2 + y**2 + z**2)),
    "gutter": (ah.bodies.Cylinder("R", 1), [0, 1, -np.sqrt(1.7**2 - 1)], lambda x, y, z: 2 - np.hypot(y, z)),
    "log": (ah.bodies.Cylinder("R", 1, inside=False), [0, 0, 2.3], lambda x, y, z: np.hypot(y, z) - 2),
    "parallel plane": (
        ah.bodies.ParallelSurface("z + x/R"),
        [0, 0, 0],
        lambda x, y, z: (z + x / 2) / np.sqrt(1.25) + 0.3,
    ),
}


@pytest.mark.parametrize("case", SUPPORTS)
def test_bodies_touch_the_support_that_is_drawn(case) -> None:
    on, (x, y, z), distance = SUPPORTS[case]
    ball = ah.bodies.RigidBody("ball", mass=1, inertia=[0.1, 0.1, 0.1])
    system = ah.System(
        name="ball", bodies=[ball], gravity=9.81, parameters={"r": 0.3, "R": 2.0},
        contacts=[ah.bodies.Rolling(ball, surface=ah.bodies.Sphere("r"), on=on)],
    )  # fmt: skip
    start = {"x": x, "y": y, "z": z, "q0": 1, "q1": 0, "q2": 0, "q3": 0, "w1": 0, "w2": 0.5, "w3": 0}
    support, body, trail = system.simulate(start, until=0.5).animate(frames=11).film.actors
    assert (support.kind, body.kind) == ("surface", "sphere")
    np.testing.assert_allclose(distance(*support.own.vertices.T), 0, atol=1e-9)
    np.testing.assert_allclose(distance(*body.position.T), body.scale[0, 0], atol=1e-9)
    np.testing.assert_allclose(distance(*trail.position.T), 0, atol=1e-9)
    nearest = np.linalg.norm(support.own.vertices[:, None] - body.position[None], axis=2).min(axis=0)
    assert (nearest < 0.3 + 0.1).all()  # the patch is where the motion is


def test_a_convex_body_stands_on_its_plane() -> None:
    ring = ah.bodies.RigidBody("ring", mass=1, inertia=[0.1, 0.1, 0.2])
    system = ah.System(
        name="ring", bodies=[ring], gravity=9.81, contacts=[ah.bodies.Rolling(ring, surface=ah.bodies.Torus(0.4, 0.1), on=ah.bodies.Plane())],
    )  # fmt: skip
    turn = np.array([np.cos(0.6), np.sin(0.6), 0, 0])
    height = 0.4 * np.sin(1.2) + 0.1
    start = dict(zip(["q0", "q1", "q2", "q3"], turn, strict=True)) | {
        "x": 0,
        "y": 0,
        "z": height,
        "w1": 0,
        "w2": 0,
        "w3": 3,
    }
    body = next(a for a in system.simulate(start, until=0.1).animate(frames=5).film.actors if a.kind == "convex")
    for k in range(5):
        low = (body.position[k] + body.own.vertices @ matrix_of(body.turn[k]).T)[:, 2].min()
        assert abs(low) < 3e-3


@pytest.mark.parametrize(
    ("shape", "names"),
    [
        ({"shape": "sphere", "radius": "1 - t"}, ("radius", "-0.05", "t", "1.05")),
        (
            {"shape": "box", "rotation": ["cos(t)", "sin(t)", 0, "sin(t)", "-cos(t)", 0, 0, 0, 1]},
            ("rotation", "t", "0"),
        ),
        ({"shape": "box", "rotation": [1, 0, 0, 0, 1, 0, 0, 0, "-m"]}, ("rotation", "0")),
        ({"shape": "box", "rotation": ["1 + t", 0, 0, 0, 1, 0, 0, 0, 1]}, ("t", "0.05")),
        ({"shape": "surface", "equation": "z - theta*x"}, ("theta",)),
        ({"shape": "convex", "support": "sqrt(g1^2 + t*g2^2 + g3^2)"}, ("t",)),
        ({"shape": "convex", "support": "sqrt(-1 - g1^2)"}, ("support",)),
    ],
)
def test_what_cannot_be_drawn_is_refused(shape, names) -> None:
    with blames((ah.errors.NotSupportedError, ah.errors.DeclarationError), *names):
        still([shape])


@pytest.mark.parametrize("equation", ["z - (x^2 - y^2)", "z - sin(3*x)*2", "z - 1/(10*x - 1/10)", "3*z + 4*x"])
def test_a_graph_ends_at_the_box_with_a_smooth_rim(equation) -> None:
    low, high = np.array([-1.0, -1.0, -0.3]), np.array([1.0, 1.0, 0.4])
    vertices, faces, _ = patch(expression(equation, "F"), {}, low, high)
    assert vertices[:, 2].min() >= -0.3 - 1e-12
    assert vertices[:, 2].max() <= 0.4 + 1e-12
    edges = [frozenset(edge) for face in faces for edge in zip(face, face[1:] + face[:1], strict=True)]
    rim = {corner for edge in edges if edges.count(edge) == 1 for corner in edge}
    away = np.minimum(abs(vertices[list(rim)] - low), abs(vertices[list(rim)] - high)).min(axis=1)
    # Every vertex of the rim is on a side of the box; none is inside it, as in a staircase.
    assert away.max() < 1e-9
    assert (abs(vertices[list(rim), 2] - 0.4) < 1e-9).any()


@pytest.mark.parametrize("equation", ["x^2 + y^2 + z^2 + 1", "(x^2 + y^2 - 1)^2 + 1/10", "z - log(-1 - x^2)"])
def test_an_equation_without_points_is_refused(equation) -> None:
    with blames(ah.errors.NotSupportedError):
        still([{"shape": "surface", "equation": equation}, {"shape": "point", "position": ["x", "y", "0"]}])


def test_a_support_of_a_size_of_its_own_is_kept_in_the_picture() -> None:
    dot = {"shape": "sphere", "position": ["x", "y", "0"], "radius": "0.01"}
    bowl = {"shape": "surface", "equation": "z - (x^2 + y^2)/9", "length": "30", "width": "20", "height": "80"}
    table = {"shape": "plane", "position": ["0", "0", "0"], "length": "30", "width": "20"}
    assert still([{"shape": "plane"}, dot]).follow
    for support in (bowl, table):
        wide = still([support, dot])
        assert not wide.follow
        np.testing.assert_allclose(np.ptp(wide.keys[:, :2], axis=0), [30, 20], atol=1e-9)
    around = still([{"shape": "surface", "equation": "z - (x^2 + y^2)/9"}, dot])
    assert np.ptp(around.keys[:, 0]) < 3
    carried = still([bowl | {"position": ["x", "y", "0"]}, dot], until=2.0)
    assert carried.reach > 20  # a camera that follows has all of what moves in its view


def test_points_of_a_chosen_size_are_not_run_after() -> None:
    assert not still([{"shape": "plane"}, {"shape": "point", "position": ["x", "y", "0"], "trail": True}]).follow


def test_a_surface_far_from_the_motion_is_not_drawn() -> None:
    surface, _ = still(
        [{"shape": "surface", "equation": "z - 1000"}, {"shape": "point", "position": ["x", "y", "0"]}]
    ).actors
    assert surface.own.faces == ()


def test_the_page_has_a_mesh_for_each_surface() -> None:
    entry = ENTRIES["skate"]
    scene = [
        {"shape": "surface", "equation": "z"},
        {"shape": "surface", "equation": "z + x^2", "clear": False},
        {"shape": "sphere", "position": ["x", "y", "0"], "clear": True},
    ]
    from anholonomy.show.animation.page import page_data

    animation = entry.make().simulate(entry.start, until=2).animate(scene=scene, frames=5)
    data = page_data(animation.film)
    assert [a["mesh"] for a in data["actors"]] == ["surface 0", "surface 1", "sphere"]
    assert set(data["meshes"]) == {"surface 0", "surface 1", "sphere"}
    assert [a["clear"] for a in data["actors"]] == [True, False, True]
    assert len(animation.html()) < 300_000
