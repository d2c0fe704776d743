"""The pages of the gallery: made from what the software says, kept until the software changes."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from types import ModuleType

import pytest

import anholonomy as ah

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def gallery() -> ModuleType:
    sys.path.insert(0, str(ROOT / "docs/_ext"))
    spec = importlib.util.spec_from_file_location("gallery", ROOT / "docs/_ext/gallery.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    yield module
    sys.path.remove(str(ROOT / "docs/_ext"))


def test_every_entry_has_a_family(gallery) -> None:
    entries = ah.catalogue.ENTRIES.values()
    assert {gallery.family(entry) for entry in entries} == set(gallery.FAMILIES)
    index = gallery.index_page(entries, {entry.key: {"title": entry.key} for entry in entries})
    assert all(f'href="{entry.key}.html"' in index for entry in entries)


@pytest.mark.exhaustive
def test_a_page_tells_everything(gallery, tmp_path) -> None:
    found = gallery.computed("skate", tmp_path, time_limit=2.0)
    page = gallery.system_page(ah.catalogue.ENTRIES["skate"], found)
    assert (tmp_path / "skate.png").stat().st_size > 10_000
    assert 5_000 < (tmp_path / "skate.webp").stat().st_size < 300_000
    for words in (
        "## Equations of motion",
        r"\dot{u}",
        "conserved: proven",
        "## Literature",
        "anholonomy report skate",
    ):
        assert words in page
    assert all(reference.split(",")[0] in page for reference in ah.catalogue.ENTRIES["skate"].references)


def test_what_was_computed_is_used_again_until_the_package_changes(gallery, tmp_path) -> None:
    for end in (".png", ".webp", "-still.webp"):
        (tmp_path / f"skate{end}").write_bytes(b"")
    (tmp_path / "skate.json").write_text(json.dumps({"digest": "now", "title": "skate"}))
    assert gallery._kept(tmp_path, "skate", "now")["title"] == "skate"
    assert gallery._kept(tmp_path, "skate", "later") is None
    (tmp_path / "skate.png").unlink()
    assert gallery._kept(tmp_path, "skate", "now") is None
    (tmp_path / "a.py").write_text("1")
    first = gallery.digest(tmp_path)
    (tmp_path / "a.py").write_text("2")
    assert gallery.digest(tmp_path) != first


@pytest.mark.exhaustive
def test_the_picture_of_the_rooms_is_that_of_the_layers() -> None:
    spec = importlib.util.spec_from_file_location("architecture", ROOT / "docs/pictures/architecture.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    kept = (ROOT / "docs/_static/architecture.svg").read_text(encoding="utf-8")
    assert kept == module.drawing(), "run `python docs/pictures/architecture.py`"
