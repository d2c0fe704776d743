"""The options that several verbs share, each written once with its type, and read with the units and names of a system."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypedDict, final

from anholonomy.base.errors import UnknownNameError, quoted
from anholonomy.base.former_names import former_word
from anholonomy.language.suggestions import did_you_mean
from anholonomy.system.model import Model
from anholonomy.system.units.to_si import events_in_si, in_si, time_in_si

__all__ = [
    "EnsembleOptions",
    "MotionOptions",
    "SimulationOptions",
    "SweepOptions",
    "read_options",
    "refuse_others",
    "refuse_unknown",
    "refuse_unnamed",
]


class MotionOptions(TypedDict, total=False):
    """How motions are computed: options of `System.simulate`, `ensemble` and `sweep`, and of the same verbs of `Equations`."""

    parameters: Mapping[str, Any] | None
    tolerance: float
    integrator: str | None
    project: bool
    events: Mapping[str, Any] | None
    stop: str | Sequence[str]
    max_step: float | None
    breaks: Sequence[float]
    inputs: Any
    progress: Callable[[float], None] | None


@final
class SimulationOptions(MotionOptions, total=False):
    """Options of one motion."""

    sampling: float | None
    step: float | None
    every: int


@final
class EnsembleOptions(MotionOptions, total=False):
    """Options of many motions."""

    keep: Sequence[str] | str | None
    device: str
    precision: str
    store: str | Path | None
    client: Any


@final
class SweepOptions(MotionOptions, total=False):
    """Options of motions over values of parameters and starts."""

    keep: Sequence[str] | str | None
    summaries: Any
    samples: int | None
    sampling: str
    seed: int
    store: str | Path | None
    resume: bool
    client: Any


def refuse_others(verb: Callable[..., Any], others: Mapping[str, Any]) -> None:
    """Refuse arguments of a verb that has no such names."""
    if others:
        names = [name for name in inspect.signature(verb).parameters if name not in ("self", "others")]
        refuse_unknown(verb.__name__, others, names)


def refuse_unknown(verb: str, options: Mapping[str, Any], known: Sequence[str]) -> None:
    """Refuse the first option that a verb does not have, with the one that it has become or that was probably meant."""
    for name in options:
        if name not in known:
            if new := former_word(verb, name, known):
                raise UnknownNameError(f"{verb} has no {name!r}; use {new}.")
            near = did_you_mean(name, known)
            raise UnknownNameError(
                f"{verb} has no {name!r}; {near}{'I' if near else 'i'}ts words are {', '.join(known)}."
            )


def refuse_unnamed(verb: str, values: Sequence[Any], known: Sequence[str]) -> None:
    """Refuse values that were given without the name of an argument."""
    if values:
        raise UnknownNameError(
            f"{verb} does not know what {quoted(values[0])} is; its words are given by name: {', '.join(known)}."
        )


def read_options(model: Model, verb: str, options: Mapping[str, Any], kind: type, *more: str) -> dict[str, Any]:
    """Read options of a ``kind``: known names only, quantities in SI units; ``more`` are names that the verb has besides."""
    refuse_unknown(verb, options, (*more, *_names(kind)))
    values = dict(options)
    for name in ("parameters", "inputs"):
        if name in values:
            values[name] = in_si(model, values[name])
    for name in ("max_step", "breaks", "step", *(("sampling",) if kind is SimulationOptions else ())):
        if name in values:
            values[name] = time_in_si(values[name], name)
    if "events" in values:
        values["events"] = events_in_si(model, values["events"])
    return values


def _names(kind: Any) -> tuple[str, ...]:
    """The names of options, those of all motions first."""
    return tuple(dict.fromkeys([*MotionOptions.__annotations__, *kind.__annotations__]))
