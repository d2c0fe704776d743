"""The studio as somebody uses it: a mistake is marked and mended, numbers are dragged, the server is killed, and everything is there again."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser.pictures import Picture, picture_of
from tests.browser.studio_server import _STARTS, Server, latest, wait_for_another

pytest.importorskip("starlette", reason="Starlette is not installed (the extra `studio`)")
pytest.importorskip("uvicorn", reason="uvicorn is not installed (the extra `studio`)")


_SAVED = "() => document.getElementById('status').textContent === 'saved'"


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[[], Server]]:
    """A function that starts a studio on the folder of this test."""
    servers = []

    def one() -> Server:
        servers.append(Server(tmp_path / "state"))
        return servers[-1]

    yield one
    for server in servers:
        server.kill()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One that nobody kills before the end."""
    found = Server(tmp_path_factory.mktemp("state"))
    yield found
    found.kill()


def seen(page: Any) -> Picture:
    """The picture of the first plot."""
    return picture_of(page.locator(".plot canvas").first)


@pytest.mark.exhaustive
def test_a_mistake_is_marked_and_mended_and_nothing_is_lost(start, open_page, axe, tmp_path: Path) -> None:
    server = start()
    page = open_page(server.address, viewport={"width": 1400, "height": 900}, accept_downloads=True)
    page.wait_for_selector(".card", timeout=_STARTS)
    assert page.url.endswith("/")  # the token is gone from the address
    assert page.locator(".card img").count() == page.locator(".card").count()
    axe(page)

    # A system of one's own, with a mistake in it.
    page.get_by_role("button", name="Type a system of your own").click()
    page.wait_for_selector("#stage canvas", timeout=_STARTS)
    editor = page.locator("#declaration")
    sound = editor.input_value()
    editor.fill(sound.replace("I*theta'", "2I*theta'"))
    page.wait_for_selector(".mark", timeout=_STARTS)
    assert page.locator(".mark").inner_text() == "I"
    assert "write `*` between them" in page.locator("#trouble").inner_text()
    assert editor.get_attribute("aria-invalid") == "true"
    page.locator("#trouble button").click()
    assert (
        page.evaluate(
            "getSelection().toString() || document.activeElement.value.slice(document.activeElement.selectionStart, document.activeElement.selectionEnd)"
        )
        == "I"
    )

    # Mended.
    before = latest(page)
    editor.fill(sound.replace('"my system"', '"my sled"'))
    wait_for_another(page, before)
    assert page.locator(".mark").count() == 0
    assert "in order" in page.locator("#trouble").inner_text()
    axe(page)

    # Dragged: the motion changes.
    still, times = seen(page), []
    knob = page.get_by_label("theta', by dragging")
    for share in (300, 500, 700, 900):
        before = latest(page)
        knob.evaluate(
            "(node, share) => { node.value = share; node.dispatchEvent(new Event('input', { bubbles: true })); }", share
        )
        wait_for_another(page, before)
        times.append(int(page.locator("#stage").get_attribute("data-took")))
    print("milliseconds from a drag to another motion:", times)
    assert seen(page) != still
    dragged = page.locator("#start-theta\\'").input_value()

    # Taken along.
    page.get_by_role("tab", name="Export").click()
    axe(page)
    with page.expect_download(timeout=_STARTS) as download:
        page.locator("[data-export=toml]").click()
    text = Path(download.value.path()).read_text(encoding="utf-8")
    assert 'name = "my sled"' in text
    assert f'"theta\'" = {float(dragged)}' in text

    # Killed, and found again by another server.
    page.wait_for_function(_SAVED)
    server.kill()
    again = open_page(start().address, viewport={"width": 1400, "height": 900})
    again.get_by_role("link", name="my sled").click(timeout=_STARTS)
    again.wait_for_selector("#stage canvas", timeout=_STARTS)
    assert again.get_by_role("tab", name="Export").get_attribute("aria-selected") == "true"
    assert again.locator("#start-theta\\'").input_value() == dragged
    again.get_by_role("tab", name="Declaration").click()
    assert '"my sled"' in again.locator("#declaration").input_value()
    page.complaints.clear()  # the page of the killed server may have asked it for something
    assert sorted(each.name for each in tmp_path.iterdir()) == ["state"]


@pytest.mark.exhaustive
def test_questions_are_answered_and_cancelled_in_a_narrow_dark_window(server: Server, open_page, axe) -> None:
    page = open_page(server.address, viewport={"width": 420, "height": 900}, color_scheme="dark")
    page.wait_for_selector(".card", timeout=_STARTS)
    axe(page)
    page.locator("#search").fill("rolling disk")
    page.locator("[data-key=rolling-disk]").click(timeout=_STARTS)
    page.wait_for_selector("#stage canvas", timeout=_STARTS)
    page.get_by_role("tab", name="Equations").click()
    page.wait_for_selector(".answer math", timeout=_STARTS)
    first = page.locator(".answer math").inner_html()
    page.select_option("#principle", "gauss")
    page.wait_for_function(
        "first => { const m = document.querySelector('.answer math'); return m && m.innerHTML !== first; }",
        arg=first,
        timeout=_STARTS,
    )
    page.get_by_role("tab", name="Findings").click()
    page.locator("[data-question=compare_vakonomic]").click()
    page.wait_for_selector(".finding[data-verdict=proven]", timeout=_STARTS)
    page.locator("[data-question=conserved]").click()
    page.get_by_role("button", name="Cancel").click()
    page.get_by_text("Cancelled.").wait_for()
    page.locator("[data-question=verify]").click()
    page.wait_for_selector(".finding[data-verdict=proven] >> nth=1", timeout=_STARTS)
    # What was answered is there again, what was cancelled is not; an answer about another mass is not shown.
    page.reload()
    page.wait_for_selector(".finding[data-verdict=proven] >> nth=1", timeout=_STARTS)
    assert page.locator(".finding[data-verdict]").count() == 2
    axe(page)
    before = latest(page)
    page.locator("#parameter-m").fill("3")
    wait_for_another(page, before)
    assert page.locator(".finding.older").count() == 2
    page.wait_for_function(_SAVED)
    page.reload()
    page.wait_for_selector("#stage[data-count]", timeout=_STARTS)
    assert page.locator(".finding[data-verdict]").count() == 0
    # Nothing is wider than a narrow window.
    assert page.evaluate("document.documentElement.scrollWidth") <= 420
    before = latest(page)
    page.locator("#vakonomic").check()
    wait_for_another(page, before)
    page.get_by_text("apart").wait_for(timeout=_STARTS)


@pytest.mark.exhaustive
def test_two_pages_on_one_project_are_told_of_each_other(server: Server, open_page) -> None:
    page = open_page(server.address)
    page.locator("[data-key=skate]").click(timeout=_STARTS)
    page.wait_for_selector("#stage canvas", timeout=_STARTS)
    other = page.context.new_page()
    other.goto(page.url)
    other.wait_for_selector("#stage canvas", timeout=_STARTS)
    page.get_by_label("Name of the project").fill("mine")
    page.wait_for_function(_SAVED)
    other.get_by_label("Name of the project").fill("yours")
    other.get_by_role("button", name="Take its version").click(timeout=_STARTS)
    assert other.get_by_label("Name of the project").input_value() == "mine"
    other.get_by_label("Name of the project").fill("ours")
    other.wait_for_function(_SAVED)
    page.get_by_label("Name of the project").fill("mine alone")
    page.get_by_role("button", name="Keep mine").click(timeout=_STARTS)
    page.wait_for_function(_SAVED)
    page.complaints.clear()  # a refusal with the status 409 is an error to the console
    page.goto(server.address.partition("?")[0])
    page.get_by_role("link", name="mine alone").wait_for(timeout=_STARTS)


@pytest.mark.exhaustive
def test_a_drag_across_a_plot_looks_closer_in_all_of_them(server: Server, open_page) -> None:
    page = open_page(server.address, viewport={"width": 1400, "height": 1000})
    page.wait_for_selector(".card", timeout=_STARTS)
    assert not re.search(r"[$`]", page.locator("main").inner_text())
    page.get_by_text("Chaplygin sleigh").first.click()
    page.wait_for_selector("#stage canvas", timeout=_STARTS)
    page.wait_for_selector(".plot canvas")
    plots = page.locator(".plot canvas")
    whole = [picture_of(plots.nth(k)) for k in range(2)]
    plots.first.scroll_into_view_if_needed()
    box = plots.first.bounding_box()
    clock = page.locator(".clock")
    before = clock.inner_text()
    page.mouse.move(box["x"] + 0.3 * box["width"], box["y"] + 60)
    page.mouse.down()
    page.mouse.move(box["x"] + 0.5 * box["width"], box["y"] + 60, steps=3)
    assert page.locator(".plot .band").first.is_visible()
    page.mouse.up()
    page.mouse.move(5, 5)
    assert all(picture_of(plots.nth(k)) != whole[k] for k in range(2))
    assert clock.inner_text() == before  # a drag goes nowhere
    plots.first.focus()
    page.keyboard.press("Escape")
    page.evaluate("document.activeElement.blur()")
    assert all(picture_of(plots.nth(k)) == whole[k] for k in range(2))
