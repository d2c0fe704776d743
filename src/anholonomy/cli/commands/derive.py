"""``anholonomy derive``: the equations of motion."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Annotated

import typer

from anholonomy.cli.options import PRINCIPLE_NAMES, All, Latex, Speed, Target

if TYPE_CHECKING:
    from anholonomy.public.equations import Equations
    from anholonomy.public.system import System

__all__ = ["derive"]

By = Annotated[
    str | None,
    typer.Option(
        "--by", metavar="PRINCIPLE", help=f"{PRINCIPLE_NAMES}, or all that cover the system; hamel where it does."
    ),
]


def derive(target: Target, by: By = None, latex: Latex = False, speed: Speed = None, whole: All = False) -> None:
    """Derive the equations of motion and print them; --by all prints the forms side by side.

    \b
    Examples:
      anholonomy derive chaplygin-sleigh
      anholonomy derive chaplygin-sleigh --by all
      anholonomy derive skate --by kane --speed "v=x'*cos(theta)+y'*sin(theta)" --speed "w=theta'"
      anholonomy derive n-trailer:1
      anholonomy derive whipple-bicycle --all
      anholonomy derive my-robot.toml --by lagrange-dalembert --latex
    """
    from anholonomy.cli.target import find
    from anholonomy.cli.values import speeds_of
    from anholonomy.equations.principles import formulation
    from anholonomy.show.text.equations import forms, latex_forms

    speeds = speeds_of(speed)
    chosen = None if by in (None, "all") else formulation(by)
    system = find(target).system
    if by != "all":
        equations = system.derive(chosen, speeds=speeds)
        print(equations.latex() if latex else equations.text(whole))
        return
    found, left = every_form(system, speeds)
    width = get_terminal_size((120, 24)).columns
    data = [each.data for each in found]
    print(latex_forms(data) if latex else forms(data, width, whole))
    if left:
        # In LaTeX output, too, this line must do no harm.
        print(f"\n{'% ' if latex else ''}not covering this system: {', '.join(left)}")


def every_form(system: System, speeds: Mapping[str, str] | Sequence[str] | None) -> tuple[list[Equations], list[str]]:
    """The equations by every principle that covers the system (in these speeds), and the names of the others."""
    from anholonomy.base.errors import NotSupportedError
    from anholonomy.equations.principles import PRINCIPLES

    found, left = [], []
    for principle in PRINCIPLES:
        try:
            found.append(system.derive(principle, speeds=speeds if principle.takes_speeds else None))
        except NotSupportedError:
            left.append(principle.name)
    return found, left
