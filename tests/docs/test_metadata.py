"""What is said in several places is the same in all of them, and nothing public goes undocumented."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import pytest

import anholonomy as ah
from anholonomy.cli.commands import COMMANDS
from anholonomy.formulations.principles import ALL
from anholonomy.simulate.integrators.choose import INTEGRATORS
from anholonomy.simulate.outcome import Outcome
from anholonomy.simulate.trajectories.schema import VARIABLES
from anholonomy.symbolic.arithmetic import FUNCTIONS
from anholonomy.system.declaration.files import SCHEMA

ROOT = Path(__file__).resolve().parents[2]


def text(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


def test_the_version_is_one():
    assert f"version: {ah.__version__}\n" in text("CITATION.cff")
    assert f"## [{ah.__version__}]" in text("CHANGELOG.md")


@pytest.mark.parametrize("name", ah.__all__)
def test_every_public_name_is_in_the_reference(name):
    assert re.search(rf"^\.\. auto\w+:: (anholonomy\.)?{name}\b", text("docs/api.md"), re.MULTILINE)


@pytest.mark.parametrize("name", [n for n in ah.catalogue.__all__ if n != "ENTRIES"])
def test_every_name_of_the_catalogue_is_in_the_reference(name):
    assert f":: anholonomy.catalogue.{name}" in text("docs/api.md")


@pytest.mark.parametrize(
    ("page", "words"),
    [
        ("docs/cli.md", [f"anholonomy {name}" for name in COMMANDS]),
        ("docs/simulation.md", [f"| `{name}` |" for name in (*VARIABLES, *INTEGRATORS)]),
        ("docs/simulation.md", [f"| {o.value} |" for o in Outcome if o is not Outcome.STOPPED]),
        ("docs/language.md", [" ".join(FUNCTIONS)]),
        ("docs/files.md", [SCHEMA]),
    ],
    ids=["commands", "variables", "outcomes", "functions", "schema"],
)
def test_hand_written_tables_are_complete(page, words):
    assert not [word for word in words if word not in text(page)]


def test_generated_pages_hold_every_principle_and_every_entry():
    spec = importlib.util.spec_from_file_location("living_tables", ROOT / "docs/_ext/living_tables.py")
    if importlib.util.find_spec("sphinx") is None:
        pytest.skip("the generator is a Sphinx extension")
    pages = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(pages)
    coverage, catalogue = pages.coverage_page(), pages.catalogue_page()
    assert all(f"| {principle.name} |" in coverage for principle in ALL)
    assert all(f"`{key}` ·" in catalogue for key in ah.catalogue.ENTRIES)
