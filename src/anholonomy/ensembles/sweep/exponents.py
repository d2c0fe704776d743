r"""The largest Lyapunov exponent of many members at once: a vector carried along by each, $\dot v = Df(x)\,v$, side by side with its motion.

It is made as long as before after every interval, and its growth is averaged: $\lambda = \frac1T\sum\ln|v|$.
"""

from __future__ import annotations

from contextlib import suppress
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from anholonomy.compile.backends.base import Array
from anholonomy.compile.derivatives import along_direction
from anholonomy.compile.program import Program
from anholonomy.ensembles.kernel.kernel import Halt, Kernel, kernel_of
from anholonomy.ensembles.kernel.status import ARRIVED
from anholonomy.ensembles.members.blocks import Answer
from anholonomy.ensembles.members.flights import Flight, flight_at
from anholonomy.ensembles.members.points import Points
from anholonomy.ensembles.members.stops import between, bounds
from anholonomy.ensembles.question import Question
from anholonomy.refusals import Refusal
from anholonomy.simulate.pieces.projection import projector
from anholonomy.simulate.pieces.runnable_equations import RunnableEquations
from anholonomy.stability.asking import lyapunov
from anholonomy.symbolic.expressions import time

__all__ = ["largest_exponents"]

_INTERVALS = 100
"""After as many parts of the time the vectors of members that go alone are made as long as before."""
_FEW, _GROWTH = 20, 50.0
"""Side by side each part begins with a step of unknown length, so that there are fewer, but no vector grows by more than $e^{50}$ in one."""


def largest_exponents(question: Question, points: Points, answer: Answer, halt: Halt) -> Array:
    """The exponent of each member up to its end or the event that stopped it; by itself where its frame wears out, NaN where its motion ends early."""
    found = np.full(len(points.t), np.nan)
    pending = answer.complete & (answer.stop_times != points.t)
    with suppress(Refusal):
        if (ready := flight_at(question.derivation, question.model, points, 0)) is not None:
            pending = _side_by_side(question, ready, points, (pending, answer.stop_times), found, halt)
    for i in map(int, np.flatnonzero(pending)):
        if not halt[0]:
            found[i] = _alone(question, points, i, float(answer.stop_times[i]))
    return found


def _side_by_side(
    question: Question, ready: Flight, points: Points, wanted: tuple[NDArray[np.bool_], Array], found: Array, halt: Halt
) -> NDArray[np.bool_]:
    """Fill in the exponents of wanted members, up to their last times, that the chart serves till then; which of the others are still to be found.

    Each has intervals of its own, so that no exponent depends on who goes beside it.
    """
    x, quality = ready.states(points)
    goes, (pending, last) = ready.serves(quality), wanted
    n, count, forward = x.shape[1], len(points.t), question.forward
    kernel = _tangent_kernel(ready.runnable, x[0], points.p[0], float(points.t[0]), ready.kernel)
    v = np.broadcast_to(_direction(n), (count, n)).copy()
    model, p = ready.runnable.equations.model, np.ascontiguousarray(points.p)
    held = projector(model, p.T, False)
    if held is not None:  # a vector along the group: where a point moved along it is, once it is put back
        v = (held(points.t, x + 1e-4 * v) - held(points.t, x - 1e-4 * v)) / 2e-4
    v /= np.linalg.norm(v, axis=1)[:, None]
    z = np.hstack([x, v])
    grown, alive = np.zeros(count), pending & goes
    ended = np.zeros(count, dtype=bool)
    longest, stops = bounds(question, p)
    begin, whole = points.t.copy(), abs(last - points.t)
    length = whole / _INTERVALS
    while not halt[0] and (who := np.flatnonzero(alive & (begin != last))).size:
        left = abs(last - begin)[who]
        parts = np.ceil(left / length[who])
        end = np.where(parts <= 1, last[who], begin[who] + forward * left / np.maximum(parts, 1))
        block = kernel.integrate(
            begin[who],
            z[who],
            p[who],
            end[:, None],
            question.tolerance,
            halt,
            ends=between(stops if len(stops) == 1 else stops[who], begin[who], end, forward),
            longest=longest if longest.size == 1 else longest[who],
            duration=abs(float(question.grid[-1] - question.grid[0])),
            forward=forward > 0,
        )
        arrived = block.status == ARRIVED
        ended[who[(block.status > 2)]] = True
        alive[who[~arrived]] = False
        z[who] = block.stop_states
        on, size = who[arrived], np.linalg.norm(block.stop_states[arrived, n:], axis=1)
        more = np.log(size)
        grown[on] += more
        z[on, n:] /= size[:, None]
        if held is not None:
            now = begin.copy()
            now[who] = end
            z[on, :n] = held(now, z[:, :n])[on]
        most = np.maximum(abs(more) / _GROWTH, 1e-9)
        length[on] = np.minimum(whole[on] / _FEW, abs(end - begin[who])[arrived] / most)
        begin[who] = end
    done = alive & (begin == last)
    found[done] = grown[done] / whole[done]
    return np.asarray(pending & ~done & ~ended)


def _direction(n: int) -> Array:
    """A direction that is none of a system's own, always the same."""
    return np.random.default_rng(n).normal(size=n)


def _tangent_kernel(runnable: RunnableEquations, x: Array, p: Array, t: float, plain: Kernel) -> Kernel:
    program = _tangent(runnable)
    padded = np.concatenate([x, np.zeros(len(program.states) - x.size)])
    straight = runnable.straight(t, padded, p, program)
    watching = plain.watching
    if watching is not None:
        wider = Program(straight.states, straight.parameters, watching.program.steps, watching.program.outputs)
        watching = type(watching)(
            wider, watching.vectors, watching.width, watching.shrinking, watching.frame_share, watching.share
        )
    return kernel_of(straight, watching)


@lru_cache(maxsize=16)
def _tangent(runnable: RunnableEquations) -> Program:
    return along_direction(runnable.compiled.rates, count=1)


def _alone(question: Question, points: Points, i: int, end: float) -> float:
    """As `system.lyapunov` finds it."""
    model = question.model
    point = points.point(model, i)
    names = (*model.coordinates, *model.velocities, *model.parameter_symbols, time)
    until = end - float(points.t[i])
    try:
        start = {s.name: point[s] for s in names}
        return float(lyapunov(model, start, until, 1, until / _INTERVALS, question.tolerance, None).values[0])
    except Refusal:
        return float("nan")
