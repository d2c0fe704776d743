"""``anholonomy section``: the states of a motion where a condition is met."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from anholonomy.cli.options import Picture, Set, Start, Target, Tolerance, Until

__all__ = ["section"]

Of = Annotated[str, typer.Option("--of", metavar="CONDITION", help='Where to cut, such as "theta = 0".')]
Direction = Annotated[
    int, typer.Option("--direction", metavar="1|-1|0", help="1: where the left side rises beyond the right, -1: falls.")
]
Axes = Annotated[
    tuple[str, str] | None,
    typer.Option("--axes", metavar="X Y", help="The two variables to draw; by default the first that vary."),
]
Output = Annotated[Path | None, typer.Option("--output", "-o", metavar="FILE", help="A netCDF file for the crossings.")]


def section(
    target: Target,
    of: Of,
    until: Until = None,
    parameters: Set = None,
    start: Start = None,
    direction: Direction = 0,
    axes: Axes = None,
    tolerance: Tolerance = None,
    plot: Picture = None,
    output: Output = None,
) -> None:
    """Cut a motion by a condition: its Poincaré section, each crossing located to rounding.

    \b
    Examples:
      anholonomy section leaning-disc --of "theta' = 0" --until 20
      anholonomy section double.toml --of "a = 0" --direction 1 --until 500 --plot points.png -o points.nc
    """
    from anholonomy.cli.motion import run
    from anholonomy.cli.output import check_outputs, leave_numbers, leave_picture
    from anholonomy.cli.target import find

    check_outputs(numbers=output, picture=plot)
    motion = run(find(target).with_values(parameters, start), until, tolerance=tolerance)
    found = motion.section(of, direction)
    print(found)
    if len(found):
        x, y = axes or (None, None)
        leave_picture(lambda path: found.plot(x, y, path), plot)
    leave_numbers(found.data, output, "crossings")
