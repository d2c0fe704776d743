"""``anholonomy periodic``: the closed orbit near a motion."""

from __future__ import annotations

from typing import Annotated

import typer

from anholonomy.cli.options import Given, MotionFile, Picture, Set, Start, Target, Until

__all__ = ["periodic"]

Period = Annotated[
    str | None, typer.Option("--period", metavar="TIME", help="Its period, or about; found where it is left out.")
]


def periodic(
    target: Target,
    until: Until = None,
    period: Period = None,
    parameters: Set = None,
    start: Start = None,
    given: Given = None,
    plot: Picture = None,
    output: MotionFile = None,
) -> None:
    """Find the closed orbit, up to symmetry, near the motion from the start, and print its period and multipliers.

    \b
    Examples:
      anholonomy periodic leaning-disc --until 5
      anholonomy periodic oscillator.toml --start x=2 --start "x'=0" --until 20 --plot orbit.png
    """
    from anholonomy.cli.motion import run
    from anholonomy.cli.output import check_outputs, leave_motion, leave_picture
    from anholonomy.cli.target import find
    from anholonomy.cli.values import number, starts

    check_outputs(motion=output, picture=plot)
    study = find(target).with_values(parameters, start)
    lasts = None if period is None else number(period, "--period")
    motion = run(study, until)
    orbit = study.system.stability.periodic_orbit(motion, lasts, starts(given or (), "--given"))
    leave_motion(orbit.run, output)
    print(orbit)
    print("  through " + ", ".join(f"{name} = {value:.9g}" for name, value in orbit.start.items()))
    leave_picture(orbit.plot, plot)
