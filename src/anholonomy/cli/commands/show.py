"""``anholonomy show``: what a system declares."""

from __future__ import annotations

from anholonomy.cli.options import All, Target

__all__ = ["show"]


_LEFT_OUT = (
    "expressions longer than a paragraph; `anholonomy show {} --all` prints them, in Python `system.lagrangian`, "
    "`system.constraints` and `system.span_ba` hold them"
)


def show(target: Target, whole: All = False) -> None:
    """Show what a system declares: coordinates, Lagrangian, constraints, parameters, and what is known about it.

    \b
    Examples:
      anholonomy show chaplygin-sleigh
      anholonomy show my-robot.toml
      anholonomy show whipple-bicycle --all
    """
    from anholonomy.cli.output import print_sections
    from anholonomy.cli.target import find
    from anholonomy.show.text.declaration import is_shortened, sections, start_text

    study = find(target)
    found = sections(study.system.model, whole)
    more = {
        "facts": list(study.facts),
        "claims of the literature": [] if study.claims is None else study.claims.lines(),
        "references": list(study.references),
        "default start": start_text(study.start),
        "default end": [] if study.until is None else [f"t = {study.until:g}"],
        "left out": [] if whole or not is_shortened(study.system.model) else [_LEFT_OUT.format(target)],
    }
    print_sections(study.system.name, {**found, **{heading: lines for heading, lines in more.items() if lines}})
