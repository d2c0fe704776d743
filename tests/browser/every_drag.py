"""Drag numbers of every system of the catalogue in the studio and print how long another motion takes: ``python -m tests.browser.every_drag [KEY …]``.

Milliseconds from the drag to the picture and the plots, least, middle and most of twelve, while the animation plays; then those that the
worker's processor spends on a whole motion and on a draft, which do not depend on what else the machine does.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from time import process_time
from typing import Any

_SHARES = (480, 460, 520, 540, 505, 495)
_DRAG = """([name, share]) => {
  const node = [...document.querySelectorAll("input[type=range]")].find(each => each.getAttribute("aria-label") === name);
  node.value = share;
  node.dispatchEvent(new Event("input", { bubbles: true }));
}"""
_NAMES = """() => [...document.querySelectorAll(".sliders input[type=range]:not(:disabled)")].map(each => each.getAttribute("aria-label"))
  .filter(name => !name.startsWith("until"))"""


def dragged(page: Any) -> list[int]:
    """Milliseconds, the least first; the first number of the page is dragged and the last."""
    from tests.browser.studio_server import latest, wait_for_another

    names = page.evaluate(_NAMES)
    found = []
    for name in dict.fromkeys((names[0], names[-1])):
        for share in _SHARES:
            before = latest(page)
            page.evaluate(_DRAG, [name, share])
            wait_for_another(page, before)
            found.append(int(page.locator("#stage").get_attribute("data-took")))
    return sorted(found)


def computed(key: str) -> list[float]:
    """Milliseconds of processor time for a motion with another start or parameter, whole and as a draft: the least of six."""
    from anholonomy.studio.worker.__main__ import TASKS

    words = {**TASKS["entry"]({"key": key}, print), "parameters": {}, "start": {}}
    described = TASKS["check"](words, print)
    table = "parameters" if any(described["parameters"].values()) else "start"
    name, value = next((name, value) for name, value in described[table].items() if value)
    least = []
    for draft in (False, True):
        taken = []
        for share in (1.0, 1.1, 0.9, 1.05, 0.95, 1.02, 0.98):
            began, fresh = process_time(), (share + 0.001 * draft) * value  # nothing is at hand from before
            TASKS["motion"]({**words, table: {name: fresh}, "draft": draft}, print)
            taken.append(1000 * (process_time() - began))
        least.append(min(taken[1:]))
    return least


def main(keys: list[str]) -> None:
    """A line for each system."""
    from playwright.sync_api import sync_playwright

    from anholonomy.catalogue import ENTRIES
    from tests.browser.conftest import FLAGS, find_browser
    from tests.browser.studio_server import Server

    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=list(FLAGS))
        server = Server(Path(folder) / "state")
        print(f"{'':26}   least  middle   most      whole   draft")
        for key in keys or list(ENTRIES):
            page = browser.new_page(viewport={"width": 1400, "height": 900}, reduced_motion="no-preference")
            page.goto(server.address)
            page.locator(f"[data-key={key}]").click(timeout=90_000)
            page.wait_for_selector("#stage[data-count]", timeout=90_000)
            found, (whole, draft) = dragged(page), computed(key)
            page.close()
            numbers = f"{found[0]:8} {found[len(found) // 2]:7} {found[-1]:6}"
            print(f"{key:26} {numbers}   {whole:8.1f} {draft:7.1f}", flush=True)
        server.kill()
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
