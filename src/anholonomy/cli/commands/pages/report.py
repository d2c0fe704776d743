"""``anholonomy report``: one page about a system, or a page about each of the catalogue."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from anholonomy.cli.options import Set, Start, Until

__all__ = ["report"]

Asked = Annotated[
    str | None,
    typer.Argument(
        metavar="[NAME|FILE]", help="A system of the catalogue, or a TOML file that declares one.", show_default=False
    ),
]
Output = Annotated[
    Path,
    typer.Option("--output", "-o", metavar="FILE", help="The page, a name that ends in .html; a folder with --all."),
]
Limit = Annotated[float, typer.Option("--limit", metavar="SECONDS", help="How long each question may take.")]
All = Annotated[bool, typer.Option("--all", help="A page about every system of the catalogue.")]


def report(
    output: Output,
    target: Asked = None,
    until: Until = None,
    parameters: Set = None,
    start: Start = None,
    limit: Limit = 10.0,
    all_: All = False,
) -> None:
    """Write one page that derives, verifies, analyses and plays a system; it opens in any browser, offline.

    \b
    Examples:
      anholonomy report chaplygin-sleigh -o sleigh.html
      anholonomy report my-robot.toml --start x=0 --start "x'=1" --until 10 -o robot.html
      anholonomy report --all -o reports --limit 1
    """
    if all_:
        _all(target, output, limit)
        return
    from anholonomy.cli.target import find
    from anholonomy.cli.values import number
    from anholonomy.refusals import UnknownName

    if target is None:
        raise UnknownName("report needs a system: give a name of the catalogue or a file, or --all for every one.")
    asked = find(target).with_values(parameters, start)
    end = number(until, "--until") if until is not None else asked.until
    place = asked.system.report(
        output,
        asked.start or None,
        end,
        limit=limit,
        facts=asked.told,
        references=asked.references,
        description=asked.said,
    )
    print(f"{asked.system.name}: a page is in {place}")


def _all(target: str | None, folder: Path, limit: float) -> None:
    from anholonomy.cli.reports import reports_of_all
    from anholonomy.refusals import UnknownName

    if target is not None:
        raise UnknownName(f"--all and {target!r} contradict each other; leave one of them out.")
    pages = 0
    for name, size, seconds in reports_of_all(folder, limit):
        pages += 1
        print(f"{name:26} {size / 1e6:5.2f} MB {seconds:6.1f} s", flush=True)
    print(f"{pages} pages are in {folder}")
