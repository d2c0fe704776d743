"""All members: blocks on every core, as many at a time as memory and patience like; or one kernel on a GPU.

A GPU takes the members that one chart serves in one launch. The others, and those for which it wears out, go on the CPU.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from anholonomy.base.errors import NotSupportedError, UnknownNameError, quoted
from anholonomy.motion.charts.many_motions import Flight, flight, obstacle
from anholonomy.motion.charts.one_motion import runnable_at_start
from anholonomy.motion.driver.many_motions import Answer, answered, leading
from anholonomy.motion.events.one_motion import refined
from anholonomy.motion.gpu.kernel import kernel_in
from anholonomy.motion.gpu.launcher import Launched
from anholonomy.motion.integrators.base import Outcome
from anholonomy.motion.integrators.lanes import Halt
from anholonomy.motion.memory import refuse_unless_free
from anholonomy.motion.observables.many_motions import Observables
from anholonomy.motion.problem.many_motions import Question
from anholonomy.motion.signals.many_motions import at_times
from anholonomy.motion.starts.many_motions import ROOM, Points, complete, repeated
from anholonomy.programs.backends.base import Array

__all__ = [
    "DEVICES",
    "Kept",
    "block_size",
    "evaluated",
    "gathered",
    "on_card",
    "refuse_unless_it_fits",
    "samples_on_the_way",
    "workers",
]


DEVICES = {"cuda": "cuda", "c++": "cpu"}
"""What a user calls a device, and what the launcher does: the same text goes through NVRTC or the machine's C++ compiler."""


_LONGEST, _SHORTEST = 2048, 32
"""Members of a block at most and, where there are more, at least."""
_WORK = 16_384
"""Operations of the rates of all members of a block, at least: what surrounds a block costs as much as some hundred small members."""
_BLOCKS = 4
"""Blocks for each core, so that none waits long for another at the end."""

_EASY = 2**15
"""Members whose starts are completed before threads would have begun."""


_EVENTS = 64
"""Times of an event that are kept of a member."""


_WORN = 4
"""The kernel's number for a member whose frame has become poor."""


@final
@dataclass
class Kept:
    """What is kept of members: functions (name, member, time), where each stopped, sentences of those that did not reach the end, events."""

    values: Array
    stop_times: Array
    complete: NDArray[np.bool_]
    said: dict[int, str] = field(default_factory=dict)
    events: dict[int, list[tuple[str, float]]] = field(default_factory=dict)
    alone: int = 0

    @classmethod
    def room(cls, names: int, count: int, size: int) -> Kept:
        return cls(
            np.full((names, count, size), np.nan),
            np.full(count, np.nan),
            np.zeros(count, dtype=bool),
        )

    def take(self, begin: int, answer: Answer, values: Array) -> None:
        """Put in what became of the members from ``begin`` on, of an interrupted block those that had come to their end."""
        end, done = begin + len(answer.complete), answer.complete.copy()
        done[list(answer.said)] = True
        self.values[:, begin:end] = values
        self.stop_times[begin:end], self.complete[begin:end] = answer.stop_times, answer.complete
        if not done.all():
            self.values[:, begin:end][:, ~done], self.stop_times[begin:end][~done] = np.nan, np.nan
        self.said |= {begin + i: text for i, text in answer.said.items()}
        self.events |= {begin + i: met for i, met in answer.events.items()}
        self.alone += answer.alone


def gathered(question: Question, kept: Observables, progress: Callable[[float], None] | None) -> Kept:
    """All members, block after block on every core; Ctrl-C keeps the members that are complete."""
    count = question.columns.count
    width = len(question.model.coordinates) + len(question.model.velocities)
    found = Kept.room(len(kept.names), count, question.grid.size)
    points = all_complete(question)
    lead = leading(question, points)
    operations = _WORK if lead is None else lead.ready.runnable.compiled.rates.operations
    size = block_size(count, width, samples_on_the_way(question, question.grid), operations)
    halt = np.zeros(1, dtype=np.int64)

    def work(begin: int) -> tuple[int, Answer, Array]:
        part = points[begin : begin + size]
        answer = answered(question, part, halt, lead)
        return begin, answer, evaluated(question, kept, answer, part.p)

    begins = range(0, count, size)
    try:
        for done, part in enumerate(map(work, begins) if len(begins) == 1 else _in_threads(work, begins, halt), 1):
            if halt[0] and question.watchlist:  # their events were not looked for
                break
            found.take(*part)
            if progress is not None:
                progress(done / len(begins))
    except KeyboardInterrupt:
        halt[0] = 1
    return found


def on_card(question: Question, kept: Observables, device: str, precision: str) -> Kept:
    """All members by one kernel."""
    found = Kept.room(len(kept.names), question.columns.count, question.grid.size)
    points = all_complete(question)
    answer = answered_on(device, precision, question, points, np.zeros(1, dtype=np.int64))
    found.take(0, answer, evaluated(question, kept, answer, points.p))
    return found


def refuse_unless_it_fits(question: Question, names: int) -> None:
    """A dataset that is larger than the memory is refused with its size."""
    count, samples = question.columns.count, question.grid.size
    refuse_unless_free(
        8.0 * names * count * samples,
        f"{question.model.name}: {count} members at {samples} times with {names} names",
        "ask for fewer times or names (keep=…), or stream to a store (store='runs.zarr')",
    )


def all_complete(question: Question) -> Points:
    """The states of all members, in threads where they are many; refused before anything is integrated."""
    model, columns, count = question.model, question.columns, question.columns.count
    if count <= _EASY:
        return complete(model, columns, question.project)

    def some(begin: int) -> Points:
        end = min(begin + _LONGEST, count)
        return complete(model, columns.part(begin, end), question.project, lambda i: f"member {begin + i}", begin)

    with ThreadPoolExecutor(workers()) as pool:
        parts = list(pool.map(some, range(0, count, _LONGEST)))
    t, q, w = (np.concatenate([getattr(part, name) for part in parts]) for name in ("t", "q", "w"))
    several = any(part.p.strides[0] for part in parts)
    p = (
        np.concatenate([part.p for part in parts])
        if several
        else np.broadcast_to(parts[0].p[:1], (count, parts[0].p.shape[1]))
    )
    return Points(t, q, w, p)


def _in_threads(
    work: Callable[[int], tuple[int, Answer, Array]], begins: range, halt: Halt
) -> Iterator[tuple[int, Answer, Array]]:
    """The answers as they come, no more than twice as many blocks on their way as there are cores; after Ctrl-C those that had begun."""
    cores = workers()
    pool = ThreadPoolExecutor(cores)
    pending: set[Future[tuple[int, Answer, Array]]] = set()
    coming = iter(begins)
    try:
        while True:
            for begin in coming:
                pending.add(pool.submit(work, begin))
                if len(pending) >= 2 * cores:
                    break
            if not pending:
                return
            ready, pending = wait(pending, timeout=0.5, return_when=FIRST_COMPLETED)
            for each in ready:
                yield each.result()
    except KeyboardInterrupt:
        halt[0] = 1
        for each in [each for each in pending if not each.cancel()]:
            yield each.result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def workers() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def block_size(
    count: int, width: int, samples: int, operations: int = _WORK // _SHORTEST, longest: int = _LONGEST
) -> int:
    """Members that go together; of small programs more."""
    most = max(ROOM // (8 * max(width, 1) * max(samples, 1)), _SHORTEST)
    fair = max(-(-count // (_BLOCKS * workers())), _SHORTEST, _WORK // max(operations, 1))
    return int(min(most, fair, longest))


def samples_on_the_way(question: Question, grid: Array) -> int:
    """How many samples a member has while it is looked at; for events these are more than are kept."""
    return refined(grid)[0].size if question.watchlist else grid.size


def evaluated(question: Question, kept: Observables, answer: Answer, p: Array) -> Array:
    """Functions at the samples of a block, (name, member, time)."""
    model, (count, samples) = question.model, answer.q.shape[:2]
    names = [*(s.name for s in model.coordinates), *(s.name for s in model.velocities)]
    own = {name: k for k, name in enumerate(names)}
    values = np.empty((len(kept.names), count, samples))
    rest = [k for k, name in enumerate(kept.names) if name not in own]
    for k, name in enumerate(kept.names):
        if name in own:
            source, place = (
                (answer.q, own[name])
                if own[name] < len(model.coordinates)
                else (answer.w, own[name] - len(model.coordinates))
            )
            values[k] = source[:, :, place]
    if rest:
        times = np.tile(question.grid, count)
        flat = Points(
            times,
            answer.q.reshape(count * samples, -1),
            answer.w.reshape(count * samples, -1),
            at_times(question.driven, repeated(p, samples), times, question.forward),
        )
        some = Observables(
            model, kept.derivation, tuple(kept.names[k] for k in rest), tuple(kept.functions[k] for k in rest)
        )
        values[rest] = some.values(flat).reshape(len(rest), count, samples)
    return values


# By one kernel.


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
        raise NotSupportedError(
            f"{question.model.name}: a kernel chooses its own steps; leave integrator, max_step and breaks out, or say device='cpu'."
        )
    if question.driven:
        raise NotSupportedError(
            f"{question.model.name}: data over time as an input is for the CPU; say device='cpu', or give a number or text."
        )
    point = points.point(question.model, 0)
    runnable = runnable_at_start(question.derivation, point, points.p[0])
    if why := obstacle(runnable):
        raise NotSupportedError(f"{question.model.name} has no kernel: {why}; say device='cpu'.")
    return flight(runnable, float(points.t[0]), runnable.state(point), points.p[0])


def _launched(device: str, precision: str, question: Question, ready: Flight, x: Array, p: Array) -> Launched:
    if precision not in ("double", "single"):
        raise UnknownNameError(
            f"{question.model.name}: precision={quoted(precision)} is unknown; say 'double' or 'single'."
        )
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
        room=_EVENTS,
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
