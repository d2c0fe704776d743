"""``anholonomy discrete``: a motion in equal steps by a method of discrete mechanics."""

from __future__ import annotations

from typing import Annotated

import typer

from anholonomy.cli.options import METHOD_NAMES, MotionFile, Picture, Set, Start, Target, Until

__all__ = ["discrete"]

Method = Annotated[str, typer.Option("--method", metavar="METHOD", help=f"{METHOD_NAMES}.")]
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
    from anholonomy.cli.motion import exit_code
    from anholonomy.cli.output import check_outputs, leave_picture, tell_motion
    from anholonomy.cli.target import find
    from anholonomy.cli.values import number
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
