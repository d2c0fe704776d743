"""``anholonomy study``: everything about a system, in a folder."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from anholonomy.cli.options import Set, Start, Target, Until

__all__ = ["study"]

Output = Annotated[Path, typer.Option("--output", "-o", metavar="DIR", help="The folder; it is made where needed.")]


def study(target: Target, output: Output, until: Until = None, parameters: Set = None, start: Start = None) -> None:
    """Derive by every principle, verify, simulate, draw and report.

    Leaves report.html, report.md, equations.tex, system.toml, run.nc and motion.png in the folder; older files of these
    names are replaced.

    \b
    Examples:
      anholonomy study chaplygin-sleigh --output results/chaplygin-sleigh
      anholonomy study my-robot.toml --start x=0 --start "x'=1" --until 10 --output results/my-robot
    """
    from anholonomy.base.files import place_for, write_whole
    from anholonomy.cli.motion import exit_code, run
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
