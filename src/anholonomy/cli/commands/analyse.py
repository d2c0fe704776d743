"""``anholonomy analyse``: what follows from the equations of a system."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from anholonomy.base.errors import quoted
from anholonomy.cli.options import All, Target

__all__ = ["analyse"]

Only = Annotated[
    list[str] | None,
    typer.Option("--only", metavar="QUESTION", help="Ask this question alone, such as conserved; repeatable."),
]
Unknown = Annotated[
    list[str] | None,
    typer.Option(
        "--unknown",
        metavar="PARAMETER",
        help="Find the values of this parameter for which more is conserved; repeatable.",
    ),
]
On = Annotated[
    list[str] | None,
    typer.Option(
        "--on", metavar="LEVEL", help='Ask what is conserved on this level, such as "energy = 0"; repeatable.'
    ),
]
Limit = Annotated[float, typer.Option("--limit", min=0.1, help="Seconds that a question may take.")]
Json = Annotated[Path | None, typer.Option("--json", metavar="FILE", help="Write the answers as JSON, too.")]


def analyse(
    target: Target,
    only: Only = None,
    unknown: Unknown = None,
    on: On = None,
    limit: Limit = 60.0,
    json: Json = None,
    whole: All = False,
) -> None:
    """Print what follows from the equations: conserved quantities, and whatever else can be asked, with proofs.

    Of a system of the catalogue the last lines say which claims of the literature are among it.

    \b
    Examples:
      anholonomy analyse chaplygin-ball
      anholonomy analyse my-robot.toml --only conserved --json laws.json
      anholonomy analyse chaplygin-sleigh --only conserved --unknown a
      anholonomy analyse free-particle --only conserved --on "x' = 0"
    """
    from anholonomy.catalogue.entry import page_beside
    from anholonomy.cli.output import check_outputs, leave_json
    from anholonomy.cli.target import find

    check_outputs(numbers=json)
    asked = find(target)
    page = asked.system.analyse(only=only or None, time_limit=limit, free=unknown or None, level=_levels(on))
    print(page.text(whole))
    if asked.claims is not None and not on:
        print(*page_beside(asked.system, asked.claims, page), sep="\n")
    leave_json(page, json, "the answers are")


def _levels(texts: list[str] | None) -> dict[str, str] | None:
    """Levels from texts such as ``energy = 0``."""
    from anholonomy.base.errors import DeclarationError

    found = {}
    for text in texts or ():
        quantity, equals, value = (part.strip() for part in text.partition("="))
        if not (quantity and equals and value):
            raise DeclarationError(f"the level {quoted(text)} is no equation; write quantity = value.")
        if quantity in found:
            raise DeclarationError(f"the level of {quantity} is given twice; give one value.")
        found[quantity] = value
    return found or None
