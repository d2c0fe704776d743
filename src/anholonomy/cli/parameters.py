"""Parameters of verbs as they are typed at the command line: ``start`` is a repeatable ``--start NAME=VALUE``.

`typed` finds the kind of a parameter by its name, and otherwise by its annotation. A kind has the option and a function from what
was typed to the argument of the verb.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, final, get_args

import typer

from anholonomy.base.errors import IntegrationError
from anholonomy.cli import options

if TYPE_CHECKING:
    from anholonomy.cli.target import Study

__all__ = [
    "BY_NAME",
    "CONFIGURATION",
    "NUMBER",
    "STATE",
    "Kind",
    "Read",
    "many",
    "in_options",
    "named_floats",
    "option_of",
    "text",
    "typed",
]

Read = Callable[[Any, str, "Study"], Any]
"""A function of what was typed, the option and the system with its start; it returns the argument."""


@final
@dataclass(frozen=True, kw_only=True)
class Kind:
    """How a parameter is typed: its type and option for Typer, and how the argument is read."""

    option: Any
    """The type with Typer's option or argument, `Annotated`."""
    read: Read = lambda value, option, study: value
    implied: bool = False
    """True if the argument is read, too, when nothing was typed: the catalogue may have a default."""


def text(metavar: str, help: str, *names: str, read: Read | None = None) -> Kind:
    """A parameter that is typed once, as text."""
    option = Annotated[str | None, typer.Option(*names, metavar=metavar, help=help)]
    return Kind(option=option, read=read or _as_typed)


def many(metavar: str, help: str, *names: str, read: Read | None = None) -> Kind:
    """A parameter whose option may be repeated."""
    option = Annotated[list[str] | None, typer.Option(*names, metavar=metavar, help=f"{help}; repeatable.")]
    return Kind(option=option, read=read or _as_typed)


def whole(help: str, least: int | None = None, most: int | None = None) -> Kind:
    """A whole number."""
    return Kind(option=Annotated[int | None, typer.Option(metavar="NUMBER", help=help, min=least, max=most)])


def _as_typed(value: Any, option: str, study: Study) -> Any:
    return value


def _number(value: str, option: str, study: Study) -> float:
    from anholonomy.cli.values import number

    return number(value, option)


def _numbers(value: str, option: str, study: Study) -> list[float]:
    from anholonomy.cli.values import numbers

    return numbers(value, option)


def _commas(value: list[str], option: str, study: Study) -> list[str]:
    from anholonomy.cli.values import parts

    return parts(value)


def _state(value: list[str], option: str, study: Study) -> dict[str, str]:
    from anholonomy.cli.values import parts, starts

    return starts(parts(value), option)


def _configuration(value: list[str], option: str, study: Study) -> dict[str, str]:
    from anholonomy.cli.values import named_texts, parts

    return named_texts(parts(value), option)


def _texts(value: list[str], option: str, study: Study) -> dict[str, str]:
    from anholonomy.cli.values import named_texts

    return named_texts(value, option)


def named_floats(value: list[str], option: str, study: Study) -> dict[str, Any]:
    """Numbers by name."""
    from anholonomy.cli.values import assignments, parts

    return assignments(parts(value), option)


def _start(value: list[str] | None, option: str, study: Study) -> Mapping[str, float | str]:
    """The start of a motion: the values typed, and the default start for the others."""
    from anholonomy.cli.values import parts, starts

    begun = {**study.start, **starts(parts(value or []), option)}
    if not begun:
        study.refuse_without_start()
    return begun


def _until(value: str | None, option: str, study: Study) -> float | None:
    from anholonomy.cli.values import number

    end = study.until if value is None else number(value, option)
    if end is None:
        raise IntegrationError(f"{study.system.name}: give --until, to say how long the motion lasts.")
    return end


def _speeds(value: list[str], option: str, study: Study) -> Any:
    from anholonomy.cli.values import speeds_of

    return "orthonormal" if value == ["orthonormal"] else speeds_of(value)


def _levels(value: list[str], option: str, study: Study) -> dict[str, str]:
    from anholonomy.cli.values import levels_of

    return levels_of(value, option)


def _bounds(value: list[str], option: str, study: Study) -> dict[str, tuple[str | None, str | None]]:
    from anholonomy.cli.values import bounds_of

    return bounds_of(value)


def _ranges(value: list[str], option: str, study: Study) -> dict[str, list[float]]:
    from anholonomy.cli.values import ranges_of

    return ranges_of(study.system, value, option, counted=True)


def _picture(value: Path, option: str, study: Study) -> Path:
    from anholonomy.cli.output import check_outputs

    check_outputs(picture=value)
    return value


STATE = many("NAME=VALUE,…", "A state, value by value, such as x=0", read=_state)
"""A state of positions and velocities."""
CONFIGURATION = many("NAME=VALUE,…", "The configuration at the start, such as x=0,y=0", "--start", "--from", read=_configuration)  # fmt: skip
"""A configuration from which a path begins."""

NUMBER: Read = _number
"""Reads one number."""

BY_NAME: dict[str, Kind] = {
    "at": many("NAME=VALUE,…", "The state, such as theta=pi/2", read=_state),
    "ax": Kind(option=Annotated[Path, typer.Option("--plot", metavar="FILE", help="The picture: .png, .pdf, .svg.")], read=_picture),
    "base": many("COORDINATE,…", "A coordinate of the base", read=_commas),
    "bounds": many("NAME=LOW,HIGH", "Bounds of a value, such as u1=-1,1", read=_bounds),
    "breaks": text("T,T,…", "Times that no step may lead over, such as 0.5,2.", read=_numbers),
    "by": text("PRINCIPLE", "The principle: {principles}."),
    "controls": text("inputs|speeds", "The controls: inputs (forces) or speeds; inputs if there are any."),
    "coordinates": many("NAME", "A coordinate or velocity to use; chosen if not given"),
    "cost": text("EXPRESSION", 'time, effort, length, or an expression such as "1 + u1^2".'),
    "count": whole("The number of exponents, largest first; all if not given.", 1),
    "degree": whole("The highest degree in the speeds.", 0, 6),
    "digits": whole("Decimal digits of the arithmetic.", 10, 1000),
    "direction": Kind(option=Annotated[int | None, typer.Option(metavar="1|-1|0", help="1: where the left side rises beyond the right, -1: where it falls.")]),
    "duration": text("TIME", "The time from start to end.", read=_number),
    "end": many("NAME=VALUE,…", "Where it ends, such as x=0,y=1", "--end", "--to", read=_configuration),
    "estimate": many("NAME,…", "Parameters, and coordinates and velocities at the start", "--estimate", read=_commas),
    "events": many("NAME=EXPRESSION", "Report when the expression passes through zero", read=_texts),
    "fibre": many("COORDINATE", "A coordinate to leave out; chosen if not given"),
    "field": many("NAME=EXPRESSION", "A component of the field, such as theta=1", read=_texts),
    "fixed": Kind(option=options.Fixed, read=_state),
    "free": many("PARAMETER", "Find the values of this parameter for which more is conserved"),
    "functions": many("EXPRESSION", "A function of the configuration that may occur in coefficients; chosen if not given"),
    "horizon": text("TIME", "The time of the motion; free if not given.", read=_number),
    "inputs": many("NAME=EXPRESSION", 'The signal of an input, such as "tau=-2*phi - phi\'"', read=_texts),
    "integrator": text("METHOD", "{integrators}; chosen if not given."),
    "interval": text("TIME", "The time between orthonormalizations.", read=_number),
    "kind": text("KIND", "free, nonholonomic or vakonomic."),
    "level": many("LEVEL", 'What is conserved on this level, such as "energy = 0"', read=_levels),
    "max_step": text("TIME", "The longest step that may be taken.", read=_number),
    "modulo": many("NAME,…", "An angle that may end at any full turn", read=_commas),
    "momenta": many("NAME=VALUE,…", "The momentum of a direction, such as x=1", read=named_floats),
    "most": text("VALUE", "The largest multiplier.", read=_number),
    "multiplier": many("NAME=VALUE,…", "The multiplier at the start, such as mu1=0; the closest motion if not given", read=named_floats),
    "names": many("NAME", "The name of an invariant, in their order"),
    "near": Kind(option=options.Near, read=_state),
    "obstacles": many("INEQUALITY", 'An inequality that holds outside an obstacle, such as "(x-1)^2 + y^2 >= 0.1"'),
    "only": many("QUESTION", "Answer this question alone, such as conserved"),
    "over": many("NAME=FROM:TO:COUNT", "Values of a name, evenly spaced; or NAME=VALUE,VALUE,…", read=_ranges),
    "period": text("TIME", "The period, or about; found if not given.", read=_number),
    "plane": many("NAME", "A name or expression of an axis"),
    "project": Kind(option=options.Project),
    "radius": text("LENGTH", "The length of the paths.", read=_number),
    "seed": whole("The same seed gives the same random states."),
    "speeds": Kind(option=options.Speed, read=_speeds),
    "start": Kind(option=options.Start, read=_start, implied=True),
    "starts": whole("The number of guesses, of which the best path is kept.", 1, 10_000),
    "state": Kind(option=options.Start, read=_start, implied=True),
    "states": whole("The number of random admissible states.", 1),
    "step": text("TIME", "The length of a step.", read=_number),
    "stop": many("NAME", "End the motion at this event", "--stop-at"),
    "times": text("T,T,…", "The times to report, such as 0,1,2.5.", read=_numbers),
    "symmetries": Kind(option=Annotated[bool | None, typer.Option("--symmetries/--no-symmetries", help="The orbit may close up to a displacement by symmetries.")]),
    "time_limit": text("SECONDS", "How long the computation may take.", read=_number),
    "tolerance": text("SIZE", "The error allowed.", read=_number),
    "until": Kind(option=options.Until, read=_until, implied=True),
}  # fmt: skip
"""Kinds by the name of the parameter. Names of options follow from the parameter where none are given."""

_UNTYPED = {"body", "client", "data", "guess", "options", "parameters", "progress", "sampling", "every", "clock"}
"""Parameters with a default that are left to Python: objects, or what --set does."""

_BY_ANNOTATION: list[tuple[str, Kind]] = [
    (r"bool", Kind(option=Annotated[bool | None, typer.Option(help="On or off.")])),
    (r"int", whole("A whole number.")),
    (r"float", text("NUMBER", "A number.", read=_number)),
    (r"str|str \| Path", text("TEXT", "A text.")),
    (r"Sequence\[(str|Any)\]|str \| Sequence\[str\]|Sequence\[str\] \| str", many("TEXT", "A text")),
    (r"Sequence\[float\]", text("NUMBER,…", "Numbers between commas.", read=_numbers)),
    (r"Mapping\[(str|Any), (object|Any|str|Expr)\]", many("NAME=VALUE", "A value by name", read=_texts)),
    (r"Mapping\[(str|Any), float( \| None)?\]", many("NAME=VALUE", "A number by name", read=named_floats)),
]
"""Kinds by the annotation, for parameters with a name of their own; ``| None`` may follow."""


_EMPTY = inspect.Parameter.empty


def typed(parameter: inspect.Parameter) -> Kind | None:
    """The kind of a parameter of a verb; None if the command line has no way to type it."""
    if parameter.name in BY_NAME:
        return BY_NAME[parameter.name]
    if parameter.name in _UNTYPED:
        return None
    annotation = str(parameter.annotation).removesuffix(" | None")
    return next((kind for pattern, kind in _BY_ANNOTATION if re.fullmatch(pattern, annotation)), None)


def option_of(name: str, kind: Kind, default: Any) -> tuple[inspect.Parameter, str]:
    """The parameter of a Typer function for a kind, and the option that messages name.

    A default that is a number or a text is shown in the help. What stands for None is left to the verb.
    """
    base, info = get_args(kind.option)
    info = copy(info)
    if isinstance(info, typer.models.ArgumentInfo):
        return _keyword(name, Annotated[base, info], _EMPTY), str(info.metavar)
    if not isinstance(info.default, str):
        info.default, info.param_decls = _named(name, base), ()
    option = info.default.partition("/")[0]
    if default is _EMPTY and not kind.implied:
        required = next((part for part in get_args(base) if _is_optional(base) and part is not type(None)), base)
        return _keyword(name, Annotated[required, info], _EMPTY), option
    if isinstance(default, bool):
        info.help = f"{info.help.rstrip('.')}; {'on' if default else 'off'} if not given."
    is_shown = isinstance(default, str | int | float) and not isinstance(default, bool) and default != ""
    if not is_shown:
        return _keyword(name, Annotated[base, info], False if base is bool else None), option
    return _keyword(
        name, Annotated[base, info], default if int in (base, *get_args(base)) else _written(default)
    ), option


def in_options(sentence: str) -> str:
    """A message in which options stand for the parameters of verbs.

    >>> in_options("skate: `bounds` has v; give `time_limit`.")
    'skate: --bound has v; give --time-limit.'
    """
    for name, kind in BY_NAME.items():
        if f"`{name}`" in sentence:
            sentence = sentence.replace(f"`{name}`", option_of(name, kind, None)[1])
    return sentence


def _keyword(name: str, annotation: Any, default: Any) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def _written(default: Any) -> str:
    return f"{default:g}" if isinstance(default, float) else str(default)


def _is_optional(base: Any) -> bool:
    return type(None) in get_args(base)


def _named(name: str, base: Any) -> str:
    """The option of a parameter: hyphens for underscores, and the singular where it may be repeated."""
    dashed = name.replace("_", "-")
    if list[str] in (base, *get_args(base)):
        return f"--{dashed[:-3]}y" if dashed.endswith("ies") else f"--{dashed.removesuffix('s')}"
    if bool in get_args(base):
        return f"--{dashed}/--no-{dashed}"
    return f"--{dashed}"
