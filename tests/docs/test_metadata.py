"""What is said in several places is the same in all of them, and nothing public goes undocumented."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import operator
import re
from pathlib import Path
from types import ModuleType

import pytest

import anholonomy as ah
from anholonomy.algebra.arithmetic import FUNCTIONS
from anholonomy.base.former_names import NAMES, RENAMED
from anholonomy.catalogue import skate
from anholonomy.cli.commands import COMMANDS
from anholonomy.equations.equations_of_motion import EquationsOfMotion
from anholonomy.equations.principles import PRINCIPLES
from anholonomy.motion.dataset.one_motion import VARIABLES
from anholonomy.motion.discrete import METHODS
from anholonomy.motion.integrators import INTEGRATORS
from anholonomy.motion.integrators.base import Outcome
from anholonomy.programs.backends import BACKENDS
from anholonomy.public.geometry import Geometry
from anholonomy.public.paths import Paths
from anholonomy.public.stability import Stability
from anholonomy.system.declaration.toml import SCHEMA
from anholonomy.system.model import Model
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


ENTRY = re.compile(r"^\.\. auto\w+:: anholonomy\.([\w.]+)", re.MULTILINE)


def test_every_public_name_is_in_the_reference():
    pages, entries = generator(), set(ENTRY.findall(with_parts("docs/api.md")))
    assert {name for name in ah.__all__ if not inspect.ismodule(getattr(ah, name))} - {"Error"} <= entries
    assert set(pages.DOORS) == {name for name in ah.__all__ if inspect.ismodule(getattr(ah, name))}
    for door in pages.DOORS:
        assert pages.door_names(door)
        assert {f"{door}.{name}" for name in pages.door_names(door)} <= entries


def test_the_reference_has_no_name_that_is_gone():
    for name in ENTRY.findall(with_parts("docs/api.md")):
        module, _, last = f"anholonomy.{name}".rpartition(".")
        assert hasattr(importlib.import_module(module), last), name


def test_old_names_are_listed_with_names_that_exist():
    """Every place that the page of names gives can be read: of a class, of the package, or of a door."""
    kinds = {noun: getattr(ah, noun) for noun in NAMES}
    own = {"System": skate(), "Equations": skate().derive()}
    for noun, names in NAMES.items():
        for old, new in names.items():
            assert old not in dir(kinds[noun]), f"{noun}.{old}"
            for place in new.split(" or "):
                path = re.sub(r"\(.*", "", place).strip(".")
                if path.startswith("anholonomy."):
                    operator.attrgetter(path.removeprefix("anholonomy."))(ah)
                elif noun in own:
                    operator.attrgetter(path)(own[noun])
                else:
                    assert path.partition(".")[0] in (*dir(kinds[noun]), *kinds[noun].__annotations__), (
                        f"{noun}.{old}: {path}"
                    )
    for old, new in RENAMED.items():
        assert operator.attrgetter(re.sub(r"\(.*", "", new))(ah), new
        assert old not in dir(ah)
    shown = generator().names_tables()
    assert all(f"| `ah.{old}` | `ah.{new}` |" in shown for old, new in RENAMED.items())


@pytest.mark.parametrize(
    ("page", "words"),
    [
        ("docs/cli.md", [f"`anholonomy {name}" for name in COMMANDS]),
        ("docs/simulation.md", [f"| `{name}` |" for name in (*VARIABLES, *INTEGRATORS)]),
        ("docs/simulation.md", [f"| {o.value} |" for o in Outcome if o is not Outcome.STOPPED]),
        ("docs/discrete.md", [f"| {case.key} | `{name}` |" for case in CASES for name in METHODS]),
        ("docs/interchange.md", [f"| `{name}` |" for name in BACKENDS]),
        ("docs/geometry.md", [f"anholonomy.connections.{kind.__name__}`" for kind in ah.connections.ALL]),
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


FILE = re.compile(
    r"`((?:src|tests|docs|benchmarks|base|algebra|language|findings|geometry|system|equations|programs|show|motion|laws)/[\w/.]+)`"
)


@pytest.mark.parametrize("page", ["docs/architecture.md", "CONTRIBUTING.md", "docs/ledger.md", "docs/verification.md"])
def test_files_that_a_page_names_exist(page):
    named = FILE.findall(text(page))
    assert named
    assert not [name for name in named if not ((ROOT / name).exists() or (ROOT / "src/anholonomy" / name).exists())]


TEST = re.compile(r"`(test_\w+?)(_?…)?`")


@pytest.mark.parametrize("page", ["docs/ledger.md", "docs/errata.md", "docs/verification.md"])
def test_tests_that_a_page_names_exist(page):
    code = "\n".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "tests").rglob("test_*.py")))
    defined = set(re.findall(r"def (test_\w+)", code)) | {path.stem for path in (ROOT / "tests").rglob("test_*.py")}
    for name, begins in TEST.findall(text(page)):
        assert any(each.startswith(f"{name}_") for each in defined) if begins else name in defined, name


PROSE = sorted({ROOT / "README.md", *(ROOT / "docs").rglob("*.md")} - {ROOT / "docs/names.md"})
BLOCKS = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
READ = re.compile(r"(?<![\w.\"'/-])(system|equations|run|ah)\.(?!toml|tex|nc)([A-Za-z_]+)(?:\.([A-Za-z_]+))?")


@pytest.mark.parametrize(
    "page",
    [path for path in PROSE if "generated" not in path.parts],
    ids=lambda page: page.relative_to(ROOT).as_posix(),
)
def test_what_the_text_reads_from_a_class_exists(page):
    """``system.geometry.metric`` in a sentence is an attribute of `System` and of its accessor; so with equations, motions and the package."""
    kinds = {"system": ah.System, "equations": ah.Equations, "run": ah.Motion, "ah": ah}
    inner = {"geometry": Geometry, "stability": Stability, "paths": Paths, "model": Model, "data": EquationsOfMotion}
    for quoted in re.findall(r"`([^`\n]+)`", BLOCKS.sub("", page.read_text(encoding="utf-8"))):
        for noun, name, further in READ.findall(quoted):
            kind = kinds[noun]
            assert _has(kind, name), f"{noun}.{name}"
            if further and (noun == "ah" or (noun in ("system", "equations") and name in inner)):
                assert _has(getattr(ah, name) if noun == "ah" else inner[name], further), f"{noun}.{name}.{further}"


def _has(kind, name: str) -> bool:
    """Whether a class or module has a name, be it only as a field."""
    return hasattr(kind, name) or any(
        name in vars(base).get("__annotations__", {}) for base in getattr(kind, "__mro__", ())
    )


def test_a_name_that_is_gone_would_be_noticed():
    assert READ.findall("system.go_on(3)") == [("system", "go_on", "")]
    assert not _has(ah.System, "distribution")
    assert _has(ah.Equations, "data")
