"""The functions of the JavaScript modules, each module imported as it lies on the disk, against Python's."""

from __future__ import annotations

from importlib.resources import files

import numpy as np
import pytest

from anholonomy.show.animation.rotations import matrix_of

ADDRESS = "http://127.0.0.1:9"
ROOMS = {"animation": "anholonomy.show.animation", "reports": "anholonomy.reports"}


@pytest.fixture
def page(open_page):
    """An empty page that can import the modules, without a server."""

    def answer(route) -> None:
        room, _, name = route.request.url.removeprefix(f"{ADDRESS}/").partition("/")
        if room not in ROOMS:
            route.fulfill(body="<!doctype html><title>modules</title>", content_type="text/html")
            return
        route.fulfill(path=str(files(ROOMS[room]) / "web" / name), content_type="text/javascript")

    found = open_page()
    found.route(f"{ADDRESS}/**", answer)
    found.goto(f"{ADDRESS}/")
    return found


def call(page, module: str, expression: str, given=None):
    return page.evaluate(
        f"async given => {{ const m = await import('{ADDRESS}/{module}'); return ({expression}); }}", given
    )


def test_every_module_stands_by_itself(page) -> None:
    for module in ("numbers", "camera", "painter", "player"):
        assert call(page, f"animation/{module}.js", "Object.keys(m).length") > 0
    assert call(page, "reports/plots.js", "typeof m.plotsOn") == "function"


def test_rotations_are_those_of_python(page) -> None:
    rng = np.random.default_rng(0)
    turns = rng.normal(size=(5, 4))
    turns /= np.linalg.norm(turns, axis=1)[:, None]
    found = call(page, "animation/numbers.js", "given.map(m.matrix)", turns.tolist())
    assert np.allclose(found, [matrix_of(each) for each in turns.tolist()], atol=1e-14)


def test_rows_between_frames_are_interpolated(page) -> None:
    series = [0.0, 10.0, 2.0, 20.0, 6.0, 0.0]
    found = call(page, "animation/numbers.js", "[-1, 0, 0.25, 1.5, 2, 9].map(place => m.row(given, 2, place))", series)
    assert found == [[0, 10], [0, 10], [0.5, 12.5], [4, 10], [6, 0], [6, 0]]
    assert call(page, "animation/numbers.js", "m.row([7, 8], 2, 3)") == [7, 8]


def test_turns_between_frames_are_on_the_great_circle(page) -> None:
    half = np.pi / 4
    series = [1.0, 0.0, 0.0, 0.0, float(np.cos(half)), 0.0, 0.0, float(np.sin(half))]
    found = call(page, "animation/numbers.js", "Array.from(m.turnAt(Float64Array.from(given), 0.5))", series)
    assert found == pytest.approx([np.cos(half / 2), 0, 0, np.sin(half / 2)], abs=1e-12)


@pytest.mark.parametrize(("width", "height"), [(900, 500), (300, 600)])
def test_a_fitted_camera_has_every_key_inside_and_no_room_to_spare(page, width, height) -> None:
    keys = [[0, 0, 0, 0.5], [4, 1, 0, 0.2], [-3, 2, 1, 0.1], [1, -5, 0.5, 0.3]]
    code = """(() => {
      const camera = { ...m.newCamera(), width: given.width, height: given.height };
      m.fitTo(camera, given.keys);
      const seen = given.keys.map(k => m.seenBy(camera, k));
      return { camera, shown: seen.map(each => m.clippedBy(camera, [each, each], true)[0]) };
    })()"""
    found = call(page, "animation/camera.js", code, {"keys": keys, "width": width, "height": height})
    shares = [max(abs(x / width - 0.5), abs(y / height - 0.5)) for x, y in found["shown"]]
    assert max(shares) < 0.5
    assert max(shares) > 0.35
    axes = np.array([found["camera"]["axes"][word] for word in ("right", "up", "back")])
    assert np.allclose(axes @ axes.T, np.eye(3), atol=1e-12)


def test_what_is_behind_the_camera_is_cut_off(page) -> None:
    code = "m.clippedBy({ ...m.newCamera(), width: 100, height: 100 }, given, false)"
    both = call(page, "animation/camera.js", code, [[0, 0, 5], [0, 0, -5]])
    assert both == [[50, 50], [50, 50]]
    assert call(page, "animation/camera.js", code, [[0, 0, -1], [0, 0, -5]]) == []


def test_ticks_are_round_and_inside(page) -> None:
    assert call(page, "reports/plots.js", "m.ticksBetween(0, 1, 4)") == pytest.approx([0, 0.5, 1])
    assert call(page, "reports/plots.js", "m.ticksBetween(3, -3, 4)") == pytest.approx([-2, 0, 2])
    tiny = call(page, "reports/plots.js", "m.ticksBetween(1e-17, 3e-17, 4)")
    assert tiny == pytest.approx([1e-17, 1.5e-17, 2e-17, 2.5e-17, 3e-17], rel=1e-9, abs=0)
    assert call(page, "reports/plots.js", "m.ticksBetween(1e16, 1e16 + 2, 4)") == [1e16]
    assert call(page, "reports/plots.js", "m.ticksBetween(2, 2, 4)") == [2]


def test_the_nearest_time_is_found_up_and_down(page) -> None:
    times = [0.0, 1.0, 2.5, 4.0]
    asked = [-1, 0.4, 0.6, 1.8, 3.9, 9]
    code = "given.asked.map(t => m.nearestTo(given.times, t))"
    assert call(page, "reports/plots.js", code, {"times": times, "asked": asked}) == [0, 0, 1, 2, 3, 3]
    assert call(page, "reports/plots.js", code, {"times": times[::-1], "asked": asked}) == [3, 3, 2, 1, 0, 0]


def test_values_are_short(page) -> None:
    found = call(page, "reports/plots.js", "[0, 1.23456789, 123456.7, 1e-9, null].map(m.shortly)")
    assert found == ["0.0000", "1.2346", "1.235e+5", "1.000e-9", "–"]
