"""``anholonomy linearize``: what is linear about a motion at a state."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from anholonomy.cli.options import Given, Near, Set, SolveFor, Target

__all__ = ["linearize"]

Json = Annotated[
    Path | None, typer.Option("--json", metavar="FILE", help="Write matrices and eigenvalues as JSON, too.")
]


def linearize(
    target: Target,
    given: Given = None,
    start: Near = None,
    solve_for: SolveFor = None,
    parameters: Set = None,
    json: Json = None,
) -> None:
    """Print the linear part of the steady motion that has the given values, or is nearest to the start.

    \b
    Examples:
      anholonomy linearize whipple-bicycle --given "x'=5"
      anholonomy linearize my-robot.toml --start phi=0.1 --json linear.json
      anholonomy linearize my-robot.toml --given "theta'=0.5" --solve-for tau
    """
    from anholonomy.cli.output import check_outputs, leave_json
    from anholonomy.cli.target import find
    from anholonomy.cli.values import starts

    check_outputs(numbers=json)
    study = find(target).with_values(parameters, None)
    held = starts(given or (), "--given")
    steady = study.system.stability.steady_motion(held, near=starts(start or ()) or None, inputs=solve_for or ())
    for name in solve_for or ():
        print(f"{name} = {steady.inputs[name]:.12g}")
    print(steady.linearization)
    leave_json(steady.linearization, json, "the matrices are")
