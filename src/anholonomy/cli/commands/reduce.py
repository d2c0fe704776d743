"""``anholonomy reduce``: a system on its base."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from anholonomy.cli.options import All, Target

__all__ = ["reduce"]

Fibre = Annotated[
    list[str] | None,
    typer.Option("--fibre", metavar="COORDINATE", help="A coordinate to leave out; repeatable. Chosen if not given."),
]
Output = Annotated[
    Path | None, typer.Option("--output", "-o", metavar="FILE", help="Save the base as a system file of its own.")
]


Group = Annotated[
    bool, typer.Option("--group", help="Divide by all translations and turns that leave it alone, in their invariants.")
]


def reduce(
    target: Target, fibre: Fibre = None, group: Group = False, output: Output = None, whole: All = False
) -> None:
    """Leave out the constraints and as many coordinates that appear nowhere: a Chaplygin system on its base.

    Where the constraints leave no base, or with --group, the system modulo the translations and turns that leave it alone.

    \b
    Examples:
      anholonomy reduce chaplygin-sleigh
      anholonomy reduce rolling-disk --fibre x --fibre y --output base.toml
      anholonomy reduce chaplygin-ball --group
      anholonomy reduce veselova
    """
    from anholonomy.base.errors import DeclarationError, NotSupportedError
    from anholonomy.base.files import place_for
    from anholonomy.cli.target import find

    if output is not None:
        place_for(output)
    system = find(target).system
    if group:
        if fibre:
            raise DeclarationError(f"{system.name}: a group leaves no fibre to choose; give --fibre or --group.")
        below = system.reduced_by_group()
        print(below.text(whole))
        if output is not None:
            below.base.save(output)
        return
    try:
        _print_base(system.reduced(fibre or None), output)
    except NotSupportedError as reason:
        if fibre or output is not None:
            raise
        try:
            print(system.reduced_by_group().text(whole))
        except NotSupportedError:
            raise reason from None


def _print_base(found: Any, output: Path | None) -> None:
    from anholonomy.cli.output import print_sections
    from anholonomy.show.text.declaration import sections

    print_sections(f"{found.base.name}, over the fibre {', '.join(found.fibre)}", sections(found.base.model))
    print(found.base.derive("hamel"))
    if output is not None:
        found.base.save(output)
        print(f"the base is saved in {output}")
