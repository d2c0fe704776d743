"""``anholonomy geometry``: the distribution of a system, and what its frame's anholonomy is."""

from __future__ import annotations

import typer

from anholonomy.cli.options import Target

__all__ = ["geometry"]


def geometry(target: Target) -> None:
    """Print the admissible directions, how they grow, whether the constraints are integrable, and the torsion.

    The answer on integrability comes with its certificate: the functions that are constant on the leaves, or a
    bracket that leaves the distribution.

    \b
    Examples:
      anholonomy geometry rolling-disk
      anholonomy geometry n-trailer:3
      anholonomy geometry my-robot.toml
    """
    from anholonomy.cli.target import find
    from anholonomy.show.geometry import geometry_lines

    system = find(target).system
    if system.constraints:
        system.distribution  # noqa: B018 - refuses what geometry cannot answer
    for line in geometry_lines(system):
        typer.echo(line)
