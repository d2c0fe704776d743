"""The system that a text declares: read by the project's own reader, kept at hand while it is dragged, described to the page.

A refused declaration comes with the place that the refusal points at.
"""

from __future__ import annotations

import re
import tomllib
import warnings
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from anholonomy.base.deadlines import patience
from anholonomy.base.errors import Error
from anholonomy.equations.principles import PRINCIPLES
from anholonomy.public.system import System
from anholonomy.system.bodies.toml import read_parts
from anholonomy.system.declaration.toml import from_toml
from anholonomy.system.states.complete_state import finite_number

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


class Unreadable(Error):
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
    except Error as why:
        raise Unreadable(str(why), _mark_of(text, str(why))) from None
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
    if system.model.group is not None and not settled:
        start |= {
            q.name: float(value)
            for q, value in zip(system.model.group.coordinates, system.model.group.identity, strict=True)
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
    kinds, start = system.model.own_coordinates, _beginning(system)
    return {
        "name": system.name,
        "parameters": {**system.parameters, **dict.fromkeys(system.inputs, 0.0)},
        "start": start,
        "kinds": {name: kinds.get(name, "") for name in start},
        "constraints": len(system.constraints),
        "coordinates": len(system.coordinates),
        "inputs": list(system.inputs),
        "principles": [[each.name, each.title] for each in PRINCIPLES if each.covers(system.model)],
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


# Where in a declaration a refusal points: the sentence has a caret, a line, or the name of the culprit.


_PLACE = re.compile(r"at line (\d+), column (\d+)")
_LINE = re.compile(r"\bin line (\d+)\b")
_CARET = re.compile(r"\n    (?P<line>.*)\n    (?P<gap> *)\^\s*\Z")
_KEYS = {"lagrangian": "lagrangian", "constraint": "constraints", "state": "start", "parameter": "parameters"}
_SPAN = re.compile(r"[A-Za-z_]\w*'*")


def _mark_of(text: str, sentence: str) -> dict[str, int] | None:
    """Line and column, counted from 1, and how many letters are meant; None where the sentence points nowhere.

    >>> _mark_of('a = "2x"', "the Lagrangian: no product.\\n    2x\\n     ^")
    {'line': 1, 'column': 7, 'length': 1}
    >>> _mark_of('name = "s"\\nlagrangain = ""', "the declaration has the key 'lagrangain', which means nothing here")
    {'line': 2, 'column': 1, 'length': 10}
    >>> _mark_of('[start]\\ntheta = "30 kg"', "s: theta is 30 kg, a mass (kg), where a number belongs; correct its unit.")
    {'line': 2, 'column': 1, 'length': 15}
    """
    if caret := _CARET.search(sentence):
        found = _under_caret(text, caret["line"], len(caret["gap"]))
        if found is not None:
            return _mark(text, found, _letters(text, found))
    if place := _PLACE.search(sentence):
        return {"line": int(place[1]), "column": int(place[2]), "length": 1}
    lines = text.split("\n")
    if (line := _LINE.search(sentence)) and 0 < int(line[1]) <= len(lines):
        return _whole(lines, int(line[1]))
    if "the schema" in sentence:
        return _whole(lines, next((k for k, line in enumerate(lines, 1) if line.lstrip().startswith("schema")), 1))
    if "end of document" in sentence:
        return _whole(lines, len(lines))
    return _culprit(text, sentence.partition("\n")[0])


def _under_caret(text: str, line: str, gap: int) -> int | None:
    """Where the shown piece of a formula stands; a piece of a long one has dots at its ends."""
    piece, shift = line.rstrip(), gap
    if piece.startswith("…"):
        piece, shift = piece[1:], shift - 1
    piece = piece.removesuffix("…")
    at = text.find(piece) if piece else -1
    return at + min(shift, len(piece)) if at >= 0 else None


def _letters(text: str, at: int) -> int:
    word = _SPAN.match(text, at)
    return len(word[0]) if word else 1


def _mark(text: str, at: int, length: int) -> dict[str, int]:
    begin = text.rfind("\n", 0, at) + 1
    return {"line": text.count("\n", 0, at) + 1, "column": at - begin + 1, "length": length}


def _whole(lines: list[str], number: int) -> dict[str, int]:
    line = lines[number - 1]
    indent = len(line) - len(line.lstrip())
    return {"line": number, "column": indent + 1, "length": max(1, len(line.strip()))}


def _culprit(text: str, sentence: str) -> dict[str, int] | None:
    """The first name of the sentence that the declaration has, looked for in the part that the sentence is about."""
    for name in (found[1] for found in re.finditer(r"(?:: |\bof )(\w+'*) is\b", sentence)):
        if line := re.search(rf"^[ \t]*([\"']?){re.escape(name)}\1[ \t]*=", text, re.MULTILINE):
            return _whole(text.split("\n"), text.count("\n", 0, line.start()) + 1)
    key = next((key for word, key in _KEYS.items() if word in sentence.lower()), "")
    heading = re.search(rf"^\s*(?:\[+\s*)?{key}\b", text, re.MULTILINE) if key else None
    begin = heading.start() if heading else 0
    for name in _names(sentence):
        pattern = re.compile(rf"(?<![\w'])[\"']?{re.escape(name)}(?![\w'])")
        found = pattern.search(text, heading.end() if heading else 0) or pattern.search(text)
        if found:
            at = found.end() - len(name)
            return _mark(text, at, len(name))
    if heading:
        return _whole(text.split("\n"), text.count("\n", 0, begin + len(heading[0]) - len(heading[0].lstrip())) + 1)
    return None


def _names(sentence: str) -> Iterator[str]:
    _, colon, rest = sentence.partition(": ")
    said = rest if colon else sentence
    yield from (found[1] for found in re.finditer(r"the key '([^']+)'", said))
    yield from (found[1] for found in re.finditer(r"the state has ([^\s,]+)", said))
    yield from (found[1] for found in re.finditer(r"(\S+) (?:appears?\b|is declared\b|in `\w+`)", said))
    yield from (found[1] for found in re.finditer(r"(?:constraints?|parameter|coordinate|velocity) (\w+'*)", said))
    yield from (found[1] for found in re.finditer(r"`([A-Za-z_]\w*'*)`", said))
