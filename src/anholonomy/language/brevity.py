"""Texts as long as they are read: an expression of pages is counted, a list of pages is cut, a ``repr`` is a paragraph.

Nobody reads an expression of pages. Where one is longer than a paragraph, the count of its operations stands in its place, and
whoever wants all of it asks for the whole.
"""

from __future__ import annotations

import abc
import re
from collections.abc import Sequence
from typing import final

import symengine

from anholonomy.displays.shown import Shown
from anholonomy.language.writing import to_text

__all__ = ["PARAGRAPH", "Readable", "brief", "brief_parts", "brief_vector", "leaves_out", "page"]

PARAGRAPH = 1000
"""Characters of an expression that is still read."""
WORD = 60
"""Characters of a component that stays in a vector that is too long as a whole."""
PAGE = 100
"""Lines of a list that is still read."""

_OMISSION = re.compile(r"\[[\d,]+ operations\]|… and [\d,]+ more")


def brief(expression: symengine.Basic, whole: bool = False, longest: int = PARAGRAPH) -> str:
    """The text of an expression, or the count of its operations where the text is longer; all of it if ``whole``.

    >>> x = symengine.Symbol("x")
    >>> brief(x**2 + 1, longest=3), brief(x**2 + 1, whole=True, longest=3)
    ('[2 operations]', 'x^2 + 1')
    """
    operations = int(symengine.count_ops(expression))
    # Every operation takes a character or more, but for signs; what is far too long is not even written.
    if not whole and operations > 4 * longest:
        return f"[{operations:,} operations]"
    text = to_text(expression)
    return text if whole or len(text) <= longest else f"[{operations:,} operations]"


def brief_vector(row: Sequence[symengine.Basic], whole: bool = False) -> str:
    """The components in brackets; where they are too long together, the long ones are counted.

    >>> brief_vector(symengine.symbols("x y"))
    '(x, y)'
    """
    return f"({', '.join(brief_parts(row, whole))})"


def brief_parts(parts: Sequence[symengine.Basic], whole: bool = False) -> list[str]:
    """The texts of expressions that are read together; where they are too long together, the long ones are counted."""
    texts = [brief(each, whole) for each in parts]
    if whole or (sum(map(len, texts)) <= PARAGRAPH and not any(map(leaves_out, texts))):
        return texts
    return [brief(each, longest=WORD) for each in parts]


def page(lines: Sequence[str], whole: bool = False) -> list[str]:
    """The lines, or those of a page and the count of the others.

    >>> page(["a"] * 102)[-2:]
    ['a', '… and 2 more']
    """
    if whole or len(lines) <= PAGE:
        return list(lines)
    return [*lines[:PAGE], f"… and {len(lines) - PAGE:,} more"]


def leaves_out(text: str) -> bool:
    """Whether something is counted in a text instead of written.

    >>> leaves_out("x = [12,345 operations]"), leaves_out("x = y")
    (True, False)
    """
    return _OMISSION.search(text) is not None


class Readable(Shown, abc.ABC):
    """What a person reads: ``print`` shows what is short enough, ``text(whole=True)`` is all of it."""

    @abc.abstractmethod
    def lines(self, whole: bool = False) -> list[str]:
        """The lines of the text; long expressions are counted unless ``whole``."""

    @final
    def text(self, whole: bool = False) -> str:
        """The text; long expressions are counted unless ``whole``."""
        return "\n".join(self.lines(whole))

    @final
    def __str__(self) -> str:
        return self.text()

    @final
    def __repr__(self) -> str:
        line = ", ".join(each.strip() for each in self.lines())
        return f"<{line}>" if len(line) <= PARAGRAPH else f"<{line[:PARAGRAPH]} …>"
