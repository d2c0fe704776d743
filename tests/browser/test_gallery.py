"""The moving pictures of the gallery: they stand still where less motion is asked for, and one button stops them."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import pytest

import anholonomy as ah

ROOT = Path(__file__).resolve().parents[2]
SERVER = "http://127.0.0.1:8"


@pytest.fixture
def address(tmp_path) -> str:
    """The thumbnails of two systems with the style and the program of the pages."""
    image = pytest.importorskip("PIL.Image")
    spec = importlib.util.spec_from_file_location("gallery_for_browser", ROOT / "docs/_ext/gallery.py")
    gallery = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(gallery)
    entries = [ah.catalogue.ENTRIES[key] for key in ("skate", "rattleback")]
    text = gallery.index_page(entries, {entry.key: {"title": entry.key} for entry in entries})
    (tmp_path / "_images").mkdir()
    for entry in entries:
        for end in ("", "-still"):
            image.new("RGB", (32, 24), "white").save(tmp_path / "_images" / f"{entry.key}{end}.webp")
    sections = "".join(
        f"<section><h2>{number}</h2>{part}</section>"
        for number, part in enumerate(re.findall(r"```\{raw\} html\n(.*?)```", text, re.DOTALL))
    )
    style, program = ((ROOT / "docs/_static" / name).read_text("utf-8") for name in ("gallery.css", "gallery.js"))
    place = tmp_path / "generated/gallery/index.html"
    place.parent.mkdir(parents=True)
    place.write_text(
        f"<!doctype html><html lang=en><meta charset=utf-8><title>gallery</title><style>{style}</style>"
        f"<main><h1>gallery</h1>{sections}</main><script>{program}</script>",
        "utf-8",
    )
    return place.as_uri()


def served(page, address: str):
    """A page of a file as a server would give it: of files, Chromium forgets now and then what a session keeps."""
    root, _, rest = address.partition("/generated")
    page.route(
        f"{SERVER}/**",
        lambda asked: asked.fulfill(path=root.removeprefix("file://") + asked.request.url[len(SERVER) :]),
    )
    page.goto(f"{SERVER}/generated{rest}")
    return page


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_pictures_stop_and_move(open_page, axe, address, motion) -> None:
    page = served(open_page(None, reduced_motion=motion), address)
    shown = "[...document.querySelectorAll('.gallery-card img')].map(each => each.currentSrc.includes('-still'))"
    button = page.get_by_role("button")
    page.wait_for_function(f"{shown}.every(each => each === {'true' if motion == 'reduce' else 'false'})")
    assert button.text_content() == ("Let the pictures move" if motion == "reduce" else "Stop the pictures")
    button.press("Enter")
    page.wait_for_function(f"{shown}.every(each => each === {'false' if motion == 'reduce' else 'true'})")
    axe(page)
    page.reload()  # what was chosen is remembered
    page.wait_for_function(f"{shown}.every(each => each === {'false' if motion == 'reduce' else 'true'})")


def test_without_a_program_less_motion_is_none(open_page, address) -> None:
    page = open_page(address, java_script_enabled=False)
    assert page.get_by_role("button").count() == 0
    assert page.locator("picture source").first.get_attribute("media") == "(prefers-reduced-motion: reduce)"
