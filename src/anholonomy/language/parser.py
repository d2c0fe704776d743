"""The grammar, read from left to right: expressions, equations, inequalities, assignments.

The grammar by recursive descent: sound texts, read ten times as quickly as by the tables of a general parser.

Rules and reductions are those of `anholonomy.language.parser`, called in the same order, so that what is read is the same. What
does not fit is left to that parser, which knows where it stops: nothing is refused here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, final

from anholonomy.algebra.expressions import Expr
from anholonomy.base.errors import SyntaxProblem
from anholonomy.language import limits
from anholonomy.language.builder import Builder, Part
from anholonomy.language.functions import Unreal, add, check_real
from anholonomy.language.names import LETTER, PRIME
from anholonomy.language.syntax_errors import Trouble, explain, located

if TYPE_CHECKING:
    import lark

__all__ = [
    "NUMBER",
    "read",
    "GRAMMAR",
    "parser",
    "parse_assignment",
    "parse_equation",
    "parse_expression",
    "parse_inequality",
]


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


# The grammar: sums of products of signed powers of atoms.
#
# Chains are repetitions, not recursion, so that a sum of ten thousand terms is one list. A sign binds looser
# than a power: ``-x^2`` is ``-(x^2)`` and ``2^-3^2`` is ``2^(-(3^2))``; powers associate to the right.
# Side by side is never a product: ``2x`` and ``x(y)`` have no derivation or are refused when built.


GRAMMAR = rf"""
expression: sum
equation: sum "=" sum
assignment: NAME "=" sum
inequality: sum COMPARISON sum

?sum: product (SIGN product)*
?product: signed (TIMES signed)*
?signed: power
    | SIGN+ power -> signed
?power: atom (POWER (SIGN* atom))*
?atom: NUMBER -> number
    | NAME -> name
    | NAME "(" argument ("," argument)* ")" -> call
    | "(" sum ")"
?argument: sum
    | sum COMPARISON sum -> condition

POWER.2: /\*\*|\^/
COMPARISON: /[<>]=?/
TIMES.1: /[*\/]/
SIGN: /[+-]/
NUMBER: /{NUMBER}/
NAME: /[{LETTER}][{LETTER}0-9]*[{PRIME}]*/
%ignore /[ \t\r\n\f\v]+/
"""


@cache
def parser(functions: tuple[str, ...] = ()) -> lark.Lark:
    """The LALR parser, built at first use; reductions build expressions directly, without a tree.

    ``functions`` may be called besides those of the language; they stay unspecified.

    >>> parser().parse("1 + 2*3", start="expression").expr
    7
    """
    import lark  # here, because most imports of the package never parse a text

    return lark.Lark(
        GRAMMAR,
        parser="lalr",
        lexer="basic",
        start=["expression", "equation", "assignment", "inequality"],
        transformer=Builder(functions),
    )


# Text in, expression out: `parse_expression`, `parse_equation`, `parse_inequality`, `parse_assignment`.
#
# A text is parsed by the grammar and by nothing else, so it can compute but never execute. What is wrong
# with it is said in a sentence, with a caret under the place.


_PARSE_SHORT = 80
"""Characters of a text that is remembered with what it says."""


def parse_expression(text: str, *, what: str = "the expression", functions: Sequence[str] = ()) -> Expr:
    """The expression that a text denotes; numbers are exact, `x'` and `x''` are symbols of those names.

    ``functions`` may be called besides those of the language and stay unspecified, as ``f`` in ``f(x, y)``.

    >>> parse_expression("0.3*x'^2")
    (3/10)*x'**2
    >>> parse_expression("2x")
    Traceback (most recent call last):
    anholonomy.base.errors.SyntaxProblem: the expression: side by side is not a product; write `*` ...
    """
    try:
        return _expression(text, tuple(functions))
    except Trouble as trouble:
        raise located(trouble, text, what) from None


def _expression(text: str, functions: tuple[str, ...]) -> Expr:
    """Short texts, which come again and again, are read once."""
    is_short = isinstance(text, str) and len(text) <= _PARSE_SHORT
    return _remembered(text, functions) if is_short else _real(_parse(text, "expression", functions))


@lru_cache(maxsize=4096)
def _remembered(text: str, functions: tuple[str, ...]) -> Expr:
    return _real(_parse(text, "expression", functions))


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


def _parse(text: str, start: str, functions: tuple[str, ...] = ()) -> Any:
    """What the grammar builds from a text, every failure as `Trouble`."""
    if not isinstance(text, str):
        raise SyntaxProblem(
            f"a text is wanted where {text!r:.60} of type {type(text).__name__} stands; put it in quotes."
        )
    _check_extent(text)
    if (found := read(text, start, functions)) is not None:
        return found
    from lark import UnexpectedCharacters, UnexpectedToken

    try:
        return parser(functions).parse(text, start=start)
    except UnexpectedCharacters as problem:
        raise _explain(text, problem.pos_in_stream or 0, start) from None
    except UnexpectedToken as problem:
        at = len(text) if problem.token.type == "$END" else problem.token.start_pos
        raise _explain(text, at, start) from None


def _explain(text: str, at: int, start: str) -> Trouble:
    """The grammar's complaint in words; an assignment has its own idea of what stands left of ``=``."""
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


def _real(part: Part) -> Expr:
    try:
        check_real(part.expr)
    except Unreal as problem:
        raise Trouble(part.at, str(problem)) from None
    return part.expr
