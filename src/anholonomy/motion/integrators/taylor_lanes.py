r"""Members by Taylor series, as many at a time as there are lanes: faster than DOP853 for small programs at tight tolerances.

.. math:: x(t + h) = \sum_{k \le n} \frac{x^{(k)}(t)}{k!} h^k, \qquad n \approx 1 - \tfrac12 \ln \varepsilon

heyoka makes the integrator. One is kept for every thread that was ever busy at once, and used again; a copy for every member would cost a
hundred times as much as its motion.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

import numpy as np

from anholonomy.motion.integrators.lanes import Block, Halt
from anholonomy.motion.integrators.lanes_layout import ARRIVED
from anholonomy.programs.backends.base import Array
from anholonomy.programs.program import Program

__all__ = ["by_taylor", "is_faster"]

_TIGHT = {30: 1e-11, 64: 1e-13}
"""The loosest tolerance for programs of at most so many operations, by measurement: longer series cost more where a program is longer."""
_MANY = 500
"""Members below which the code is not worth compiling."""


def is_faster(program: Program, tolerance: float, count: int) -> bool:
    """Where series took less time than DOP853: a sleigh (17 operations) from 1e-10 on, a leaning disc (59) from 1e-13 on, a ball never."""
    tight = next((size for most, size in _TIGHT.items() if program.operations <= most), 0.0)
    return count >= _MANY and tolerance <= tight


def by_taylor(program: Program, t: float, x: Array, p: Array, times: Array, tolerance: float, halt: Halt) -> Block:
    """Members from ``x`` (member, state) at one time to the last of ``times``, sampled there; those that do not arrive are left where they began.

    ``p`` has a row for each member, or one for all.
    """
    count, n = x.shape
    block = Block(
        np.full((count, times.size, n), np.nan),
        np.zeros(count, dtype=np.int64),
        np.zeros(count, dtype=np.int64),
        np.full(count, t),
        np.array(x),
        np.zeros(count, dtype=np.int64),
    )
    ends, samples = np.full((n, count), np.nan), times.size
    reached, last = np.full(count, t), float(times[-1])
    with _borrowed(program, tolerance) as stepper:
        lanes, used = stepper.state.shape[1], len(stepper.pars)
        grid = np.repeat(np.ascontiguousarray(times)[:, None], lanes, axis=1)
        states, values = x.T, np.broadcast_to(p, (count, p.shape[1])).T[:used]
        for first in range(0, count, lanes):
            if halt[0]:
                break
            here = slice(
                max(min(first, count - lanes), 0), min(first + lanes, count)
            )  # the last of them go with some before
            mine = slice(0, here.stop - here.start)
            stepper.set_time(t)
            stepper.state[:, mine], stepper.pars[:, mine] = states[:, here], values[:, here]
            stepper.state[:, mine.stop :], stepper.pars[:, mine.stop :] = states[:, :1], values[:, :1]
            if samples == 2 and times[0] == t:
                stepper.propagate_until(last)
            else:
                block.out[here] = np.moveaxis(stepper.propagate_grid(grid)[1], 2, 0)[mine]
            ends[:, here], reached[here] = stepper.state[:, mine], stepper.time[mine]
            block.steps[here] = [each[3] for each in stepper.propagate_res[mine]]
    good = (reached == last) & np.isfinite(ends).all(axis=0)
    if samples == 2 and times[0] == t:
        block.out[:, 0], block.out[:, 1] = x, ends.T
    block.status[good], block.filled[good] = ARRIVED, samples
    block.stop_times[good], block.stop_states[good] = last, ends.T[good]
    return block


@contextmanager
def _borrowed(program: Program, tolerance: float) -> Iterator[Any]:
    """An integrator that nobody else uses; handed back afterwards."""
    idle = _idle(program, tolerance)
    try:
        stepper = idle.pop()
    except IndexError:
        stepper = _made(program, tolerance)
    try:
        yield stepper
    finally:
        idle.append(stepper)


@lru_cache(maxsize=16)
def _idle(program: Program, tolerance: float) -> list[Any]:
    """Those that wait; a list is popped by one thread at a time."""
    return []


def _made(program: Program, tolerance: float) -> Any:
    import heyoka

    from anholonomy.programs.backends.heyoka import variables_and_outputs

    variables, rates = variables_and_outputs(program)
    room = np.zeros((len(variables), heyoka.recommended_simd_size()))
    return heyoka.taylor_adaptive_batch(list(zip(variables, rates, strict=True)), room, tol=tolerance)
