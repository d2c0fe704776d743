"""Arguments and options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from anholonomy.equations.principles import PRINCIPLES
from anholonomy.motion.discrete import METHODS
from anholonomy.motion.integrators import INTEGRATORS

__all__ = [
    "INTEGRATOR_NAMES",
    "METHOD_NAMES",
    "PRINCIPLE_NAMES",
    "All",
    "Given",
    "Input",
    "Latex",
    "Modulo",
    "MotionFile",
    "Near",
    "Picture",
    "Set",
    "SolveFor",
    "Source",
    "Speed",
    "Start",
    "Target",
    "Tolerance",
    "Until",
]

PRINCIPLE_NAMES = ", ".join(principle.name for principle in PRINCIPLES)
INTEGRATOR_NAMES = " or ".join(INTEGRATORS)
METHOD_NAMES = " or ".join(METHODS)
Target = Annotated[
    str,
    typer.Argument(
        metavar="NAME|FILE",
        help="A system of the catalogue, with arguments after a colon if need be (n-trailer:5, chaplygin-sleigh:m=2,a=1), "
        "or a TOML file that declares one.",
    ),
]
Source = Annotated[
    str,
    typer.Argument(
        metavar="NAME|FILE",
        help="A system of the catalogue, a TOML file that declares one, or a netCDF file with a motion.",
    ),
]
Latex = Annotated[bool, typer.Option("--latex", help="Print LaTeX instead of text.")]
All = Annotated[bool, typer.Option("--all", help="Print long expressions, too, instead of counting their operations.")]
Set = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="NAME=VALUE", help='A parameter\'s value, such as m=2 or "m=12 kg"; repeatable.'),
]
Start = Annotated[
    list[str] | None,
    typer.Option("--start", metavar="NAME=VALUE", help='A value at the start, such as "theta\'=1"; repeatable.'),
]
Near = Annotated[
    list[str] | None,
    typer.Option(
        "--start", metavar="NAME=VALUE", help="A state near by, value by value; what is left out is zero. Repeatable."
    ),
]
Given = Annotated[
    list[str] | None,
    typer.Option(
        "--given", metavar="NAME=VALUE", help='A value that the steady motion has, such as "x\'=5"; repeatable.'
    ),
]
SolveFor = Annotated[
    list[str] | None,
    typer.Option(
        "--solve-for", metavar="INPUT", help="An input whose constant value the steady motion shall tell; repeatable."
    ),
]
MotionFile = Annotated[
    Path | None, typer.Option("--output", "-o", metavar="FILE", help="A file for the motion: .nc (netCDF), .csv.")
]
Picture = Annotated[Path | None, typer.Option("--plot", metavar="FILE", help="A picture: .png, .pdf, .svg.")]
Modulo = Annotated[
    list[str] | None,
    typer.Option("--modulo", metavar="NAME", help="An angle that may end at any full turn; repeatable."),
]
Tolerance = Annotated[
    str | None, typer.Option("--tolerance", metavar="SIZE", help="Error allowed in a step; default: rounding.")
]
Until = Annotated[
    str | None, typer.Option("--until", metavar="TIME", help="When the motion ends; the catalogue has defaults.")
]
Speed = Annotated[
    list[str] | None,
    typer.Option(
        "--speed",
        metavar="SPEED",
        help="A speed to write the equations in: a velocity (x'), or NAME=TEXT such as \"v=x'*cos(theta)\"; repeatable.",
    ),
]
Input = Annotated[
    list[str] | None,
    typer.Option(
        "--input", metavar="NAME=EXPRESSION", help='What an input does, such as "tau=-2*phi - phi\'"; repeatable.'
    ),
]
