"""``anholonomy linearize`` and ``stability``: steady motions, their linear part, and families of them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from anholonomy.cli.options import Fixed, Json, Near, Picture, Set, SolveFor, Target

__all__ = ["linearize", "stability"]


def linearize(
    target: Target,
    fixed: Fixed = None,
    near: Near = None,
    solve_for: SolveFor = None,
    parameters: Set = None,
    json: Json = None,
) -> None:
    """Print the linear part of the steady motion that has the fixed values, or is nearest to a state.

    \b
    Examples:
      anholonomy linearize whipple-bicycle --fixed "x'=5"
      anholonomy linearize my-robot.toml --near phi=0.1 --json linear.json
      anholonomy linearize my-robot.toml --fixed "theta'=0.5" --solve-for tau
    """
    from anholonomy.cli.output import check_outputs, leave_json
    from anholonomy.cli.target import find
    from anholonomy.cli.values import starts

    check_outputs(numbers=json)
    study = find(target).with_values(parameters, None)
    held = starts(fixed or (), "--fixed")
    steady = study.system.stability.steady_motion(held, near=starts(near or ()) or None, inputs=solve_for or ())
    for name in solve_for or ():
        print(f"{name} = {steady.inputs[name]:.12g}")
    print(steady.linearization)
    leave_json(steady.linearization, json, "the matrices are")


Over = Annotated[
    tuple[str, str, str],
    typer.Option("--over", metavar="NAME FROM TO", help="What to follow: a coordinate, a velocity or a parameter."),
]
Points = Annotated[int, typer.Option("--points", min=2, max=100_000, help="How many steady motions to look at.")]
Output = Annotated[
    Path | None, typer.Option("--output", "-o", metavar="FILE", help="A netCDF file for states and eigenvalues.")
]


def stability(
    target: Target,
    over: Over,
    fixed: Fixed = None,
    near: Near = None,
    solve_for: SolveFor = None,
    parameters: Set = None,
    points: Points = 200,
    plot: Picture = None,
    output: Output = None,
) -> None:
    """Follow a family of steady motions and print where its stability changes, and how.

    \b
    Examples:
      anholonomy stability whipple-bicycle --over "x'" 0 10 --plot eigenvalues.png
      anholonomy stability leaning-disc --over "phi'" 1 9
    """
    from anholonomy.cli.output import check_outputs, leave_numbers, leave_picture
    from anholonomy.cli.target import find
    from anholonomy.cli.values import number, starts

    name, low, high = over[0], number(over[1], "--over"), number(over[2], "--over")
    check_outputs(numbers=output, picture=plot)
    system = find(target).with_values(parameters, None).system
    held, velocities = starts(fixed or (), "--fixed"), {w.name for w in (*system.coordinates, *system.velocities)}
    if name in velocities:
        held.setdefault(name, repr((low + high) / 2))
    steady = system.stability.steady_motion(held, near=starts(near or ()) or None, inputs=solve_for or ())
    branch = steady.follow(name, low, high, points)
    print(branch)
    leave_picture(branch.plot, plot)
    leave_numbers(branch.data, output, "states and eigenvalues")
