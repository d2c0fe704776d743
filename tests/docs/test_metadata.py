"""What is said in several places is the same in all of them, and nothing public goes undocumented."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest

import anholonomy as ah
from anholonomy.algebra.arithmetic import FUNCTIONS
from anholonomy.cli.commands import COMMANDS
from anholonomy.equations.principles import PRINCIPLES
from anholonomy.motion.dataset.one_motion import VARIABLES
from anholonomy.motion.discrete import METHODS
from anholonomy.motion.integrators import INTEGRATORS
from anholonomy.motion.integrators.base import Outcome
from anholonomy.programs.backends import BACKENDS
from anholonomy.system.declaration.toml import SCHEMA
from benchmarks.discrete import CASES

ROOT = Path(__file__).resolve().parents[2]


def text(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


def test_the_version_is_one():
    assert f"version: {ah.__version__}\n" in text("CITATION.cff")
    assert f"## [{ah.__version__}]" in text("CHANGELOG.md")


def generator() -> ModuleType:
    """The module that writes the generated pages, without Sphinx."""
    spec = importlib.util.spec_from_file_location("living_tables", ROOT / "docs/_ext/living_tables.py")
    pages = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(pages)
    return pages


def with_parts(path: str) -> str:
    """A page, and what it includes."""
    parts = {f"generated/{name}": make for name, make in generator().PAGES.items()}
    return re.sub(r"```\{include\} (\S+)\n```", lambda found: parts[found[1]](), text(path))


def test_every_public_name_is_in_the_reference():
    entries = set(re.findall(r"^\.\. auto\w+:: anholonomy\.([\w.]+)", with_parts("docs/api.md"), re.MULTILINE))
    assert set(ah.__all__) - {"catalogue"} <= entries
    assert {f"catalogue.{name}" for name in ah.catalogue.__all__} <= entries


@pytest.mark.parametrize(
    ("page", "words"),
    [
        ("docs/cli.md", [f"`anholonomy {name}" for name in COMMANDS]),
        ("docs/simulation.md", [f"| `{name}` |" for name in (*VARIABLES, *INTEGRATORS)]),
        ("docs/simulation.md", [f"| {o.value} |" for o in Outcome if o is not Outcome.STOPPED]),
        ("docs/discrete.md", [f"| {case.key} | `{name}` |" for case in CASES for name in METHODS]),
        ("docs/interchange.md", [f"| `{name}` |" for name in BACKENDS]),
        ("docs/geometry.md", [f"anholonomy.{kind.__name__}`" for kind in ah.connections.ALL]),
        ("docs/groups.md", [f"`{text}`" for kind in ah.groups.ALL for text in kind.examples if "|" not in text]),
        ("docs/language.md", [" ".join(FUNCTIONS)]),
        ("docs/files.md", [SCHEMA]),
    ],
    ids=["commands", "variables", "outcomes", "discrete", "backends", "connections", "groups", "functions", "schema"],
)
def test_tables_are_complete(page, words):
    shown = with_parts(page)
    assert not [word for word in words if word not in shown]


def test_generated_pages_hold_every_principle_and_every_entry():
    pages = generator()
    coverage, catalogue = pages.coverage_page(), pages.catalogue_page()
    assert all(f"| {principle.name} |" in coverage for principle in PRINCIPLES)
    assert all(f"`{key}` ·" in catalogue for key in ah.catalogue.ENTRIES)
    assert all(f"`{type(each).__module__.removeprefix('anholonomy.')}`" in pages.mutants_table() for each in PRINCIPLES)


def test_nobody_counts_the_members_of_a_plural():
    pages = (path.read_text(encoding="utf-8") for path in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))))
    counted = re.compile(
        r"\b(\d+|[a-z]+teen|seven|eight|nine|ten|eleven|twelve) (principles|connections|classical systems|groups of)",
        re.I,
    )
    assert not [found[0] for page in pages for found in counted.finditer(page)]
