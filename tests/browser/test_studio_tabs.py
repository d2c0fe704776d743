"""Every part of the studio looked at by axe in both themes, reached by keys in their order, and named for those who listen."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser.pictures import picture_of
from tests.browser.studio_server import Server, latest, wait_for_another

pytestmark = pytest.mark.exhaustive

_STARTS = 90_000
_FOCUSED = """() => { const node = document.activeElement, label = node.labels?.[0]?.innerText;
  return (node.getAttribute('aria-label') || label || node.innerText || node.id || node.tagName).trim().split('\\n')[0].slice(0, 40); }"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A studio for all of these."""
    found = Server(tmp_path_factory.mktemp("state"))
    yield found
    found.kill()


def begun(open_page: Any, server: Server, key: str, **words: Any) -> Any:
    page = open_page(server.address, **{"viewport": {"width": 1400, "height": 900}, **words})
    page.locator(f"[data-key={key}]").click(timeout=_STARTS)
    page.wait_for_selector("#stage[data-count]", timeout=_STARTS)
    return page


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_tab_is_examined(server: Server, open_page, axe, scheme: str) -> None:
    page = begun(open_page, server, "skate", color_scheme=scheme, accept_downloads=True)
    axe(page)
    page.get_by_role("tab", name="Equations").click()
    page.wait_for_selector(".answer math", timeout=_STARTS)
    page.locator(".answer summary").click()
    axe(page)
    page.get_by_role("tab", name="Findings").click()
    for question in ("verify", "compare_vakonomic", "geometry"):
        page.locator(f"[data-question={question}]").click()
        page.locator(".finding", has=page.locator(f"[data-question={question}]")).locator("pre").wait_for(
            timeout=_STARTS
        )
    page.locator(".finding summary").first.click()
    axe(page)
    page.get_by_role("tab", name="Export").click()
    with page.expect_download(timeout=_STARTS):
        page.locator("[data-export=toml]").click()
    axe(page)
    # A start that was put back, a doubt, and what is older than it should be.
    before = latest(page)
    page.locator("#parameter-m").fill("-1")
    wait_for_another(page, before)
    page.get_by_text("can be negative").wait_for(timeout=_STARTS)
    page.locator("#parameter-m").fill("0")
    page.get_by_text("What is shown is the motion before.").wait_for(timeout=_STARTS)
    # What has faded is not meant to be read.
    page.evaluate("document.querySelectorAll('.moving.older .stage, .plots').forEach(node => node.remove())")
    axe(page)


def test_two_motions_stand_side_by_side_with_one_clock(server: Server, open_page, axe) -> None:
    page = begun(open_page, server, "skate")
    before = latest(page)
    page.locator("#vakonomic").check()
    wait_for_another(page, before)
    views = page.locator("#stage .view")
    assert [views.nth(k).inner_text() for k in range(2)] == ["nonholonomic", "vakonomic"]
    assert page.locator("#stage .clock").count() == 1
    canvases = page.locator("#stage canvas")
    first = [picture_of(canvases.nth(k)) for k in range(2)]
    canvases.nth(1).focus()
    page.keyboard.press("End")
    assert page.locator("#stage .clock").inner_text() == "t = 12.0 / 12.0"
    assert all(picture_of(canvases.nth(k)) != first[k] for k in range(2))
    left, right = (canvases.nth(k).bounding_box() for k in range(2))
    assert (left["y"], left["width"]) == (right["y"], pytest.approx(right["width"], abs=2))
    axe(page)
    page.set_viewport_size({"width": 420, "height": 900})
    above, below = (canvases.nth(k).bounding_box() for k in range(2))
    assert below["y"] >= above["y"] + above["height"]
    page.wait_for_function("() => document.documentElement.scrollWidth <= 420")  # canvases follow a frame later
    before = latest(page)
    page.locator("#overlay").check()
    wait_for_another(page, before)
    assert canvases.count() == 1


def test_the_keyboard_goes_through_the_page_in_the_order_of_reading(server: Server, open_page) -> None:
    page = begun(open_page, server, "skate")
    assert page.evaluate("document.activeElement.id") == "main"  # where a new view begins
    page.reload()
    page.wait_for_selector("#stage[data-count]", timeout=_STARTS)
    passed = []
    for _ in range(30):
        page.keyboard.press("Tab")
        passed.append(page.evaluate(_FOCUSED))
    wanted = ["Skip to the content", "anholonomy studio", "Name of the project", "Change between light and dark"]
    assert passed[:4] == wanted
    later = ["Declaration", "skate: drag or use the arrow keys to tur", "Play", "time", "speed", "trail", "follow"]
    later += ["Reset view", "lengths over time: x, y; arrow keys move", "m, by dragging", "m", "x, by dragging"]
    places = [next((k for k, each in enumerate(passed) if each.startswith(word)), -1) for word in later]
    assert places == sorted(places), dict(zip(later, places, strict=True))
    assert min(places) > 3


def test_the_player_is_led_by_keys_alone(server: Server, open_page) -> None:
    page = begun(open_page, server, "rolling-disk")
    clock, canvas = page.locator("#stage .clock"), page.locator("#stage canvas")
    canvas.focus()
    page.keyboard.press("End")
    assert clock.inner_text() == "t = 20.0 / 20.0"
    page.keyboard.press(",")
    stepped = clock.inner_text()
    page.keyboard.press("Home")
    assert (stepped != "t = 20.0 / 20.0", clock.inner_text()) == (True, "t = 0.0 / 20.0")
    still = picture_of(canvas)
    for key in ("ArrowLeft", "ArrowUp", "+"):
        page.keyboard.press(key)
    assert picture_of(canvas) != still
    page.keyboard.press("0")
    assert picture_of(canvas) == still
    page.keyboard.press("Space")
    page.wait_for_function("() => document.querySelector('#stage .clock').innerText !== 't = 0.0 / 20.0'")
    page.keyboard.press("Space")
    assert page.locator("#stage .toggle").inner_text() == "Play"
    # Keys on a control are the control's.
    page.locator("#stage select").focus()
    before = clock.inner_text()
    page.keyboard.press("End")
    assert clock.inner_text() == before


def test_everything_that_can_be_used_has_a_name(server: Server, open_page) -> None:
    page = begun(open_page, server, "chaplygin-sleigh")
    for tab in ("Equations", "Findings", "Export", "Declaration"):
        page.get_by_role("tab", name=tab).click()
        nameless = page.evaluate(
            """() => [...document.querySelectorAll('button, input, select, textarea, canvas, [tabindex="0"], a')].filter(node => node.checkVisibility())
            .filter(node => !(node.getAttribute('aria-label') || node.innerText?.trim() || node.labels?.length || node.title)).map(node => node.outerHTML.slice(0, 120))"""
        )
        assert nameless == []
    assert page.locator("h1").count() == 1
    assert page.get_by_role("main").count() == page.get_by_role("banner").count() == 1
    assert page.get_by_role("tabpanel", name="Declaration").count() == 1
    assert page.get_by_role("region", name="The motion").count() == 1
    assert page.get_by_role("group", name="Parameters").count() == 1


def test_what_is_downloaded_opens(server: Server, open_page, tmp_path: Path) -> None:
    page = begun(open_page, server, "skate", accept_downloads=True)
    before = latest(page)
    page.locator("#time-until").fill("3")
    wait_for_another(page, before)
    page.get_by_role("tab", name="Export").click()
    for kind in ("report", "page"):
        with page.expect_download(timeout=_STARTS) as download:
            page.locator(f"[data-export={kind}]").click()
        download.value.save_as(tmp_path / download.value.suggested_filename)
    film = open_page((tmp_path / "skate.film.html").as_uri())
    assert film.locator(".clock").inner_text().endswith("/ 3.00")
    report = open_page((tmp_path / "skate.html").as_uri())
    report.get_by_role("tab", name="Hamel").click()
    assert report.locator("[role=tabpanel]:visible").count() == 1
    assert report.locator("#player canvas").count() == 1


def test_a_stranger_is_told_what_is_wrong(server: Server, open_page) -> None:
    page = open_page(server.address, viewport={"width": 1400, "height": 900})
    page.get_by_role("button", name="Type a system of your own").click(timeout=_STARTS)
    page.wait_for_selector("#stage[data-count]", timeout=_STARTS)
    editor = page.locator("#declaration")
    sound = editor.input_value()
    trouble = page.locator("#trouble")
    for text, said in (
        (sound.replace("I = 0.5", "I = 0,5"), "write a decimal point"),
        (sound.replace('lagrangian = "', "lagrangian = "), "texts and formulas stand in double quotes"),
        (sound.replace('"theta"]', '"theta"'), "add `]`"),
        (sound + "\n[start]\nx = 1\n", "keep one of them"),
    ):
        editor.fill(text)
        trouble.get_by_text(said).wait_for(timeout=_STARTS)
        assert "(at line" not in trouble.inner_text()
        assert page.locator(".mark").count() > 0
    # A name of the text is that of the project, until somebody gives it another.
    editor.fill(sound.replace('"my system"', '"my own"'))
    page.wait_for_function("() => document.querySelector('.name').value === 'my own'", timeout=_STARTS)
    page.get_by_label("Name of the project").fill("kept")
    before = latest(page)
    editor.fill(sound)
    wait_for_another(page, before)
    assert page.get_by_label("Name of the project").input_value() == "kept"
    # Too few velocities, too late a time.
    editor.fill(sound.replace('"x\'" = 1\n', "").replace("constraints", "# constraints"))
    page.get_by_text("What is shown is the motion before.").wait_for(timeout=_STARTS)
    assert page.locator("#start-y\\'").get_attribute("placeholder") == "not given"
    before = latest(page)
    for name in ("x", "y"):
        page.locator(f"#start-{name}\\'").fill("0.5")
    wait_for_another(page, before)
    page.locator("#time-until").fill("1e9")
    assert page.locator("#time-until").get_attribute("aria-invalid") == "true"
