"""``anholonomy verify``: do the principles agree?"""

from __future__ import annotations

from typing import Annotated

import typer

from anholonomy.cli.options import Target

__all__ = ["verify"]


States = Annotated[int, typer.Option("--states", min=1, help="How many random admissible states to compare at.")]
Digits = Annotated[int, typer.Option("--digits", min=10, max=1000, help="Decimal digits of the arithmetic.")]


def verify(target: Target, states: States = 5, digits: Digits = 30) -> None:
    """Compare every principle with every other, in certified arithmetic.

    Leaves with 0 when all agree, and with 1 when some do not or only one covers the system.

    \b
    Examples:
      anholonomy verify chaplygin-sleigh
      anholonomy verify my-robot.toml --states 20 --digits 50
    """
    from anholonomy.cli.target import find

    found = find(target).system.verify(states=states, digits=digits)
    print(found)
    raise typer.Exit(0 if found.agree else 1)
