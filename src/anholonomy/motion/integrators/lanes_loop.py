"""The loop that hands members to lanes: each is begun where one is free, stepped until it arrives, and its samples are written.

Numba compiles this file once per machine and keeps the result on disk; the steps come in as addresses of machine code. Nothing here
holds Python's lock, so that every core can run one.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from llvmlite import ir  # type: ignore[import-untyped]
from numba import types
from numba.extending import intrinsic

from anholonomy.motion.charts.compiled_frames import frame_quality
from anholonomy.motion.integrators.lanes_layout import ARRIVED, LEFT, NOT_FINITE, TINY, TOO_MANY, UNFINISHED

__all__ = ["ROWS", "drive"]

SHRINKS, KEEPS_SIGN, FRAME = 0, 1, 2
"""What is asked of a watched number: that it stays above a part of what it was, that its sign stays; a frame's vectors come together."""

ROWS = (
    *("t", "h", "end", "limit", "direction", "longest", "later", "length", "error", "sample", "first_h"),
    *("x", "lost", "sizes", "new", "first_sizes", "k", "dense", "p", "watch", "entry"),
)
"""The rows of the `Layout` that are used here, in the order of their numbers."""
T, H, END, LIMIT, DIRECTION, LONGEST, LATER, LENGTH, ERROR, SAMPLE, FIRST_H = range(11)
X, LOST, SIZES, NEW, FIRST_SIZES, K, DENSE, P, WATCH, ENTRY = range(11, 21)


def _call_on_array(context: Any, address: Any, array: Any) -> Any:
    """Call the machine code at ``address`` with an array's address; it returns an integer."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = ir.DoubleType().as_pointer()
        function = ir.FunctionType(ir.IntType(64), [pointer])
        callee = builder.inttoptr(arguments[0], function.as_pointer())
        return builder.call(callee, [builder.inttoptr(arguments[1], pointer)])

    return types.int64(types.uintp, types.uintp), generate


call_on_array: Any = intrinsic(_call_on_array)


@numba.njit(cache=True, nogil=True)
def _sample(w: Any, dense: int, x: int, lane: int, theta: float, out: Any) -> None:
    """The state of a lane within its last step, by dense output."""
    n = out.size
    for m in range(n):
        value = 0.0
        for row in range(3, -1, -1):
            value = (value + w[dense + row * n + m, lane]) * (theta if row % 2 else 1.0 - theta)
        value = (value + w[dense + 4 * n + m, lane]) * theta
        value = (value + w[dense + 5 * n + m, lane]) * (1.0 - theta)
        out[m] = w[x + m, lane] + (value + w[dense + 6 * n + m, lane]) * theta


@numba.njit(cache=True, nogil=True)
def _has_left(w: Any, watch: int, entry: int, lane: int, watched: Any, quality: float) -> bool:
    """Whether what is watched says that a lane must not go on."""
    kinds, parts, frame, square = watched
    if frame[0] > 0 and not frame_quality(w, lane, watch, frame[0], frame[1], square) > parts[0] * quality:
        return True
    for i in range(frame[0] * frame[1], kinds.size):
        now, then = w[watch + i, lane], w[entry + i, lane]
        if kinds[i] == SHRINKS:
            if not abs(now) > parts[i] * abs(then):
                return True
        elif then == 0.0 or not now * np.sign(then) > 0.0:
            return True
    return False


@numba.njit(cache=True, nogil=True)
def _hand_out(w: Any, rows: Any, starts: Any, lanes: Any, coming: int) -> int:
    """Give free lanes the members that come next; the number of those handed out so far."""
    t0, x0, p0, longest = starts
    member, attempts, stop, fresh = lanes[:4]
    for lane in range(w.shape[1]):
        if member[lane] < 0 and coming < x0.shape[0]:
            i = coming
            coming += 1
            member[lane], fresh[lane], attempts[lane], stop[lane] = i, 1, 0, 0
            w[rows[T], lane] = t0[i]
            w[rows[LONGEST], lane] = longest[min(i, longest.size - 1)]
            for m in range(x0.shape[1]):
                w[rows[X] + m, lane] = x0[i, m]
                w[rows[LOST] + m, lane] = 0.0
            row = min(i, p0.shape[0] - 1)
            for m in range(p0.shape[1]):
                w[rows[P] + m, lane] = p0[row, m]
    return coming


@numba.njit(cache=True, nogil=True)
def _release(w: Any, rows: Any, lanes: Any, lane: int, verdict: int, answer: Any) -> None:
    """Note where a member ended, and free its lane, which from then on makes steps of no length."""
    status, _, stop_t, stop_x, _ = answer
    i = lanes[0][lane]
    status[i], stop_t[i] = verdict, w[rows[T], lane]
    for m in range(stop_x.shape[1]):
        stop_x[i, m] = w[rows[X] + m, lane]
    lanes[0][lane] = -1
    w[rows[END], lane], w[rows[H], lane] = w[rows[T], lane], 0.0
    w[rows[SAMPLE], lane] = w[rows[DIRECTION], lane] * np.inf


@numba.njit(cache=True, nogil=True)
def _begin(w: Any, rows: Any, lanes: Any, grid: Any, ends: Any, watched: Any, out: Any, answer: Any) -> None:
    """The first step of members that were handed out, the samples at their very beginning, and what is watched there."""
    member, _, stop, fresh, quality = lanes
    times, first = grid
    kinds, _, frame, square = watched
    _, filled, _, stop_x, steps = answer
    n = stop_x.shape[1]
    for lane in range(w.shape[1]):
        if not fresh[lane]:
            continue
        fresh[lane] = 0
        i, direction, t0 = member[lane], w[rows[DIRECTION], lane], w[rows[T], lane]
        w[rows[H], lane], w[rows[LIMIT], lane] = w[rows[FIRST_H], lane], 10.0
        is_finite = True
        for m in range(n):
            w[rows[SIZES] + m, lane] = w[rows[FIRST_SIZES] + m, lane]
            is_finite = is_finite and np.isfinite(w[rows[K] + m, lane])
        for m in range(kinds.size):
            w[rows[ENTRY] + m, lane] = w[rows[WATCH] + m, lane]
        if frame[0] > 0:
            quality[lane] = frame_quality(w, lane, rows[WATCH], frame[0], frame[1], square)
        own, stops = times[min(i, times.shape[0] - 1)], ends[min(i, ends.shape[0] - 1)]
        while stop[lane] < stops.size - 1 and direction * (stops[stop[lane]] - t0) <= 0.0:
            stop[lane] += 1
        w[rows[END], lane] = stops[stop[lane]]
        j = first[i]
        while j < own.size and own[j] == t0:
            for m in range(n):
                out[i, j, m] = w[rows[X] + m, lane]
            j += 1
        filled[i], steps[i] = j, 0
        w[rows[SAMPLE], lane] = own[j] if j < own.size else direction * np.inf
        if w[rows[END], lane] == t0:
            _release(w, rows, lanes, lane, ARRIVED, answer)
        elif not is_finite:
            _release(w, rows, lanes, lane, NOT_FINITE, answer)


@numba.njit(cache=True, nogil=True)
def _write(w: Any, rows: Any, lanes: Any, dense: int, passed: int, grid: Any, out: Any, filled: Any) -> None:
    """The samples that the last step of each lane passed."""
    times, n, between = grid[0], out.shape[2], False
    for lane in range(w.shape[1]):
        if (passed >> lane) & 1 and lanes[0][lane] >= 0 and w[rows[SAMPLE], lane] != w[rows[LATER], lane]:
            between = True
    if between:
        call_on_array(dense, w.ctypes.data)
    for lane in range(w.shape[1]):
        i = lanes[0][lane]
        if i < 0 or not (passed >> lane) & 1:
            continue
        own, j = times[min(i, times.shape[0] - 1)], filled[i]
        later, direction = w[rows[LATER], lane], w[rows[DIRECTION], lane]
        while j < own.size and direction * (own[j] - later) <= 0.0:
            if own[j] == later:
                for m in range(n):
                    out[i, j, m] = w[rows[NEW] + m, lane]
            else:
                theta = (own[j] - w[rows[T], lane]) / w[rows[LENGTH], lane]
                _sample(w, rows[DENSE], rows[X], lane, theta, out[i, j])
            j += 1
        filled[i] = j
        w[rows[SAMPLE], lane] = own[j] if j < own.size else direction * np.inf


@numba.njit(cache=True, nogil=True)
def _judge(w: Any, rows: Any, lanes: Any, flags: Any, ends: Any, answer: Any, most: int) -> None:
    """After a step: who has arrived, who cannot go on."""
    accepted, arrived, tiny = flags
    member, attempts, stop = lanes[:3]
    for lane in range(w.shape[1]):
        i = member[lane]
        if i < 0:
            continue
        attempts[lane] += 1
        answer[4][i] += (accepted >> lane) & 1
        verdict = UNFINISHED
        if (arrived >> lane) & 1:
            stops = ends[min(i, ends.shape[0] - 1)]
            if stop[lane] < stops.size - 1:
                stop[lane] += 1
                w[rows[END], lane] = stops[stop[lane]]
            else:
                verdict = ARRIVED
        elif (tiny >> lane) & 1:
            verdict = TINY if np.isfinite(w[rows[ERROR], lane]) else NOT_FINITE
        if verdict == UNFINISHED and attempts[lane] >= most:
            verdict = TOO_MANY
        if verdict != UNFINISHED:
            _release(w, rows, lanes, lane, verdict, answer)


@numba.njit(cache=True, nogil=True)
def _dismiss(w: Any, rows: Any, lanes: Any, accepted: int, watched: Any, answer: Any) -> int:
    """Free the lanes whose last step led where they must not go: they end before it. The lanes that go on."""
    staying = accepted
    for lane in range(w.shape[1]):
        if lanes[0][lane] < 0 or not (accepted >> lane) & 1:
            continue
        if _has_left(w, rows[WATCH], rows[ENTRY], lane, watched, lanes[4][lane]):
            _release(w, rows, lanes, lane, LEFT, answer)
            w[rows[ERROR], lane] = np.inf  # so that the step is not made
            staying &= ~(1 << lane)
    return staying


@numba.njit(cache=True, nogil=True)
def drive(
    codes: Any,
    rows: Any,
    w: Any,
    starts: Any,
    grid: Any,
    ends: Any,
    watched: Any,
    out: Any,
    answer: Any,
    most: int,
    halt: Any,
) -> None:
    """Integrate members, as many at a time as there are lanes.

    ``codes`` are the addresses of `begin`, `step`, `dense`, `commit`, and of `enter` and `watch` (0 where nothing is watched), ``rows``
    the places of the `Layout` in the array ``w``. ``starts`` are times, states, parameters and longest steps, a row each (one row of
    parameters may serve all). ``grid`` are the times of samples, a row for each member or one for all, and the place in it where each
    begins; ``ends`` the stops in order, the last of them the end, for each member or for all. ``watched`` are kinds, shares, the shape of
    the frame and room for it. ``out`` gets samples (member, time, state); ``answer`` how each ended, where in the grid, time, state, and
    steps. ``halt`` is set from outside to end at once.
    """
    begin, step, dense, commit, enter, watch = codes
    count, width = starts[1].shape[0], w.shape[1]
    lanes = (
        *(np.full(width, -1, dtype=np.int64), np.zeros(width, dtype=np.int64), np.zeros(width, dtype=np.int64)),
        *(np.zeros(width, dtype=np.int64), np.ones(width)),
    )
    coming = _hand_out(w, rows, starts, lanes, 0)
    for lane in range(coming, width):  # what has no member repeats the first, at rest
        w[:, lane] = w[:, 0]
    mask = (1 << width) - 1
    while halt[0] == 0:
        if lanes[3].any():
            call_on_array(begin, w.ctypes.data)
            if enter != 0:
                call_on_array(enter, w.ctypes.data)
            _begin(w, rows, lanes, grid, ends, watched, out, answer)
        elif (lanes[0] < 0).all():
            break
        else:
            flags = call_on_array(step, w.ctypes.data)
            accepted, passed = flags & mask, flags >> width
            if watch != 0:
                call_on_array(watch, w.ctypes.data)
                accepted = _dismiss(w, rows, lanes, accepted, watched, answer)
            if passed != 0:
                _write(w, rows, lanes, dense, passed, grid, out, answer[1])
            flags = call_on_array(commit, w.ctypes.data)
            _judge(w, rows, lanes, (accepted, flags & mask, flags >> width), ends, answer, most)
        if coming < count:
            coming = _hand_out(w, rows, starts, lanes, coming)
