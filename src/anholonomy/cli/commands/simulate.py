"""``anholonomy simulate``: a motion, its summary, its file and its picture."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from anholonomy.cli.options import (
    INTEGRATOR_NAMES,
    Input,
    MotionFile,
    Picture,
    Set,
    Source,
    Speed,
    Start,
    Tolerance,
    Until,
)

if TYPE_CHECKING:
    pass

__all__ = ["simulate"]

Times = Annotated[
    str | None,
    typer.Option("--times", metavar="T,T,…", help="The times to report, such as 0,1,2.5, instead of --until."),
]
By = Annotated[
    str | None, typer.Option("--by", metavar="PRINCIPLE", help="The principle whose equations to integrate.")
]
Integrator = Annotated[
    str | None, typer.Option("--integrator", metavar="METHOD", help=f"{INTEGRATOR_NAMES}; chosen where none is named.")
]
Project = Annotated[bool, typer.Option("--project", help="Move a start that violates the constraints onto them.")]
Event = Annotated[
    list[str] | None,
    typer.Option(
        "--event", metavar="NAME=EXPRESSION", help="Report when the expression passes through zero; repeatable."
    ),
]
StopAt = Annotated[
    list[str] | None, typer.Option("--stop-at", metavar="NAME", help="End the motion at this event; repeatable.")
]
MaxStep = Annotated[str | None, typer.Option("--max-step", metavar="TIME", help="The longest step that may be taken.")]
Breaks = Annotated[
    str | None, typer.Option("--breaks", metavar="T,T,…", help="Times that no step may lead over, such as 0.5,2.")
]
PlotOf = Annotated[
    list[str] | None,
    typer.Option(
        "--plot-of",
        metavar="EXPRESSION",
        help="What the picture shows over time, such as energy; repeatable. Or phase, momenta or reactions, alone.",
    ),
]


def simulate(
    target: Source,
    until: Until = None,
    times: Times = None,
    parameters: Set = None,
    start: Start = None,
    by: By = None,
    speed: Speed = None,
    tolerance: Tolerance = None,
    integrator: Integrator = None,
    project: Project = False,
    event: Event = None,
    stop_at: StopAt = None,
    max_step: MaxStep = None,
    breaks: Breaks = None,
    signal: Input = None,
    output: MotionFile = None,
    plot: Picture = None,
    plot_of: PlotOf = None,
) -> None:
    """Integrate a motion, or go on with a saved one, and print where it ends and how accurate it is.

    The loss of a one-sided constraint, such as a contact, is an event of its own: "height lost".
    A system of the catalogue has a default start, a file may have one ([start]); --start changes it value by value.
    What the constraints determine may be left out.
    Ctrl-C keeps what was computed.
    A motion in a file (.nc) goes on as it began, by its own principle, tolerance, limits and events.

    \b
    Examples:
      anholonomy simulate chaplygin-sleigh --until 20
      anholonomy simulate chaplygin-sleigh --set m=2 --start "theta'=1" -o run.nc --plot run.png
      anholonomy simulate chaplygin-sleigh --plot speed.png --plot-of "theta'" --plot-of "x'*cos(theta)"
      anholonomy simulate chaplygin-sleigh --by kane --speed "v=x'*cos(theta) + y'*sin(theta)" --speed "w=theta'" --plot-of v --plot v.png
      anholonomy simulate n-trailer:3 --event "north=theta0 - pi/2" --stop-at north
      anholonomy simulate marble.toml --start w2=1 --until 5 --stop-at "height lost"
      anholonomy simulate my-robot.toml --start x=0 --start "x'=1" --times 0,1,2.5
      anholonomy simulate run.nc --until 40 -o longer.nc
    """
    from anholonomy.base.errors import IntegrationError
    from anholonomy.cli.motion import exit_code, go_on, run
    from anholonomy.cli.output import check_outputs, leave_picture, tell_motion
    from anholonomy.cli.target import find

    how: dict[str, Any] = {"by": by, "speed": speed, "tolerance": tolerance, "integrator": integrator}
    how |= {"project": project, "max_step": max_step, "breaks": breaks, "inputs": signal}
    begun = Path(target).suffix.lower() == ".nc"
    study = None if begun else find(target).with_values(parameters, start)
    check_outputs(motion=output, picture=plot)
    if plot_of and plot is None:
        raise IntegrationError("--plot-of says what a picture shows; add --plot FILE to say where it goes.")
    if study is None:
        motion = go_on(target, until, event, stop_at, {"times": times, "set": parameters, "start": start, **how})
    else:
        motion = run(study, until, times, events=event, stop=stop_at, **how)
    tell_motion(motion, output)
    leave_picture(lambda path: motion.plot(plot_of, path), plot)
    raise typer.Exit(exit_code(motion))
