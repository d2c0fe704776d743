"""A new member of a plural is one file and one line: one of each is added to a copy of the package, and found everywhere."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import anholonomy

ROOT = Path(__file__).parents[2]
LAST = re.compile(r"(.*^from anholonomy\S+ import \*\n)", re.MULTILINE | re.DOTALL)
"""A list up to the line of its last member."""

MEMBERS = {
    "equations/principles": '''
from anholonomy.equations.principles.base import AbstractPrinciple
from anholonomy.equations.principles.kane import Kane
__all__ = ["ThrowawayPrinciple"]

class ThrowawayPrinciple(AbstractPrinciple):
    """Kane's equations under another name."""
    name, title, handles = "throwaway", "A throw-away principle", Kane.handles
    _derive = Kane._derive
''',
    "geometry/connections": '''
from dataclasses import dataclass
from anholonomy.geometry.metric import Metric
from anholonomy.geometry.connections.base import AbstractConnection
from anholonomy.geometry.connections.levi_civita import LeviCivitaConnection
__all__ = ["ThrowawayConnection", "throwaway_connection"]

@dataclass(frozen=True, repr=False)
class ThrowawayConnection(AbstractConnection):
    """Levi-Civita's under another name."""
    metric: Metric
    promises = LeviCivitaConnection.promises
    sample = classmethod(lambda cls, metric, span: cls(metric))
    _frame = lambda self: self.metric.frame
    _coefficients = lambda self: LeviCivitaConnection(self.metric).coefficients
    _in_frame = lambda self, frame: ThrowawayConnection(self.metric.in_frame(frame))

def throwaway_connection(metric: Metric) -> ThrowawayConnection:
    """As a user writes it."""
    return ThrowawayConnection(metric)
''',
    "geometry/groups": '''
from anholonomy.geometry.algebras.structure_constants import matrices
from anholonomy.geometry.groups.base import titled
from anholonomy.geometry.groups.matrix_group import AbstractMatrixGroup
__all__ = ["Throwaway"]

class Throwaway(AbstractMatrixGroup):
    """Turns and stretchings of the plane."""
    examples, elements = ("Throwaway",), "similarities by"

    def __init__(self, prefix: str = "") -> None:
        super().__init__(titled("Throwaway", prefix), matrices([[[0, -1], [1, 0]], [[1, 0], [0, 1]]]), prefix)
''',
    "programs/backends": '''
from anholonomy.programs.backends.base import AbstractBackend
from anholonomy.programs.backends.numpy import NumpyBackend
__all__ = ["ThrowawayBackend"]

class ThrowawayBackend(AbstractBackend):
    """The reference under another name."""
    name, handles_solves, handles_least_squares = "throwaway", True, True
    _compile = NumpyBackend._compile
''',
    "motion/integrators": '''
from anholonomy.motion.integrators.base import AbstractIntegrator
from anholonomy.motion.integrators.runge_kutta import RungeKutta
__all__ = ["ThrowawayIntegrator"]

class ThrowawayIntegrator(AbstractIntegrator):
    """Runge and Kutta's under another name."""
    name, title, chosen = "throwaway", "the same again", "never"
    _integrate = RungeKutta._integrate
''',
    "motion/discrete": '''
from anholonomy.motion.discrete.dla_midpoint import DlaMidpoint
from anholonomy.motion.discrete.base import InCoordinates
__all__ = ["ThrowawayMethod"]

class ThrowawayMethod(InCoordinates):
    """The midpoint rule under another name."""
    name, title, keeps, loses, reference = "throwaway-step", "the same again", "this", "that", "nobody"
    equations = DlaMidpoint.equations
''',
    "catalogue/particles": '''
from anholonomy.catalogue.entry import Claims
from anholonomy.catalogue.entry import Entry
from anholonomy.public.system import System
__all__ = ["throwaway"]

def throwaway(m: float | None = 1.0) -> System:
    """A particle that goes straight on."""
    return System(name="throw-away", coordinates=["x", "y"], lagrangian="m/2*(x'^2 + y'^2)", constraints=["x' = y'"], parameters={"m": m})

ENTRY = Entry(make=throwaway, start={"x": 0.0, "y": 0.0, "x'": 1.0}, until=1.0, facts=(), claims=Claims(source="nobody"), references=("nobody",))
''',
    "cli/commands": '''
__all__ = ["throwaway"]

def throwaway() -> None:
    """Print a word.

    \\b
    Examples:
      anholonomy throwaway
    """
    print("thrown away")
''',
}  # fmt: skip

VERB_BEFORE = "    def find_lagrangian(self)"
VERB = '''
    def throwaway_verb(self, fibre: Sequence[Any], rounds: int = 2, time_limit: float | None = LIMIT) -> str:
        """Print what was typed."""
        return f"{self.name}: {fibre} {rounds} {time_limit}"
'''
"""A verb, which is a command without a line elsewhere."""

SEEN = '''
import json, sys
from typer.testing import CliRunner
sys.path.insert(0, "docs/_ext")
import anholonomy as ah, living_tables
from anholonomy.cli.main import app
from anholonomy.show.text.groups import group_lines

def said(ask):
    try:
        return str(ask())
    except ah.Error as refusal:
        return str(refusal)

cli = lambda *words: CliRunner().invoke(app, [*words]).output
part = lambda name: living_tables.PAGES[f"parts/{name}.md"]()
made = ah.catalogue.throwaway()
equations = made.derive("throwaway")
start = {"x": 0, "y": 0, "x'": 1}
metric = ah.geometry.Metric(ah.geometry.Frame(["x", "y"]), ["1", "1 + x^2"])
print(json.dumps({
    "principle": {
        "public": "ThrowawayPrinciple" in dir(ah.principles),
        "coverage": "| throwaway |" in ah.principles.coverage() and "| throwaway |" in living_tables.coverage_page(),
        "verification": "throwaway" in made.verify(states=1).principles,
        "command line": "throwaway" in cli("derive", "--help") and "throwaway" in cli("derive", "skate", "--by", "throwaway"),
        "choices": "throwaway" in said(lambda: made.derive("nothing")),
        "reference": "anholonomy.principles.ThrowawayPrinciple" in part("reference-principles"),
    },
    "connection": {
        "public": ah.connections.throwaway_connection(metric).is_metric(metric).is_proven and "ThrowawayConnection" in dir(ah.connections),
        "table": "ThrowawayConnection" in part("connections"),
        "reference": all(f"anholonomy.connections.{n}" in part("reference-connections") for n in ("ThrowawayConnection", "throwaway_connection")),
    },
    "group": {
        "public": ah.groups.Throwaway("b_") == ah.groups.read("Throwaway:b_"),
        "choices": "Throwaway" in said(lambda: ah.groups.read("nothing")),
        "words": "similarities by g11" in said(lambda: group_lines("Throwaway")),
        "table": "`Throwaway`" in part("groups"),
        "reference": "anholonomy.groups.Throwaway" in part("reference-groups"),
    },
    "backend": {
        "export": len(equations.function("throwaway")(0.0, [0.0, 0.0, 1.0])) == 3,
        "choices": "throwaway" in said(lambda: equations.function("nothing")),
        "table": "| `throwaway` |" in part("backends"),
    },
    "integrator": {
        "simulation": made.simulate(start, until=1, integrator="throwaway").data.attrs["integrator"] == "throwaway",
        "choices": "throwaway" in said(lambda: made.simulate(start, until=1, integrator="nothing")),
        "command line": "throwaway" in cli("simulate", "--help"),
        "table": "| `throwaway` |" in part("integrators"),
    },
    "discrete method": {
        "motion": made.simulate(start, until=1, step=0.1, integrator="throwaway-step").data.attrs["integrator"] == "throwaway-step",
        "choices": "throwaway-step" in said(lambda: made.simulate(start, until=1, step=0.1, integrator="nothing")),
        "table": "| `throwaway-step` |" in part("discrete"),
    },
    "entry": {
        "public": "throwaway" in ah.catalogue.__all__,
        "command line": "throw-away" in cli("show", "throwaway"),
        "page": "throwaway" in living_tables.ENTRIES,
        "reference": "anholonomy.catalogue.throwaway" in part("reference-catalogue"),
    },
    "verb": {
        "runs": cli("throwaway-verb", "skate", "--fibre", "x", "--rounds", "3") == "skate: ['x'] 3 60.0\\n",
        "help": "Print what was typed." in cli("--help") and "--fibre COORDINATE" in cli("throwaway-verb", "--help"),
        "table": "`anholonomy throwaway-verb" in part("commands"),
    },
    "command": {
        "runs": cli("throwaway") == "thrown away\\n",
        "help": "throwaway" in cli("--help"),
        "table": "`anholonomy throwaway`" in part("commands"),
    },
}))
'''  # fmt: skip

LAWS = {
    "equations/principles": "tests/properties/test_signs_matter.py",
    "geometry/connections": "tests/properties/test_connections.py",
    "geometry/groups": "tests/geometry/test_groups.py",
    "programs/backends": "tests/programs/test_backends.py",
    "motion/integrators": "tests/motion/test_units.py",
    "motion/discrete": "tests/verification/test_discrete.py",
    "catalogue/particles": "tests/catalogue/test_catalogue.py",
    "cli/commands": "tests/cli/test_commands.py",
}
"""A file of laws that each plural has."""


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package with one more file and one more line for each plural."""
    source = tmp_path_factory.mktemp("copied")
    package = source / "anholonomy"
    # Compiled code comes along, so that nothing is compiled again.
    shutil.copytree(Path(anholonomy.__file__).parent, package)
    for room, text in MEMBERS.items():
        (package / room / "throwaway.py").write_text(
            f'"""Thrown away."""\n\nfrom __future__ import annotations\n{text}'
        )
        listed = package / room / "__init__.py"
        line = f"from anholonomy.{room.replace('/', '.')}.throwaway import *\n"
        listed.write_text(LAST.sub(rf"\g<1>{line}", listed.read_text("utf-8"), count=1), encoding="utf-8")
    system = package / "public" / "system.py"
    system.write_text(system.read_text("utf-8").replace(VERB_BEFORE, f"{VERB}\n{VERB_BEFORE}", 1), encoding="utf-8")
    return source


def python(source: Path, *words: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "PYTHONPATH": f"{source}{os.pathsep}{ROOT}", "MYPYPATH": str(source), "COLUMNS": "400"}
    return subprocess.run([sys.executable, *words], cwd=ROOT, env=env, capture_output=True, text=True)


@pytest.mark.exhaustive
def test_a_new_member_is_seen_wherever_members_are(copied: Path) -> None:
    done = python(copied, "-W", "ignore", "-c", SEEN)
    assert done.returncode == 0, done.stderr
    seen = json.loads(done.stdout.splitlines()[-1])
    missed = [f"{plural}: {where}" for plural, places in seen.items() for where, found in places.items() if not found]
    assert len(seen) == len(MEMBERS) + 1
    assert not missed


@pytest.mark.exhaustive
def test_the_laws_try_a_new_member(copied: Path) -> None:
    """And it obeys them, being an old one under another name."""
    plain = ["-o", "addopts=--import-mode=importlib -p no:cacheprovider", "-m", "not exhaustive"]
    done = python(copied, "-m", "pytest", *plain, "-q", "-rA", "-k", "throwaway", *LAWS.values())
    assert done.returncode == 0, done.stdout[-3000:]
    passed = re.findall(r"^PASSED (\S+?)::", done.stdout, re.MULTILINE)
    assert set(passed) == set(LAWS.values())


@pytest.mark.exhaustive
def test_type_checkers_see_a_new_member(copied: Path) -> None:
    pytest.importorskip("mypy")
    doors = {
        "principles": "ThrowawayPrinciple",
        "connections": "ThrowawayConnection, throwaway_connection",
        "groups": "Throwaway, Nothing",
        "catalogue": "throwaway",
    }
    (copied / "user.py").write_text(
        "".join(f"from anholonomy.{door} import {names}\n" for door, names in doors.items())
    )
    done = python(
        copied, "-m", "mypy", "--config-file=", "--ignore-missing-imports", "--no-incremental", str(copied / "user.py")
    )
    ours = [line for line in done.stdout.splitlines() if "user.py" in line]
    assert len(ours) == 1
    assert "Nothing" in ours[0]
