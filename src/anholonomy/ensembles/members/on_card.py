"""Members on a GPU: those that one chart serves in one launch, the others, and those for which it wears out, on the CPU."""

from __future__ import annotations

from typing import Any

import numpy as np

from anholonomy.compile.backends.base import Array
from anholonomy.ensembles.kernel.kernel import Halt
from anholonomy.ensembles.members.blocks import Answer, answered
from anholonomy.ensembles.members.flights import Flight, flight, obstacle
from anholonomy.ensembles.members.points import Points
from anholonomy.ensembles.question import Question
from anholonomy.kernels.launcher import Launched
from anholonomy.kernels.making import kernel_in
from anholonomy.refusals import NotCovered, UnknownName
from anholonomy.simulate.outcome import Outcome
from anholonomy.simulate.pieces.runnable_equations import runnable_at_start

__all__ = ["DEVICES", "answered_on"]

DEVICES = {"cuda": "cuda", "c++": "cpu"}
"""What a user calls a device, and what the launcher does: the same text goes through NVRTC or the machine's C++ compiler."""
_ROOM = 64
"""Times of an event that are kept of a member."""
_WORN = 4
"""The kernel's number for a member whose frame has become poor."""


def answered_on(device: str, precision: str, question: Question, points: Points, halt: Halt) -> Answer:
    """The motions from all points by one kernel, as far as it goes."""
    ready = _ready(question, points)
    x, quality = ready.states(points)
    goes = np.flatnonzero(ready.serves(quality))
    launched = _launched(device, precision, question, ready, x[goes], points.p[goes])
    answer = _told(question, ready, len(points.t), goes, launched, points.p)
    left = np.setdiff1d(np.arange(len(points.t)), goes[launched.outcomes != _WORN])
    if left.size:
        answer.take(left, answered(question, points[left], halt))
    return answer


def _ready(question: Question, points: Points) -> Flight:
    """The chart of the first member."""
    if (
        question.options["integrator"] is not None
        or question.limits.breaks.size
        or np.isfinite(question.limits.longest)
    ):
        raise NotCovered(
            f"{question.model.name}: a kernel chooses its own steps; leave integrator, max_step and breaks out, or say device='cpu'."
        )
    if question.driven:
        raise NotCovered(
            f"{question.model.name}: data over time as an input is for the CPU; say device='cpu', or give a number or text."
        )
    point = points.point(question.model, 0)
    runnable = runnable_at_start(question.derivation, point, points.p[0])
    if why := obstacle(runnable):
        raise NotCovered(f"{question.model.name} has no kernel: {why}; say device='cpu'.")
    return flight(runnable, float(points.t[0]), runnable.state(point), points.p[0])


def _launched(device: str, precision: str, question: Question, ready: Flight, x: Array, p: Array) -> Launched:
    if precision not in ("double", "single"):
        raise UnknownName(f"{question.model.name}: precision={precision!r:.40} is unknown; say 'double' or 'single'.")
    kernel = kernel_in(question.whole, ready.runnable, question.watchlist, float(question.grid[0]), x[0], p[0])
    names = list(kernel.names["parameters"])
    values: dict[str, Any] = {name: p[:, k] if np.ptp(p[:, k]) else float(p[0, k]) for k, name in enumerate(names)}
    return kernel(
        dict(zip(kernel.names["state"], x.T, strict=True)),
        question.grid,
        parameters=values,
        tolerance=question.tolerance,
        precision=precision,
        device=DEVICES[device],
        stop=sorted(question.watchlist.stopping),
        room=_ROOM,
    )


def _told(question: Question, ready: Flight, count: int, goes: Any, found: Launched, p: Array) -> Answer:
    """Samples as coordinates and velocities, sentences, events."""
    answer, size = Answer.room(question, count), question.grid.size
    states = np.moveaxis(np.asarray(found.states, dtype=float), 2, 0).reshape(goes.size * size, -1)
    seen = ready.points(np.tile(question.grid, goes.size), states, np.repeat(p[goes], size, axis=0))
    answer.q[goes] = seen.q.reshape(goes.size, size, -1)
    answer.w[goes] = seen.w.reshape(goes.size, size, -1)
    answer.stop_times[goes] = found.reached
    answer.complete[goes] = found.outcomes == 0
    answer.said |= {int(goes[i]): found.outcome(int(i)) for i in np.flatnonzero(found.outcomes)}
    for name, (times, counts) in found.events.items():
        for i in np.flatnonzero(counts):
            met = answer.events.setdefault(int(goes[i]), [])
            met += [(name, float(t)) for t in times[: counts[i], i] if np.isfinite(t)]
    for member, met in answer.events.items():
        met.sort(key=lambda event: question.forward * event[1])
        name, t = met[-1]
        if name in question.watchlist.stopping and answer.said.get(member, "").startswith(Outcome.STOPPED.value):
            answer.complete[member], answer.said[member] = (
                True,
                f"the motion was stopped by the event {name} (t = {t:.6g})",
            )
    return answer
