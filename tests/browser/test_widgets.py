"""The front ends of widgets, with a stub in the place of a kernel's model; and what a notebook shows, as a page."""

from __future__ import annotations

import json

import pytest

import anholonomy as ah
from anholonomy.reports.widgets import controls_of, curves_of, explorer_module, front_end, style_of
from anholonomy.show.animation.page import page_data
from tests.browser.pictures import picture_of
from tests.browser.widget_page import widget_page

START = {"x": 0, "y": 0, "theta": 0, "x'": 1, "theta'": 0.5}


@pytest.fixture(scope="module")
def films() -> list[dict]:
    runs = [ah.catalogue.skate().simulate({**START, "theta'": turn}, until=4) for turn in (0.5, 1.5)]
    return [page_data(run.animate(frames=21).film) for run in runs]


@pytest.fixture
def rendered(open_page, tmp_path):
    """A function from a module and the values of a model to a page with the widget."""

    def render(module: str, values: dict, **words):
        page = open_page(widget_page(tmp_path / "cell.html", module, values, style_of("explorer")), **words)
        page.wait_for_function("window.ready")
        return page

    return render


def test_the_player_hears_its_model_and_tells_it(rendered, films, axe) -> None:
    page = rendered(front_end("widget"), {"film": films[0], "time": 1.0, "playing": False, "height": 300})
    assert page.locator(".clock").text_content() == "t = 1.00 / 4.00"
    page.evaluate("model.set('time', 3)")
    assert page.locator(".clock").text_content() == "t = 3.00 / 4.00"
    before = picture_of(page.locator("canvas").first)
    page.evaluate(f"model.set('film', {json.dumps(films[1])})")
    assert picture_of(page.locator("canvas").first) != before
    page.locator("input[type=range]").fill("0.5")
    page.wait_for_function("model.values.time === 2 && model.saved > 0")
    page.locator(".toggle").click()
    page.wait_for_function("model.values.playing === true")
    axe(page)
    page.evaluate("stop()")
    assert page.evaluate("[model.hearers(), document.querySelectorAll('canvas').length]") == [0, 0]


def test_sliders_ask_one_question_at_a_time(rendered, films, axe) -> None:
    controls = [each.to_dict() for each in controls_of(ah.catalogue.skate().model, START, ["m", "theta'"])]
    values = {each["name"]: each["value"] for each in controls}
    page = rendered(
        explorer_module(),
        {
            "title": "skate",
            "controls": controls,
            "values": values,
            "film": films[0],
            "curves": {"times": [0, 2, 4], "panels": [{"title": "coordinates", "curves": {"x": [0, 1, 0]}}]},
            "message": "",
            "answered": 0,
            "height": 300,
        },
    )
    turn = page.get_by_label("theta'", exact=True)
    turn.fill("1")
    turn.fill("1.2")
    turn.fill("1.5")
    assert page.evaluate("[model.values.question, model.saved]") == [{"number": 1, "values": {"m": 1, "theta'": 1}}, 1]
    assert page.locator("label.start output").text_content() == "1.5"
    page.evaluate(
        f"model.set('film', {json.dumps(films[1])}); model.set('message', 'it stopped'); model.set('answered', 1)"
    )
    assert page.evaluate("model.values.question") == {"number": 2, "values": {"m": 1, "theta'": 1.5}}
    assert page.locator("p[role=status]").text_content() == "it stopped"
    page.evaluate("model.set('answered', 2)")
    assert page.evaluate("model.saved") == 2
    turn.press("ArrowLeft")
    assert page.evaluate("model.values.question.number") == 3
    page.evaluate("model.set('answered', 3)")
    page.get_by_role("button", name="Back").click()
    assert page.evaluate("model.values.question.values") == values
    axe(page)


def test_a_system_without_a_picture_has_sliders_and_plots(rendered, axe) -> None:
    pendulum = ah.System(
        name="pendulum", coordinates=["phi"], lagrangian="l^2*phi'^2/2 + g*l*cos(phi)", parameters={"g": 9.81, "l": 1.0}
    )
    start = {"phi": 1, "phi'": 0}
    controls = [each.to_dict() for each in controls_of(pendulum.model, start, ["l"])]
    runs = [pendulum.simulate(start, until=2, parameters={"l": each}) for each in (1.0, 2.0)]
    traits = {
        "title": "pendulum",
        "controls": controls,
        "values": {"l": 1.0},
        "message": "",
        "answered": 0,
        "height": 300,
    }
    values = {**traits, "film": {}, "note": "nothing says what to draw", "curves": curves_of(runs[0])}
    page = rendered(explorer_module(), values, color_scheme="dark")
    assert page.locator(".stage").is_hidden()
    assert page.get_by_role("slider", name="velocities over time").is_visible()
    assert page.locator(".note").text_content() == "nothing says what to draw"
    chart = page.locator(".charts canvas").first
    before = picture_of(chart)
    page.evaluate(f"model.set('curves', {json.dumps(curves_of(runs[1]))})")
    assert picture_of(chart) != before
    page.locator(".charts canvas").first.press("End")
    assert page.locator(".charts canvas").first.get_attribute("aria-valuetext").startswith("t = 2.0000: phi ")
    axe(page)
    page.evaluate("stop()")
    assert page.evaluate("[model.hearers(), document.querySelectorAll('canvas').length]") == [0, 0]


@pytest.mark.exhaustive
def test_what_a_notebook_shows_is_whole(open_page, tmp_path) -> None:
    sleigh = ah.catalogue.chaplygin_sleigh()
    run = sleigh.simulate(START, until=2)
    things = [
        sleigh,
        sleigh.derive(),
        run,
        sleigh.verify(),
        sleigh.geometry.frame,
        sleigh.geometry.distribution,
        ah.groups.SO3(),
        ah.bodies.Sphere("r"),
    ]
    things += [sleigh.conserved(), sleigh.geometry.distribution.is_integrable(), sleigh.stability.steady_motion()]
    cells = "".join(f"<section>{each._repr_html_()}</section>" for each in things)
    place = tmp_path / "notebook.html"
    place.write_text(f"<!doctype html><html lang=en><meta charset=utf-8><title>cells</title>{cells}", "utf-8")
    page = open_page(place.as_uri())
    boxes = page.evaluate("[...document.querySelectorAll('section')].map(each => each.getBoundingClientRect().height)")
    assert min(boxes) > 15
    assert page.locator("math").count() >= 4
    assert page.evaluate("[...document.images].every(each => each.naturalWidth > 300)")
    clock = page.frame_locator("iframe").locator(".clock")
    assert clock.text_content().endswith("/ 2.00")
