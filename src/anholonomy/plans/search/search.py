"""The search: several guesses on a coarse mesh, the cheapest of them refined to a stated residual.

Where controls jump, the edges of the mesh are moved there first; finer meshes keep them. Where no guess leads to the end, obstacles
are let in step by step; where that fails too, the motion that ends nearest is kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from anholonomy.compile.backends.base import Array
from anholonomy.plans.asked.task import Task
from anholonomy.plans.collocation.curve import Curve
from anholonomy.plans.collocation.measures import function_of, interval_violations, local_errors
from anholonomy.plans.search.solving import Attempt, Session, attempt
from anholonomy.tolerances import NOTHING

__all__ = ["COARSE", "LIMITS_KEPT", "first_found", "refined"]

COARSE = 16
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
