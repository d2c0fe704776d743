"""What is made of a member in the worker: its last value, an extremum, a mean, when something first happens, a period, an exponent."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, final

from anholonomy.language.mistakes.nearest import did_you_mean, same_name
from anholonomy.refusals import IntegrationProblem, UnknownName

__all__ = ["KINDS", "LYAPUNOV", "Reduction", "reductions"]

LYAPUNOV = "lyapunov"
KINDS = {
    "final": "its value at the end",
    "max": "the largest value on the way",
    "min": "the smallest value on the way",
    "mean": "the average over time",
    "time": "when it first passes through zero",
    "period": "the mean time between two passages from below through zero",
    LYAPUNOV: "the largest Lyapunov exponent",
}
"""The ways to make one number of a motion."""
_OF = re.compile(r"\s*(?P<kind>\w+)\s+of\b(?P<text>.*)", re.DOTALL)
_ALIKE = 0.75
"""How much of a word must be as in another, so that it is that one misspelt."""


@final
@dataclass(frozen=True)
class Reduction:
    """A name, the way, and the expression it is made of."""

    name: str
    kind: str
    expression: str

    @property
    def needs_samples(self) -> bool:
        """Whether the end alone does not tell."""
        return self.kind not in ("final", LYAPUNOV)


def reductions(system: str, asked: Any) -> tuple[Reduction, ...]:
    """What ``reduce`` says: ``{"final speed": "u1", "peak": "max of theta", "turn": ("time", "theta - pi")}`` or ``"lyapunov"``.

    >>> reductions("skate", {"peak": "max of theta", "speed": "x'"})
    (Reduction(name='peak', kind='max', expression='theta'), Reduction(name='speed', kind='final', expression="x'"))
    """
    if asked is None:
        return ()
    if isinstance(asked, str):
        asked = {asked: asked}
    if not isinstance(asked, Mapping):
        raise IntegrationProblem(
            f"{system}: `reduce` is {asked!r:.60}; give a dict such as {{'final speed': 'u1'}}, or 'lyapunov'."
        )
    return tuple(_one(system, str(name), value) for name, value in asked.items())


def _one(system: str, name: str, value: Any) -> Reduction:
    if isinstance(value, str) and same_name(value, [LYAPUNOV]):
        return Reduction(name, LYAPUNOV, "")
    if isinstance(value, Sequence) and not isinstance(value, str) and len(value) == 2:
        kind, text = str(value[0]), str(value[1])
    elif of := _OF.fullmatch(str(value)):
        kind, text = of["kind"], of["text"]
    else:
        kind, text = "final", str(value)
        _refuse_nearly(system, name, text)
    if kind not in KINDS or kind == LYAPUNOV:
        known = ", ".join(way for way in KINDS if way != LYAPUNOV)
        near = did_you_mean(kind, KINDS if kind != LYAPUNOV else ())
        said = f"{near}There" if near else "there"
        raise UnknownName(
            f"{system}: `reduce` makes {name!r:.40} by {kind!r:.40}, which is no way; {said} are {known}, and {LYAPUNOV!r} without an expression."
        )
    if not text.strip():
        raise UnknownName(f"{system}: `reduce` makes {name!r:.40} of nothing; write {kind + ' of theta'!r}, say.")
    return Reduction(name, kind, text.strip())


def _refuse_nearly(system: str, name: str, text: str) -> None:
    """A way without its `of`, or the exponent misspelt."""
    first, _, rest = text.strip().partition(" ")
    if first in KINDS and rest[:1].isidentifier():
        raise UnknownName(f"{system}: `reduce` makes {name!r:.40} of {text!r:.60}; write {f'{first} of {rest}'!r:.60}.")
    if get_close_matches(text.strip().lower(), [LYAPUNOV], cutoff=_ALIKE):
        raise UnknownName(f"{system}: `reduce` makes {name!r:.40} of {text!r:.40}; did you mean {LYAPUNOV!r}?")
