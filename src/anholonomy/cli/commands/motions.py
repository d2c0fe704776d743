"""``anholonomy simulate``, ``discrete`` and ``animate``: a motion, simulated or continued from a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from anholonomy.base.errors import IntegrationError
from anholonomy.cli.options import (
    Input,
    MotionFile,
    Picture,
    Project,
    Set,
    Source,
    Speed,
    Start,
    Target,
    Tolerance,
    Until,
)
from anholonomy.cli.values import named_texts, number, numbers, speeds_of

if TYPE_CHECKING:
    from anholonomy.cli.target import Study
    from anholonomy.public.motion import Motion

__all__ = ["animate", "discrete", "simulate"]

Times = Annotated[
    str | None,
    typer.Option("--times", metavar="T,T,…", help="The times to report, such as 0,1,2.5, instead of --until."),
]
By = Annotated[
    str | None, typer.Option("--by", metavar="PRINCIPLE", help="The principle whose equations to integrate.")
]
Integrator = Annotated[
    str | None, typer.Option("--integrator", metavar="METHOD", help="{integrators}; chosen where none is named.")
]
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


Method = Annotated[str, typer.Option("--method", metavar="METHOD", help="{methods}.")]
Step = Annotated[str, typer.Option("--step", metavar="TIME", help="The length of a step.")]
Every = Annotated[int, typer.Option("--every", min=1, help="Report every so many steps.")]


def discrete(
    target: Target,
    method: Method,
    step: Step,
    until: Until = None,
    every: Every = 1,
    parameters: Set = None,
    start: Start = None,
    output: MotionFile = None,
    plot: Picture = None,
) -> None:
    """Step a motion by a method of discrete mechanics that keeps something, and print what it kept.

    \b
    Examples:
      anholonomy discrete nonholonomic-oscillator --method dla-midpoint --step 0.05
      anholonomy discrete chaplygin-sleigh --method energy --step 0.1 --until 100 -o run.nc
    """
    from anholonomy.cli.output import check_outputs, leave_picture, tell_motion
    from anholonomy.cli.target import find
    from anholonomy.motion.discrete.motion import method_called

    check_outputs(motion=output, picture=plot)
    study = find(target).with_values(parameters, start)
    study.refuse_without_start()
    end = study.until if until is None else number(until, "--until")
    motion = study.system.simulate(study.start, end, integrator=method, step=number(step, "--step"), every=every)
    tell_motion(motion, output)
    print(f"{method_called(method).name} keeps {method_called(method).keeps}")
    leave_picture(motion.plot, plot)
    raise typer.Exit(exit_code(motion))


Film = Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="The film: .html, .gif or .mp4.")]
Playback = Annotated[
    str | None, typer.Option("--playback", metavar="RATE", help="How much of the motion's time passes in a second.")
]
Frames = Annotated[int | None, typer.Option("--frames", metavar="N", help="How many frames, evenly spaced in time.")]
Follow = Annotated[bool | None, typer.Option("--follow/--still", help="Whether the camera goes along with the body.")]


def animate(
    target: Source,
    output: Film,
    until: Until = None,
    parameters: Set = None,
    start: Start = None,
    playback: Playback = None,
    frames: Frames = None,
    follow: Follow = None,
) -> None:
    """Integrate a motion, or take a saved one, and write it as a film.

    A page (.html) opens offline in any browser: drag to turn the view, drag time, zoom with the wheel.

    \b
    Examples:
      anholonomy animate chaplygin-sleigh --output sleigh.html
      anholonomy animate n-trailer:4 --until 20 -o train.gif
      anholonomy animate run.nc -o run.html
    """
    from anholonomy.base.files import place_for
    from anholonomy.show.animation.animate import check_kind

    place_for(check_kind(output))
    motion = _motion(target, until, parameters, start)
    rate = None if playback is None else number(playback, "--playback")
    film = motion.animate(frames=frames, follow=follow, playback=rate)
    count = film.save(output)
    print(f"{film.film.title}: {count} frames written to {output}")
    raise typer.Exit(exit_code(motion))


def _motion(target: str, until: str | None, parameters: list[str] | None, start: list[str] | None) -> Motion:
    from anholonomy.cli.target import find

    if Path(target).suffix.lower() != ".nc":
        return run(find(target).with_values(parameters, start), until)
    if until is not None or parameters or start:
        raise IntegrationError(
            f"{target} holds a motion that is computed already; leave out --until, --set and --start."
        )
    return saved_motion(target)


# The motion itself.


def run(
    study: Study,
    until: str | None,
    times: str | None = None,
    *,
    by: str | None = None,
    speed: Sequence[str] | None = None,
    tolerance: str | None = None,
    integrator: str | None = None,
    project: bool = False,
    events: Sequence[str] | None = None,
    stop: Sequence[str] | None = None,
    max_step: str | None = None,
    breaks: str | None = None,
    inputs: Sequence[str] | None = None,
) -> Motion:
    """Integrate; an interrupted motion comes back as far as it went."""
    from anholonomy.base.tolerances import MACHINE

    study.refuse_without_start()
    if until is not None and times is not None:
        raise IntegrationError("--until and --times both say when the motion ends; give one of them.")
    grid = numbers(times, "--times") if times is not None else None
    end = grid[-1] if grid else number(until, "--until") if until is not None else study.until
    if end is None:
        raise IntegrationError(f"{study.system.name}: give --until or --times, to say how long the motion lasts.")
    system, speeds = study.system, speeds_of(speed)
    simulate = partial(system.simulate, by=by) if speeds is None else system.derive(by, speeds=speeds).simulate
    return simulate(
        study.start,
        None if grid else end,
        grid,
        tolerance=MACHINE if tolerance is None else number(tolerance, "--tolerance"),
        integrator=integrator,
        project=project,
        events=named_texts(events or (), "--event"),
        stop=tuple(stop or ()),
        max_step=None if max_step is None else number(max_step, "--max-step"),
        breaks=() if breaks is None else numbers(breaks, "--breaks"),
        inputs=named_texts(inputs, "--input") if inputs else None,
    )


def saved_motion(file: str) -> Motion:
    """The motion in a file."""
    from anholonomy.base.errors import FileError
    from anholonomy.public.files import load
    from anholonomy.public.motion import Motion

    found = load(file)
    if not isinstance(found, Motion):
        raise FileError(f"{file} holds no motion; give a file that a motion was saved to.")
    return found


def go_on(
    file: str,
    until: str | None,
    events: Sequence[str] | None,
    stop: Sequence[str] | None,
    others: Mapping[str, object],
) -> Motion:
    """Continue the motion in a file; it goes on as it began, so that ``others`` than these options are refused."""
    if given := [f"--{option.replace('_', '-')}" for option, value in others.items() if value]:
        raise IntegrationError(f"{file} holds a motion, which goes on as it began; leave out {', '.join(given)}.")
    if until is None:
        raise IntegrationError(f"{file} holds a motion; give --until, to say how far it goes on.")
    return saved_motion(file).continue_to(
        number(until, "--until"),
        events=named_texts(events, "--event") if events else None,
        stop=tuple(stop) if stop else None,
    )


def exit_code(motion: Motion) -> int:
    """0 for a complete motion, 130 for an interrupted one, 1 for one that ended early by itself."""
    from anholonomy.motion.integrators.base import Outcome

    if motion.is_complete:
        return 0
    return 130 if motion.outcome.startswith(Outcome.INTERRUPTED.value) else 1
