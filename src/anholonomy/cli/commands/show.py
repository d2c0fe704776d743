"""``anholonomy show``: what a system declares."""

from __future__ import annotations

from anholonomy.cli.options import Target

__all__ = ["show"]


def show(target: Target) -> None:
    """Show what a system declares: coordinates, Lagrangian, constraints, parameters, and what is known about it.

    \b
    Examples:
      anholonomy show chaplygin-sleigh
      anholonomy show my-robot.toml
    """
    from anholonomy.cli.printing import print_sections
    from anholonomy.cli.target import find
    from anholonomy.show.declaration import sections, start_text

    study = find(target)
    found = sections(study.system)
    more = {
        "facts": list(study.facts),
        "references": list(study.references),
        "default start": start_text(study.start),
        "default end": [] if study.until is None else [f"t = {study.until:g}"],
    }
    print_sections(study.system.name, {**found, **{heading: lines for heading, lines in more.items() if lines}})
