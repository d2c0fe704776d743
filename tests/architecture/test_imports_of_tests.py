"""Tests share helpers through modules that are no tests, so that a test can be renamed, split or removed without its neighbours."""

from __future__ import annotations

import ast
from pathlib import Path

ROOT = Path(__file__).parents[2]


def modules_of_tests(source: str) -> list[str]:
    """The modules that the source imports whose name, or that of a package around them, begins with `test_`."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            found += [node.module or "", *(alias.name for alias in node.names)]
    return [name for name in found if any(part.startswith("test_") for part in name.split("."))]


def test_no_module_imports_a_test() -> None:
    files = [path for folder in ("tests", "benchmarks", "docs", "examples") for path in (ROOT / folder).rglob("*.py")]
    assert len(files) > 300
    wrong = {str(path.relative_to(ROOT)): modules_of_tests(path.read_text(encoding="utf-8")) for path in files}
    assert not {path: names for path, names in wrong.items() if names}


def test_an_import_of_a_test_is_seen() -> None:
    for line in (
        "from tests.laws.test_levels import x",
        "from .test_levels import x",
        "import tests.laws.test_levels",
        "from tests.laws import test_levels",
    ):
        assert modules_of_tests(line), line
    assert not modules_of_tests("from tests.laws.levels import twins")
