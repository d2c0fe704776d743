"""``anholonomy export`` and ``reduce``: equations of motion as text for other programs, and on a base."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from anholonomy.cli.options import All, Set, Speed, Target

if TYPE_CHECKING:
    from anholonomy.public.equations import Equations

__all__ = ["export", "reduce"]

_LONGEST = 300_000
"""Operations that SymPy prints in some seconds."""
FORMATS = ("c", "cuda", "latex", "modelica", "sympy", "toml")

To = Annotated[str, typer.Option("--to", metavar="FORMAT", help="c, cuda, latex, modelica, sympy or toml.")]
By = Annotated[
    str | None, typer.Option("--by", metavar="PRINCIPLE", help="The principle; hamel where it covers the system.")
]
Name = Annotated[str | None, typer.Option("--name", metavar="NAME", help="What to call functions or the model.")]
Text = Annotated[Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write to a file, not the screen.")]


def export(
    target: Target,
    to: To,
    by: By = None,
    name: Name = None,
    output: Text = None,
    speed: Speed = None,
    parameters: Set = None,
) -> None:
    """Write the equations of motion as C, LaTeX, Modelica or SymPy's text, a kernel for GPUs as a folder, or the declaration as TOML.

    \b
    Examples:
      anholonomy export chaplygin-sleigh --to c --output sleigh.c
      anholonomy export chaplygin-sleigh --to latex --by maggi
      anholonomy export my-robot.toml --to modelica --name Robot
      anholonomy export n-trailer:3 --to toml --output train.toml
      anholonomy export chaplygin-sleigh --to cuda --output sleigh-kernel
    """
    from anholonomy.base.errors import UnknownNameError
    from anholonomy.base.files import place_for, write_whole
    from anholonomy.cli.target import find
    from anholonomy.cli.values import speeds_of

    if to.lower() not in FORMATS:
        raise UnknownNameError(
            f"there is no text format {to!r}; choose from {', '.join(FORMATS)}; for CasADi and JAX call `equations.casadi()` "
            "and `equations.jax()` in Python."
        )
    if name is not None and to.lower() not in ("c", "modelica"):
        raise UnknownNameError(f"--name names C functions or a Modelica model; {to.lower()} has none, so leave it out.")
    if to.lower() == "cuda":
        _bundle(target, parameters, by, output, bool(speed))
        return
    if output is not None:
        place_for(output)
    study = find(target).with_values(parameters, None)
    if to.lower() == "toml":
        if by or speed:
            raise UnknownNameError("--by and --speed choose equations, and TOML holds the declaration; leave them out.")
        text = study.declaration
    else:
        text = _written(study.system.derive(by, speeds=speeds_of(speed)), to.lower(), name)
    if output is None:
        print(text, end="" if text.endswith("\n") else "\n")
        return
    write_whole(output, text)
    print(f"{to.lower()} written to {output}")


def _bundle(target: str, parameters: list[str] | None, by: str | None, output: Path | None, speed: bool) -> None:
    """A folder with the source, the names and the launcher of a kernel."""
    from anholonomy.base.errors import UnknownNameError
    from anholonomy.cli.target import find

    if output is None or speed:
        raise UnknownNameError(
            "--to cuda makes a folder, so --output must name one; its speeds are those of the declaration, so leave --speed out."
        )
    study = find(target).with_values(parameters, None)
    kernel = study.system.derive(by).kernel(at=study.start or None)
    print(f"{kernel} saved in {kernel.save(output)}")


def _written(equations: Equations, to: str, name: str | None) -> str:
    from anholonomy.show.text.equations import latex_document

    return {
        "c": lambda: equations.c_source(name),
        "latex": lambda: latex_document(equations.system.model, [equations.data]),
        "modelica": lambda: equations.modelica(name),
        "sympy": lambda: _sympy_text(equations),
    }[to]()


def _sympy_text(equations: Equations) -> str:
    """Lines of Python that build K, r, the unknowns and the velocities again, given ``from sympy import *``."""
    import sympy

    from anholonomy.base.errors import NotSupportedError

    if equations.data.expanded_operation_count > _LONGEST:
        raise NotSupportedError(
            f"{equations.system.name}: written out for SymPy these equations have {equations.data.expanded_operation_count:,} operations, too many "
            "for its printer; use --to c or modelica, or `equations.sympy()` in Python."
        )
    parts, names = (*equations.sympy(), equations.sympy_velocities()), ("K", "r", "unknowns", "velocities")
    return "".join(f"{name} = {sympy.srepr(part)}\n" for name, part in zip(names, parts, strict=True))


Fibre = Annotated[
    list[str] | None,
    typer.Option("--fibre", metavar="COORDINATE", help="A coordinate to leave out; repeatable. Chosen if not given."),
]
Base = Annotated[
    Path | None, typer.Option("--output", "-o", metavar="FILE", help="Save the base as a system file of its own.")
]


Group = Annotated[
    bool, typer.Option("--group", help="Divide by all translations and turns that leave it alone, in their invariants.")
]


def reduce(
    target: Target,
    fibre: Fibre = None,
    group: Group = False,
    parameters: Set = None,
    output: Base = None,
    whole: All = False,
) -> None:
    """Reduce a system to a base, or modulo its symmetries if the constraints leave no base.

    On a base there are no constraints, and as many coordinates that appear nowhere are left out. With --group the system is divided
    by the translations and turns that leave it alone.

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
    system = find(target).with_values(parameters, None).system
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
