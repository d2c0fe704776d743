r"""The search for a plan: several guesses on a coarse mesh, the best of them refined to a stated residual, at the pace that is cheapest.

Where controls jump, the edges of the mesh are moved there first; finer meshes keep them. Where no guess leads to the end, obstacles
are let in step by step; where that fails too, the motion that ends nearest is kept.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from threading import current_thread, main_thread
from time import monotonic
from typing import Any, final

import numpy as np

from anholonomy.base.errors import ArgumentError, UnknownNameError, quoted
from anholonomy.base.tolerances import CLEAR, NOTHING
from anholonomy.motion.trajectory import Trajectory
from anholonomy.plans.collocation import (
    DEGREE,
    Curve,
    bernstein,
    even,
    function_of,
    integral,
    interval_violations,
    local_errors,
    places,
)
from anholonomy.plans.nonlinear_programme import Transcription
from anholonomy.plans.task import Limit, Task
from anholonomy.programs.backends.base import Array

__all__ = [
    "LIMITS_KEPT",
    "Attempt",
    "Session",
    "fastest",
    "first_found",
    "first_guesses",
    "given_guess",
    "refined",
    "unhurried",
]

_COARSE = 16
"""Intervals of the first mesh."""
LIMITS_KEPT = 100.0
"""Limited functions may be violated between the points of collocation by so many times the tolerance."""
_MULTIPLE = 8
"""Meshes have a multiple of so many intervals, so that their programmes are built once for many plans."""
_QUICK = 150
"""Iterations that a first guess may take."""
_FINEST = 400
"""Intervals after which a mesh is not refined."""
_MOVABLE = 64
"""Meshes of more intervals stay where they are."""
_ROUNDS = 6
"""Meshes that are tried, one finer than the other."""
_EASIER = (1.0, 0.5, 0.25, 0.1, 0.0)
"""How far obstacles are shrunk, in turn, as a part of what the motion without them violates."""
_JUMP = 0.3
"""Controls that change from point to point by more than this part of their range jump."""
_MOVES = 2
"""How often edges are moved."""
_USUAL = 60
"""Iterations that a solution usually takes, for the bar."""
_SIDEWAYS = (0.5, -0.5)
"""How far a detour leads from the straight line, as a part of the way, to one side and the other."""
_PARTS = np.linspace(0.0, 1.0, 11)


def first_found(task: Task, guesses: Sequence[Curve], session: Session, warm: bool) -> Attempt:
    """The best attempt on the mesh of the guesses: one that keeps all constraints, or otherwise one that comes near."""
    best = _best(_from_all(task, guesses, session, warm))
    if not best.keeps_all and task.limits.rows and not session.stopped:
        best = _best([best, *_around_obstacles(task, guesses[0], session)])
    if not best.keeps_all and not session.stopped:
        best = _from_nearest(task, guesses[0], best, session)
    return best


def refined(task: Task, best: Attempt, tolerance: float, session: Session) -> Attempt:
    """On finer meshes, until the errors of all intervals together are within the tolerance."""
    if not best.keeps_all:
        return best
    for _ in range(_MOVES):
        moved = _with_edges_at_jumps(task, best, session)
        finer = _finer(task, moved, tolerance, session)
        if moved is best or finer.cost > best.cost * (1 - NOTHING):
            return finer if finer.settled else best
        best = finer
    return best


def _finer(task: Task, best: Attempt, tolerance: float, session: Session) -> Attempt:
    for _ in range(_ROUNDS):
        errors, violations = local_errors(task, best.curve), interval_violations(task, best.curve)
        if session.stopped or (errors.sum() <= tolerance / 2 and violations.max() <= LIMITS_KEPT * tolerance / 2):
            break
        shares = _split(best.curve.shares, errors, violations, tolerance)
        if shares.size > _FINEST:
            break
        finer = attempt(task, best.curve.on(shares), session)
        if not finer.keeps_all:
            break
        best = finer
    return best


def _from_all(task: Task, guesses: Iterable[Curve], session: Session, warm: bool) -> Iterable[Attempt]:
    for guess in guesses:
        yield attempt(task, guess, session, most=_QUICK, warm=warm)
        if session.stopped:
            return


def _best(attempts: Iterable[Attempt]) -> Attempt:
    """The cheapest of those that keep their constraints, or the one that violates them least."""
    return min(attempts, key=lambda a: (not a.keeps_all, not a.settled, a.cost if a.keeps_all else a.violation))


def _around_obstacles(task: Task, guess: Curve, session: Session) -> Iterable[Attempt]:
    """The motion that disregards the limited functions, bent step by step until it keeps them."""
    found = attempt(task, guess, session, slack=1e6, warm=False)
    if not found.keeps_all:
        return
    low, high = task.bounds_of_limited
    points = found.curve.points.reshape(-1, found.curve.points.shape[2])
    values = function_of(task.program)(0.0, points.T, task.controlled.values)[task.width + 1 :]
    deepest = float(np.maximum(low[:, None] - values, values - high[:, None]).max(initial=0.0))
    for share in _EASIER:
        if session.stopped:
            return
        found = attempt(task, found.curve, session, slack=share * deepest)
    yield found


def _from_nearest(task: Task, guess: Curve, best: Attempt, session: Session) -> Attempt:
    """What ends nearest to the end, and from there the end itself, if it can be reached."""
    near = attempt(task, guess, session, ends=False, warm=False)
    if session.stopped:
        return best
    found = attempt(task, near.curve, session)
    return found if found.keeps_all else near if near.keeps_rates else best


def _split(shares: Array, errors: Array, violations: Array, tolerance: float) -> Array:
    """Intervals in as many pieces as their errors, of order five, and their violations, of order two, demand."""
    ratios = errors / (tolerance / (4 * shares.size)), violations / (LIMITS_KEPT * tolerance / 4)
    wanted = np.maximum(ratios[0] ** 0.2, np.sqrt(ratios[1]))
    pieces = np.clip(np.ceil(np.nan_to_num(wanted, posinf=4.0)), 1, 4).astype(int)
    while pieces.sum() % _MULTIPLE:
        pieces[np.argmax(shares / pieces)] += 1
    return np.repeat(shares / pieces, pieces)


def _with_edges_at_jumps(task: Task, best: Attempt, session: Session) -> Attempt:
    """The mesh moved so that controls jump at its edges, where they do and it is worth it."""
    if session.stopped or best.curve.shares.size > _MOVABLE or not _jumps(best.curve):
        return best
    moved = attempt(task, best.curve, session, moving=True, most=_QUICK)
    return moved if moved.keeps_all and moved.cost <= best.cost else best


def _jumps(curve: Curve) -> bool:
    """Whether some control changes much from one point to the next, beside its range, at an edge that nobody has moved or within.

    A mesh whose intervals are all alike has not been moved.
    """
    controls = curve.points[:, :, curve.width :]
    steps = np.abs(np.diff(controls, axis=1)).max(axis=(0, 1))
    if np.ptp(curve.shares) < 1e-9:
        steps = np.maximum(steps, np.abs(controls[1:, 0] - controls[:-1, -1]).max(axis=0))
    return bool((steps > _JUMP * np.ptp(controls, axis=(0, 1)) + 1e-6).any())


# One solution by IPOPT, watched: stopped at a deadline or by Ctrl-C, with the last iterate kept.


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


def _violation(values: Array, low: Array, high: Array) -> float:
    if not np.isfinite(values).all():
        return np.inf
    return float(np.maximum(low - values, values - high).max(initial=0.0))


def _cost(task: Task, curve: Curve) -> float:
    return integral(task, curve, task.program, task.width)


@final
class Session:
    """How long may be searched, who wants to know how far it is, and whether someone said stop."""

    def __init__(self, time_limit: float | None, progress: Callable[[float], None] | None) -> None:
        self.deadline = np.inf if time_limit is None else monotonic() + time_limit
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


# First guesses, the same every time: the straight line, detours to both sides, and a manoeuvre there and back; or those of a user.


def first_guesses(task: Task) -> Iterator[Curve]:
    """Curves from the start to the end, of which none need be admissible."""
    s = places(even(_COARSE))
    line = _line(task, s)
    for waves in (0, 1, 2):
        yield _curve(task, line, waves)
    for side in _SIDEWAYS:
        yield _curve(task, line + np.outer(np.sin(np.pi * s), side * _across(task)))


def _line(task: Task, s: Array) -> Array:
    goal = np.where(np.isfinite(task.end.target), task.end.target, task.start)
    return np.asarray(task.start + np.outer(s, goal - task.start))


def _across(task: Task) -> Array:
    """A detour at right angles to the way, in the plane of the first two lengths, or of the first two coordinates."""
    kinds = task.controlled.model.coordinate_kinds
    lengths = [k for k, kind in enumerate(kinds) if kind == "length"]
    plane = lengths[:2] if len(lengths) > 1 else list(range(min(2, len(kinds))))
    way = np.nan_to_num(task.end.target - task.start)
    aside = np.zeros(task.width)
    if len(plane) == 2:
        x, y = way[plane]
        size = max(float(np.hypot(x, y)), 1e-9)
        x, y = (x, y) if np.hypot(x, y) > 1e-9 else (1.0, 0.0)
        aside[plane] = np.array([-y, x]) * (max(size, 1.0) / np.hypot(x, y))
    return aside


def _curve(task: Task, line: Array, waves: int = 0) -> Curve:
    """A curve through states, with the controls that come nearest to its rates, or with some that swing to and fro."""
    K, c = len(line) // DEGREE, task.controlled
    controls = _fitted(task, line) if not c.by_inputs else np.zeros((len(line), len(c.controls)))
    duration = task.horizon or _duration(task, controls)
    controls = controls / duration
    phase = 2 * np.pi * (waves or 0.7) * (np.arange(len(line)) + 0.5) / len(line)
    swing = 1.0 if waves else 0.1  # a little, because what is symmetric may be a saddle
    controls = controls + swing * np.column_stack([np.cos(phase + k * np.pi / 2) for k in range(len(c.controls))])
    controls = np.clip(controls, task.limits.low[task.width :], task.limits.high[task.width :])
    points = np.hstack([line, controls]).reshape(K, DEGREE, -1)
    return Curve(task.start, points, even(K), duration, task.begin)


def _fitted(task: Task, line: Array) -> Array:
    """The controls whose rates are nearest to those of the line in the time 1."""
    rates, n, m = function_of(task.program), task.width, len(task.controlled.controls)

    def f(control: Array) -> Array:
        inputs = np.hstack([line, np.broadcast_to(control, (len(line), m))])
        return np.asarray(rates(task.begin, inputs.T, task.controlled.values)[:n])

    rest = f(np.zeros(m))
    J = np.stack([f(unit) - rest for unit in np.eye(m)], axis=-1)  # (state, point, control)
    wanted = np.nan_to_num(task.end.target - task.start)[:, None] - rest
    if not (np.isfinite(J).all() and np.isfinite(wanted).all()):
        return np.zeros((len(line), m))
    return np.array([np.linalg.lstsq(J[:, k], wanted[:, k], rcond=None)[0] for k in range(len(line))])


def _duration(task: Task, controls: Array) -> float:
    """A time in which controls that are right for the time 1 keep their bounds; at least as long as the way is."""
    low, high = task.limits.low[task.width :], task.limits.high[task.width :]
    most = np.maximum(np.where(np.isfinite(high), high, 0.0), np.where(np.isfinite(low), -low, 0.0))
    bounded = most > 0
    way = float(np.abs(np.nan_to_num(task.end.target - task.start)).max())
    ratio = float((np.abs(controls[:, bounded]) / most[bounded]).max(initial=0.0))
    return max(ratio, way / float(most[bounded].max(initial=0.0) or 1.0), 1e-3)


def given_guess(task: Task, guess: Any) -> Curve:
    """The guess of a user: a curve, a motion, or values by name over equal times."""
    if isinstance(guess, Curve):
        return _fitting(task, guess)
    if isinstance(guess, Trajectory):
        return _filled(task, _series(task, guess), float(np.ptp(guess.time.values)))
    if isinstance(guess, Mapping):
        return _filled(task, guess, None)
    raise ArgumentError(
        f"{task.controlled.model.name}: `guess` is {quoted(guess)}; give a plan, a motion, or a dict from names to lists of values."
    )


def _series(task: Task, motion: Trajectory) -> dict[str, Array]:
    """What a motion knows of states and controls, over equal times."""
    own = motion.time.values
    even_times, found = np.linspace(own[0], own[-1], own.size), dict[str, Array]()
    for s in (*task.controlled.states, *task.controlled.controls):
        with suppress(UnknownNameError):
            found[s.name] = np.interp(even_times, own, motion[s.name].values)
    return found


def _filled(task: Task, guess: Mapping[Any, Any], duration: float | None) -> Curve:
    """The straight line with what is known better in its place."""
    c, name, s = task.controlled, task.controlled.model.name, places(even(_COARSE))
    line = _curve(task, _line(task, s))
    own = [symbol.name for symbol in (*c.states, *c.controls)]
    filled = line.points.reshape(-1, len(own)).copy()
    for key, values in guess.items():
        try:
            series = np.atleast_1d(np.asarray(values, dtype=float))
        except (TypeError, ValueError, OverflowError):
            series = np.array([np.nan])
        if key not in own or series.ndim != 1 or not np.isfinite(series).all():
            raise ArgumentError(
                f"{name}: `guess` has {quoted(key)}; give finite numbers over time for any of {', '.join(own)}."
            )
        filled[:, own.index(key)] = np.interp(s, np.linspace(0, 1, series.size), series)
    return replace(line, points=filled.reshape(line.points.shape), duration=task.horizon or duration or line.duration)


def _fitting(task: Task, guess: Curve) -> Curve:
    if guess.points.shape[2] != len(task.program.states) or guess.width != task.width:
        raise ArgumentError(
            f"{task.controlled.model.name}: `guess` is a plan of another system, or of other controls; give one of this."
        )
    return Curve(task.start, guess.points, guess.shares, task.horizon or guess.duration, task.begin)


# Plans that may be carried out at any pace: the way is found first, and then how fast it may be gone.
#
# Where nothing moves by itself, time does not matter, and the cost is homogeneous in the speeds, $L(q, s u) = s^k L(q, u)$, a plan that
# takes $s$ times as long costs $s^{1-k}$ times as much. Its way does not depend on that; with free time it is found for the time 1,
# without the bounds of the speeds, and gone as fast as these allow.


def unhurried(task: Task) -> Task:
    """The same way to be found in the time 1 without bounds of the speeds; the task itself where the pace matters."""
    pairs = [*zip(task.limits.low[task.width :], task.limits.high[task.width :], strict=True)]
    pairs += [(row.low, row.high) for row in task.limits.rows if _is_speed(task, row)]
    if task.horizon is not None or not task.cost.degree or not all(low <= 0 <= high for low, high in pairs):
        return task
    low, high = task.limits.low.copy(), task.limits.high.copy()
    low[task.width :] = [_open(b) for b in low[task.width :]]
    high[task.width :] = [_open(b) for b in high[task.width :]]
    rows = tuple(
        replace(row, low=_open(row.low), high=_open(row.high)) if _is_speed(task, row) else row
        for row in task.limits.rows
    )
    return replace(task, horizon=1.0, limits=replace(task.limits, low=low, high=high, rows=rows))


def _is_speed(task: Task, row: Limit) -> bool:
    return row.label in {w.name for w in task.controlled.model.velocities}


def _open(bound: float) -> float:
    """Without its size, of which only the sign counts."""
    return bound if bound == 0 else bound * np.inf


def fastest(task: Task, curve: Curve) -> Curve:
    """The way of a curve gone in the shortest time in which the speeds keep their bounds; in the time 1 where these have none."""
    coefficients = np.linalg.solve(bernstein(curve.points.shape[1]), curve.points[:, :, curve.width :])
    flat: Array = np.asarray(coefficients.reshape(-1, coefficients.shape[2]))
    ratios = [_ratio(flat.T, task.limits.low[task.width :], task.limits.high[task.width :])]
    speeds = [k for k, row in enumerate(task.limits.rows) if _is_speed(task, row)]
    if speeds:
        K = curve.shares.size
        k, s = np.repeat(np.arange(K), _PARTS.size), np.tile(_PARTS, K)
        inputs = np.hstack([curve.states(k, s), curve.controls(k, s)])
        values = function_of(task.program)(0.0, inputs.T, task.controlled.values)[task.width + 1 :][speeds]
        bounds = (np.array([getattr(task.limits.rows[r], end) for r in speeds]) for end in ("low", "high"))
        ratios.append(_ratio(values, *bounds))
    stretch = max(ratios)
    return curve.lasting(curve.duration * (stretch or 1.0), flat.shape[1])


def _ratio(values: Array, low: Array, high: Array) -> float:
    """How many times larger than their bounds values become, a row for each bound."""
    above, below = values.max(axis=1, initial=0.0), values.min(axis=1, initial=0.0)
    bounded = [*zip(above, high, strict=True), *zip(-below, -low, strict=True)]
    return max((v / b for v, b in bounded if np.isfinite(b) and b > 0), default=0.0)
