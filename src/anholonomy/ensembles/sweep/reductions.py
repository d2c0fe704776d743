"""What is made of a member in the worker: its last value, an extremum, a mean, when something first happens, a period, an exponent."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, final

import numpy as np

from anholonomy.compile.backends.base import Array
from anholonomy.language.mistakes.nearest import did_you_mean, same_name
from anholonomy.refusals import IntegrationProblem, UnknownName

__all__ = ["KINDS", "LYAPUNOV", "Reduction", "reduced", "reductions"]

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
SAMPLES = 1000
"""Intervals between samples for what is sought on the way."""
_OF = re.compile(r"\s*(?P<kind>\w+)\s+of\b(?P<text>.*)", re.DOTALL)
_ALIKE = 0.75
"""How much of a word must be as in another, so that it is that one misspelt."""
_NEAR = 2
"""Samples on either side through which a polynomial is laid."""


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


def reduced(kind: str, times: Array, values: Array) -> Array:
    """One number for each row of values; NaN where there is none.

    >>> times = np.linspace(0, 20, 2001)
    >>> wave = np.sin(times + 0.3)[None]
    >>> [round(float(reduced(kind, times, wave)[0]), 9) for kind in ("max", "time", "period")]
    [1.0, 2.841592654, 6.283185307]
    """
    with np.errstate(all="ignore"):
        if kind == "final":
            return np.asarray(values[:, -1])
        if kind == "mean":
            return np.asarray(np.trapezoid(values, times, axis=1) / (times[-1] - times[0]))
        if kind in ("max", "min"):
            sign = 1.0 if kind == "max" else -1.0
            return np.array([sign * _peak(times, sign * row) for row in values])
        if kind == "time":
            return np.array([next(iter(_passages(times, row, both=True, most=1)), np.nan) for row in values])
        found = [_passages(times, row, both=False) for row in values]
        return np.array([(each[-1] - each[0]) / (len(each) - 1) if len(each) > 1 else np.nan for each in found])


def _peak(times: Array, row: Array) -> float:
    """The largest value, between samples by the polynomial through five of them."""
    if not np.isfinite(row).all():
        return float("nan")
    j = int(np.argmax(row))
    if not _NEAR <= j < row.size - _NEAR:
        return float(row[j])
    near = slice(j - _NEAR, j + _NEAR + 1)
    scale = times[j + 1] - times[j]
    polynomial = np.polynomial.Polynomial.fit(
        (times[near] - times[j]) / scale, row[near], 2 * _NEAR, domain=[-2, 2], window=[-2, 2]
    )
    places = polynomial.deriv().roots()
    inside = places[(np.abs(places.imag) < 1e-9) & (np.abs(places.real) <= 1)].real
    return float(max(row[j], *polynomial(inside))) if inside.size else float(row[j])


def _passages(times: Array, row: Array, both: bool, most: int | None = None) -> list[float]:
    """Where a function passes through zero, from below unless both ways count, by the polynomial through four samples."""
    signs = np.sign(row)
    turns = np.flatnonzero((signs[:-1] * signs[1:] < 0) | ((signs[1:] == 0) & (signs[:-1] != 0)))
    turns = turns if both else turns[row[turns] < 0]
    found = []
    for j in turns[:most]:
        first = min(max(int(j) - 1, 0), max(row.size - 4, 0))
        near = slice(first, first + 4)
        if not np.isfinite(row[near]).all():
            break
        scale = times[j + 1] - times[j]
        s = (times[near] - times[j]) / scale
        polynomial = np.polynomial.Polynomial.fit(s, row[near], s.size - 1, domain=[s[0], s[-1]], window=[s[0], s[-1]])
        places = polynomial.roots()
        inside = places[(np.abs(places.imag) < 1e-9) & (places.real >= -1e-9) & (places.real <= 1 + 1e-9)].real
        linear = row[j] / (row[j] - row[j + 1])
        root = inside[np.argmin(np.abs(inside - linear))] if inside.size else linear
        found.append(float(times[j] + scale * root))
    return found
