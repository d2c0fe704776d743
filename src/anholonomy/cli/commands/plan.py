"""``anholonomy plan``: the cheapest motion from one state to another, its report, its file and its picture."""

from __future__ import annotations

from typing import Annotated

import typer

from anholonomy.cli.options import Modulo, MotionFile, Picture, Set, Target

__all__ = ["plan"]

From = Annotated[
    list[str] | None,
    typer.Option("--from", metavar="NAME=VALUE,…", help="Where it starts, such as x=0,y=0,theta=pi/2; repeatable."),
]
To = Annotated[
    list[str], typer.Option("--to", metavar="NAME=VALUE,…", help="Where it ends; what is left out is free. Repeatable.")
]
Cost = Annotated[
    str, typer.Option("--cost", metavar="EXPRESSION", help='time, effort, length, or an expression such as "1 + u1^2".')
]
Bound = Annotated[
    list[str] | None,
    typer.Option(
        "--bound", metavar="NAME=LOW,HIGH", help="Bounds of a speed, input or coordinate, such as u1=-1,1; repeatable."
    ),
]
Obstacle = Annotated[
    list[str] | None,
    typer.Option(
        "--obstacle", metavar="INEQUALITY", help='What holds outside it, such as "(x-1)^2 + y^2 >= 0.1"; repeatable.'
    ),
]
Horizon = Annotated[
    str | None, typer.Option("--horizon", metavar="TIME", help="How long it takes; free where not given.")
]
Input = Annotated[
    list[str] | None,
    typer.Option(
        "--input", metavar="NAME=FORCE", help="A force to plan with, such as phi=tau, instead of speeds; repeatable."
    ),
]
Tolerance = Annotated[
    str, typer.Option("--tolerance", metavar="SIZE", help="How near to the end it must lead when it is carried out.")
]
Limit = Annotated[str, typer.Option("--limit", metavar="SECONDS", help="How long may be searched.")]


def plan(
    target: Target,
    to: To,
    start: From = None,
    cost: Cost = "effort",
    bound: Bound = None,
    obstacle: Obstacle = None,
    horizon: Horizon = None,
    force: Input = None,
    modulo: Modulo = None,
    parameters: Set = None,
    tolerance: Tolerance = "1e-6",
    limit: Limit = "60",
    output: MotionFile = None,
    plot: Picture = None,
) -> None:
    """Plan a motion from one state to another by its speeds, or by forces, and print what it costs and how well it does.

    The motion is found by collocation (extra `plan`: CasADi with IPOPT) and verified by integrating it.
    Ctrl-C keeps the best plan so far; the exit code is 1 where it is not as asked.

    \b
    Examples:
      anholonomy plan skate --from x=0,y=0,theta=0 --to x=0,y=1,theta=0 --cost time --bound u=-1,1 --bound omega=-1,1
      anholonomy plan heisenberg --from x=0,y=0,z=0 --to x=0,y=0,z=1 --horizon 1 -o plan.nc --plot plan.png
      anholonomy plan my-robot.toml --from x=0,y=0 --to x=4,y=0 --obstacle "(x-2)^2 + y^2 >= 1" -o plan.nc
    """
    from anholonomy.cli.output import check_outputs, leave_motion, leave_picture, print_table
    from anholonomy.cli.target import find
    from anholonomy.cli.values import bounds_of, named_texts, number, parts

    system = find(target).with_values(parameters, None).system
    check_outputs(motion=output, picture=plot)
    found = system.plan(
        named_texts(parts(start), "--from") if start else None,
        named_texts(parts(to), "--to"),
        cost,
        bounds_of(bound or ()),
        None if horizon is None else number(horizon, "--horizon"),
        obstacles=obstacle,
        inputs=named_texts(force, "--input") if force else None,
        modulo=modulo or (),
        tolerance=number(tolerance, "--tolerance"),
        time_limit=number(limit, "--limit"),
    )
    leave_motion(found.run, output)
    print_table(("", ""), found.rows, title=system.name)
    leave_picture(found.plot, plot)
    raise typer.Exit(0 if found.converged else 1)
