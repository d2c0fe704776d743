r"""One number of each motion: its last value, an extremum, a mean, the first passage through zero, a period, an exponent.

Samples follow the motions: several for each step that an integrator took, so that none turns between two of them unseen. A passage is then
located by short motions from the sample before it, as an event is, and an extremum by looking ever closer between the samples beside
the largest; a mean is Boole's rule, $\int f \approx \frac{2h}{45}(7f_0 + 32f_1 + 12f_2 + 32f_3 + 7f_4)$. Members that cannot go side by side have
polynomials through their samples instead.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import partial
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from anholonomy.base.errors import IntegrationError, UnknownNameError, quoted
from anholonomy.base.tolerances import is_same
from anholonomy.language.arguments import expect_mapping
from anholonomy.language.suggestions import did_you_mean, same_name
from anholonomy.motion.charts.many_motions import flight_at
from anholonomy.motion.driver.many_motions import Answer, answered
from anholonomy.motion.events.many_motions import Move, at_the_start, located, passages
from anholonomy.motion.events.one_motion import EACH, Watchlist
from anholonomy.motion.integrators.lanes import Halt
from anholonomy.motion.observables.many_motions import Observables
from anholonomy.motion.problem.many_motions import Question
from anholonomy.motion.signals.many_motions import at_times
from anholonomy.motion.starts.many_motions import ROOM, Points, repeated
from anholonomy.programs.backends.base import Array

__all__ = ["LYAPUNOV", "SAMPLES", "Reduction", "on_the_way", "reductions"]


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
    """What ``summaries`` says: ``{"final speed": "u1", "peak": "max of theta", "turn": ("time", "theta - pi")}`` or ``"lyapunov"``.

    >>> reductions("skate", {"peak": "max of theta", "speed": "x'"})
    (Reduction(name='peak', kind='max', expression='theta'), Reduction(name='speed', kind='final', expression="x'"))
    """
    if asked is None:
        return ()
    if isinstance(asked, str):
        asked = {asked: asked}
    expect_mapping(
        asked,
        f"{system}: `summaries`",
        "a dict such as {'final speed': 'u1'}, or 'lyapunov'",
        verb="is",
        refusal=IntegrationError,
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
        raise UnknownNameError(
            f"{system}: `summaries` makes {quoted(name)} by {quoted(kind)}, which is no way; {said} are {known}, and {LYAPUNOV!r} without an expression."
        )
    if not text.strip():
        raise UnknownNameError(
            f"{system}: `summaries` makes {quoted(name)} of nothing; write {kind + ' of theta'!r}, say."
        )
    return Reduction(name, kind, text.strip())


def _refuse_nearly(system: str, name: str, text: str) -> None:
    """A way without its `of`, or the exponent misspelt."""
    first, _, rest = text.strip().partition(" ")
    if first in KINDS and rest[:1].isidentifier():
        raise UnknownNameError(
            f"{system}: `summaries` makes {quoted(name)} of {quoted(text)}; write {f'{first} of {rest}'!r:.60}."
        )
    if get_close_matches(text.strip().lower(), [LYAPUNOV], cutoff=_ALIKE):
        raise UnknownNameError(
            f"{system}: `summaries` makes {quoted(name)} of {quoted(text)}; did you mean {LYAPUNOV!r}?"
        )


# What happens on the way.


SAMPLES = 1000
"""Intervals between samples, at least; a multiple of four, for Boole's rule."""
_BOOLE = np.array([14.0, 32.0, 12.0, 32.0]) * 2 / 45


def on_the_way(
    question: Question, functions: Observables, kinds: Sequence[str], points: Points, answer: Answer, halt: Halt
) -> Array:
    """A number for each function and member, (function, member); ``answer`` has its samples at the question's even times."""
    found = np.full((len(kinds), len(points.t)), np.nan)
    finer = np.maximum(EACH * answer.steps / (question.grid.size - 1), 1.0)
    width = 8 * (answer.q.shape[2] + answer.w.shape[2]) * question.grid.size
    finest = max(EACH * ROOM // width, 1)  # one member may take as much as eight blocks
    factors = np.minimum(2 ** np.ceil(np.log2(finer)).astype(int), finest)
    for factor in np.unique(factors):
        which = np.flatnonzero(factors == factor)
        for who, asked, seen in _sampled(question, points, answer, which, int(factor), halt):
            found[:, who] = _Seen.of(asked, functions, points[who], seen, answer, who, halt).numbers(kinds)
    return found


def _sampled(
    question: Question, points: Points, answer: Answer, which: NDArray[np.intp], factor: int, halt: Halt
) -> Iterator[tuple[NDArray[np.intp], Question, Answer]]:
    """Members with as many times more samples, some after the others; what stops them is known already."""
    if factor == 1:
        is_all = which.size == len(points.t)
        yield which, question, answer if is_all else replace(answer, q=answer.q[which], w=answer.w[which])
        return
    first, last = question.grid[[0, -1]]
    grid = np.linspace(first, last, (question.grid.size - 1) * factor + 1)
    asked = replace(
        question,
        grid=grid,
        watchlist=Watchlist((), (), frozenset()),
        options={**question.options, "events": None, "stop": ()},
    )
    width = 8 * (answer.q.shape[2] + answer.w.shape[2]) * grid.size
    size = max(1, ROOM // width)
    for begin in range(0, which.size, size):
        if halt[0]:
            return
        who = which[begin : begin + size]
        yield who, asked, answered(asked, points[who], halt)


@final
@dataclass(frozen=True, eq=False)
class _Seen:
    """Members at their samples, the last of which is where a member was stopped."""

    question: Question
    functions: Observables
    samples: Points
    values: Array
    """(function, member, time)"""
    last: NDArray[np.intp]
    """The place of the last sample of each."""
    complete: NDArray[np.bool_]
    halt: Halt

    @classmethod
    def of(
        cls,
        question: Question,
        functions: Observables,
        points: Points,
        seen: Answer,
        answer: Answer,
        who: NDArray[np.intp],
        halt: Halt,
    ) -> _Seen:
        grid, count = question.grid, len(who)
        size, forward = grid.size, question.forward
        times, q, w = np.tile(grid, (count, 1)), seen.q, seen.w
        last = np.full(count, size - 1)
        early = (forward * (grid[-1] - answer.stop_times[who]) > 0) | ~answer.complete[who]
        if early.any():
            q, w = q.copy(), w.copy()
        for i in np.flatnonzero(early):
            member, stop = who[i], answer.stop_times[who[i]]
            place = int(np.searchsorted(forward * grid, forward * stop))
            # Two samples at one time would make a polynomial through samples worthless.
            place -= place > 0 and is_same(stop, grid[place - 1], max(abs(grid[0]), abs(grid[-1])))
            q[i, place + 1 :], w[i, place + 1 :] = np.nan, np.nan
            if answer.complete[member] and answer.end_q is not None and answer.end_w is not None:
                times[i, place], q[i, place], w[i, place] = stop, answer.end_q[member], answer.end_w[member]
            there = np.flatnonzero(np.isfinite(q[i]).all(axis=1))
            last[i] = there[-1] if there.size else 0
        flat = times.ravel()
        p = at_times(question.driven, repeated(points.p, size), flat, forward)
        samples = Points(flat, q.reshape(count * size, -1), w.reshape(count * size, -1), p)
        values = functions.values(samples).reshape(len(functions.names), count, size)
        return cls(question, functions, samples, values, last, answer.complete[who], halt)

    @property
    def times(self) -> Array:
        return self.samples.t.reshape(self.values.shape[1:])

    def numbers(self, kinds: Sequence[str]) -> Array:
        """One for each function by its kind, and each member."""
        ways = {"max": self.largest, "min": self.smallest, "mean": self.mean, "time": self.first, "period": self.period}
        with np.errstate(all="ignore"):
            return np.array([ways[kind](k) for k, kind in enumerate(kinds)])

    def mean(self, k: int) -> Array:
        """The average over the time that each lasted."""
        f, times = self.values[k], self.times
        h = (self.question.grid[-1] - self.question.grid[0]) / (f.shape[1] - 1)
        fours = f[:, :-1].reshape(len(f), -1, 4) @ _BOOLE
        whole = h * (fours + (f[:, 4::4] - f[:, :-1:4]) * _BOOLE[0] / 2)
        sums = whole.sum(axis=1)
        for i in np.flatnonzero(self.last < f.shape[1] - 1):
            done = max(int(self.last[i] - 1) // 4, 0) * 4  # the last interval is shorter than others
            sums[i] = whole[i, : done // 4].sum() + _rest(times[i], f[i], done, int(self.last[i]))
        lasted = times[np.arange(len(f)), self.last] - times[:, 0]
        return np.asarray(np.where(self.complete, sums / lasted, np.nan))

    def largest(self, k: int) -> Array:
        return self._extreme(k, 1.0)

    def smallest(self, k: int) -> Array:
        return self._extreme(k, -1.0)

    def _extreme(self, k: int, sign: float) -> Array:
        """The largest of a function or its negative, between the samples beside the largest."""
        f = sign * self.values[k]
        found = np.full(len(f), np.nan)
        inside = np.arange(f.shape[1]) <= self.last[:, None]
        who = np.flatnonzero(self.complete & (np.isfinite(f) | ~inside).all(axis=1))
        if not who.size:
            return found
        f = np.where(inside, f, -np.inf)[who]
        estimates = _estimates(f)
        top = np.argmax(estimates, axis=1)
        before, after = np.maximum(top - 1, 0), np.minimum(top + 1, self.last[who])
        rows, size = np.arange(len(who)), f.shape[1]
        found[who] = estimates[rows, top]
        starts = self.samples[who * size + before]
        if self.question.driven:  # from knot to knot
            return sign * found
        move = Move(self.question, starts, partial(flight_at, self.question.derivation, self.question.model), self.halt)
        a, b, fa, best = starts.t, self.times[who, after], f[rows, before], f[rows, top]
        one = replace(
            self.functions, names=self.functions.names[k : k + 1], functions=self.functions.functions[k : k + 1]
        )
        while rows.size:
            times = a[:, None] + (b - a)[:, None] * np.linspace(0, 1, EACH + 1)
            reached, missed = move(rows, times[:, 1:])
            near = np.column_stack([fa, sign * one.values(reached)[0].reshape(rows.size, EACH)])
            good = ~missed & np.isfinite(near).all(axis=1)
            rows, times, near = rows[good], times[good], near[good]
            top, rough = _estimates(near).max(axis=1), _estimates(near[:, ::2]).max(axis=1)
            best[rows] = np.maximum(best[rows], top)
            found[who[rows]] = best[rows]
            # Where half of the points say the same, nothing is hidden between them; a kink is looked at until its times are one.
            on = np.abs(top - rough) > self.question.tolerance * np.abs(near).max(axis=1, initial=0.0)
            on &= np.abs(times[:, -1] - times[:, 0]) > 2 * EACH * np.spacing(np.abs(times).max(axis=1, initial=0.0))
            rows, times, near = rows[on], times[on], near[on]
            j, own = near.argmax(axis=1), np.arange(rows.size)
            low = np.maximum(j - 1, 0)
            a, b, fa = times[own, low], times[own, np.minimum(j + 1, EACH)], near[own, low]
        return sign * found

    def first(self, k: int) -> Array:
        """When a function first passes through zero."""
        found = np.full(len(self.last), np.nan)
        met = dict(self._passages(k))
        while met:
            times = self._located(k, list(met), [pairs[0] for pairs in met.values()])
            found[list(met)] = np.where(begins := at_the_start(self.question, times), np.nan, times)
            met = {
                i: pairs[1:] for (i, pairs), is_start in zip(met.items(), begins, strict=True) if is_start and pairs[1:]
            }
        return found

    def period(self, k: int) -> Array:
        """The mean time between passages from below."""
        found = np.full(len(self.last), np.nan)
        met = {
            i: rising
            for i, pairs in self._passages(k)
            if len(rising := [(a, b) for a, b in pairs if self.values[k, i, a] < 0 < self.values[k, i, b]]) > 1
        }
        begins = self._located(k, list(met), [pairs[0] for pairs in met.values()])
        ends = self._located(k, list(met), [pairs[-1] for pairs in met.values()])
        found[list(met)] = abs(ends - begins) / np.array([len(pairs) - 1 for pairs in met.values()])
        return found

    def _passages(self, k: int) -> Iterator[tuple[int, list[tuple[int, int]]]]:
        """The members whose function passes through zero, with the places before and after."""
        inside = np.arange(self.values.shape[2]) <= self.last[:, None]
        is_whole = (np.isfinite(self.values[k]) | ~inside).all(axis=1)
        sizes = np.where(is_whole, self.last + 1, 0)
        return passages(self.functions, k, self.values[k], self.samples, self.question.tolerance, sizes)

    def _located(self, k: int, members: list[int], pairs: list[tuple[int, int]]) -> Array:
        """The zeros between samples, one for each of some members."""
        if not members:
            return np.zeros(0)
        who, (before, after) = np.array(members), np.array(pairs).T
        which = np.full(len(who), k)
        size, rows, values = self.values.shape[2], self.times[who], self.values[k, who]
        if self.question.driven:
            return np.array(list(map(_zero, rows, values, before, after)))
        points, lost = located(
            self.question,
            self.functions,
            self.values,
            self.samples,
            (who, which, before, after),
            size,
            partial(flight_at, self.question.derivation, self.question.model),
            self.halt,
        )
        for i in np.flatnonzero(lost):
            points.t[i] = _zero(rows[i], values[i], before[i], after[i])
        return points.t


def _estimates(f: Array) -> Array:
    """The values at samples; at a maximum among them that of the polynomial through five, so that the higher of two maxima is found.

    >>> wave = np.sin(np.linspace(0, 20, 201))
    >>> bool(abs(_estimates(wave[None]).max() - 1) < 1e-7)
    True
    """
    found = f.copy()
    if f.shape[1] < 5:
        return found
    a, b, c, d, e = (f[:, k : f.shape[1] - 4 + k] for k in range(5))
    with np.errstate(all="ignore"):
        rows, places = np.nonzero((c >= b) & (c >= d) & np.isfinite(a + b + d + e))
        a, b, c, d, e = (each[rows, places] for each in (a, b, c, d, e))
        first, second = (a - 8 * b + 8 * d - e) / 12, (16 * (b + d) - a - e - 30 * c) / 12
        third, fourth = (e - a) / 2 + b - d, a + e - 4 * (b + d) + 6 * c
        s = -first / second
        s -= (first + s * (second + s * (third / 2 + s * fourth / 6))) / (second + s * (third + s * fourth / 2))
        s = np.where(np.abs(s) <= 1, s, 0.0)
    top = c + s * (first + s * (second / 2 + s * (third / 6 + s * fourth / 24)))
    found[rows, places + 2] = np.maximum(c, top)
    return found


def _zero(times: Array, row: Array, before: int, after: int) -> float:
    """Where a function passes through zero between two samples, by the polynomial through four.

    >>> times = np.linspace(0, 4, 41)
    >>> abs(_zero(times, np.cos(times), 15, 16) - np.pi / 2) < 1e-6
    True
    """
    linear = row[before] / (row[before] - row[after])
    first = min(max(before - 1, 0), max(row.size - 4, 0))
    near = slice(first, first + 4)
    scale = times[after] - times[before]
    if row.size < 4 or not np.isfinite(row[near]).all():
        return float(times[before] + scale * linear)
    s = (times[near] - times[before]) / scale
    polynomial = np.polynomial.Polynomial.fit(s, row[near], s.size - 1, domain=[s[0], s[-1]], window=[s[0], s[-1]])
    places = polynomial.roots()
    inside = places[(np.abs(places.imag) < 1e-9) & (places.real >= -1e-9) & (places.real <= 1 + 1e-9)].real
    return float(times[before] + scale * (inside[np.argmin(np.abs(inside - linear))] if inside.size else linear))


def _rest(times: Array, row: Array, begin: int, end: int) -> float:
    """The integral between two places, by one polynomial through the samples there and some before."""
    near = slice(max(min(begin, end - 4), 0), end + 1)
    if end <= begin:
        return 0.0
    t = times[near]
    polynomial = np.polynomial.Polynomial.fit(t, row[near], t.size - 1).integ()
    return float(polynomial(times[end]) - polynomial(times[begin]))
