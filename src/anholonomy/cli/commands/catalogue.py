"""``anholonomy list``, ``show`` and ``geometry``: the catalogue, a declaration and its geometry."""

from __future__ import annotations

import typer

from anholonomy.cli.options import All, Set, Target

__all__ = ["geometry", "list_", "show"]


def list_() -> None:
    """List the systems of the catalogue.

    \b
    Examples:
      anholonomy list
    """
    from anholonomy.catalogue import ENTRIES
    from anholonomy.cli.output import print_table

    rows = []
    for key, entry in ENTRIES.items():
        system = entry.make()
        coordinates = ", ".join(q.name for q in system.coordinates)
        kinds = ", ".join(kind.label for kind in system.model.kinds)
        count = len(system.constraints)
        rows.append((key, system.name, coordinates, f"{count} {kinds}" if count else "none"))
    print_table(("key", "name", "coordinates", "constraints"), rows)


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


_LEFT_OUT_OF_GEOMETRY = (
    "  left out: what is longer than a paragraph; `anholonomy geometry {} --all` prints it, in Python `text(whole=True)` of "
    "`system.geometry.distribution` and of its answers"
)


def geometry(target: Target, parameters: Set = None, whole: All = False) -> None:
    """Print the admissible directions, how they grow, whether the constraints are integrable, and the torsion.

    The answer on integrability comes with its certificate: the functions that are constant on the leaves, or a
    bracket that leaves the distribution.

    \b
    Examples:
      anholonomy geometry rolling-disk
      anholonomy geometry n-trailer:3
      anholonomy geometry my-robot.toml
      anholonomy geometry whipple-bicycle --all
    """
    from anholonomy.cli.target import find
    from anholonomy.language.writing import leaves_out
    from anholonomy.show.text.geometry import geometry_lines

    system = find(target).with_values(parameters, None).system
    if system.constraints:
        system.geometry.distribution  # noqa: B018 - refuses what geometry cannot answer
    lines = list(geometry_lines(system.model, whole))
    for line in lines:
        typer.echo(line)
    if any(map(leaves_out, lines)):
        typer.echo(_LEFT_OUT_OF_GEOMETRY.format(target))
