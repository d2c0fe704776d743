"""``anholonomy stability``: a family of steady motions and where its stability changes."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from anholonomy.cli.options import Given, Near, Picture, Set, SolveFor, Target

__all__ = ["stability"]

Over = Annotated[
    tuple[str, str, str],
    typer.Option("--over", metavar="NAME FROM TO", help="What to follow: a coordinate, a velocity or a parameter."),
]
Points = Annotated[int, typer.Option("--points", min=2, max=100_000, help="How many steady motions to look at.")]
Output = Annotated[
    Path | None, typer.Option("--output", "-o", metavar="FILE", help="A netCDF file for states and eigenvalues.")
]


def stability(
    target: Target,
    over: Over,
    given: Given = None,
    start: Near = None,
    solve_for: SolveFor = None,
    parameters: Set = None,
    points: Points = 200,
    plot: Picture = None,
    output: Output = None,
) -> None:
    """Follow a family of steady motions and print where its stability changes, and how.

    \b
    Examples:
      anholonomy stability whipple-bicycle --over "x'" 0 10 --plot eigenvalues.png
      anholonomy stability leaning-disc --over "phi'" 1 9
    """
    from anholonomy.cli.output import check_outputs, leave_numbers, leave_picture
    from anholonomy.cli.target import find
    from anholonomy.cli.values import number, starts

    name, low, high = over[0], number(over[1], "--over"), number(over[2], "--over")
    check_outputs(numbers=output, picture=plot)
    system = find(target).with_values(parameters, None).system
    held, velocities = starts(given or (), "--given"), {w.name for w in (*system.coordinates, *system.velocities)}
    if name in velocities:
        held.setdefault(name, repr((low + high) / 2))
    near = starts(start or ()) or None
    branch = system.stability.steady_motion(held, near=near, inputs=solve_for or ()).follow(name, low, high, points)
    print(branch)
    leave_picture(branch.plot, plot)
    leave_numbers(branch.data, output, "states and eigenvalues")
