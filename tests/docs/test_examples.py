"""Every example runs as a user would run it and leaves its picture."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
# tests/plans/test_pictures.py makes the plans, which take long.
PICTURES = [path for path in sorted((ROOT / "docs" / "pictures").glob("*.py")) if path.stem != "plans"]


@pytest.mark.exhaustive_for(
    "custom_system", "path_following", "ridden_bicycle", "segway", "sleigh", "tippe_top", "trailer", "wheeled_robot"
)
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_example_runs_and_leaves_a_picture(example, tmp_path):
    done = subprocess.run(
        [sys.executable, "-W", "error", str(example)], cwd=tmp_path, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    assert "agree: proven at" in done.stdout
    picture = tmp_path / "results" / f"{example.stem}.png"
    assert picture.read_bytes().startswith(b"\x89PNG")


@pytest.mark.exhaustive
@pytest.mark.parametrize("script", PICTURES, ids=lambda path: path.stem)
def test_the_pictures_of_the_pages_are_made_by_their_script(script, tmp_path):
    done = subprocess.run(
        [sys.executable, "-W", "error", str(script), str(tmp_path)], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    made = {path.name for path in tmp_path.iterdir() if path.suffix in {".png", ".svg"}}
    assert made
    assert made <= {path.name for path in (ROOT / "docs" / "_static").iterdir()}
