r"""The steps of DOP853, compiled by Numba: order 8, error estimates of orders 5 and 3, dense output of order 7.

.. math:: k_i = f\Bigl(t + c_i h,\; x + h \sum_{j<i} a_{ij} k_j\Bigr), \qquad x(t+h) = x + h \sum_i b_i k_i

Numba compiles this file once per machine and keeps the result on disk; what is integrated comes in as
the address of machine code. The coefficients are Hairer's [HNW93]_ as SciPy holds them.

.. [HNW93] Hairer, Nørsett, Wanner, *Solving Ordinary Differential Equations I*, 1993, §II.5 and §II.10.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np

from anholonomy.programs.backends.llvm_runtime import call_program

__all__ = ["END", "TINY", "advance"]

END, PAUSED, TINY = 0, 1, 2
"""How `advance` comes back: at the end, after the attempts it was granted, or with a vanishing step."""


@numba.njit(cache=True, nogil=True)
def _stages(rate: Any, stages: Any, t: float, h: float, x: Any, k: Any, tables: Any, point: Any) -> None:
    """Fill the rows of ``k`` from ``stages[0]`` up to ``stages[1]``; they stand on the rows before."""
    address, p = rate
    a, c = tables[0], tables[2]
    for i in range(stages[0], stages[1]):
        for m in range(x.size):
            total = 0.0
            for j in range(i):
                total += a[i, j] * k[j, m]
            point[m] = x[m] + h * total
        call_program(address, t + c[i] * h, point.ctypes.data, p.ctypes.data, k[i].ctypes.data)


@numba.njit(cache=True, nogil=True)
def _sum(h: float, x: Any, lost: Any, k: Any, b: Any, new: Any, kept: Any) -> None:
    """The state after the step, and what rounding takes from it, to be added to the next."""
    for m in range(x.size):
        total = 0.0
        for j in range(12):
            total += b[j] * k[j, m]
        change = h * total + lost[m]
        new[m] = x[m] + change
        kept[m] = change - (new[m] - x[m])


@numba.njit(cache=True, nogil=True)
def _error(h: float, x: Any, new: Any, k: Any, tables: Any, tolerance: Any) -> float:
    """Hairer's blend of the two error estimates, in units of what is tolerated."""
    e5, e3 = tables[3], tables[4]
    fifth, third = 0.0, 0.0
    for m in range(x.size):
        scale = tolerance[0] * (tolerance[1][m] + max(abs(x[m]), abs(new[m])))
        five, three = 0.0, 0.0
        for j in range(13):
            five += e5[j] * k[j, m]
            three += e3[j] * k[j, m]
        fifth += (five / scale) ** 2
        third += (three / scale) ** 2
    if fifth == 0.0 and third == 0.0:
        return 0.0
    blend: float = abs(h) * fifth / np.sqrt((fifth + 0.01 * third) * x.size)
    return blend


@numba.njit(cache=True, nogil=True)
def _bends(h: float, k: Any, d: Any, bends: Any) -> None:
    """What the interpolant of a step has beyond its ends, the same for all points within; needs all sixteen stages."""
    for row in range(4):
        for m in range(k.shape[1]):
            term = 0.0
            for j in range(16):
                term += d[row, j] * k[j, m]
            bends[row, m] = h * term


@numba.njit(cache=True, nogil=True)
def _interpolate(theta: float, h: float, x: Any, new: Any, k: Any, bends: Any, out: Any) -> None:
    r"""The state at $t + \theta h$."""
    for m in range(x.size):
        change = new[m] - x[m]
        value = 0.0
        for row in range(3, -1, -1):
            value = (value + bends[row, m]) * (theta if row % 2 else 1.0 - theta)
        value = (value + 2.0 * change - h * (k[12, m] + k[0, m])) * theta
        value = (value + h * k[0, m] - change) * (1.0 - theta)
        out[m] = x[m] + (value + change) * theta


@numba.njit(cache=True, nogil=True)
def _fill(rate: Any, span: Any, x: Any, new: Any, k: Any, tables: Any, grid: Any, counts: Any, point: Any) -> None:
    """The states at the grid points that the step passed; a point at its very end needs no interpolation."""
    t, later, h = span
    times, out = grid
    bends = np.empty((4, x.size))
    filled, first = counts[0], True
    while filled < times.size and (times[filled] - later) * h <= 0.0:
        if times[filled] == later:
            out[filled] = new
        else:
            if first:
                _stages(rate, (13, 16), t, h, x, k, tables, point)
                _bends(h, k, tables[5], bends)
                counts[3] += 3
                first = False
            _interpolate((times[filled] - t) / h, h, x, new, k, bends, out[filled])
        filled += 1
    counts[0] = filled


@numba.njit(cache=True, nogil=True)
def _growth(error: float, limit: float) -> float:
    """How many times as long the next step may be, for order eight and this error."""
    if error == 0.0:
        return limit
    factor: float = min(limit, max(0.2, 0.9 * error**-0.125)) if np.isfinite(error) else 0.2
    return factor


@numba.njit(cache=True, nogil=True)
def _leave(trail: Any, place: int, time: float, state: Any) -> None:
    """Note a step on the trail, as far as that goes."""
    if place < trail[0].size:
        trail[0][place] = time
        trail[1][place] = state


@numba.njit(cache=True, nogil=True)
def advance(
    rate: Any, motion: Any, tables: Any, grid: Any, tolerance: Any, counts: Any, limits: Any, trail: Any, grant: int
) -> int:
    """Make at most ``grant`` attempts at a step, filling the grid on the way.

    ``rate`` is the address of the program and its parameters, ``grid`` the times and the states at them,
    ``motion`` a clock with time and proposed step, the state ``x``, what rounding took from it, and stages, ``k[0]`` the rate at ``x``.
    ``counts`` are grid points filled, steps accepted, attempts rejected, evaluations, and how the last
    attempt went (0 accepted, 1 rejected, 2 not finite), shortest steps in a row, and stops passed. All are updated in place, so
    that the next call goes on where this one ended. ``limits`` are the stops, where a step must end, and the longest step.
    ``trail`` are times and states, filled with those of the steps accepted in this call as far as they go.
    ``tolerance`` is a number and, for each state, the size below which an error is measured against that size.
    """
    clock, x, lost, k = motion
    point, new, kept = np.empty_like(x), np.empty_like(x), np.empty_like(x)
    times, stops = grid[0], limits[0]
    direction = 1.0 if times[-1] > times[0] else -1.0
    before = counts[1]
    for _ in range(grant):
        t, end = clock[0], stops[counts[6]]
        h = direction * min(abs(clock[1]), limits[1])
        # A step of a few roundings cannot be shortened: where it is finite it steps over a corner of the rates.
        shortest = 10.0 * abs(np.nextafter(t, direction * np.inf) - t)
        forced = abs(h) < shortest
        if forced and (counts[4] == 2 or counts[5] > 100):
            return TINY
        h = direction * shortest if forced else h
        last = direction * (t + 1.01 * h - end) >= 0.0
        h = end - t if last else h
        later = end if last else t + h
        _stages(rate, (1, 12), t, h, x, k, tables, point)
        _sum(h, x, lost, k, tables[1], new, kept)
        call_program(rate[0], later, new.ctypes.data, rate[1].ctypes.data, k[12].ctypes.data)
        counts[3] += 12
        error = _error(h, x, new, k, tables, tolerance)
        if not error < 1.0 and not (forced and np.isfinite(error)):
            counts[2] += 1
            counts[4] = 1 if np.isfinite(error) else 2
            clock[1] = h * _growth(error, 1.0)
            continue
        _fill(rate, (t, later, h), x, new, k, tables, grid, counts, point)
        x[:] = new
        lost[:] = kept
        k[0] = k[12]
        # Right after a rejection a longer step would only be rejected again.
        clock[1] = h * _growth(error, 10.0 if counts[4] == 0 else 1.0)
        clock[0] = later
        _leave(trail, counts[1] - before, later, new)
        counts[1] += 1
        counts[4] = 0
        counts[5] = counts[5] + 1 if forced else 0
        counts[6] += last
        if counts[6] == stops.size:
            return END
    return PAUSED
