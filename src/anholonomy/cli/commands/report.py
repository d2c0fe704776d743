"""``anholonomy report``: a page about a system, or one about each of the catalogue."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from time import perf_counter
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
    from anholonomy.base.errors import UnknownNameError
    from anholonomy.cli.target import find
    from anholonomy.cli.values import number

    if target is None:
        raise UnknownNameError("report needs a system: give a name of the catalogue or a file, or --all for every one.")
    asked = find(target).with_values(parameters, start)
    end = number(until, "--until") if until is not None else asked.until
    place = asked.system.report(
        output,
        asked.start or None,
        end,
        time_limit=limit,
        facts=asked.told,
        references=asked.references,
        description=asked.said,
    )
    print(f"{asked.system.name}: a page is in {place}")


def _all(target: str | None, folder: Path, limit: float) -> None:
    from anholonomy.base.errors import UnknownNameError

    if target is not None:
        raise UnknownNameError(f"--all and {target!r} contradict each other; leave one of them out.")
    pages = 0
    for name, size, seconds in reports_of_all(folder, limit):
        pages += 1
        print(f"{name:26} {size / 1e6:5.2f} MB {seconds:6.1f} s", flush=True)
    print(f"{pages} pages are in {folder}")


def reports_of_all(folder: Path, limit: float, names: list[str] | None = None) -> Iterator[tuple[str, int, float]]:
    """Write a page for every system, or those named, into a folder, in a process for each core; its name, bytes and seconds as each is done."""
    import os
    from concurrent.futures import ProcessPoolExecutor, as_completed
    from multiprocessing import get_context

    from anholonomy.base.errors import FileError
    from anholonomy.catalogue import ENTRIES

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as why:
        raise FileError(f"cannot make the folder {folder}: {why.strerror}; give another with --output.") from None
    # Compiled code of one process does not survive a fork.
    with ProcessPoolExecutor(os.cpu_count() or 1, mp_context=get_context("spawn")) as workers:
        asked = [workers.submit(_one, name, folder, limit) for name in (names or ENTRIES)]
        try:
            for done in as_completed(asked):
                yield done.result()
        finally:
            workers.shutdown(cancel_futures=True)


def _one(name: str, folder: Path, limit: float) -> tuple[str, int, float]:
    from anholonomy.catalogue import ENTRIES

    entry, began = ENTRIES[name], perf_counter()
    place = entry.make().report(
        folder / f"{name}.html",
        entry.start,
        entry.until,
        time_limit=limit,
        facts=entry.facts,
        references=entry.references,
        description=entry.said,
    )
    return name, place.stat().st_size, perf_counter() - began
