"""``anholonomy fit``: parameters and starts from a table of measurements."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from anholonomy.cli.options import MotionFile, Picture, Set, Start, Target

__all__ = ["fit"]

Data = Annotated[
    Path,
    typer.Argument(
        metavar="DATA", help="A CSV table: `time` and what was measured, such as x, theta' or x*cos(theta), by name."
    ),
]
Unknown = Annotated[
    list[str],
    typer.Option(
        "--unknown", metavar="NAME,…", help="Parameters, coordinates and velocities at the start; repeatable."
    ),
]
Observed = Annotated[
    list[str] | None, typer.Option("--observed", metavar="NAME,…", help="The columns to use; all of them otherwise.")
]
Sigma = Annotated[
    list[str] | None,
    typer.Option(
        "--sigma", metavar="[NAME=]VALUE", help="The error of the measurements, or of one column; repeatable."
    ),
]
Bound = Annotated[
    list[str] | None,
    typer.Option("--bound", metavar="NAME=LOW,HIGH", help="Bounds of an unknown, such as m=0,; repeatable."),
]
Modulo = Annotated[
    list[str] | None,
    typer.Option("--modulo", metavar="NAME,…", help="Angles that were measured but for full turns; repeatable."),
]


def fit(
    target: Target,
    data: Data,
    unknown: Unknown,
    start: Start = None,
    parameters: Set = None,
    observed: Observed = None,
    sigma: Sigma = None,
    bound: Bound = None,
    modulo: Modulo = None,
    plot: Picture = None,
    output: MotionFile = None,
) -> None:
    """Find parameters and starts that fit measured data best, with their errors and what the data leave open.

    The start is that of the motion at the first time of the data; it and the values of --set are guesses for what is unknown.

    \b
    Examples:
      anholonomy fit chaplygin-sleigh data.csv --unknown a,m --start "theta'=0.4"
      anholonomy fit my-robot.toml data.csv --unknown "I,x'" --sigma 0.01 --bound I=0, --plot fit.png
    """
    from anholonomy.cli.output import check_outputs, leave_motion, leave_picture
    from anholonomy.cli.target import find
    from anholonomy.cli.values import assignments, bounds_of, number, parts

    check_outputs(motion=output, picture=plot)
    study = find(target).with_values(parameters, start)
    alone = [text for text in sigma or () if "=" not in text]
    errors = assignments([text for text in sigma or () if "=" in text], "--sigma")
    limits = {
        name: (None if low is None else number(low, "--bound"), None if high is None else number(high, "--bound"))
        for name, (low, high) in bounds_of(bound or ()).items()
    }
    found = study.system.fit(
        data,
        parts(unknown),
        study.start or None,
        observed=parts(observed) if observed else None,
        sigma=number(alone[0], "--sigma") if alone else errors or None,
        bounds=limits or None,
        modulo=parts(modulo or ()),
    )
    leave_motion(found.run, output)
    print(found)
    leave_picture(found.plot, plot)
