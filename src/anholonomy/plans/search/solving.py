"""One solution by IPOPT, watched: stopped at a deadline or by Ctrl-C, with the last iterate kept."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import current_thread, main_thread
from time import monotonic
from typing import Any, final

import numpy as np

from anholonomy.compile.backends.base import Array
from anholonomy.plans.asked.task import Task
from anholonomy.plans.collocation.curve import Curve
from anholonomy.plans.collocation.measures import integral
from anholonomy.plans.collocation.transcription import Transcription
from anholonomy.tolerances import CLEAR

__all__ = ["Attempt", "Session", "attempt"]

_USUAL = 60
"""Iterations that a solution usually takes, for the bar."""


@final
class Session:
    """How long may be searched, who wants to know how far it is, and whether someone said stop."""

    def __init__(self, limit: float | None, progress: Callable[[float], None] | None) -> None:
        self.deadline = np.inf if limit is None else monotonic() + limit
        self.progress = progress
        self.done = 0.0
        self.stopped = ""

    def heard(self) -> bool:
        """Called after every iteration; True stops."""
        if self.progress is not None:
            self.done += (1.0 - self.done) / (10 * _USUAL)
            self.progress(self.done)
        if monotonic() > self.deadline:
            self.stopped = "the time that it may take is over"
        return bool(self.stopped)

    def interrupt(self, *_: object) -> None:
        self.stopped = "it was interrupted"

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Take Ctrl-C as a wish to stop: CasADi would take the exception for a failed evaluation, and go on."""
        if current_thread() is not main_thread():
            yield
            return
        before = signal.signal(signal.SIGINT, self.interrupt)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)


@final
@dataclass(frozen=True, eq=False)
class Attempt:
    """What a solution came to: a curve, its cost as it was minimised, and whether it is optimal and keeps its constraints."""

    curve: Curve
    cost: float
    violation: float
    settled: bool
    iterations: int
    status: str = ""
    nearest: bool = False
    """Whether it ends as near as it can instead of at the end."""
    at_longest: bool = False
    """Whether a free time is as long as it may become."""

    @property
    def keeps_rates(self) -> bool:
        """Whether it is a motion of the system within its limits, wherever it ends."""
        return self.violation < CLEAR

    @property
    def keeps_all(self) -> bool:
        """Whether it leads to the end, too."""
        return self.keeps_rates and not self.nearest


def attempt(
    task: Task,
    guess: Curve,
    session: Session,
    *,
    most: int = 500,
    warm: bool = True,
    ends: bool = True,
    moving: bool = False,
    slack: float = 0.0,
) -> Attempt:
    """Solve from a guess on its mesh. Without ``ends`` the end is free and to be neared; ``moving`` frees the mesh.

    It takes ``most`` iterations at most. A guess that is not ``warm`` is far from a solution.
    """
    problem = Transcription(task, guess.shares.size)
    solve, watch, constraints = problem.solver(warm)
    low, high = problem.bounds(guess, ends, moving)
    rows = problem.constraint_bounds(ends, moving, slack)
    p, last = problem.parameters(ends), [np.clip(problem.packed(guess), low, high)]
    count = [0]

    def heard(unknowns: Any) -> bool:
        last[0] = np.asarray(unknowns.full()).ravel()
        count[0] += 1
        try:
            return session.heard() or count[0] > most
        except KeyboardInterrupt:
            session.interrupt()
            return True

    watch.heard = heard
    optimal, status = False, "interrupted"
    try:
        found = solve(x0=last[0], lbx=low, ubx=high, lbg=rows[0], ubg=rows[1], p=p)
        last[0] = np.asarray(found["x"].full()).ravel()
        stats = solve.stats()
        optimal, status = bool(stats["success"]), str(stats["return_status"])
    except KeyboardInterrupt:
        session.interrupt()
    except RuntimeError as problem_of_casadi:
        status = str(problem_of_casadi).strip().splitlines()[-1]
    finally:
        watch.heard = None
    unknowns = np.clip(last[0], low, high)
    violation = _violation(np.asarray(constraints(unknowns, p).full()).ravel(), *rows)
    curve = problem.unpacked(unknowns)
    longest = task.horizon is None and curve.duration > 0.99 * high[-1]
    return Attempt(curve, _cost(task, curve), violation, optimal, count[0], status, not ends, bool(longest))


def _violation(values: Array, low: Array, high: Array) -> float:
    if not np.isfinite(values).all():
        return np.inf
    return float(np.maximum(low - values, values - high).max(initial=0.0))


def _cost(task: Task, curve: Curve) -> float:
    return integral(task, curve, task.program, task.width)
