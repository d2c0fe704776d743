"""Every question about a system, answered on one page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from math import inf
from typing import Any, ClassVar, final

from anholonomy.algebra.latex import in_words
from anholonomy.base.deadlines import LIMIT
from anholonomy.base.errors import ArgumentError, Error, UnknownNameError, quoted
from anholonomy.base.notebook import framed, preformatted, shown
from anholonomy.language.answers import Part, Readable, Row, below, title
from anholonomy.language.suggestions import did_you_mean
from anholonomy.laws.conserved import read_unknown

__all__ = ["QUESTIONS", "Page", "analysed"]

QUESTIONS: dict[str, str] = {
    "conserved": "what is conserved",
    "moving_energy": "which energy survives",
    "invariant_measure": "whether a density of the configuration is kept",
    "hamiltonize": "whether a change of time makes it Hamiltonian",
    "compare_vakonomic": "whether its motions are vakonomic too",
}
"""The verbs of a system that a page asks, and what each asks; a verb takes ``time_limit``, and its answer can be read, in LaTeX too."""


@final
@dataclass(frozen=True, repr=False)
class Page(Readable):
    """Answers by the name of their question; where a question does not apply, the sentence that says why.

    >>> from anholonomy.catalogue import skate
    >>> page = skate().analyse(only=["conserved"])
    >>> list(page), len(page["conserved"])
    (['conserved'], 4)
    """

    system: str
    answers: tuple[tuple[str, Any], ...]

    most_lines: ClassVar[float] = inf

    def __iter__(self) -> Iterator[str]:
        return (name for name, _ in self.answers)

    def __getitem__(self, name: str) -> Any:
        found = dict(self.answers)
        if name not in found:
            raise UnknownNameError(f"{name!r} was not asked of {self.system}; there are {', '.join(found)}.")
        return found[name]

    def as_rows(self) -> Iterable[Part]:
        yield title(f"{self.system}: what follows from the equations")
        for name, answer in self.answers:
            yield from (Row(), Row(f"{QUESTIONS[name]} ({name})"))
            yield from below(*(map(Row, answer.splitlines()) if isinstance(answer, str) else answer.as_rows()))

    def _repr_html_(self) -> str:
        answers = (
            f"<h4>{QUESTIONS[name]}</h4>{preformatted(each) if isinstance(each, str) else shown(each)}"
            for name, each in self.answers
        )
        return framed(f"<b>{escape(self.system)}</b>", *answers)

    # A page is a document of several answers: in LaTeX each has a paragraph and a display of its own, and a notebook shows it as HTML only.

    def latex(self) -> str:
        r"""The page in LaTeX, a paragraph for each question."""
        parts = []
        for name, answer in self.answers:
            body = in_words(answer) if isinstance(answer, str) else answer.latex()
            parts.append(f"\\paragraph{{{QUESTIONS[name]}}}\n\\[\n{body}\n\\]")
        return "\n\n".join(parts)

    def _repr_latex_(self) -> None:
        return None

    def _data(self) -> dict[str, Any]:
        answers = {name: {"refused": each} if isinstance(each, str) else each.to_dict() for name, each in self.answers}
        return {"system": self.system, "answers": answers}


def analysed(
    system: Any,
    only: Iterable[str] | None = None,
    time_limit: float | None = LIMIT,
    unknown: Sequence[Any] | None = None,
    on: Mapping[Any, Any] | None = None,
) -> Page:
    """Ask a system every question, or those named, each for at most so many seconds; ``unknown`` and ``on`` are for what is conserved."""
    asked = list(QUESTIONS) if only is None else _named(only)
    if "conserved" not in asked and (unknown is not None or on is not None):
        raise ArgumentError(
            "unknown parameters and levels are for what is conserved, which is not asked; ask conserved too."
        )
    words = {} if unknown is None else {"free": read_unknown(system.model, unknown)}
    more = {"conserved": words | ({} if on is None else {"level": on})}
    return Page(system.name, tuple((name, _answer(system, name, time_limit, more.get(name, {}))) for name in asked))


def _named(only: Iterable[str]) -> list[str]:
    names = [only] if isinstance(only, str) else list(only) if isinstance(only, Iterable) else None
    if names is None:
        raise ArgumentError(f"the questions are {quoted(only)}; give a list of {', '.join(QUESTIONS)}.")
    for name in names:
        if name not in QUESTIONS:
            raise UnknownNameError(
                f"there is no question {quoted(name)}; {did_you_mean(name, QUESTIONS)}ask {', '.join(QUESTIONS)}."
            )
    return names


def _answer(system: Any, name: str, time_limit: float | None, words: Mapping[str, Any]) -> Any:
    try:
        return getattr(system, name)(time_limit=time_limit, **words)
    except Error as why:
        return str(why)
