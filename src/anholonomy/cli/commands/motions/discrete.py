"""``anholonomy discrete``: a motion in equal steps by a method of discrete mechanics."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from anholonomy.cli.options import METHOD_NAMES, Set, Start, Target, Until

__all__ = ["discrete"]

Method = Annotated[str, typer.Option("--method", metavar="METHOD", help=f"{METHOD_NAMES}.")]
Step = Annotated[str, typer.Option("--step", metavar="TIME", help="The length of a step.")]
Every = Annotated[int, typer.Option("--every", min=1, help="Report every so many steps.")]
Output = Annotated[
    Path | None, typer.Option("--output", "-o", metavar="FILE", help="A file for the motion: .nc (netCDF), .csv.")
]
Plot = Annotated[Path | None, typer.Option("--plot", metavar="FILE", help="A picture of the motion: .png, .pdf, .svg.")]


def discrete(
    target: Target,
    method: Method,
    step: Step,
    until: Until = None,
    every: Every = 1,
    parameters: Set = None,
    start: Start = None,
    output: Output = None,
    plot: Plot = None,
) -> None:
    """Step a motion by a method of discrete mechanics that keeps something, and print what it kept.

    \b
    Examples:
      anholonomy discrete nonholonomic-oscillator --method dla-midpoint --step 0.05
      anholonomy discrete chaplygin-sleigh --method energy --step 0.1 --until 100 -o run.nc
    """
    from anholonomy.cli.outputs import check_motion, check_picture
    from anholonomy.cli.printing import print_table
    from anholonomy.cli.run import exit_code
    from anholonomy.cli.target import find
    from anholonomy.cli.values import number
    from anholonomy.show.text.summary import summary
    from anholonomy.simulate.discrete.motion import method_called

    if output is not None:
        check_motion(output)
    if plot is not None:
        check_picture(plot)
    study = find(target).with_values(parameters, start)
    study.refuse_without_start()
    end = study.until if until is None else number(until, "--until")
    motion = study.system.discrete(method, study.start, end, step=number(step, "--step"), every=every)
    if output is not None:
        motion.save(output)
    print_table(("", ""), summary(motion.data), title=str(motion.data.attrs["system"]))
    print(f"{method_called(method).name} keeps {method_called(method).keeps}")
    if output is not None:
        print(f"motion written to {output}")
    if plot is not None:
        motion.plot(plot)
        print(f"picture written to {plot}")
    raise typer.Exit(exit_code(motion))
