"""What does not parse as a condition: equality, two comparisons at once, words and signs that join them."""

from __future__ import annotations

import re

__all__ = ["about_condition", "unclosed"]

_JOINED = re.compile(r"(?:and|or|not)\b|&|\|\|")
_COMPARED = re.compile(r"[<>][^,(]*$")
_NESTED = "`if(x > 0, if(x < 1, a, b), b)`"


def unclosed(text: str) -> int | None:
    """The place of the innermost parenthesis that is still open.

    >>> unclosed("if(x > (0)"), unclosed("(x)")
    (2, None)
    """
    opened: list[int] = []
    for at, character in enumerate(text):
        if character == "(":
            opened.append(at)
        elif character == ")" and opened:
            opened.pop()
    return opened[-1] if opened else None


def about_condition(text: str, at: int) -> str | None:
    """What is wrong with a condition at a place; None elsewhere, and where it is something else.

    >>> about_condition("if(x == 0, 1, 2)", 5)
    'equality is no condition; compare by `<`, `<=`, `>` or `>=`.'
    """
    if at and _JOINED.match(text, at):
        return f"conditions are not joined; put one `if` inside another, {_NESTED}."
    before = text[:at]
    place = unclosed(before)
    if place is None or not before[:place].rstrip().endswith("if"):
        return None
    if text[at] in "=!≠":
        return "equality is no condition; compare by `<`, `<=`, `>` or `>=`."
    if text[at] in "<>" and _COMPARED.search(before):
        return f"a condition is one comparison; put one `if` inside another, {_NESTED}."
    return "commas separate a condition and its values, `if(x > 0, a, b)`." if text[at] == ";" else None
