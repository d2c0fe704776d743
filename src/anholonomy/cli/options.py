"""Arguments and options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

__all__ = [
    "All",
    "Fixed",
    "Input",
    "Json",
    "Latex",
    "MotionFile",
    "Near",
    "Picture",
    "Project",
    "Set",
    "SolveFor",
    "Source",
    "Speed",
    "Start",
    "Target",
    "TimeLimit",
    "Tolerance",
    "Until",
]

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
    typer.Option("--start", metavar="NAME=VALUE,…", help='A value at the start, such as "theta\'=1"; repeatable.'),
]
Near = Annotated[
    list[str] | None,
    typer.Option(
        "--near", "--start", metavar="NAME=VALUE,…", help="A state near by; values that are left out are 0; repeatable."
    ),
]
Fixed = Annotated[
    list[str] | None,
    typer.Option(
        "--fixed", metavar="NAME=VALUE,…", help='A value that the motion must have, such as "x\'=5"; repeatable.'
    ),
]
Json = Annotated[Path | None, typer.Option("--json", metavar="FILE", help="Write the answer as JSON, too.")]
Project = Annotated[bool, typer.Option("--project", help="Move a start that violates the constraints onto them.")]
TimeLimit = Annotated[str, typer.Option("--time-limit", metavar="SECONDS", help="How long each computation may take.")]
SolveFor = Annotated[
    list[str] | None,
    typer.Option(
        "--solve-for", metavar="INPUT", help="An input whose constant value the steady motion determines; repeatable."
    ),
]
MotionFile = Annotated[
    Path | None, typer.Option("--output", "-o", metavar="FILE", help="A file for the motion: .nc (netCDF), .csv.")
]
Picture = Annotated[Path | None, typer.Option("--plot", metavar="FILE", help="A picture: .png, .pdf, .svg.")]
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
