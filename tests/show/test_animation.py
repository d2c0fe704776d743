"""Animation: the poses are those of the motion, the page says no more than it should, pictures are written."""

from __future__ import annotations

import base64
import html
import json
import re

import numpy as np
import pytest

import anholonomy as ah
from anholonomy.catalogue import ENTRIES
from anholonomy.show.animation.film import Film, hermite
from anholonomy.show.animation.meshes import mesh
from anholonomy.show.animation.rotations import along, from_matrix, from_steps, matrix_of, multiply, smooth
from anholonomy.system.scene import SIZES
from tests.wording import blames

WITH_SCENE = list(ENTRIES)


def motion(key: str, until: float | None = None) -> ah.Motion:
    entry = ENTRIES[key]
    return entry.make().simulate(entry.start, until=until or entry.until)


def film(key: str, until: float | None = None, **wishes) -> Film:
    return motion(key, until).animate(**wishes).film


def read(page: str) -> dict:
    """The numbers of a page, as its program reads them."""
    return json.loads(re.search(r'<script type="application/json" id="film">(.*?)</script>', page, re.DOTALL)[1])


def unpacked(text: str, kind: str, width: int) -> np.ndarray:
    return np.frombuffer(base64.b64decode(text), kind).reshape(-1, width)


def actor(film: Film, kind: str):
    return next(a for a in film.actors if a.kind == kind)


# Poses


def test_steps_turn_about_axes_that_turn_along() -> None:
    angles = np.array([[0.3, -2.0], [1.1, 0.4], [0.7, 3.0]])
    c, s = np.cos(angles), np.sin(angles)
    for k, q in enumerate(from_steps("zxy", angles)):
        Rz = np.array([[c[0, k], -s[0, k], 0], [s[0, k], c[0, k], 0], [0, 0, 1]])
        Rx = np.array([[1, 0, 0], [0, c[1, k], -s[1, k]], [0, s[1, k], c[1, k]]])
        Ry = np.array([[c[2, k], 0, s[2, k]], [0, 1, 0], [-s[2, k], 0, c[2, k]]])
        np.testing.assert_allclose(matrix_of(q), Rz @ Rx @ Ry, atol=1e-14)


def test_matrices_and_quaternions_are_one_rotation() -> None:
    q = smooth(np.random.default_rng(0).normal(size=(200, 4)))
    q[:4] = np.eye(4)  # half turns, where three of the four squares vanish
    back = smooth(from_matrix(np.array([matrix_of(each).ravel() for each in q]).T))
    np.testing.assert_allclose(abs((q * back).sum(axis=1)), 1, atol=1e-14)
    group = ah.groups.SO3()
    np.testing.assert_allclose(multiply(q[5:6], q[6:7])[0], group.multiply(q[5], q[6]), atol=1e-15)


def test_neighbours_are_on_the_same_half_of_the_sphere() -> None:
    angle = np.linspace(0, 20, 300)
    raw = from_steps("z", angle[None, :]) * np.where(np.arange(300) % 7 < 3, -2.0, 0.5)[:, None]
    q = smooth(raw)
    assert ((q[1:] * q[:-1]).sum(axis=1) > 0.99).all()


def test_rods_point_where_they_should() -> None:
    ends = np.array([[1.0, 2, 3], [-1, 0, 0], [0, 0, -2], [1, 0, 0], [0, 0, 0], [-1, 1e-12, 0]])
    for q, end in zip(smooth(along(ends)), ends, strict=True):
        if size := np.linalg.norm(end):
            np.testing.assert_allclose(matrix_of(q)[:, 0], end / size, atol=1e-9)


def test_interpolation_is_exact_for_cubics() -> None:
    grid, times = np.array([0.0, 0.3, 1.0, 2.5]), np.linspace(0, 2.5, 31)
    cubic, slope = np.polynomial.Polynomial([1, -2, 0.5, 3]), np.polynomial.Polynomial([1, -2, 0.5, 3]).deriv()
    np.testing.assert_allclose(hermite(grid, cubic(grid)[None], slope(grid)[None], times)[0], cubic(times), atol=1e-13)


def test_a_coarse_motion_plays_like_a_fine_one() -> None:
    entry = ENTRIES["leaning-disc"]
    system = entry.make()
    coarse = system.simulate(entry.start, times=np.linspace(0, 2, 41).tolist()).animate(frames=101).film
    fine = system.simulate(entry.start, times=np.linspace(0, 2, 101).tolist()).animate(frames=101).film
    for a, b in zip(coarse.actors, fine.actors, strict=True):
        if a.kind != "plane":
            np.testing.assert_allclose(a.position, b.position, atol=1e-4)
            np.testing.assert_allclose(a.turn, b.turn, atol=1e-4)


@pytest.mark.parametrize("key", ["rolling-disk", "leaning-disc"])
def test_the_material_point_in_contact_does_not_move(key) -> None:
    """Rolling, seen in the pictures alone: the wheel's velocity field vanishes where it touches the plane."""
    frames = film(key, until=2.0, frames=2001)
    wheel, contact = actor(frames, "wheel"), actor(frames, "trail")
    dt = frames.times[1] - frames.times[0]
    for k in range(100, 1900, 300):
        R0, R1, R2 = (matrix_of(wheel.turn[j]) for j in (k - 1, k, k + 1))
        body = R1.T @ (contact.position[k] - wheel.position[k])
        velocity = (wheel.position[k + 1] + R2 @ body - wheel.position[k - 1] - R0 @ body) / (2 * dt)
        assert (
            np.linalg.norm(velocity) < 2e-5 * np.linalg.norm(wheel.position[k + 1] - wheel.position[k - 1]) / dt + 2e-5
        )
        assert abs(np.linalg.norm(body) - 1) < 1e-12  # on the rim, whose radius is 1
        assert abs(body[1]) < 1e-12  # in the wheel's plane


def test_the_wheels_of_the_carriage_roll() -> None:
    frames = film("carriage", until=2.0, frames=2001)
    dt = frames.times[1] - frames.times[0]
    for wheel in (a for a in frames.actors if a.kind == "wheel"):
        k = 1000
        R0, R1, R2 = (matrix_of(wheel.turn[j]) for j in (k - 1, k, k + 1))
        body = R1.T @ [0, 0, -0.5]
        velocity = (wheel.position[k + 1] + R2 @ body - wheel.position[k - 1] - R0 @ body) / (2 * dt)
        assert np.linalg.norm(velocity) < 1e-4


def test_group_coordinates_and_default_boxes() -> None:
    top = ah.System(name="top", group="SO3", kinetic=[1, 2, 3])
    run = top.simulate({"q0": 1, "q1": 0, "q2": 0, "q3": 0, "w1": 0.1, "w2": 2, "w3": 0.1}, until=5)
    frames = run.animate(frames=50).film
    box = actor(frames, "box")
    assert box.turn.shape == (50, 4)
    np.testing.assert_allclose(np.linalg.norm(box.turn, axis=1), 1, atol=1e-14)
    end = run.data["q"].values[-1]
    assert abs(abs(box.turn[-1] @ end) - 1) < 1e-12
    assert len(box.position) == 1


def test_systems_in_the_plane_play_without_a_scene() -> None:
    disk = ah.System(
        name="disk", coordinates={"theta": "angle", "phi": "angle", "x": "length", "y": "length"},
        lagrangian="x'^2 + y'^2 + theta'^2 + phi'^2", constraints=["x' = cos(phi)*theta'", "y' = sin(phi)*theta'"],
    )  # fmt: skip
    run = disk.simulate({"x": 0, "y": 0, "theta": 0, "phi": 1, "theta'": 1, "phi'": 0.5}, until=3)
    arrow = actor(run.animate(frames=30).film, "arrow")
    heading = matrix_of(arrow.turn[-1])[:, 0]
    phi = float(run["phi"][-1])
    np.testing.assert_allclose(heading, [np.cos(phi), np.sin(phi), 0], atol=1e-12)  # the heading, not the roll angle


def test_every_entry_says_what_it_looks_like() -> None:
    assert [key for key, entry in ENTRIES.items() if not entry.make().model.scene] == []


@pytest.mark.parametrize(
    "key", ["n-trailer", "off-axle-trailer", "roller-racer", "snakeboard", "carriage", "appell-machine"]
)
def test_no_wheel_of_a_vehicle_slips_sideways(key) -> None:
    """Seen in the pictures alone: a wheel moves along its own x axis, or along the level part of it where it rolls."""
    frames = film(key, until=2.0, frames=2001)
    for wheel in (a for a in frames.actors if a.kind == "wheel"):
        for k in range(100, 1900, 300):
            way = wheel.position[k + 1] - wheel.position[k - 1]
            axle = matrix_of(wheel.turn[k])[:, 1]
            assert abs(way @ axle) < 1e-4 * np.linalg.norm(way) + 1e-9


def test_the_disc_of_a_contact_particle_shows_where_it_may_go() -> None:
    for key in ("free-particle", "heisenberg", "martinet", "nonholonomic-oscillator"):
        frames = film(key, until=2.0, frames=2001)
        disc = actor(frames, "disc")
        for k in range(100, 1900, 300):
            way = disc.position[k + 1] - disc.position[k - 1]
            assert abs(way @ matrix_of(disc.turn[k])[:, 2]) < 1e-5 * np.linalg.norm(way)


def test_two_particles_of_a_vertical_plane_are_two() -> None:
    run = motion("benenti", until=1.0)
    balls = [a for a in run.animate(frames=11).film.actors if a.kind == "sphere"]
    for k, ball in enumerate(balls, 1):
        end = [float(run[f"x{k}"][-1]), 0.0, float(run[f"y{k}"][-1])]
        np.testing.assert_allclose(ball.position[-1], end, atol=1e-12)
    assert len(balls) == 2


def test_the_arrow_of_suslovs_body_is_its_angular_velocity() -> None:
    """Seen in the pictures alone: the arrow is 0.6 times what turns the ellipsoid, and the forbidden axis is across it."""
    frames = film("suslov", until=2.0, frames=2001)
    body, arrow, axis = (actor(frames, kind) for kind in ("convex", "arrow", "cylinder"))
    dt = frames.times[1] - frames.times[0]
    for k in range(100, 1900, 300):
        R0, R1, R2 = (matrix_of(body.turn[j]) for j in (k - 1, k, k + 1))
        spin = (R2 - R0) / (2 * dt) @ R1.T
        seen = arrow.scale[k, 0] * matrix_of(arrow.turn[k])[:, 0]
        np.testing.assert_allclose(seen, [0.6 * spin[2, 1], 0.6 * spin[0, 2], 0.6 * spin[1, 0]], atol=1e-5)
        assert abs(seen @ matrix_of(axis.turn[k])[:, 2]) < 1e-9


def test_another_scene_may_be_given() -> None:
    frames = film("skate", scene=[{"shape": "sphere", "position": ["x", "y", "t"], "radius": "1 + t/10"}])
    (ball,) = frames.actors
    np.testing.assert_allclose(ball.position[:, 2], frames.times)
    np.testing.assert_allclose(ball.scale[:, 0], 1 + frames.times / 10)


def test_a_motion_backwards_in_time_plays_forwards() -> None:
    run = ENTRIES["skate"].make().simulate(ENTRIES["skate"].start, until=-3)
    frames = run.animate(frames=10).film
    assert frames.times[0] == -3
    assert frames.times[-1] == 0
    assert abs(actor(frames, "blade").position[-1]).max() < 1e-15


# Meshes


@pytest.mark.parametrize("kind", [kind for kind in SIZES if mesh(kind)])
def test_meshes_are_closed_and_face_outward(kind) -> None:
    vertices, faces, tones = mesh(kind)
    edges = [edge for face in faces for edge in zip(face, face[1:] + face[:1], strict=True)]
    assert {(b, a) for a, b in edges} == set(edges)
    volume = sum(
        np.dot(vertices[f[0]], np.cross(vertices[f[i]], vertices[f[i + 1]]))
        for f in faces
        for i in range(1, len(f) - 1)
    )
    assert volume > 0
    assert len(tones) == len(faces)


# The page


@pytest.mark.exhaustive_for("rattleback", "whipple-bicycle")
@pytest.mark.parametrize("key", WITH_SCENE)
def test_the_page_stands_alone_and_is_small(key) -> None:
    page = motion(key).animate(frames=1000).html()
    assert len(page) < 500_000
    assert not re.search(r'(src|href)="|https?://|import\(|fetch\(|@import|url\(', page)
    assert "default-src 'none'" in page
    assert page.count("</script>") == 2


def test_the_page_holds_the_poses() -> None:
    run = motion("leaning-disc")
    animation = run.animate()
    data = read(animation.html())
    assert data["frames"] == len(animation.film.times)
    assert (data["start"], data["end"]) == (0.0, 10.0)
    for given, actor_ in zip(data["actors"], animation.film.actors, strict=True):
        np.testing.assert_allclose(unpacked(given["position"], "<f4", 3), actor_.position, atol=1e-5)
        np.testing.assert_allclose(unpacked(given["turn"], "<i2", 4) / 32767, actor_.turn, atol=2e-5)
    assert set(data["meshes"]) == {"wheel"}


HOSTILE = """</script><script>alert(1)</script> <!-- "x' & @numbers@ \u2028 @title@"""


def test_a_hostile_name_is_text() -> None:
    system = ah.System(name=HOSTILE, coordinates=["x", "y"], lagrangian="x'^2 + y'^2")
    animation = system.simulate({"x": 0, "y": 0, "x'": 1, "y'": 0}, until=1).animate(frames=5)
    page = animation.html()
    assert "<script>alert" not in page
    assert page.count("</script>") == 2
    assert page.count("<!--") == 0
    assert read(page)["title"] == HOSTILE
    assert f"<title>{html.escape(HOSTILE)}</title>" in page
    inline = animation._repr_html_()
    assert inline.count("<") == 2  # the frame and its end
    assert html.unescape(re.search('srcdoc="([^"]*)"', inline)[1]) == page


def test_what_the_program_asks_for_is_on_the_page() -> None:
    page = motion("skate", until=1).animate(frames=5).html()
    assert set(re.findall(r'getElementById\("(\w+)"\)', page)) <= set(re.findall(r' id="(\w+)"', page))


@pytest.mark.parametrize("key", ["chaplygin-sleigh", "whipple-bicycle", "rolling-ball"])
def test_a_film_is_the_same_from_the_system_and_from_the_data(key) -> None:
    from anholonomy.show.animation.page import page_data

    entry = ENTRIES[key]
    system = entry.make()
    changed = {name: 1.1 * value for name, value in list(system.parameters.items())[:2]}
    run = system.simulate(entry.start, until=1, parameters=changed)
    assert page_data(run.animate(frames=9).film) == page_data(ah.load(run.data).animate(frames=9).film)


# Files and refusals


def test_files_are_written_whole(tmp_path) -> None:
    run = motion("skate", until=2)
    run.animate(tmp_path / "skate.html", frames=20)
    assert (tmp_path / "skate.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    run.animate(frames=20).save(tmp_path / "skate.gif", seconds=0.4, rate=10)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["skate.gif", "skate.html"]
    from PIL import Image

    with Image.open(tmp_path / "skate.gif") as picture:
        assert picture.n_frames == 4
        first = np.asarray(picture.convert("RGB")).astype(int)
        picture.seek(3)
        last = np.asarray(picture.convert("RGB")).astype(int)
    assert (abs(first - last).sum(axis=2) > 60).sum() > 50  # it moves


def test_refusals(tmp_path) -> None:
    run = motion("skate", until=1)
    with blames(ah.errors.FileError, "mp4"):
        run.animate(tmp_path / "run.avi")
    with blames(ah.errors.FileError):
        run.animate(tmp_path / "nowhere" / "run.html")
    with blames(ah.errors.NotSupportedError, "frames", "1"):
        run.animate(frames=1)
    with blames(ah.errors.NotSupportedError, "yes", "follow"):
        run.animate(follow="yes")
    with blames(ah.errors.NotSupportedError, "playback", "0"):
        run.animate(playback=0)
    with blames(ah.errors.NotSupportedError, "position"):
        run.animate(scene=[{"shape": "point", "position": ["log(-1 - x^2)", "0", "0"]}])


@pytest.mark.parametrize(
    ("spoil", "names"),
    [
        (lambda d: d.isel(time=[0]), ()),
        (lambda d: d.isel(time=[]), ()),
        (
            lambda d: d.assign_coords(time=np.where(np.arange(d.sizes["time"]) == 3, np.nan, d["time"].values)),
            (),
        ),
        (lambda d: d.assign(q=d["q"].where(d["time"] != d["time"][7])), ("t",)),
        (lambda d: d.assign(velocity=d["velocity"] * np.inf), ("0",)),
    ],
    ids=["one time", "no time", "a time is no number", "a gap", "infinite"],
)
def test_what_cannot_play_is_refused_in_a_sentence(spoil, names) -> None:
    with np.errstate(invalid="ignore"):
        run = motion("skate", until=1)
        broken = ah.Motion._of(run.system, spoil(run.data))
    with blames(ah.errors.NotSupportedError, *names):
        broken.animate()


def test_a_motion_that_an_event_stopped_plays_to_its_end() -> None:
    entry = ENTRIES["skate"]
    run = entry.make().simulate(entry.start, until=5, events={"far": "x - 1"}, stop="far")
    frames = run.animate().film
    assert frames.times[-1] == run.data["time"].values[-1] < 1.1
    assert abs(actor(frames, "blade").position[-1, 0] - 1) < 1e-12


def test_a_motion_of_very_many_times_has_few_frames() -> None:
    entry = ENTRIES["skate"]
    run = entry.make().simulate(entry.start, times=np.linspace(0, 5, 200_001))
    assert len(run.animate().html()) < 100_000


def test_quaternions_keep_their_length_between_coarse_times() -> None:
    """The matrix R of a body that turns by more than a radian from time to time is still a rotation."""
    top = ah.System(name="top", group="SO3", kinetic=[1, 2, 3])
    run = top.simulate({"q0": 1, "q1": 0, "q2": 0, "q3": 0, "w1": 1, "w2": 9, "w3": 1}, times=np.linspace(0, 2, 15))
    scene = [{"shape": "box", "rotation": [f"R{i}{j}" for i in (1, 2, 3) for j in (1, 2, 3)]}]
    assert len(actor(run.animate(scene=scene, frames=99).film, "box").turn) == 99


def test_the_command_line(tmp_path, capsys) -> None:
    from anholonomy.cli.main import main

    def call(*arguments: str) -> tuple[int, str]:
        with pytest.raises(SystemExit) as leaving:
            main(list(arguments))
        out, err = capsys.readouterr()
        return leaving.value.code, out + err

    target = tmp_path / "sleigh.html"
    assert call("animate", "chaplygin-sleigh", "--output", str(target), "--until", "2", "--frames", "20") == (
        0,
        f"Chaplygin sleigh: 20 frames written to {target}\n",
    )
    motion("skate", until=1).save(tmp_path / "run.nc")
    assert call("animate", str(tmp_path / "run.nc"), "-o", str(tmp_path / "run.html"))[0] == 0
    code, said = call("animate", str(tmp_path / "run.nc"), "-o", str(target), "--until", "2")
    assert code == 2
    assert "computed already" in said
    assert call("animate", "skate", "-o", str(tmp_path / "run.avi"))[0] == 2
    # A moving picture has fewer frames than the film; the command says how many it wrote.
    picture = tmp_path / "skate.gif"
    code, said = call("animate", "skate", "-o", str(picture), "--until", "0.3", "--playback", "0.5")
    from PIL import Image

    with Image.open(picture) as written:
        assert (code, said) == (0, f"skate: {written.n_frames} frames written to {picture}\n")
        assert written.n_frames == 12
