"""``anholonomy geodesic``: the shortest path between two configurations, its file and its picture."""

from __future__ import annotations

from typing import Annotated

import typer

from anholonomy.cli.options import Modulo, MotionFile, Picture, Set, Target

__all__ = ["geodesic"]

From = Annotated[
    list[str],
    typer.Option("--from", metavar="NAME=VALUE,…", help="Where it starts, such as x=0,y=0,theta=0; repeatable."),
]
To = Annotated[list[str], typer.Option("--to", metavar="NAME=VALUE,…", help="Where it ends; repeatable.")]
Duration = Annotated[
    str | None,
    typer.Option(
        "--duration", metavar="TIME", help="The time it takes, in which the action is least; shortest if not given."
    ),
]


def geodesic(
    target: Target,
    start: From,
    end: To,
    duration: Duration = None,
    modulo: Modulo = None,
    parameters: Set = None,
    output: MotionFile = None,
    plot: Picture = None,
) -> None:
    """Find the shortest admissible path between two configurations, or that of least action in a given time.

    The exit code is 1 where no extremal was found that leads to the end.

    \b
    Examples:
      anholonomy geodesic skate --from x=0,y=0,theta=0 --to x=0,y=1,theta=0 --plot parking.png
      anholonomy geodesic heisenberg --from x=0,y=0,z=0 --to x=0,y=0,z=1 -o path.nc
    """
    from anholonomy.cli.output import check_outputs, leave_motion, leave_picture, print_table
    from anholonomy.cli.target import find
    from anholonomy.cli.values import named_texts, number, parts

    check_outputs(motion=output, picture=plot)
    system = find(target).with_values(parameters, None).system
    first, last = named_texts(parts(start), "--from"), named_texts(parts(end), "--to")
    if duration is None:
        path = system.paths.shortest(first, last, modulo=modulo or ())
    else:
        path = system.paths.least_action(first, last, number(duration, "--duration"), modulo=modulo or ())
    if not path.report.converged:
        print(path)
        raise typer.Exit(1)
    rows = [("length", f"{path.length:.10g}"), ("action", f"{path.cost:.10g}"), ("time", f"{path.duration:.10g}")]
    rows += [(f"p_{name}", f"{value:.10g}") for name, value in path.covector.items()]
    leave_motion(path.run, output)
    print_table(("", ""), [*rows, ("found", str(path.report))], title=system.name)
    leave_picture(path.plot, plot)
