"""Where in a declaration a refusal points: the sentence has a caret, a line, or the name of the culprit."""

from __future__ import annotations

import re
from collections.abc import Iterator

__all__ = ["mark_of"]

_PLACE = re.compile(r"at line (\d+), column (\d+)")
_LINE = re.compile(r"\bin line (\d+)\b")
_CARET = re.compile(r"\n    (?P<line>.*)\n    (?P<gap> *)\^\s*\Z")
_KEYS = {"lagrangian": "lagrangian", "constraint": "constraints", "state": "start", "parameter": "parameters"}
_SPAN = re.compile(r"[A-Za-z_]\w*'*")


def mark_of(text: str, sentence: str) -> dict[str, int] | None:
    """Line and column, counted from 1, and how many letters are meant; None where the sentence points nowhere.

    >>> mark_of('a = "2x"', "the Lagrangian: no product.\\n    2x\\n     ^")
    {'line': 1, 'column': 7, 'length': 1}
    >>> mark_of('name = "s"\\nlagrangain = ""', "the declaration has the key 'lagrangain', which means nothing here")
    {'line': 2, 'column': 1, 'length': 10}
    >>> mark_of('[start]\\ntheta = "30 kg"', "s: theta is 30 kg, a mass (kg), where a number belongs; correct its unit.")
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
