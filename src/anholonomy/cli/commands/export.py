"""``anholonomy export``: the equations of motion as text for other programs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from anholonomy.cli.options import Speed, Target

if TYPE_CHECKING:
    from anholonomy.public.equations import Equations

__all__ = ["export"]

_LONGEST = 300_000
"""Operations that SymPy prints in some seconds."""
FORMATS = ("c", "cuda", "latex", "modelica", "sympy", "toml")

To = Annotated[str, typer.Option("--to", metavar="FORMAT", help="c, cuda, latex, modelica, sympy or toml.")]
By = Annotated[
    str | None, typer.Option("--by", metavar="PRINCIPLE", help="The principle; hamel where it covers the system.")
]
Name = Annotated[str | None, typer.Option("--name", metavar="NAME", help="What to call functions or the model.")]
Output = Annotated[Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write to a file, not the screen.")]


def export(
    target: Target, to: To, by: By = None, name: Name = None, output: Output = None, speed: Speed = None
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
        _bundle(target, by, output, bool(speed))
        return
    if output is not None:
        place_for(output)
    study = find(target)
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


def _bundle(target: str, by: str | None, output: Path | None, speed: bool) -> None:
    """A folder with the source, the names and the launcher of a kernel."""
    from anholonomy.base.errors import UnknownNameError
    from anholonomy.cli.target import find

    if output is None or speed:
        raise UnknownNameError(
            "--to cuda makes a folder, so --output must name one; its speeds are those of the declaration, so leave --speed out."
        )
    study = find(target)
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
