"""``anholonomy reduce``: a system on its base."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from anholonomy.cli.options import Target

__all__ = ["reduce"]

Fibre = Annotated[
    list[str] | None,
    typer.Option("--fibre", metavar="COORDINATE", help="A coordinate to leave out; repeatable. Chosen if not given."),
]
Output = Annotated[
    Path | None, typer.Option("--output", "-o", metavar="FILE", help="Save the base as a system file of its own.")
]


def reduce(target: Target, fibre: Fibre = None, output: Output = None) -> None:
    """Leave out the constraints and as many coordinates that appear nowhere: a Chaplygin system on its base.

    \b
    Examples:
      anholonomy reduce chaplygin-sleigh
      anholonomy reduce rolling-disk --fibre x --fibre y --output base.toml
    """
    from anholonomy.cli.printing import print_sections
    from anholonomy.cli.target import find
    from anholonomy.disk import place_for
    from anholonomy.show.text.declaration import sections

    if output is not None:
        place_for(output)
    found = find(target).system.reduced(fibre or None)
    print_sections(f"{found.base.name}, over the fibre {', '.join(found.fibre)}", sections(found.base))
    print(found.base.derive("hamel"))
    if output is not None:
        found.base.save(output)
        print(f"the base is saved in {output}")
