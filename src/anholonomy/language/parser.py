"""Texts read from left to right by the grammar: expressions, equations, inequalities, assignments.

.. code-block:: text

    expression: sum                      sum:     product (("+" | "-") product)*
    equation:   sum "=" sum              product: signed (("*" | "/") signed)*
    inequality: sum comparison sum       signed:  ("+" | "-")* power
    assignment: NAME "=" sum             power:   atom (("^" | "**") ("+" | "-")* atom)*
    comparison: "<" | "<=" | ">" | ">="  atom:    NUMBER | NAME | "(" sum ")"
    argument:   sum (comparison sum)?             | NAME "(" argument ("," argument)* ")"

A sign binds looser than a power: ``-x^2`` is ``-(x^2)`` and ``2^-3^2`` is ``2^(-(3^2))``; powers associate to the right. Side by
side is never a product: ``2x`` has no derivation.

A text is read by the grammar and by nothing else, so it can compute but never execute. What each rule makes of its parts says
`anholonomy.language.builder`; what is wrong with a text says a sentence (`anholonomy.language.syntax_errors`), with a caret under the place.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, final

from anholonomy.algebra.expressions import Expr
from anholonomy.base.errors import ExpressionError, quoted
from anholonomy.language import limits
from anholonomy.language.builder import Builder, Part
from anholonomy.language.functions import Unreal, add, check_real
from anholonomy.language.names import LETTER, PRIME
from anholonomy.language.syntax_errors import Trouble, explain, located

__all__ = ["parse_assignment", "parse_equation", "parse_expression", "parse_inequality"]

_SHORT_TEXT = 80
"""Characters of a text that is remembered with what it says."""
_SHORT_CALL = 12
"""Lexemes of a call that is remembered."""


def parse_expression(text: str, *, what: str = "the expression", functions: Sequence[str] = ()) -> Expr:
    """The expression that a text denotes; numbers are exact, `x'` and `x''` are symbols of those names.

    ``functions`` may be called besides those of the language and stay unspecified, as ``f`` in ``f(x, y)``.

    >>> parse_expression("0.3*x'^2")
    (3/10)*x'**2
    >>> parse_expression("2x")
    Traceback (most recent call last):
    anholonomy.base.errors.ExpressionError: the expression: side by side is not a product; write `*` ...
    """
    try:
        return _expression(text, tuple(functions))
    except Trouble as trouble:
        raise located(trouble, text, what) from None


def parse_equation(text: str, *, what: str = "the constraint") -> Expr:
    """Left side minus right side of an equation.

    >>> parse_equation("x'*sin(theta) = 1")
    -1 + x'*sin(theta)
    """
    try:
        left, right = _parse(text, "equation")
        return _real(Part(add(left.expr, -right.expr), left.at))
    except Trouble as trouble:
        raise located(trouble, text, what) from None


def parse_inequality(text: str, *, what: str = "the inequality") -> Expr:
    """What an inequality says is not negative: the larger side minus the smaller one.

    >>> parse_inequality("x^2 >= 1"), parse_inequality("y < 2*x")
    (-1 + x**2, 2*x - y)
    """
    try:
        return _real(_parse(text, "inequality"))
    except Trouble as trouble:
        raise located(trouble, text, what) from None


def parse_assignment(text: str, *, what: str = "the assignment") -> tuple[str, Expr]:
    """The name and the expression of a text such as ``m = 2`` or ``theta' = 1``.

    >>> parse_assignment("theta' = pi/2")
    ("theta'", (1/2)*pi)
    """
    try:
        name, part = _parse(text, "assignment")
        return name, _real(part)
    except Trouble as trouble:
        raise located(trouble, text, what) from None


def _expression(text: str, functions: tuple[str, ...]) -> Expr:
    """Short texts, which come again and again, are read once."""
    is_short = isinstance(text, str) and len(text) <= _SHORT_TEXT
    return _remembered(text, functions) if is_short else _real(_parse(text, "expression", functions))


@lru_cache(maxsize=4096)
def _remembered(text: str, functions: tuple[str, ...]) -> Expr:
    return _real(_parse(text, "expression", functions))


def _real(part: Part) -> Expr:
    try:
        check_real(part.expr)
    except Unreal as problem:
        raise Trouble(part.at, str(problem)) from None
    return part.expr


def _parse(text: str, start: str, functions: tuple[str, ...] = ()) -> Any:
    """What the grammar builds from a text, every failure as `Trouble`."""
    if not isinstance(text, str):
        raise ExpressionError(f"a text is wanted where {quoted(text)} stands; put it in quotes.")
    _check_extent(text)
    try:
        return read(text, start, functions)
    except Unexpected as problem:
        raise _explain(text, problem.at, start) from None


def _check_extent(text: str) -> None:
    if len(text) > limits.LENGTH:
        raise Trouble(limits.LENGTH, f"the text has {len(text)} characters; the limit is {limits.LENGTH}.")
    if text.count("(") <= limits.DEPTH:
        return
    depth = 0
    for at, character in enumerate(text):
        if character == "(":
            depth += 1
            if depth > limits.DEPTH:
                raise Trouble(at, f"more than {limits.DEPTH} parentheses are nested here; name the inner ones apart.")
        elif character == ")":
            depth -= 1


def _explain(text: str, at: int, start: str) -> Trouble:
    """What does not fit, in words; an assignment has its own idea of what stands left of ``=``."""
    if start == "inequality" and (said := _about_inequality(text, at)):
        return Trouble(at, said)
    trouble = explain(text, at)
    if start == "assignment" and ("=" not in text or at < text.index("=") or not text[:at].strip()):
        return Trouble(trouble.at, "a value is given as `name = value`, such as `m = 2` or `x' = 0.5`.")
    return trouble


def _about_inequality(text: str, at: int) -> str:
    """What is wrong with the comparison of an inequality; empty where it is something else."""
    if text[at : at + 1] in ("<", ">") and any(sign in text[:at] for sign in "<>"):
        return "an inequality is one comparison; write two of them instead of a chain."
    ended = not text[at:].strip() and text.count("(") == text.count(")")
    if ended or text[at : at + 1] in ("=", "!", "≠"):
        return "an inequality compares two sides by `<=` or `>=`, such as `x^2 + y^2 >= 1`."
    return ""


# Lexemes: names, numbers and signs, blanks between them.


_POWER, _COMPARISON, _TIMES, _SIGN, _NUMBER, _NAME = "power", "comparison", "times", "sign", "number", "name"
_LEXEMES = re.compile(
    rf"(?P<{_NAME}>[{LETTER}][{LETTER}0-9]*[{PRIME}]*)|(?P<{_POWER}>\*\*|\^)|(?P<{_TIMES}>[*/])|(?P<{_SIGN}>[+-])"
    rf"|(?P<{_NUMBER}>([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?)|(?P<other>[(),=])|(?P<{_COMPARISON}>[<>]=?)"
    r"|(?P<space>[ \t\r\n\f\v]+)"
)
_STRANGE, _END = "strange", ""
"""Kinds of what is no lexeme, and of the end of the text."""
_OPERANDS = frozenset((_NAME, _NUMBER, "(", _STRANGE))
"""Kinds that cannot stand behind an operand; what is no lexeme is refused there, too."""


@final
class _Lexeme(str):
    """A piece of text that knows where it stands."""

    __slots__ = ("start_pos",)
    start_pos: int


def _lexemes(text: str) -> list[tuple[str, _Lexeme]]:
    """Kinds and pieces, a sign of punctuation being a kind of its own; what is no lexeme ends the list, as the end of the text does."""
    found, at = list[tuple[str, _Lexeme]](), 0
    for piece in _LEXEMES.finditer(text):
        start, end = piece.span()
        if start != at:
            break
        at, kind = end, piece.lastgroup or ""
        if kind != "space":
            lexeme = _Lexeme(written := piece.group())
            lexeme.start_pos = start
            found.append((written if kind == "other" else kind, lexeme))
    last = _Lexeme(text[at : at + 1])
    last.start_pos = at
    found.append((_STRANGE if last else _END, last))
    return found


class Unexpected(Exception):
    """The grammar has no place for what stands at a character of the text."""

    def __init__(self, at: int) -> None:
        super().__init__(at)
        self.at = at


# Reading: one loop over the lexemes, without recursion, so that the depth of a text is limited by a sentence and not by the stack.
#
# A rule is built when the lexeme behind it shows that it is complete: a neighbour that does not fit is reported before an operand
# that makes no sense.


def read(text: str, start: str, functions: tuple[str, ...] = ()) -> Any:
    """What the grammar builds from a text: `Unexpected` where the text does not fit, `Trouble` where what fits makes no sense.

    >>> read("1 + 2*3", "expression").expr
    7
    >>> read("1 + 2x", "expression")
    Traceback (most recent call last):
    anholonomy.language.parser.Unexpected: 5
    """
    reader = _Reader(text, functions)
    build = reader.build
    match start:
        case "equation":
            return build.equation([reader.side("="), reader.side(_END)])
        case "inequality":
            left, comparison = reader.side(_COMPARISON), reader.last
            return build.inequality([left, comparison, reader.side(_END)])
        case "assignment":
            name, _ = reader.take(_NAME), reader.take("=")
            return build.assignment([name, reader.side(_END)])
    return build.expression([reader.side(_END)])


@lru_cache(maxsize=4096)
def _called(text: str, functions: tuple[str, ...]) -> Part | None:
    """What a call such as ``sin(b - a)`` means, the same at every place of every text of a declaration; None where there is a mistake."""
    try:
        return _Reader(text, functions).only_call()
    except (Unexpected, Trouble):
        return None


@lru_cache(maxsize=16)
def _builder(functions: tuple[str, ...]) -> Builder:
    return Builder(functions)


@final
class _Open:
    """What has been read since a side began or a parenthesis was opened: the children of rules that are not complete."""

    __slots__ = ("arguments", "comparison", "name", "power", "product", "signs", "sum")

    def __init__(self, name: _Lexeme | None = None) -> None:
        self.name = name
        """Of a call, what is called, and"""
        self.arguments: list[Any] = []
        """the arguments before this one."""
        self.comparison: list[Any] = []
        """Of a condition, its left side and the sign."""
        self.sum: list[Any] = []
        self.product: list[Any] = []
        self.signs: list[Any] = []
        self.power: list[Any] = []


@final
class _Reader:
    """One text, read from left to right."""

    def __init__(self, text: str, functions: tuple[str, ...]) -> None:
        self.text, self.functions = text, functions
        self.lexemes, self.at = _lexemes(text), 0
        self.last = self.lexemes[0][1]
        self.build = _builder(functions)
        self.names: dict[str, Part] = {}

    def take(self, kind: str) -> _Lexeme:
        """The next lexeme, which must be of a kind."""
        found, self.last = self.lexemes[self.at]
        if found != kind:
            raise Unexpected(self.last.start_pos)
        self.at += 1
        return self.last

    def side(self, end: str) -> Part:
        """A sum, and the lexeme behind it, which must be of a kind."""
        return self._read([_Open()], end)

    def only_call(self) -> Part:
        """The text as one call."""
        opened = [_Open(), _Open(self.take(_NAME))]
        self.take("(")
        return self._read(opened, _END)

    def _read(self, opened: list[_Open], end: str) -> Part:
        """Operands and what joins them, until nothing is open but the side itself."""
        while True:
            operand: Part | None = self._operand(opened)
            while operand is not None:
                here = opened[-1]
                here.power.append(operand)
                operand = None
                kind, lexeme = self.lexemes[self.at]
                if kind == _POWER:
                    here.power.append(lexeme)
                elif kind == _TIMES:
                    here.product += (self._signed(here), lexeme)
                elif kind == _SIGN:
                    here.sum += (self._product(here), lexeme)
                elif len(opened) > 1:
                    operand = self._closed(opened)
                    continue
                else:
                    found = self._sum(here)
                    self.take(end)
                    return found
                self.at += 1

    def _operand(self, opened: list[_Open]) -> Part:
        """The next name, number or short call, signs and opening parentheses before it noted."""
        while True:
            kind, lexeme = self.lexemes[self.at]
            self.at += 1
            if kind == _NAME:
                if self.lexemes[self.at][0] != "(":
                    self._refuse_another_operand()
                    return self._name(lexeme)
                if (known := self._short_call(lexeme)) is not None:
                    return known
                self.at += 1
                opened.append(_Open(lexeme))
            elif kind == _NUMBER:
                self._refuse_another_operand()
                return self.build.number([lexeme])
            elif kind == "(":
                opened.append(_Open())
            elif kind == _SIGN:
                here = opened[-1]
                (here.power or here.signs).append(lexeme)
            else:
                raise Unexpected(lexeme.start_pos)

    def _closed(self, opened: list[_Open]) -> Part | None:
        """What a closing parenthesis completes; None where an argument or the other side of a condition is to follow."""
        here, found = opened[-1], self._sum(opened[-1])
        if here.name is None:
            self.take(")")
            self._refuse_another_operand()
            opened.pop()
            return found
        kind, lexeme = self.lexemes[self.at]
        if kind == _COMPARISON and not here.comparison:
            here.comparison = [found, lexeme]
            self.at += 1
            return None
        if kind not in (",", ")"):
            raise Unexpected(lexeme.start_pos)
        here.arguments.append(self.build.condition([*here.comparison, found]) if here.comparison else found)
        here.comparison = []
        self.at += 1
        if kind == ",":
            return None
        self._refuse_another_operand()
        opened.pop()
        return self.build.call([here.name, *here.arguments])

    def _refuse_another_operand(self) -> None:
        """Behind an operand, before anything is built of it: side by side is never a product."""
        kind, lexeme = self.lexemes[self.at]
        if kind in _OPERANDS:
            raise Unexpected(lexeme.start_pos)

    def _signed(self, here: _Open) -> Part:
        power, signs = here.power, here.signs
        here.power, here.signs = [], []
        found: Part = power[0] if len(power) == 1 else self.build.power(power)
        return self.build.signed([*signs, found]) if signs else found

    def _product(self, here: _Open) -> Part:
        children = [*here.product, self._signed(here)]
        here.product = []
        return children[0] if len(children) == 1 else self.build.product(children)

    def _sum(self, here: _Open) -> Part:
        children = [*here.sum, self._product(here)]
        here.sum = []
        return children[0] if len(children) == 1 else self.build.sum(children)

    def _name(self, lexeme: _Lexeme) -> Part:
        """What a name means; the same at every place."""
        if (known := self.names.get(lexeme)) is None:
            self.names[lexeme] = known = self.build.name([lexeme])
        return Part(known.expr, lexeme.start_pos, value=known.value)

    def _short_call(self, name: _Lexeme) -> Part | None:
        """What a sound call of a few lexemes means, read once wherever it occurs; None for others."""
        closing, inner = self.at + 1, 1
        while inner and closing - self.at < _SHORT_CALL:
            kind = self.lexemes[closing][0]
            if kind in (_END, _STRANGE):
                return None
            inner += (kind == "(") - (kind == ")")
            closing += 1
        if inner:
            return None
        known = _called(self.text[name.start_pos : self.lexemes[closing - 1][1].start_pos + 1], self.functions)
        if known is None:
            return None
        self.at = closing
        self._refuse_another_operand()
        return known._replace(at=name.start_pos)
