"""Events of many members, located side by side.

Events of many members: sign changes between samples, each located by integrating again from the sample before it, all side by side.

A zero is bracketed by two samples and found by regula falsi (Illinois), where every trial is one short motion of every candidate. What is
below the rounding of a function has no sign. A member whose one-sided constraint may be lost goes alone, since how small a force counts as
none is asked of its equations.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import count
from typing import final

import numpy as np
from numpy.typing import NDArray

from anholonomy.algebra.expressions import Symbol, time
from anholonomy.base.tolerances import ROUNDING
from anholonomy.equations.lagrangian import energy
from anholonomy.motion.charts.many_motions import Flight
from anholonomy.motion.events.one_motion import NOISE, begun, ended, ends_low, noise, passes
from anholonomy.motion.integrators.lanes import Halt
from anholonomy.motion.integrators.lanes_layout import ARRIVED
from anholonomy.motion.observables.many_motions import Observables
from anholonomy.motion.observables.one_motion import quantities
from anholonomy.motion.problem.many_motions import Question
from anholonomy.motion.problem.one_motion import MACHINE
from anholonomy.motion.starts.many_motions import Points, repeated
from anholonomy.programs.backends.base import Array

__all__ = ["passages", "Met", "Move", "at_the_start", "located", "met_events"]


# Between which samples a function of many members passes through zero; what it may be off by where it is, $\delta f$, has no sign.
#
# A scale of the whole motion would hide what is small at first in motions that grow: $\delta f$ is that of `anholonomy.motion.events.one_motion`
# at each sample, asked for where a sign depends on it.


def passages(
    functions: Observables, k: int, values: Array, samples: Points, tolerance: float, sizes: NDArray[np.intp]
) -> Iterator[tuple[int, list[tuple[int, int]]]]:
    """The members in whose first ``sizes`` samples function ``k``, with ``values`` (member, time), passes through zero: places before and after."""
    share, width = NOISE * max(tolerance, MACHINE), values.shape[1]
    signs = np.sign(values)
    turning = (signs[:, 1:] != signs[:, :-1]).any(axis=1)
    asked = [
        i
        for i in map(int, np.flatnonzero(sizes > 1))
        if turning[i] or (values[i].any() and ends_low(values[i, : sizes[i]]))
    ]
    places = [[0, sizes[i] - 1, *(j for pair in passes(values[i, : sizes[i]], 0.0) for j in pair)] for i in asked]
    owners = np.repeat(np.array(asked, dtype=np.int64), [len(each) for each in places])
    flat = np.concatenate([np.zeros(0, dtype=np.int64), *places]).astype(np.int64) + owners * width
    is_low = np.abs(values.ravel()[flat]) <= _rounding(functions, k, samples[flat], share)
    doubtful = set(map(int, owners[is_low]))
    for i in asked:
        row = values[i, : sizes[i]]
        floor: Array | float = 0.0
        if i in doubtful:
            floor = _rounding(functions, k, samples[i * width : i * width + row.size], share)
        floors = ended(
            begun(floor, row), row, samples.t[i * width : i * width + row.size]
        )  # an event may have stopped it
        if found := passes(row, floors):
            yield i, found


def _rounding(functions: Observables, k: int, points: Points, share: float) -> Array:
    """What a function may be off by at some points."""
    model = functions.model
    names = (s for s, (section, _) in quantities(model).items() if section == "energy")
    f = functions.functions[k].xreplace(dict(zip(names, energy(model), strict=True)))
    known: dict[Symbol, Array | float] = {time: points.t}
    known |= dict(zip(model.coordinates, points.q.T, strict=True)) | dict(
        zip(model.velocities, points.w.T, strict=True)
    )
    known |= dict(zip(model.parameter_symbols, points.p.T, strict=True))
    others = tuple(f.free_symbols - known.keys())
    if others:
        seen = replace(functions, names=tuple(s.name for s in others), functions=others).values(points)
        known |= dict(zip(others, seen, strict=True))
    return np.broadcast_to(noise(f, known, share), points.t.shape)


# Events of many members: sign changes between samples, each located by integrating again from the sample before it, all side by side.


@final
@dataclass(frozen=True, eq=False)
class Met:
    """The events of some members: whose, which, when and where; and the members that must go alone."""

    member: NDArray[np.int64]
    number: NDArray[np.int64]
    points: Points
    alone: NDArray[np.bool_]


def met_events(
    question: Question, samples: Points, count: int, ready_for: Callable[[Points, int], Flight | None], halt: Halt
) -> Met:
    """The zeros of the watched functions between ``samples`` of ``count`` members, a row for each time of each."""
    watch, size = question.watchlist, len(samples.t) // count
    functions = Observables(question.model, question.derivation, watch.names, watch.functions)
    values = functions.values(samples).reshape(len(watch.names), count, size)
    alone = np.zeros(count, dtype=bool)
    found: list[tuple[int, int, int, int]] = []
    for k in range(len(watch.names)):
        if k >= watch.own:
            share = NOISE * max(question.tolerance, MACHINE)
            top = np.nanmax(np.abs(values[k]), axis=1, initial=0.0)
            alone |= (np.nan_to_num(values[k], nan=1.0) <= share * top[:, None]).any(axis=1)
            continue
        finite = np.isfinite(values[k])
        sizes = np.where(finite.all(axis=1), size, np.argmin(finite, axis=1))
        met = passages(functions, k, values[k], samples, question.tolerance, sizes)
        found += [(i, k, a, b) for i, pairs in met for a, b in pairs]
    found = _up_to_the_stop(question, [each for each in found if not alone[each[0]]])
    if not found:
        nothing = np.zeros(0, dtype=np.int64)
        return Met(nothing, nothing, samples[nothing], alone)
    who, which, before, after = np.array(found).T
    points, lost = located(question, functions, values, samples, (who, which, before, after), size, ready_for, halt)
    alone[who[lost]] = True
    kept = ~lost & ~at_the_start(question, points.t) & ~alone[who]
    return Met(who[kept], which[kept], points[kept], alone)


def at_the_start(question: Question, t: Array) -> NDArray[np.bool_]:
    """Which times are that of the start, but for rounding."""
    return np.asarray(np.abs(t - question.grid[0]) <= ROUNDING * abs(question.grid[-1] - question.grid[0]))


def _up_to_the_stop(question: Question, found: list[tuple[int, int, int, int]]) -> list[tuple[int, int, int, int]]:
    """Without what lies behind the second passage that stops a member; the first may be no passage but where it begins."""
    stopping = {k for k, name in enumerate(question.watchlist.names) if name in question.watchlist.stopping}
    ends: dict[int, list[int]] = {}
    for i, k, _, after in sorted(found, key=lambda each: each[3]):
        if k in stopping:
            ends.setdefault(i, []).append(after)
    return [each for each in found if len(ends.get(each[0], ())) < 2 or each[2] < ends[each[0]][1]]


def located(
    question: Question,
    functions: Observables,
    values: Array,
    samples: Points,
    found: tuple[Array, Array, Array, Array],
    size: int,
    ready_for: Callable[[Points, int], Flight | None],
    halt: Halt,
) -> tuple[Points, NDArray[np.bool_]]:
    """Where each candidate is met, and those that were not found."""
    who, which, before, after = found
    starts, ends = samples[who * size + before], samples[who * size + after]
    a, b = starts.t.copy(), ends.t.copy()
    fa, fb = values[which, who, before], values[which, who, after]
    here = Points(b.copy(), ends.q.copy(), ends.w.copy(), ends.p)
    lost = np.zeros(len(who), dtype=bool)
    done = fb == 0
    move = Move(question, starts, ready_for, halt)
    side = np.zeros(len(who), dtype=int)
    for trial in count():  # of which every fourth halves
        open_ = np.flatnonzero(~done & ~lost)
        if not open_.size:
            break
        with np.errstate(all="ignore"):
            c = (a * fb - b * fa) / (fb - fa)
        middle = (a + b) / 2
        inside = (c - a) * (c - b) < 0
        c = np.where(inside & (trial % 4 != 3), c, middle)
        reached, missed = move(open_, c[open_][:, None])
        lost[open_[missed]] = True
        fc = np.full(len(who), np.nan)
        fc[open_] = functions.values(reached)[which[open_], np.arange(open_.size)]
        here.t[open_], here.q[open_], here.w[open_] = reached.t, reached.q, reached.w
        low = np.zeros(len(who), dtype=bool)
        low[open_] = np.sign(fc[open_]) == np.sign(fa[open_])
        high = ~low & ~done & ~lost
        low &= ~done & ~lost
        fb = np.where(low & (side == 1), fb / 2, fb)
        fa = np.where(high & (side == -1), fa / 2, fa)
        a, fa = np.where(low, c, a), np.where(low, fc, fa)
        b, fb = np.where(high, c, b), np.where(high, fc, fb)
        side = np.where(low, 1, np.where(high, -1, side))
        done |= (fc == 0) | (np.abs(b - a) <= 4 * np.spacing(np.maximum(np.abs(a), np.abs(b))))
    return here, lost


@final
class Move:
    """Candidates moved from their samples to other times, in charts that serve them."""

    def __init__(
        self, question: Question, starts: Points, ready_for: Callable[[Points, int], Flight | None], halt: Halt
    ) -> None:
        self.question, self.starts, self.halt = question, starts, halt
        self.groups: list[tuple[Flight, NDArray[np.int64], Array]] = []
        waiting = np.arange(len(starts.t))
        while waiting.size:
            ready = ready_for(starts, int(waiting[0]))
            if ready is None:
                waiting = waiting[1:]
                continue
            x, quality = ready.states(starts[waiting])
            goes = ready.serves(quality)
            goes[0] = True
            self.groups.append((ready, waiting[goes], x[goes]))
            waiting = waiting[~goes]

    def __call__(self, which: NDArray[np.int64], times: Array) -> tuple[Points, NDArray[np.bool_]]:
        """The chosen candidates at these times, a row each in the order in which they come; and those that did not get to the last."""
        chosen, size = self.starts[which], times.shape[1]
        p = repeated(chosen.p, size)
        out = Points(times.ravel(), np.repeat(chosen.q, size, axis=0), np.repeat(chosen.w, size, axis=0), p)
        missed = np.ones(len(which), dtype=bool)
        place = np.full(len(self.starts.t), -1)
        place[which] = np.arange(len(which))
        for ready, members, x in self.groups:
            mine = place[members] >= 0
            if not mine.any():
                continue
            rows = place[members[mine]]
            p, grid = self.starts.p[members[mine]], self.question.grid
            block = ready.kernel.integrate(
                self.starts.t[members[mine]],
                x[mine],
                p,
                times[rows],
                self.question.tolerance,
                self.halt,
                duration=abs(float(grid[-1] - grid[0])),
                forward=bool(grid[-1] > grid[0]),
            )
            there = ready.points(times[rows].ravel(), block.out.reshape(rows.size * size, -1), repeated(p, size))
            flat = (rows[:, None] * size + np.arange(size)).ravel()
            out.q[flat], out.w[flat] = there.q, there.w
            missed[rows] = block.status != ARRIVED
        return out, missed
