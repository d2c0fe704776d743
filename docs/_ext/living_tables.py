"""Pages that the package writes about itself at every build, so that they cannot go stale."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

import anholonomy as ah
from anholonomy.catalogue import ENTRIES, Entry
from anholonomy.language.brevity import brief


def coverage_page() -> str:
    """Which principle covers which kind of constraint."""
    return f"""# Coverage

Which principle covers which kind of constraint. The table is made from the flags by which each principle decides
whether it accepts a system, so it says what the software does.

{ah.coverage()}

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

A principle that does not cover a system refuses it with {{class}}`anholonomy.NotCovered` and names one that does.
"""


def catalogue_page() -> str:
    """The classical systems, as they are declared."""
    head = [
        "# Catalogue",
        "Classical systems, each declared exactly as a user would, with a start worth watching and facts that the tests "
        "check. In Python, `ah.catalogue.ENTRIES[key].make()` or the function named below; at the command line, the key.",
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
        "References:",
        "\n".join(f"- {_literal(reference)}" for reference in entry.references),
    ]
    return "\n\n".join(blocks)


def _kinds(kind: Any) -> str:
    return ", ".join(each.label for each in kind)


def _literal(text: str) -> str:
    """Text in which Markdown must see nothing but text."""
    return "".join("\\" + c if c in "\\`*_{}[]<>$|#^" else c for c in text)


PAGES = {"coverage.md": coverage_page, "catalogue.md": catalogue_page}


def write_pages(app: Sphinx) -> None:
    folder = Path(app.srcdir) / "generated"
    folder.mkdir(exist_ok=True)
    for name, page in PAGES.items():
        path, text = folder / name, page()
        # An unchanged file keeps its date, so that Sphinx need not read it again.
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("builder-inited", write_pages)
    return {"parallel_read_safe": True}
