"""Every Python block of the documentation runs, in order, page by page, and prints what the page says it prints."""

from __future__ import annotations

import contextlib
import doctest
import io
import re
import shutil
import subprocess
from pathlib import Path

import pytest

import anholonomy as ah

ROOT = Path(__file__).resolve().parents[2]
PAGES = [
    path
    for path in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))
    if not {"_build", "generated"} & set(path.parts) and "```python" in path.read_text(encoding="utf-8")
]
BLOCK = re.compile(r"^```python\n(?P<code>.*?)^```\n(?:\n*^```text\n(?P<output>.*?)^```$)?", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\((?!https?:|#|mailto:)([^)#\s]+)")


@pytest.mark.exhaustive_for(
    "docs/answers.md",
    "docs/bodies.md",
    "docs/ensembles.md",
    "docs/geometry.md",
    "docs/howto/control_bicycle.md",
    "docs/paths.md",
    "docs/plans.md",
    "docs/reduction.md",
    "docs/simulation.md",
    "docs/stability.md",
)
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_the_blocks_of_a_page_run_and_print_what_it_says(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text, names = page.read_text(encoding="utf-8"), {"__name__": "__page__"}
    for found in BLOCK.finditer(text):
        printed = io.StringIO()
        line = text.count("\n", 0, found.start("code"))
        # Blank lines in front, so that a traceback names the line of the page.
        code = compile("\n" * line + found["code"], str(page), "exec")
        with contextlib.redirect_stdout(printed):
            exec(code, names)  # noqa: S102 - these are our own pages
        if found["output"] is not None:
            assert _same(found["output"], printed.getvalue()), f"line {line}: printed\n{printed.getvalue()}"


def _same(wanted: str, got: str) -> bool:
    return doctest.OutputChecker().check_output(wanted, got, doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)


@pytest.mark.exhaustive
@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler is installed")
def test_the_program_of_the_page_on_c_prints_what_the_page_says(tmp_path):
    text = (ROOT / "docs/howto/export_to_c.md").read_text(encoding="utf-8")
    (tmp_path / "main.c").write_text(re.search(r"^```c\n(.*?)^```", text, re.MULTILINE | re.DOTALL)[1])
    (tmp_path / "sleigh.c").write_text(ah.catalogue.chaplygin_sleigh().derive("kane").c_source(name="sleigh"))
    command = re.search(r"^```sh\n(.*?)^```", text, re.MULTILINE | re.DOTALL)[1]
    done = subprocess.run(["sh", "-c", command], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout == [found["output"] for found in BLOCK.finditer(text)][-1]


def test_a_wrong_output_would_be_noticed():
    found = BLOCK.search("```python\nprint(1)\n```\n\n```text\n2\n```\n")
    assert found is not None
    assert found["output"] == "2\n"
    assert not _same(found["output"], "1\n")


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"])
def test_relative_links_lead_somewhere(page):
    missing = [link for link in LINK.findall((ROOT / page).read_text(encoding="utf-8")) if not (ROOT / link).exists()]
    assert not missing
