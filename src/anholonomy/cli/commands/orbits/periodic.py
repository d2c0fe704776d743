"""``anholonomy periodic``: the closed orbit near a motion."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from anholonomy.cli.options import Given, Set, Start, Target, Until

__all__ = ["periodic"]

Period = Annotated[
    str | None, typer.Option("--period", metavar="TIME", help="Its period, or about; found where it is left out.")
]
Plot = Annotated[
    Path | None, typer.Option("--plot", metavar="FILE", help="The orbit and its multipliers: .png, .pdf, .svg.")
]
Output = Annotated[
    Path | None, typer.Option("--output", "-o", metavar="FILE", help="A file for the motion over a period: .nc, .csv.")
]


def periodic(
    target: Target,
    until: Until = None,
    period: Period = None,
    parameters: Set = None,
    start: Start = None,
    given: Given = None,
    plot: Plot = None,
    output: Output = None,
) -> None:
    """Find the closed orbit, up to symmetry, near the motion from the start, and print its period and multipliers.

    \b
    Examples:
      anholonomy periodic leaning-disc --until 5
      anholonomy periodic oscillator.toml --start x=2 --start "x'=0" --until 20 --plot orbit.png
    """
    from anholonomy.cli.outputs import check_motion, check_picture
    from anholonomy.cli.run import run
    from anholonomy.cli.target import find
    from anholonomy.cli.values import number, starts
    from anholonomy.show.pictures import save_picture

    if plot is not None:
        check_picture(plot)
    if output is not None:
        check_motion(output)
    study = find(target).with_values(parameters, start)
    lasts = None if period is None else number(period, "--period")
    motion = run(study, until)
    orbit = study.system.periodic(motion, lasts, starts(given or (), "--given"))
    print(orbit)
    print("  through " + ", ".join(f"{name} = {value:.9g}" for name, value in orbit.start.items()))
    if plot is not None:
        save_picture(orbit.plot(), plot)
        print(f"the picture is in {plot}")
    if output is not None:
        orbit.run.save(output)
        print(f"the motion is in {output}")
