"""The report in a browser: principles are switched, plots zoom together, keys suffice, paper and the dark are served."""

from __future__ import annotations

from pathlib import Path

import pytest

import anholonomy as ah
from anholonomy.catalogue import ENTRIES
from tests.browser.every_report import flaws
from tests.browser.pictures import picture_of


@pytest.fixture(scope="module")
def report(tmp_path_factory) -> Path:
    """The report of the sleigh."""
    entry = ENTRIES["chaplygin-sleigh"]
    place = tmp_path_factory.mktemp("report") / "sleigh.html"
    return entry.make().report(place, entry.start, entry.until, time_limit=0.2, facts=entry.facts)


@pytest.fixture
def page(open_page, report: Path):
    return open_page(report.as_uri())


def numbers(page, figure: int = 0) -> list[float]:
    """What stands beside the names of a plot."""
    return [float(each) for each in page.locator("figure").nth(figure).locator(".number").all_text_contents()]


def test_principles_are_switched_by_pointer_and_keys(page) -> None:
    tabs, shown = page.get_by_role("tab"), page.locator("[role=tabpanel]:visible")
    assert tabs.count() == page.locator("[role=tabpanel]").count() >= 12
    first = shown.inner_text()
    page.get_by_role("tab", name="Hamel's equations").click()
    assert shown.count() == 1
    assert shown.get_attribute("aria-labelledby") == page.locator("[role=tab][aria-selected=true]").get_attribute("id")
    assert shown.inner_text() != first
    page.keyboard.press("ArrowRight")
    assert page.locator("[role=tab][aria-selected=true]").inner_text() == "Voronec's equations"
    page.keyboard.press("Home")
    assert shown.inner_text() == first
    page.keyboard.press("ArrowLeft")
    assert page.locator("[role=tab][aria-selected=true]").inner_text() == "Vakonomic equations"


def test_plots_zoom_together_and_have_values_under_the_cursor(page) -> None:
    plots = page.locator(".plot canvas")
    assert plots.count() >= 4
    plots.first.scroll_into_view_if_needed()
    box = plots.first.bounding_box()
    inner = box["width"] - 64 - 12
    before = [picture_of(each) for each in plots.all()]
    page.mouse.move(box["x"] + 64 + inner / 2, box["y"] + 50)
    (x, y), (theta,) = numbers(page), numbers(page, 1)
    assert (x, y) == pytest.approx((7.826, 6.525), abs=0.01)  # t = 10
    assert 0.8 < theta < 0.83
    assert len(numbers(page, 2)) == 2
    assert page.locator("figure").nth(1).locator(".unit").text_content() == " rad"
    assert page.locator("figure").nth(1).locator("b").text_content() == "angles (rad)"
    page.mouse.down()
    page.mouse.move(box["x"] + 64 + inner * 3 / 4, box["y"] + 60)
    assert page.locator(".band:visible").count() >= 1
    page.mouse.up()
    after = [picture_of(each) for each in plots.all()]
    assert all(a != b for a, b in zip(before, after, strict=True))
    page.mouse.move(box["x"] + 64 + inner / 2, box["y"] + 50)
    assert numbers(page)[0] == pytest.approx(9.58, abs=0.05)  # t = 12.5, the middle between 10 and 15
    plots.nth(1).dblclick()
    assert picture_of(plots.nth(2)) == before[2]


def test_a_click_in_a_plot_leads_the_picture_there(page) -> None:
    plots = page.locator(".plot canvas")
    plots.first.scroll_into_view_if_needed()
    box = plots.first.bounding_box()
    page.mouse.click(box["x"] + 64 + (box["width"] - 76) / 2, box["y"] + 50)
    assert page.locator(".clock").text_content() == "t = 10.0 / 20.0"
    page.mouse.move(5, 5)
    page.locator("#player input[type=range]").fill("0.25")
    assert numbers(page)[0] == pytest.approx(4.28, abs=0.05)  # t = 5


def test_plots_are_read_by_keys(page) -> None:
    canvas = page.locator(".plot canvas").first
    canvas.focus()
    for key in ("End", "ArrowLeft"):
        canvas.press(key)
    text = canvas.get_attribute("aria-valuetext")
    assert text.startswith("t = 19.98")
    assert text.endswith("x 14.866, y 14.178")
    canvas.press("Enter")
    assert page.locator(".clock").text_content() == "t = 20.0 / 20.0"
    before = picture_of(canvas)
    canvas.press("+")
    assert picture_of(canvas) != before
    canvas.press("Escape")
    assert picture_of(canvas) == before


@pytest.mark.exhaustive
def test_keys_alone_reach_everything(page) -> None:
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    seen = set()
    for _ in range(60):
        page.keyboard.press("Tab")
        seen.add(page.evaluate("document.activeElement.getAttribute('role') || document.activeElement.tagName"))
    assert {"A", "BUTTON", "INPUT", "SELECT", "img", "slider", "tab", "tabpanel", "SUMMARY", "region"} <= seen


@pytest.mark.exhaustive_for("dark", "light")
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_light_and_dark_satisfy_axe(open_page, report: Path, axe, scheme: str) -> None:
    page = open_page(report.as_uri(), color_scheme=scheme)
    for each in page.locator("details").all():
        each.evaluate("each => { each.open = true }")
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (paper == "rgb(255, 255, 255)") is (scheme == "light")
    axe(page)


def test_a_narrow_page_does_not_scroll_sideways(open_page, report: Path) -> None:
    page = open_page(report.as_uri(), viewport={"width": 400, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= 400


def test_paper_shows_every_principle_and_no_knobs(open_page, report: Path) -> None:
    page = open_page(report.as_uri(), color_scheme="dark")
    page.emulate_media(media="print")
    assert page.evaluate("getComputedStyle(document.body).color") == "rgb(29, 37, 48)"
    assert page.locator("[role=tabpanel]:visible").count() == page.locator("[role=tabpanel]").count()
    for knobs in ("nav", "[role=tablist]", ".hint", "#player form", "summary"):
        assert page.locator(knobs).first.is_hidden()
    assert page.locator("article details pre").first.is_visible()
    assert len(page.pdf(format="A4")) > 50_000


@pytest.mark.exhaustive
def test_long_names_fit_on_paper_and_on_a_narrow_screen(open_page, tmp_path) -> None:
    """Nothing is cut or has to be scrolled for; between the margins of A4 there are 688 pixels."""
    name, other = "a_name_of_a_length_that_nobody_would_type_twice", "another_one_beside_it"
    system = ah.System(
        name="a system whose name is longer than a line, because somebody wanted to say everything in it at once " * 2,
        coordinates=[name, "y", "z"],
        lagrangian=f"{other}*({name}'^2 + y'^2 + z'^2)/2 - {other}*(cos({name}) + sin({name})*y + {name}^2*z)",
        constraints={"c_1": f"z' = {name}*y'"},
        parameters=[other],
    )
    page = open_page(
        system.report(tmp_path / "page.html", time_limit=0.5).as_uri(), viewport={"width": 360, "height": 700}
    )
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert page.locator("math mtext").first.text_content() == "(c_1)"
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 688, "height": 900})
    page.wait_for_function("() => document.documentElement.scrollWidth <= 692")  # edges of plots stand out by 3


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", ["rattleback", "ball-on-turntable", "appell-hamel", "heisenberg"])
def test_reports_of_other_systems_have_no_flaw(open_page, axe, tmp_path, name: str) -> None:
    entry = ENTRIES[name]
    place = entry.make().report(tmp_path / "page.html", entry.start, entry.until, time_limit=1)
    page = open_page(place.as_uri())
    axe(page)
    assert flaws(page, place) == []


def test_the_sides_of_equations_do_not_overlap_on_a_phone(open_page, report: Path) -> None:
    page = open_page(report.as_uri(), viewport={"width": 375, "height": 800})
    past = page.locator(".formula mtd").evaluate_all(
        "cells => cells.filter(c => c.firstElementChild && c.getBoundingClientRect().width && "
        "Math.max(...[...c.querySelectorAll('mi,mo,mn')].map(e => e.getBoundingClientRect().right)) "
        "> c.getBoundingClientRect().right + 1).length"
    )
    assert past == 0


def test_what_is_under_the_cursor_is_not_printed_and_labels_are(open_page, report: Path) -> None:
    page = open_page(report.as_uri())
    page.locator(".plot canvas").first.press("End")
    said = page.locator("figcaption .number:visible, figcaption .unit:visible, .plot .cursor:visible")
    assert said.count() > 0
    page.emulate_media(media="print")
    assert said.count() == 0
    assert page.locator("dt:visible", has_text="Lagrangian").count() == 1
