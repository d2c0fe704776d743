"""``anholonomy geometry``: the distribution of a system, and what its frame's anholonomy is."""

from __future__ import annotations

import typer

from anholonomy.cli.options import All, Target

__all__ = ["geometry"]

_LEFT_OUT = (
    "  left out: what is longer than a paragraph; `anholonomy geometry {} --all` prints it, in Python `text(whole=True)` of "
    "`system.geometry.distribution` and of its answers"
)


def geometry(target: Target, whole: All = False) -> None:
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

    system = find(target).system
    if system.constraints:
        system.geometry.distribution  # noqa: B018 - refuses what geometry cannot answer
    lines = list(geometry_lines(system.model, whole))
    for line in lines:
        typer.echo(line)
    if any(map(leaves_out, lines)):
        typer.echo(_LEFT_OUT.format(target))
