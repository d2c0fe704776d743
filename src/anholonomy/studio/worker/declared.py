"""The system that a text declares: read by the project's own reader, kept at hand while it is dragged, and described to the page."""

from __future__ import annotations

import re
import tomllib
import warnings
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import Any

from anholonomy.bodies.tables import read_parts
from anholonomy.formulations.principles import PRINCIPLES
from anholonomy.public import System
from anholonomy.refusals import Refusal
from anholonomy.studio.worker.marks import mark_of
from anholonomy.symbolic.patience import patience
from anholonomy.system.declaration.files import from_toml
from anholonomy.system.states.numbers import finite_number

__all__ = [
    "Unreadable",
    "compact",
    "described",
    "doubts_about",
    "held",
    "inputs_in",
    "system_of",
    "valued",
    "with_values",
]

_KEPT = 6
"""Systems at hand, with what was compiled for them."""
_READING = 20.0
"""Seconds that reading may take."""
_kept: OrderedDict[str, tuple[System, list[str]]] = OrderedDict()


class Unreadable(Refusal):
    """A declaration that is none, with the place that is wrong."""

    def __init__(self, sentence: str, mark: dict[str, int] | None) -> None:
        super().__init__(sentence)
        self.mark = mark


def system_of(text: str) -> System:
    """The system, read once."""
    return _read(text)[0]


def _read(text: str) -> tuple[System, list[str]]:
    if text in _kept:
        _kept.move_to_end(text)
        return _kept[text]
    try:
        with warnings.catch_warnings(record=True) as doubts, patience(_READING):
            warnings.simplefilter("always")
            system = System(**read_parts(from_toml(text, "the declaration", parts=True, typed=True), "the declaration"))
    except Refusal as why:
        raise Unreadable(str(why), mark_of(text, str(why))) from None
    _kept[text] = system, _sentences(doubts)
    while len(_kept) > _KEPT:
        _kept.popitem(last=False)
    return _kept[text]


def _sentences(doubts: Sequence[warnings.WarningMessage]) -> list[str]:
    """Each doubt once, without how to silence it in Python."""
    return list(
        dict.fromkeys(re.sub(r" \(if [^()]*: warnings\.[^()]*\([^()]*\)\)", "", str(each.message)) for each in doubts)
    )


def doubts_about(system: System, parameters: Mapping[str, float]) -> list[str]:
    """What is doubtful about values that were dragged, such as a mass below zero."""
    with warnings.catch_warnings(record=True) as doubts:
        warnings.simplefilter("always")
        valued(system, parameters)
    return _sentences(doubts)


def with_values(words: Mapping[str, Any]) -> tuple[System, dict[str, float], dict[str, float]]:
    """The system of a request, the parameters that were dragged, and the whole start."""
    system = system_of(words["declaration"])
    known = {*system.parameters, *system.inputs}
    parameters = {name: value for name, value in words["parameters"].items() if name in known}
    start = _beginning(system)
    given = start | {name: value for name, value in words["start"].items() if name in start}
    return system, parameters, {name: value for name, value in given.items() if value is not None}


def valued(system: System, parameters: Mapping[str, float]) -> System:
    """The system with the values that were dragged; inputs stay inputs."""
    own = {name: value for name, value in parameters.items() if name not in system.inputs}
    return system.with_parameters(**own) if own else system


def held(system: System, parameters: Mapping[str, float]) -> System:
    """The same with its inputs held at the values that they were dragged to, at first 0."""
    system = valued(system, parameters)
    return system.with_inputs(**inputs_in(system, parameters)) if system.inputs else system


def inputs_in(system: System, parameters: Mapping[str, float]) -> dict[str, float]:
    """What the inputs are held at."""
    return {name: parameters.get(name, 0.0) for name in system.inputs}


def _beginning(system: System) -> dict[str, float | None]:
    """The declared start; what it lacks is at rest at zero, a group at its identity, what equations of positions determine left to them.

    Where some velocities are declared, and too few, the others are None: somebody has to say them.
    """
    settled = bool(system.start) and any(c.position is not None for c in system.constraints)
    names = [] if settled else [q.name for q in system.coordinates]
    given = {name: float(n.mid()) for name, value in system.start.items() if (n := finite_number(value)) is not None}
    start: dict[str, float | None] = dict.fromkeys(names, 0.0)
    if system.group is not None and not settled:
        start |= {
            q.name: float(value) for q, value in zip(system.group.coordinates, system.group.identity, strict=True)
        }
    coordinates = {q.name for q in system.coordinates}
    moving, velocities = len(given.keys() - coordinates), [w.name for w in system.velocities]
    if not moving:
        start |= dict.fromkeys(velocities, 0.0)
    elif moving < len(velocities) - len(system.constraints):
        start |= dict.fromkeys(velocities)
    return start | given


def described(words: Mapping[str, Any]) -> dict[str, Any]:
    """What a page needs to know of a declaration: names, values, kinds, principles, and what is doubtful."""
    system, doubts = _read(words["declaration"])
    kinds = dict(system.own_coordinates)
    return {
        "name": system.name,
        "parameters": {**system.parameters, **dict.fromkeys(system.inputs, 0.0)},
        "start": _beginning(system),
        "kinds": {name: kinds.get(name, "") for name in _beginning(system)},
        "constraints": len(system.constraints),
        "coordinates": len(system.coordinates),
        "inputs": list(system.inputs),
        "principles": [[each.name, each.title] for each in PRINCIPLES if each.covers(system)],
        "doubts": doubts,
    }


_LIST = re.compile(r"\[\n\s+(?P<inside>[^\[\]]*?),?\n\s*\]")


def compact(text: str) -> str:
    """A declaration whose short lists stand in one line each.

    >>> compact('a = [\\n    "x",\\n    "y",\\n]\\n')
    'a = ["x", "y"]\\n'
    """
    short, before = text, ""
    while short != before:
        before = short
        short = _LIST.sub(lambda m: "[" + re.sub(r",\n\s+", ", ", m["inside"]) + "]", short)
        short = re.sub(
            r"\[\n\s+(\[[^\n]*\]),?\n(?:\s+(\[[^\n]*\]),?\n)?\s*\]",
            lambda m: "[" + ", ".join(part for part in m.groups() if part) + "]",
            short,
        )
    return short if tomllib.loads(short) == tomllib.loads(text) else text
