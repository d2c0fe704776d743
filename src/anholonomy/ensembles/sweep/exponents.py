r"""The largest Lyapunov exponent of many members at once: a vector carried along by each, $\dot v = Df(x)\,v$, side by side with its motion.

It is made as long as before after every interval, and its growth is averaged: $\lambda = \frac1T\sum\ln|v|$.
"""

from __future__ import annotations

from contextlib import suppress
from functools import lru_cache

import numpy as np

from anholonomy.compile.backends.base import Array
from anholonomy.compile.derivatives import along_direction
from anholonomy.compile.program import Program
from anholonomy.ensembles.kernel.kernel import Halt, Kernel, kernel_of
from anholonomy.ensembles.kernel.status import ARRIVED
from anholonomy.ensembles.members.flights import Flight, flight_at
from anholonomy.ensembles.members.points import Points
from anholonomy.ensembles.question import Question
from anholonomy.refusals import Refusal
from anholonomy.simulate.pieces.projection import projector
from anholonomy.simulate.pieces.runnable_equations import RunnableEquations
from anholonomy.stability.asking import lyapunov

__all__ = ["largest_exponents"]

_INTERVALS = 100
"""After as many parts of the time the vectors of members that go alone are made as long as before."""
_FEW, _GROWTH = 20, 50.0
"""Side by side each part begins with a step of unknown length, so that there are fewer, but no vector grows by more than $e^{50}$ in one."""


def largest_exponents(question: Question, points: Points, halt: Halt) -> Array:
    """The exponent of each member; by itself where its frame wears out, NaN where its motion ends early."""
    count = len(points.t)
    found, pending = np.full(count, np.nan), np.ones(count, dtype=bool)
    with suppress(Refusal):
        if (ready := flight_at(question.derivation, question.model, points, 0)) is not None:
            pending = _side_by_side(question, ready, points, found, halt)
    for i in map(int, np.flatnonzero(pending)):
        if not halt[0]:
            found[i] = _alone(question, points, i)
    return found


def _side_by_side(question: Question, ready: Flight, points: Points, found: Array, halt: Halt) -> Array:
    """Fill in the exponents of members that the chart serves to the end; which of the others are still to be found."""
    x, quality = ready.states(points)
    goes = ready.serves(quality)
    n, count = x.shape[1], len(points.t)
    kernel = _tangent_kernel(ready.runnable, x[0], points.p[0], float(points.t[0]), ready.kernel)
    v = np.broadcast_to(_direction(n), (count, n)).copy()
    model, p = ready.runnable.equations.model, np.ascontiguousarray(points.p)
    held = projector(model, p.T, False)
    if held is not None:  # a vector along the group: where a point moved along it is, once it is put back
        v = (held(points.t, x + 1e-4 * v) - held(points.t, x - 1e-4 * v)) / 2e-4
    v /= np.linalg.norm(v, axis=1)[:, None]
    z = np.hstack([x, v])
    grown, alive = np.zeros(count), np.array(goes)
    ended = np.zeros(count, dtype=bool)
    begin, last = float(question.grid[0]), float(question.grid[-1])
    whole = last - begin
    length = whole / _INTERVALS
    while begin != last:
        parts = int(np.ceil((last - begin) / length))
        end = last if parts <= 1 else begin + (last - begin) / parts
        who = np.flatnonzero(alive)
        if not who.size or halt[0]:
            break
        block = kernel.integrate(
            np.full(who.size, begin),
            z[who],
            p[who],
            np.array([end]),
            question.tolerance,
            halt,
            duration=abs(whole),
        )
        arrived = block.status == ARRIVED
        ended[who[(block.status > 2)]] = True
        alive[who[~arrived]] = False
        z[who] = block.stop_states
        size = np.linalg.norm(z[:, n:], axis=1)
        on = who[arrived]
        more = np.log(size[on])
        grown[on] += more
        z[on, n:] /= size[on, None]
        if held is not None:
            z[:, :n] = held(np.full(count, end), z[:, :n])
        most = max(float(np.abs(more).max(initial=0.0)) / _GROWTH, 1e-9)
        length = whole * min(1 / _FEW, (end - begin) / whole / most)
        begin = end
    found[alive] = grown[alive] / abs(whole)
    return np.asarray(~alive & ~ended)


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


def _alone(question: Question, points: Points, i: int) -> float:
    """As `system.lyapunov` finds it."""
    model = question.model
    point = points.point(model, i)
    names = (*model.coordinates, *model.velocities, *model.parameter_symbols)
    until = float(question.grid[-1] - question.grid[0])
    try:
        start = {s.name: point[s] for s in names}
        return float(lyapunov(model, start, until, 1, until / _INTERVALS, question.tolerance, None).values[0])
    except Refusal:
        return float("nan")
