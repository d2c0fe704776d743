"""The shape of the code, kept by tests: order of rooms, rings, what an import may load, and no evaluation of text."""

from __future__ import annotations

import ast
import importlib.util
import re
import subprocess
import sys
import tomllib
from collections.abc import Container, Iterator, Mapping
from pathlib import Path
from types import ModuleType

import pytest

import anholonomy

ROOT = Path(anholonomy.__file__).parent
TOP = Path(__file__).parents[2]
FILES = sorted(ROOT.rglob("*.py"))
IDS = [str(path.relative_to(ROOT)) for path in FILES]

_HEAVY = ("sympy", "scipy", "xarray", "pandas", "matplotlib", "heyoka", "numba", "llvmlite", "jax", "h5netcdf")


@pytest.mark.parametrize("module", ["anholonomy", "anholonomy.cli.main"])
def test_import_loads_nothing_heavy(module: str) -> None:
    script = f"import sys, {module}; print([m for m in {_HEAVY!r} if m in sys.modules])"
    found = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


def test_import_opens_only_the_rooms_that_everybody_enters() -> None:
    later = (
        "anholonomy.catalogue",
        "anholonomy.programs.backends",
        "anholonomy.programs.program",
        "anholonomy.fields",
        "anholonomy.fitting",
        "anholonomy.geometry.distributions.distribution",
        "anholonomy.geometry.symmetry.preserved",
        "anholonomy.importing",
        "anholonomy.laws",
        "anholonomy.measures",
        "anholonomy.motion.driver",
        "anholonomy.motion.gpu",
        "anholonomy.motion.integrators",
        "anholonomy.motion.sweeps",
        "anholonomy.plans",
        "anholonomy.reports",
        "anholonomy.stability",
        "anholonomy.vakonomic",
    )
    script = f"import sys, anholonomy; print([m for m in {later!r} if m in sys.modules])"
    found = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


@pytest.mark.exhaustive
def test_steps_of_order_eight_need_no_other_integrators() -> None:
    script = (
        "import sys, anholonomy as ah\n"
        "run = ah.catalogue.skate().simulate({'x': 0, 'y': 0, 'theta': 0, \"x'\": 1, \"theta'\": 1}, until=1, integrator='runge-kutta')\n"
        "print(round(float(run['theta'][-1]), 12), 'scipy.integrate' in sys.modules, 'heyoka' in sys.modules)"
    )
    found = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert found.stdout.split() == ["1.0", "False", "False"]


def test_every_public_name_is_there_when_asked_for() -> None:
    assert [name for name in anholonomy.__all__ if not hasattr(anholonomy, name)] == []
    assert set(anholonomy.__all__) <= set(dir(anholonomy))
    assert not hasattr(anholonomy, "catalog")


def test_the_table_of_rooms_is_in_the_order_that_imports_obey() -> None:
    contracts = tomllib.loads((TOP / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]["contracts"]
    layers = [part.removeprefix("anholonomy.") for layer in contracts[0]["layers"] for part in layer.split(" | ")]
    text = (TOP / "docs/architecture.md").read_text(encoding="utf-8").partition("| room |")[2].partition("\n\n")[0]
    named = [name for row in text.splitlines()[2:] for name in re.findall(r"`(\w+)(?:\.py)?`", row.split("|")[1])]
    assert named == [name for name in layers if not name.startswith("_")]


def _imported_at_run_time(tree: ast.Module, known: Container[str]) -> Iterator[str]:
    """The modules that a file imports anywhere, also inside functions, but not for annotations alone."""
    blocks = (node for node in ast.walk(tree) if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING")
    unseen = {inner for block in blocks for statement in block.body for inner in ast.walk(statement)}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and node not in unseen:
            inner = (f"{node.module}.{alias.name}" for alias in node.names)
            yield from (name if name in known else node.module for name in inner)
        elif isinstance(node, ast.Import) and node not in unseen:
            yield from (alias.name for alias in node.names)


def _rings(graph: Mapping[str, set[str]]) -> set[str]:
    """The members of rings, and what leads only to them: what stays when names that lead nowhere are taken away."""
    left = dict(graph)
    while leaves := [name for name, others in left.items() if not others & left.keys()]:
        for name in leaves:
            del left[name]
    return set(left)


def test_no_files_import_each_other() -> None:
    names = {path: ".".join(path.relative_to(ROOT.parent).with_suffix("").parts) for path in FILES}
    known = {name.removesuffix(".__init__"): path for path, name in names.items()}
    graph = {
        name: (set(_imported_at_run_time(ast.parse(path.read_text(encoding="utf-8")), known)) & known.keys()) - {name}
        for name, path in known.items()
    }
    assert _rings(graph) == set()


def test_a_ring_would_be_noticed() -> None:
    assert _rings({"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": set()}) == {"a", "b", "c"}


def _picture() -> ModuleType:
    """The module that draws the rooms."""
    spec = importlib.util.spec_from_file_location("architecture", TOP / "docs/pictures/architecture.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_picture_of_the_rooms_shows_the_imports_of_today() -> None:
    """Rooms, their order and which imports from which; `make docs` brings the counts of files up to date."""
    picture = _picture()
    files, imports = picture.graph()
    order = picture.rooms()
    assert set(files) == set(order) == {path.parent.name for path in ROOT.glob("*/__init__.py")}
    assert all(order.index(room) < order.index(other) for room, other in imports)
    shown = (TOP / "docs/_static/architecture.svg").read_text(encoding="utf-8")
    assert _without_counts(shown) == _without_counts(picture.drawing())


def _without_counts(drawing: str) -> str:
    return re.sub(r">\d+</text>|fill-opacity=\"[\d.]+\"", "", drawing)


@pytest.mark.parametrize("path", FILES, ids=IDS)
def test_text_is_parsed_never_evaluated(path: Path) -> None:
    """``eval``, ``exec`` and ``parse_expr`` nowhere; ``sympify`` only on expressions, where the file says so."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            name = ast.unparse(node.func).split(".")[-1]
            assert name not in ("eval", "exec", "parse_expr", "simplify_logic")
            if name == "sympify":
                assert path.name in ("expressions.py",), f"sympify in {path.name}"


_SMOOTH = ("algebra/", "geometry/field_text.py", "system/declaration/unspecified_functions.py")
"""Where SymEngine may differentiate: below the calculus, and polynomials in marks of one's own."""


@pytest.mark.parametrize("path", FILES, ids=IDS)
def test_derivatives_go_through_the_calculus(path: Path) -> None:
    """SymEngine's own leave those of ``abs`` and ``sign`` unevaluated."""
    if path.relative_to(ROOT).as_posix().startswith(_SMOOTH):
        return
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "diff":
            assert ast.unparse(node.func.value) == "np", f"{ast.unparse(node)}: use `partial` of algebra.calculus"


@pytest.mark.parametrize("path", FILES, ids=IDS)
def test_properties_are_cached_without_a_lock(path: Path) -> None:
    """That of `functools` has one before Python 3.12, and threads that wait for the precision would hold it."""
    if path.name != "caching.py":
        assert not re.search(
            r"from functools import.*cached_property|functools\.cached_property", path.read_text("utf-8")
        )


@pytest.mark.parametrize("path", FILES, ids=IDS)
def test_no_sympy_simplification(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            assert ast.unparse(node.func) not in ("sympy.simplify", "sympy.trigsimp", "sympy.nsimplify")


def test_every_module_opens_with_its_idea() -> None:
    for path in FILES:
        if path.read_text(encoding="utf-8").strip():
            assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))), path


@pytest.mark.parametrize("room", sorted({path.parent for path in FILES}), ids=lambda room: str(room.relative_to(ROOT)))
def test_a_folder_says_what_lives_there(room: Path) -> None:
    assert ast.get_docstring(ast.parse((room / "__init__.py").read_text(encoding="utf-8"))), room


def test_public_names_exist_and_are_documented() -> None:
    for name in anholonomy.__all__:
        assert getattr(anholonomy, name).__doc__, name


_DICTIONARY = {
    "adapting", "common", "door", "doubts", "framing", "helpers", "loss", "losses", "misc",
    "nowhere", "stuff", "things", "trouble", "troubles", "turning", "util", "utils",
}  # fmt: skip
"""Words that say nothing of what a file holds, or say it of several files at once."""
_TESTS = sorted(Path(__file__).parents[1].rglob("test_*.py"))


@pytest.mark.parametrize("path", [*FILES, *_TESTS], ids=str)
def test_a_stranger_guesses_what_a_file_holds(path: Path) -> None:
    assert path.stem.removeprefix("test_") not in _DICTIONARY


def test_what_users_meet_has_a_name_of_its_own() -> None:
    """A public class shares its name with no other class of the package, whose messages would speak of another thing."""
    shown = set(anholonomy.__all__)
    homes: dict[str, list[str]] = {}
    for path in FILES:
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and node.name in shown:
                homes.setdefault(node.name, []).append(str(path.relative_to(ROOT)))
    assert {name: found for name, found in homes.items() if len(found) > 1} == {}
