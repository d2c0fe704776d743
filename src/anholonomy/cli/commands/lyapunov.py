"""``anholonomy lyapunov``: how fast neighbours of a motion part."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from anholonomy.cli.options import Picture, Set, Start, Target, Until

__all__ = ["lyapunov"]

Count = Annotated[int | None, typer.Option("--count", min=1, help="How many exponents, largest first; default: all.")]
Output = Annotated[
    Path | None, typer.Option("--output", "-o", metavar="FILE", help="A netCDF file for the averages over time.")
]


def lyapunov(
    target: Target,
    until: Until = None,
    parameters: Set = None,
    start: Start = None,
    count: Count = None,
    plot: Picture = None,
    output: Output = None,
) -> None:
    """Print the Lyapunov exponents of the motion from the start; Ctrl-C keeps the averages so far.

    \b
    Examples:
      anholonomy lyapunov chaplygin-ball --until 200
      anholonomy lyapunov double.toml --until 1000 --count 1 --plot convergence.png
    """
    from anholonomy.base.errors import IntegrationError
    from anholonomy.cli.output import check_outputs, leave_numbers, leave_picture
    from anholonomy.cli.target import find
    from anholonomy.cli.values import number

    check_outputs(numbers=output, picture=plot)
    study = find(target).with_values(parameters, start)
    study.refuse_without_start()
    end = number(until, "--until") if until is not None else study.until
    if end is None:
        raise IntegrationError(f"{study.system.name}: give --until, to say how long the motion lasts.")
    found = study.system.stability.lyapunov_exponents(study.start, end, count)
    print(found)
    leave_picture(found.plot, plot)
    leave_numbers(found.data, output, "averages")
