"""``anholonomy section``: the states of a motion where a condition is met."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from anholonomy.cli.options import Set, Start, Target, Until

__all__ = ["section"]

Of = Annotated[str, typer.Option("--of", metavar="CONDITION", help='Where to cut, such as "theta = 0".')]
Direction = Annotated[
    int, typer.Option("--direction", metavar="1|-1|0", help="1: where the left side rises beyond the right, -1: falls.")
]
Axes = Annotated[
    tuple[str, str] | None,
    typer.Option("--axes", metavar="X Y", help="The two variables to draw; by default the first that vary."),
]
Tolerance = Annotated[
    str | None, typer.Option("--tolerance", metavar="SIZE", help="Error allowed in a step; default: rounding.")
]
Plot = Annotated[Path | None, typer.Option("--plot", metavar="FILE", help="A picture of the points: .png, .pdf, .svg.")]
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
    plot: Plot = None,
    output: Output = None,
) -> None:
    """Cut a motion by a condition: its Poincaré section, each crossing located to rounding.

    \b
    Examples:
      anholonomy section leaning-disc --of "theta' = 0" --until 20
      anholonomy section double.toml --of "a = 0" --direction 1 --until 500 --plot points.png -o points.nc
    """
    from anholonomy.cli.outputs import check_picture
    from anholonomy.cli.run import run
    from anholonomy.cli.target import find
    from anholonomy.disk import place_for, write_whole
    from anholonomy.show.pictures import save_picture
    from anholonomy.simulate.trajectories.netcdf import to_netcdf

    if plot is not None:
        check_picture(plot)
    if output is not None:
        place_for(output)
    motion = run(find(target).with_values(parameters, start), until, tolerance=tolerance)
    found = motion.section(of, direction)
    print(found)
    if len(found) and plot is not None:
        save_picture(found.plot(*(axes or ())).figure, plot)
        print(f"the picture is in {plot}")
    if output is not None:
        write_whole(output, to_netcdf(found.data))
        print(f"the crossings are in {output}")
