"""Text in, expression out: `parse_expression`, `parse_equation`, `parse_inequality`, `parse_assignment`.

A text is parsed by the grammar and by nothing else, so it can compute but never execute. What is wrong
with it is said in a sentence, with a caret under the place.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from anholonomy.language import limits
from anholonomy.language.grammar.descent import read
from anholonomy.language.grammar.functions import add
from anholonomy.language.grammar.grammar import parser
from anholonomy.language.grammar.parts import Part
from anholonomy.language.grammar.reality import Unreal, check_real
from anholonomy.language.mistakes.advice import explain
from anholonomy.language.mistakes.place import Trouble, located
from anholonomy.refusals import SyntaxProblem
from anholonomy.symbolic.expressions import Expr

__all__ = ["parse_assignment", "parse_equation", "parse_expression", "parse_inequality"]

_SHORT = 80
"""Characters of a text that is remembered with what it says."""


def parse_expression(text: str, *, what: str = "the expression", functions: Sequence[str] = ()) -> Expr:
    """The expression that a text denotes; numbers are exact, `x'` and `x''` are symbols of those names.

    ``functions`` may be called besides those of the language and stay unspecified, as ``f`` in ``f(x, y)``.

    >>> parse_expression("0.3*x'^2")
    (3/10)*x'**2
    >>> parse_expression("2x")
    Traceback (most recent call last):
    anholonomy.refusals.SyntaxProblem: the expression: side by side is not a product; write `*` ...
    """
    try:
        return _expression(text, tuple(functions))
    except Trouble as trouble:
        raise located(trouble, text, what) from None


def _expression(text: str, functions: tuple[str, ...]) -> Expr:
    """Short texts, which come again and again, are read once."""
    is_short = isinstance(text, str) and len(text) <= _SHORT
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
