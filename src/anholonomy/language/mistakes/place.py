"""A problem has a place: the sentence, then the line, then a caret under the culprit."""

from __future__ import annotations

from anholonomy.refusals import SyntaxProblem

__all__ = ["Trouble", "located"]

WINDOW = 78
"""Characters of a long line that are shown around the culprit."""


class Trouble(Exception):
    """What is wrong and at which character; `located` makes it a `SyntaxProblem`."""

    def __init__(self, at: int, sentence: str) -> None:
        super().__init__(sentence)
        self.at, self.sentence = at, sentence


def located(trouble: Trouble, text: str, what: str) -> SyntaxProblem:
    """The refusal that a user reads.

    >>> print(located(Trouble(1, "`2x` is not a product; write `2*x`."), "2x", "the Lagrangian"))
    the Lagrangian: `2x` is not a product; write `2*x`.
        2x
         ^
    """
    at = min(trouble.at, len(text))
    begin = text.rfind("\n", 0, at) + 1
    end = text.find("\n", at)
    line = text[begin : end if end >= 0 else len(text)]
    column = at - begin
    if len(line) > WINDOW:
        left = max(0, min(column - WINDOW // 2, len(line) - WINDOW))
        right = left + WINDOW
        before, after = "…" if left else "", "…" if right < len(line) else ""
        line, column = before + line[left:right] + after, column - left + len(before)
    # Control characters would move the caret away from its culprit.
    shown = "".join(c if c.isprintable() else " " for c in line)
    return SyntaxProblem(f"{what}: {trouble.sentence}\n    {shown}\n    {' ' * column}^")
