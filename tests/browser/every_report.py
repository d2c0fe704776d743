"""Drive every report of a folder in Chromium and print a table: ``python -m tests.browser.every_report FOLDER``.

``anholonomy report --all -o FOLDER --time-limit 1`` writes them.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

LARGEST = 5_000_000
"""Bytes that a page may have."""


def flaws(page: Any, place: Path) -> list[str]:
    """What is wrong with a report that is open: its size, its switches, its plots, its player, its width."""
    found = [] if place.stat().st_size < LARGEST else [f"{place.stat().st_size:,} bytes"]
    tabs = page.get_by_role("tab").all()
    for tab in tabs:
        tab.click()
        shown = page.locator("[role=tabpanel]:visible")
        if shown.count() != 1 or not shown.inner_text().strip():
            found.append(f"nothing is shown by {tab.inner_text()}")
    found += [] if tabs else ["no principles"]
    for canvas in page.locator(".plot canvas").all():
        canvas.focus()
        canvas.press("ArrowRight")
        if "t = " not in (canvas.get_attribute("aria-valuetext") or ""):
            found.append(f"no values in {canvas.get_attribute('aria-label')}")
    if page.locator("#player canvas").count():
        before = page.locator("#player .clock").text_content()
        page.locator("#player canvas").press("End")
        if page.locator("#player .clock").text_content() == before:
            found.append("the player stands still")
    page.set_viewport_size({"width": 400, "height": 800})
    if (wide := page.evaluate("document.documentElement.scrollWidth")) > 400:
        found.append(f"{wide} pixels wide on a screen of 400")
    return found


def main(folder: Path) -> int:
    """Look at every page of the folder; how many are flawed."""
    from axe_playwright_python.sync_playwright import Axe
    from playwright.sync_api import sync_playwright

    from tests.browser.conftest import FLAGS, LOCAL, find_browser

    bad = 0
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=list(FLAGS))
        for place in sorted(folder.glob("*.html")):
            page, said = browser.new_page(reduced_motion="reduce"), []
            page.on(
                "console", lambda message, said=said: said.append(message.text) if message.type == "error" else None
            )
            page.on("pageerror", lambda error, said=said: said.append(str(error)))
            page.on(
                "request",
                lambda one, said=said: None if one.url.startswith(LOCAL) else said.append(f"asked for {one.url}"),
            )
            page.goto(place.as_uri())
            violations = Axe().run(page).response["violations"]
            said += [f"axe: {each['id']}" for each in violations if each["impact"] in ("serious", "critical")]
            said += flaws(page, place)
            page.close()
            bad += bool(said)
            print(f"{place.stem:26} {place.stat().st_size / 1e6:5.2f} MB  {'; '.join(said) or 'good'}", flush=True)
        browser.close()
    return bad


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
