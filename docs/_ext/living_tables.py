"""Pages, and tables that pages include, which the package writes about itself at every build, so that they cannot go stale."""

from __future__ import annotations

import inspect
import runpy
import sys
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anholonomy as ah
from anholonomy.base.former_names import NAMES, RENAMED
from anholonomy.catalogue import ENTRIES, Entry
from anholonomy.geometry import connections, groups
from anholonomy.geometry.connections.base import Promise
from anholonomy.language.writing import brief
from anholonomy.motion.discrete import METHODS
from anholonomy.motion.integrators import INTEGRATORS
from anholonomy.programs.backends import BACKENDS

if TYPE_CHECKING:
    from sphinx.application import Sphinx


def coverage_page() -> str:
    """Which principle covers which kind of constraint."""
    return f"""# Coverage

Which principle covers which kind of constraint. The table is made from the flags by which each principle decides
whether it accepts a system, so it says what the software does.

{ah.principles.coverage()}

linear
: homogeneous and linear in the velocities

affine
: linear with an inhomogeneous part

time-dependent
: explicit time in a coefficient or in the inhomogeneous part

nonlinear
: nonlinear in the velocities; ideal in the sense of Chetaev

position
: declared on positions alone; acts through its time derivative

A principle that does not cover a system refuses it with {{class}}`anholonomy.errors.NotSupportedError` and names one that does.
"""


def catalogue_page() -> str:
    """The classical systems, as they are declared."""
    head = [
        "# Catalogue",
        "Classical systems, each declared exactly as a user would, with a start worth watching, facts that the tests "
        "check, and what literature claims of integrals, measures and multipliers, which the questions of the system must find "
        "unaided ({doc}`/scoreboard`). In Python, `ah.catalogue.ENTRIES[key].make()` or the function named below; at the command line, the key.",
    ]
    return "\n\n".join([*head, *map(_entry, ENTRIES.values())]) + "\n"


def _entry(entry: Entry) -> str:
    system = entry.make()
    shown = [("Lagrangian", brief(system.lagrangian))]
    shown += [(f"constraint {c.label} ({_kinds(c.kind)})", f"{brief(c.declared)} = 0") for c in system.constraints]
    shown.append(("parameters", ", ".join(f"{p} = {v}" for p, v in system.parameters.items())))
    shown.append(("start", ", ".join(f"{name} = {value:g}" for name, value in entry.start.items())))
    shown.append(("until", f"t = {entry.until:g}"))
    summary = (entry.make.__doc__ or "").strip().splitlines()[0].replace("``", "`")
    blocks = [
        f"## {system.name}",
        f"`{entry.key}` · {{func}}`anholonomy.catalogue.{entry.make.__name__}`",
        summary,
        "\n".join(f"- {what}: `{text}`" for what, text in shown),
        "Facts:",
        "\n".join(f"- {_literal(fact)}" for fact in entry.facts),
        "Literature claims:",
        "\n".join(f"- {_literal(line)}" for line in entry.claims.lines()),
        "References:",
        "\n".join(f"- {_literal(reference)}" for reference in entry.references),
    ]
    return "\n\n".join(blocks)


def _kinds(kind: Any) -> str:
    return ", ".join(each.label for each in kind)


def _literal(text: str) -> str:
    """Text in which Markdown must see nothing but text."""
    return "".join("\\" + c if c in "\\`*_{}[]<>$|#^" else c for c in text)


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table in Markdown."""
    lines = [head, ["---"] * len(head), *([cell.replace("|", "\\|") for cell in row] for row in rows)]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines) + "\n"


def commands_table() -> str:
    """Every command with its arguments and options."""
    from typer.main import get_command

    from anholonomy.cli.commands import COMMANDS, OTHER_NAMES, summary_of
    from anholonomy.cli.main import app

    group: Any = get_command(app)
    usage = {
        name: " ".join(["anholonomy", name, *map(_option, group.get_command(None, name).params)]) for name in COMMANDS
    }
    others = {name: f" Also called `{other}`." for other, name in OTHER_NAMES.items()}
    return table(
        ["command", "does"], ([f"`{usage[name]}`", summary_of(name) + others.get(name, "")] for name in COMMANDS)
    )


def _option(option: Any) -> str:
    if option.param_type_name == "argument":
        return str(option.metavar)
    text = option.opts[0] if option.is_flag else f"{option.opts[0]} {option.metavar or option.name.upper()}"
    text += " …" if option.multiple else ""
    return text if option.required else f"[{text}]"


def _summary(documented: Any) -> str:
    return (documented.__doc__ or "").strip().splitlines()[0].replace("``", "`")


def integrators_table() -> str:
    """Every integrator, how it works and when it is chosen."""
    rows = ([f"`{name}`", kind.title, kind.chosen] for name, kind in INTEGRATORS.items())
    return table(["name", "method", "chosen when"], rows)


def discrete_table() -> str:
    """Every discrete method, what it keeps and what not."""
    rows = ([f"`{name}`", kind.title, kind.keeps, kind.loses, kind.reference] for name, kind in METHODS.items())
    return table(["name", "method", "keeps", "loses", "source"], rows)


def backends_table() -> str:
    """Every backend, and what it understands."""
    mark = {True: "✓", False: ""}
    rows = (
        [f"`{name}`", _summary(each), mark[each.handles_solves], mark[each.handles_least_squares]]
        for name, each in BACKENDS.items()
    )
    return table(["name", "gives", "linear systems", "least squares"], rows)


def connections_table() -> str:
    """Every kind of connection and what it promises."""
    rows = (
        [
            f"{{class}}`anholonomy.connections.{kind.__name__}`",
            *("✓" if promise in kind.promises else "" for promise in Promise),
        ]
        for kind in connections.CONNECTIONS
    )
    return table(["connection", *(promise.value for promise in Promise)], rows)


def groups_table() -> str:
    """Every kind of group by its examples."""
    return table(["class", "in a text", "coordinates", "speeds", "names"], map(_group, groups.GROUPS))


def _group(kind: type[ah.groups.AbstractGroup]) -> list[str]:
    group = ah.groups.read(kind.examples[0])
    symbols = [[s.name for s in each] for each in (group.coordinates, group.speeds)]
    written = ", ".join(f"`{text}`" for text in kind.examples)
    return [f"{{class}}`anholonomy.groups.{kind.__name__}`", written, *map(_short, [*symbols, list(group.named)])]


def _short(names: list[str]) -> str:
    shown = names if len(names) <= 4 else [names[0], "…", names[-1]]
    return f"`{', '.join(shown)}`" if names else ""


def mutants_table() -> str:
    """How many terms the laws change."""
    sys.path.insert(0, str(Path(__file__).parents[2]))
    from tests.properties.mutation import table as counted

    return counted() + "\n"


DOORS = ("bodies", "groups", "geometry", "connections", "principles", "errors", "answers", "testing", "catalogue")
"""The modules of public names, in the order of the reference."""

_MEMBERS = {
    "AbstractPrinciple": "name, title, handles, covers, derive",
    "EquationsOfMotion": "state, rates, explicit, tidied, sympy, at, accelerations, reactions, latex",
    "Frame": "chart, change",
    "FlipTest": "is_integrable",
}
"""Of some classes, what the reference shows; of the others all that is public."""

_PLAIN = {"bodies", "errors", "testing", "catalogue"}
"""Doors whose classes have no methods for users."""


def door_names(door: str) -> list[str]:
    """The public names of a door, without those that have another name there."""
    module = getattr(ah, door)
    names = getattr(module, "__all__", None) or [name for name in vars(module) if not name.startswith("_")]
    here = [name for name in names if not inspect.ismodule(getattr(module, name))]
    return [name for name in here if RENAMED.get(name, "").partition(".")[0] != door]


def reference(door: str) -> str:
    """What a door brings, as entries of the reference; members of a plural do not show what the base class has."""
    module, lines = getattr(ah, door), ["```{eval-rst}"]
    bases = (ah.principles.AbstractPrinciple, ah.connections.AbstractConnection, ah.groups.AbstractGroup)
    for name in door_names(door):
        value, place = getattr(module, name), f"anholonomy.{door}.{name}"
        if not inspect.isclass(value):
            lines.append(f".. autofunction:: {place}" if callable(value) else f".. autodata:: {place}")
            lines += ["   :no-value:"] * (not callable(value))
        elif issubclass(value, Exception):
            lines.append(f".. autoexception:: {place}")
        else:
            lines.append(f".. autoclass:: {place}" + "()" * (door == "answers"))
            is_member = any(issubclass(value, base) and value is not base for base in bases)
            if not (is_member or door in _PLAIN):
                lines.append(f"   :members: {_MEMBERS.get(name, '')}".rstrip())
            lines += ["   :no-index:"] * (value.__name__ != name)
    return "\n".join([*lines, "```", ""])


def names_tables() -> str:
    """Old names and where they are now, from the list by which the package answers for them."""
    parts = []
    for kind, names in NAMES.items():
        rows = ([f"`.{old}`", _now(new)] for old, new in sorted(names.items()))
        parts.append(f"## {kind}\n\n" + table(["old", "now"], rows))
    places = set(RENAMED.values())
    moved = {**RENAMED}
    for door in ("bodies", "groups", "geometry", "connections", "principles", "errors", "answers"):
        same = (name for name in door_names(door) if f"{door}.{name}" not in places and name not in dir(ah))
        moved |= {name.removesuffix("Warning"): f"{door}.{name}" for name in same}
    rows = ([f"`ah.{old}`", f"`ah.{new}`"] for old, new in sorted(moved.items(), key=lambda pair: pair[1]))
    parts.append("## The package\n\n" + table(["old", "now"], rows))
    return "\n".join(parts)


def _now(place: str) -> str:
    return f"`ah.{place.removeprefix('anholonomy.')}`" if place.startswith("anholonomy.") else f"`.{place}`"


PAGES = {
    "coverage.md": coverage_page,
    "catalogue.md": catalogue_page,
    "parts/commands.md": commands_table,
    "parts/integrators.md": integrators_table,
    "parts/discrete.md": discrete_table,
    "parts/backends.md": backends_table,
    "parts/connections.md": connections_table,
    "parts/groups.md": groups_table,
    "parts/mutants.md": mutants_table,
    "parts/names.md": names_tables,
    **{f"parts/reference-{door}.md": partial(reference, door) for door in DOORS},
}
"""What is written into ``generated``; the parts are included by pages."""


def write_pages(app: Sphinx) -> None:
    drawing = runpy.run_path(str(Path(app.srcdir) / "pictures" / "architecture.py"))["drawing"]
    (Path(app.srcdir) / "_static" / "architecture.svg").write_text(drawing(), encoding="utf-8")
    folder = Path(app.srcdir) / "generated"
    (folder / "parts").mkdir(parents=True, exist_ok=True)
    for name, page in PAGES.items():
        path, text = folder / name, page()
        # An unchanged file keeps its date, so that Sphinx need not read it again.
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("builder-inited", write_pages)
    return {"parallel_read_safe": True}
