"""The grammar by recursive descent: sound texts, read ten times as quickly as by the tables of a general parser.

Rules and reductions are those of `anholonomy.language.grammar.grammar`, called in the same order, so that what is read is the same. What
does not fit is left to that parser, which knows where it stops: nothing is refused here.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, final

from anholonomy.language.grammar.building import Builder
from anholonomy.language.grammar.parts import Part
from anholonomy.language.mistakes.place import Trouble
from anholonomy.language.names import LETTER, PRIME

__all__ = ["NUMBER", "read"]

NUMBER = r"([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?"
_POWER, _COMPARISON, _TIMES, _SIGN, _NUMBER, _NAME = "power", "comparison", "times", "sign", "number", "name"
_LEXEMES = re.compile(
    rf"(?P<{_NAME}>[{LETTER}][{LETTER}0-9]*[{PRIME}]*)|(?P<{_POWER}>\*\*|\^)|(?P<{_TIMES}>[*/])|(?P<{_SIGN}>[+-])"
    rf"|(?P<{_NUMBER}>{NUMBER})|(?P<other>[(),=])|(?P<{_COMPARISON}>[<>]=?)|(?P<space>[ \t\r\n\f\v]+)"
)
_DEEPEST = 50
"""Parentheses inside parentheses, each a few calls deep in Python."""
_SHORT = 12
"""Lexemes of a call that is remembered."""


def read(text: str, start: str, functions: tuple[str, ...]) -> Any:
    """What the grammar builds from a text; None where there is a mistake in it.

    >>> read("1 + 2*3", "expression", ()).expr, read("2x", "expression", ())
    (7, None)
    """
    if (lexemes := _lexemes(text)) is None:
        return None
    try:
        return _Reader(text, lexemes, functions).whole(start)
    except (_Unread, Trouble):
        return None


@lru_cache(maxsize=4096)
def _called(text: str, functions: tuple[str, ...]) -> Part | None:
    """What a call such as ``sin(b - a)`` means, the same at every place of every text of a declaration; None where there is a mistake."""
    lexemes = _lexemes(text) or []
    try:
        return _Reader(text, lexemes, functions).only_call()
    except (_Unread, Trouble):
        return None


class _Unread(Exception):
    """The text does not fit, or not here."""


@final
class _Lexeme(str):
    """A piece of text that knows where it stands."""

    __slots__ = ("start_pos",)
    start_pos: int


_END = ("", _Lexeme(""))


@lru_cache(maxsize=16)
def _builder(functions: tuple[str, ...]) -> Builder:
    return Builder(functions)


def _lexemes(text: str) -> list[tuple[str, _Lexeme]] | None:
    """Kinds and pieces, a sign of punctuation being a kind of its own; None where something is no lexeme."""
    found, at = [], 0
    for piece in _LEXEMES.finditer(text):
        start, end = piece.span()
        if start != at:
            return None
        at, kind = end, piece.lastgroup or ""
        if kind != "space":
            written = piece.group()
            lexeme = _Lexeme(written)
            lexeme.start_pos = start
            found.append((written if kind == "other" else kind, lexeme))
    found.append(_END)
    return found if at == len(text) else None


@final
class _Reader:
    """One text, read from left to right."""

    def __init__(self, text: str, lexemes: list[tuple[str, _Lexeme]], functions: tuple[str, ...]) -> None:
        self.text, self.lexemes, self.functions, self.build = text, lexemes, functions, _builder(functions)
        self.at, self.depth = 0, 0
        self.names: dict[str, Part] = {}

    def whole(self, start: str) -> Any:
        if start == "expression":
            found: Any = self.build.expression([self._sum()])
        elif start == "equation":
            found = self.build.equation([self._sum(), self._sum_after("=")])
        elif start == "assignment":
            found = self.build.assignment([self._take(_NAME), self._sum_after("=")])
        else:
            found = self.build.inequality([self._sum(), self._take(_COMPARISON), self._sum()])
        self._take("")
        return found

    def _take(self, kind: str) -> _Lexeme:
        found, lexeme = self.lexemes[self.at]
        if found != kind:
            raise _Unread
        self.at += 1
        return lexeme

    def _sum_after(self, kind: str) -> Any:
        self._take(kind)
        return self._sum()

    def _sum(self) -> Any:
        first = self._product()
        if self.lexemes[self.at][0] != _SIGN:
            return first
        children = [first]
        while self.lexemes[self.at][0] == _SIGN:
            children.append(self.lexemes[self.at][1])
            self.at += 1
            children.append(self._product())
        return self.build.sum(children)

    def _product(self) -> Any:
        first = self._signed()
        if self.lexemes[self.at][0] != _TIMES:
            return first
        children = [first]
        while self.lexemes[self.at][0] == _TIMES:
            children.append(self.lexemes[self.at][1])
            self.at += 1
            children.append(self._signed())
        return self.build.product(children)

    def _signed(self) -> Any:
        if self.lexemes[self.at][0] != _SIGN:
            return self._power()
        return self.build.signed([*self._signs(), self._power()])

    def _signs(self) -> list[_Lexeme]:
        first = self.at
        while self.lexemes[self.at][0] == _SIGN:
            self.at += 1
        return [lexeme for _, lexeme in self.lexemes[first : self.at]]

    def _power(self) -> Any:
        first = self._atom()
        if self.lexemes[self.at][0] != _POWER:
            return first
        children = [first]
        while self.lexemes[self.at][0] == _POWER:
            children.append(self.lexemes[self.at][1])
            self.at += 1
            children += self._signs()
            children.append(self._atom())
        return self.build.power(children)

    def _atom(self) -> Any:
        kind, lexeme = self.lexemes[self.at]
        self.at += 1
        if kind == _NAME:
            return self._call(lexeme) if self.lexemes[self.at][0] == "(" else self._name(lexeme)
        if kind == _NUMBER:
            return self.build.number([lexeme])
        if kind == "(":
            return self._inside(self._sum)
        raise _Unread

    def _name(self, lexeme: _Lexeme) -> Part:
        """What a name means; the same at every place."""
        if (known := self.names.get(lexeme)) is None:
            self.names[lexeme] = known = self.build.name([lexeme])
        return Part(known.expr, lexeme.start_pos, value=known.value)

    def _call(self, name: _Lexeme) -> Any:
        """A function; read once where it is a short one."""
        closing, inner = self.at + 1, 1
        while inner and closing - self.at < _SHORT:
            kind = self.lexemes[closing][0]
            inner += (kind == "(") - (kind == ")")
            closing += 1
            if not kind:
                raise _Unread
        if inner:
            return self._any_call(name)
        known = _called(self.text[name.start_pos : self.lexemes[closing - 1][1].start_pos + 1], self.functions)
        if known is None:
            raise _Unread
        self.at = closing
        return known._replace(at=name.start_pos)

    def only_call(self) -> Part:
        """The text as one call."""
        name = self._take(_NAME)
        found: Part = self._any_call(name)
        self._take("")
        return found

    def _any_call(self, name: _Lexeme) -> Any:
        self.at += 1
        children = [name, self._inside_or_comma()]
        while self.lexemes[self.at - 1][0] == ",":
            children.append(self._inside_or_comma())
        return self.build.call(children)

    def _inside_or_comma(self) -> Any:
        return self._inside(self._argument, (",", ")"))

    def _inside(self, rule: Any, closing: tuple[str, ...] = (")",)) -> Any:
        """What stands in parentheses, up to a closing sign."""
        self.depth += 1
        if self.depth > _DEEPEST:
            raise _Unread
        found = rule()
        self.depth -= 1
        if self.lexemes[self.at][0] not in closing:
            raise _Unread
        self.at += 1
        return found

    def _argument(self) -> Any:
        left = self._sum()
        if self.lexemes[self.at][0] != _COMPARISON:
            return left
        return self.build.condition([left, self._take(_COMPARISON), self._sum()])
