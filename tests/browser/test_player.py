"""The player: turned, zoomed, paused and led through time, by pointer and by keys; several on a page."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import anholonomy as ah
from anholonomy.show.animation.page import page_data, player_module, player_style
from tests.browser.pictures import Picture, picture_of

SKATE = {"x": 0, "y": 0, "theta": 0, "x'": 1, "theta'": 0.5}


@pytest.fixture(scope="module")
def films() -> list[dict]:
    """Two motions of one system."""
    runs = [ah.catalogue.skate().simulate({**SKATE, "x'": speed}, until=4) for speed in (1, 2)]
    return [page_data(run.animate(frames=41).film) for run in runs]


@pytest.fixture(scope="module")
def film_page(tmp_path_factory) -> Path:
    """The page of one film."""
    place = tmp_path_factory.mktemp("film") / "skate.html"
    ah.catalogue.skate().simulate(SKATE, until=4).animate(place, frames=41)
    return place


@pytest.fixture
def stage(open_page, tmp_path, films):
    """A page with two players of one module, as ``one`` and ``two``."""
    script = f"""{player_module()}
    window.films = {json.dumps(films)};
    window.one = play(document.getElementById("a"), films[0], {{ height: 240 }});
    window.two = play(document.getElementById("b"), films[1], {{ height: 240 }});
    window.heights = () => [...document.querySelectorAll("canvas")].map(each => each.height);
    window.first = heights();"""
    body = f"<style>{player_style()}</style><main><h1>two</h1><div id=a></div><div id=b></div></main>"
    place = tmp_path / "stage.html"
    place.write_text(
        f"<!doctype html><html lang=en><title>two</title>{body}<script type=module>{script}</script>", "utf-8"
    )
    page = open_page(place.as_uri())
    settle(page)
    return page


def settle(page) -> None:
    """Wait until fonts are there and what watches the sizes of elements has been called."""
    page.evaluate("document.fonts.ready.then(() => new Promise(done => requestAnimationFrame(() => setTimeout(done))))")


def picture(page, which: str) -> Picture:
    return picture_of(page.locator(f"#{which} canvas"))


def test_dragging_turns_and_the_wheel_zooms(stage) -> None:
    before, still = picture(stage, "a"), picture(stage, "b")
    first = stage.evaluate("one.view")
    box = stage.locator("#a canvas").bounding_box()
    stage.mouse.move(box["x"] + 300, box["y"] + 150)
    stage.mouse.down()
    stage.mouse.move(box["x"] + 400, box["y"] + 170)
    stage.mouse.up()
    turned = stage.evaluate("one.view")
    assert turned["azimuth"] == pytest.approx(first["azimuth"] - 40)
    assert turned["elevation"] == pytest.approx(first["elevation"] + 6)
    stage.mouse.wheel(0, -100)
    stage.wait_for_function(f"one.view.distance < {0.9 * turned['distance']}")
    assert picture(stage, "a") != before
    assert picture(stage, "b") == still
    stage.locator("#a .home").click()
    assert stage.evaluate("one.view") == first


def test_keys_turn_zoom_and_lead_through_time(stage) -> None:
    canvas = stage.locator("#a canvas")
    canvas.focus()
    first = stage.evaluate("one.view")
    for key in ("ArrowRight", "ArrowUp", "+"):
        canvas.press(key)
    now = stage.evaluate("one.view")
    assert (now["azimuth"], now["elevation"]) == (first["azimuth"] - 5, first["elevation"] + 4)
    assert now["distance"] == pytest.approx(first["distance"] / 1.15)
    canvas.press("0")
    assert stage.evaluate("one.view") == first
    canvas.press("End")
    assert stage.evaluate("one.time") == 4
    canvas.press(",")
    assert stage.evaluate("one.time") == pytest.approx(3.9)
    canvas.press("Home")
    canvas.press(".")
    assert stage.evaluate("[one.time, two.time]") == pytest.approx([0.1, 0])
    canvas.press(" ")
    stage.wait_for_function("one.time > 0.2")
    canvas.press(" ")
    assert stage.evaluate("one.playing") is False


def test_it_plays_pauses_and_seeks(stage) -> None:
    assert stage.evaluate("[one.playing, two.playing]") == [False, False]  # less motion was wished for
    button = stage.locator("#b .toggle")
    button.click()
    stage.wait_for_function("two.time > 0.3")
    assert button.text_content() == "Pause"
    button.click()
    time = stage.evaluate("two.time")
    stage.wait_for_timeout(60)
    assert stage.evaluate("two.time") == time
    stage.evaluate("two.seek(2)")
    assert stage.locator("#b .clock").text_content() == "t = 2.00 / 4.00"
    slider = stage.locator("#b input[type=range]")
    assert float(slider.input_value()) == 0.5
    slider.fill("0.25")
    assert stage.evaluate("two.time") == 1
    assert slider.get_attribute("aria-valuetext") == "t = 1.00"
    stage.evaluate("two.seek(99)")
    assert stage.evaluate("two.time") == 4


def test_another_film_is_loaded_into_the_same_element(stage) -> None:
    stage.evaluate("one.seek(3); window.node = document.querySelector('#a canvas')")
    before = picture(stage, "a")
    stage.evaluate("one.load(films[1])")
    assert stage.evaluate("[one.time, node === document.querySelector('#a canvas')]") == [3, True]
    stage.evaluate("two.seek(3)")
    assert picture(stage, "a") != before
    assert picture(stage, "a") == picture(stage, "b")
    stage.evaluate("one.load(films[0])")
    assert picture(stage, "a") == before


@pytest.mark.parametrize("width", [420, 760, 1000])
def test_the_first_picture_has_the_size_that_the_controls_leave(open_page, stage, width: int) -> None:
    page = open_page(stage.url, viewport={"width": width, "height": 700})
    settle(page)
    assert page.evaluate("heights()") == page.evaluate("first")


def test_what_is_destroyed_is_gone(stage) -> None:
    stage.evaluate("one.resume(); one.destroy()")
    assert stage.evaluate("[document.getElementById('a').children.length, one.playing]") == [0, False]
    stage.evaluate("one.resume(); two.seek(1)")
    assert stage.evaluate("[one.playing, two.time]") == [False, 1]


def test_the_page_obeys_its_address_and_keys_anywhere(open_page, film_page: Path) -> None:
    page = open_page(f"{film_page.as_uri()}#t=2&azimuth=20&elevation=60&follow=1")
    assert page.locator(".clock").text_content() == "t = 2.00 / 4.00"
    assert page.locator(".follow").is_checked()
    page.keyboard.press("End")
    assert page.locator(".clock").text_content() == "t = 4.00 / 4.00"
    page.evaluate("location.hash = 't=1&follow=0'")
    page.wait_for_function("document.querySelector('.clock').textContent.startsWith('t = 1.00')")
    assert not page.locator(".follow").is_checked()


def test_it_moves_unless_less_motion_is_wished_for(open_page, film_page: Path) -> None:
    page = open_page(film_page.as_uri(), reduced_motion="no-preference")
    page.wait_for_function("!document.querySelector('.clock').textContent.startsWith('t = 0.00')")
    assert page.locator(".toggle").text_content() == "Pause"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_has_a_dark_side_and_axe_finds_nothing(open_page, film_page: Path, axe, scheme: str) -> None:
    page = open_page(film_page.as_uri(), color_scheme=scheme)
    corner = page.evaluate("[...document.querySelector('canvas').getContext('2d').getImageData(1, 1, 1, 1).data]")
    assert corner[:3] == ([255, 255, 255] if scheme == "light" else [0x14, 0x18, 0x1C])
    axe(page)


def test_a_theme_of_the_page_goes_before_that_of_the_system(stage) -> None:
    light = picture(stage, "a")
    stage.evaluate("document.body.dataset.jpThemeLight = 'false'; one.draw()")
    assert picture(stage, "a") != light
    assert stage.evaluate("document.querySelector('#a .anholonomy-player').dataset.dark") == "true"
