"""``anholonomy derive``: the equations of motion."""

from __future__ import annotations

from typing import Annotated

import typer

from anholonomy.cli.options import Target

__all__ = ["derive"]

By = Annotated[
    str, typer.Option("--by", metavar="PRINCIPLE", help="hamel, maggi, lagrange-dalembert, or all that cover it.")
]
Latex = Annotated[bool, typer.Option("--latex", help="Print LaTeX instead of text.")]


def derive(target: Target, by: By = "hamel", latex: Latex = False) -> None:
    """Derive the equations of motion and print them.

    \b
    Examples:
      anholonomy derive chaplygin-sleigh
      anholonomy derive chaplygin-sleigh --by all
      anholonomy derive n-trailer:1
      anholonomy derive my-robot.toml --by lagrange-dalembert --latex
    """
    from anholonomy.cli.target import find
    from anholonomy.formulations import ALL, formulation

    if by == "all":
        system = find(target).system
        principles = [f for f in ALL if f.covers(system)]
    else:
        principles = [formulation(by)]
        system = find(target).system
    for place, principle in enumerate(principles):
        equations = principle.derive(system)
        print("" if place == 0 else "\n", end="")
        print(equations.latex() if latex else equations)
    if by == "all" and (left := [f.name for f in ALL if f not in principles]):
        # In LaTeX output, too, this line must do no harm.
        print(f"\n{'% ' if latex else ''}not covering this system: {', '.join(left)}")
