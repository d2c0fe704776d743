"""``anholonomy compare``: motions of mechanics beside vakonomic ones."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from anholonomy.cli.options import All, Start, Target

__all__ = ["compare"]


Limit = Annotated[float, typer.Option("--limit", min=0.1, help="Seconds that the question may take.")]
Json = Annotated[Path | None, typer.Option("--json", metavar="FILE", help="Write the answer as JSON, too.")]


def compare(target: Target, start: Start = None, limit: Limit = 60.0, json: Json = None, whole: All = False) -> None:
    """Print whether every motion is vakonomic, or the one from a state: with the multiplier, or what fails.

    \b
    Examples:
      anholonomy compare carriage
      anholonomy compare skate --start x=0 --start y=0 --start theta=0 --start "x'=1" --start "theta'=0"
      anholonomy compare my-robot.toml --json answer.json
    """
    from anholonomy.cli.output import check_outputs, leave_json
    from anholonomy.cli.target import find
    from anholonomy.cli.values import starts

    check_outputs(numbers=json)
    answer = find(target).system.compare_vakonomic(starts(start) if start else None, time_limit=limit)
    print(answer.text(whole))
    leave_json(answer, json, "the answer is")
