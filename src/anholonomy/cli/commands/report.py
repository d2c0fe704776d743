"""``anholonomy report``: one page about a system."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from anholonomy.cli.options import Set, Start, Target, Until

__all__ = ["report"]

Output = Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="The page, a name that ends in .html.")]
Limit = Annotated[float, typer.Option("--limit", metavar="SECONDS", help="How long each question may take.")]


def report(
    target: Target,
    output: Output,
    until: Until = None,
    parameters: Set = None,
    start: Start = None,
    limit: Limit = 10.0,
) -> None:
    """Write one page that derives, verifies, analyses and plays a system; it opens in any browser, offline.

    \b
    Examples:
      anholonomy report chaplygin-sleigh -o sleigh.html
      anholonomy report my-robot.toml --start x=0 --start "x'=1" --until 10 -o robot.html
    """
    from anholonomy.cli.target import find
    from anholonomy.cli.values import number

    asked = find(target).with_values(parameters, start)
    end = number(until, "--until") if until is not None else asked.until
    place = asked.system.report(
        output, asked.start or None, end, limit=limit, facts=asked.told, references=asked.references
    )
    print(f"{asked.system.name}: a page is in {place}")
