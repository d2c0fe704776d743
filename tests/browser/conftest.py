"""A browser for tests: one for each worker, which reports what a page complains of and what it asks of the network."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--no-first-run",
)
LOCAL = ("file:", "data:", "blob:", "about:", "http://127.0.0.1:", "ws://127.0.0.1:")


def find_browser() -> str | None:
    """The program of Chromium, or of something that is like it."""
    return next((found for name in _NAMES if (found := shutil.which(name))), None)


@pytest.fixture(scope="package")
def browser() -> Iterator[Any]:
    """Chromium without a window; torn down with the last test of this folder, as its event loop would be in the way of others."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed (the extra `test`)")
    program = find_browser()
    if program is None:
        pytest.skip(f"no browser is installed; looked for {', '.join(_NAMES)}")
    with sync_api.sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=program, args=list(FLAGS))
        yield found
        found.close()


@pytest.fixture
def open_page(browser) -> Iterator[Callable[..., Any]]:
    """A function from an address, or None, to a page; words such as ``color_scheme="dark"`` are Playwright's.

    Fails in the end if a page wrote an error, threw one, or asked for anything that is not on this machine. A test that provokes errors
    on purpose clears the list ``page.complaints``.
    """
    contexts, complaints = [], []

    def open_one(address: str | None = None, **words: Any) -> Any:
        context = browser.new_context(
            **{"viewport": {"width": 1000, "height": 700}, "reduced_motion": "reduce", **words}
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(60_000)  # a busy machine may take its time; only failures wait so long
        page.complaints = complaints
        page.on("console", lambda said: complaints.append(f"console: {said.text}") if said.type == "error" else None)
        page.on("pageerror", lambda error: complaints.append(f"error: {error}"))
        page.on(
            "request",
            lambda asked: None if asked.url.startswith(LOCAL) else complaints.append(f"asked for {asked.url}"),
        )
        if address is not None:
            page.goto(address)
        return page

    yield open_one
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.fixture
def axe() -> Callable[[Any], None]:
    """A function that has a page examined by axe-core and allows no serious or critical finding."""
    sync_playwright = pytest.importorskip("axe_playwright_python.sync_playwright")

    def examine(page: Any, **options: Any) -> None:
        found = sync_playwright.Axe().run(page, **options).response["violations"]
        bad = [
            f"{each['id']}: {each['help']}: {node['html'][:200]}"
            for each in found
            if each["impact"] in ("serious", "critical")
            for node in each["nodes"]
        ]
        assert bad == []

    return examine
