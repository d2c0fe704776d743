r"""Answers as rows of parts; text, LaTeX and plain data are made from the same parts.

A part is a string of words, an expression, or one of the classes below. A row is a line of the text. In LaTeX, words stand inside ``\text``, and several
rows stand below each other, aligned at their equality signs. Long expressions are counted in a text unless all of it is wanted; in LaTeX a
notebook counts them, `latex` has all of them.
"""

from __future__ import annotations

import abc
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, groupby
from typing import Any, ClassVar, TypeAlias, final

import symengine

from anholonomy.algebra.expressions import Expr, symbol
from anholonomy.algebra.latex import aligned, in_words, latex
from anholonomy.base.errors import ExpressionError
from anholonomy.base.notebook import Typeset
from anholonomy.language.writing import PAGE, PARAGRAPH, brief, brief_parts, brief_vector, leaves_out, page, to_text

__all__ = [
    "EQUALS",
    "Aside",
    "Components",
    "Mark",
    "Part",
    "Readable",
    "Row",
    "Sum",
    "below",
    "equations",
    "joined",
    "plain",
    "title",
]


Part: TypeAlias = Any
"""Words, an expression, a fraction or an `AbstractPart`; or a row, an answer or a sequence, whose parts are meant."""


class AbstractPart(abc.ABC):
    """A part of a row that is neither words nor an expression."""

    @abc.abstractmethod
    def in_text(self, whole: bool) -> str:
        """The part in a text; what is long is counted unless ``whole``."""

    @abc.abstractmethod
    def in_latex(self) -> str:
        """The part in LaTeX."""


@final
@dataclass(frozen=True)
class Mark(AbstractPart):
    """A name or a sign that text and LaTeX write differently."""

    text: str
    latex: str

    def in_text(self, whole: bool) -> str:
        return self.text

    def in_latex(self) -> str:
        return self.latex


@final
@dataclass(frozen=True)
class Sum(AbstractPart):
    """A sum of basis elements with coefficients.

    >>> x, dx = symengine.Symbol("x"), Mark("dx", r"\\mathrm{d}x")
    >>> Row(Sum(((x + 1, dx), (-x, Mark("dy", ""))))).text()
    '(x + 1) dx - x dy'
    """

    terms: tuple[tuple[Expr, Mark], ...]

    def in_text(self, whole: bool) -> str:
        coefficients = brief_parts([value for value, _ in self.terms], whole)
        return self._written(coefficients, [e.text for _, e in self.terms], " ", "({})")

    def in_latex(self) -> str:
        coefficients = [latex(value) for value, _ in self.terms]
        return self._written(coefficients, [e.latex for _, e in self.terms], r"\,", r"\left({}\right)")

    def _written(self, coefficients: Iterable[str], basis: Iterable[str], gap: str, brackets: str) -> str:
        text = ""
        for (value, _), coefficient, element in zip(self.terms, coefficients, basis, strict=True):
            told = brackets.format(coefficient) if element and isinstance(value, symengine.Add) else coefficient
            size = told.removeprefix("-").lstrip()
            sign = "-" if told.startswith("-") else "+"
            term = element if element and size == "1" else gap.join(filter(None, (size, element)))
            text += f" {sign} {term}" if text else told.removesuffix(size) + term
        return text or "0"


@final
@dataclass(frozen=True)
class Components(AbstractPart):
    """Expressions in brackets, separated by commas; if there is a basis, LaTeX has the sum of its elements with these coefficients."""

    entries: tuple[Expr, ...]
    basis: tuple[str, ...] = ()

    def in_text(self, whole: bool) -> str:
        return brief_vector(self.entries, whole)

    def in_latex(self) -> str:
        if self.basis:
            terms = zip(self.entries, self.basis, strict=True)
            return Sum(tuple((value, Mark("", element)) for value, element in terms if value != 0)).in_latex()
        entries = r",\ ".join(map(latex, self.entries))
        return rf"\left({entries}\right)"


@final
@dataclass(frozen=True)
class Aside(AbstractPart):
    """Parts that are left out if their text is longer than some characters, unless all of the text is wanted."""

    parts: tuple[Part, ...]
    longest: int

    def in_text(self, whole: bool) -> str:
        text = Row(self.parts).text(whole)
        return text if whole or len(text) <= self.longest else ""

    def in_latex(self) -> str:
        return Row(self.parts).latex() if self.in_text(False) else ""


EQUALS = Mark(" = ", "=")
"""The sign of an equation; rows are aligned at it if one part precedes it that is no string of words."""


@final
@dataclass(frozen=True, init=False)
class Row:
    r"""A line of an answer: its parts in reading order and its depth.

    Parts of rows, answers and sequences take their place, and neighbouring words are joined. A title is left out of LaTeX, where a formula stands below its own
    heading.

    >>> x = symengine.Symbol("x")
    >>> row = Row("proven", " at ", [x, EQUALS, Fraction(-1, 2)])
    >>> print(row.text(), row.latex(), sep="; ")
    proven at x = -1/2; \text{proven at } x = - \frac{1}{2}
    """

    parts: tuple[Part, ...]
    depth: int
    heading: bool

    def __init__(self, *parts: Part, depth: int = 0, heading: bool = False) -> None:
        object.__setattr__(self, "parts", tuple(_with_words_joined(_flat(parts))))
        object.__setattr__(self, "depth", depth)
        object.__setattr__(self, "heading", heading)

    def text(self, whole: bool = False) -> str:
        """The line; long expressions are counted unless ``whole``."""
        return "  " * self.depth + "".join(_in_text(part, whole) for part in self.parts)

    def latex(self, whole: bool = True) -> str:
        """The parts in LaTeX."""
        return " ".join(filter(None, (_in_latex(part, whole) for part in self.parts)))

    def aligned(self, least: int, whole: bool = True) -> str:
        """The same for rows below each other, of which ``least`` is the smallest depth, with the mark at which they are aligned."""
        match self.parts:
            case [left, Mark(_, "="), *right] if not isinstance(left, str):
                return f"{Row(left).latex(whole)} &= {Row(right).latex(whole)}"
        return "& " + r"\quad " * (self.depth - least) + self.latex(whole)

    @property
    def has_formulas(self) -> bool:
        """True if a part is no string of words."""
        return not all(isinstance(part, str) for part in self.parts)


def title(*parts: Part) -> Row:
    """The row that says what an answer is about; LaTeX has no titles."""
    return Row(*parts, heading=True)


def below(*rows: Part) -> Iterator[Row]:
    """Rows deeper by one: those of answers, one for anything else."""
    for row in chain.from_iterable(_rows(each) for each in rows):
        yield Row(*row.parts, depth=row.depth + 1, heading=row.heading)


def equations(sides: Mapping[Any, Expr]) -> Iterator[Row]:
    """An equation for each name and its value, deeper by one; a string that is no name is words.

    >>> [row.latex() for row in equations({"u1": symbol("x'"), "d(ln f)": symbol("k")})]
    ['u_{1} = \\\\dot{x}', '\\\\text{d(ln f)} = k']
    """
    for name, value in sides.items():
        is_name = isinstance(name, str) and name.rstrip("'").isidentifier()
        yield Row(symbol(name) if is_name else name, EQUALS, value, depth=1)


def _rows(part: Part) -> list[Row]:
    """The rows of an answer, or the one that anything else is."""
    parts = part.as_rows() if isinstance(part, Readable) else (part,)
    return [each if isinstance(each, Row) else Row(each) for each in parts]


def joined(items: Iterable[Part], between: str = ", ") -> list[Part]:
    """The parts of the items that have any, with words between them.

    >>> Row(joined(["a", "", "b"])).text()
    'a, b'
    """
    rows = [row for row in map(Row, items) if row.parts]
    return [part for row in rows for part in (between, row)][1:]


def _flat(part: Part) -> Iterator[Part]:
    if isinstance(part, Row):
        yield from part.parts
    elif isinstance(part, Readable):
        yield from _flat(joined(part.as_rows()))
    elif isinstance(part, Fraction):
        yield symengine.Rational(part.numerator, part.denominator)
    elif isinstance(part, str | AbstractPart | symengine.Basic):
        yield part
    elif isinstance(part, Iterable):
        yield from chain.from_iterable(map(_flat, part))
    else:
        yield str(part)


def _with_words_joined(parts: Iterable[Part]) -> Iterator[Part]:
    for are_words, some in groupby(parts, lambda part: isinstance(part, str)):
        run = list(some)
        if not are_words:
            yield from run
        elif words := "".join(run):
            yield words


def _in_text(part: Part, whole: bool) -> str:
    if isinstance(part, str):
        return part
    if isinstance(part, AbstractPart):
        return part.in_text(whole)
    if isinstance(part, symengine.Symbol):
        return str(part.name)
    try:
        return brief(part, whole)
    except ExpressionError:  # an integral may need functions that the language does not have
        return str(part)


def _in_latex(part: Part, whole: bool) -> str:
    if isinstance(part, str) or (not whole and leaves_out(_in_text(part, False))):
        return in_words(_in_text(part, False))
    return part.in_latex() if isinstance(part, AbstractPart) else latex(part)


class Readable(Typeset, abc.ABC):
    """An answer that a person reads: its rows are given once, and ``print``, LaTeX, notebooks and files show them.

    ``print`` shows what is short enough, ``text(whole=True)`` is all of it.
    """

    most_lines: ClassVar[float] = PAGE
    """Lines of a text that is not cut."""

    @abc.abstractmethod
    def as_rows(self) -> Iterable[Part]:
        """The rows of the answer; a part that is no row is one by itself."""

    def _data(self) -> Mapping[str, Any] | None:
        """What files keep by name; None if they keep the text."""
        return None

    @final
    def lines(self, whole: bool = False) -> list[str]:
        """The lines of the text; long expressions are counted unless ``whole``."""
        lines = [row.text(whole) for row in _rows(self)]
        return page(lines, whole or len(lines) <= self.most_lines)

    @final
    def text(self, whole: bool = False) -> str:
        """The text; long expressions are counted unless ``whole``."""
        return "\n".join(self.lines(whole))

    def latex(self) -> str:
        r"""The same in LaTeX, words inside ``\text``; several rows are aligned."""
        return _latex_of(_rows(self), whole=True)

    @final
    def to_dict(self) -> dict[str, Any]:
        """Plain data for files: expressions and verdicts as texts, answers inside by what they keep."""
        data = self._data()
        return {"text": self.text()} if data is None else {name: plain(value) for name, value in data.items()}

    @final
    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        line = ", ".join(each.strip() for each in self.lines())
        return f"<{line}>" if len(line) <= PARAGRAPH else f"<{line[:PARAGRAPH]} …>"

    def _repr_latex_(self) -> str | None:
        rows = _rows(self)
        return f"$${_latex_of(rows, whole=False)}$$" if any(row.has_formulas for row in rows) else None


def _latex_of(rows: Sequence[Row], whole: bool) -> str:
    """Rows without titles, below each other if there are several."""
    shown = [row for row in rows if not row.heading] or rows
    least = min((row.depth for row in shown), default=0)
    return shown[0].latex(whole) if len(shown) == 1 else aligned(row.aligned(least, whole) for row in shown)


def plain(value: Any) -> Any:
    """The value as plain data for JSON.

    >>> plain({symengine.Symbol("x"): (symengine.Integer(1), None, 2.5)})
    {'x': ['1', None, 2.5]}
    """
    match value:
        case None | bool() | int() | float() | str():
            return value
        case Readable():
            return value.text() if value._data() is None else value.to_dict()
        case Mapping():
            return {name if isinstance(name, str) else plain(name): plain(each) for name, each in value.items()}
        case symengine.Basic():
            return to_text(value)
        case Row():
            return value.text()
    return [plain(each) for each in value] if isinstance(value, Iterable) else str(value)
