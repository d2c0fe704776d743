"""``anholonomy report``, ``study`` and ``studio``: pages and folders about a system, and a page to work on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from time import perf_counter
from typing import Annotated

import typer

from anholonomy.cli.options import Set, Start, Target, TimeLimit, Until

__all__ = ["report", "study", "studio"]

Asked = Annotated[
    str | None,
    typer.Argument(
        metavar="[NAME|FILE]", help="A system of the catalogue, or a TOML file that declares one.", show_default=False
    ),
]
Page = Annotated[
    Path,
    typer.Option("--output", "-o", metavar="FILE", help="The page, a name that ends in .html; a folder with --all."),
]
All = Annotated[bool, typer.Option("--all", help="A page about every system of the catalogue.")]


def report(
    output: Page,
    target: Asked = None,
    until: Until = None,
    parameters: Set = None,
    start: Start = None,
    time_limit: TimeLimit = "10",
    all_: All = False,
) -> None:
    """Write one page that derives, verifies, analyses and plays a system; it opens in any browser, offline.

    \b
    Examples:
      anholonomy report chaplygin-sleigh -o sleigh.html
      anholonomy report my-robot.toml --start x=0 --start "x'=1" --until 10 -o robot.html
      anholonomy report --all -o reports --time-limit 1
    """
    from anholonomy.base.errors import UnknownNameError
    from anholonomy.cli.target import find
    from anholonomy.cli.values import number

    limit = number(time_limit, "--time-limit")
    if all_:
        _all(target, output, limit)
        return
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


Results = Annotated[Path, typer.Option("--output", "-o", metavar="DIR", help="The folder; it is made where needed.")]


def study(target: Target, output: Results, until: Until = None, parameters: Set = None, start: Start = None) -> None:
    """Derive by every principle, verify, simulate, draw and report.

    Leaves report.html, report.md, equations.tex, system.toml, run.nc and motion.png in the folder; older files of these
    names are replaced.

    \b
    Examples:
      anholonomy study chaplygin-sleigh --output results/chaplygin-sleigh
      anholonomy study my-robot.toml --start x=0 --start "x'=1" --until 10 --output results/my-robot
    """
    from anholonomy.base.files import place_for, write_whole
    from anholonomy.cli.commands.motions import exit_code, run
    from anholonomy.cli.output import make_folder
    from anholonomy.cli.target import find
    from anholonomy.equations.principles import PRINCIPLES
    from anholonomy.reports.markdown import report
    from anholonomy.show.text.equations import latex_document

    asked = find(target).with_values(parameters, start)
    asked.refuse_without_start()
    make_folder(output)
    names = ("system.toml", "equations.tex", "run.nc", "motion.png", "report.md", "report.html")
    declaration, document, data, picture, page, whole = paths = [output / name for name in names]
    for path in paths:
        place_for(path)
    system = asked.system
    motion = run(asked, until)
    motion.save(data)
    system.save(declaration)
    equations = [f.derive(system.model) for f in PRINCIPLES if f.covers(system.model)]
    write_whole(document, latex_document(system.model, equations))
    verification = system.verify()
    motion.plot(ax=picture)
    text = report(
        system.model, equations, verification, asked.start, motion, facts=asked.told, references=asked.references
    )
    write_whole(page, text)
    system.report(whole, asked.start, float(motion.time[-1]), facts=asked.told, references=asked.references)
    for principle in equations:
        print(f"{principle}\n")
    print(f"{verification}\n\nmotion: {motion.outcome}")
    for path in paths:
        print(f"  {path}")
    print(f"\nOpen {whole} in a browser: everything on one page, with the motion to turn and look at.")
    raise typer.Exit(exit_code(motion) or (0 if verification.agree else 1))


Folder = Annotated[
    Path | None, typer.Option("--folder", metavar="DIR", help="Where projects are kept; it is made where needed.")
]
Port = Annotated[int, typer.Option("--port", metavar="NUMBER", help="The port; by default one that is free.")]
Browser = Annotated[bool, typer.Option("--browser/--no-browser", help="Open a browser at the page.")]


def studio(folder: Folder = None, port: Port = 0, browser: Browser = True) -> None:
    """Open a local page: pick or type a system, drag its parameters, watch it move, ask, export.

    The page is served to this machine only, and the address has a token. Projects are kept in a folder, by default that of the
    user's data (~/.local/share/anholonomy/studio), so that closing the page or killing the server loses nothing. Needs the extra studio.

    \b
    Examples:
      anholonomy studio
      anholonomy studio --folder my-systems --port 8000 --no-browser
    """
    from anholonomy.studio.projects import default_folder
    from anholonomy.studio.server import serve

    serve(folder or default_folder(), port, browser)
