r"""The loss of a one-sided constraint: its multiplier passes from pushing to pulling, as time goes on.

.. math:: \lambda_\nu(t^*) = 0, \qquad \lambda_\nu > 0 \text{ before}, \qquad \lambda_\nu < 0 \text{ after}

A multiplier counts as positive or negative when it exceeds its rounding: a share of the terms that it is computed from,
and of the force that would use up the momentum in its direction during the motion, of duration $\tau$,

.. math:: \lambda = (AA^{\mathsf T})^{-1}A\,(M\dot w + h - Q), \qquad
   |\lambda_\nu| \gg \varepsilon\left(\bigl|(AA^{\mathsf T})^{-1}A\bigr|_{\nu a}\bigl(|M||\dot w| + |h| + |Q|\bigr)_a
   + \frac1\tau\sqrt{\frac{w\cdot Mw}{(A M^{-1}A^{\mathsf T})_{\nu\nu}}}\right)

so that a body without weight, whose normal force is zero but for rounding, does not lose its contact at every step. Contact is kept from
both sides: a motion goes on beyond its loss as that of a body on rails. Each loss is an event of the motion, named after the constraint:
``"height lost"``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np

from anholonomy.algebra.expressions import Symbol
from anholonomy.algebra.numbers.balls import Ball, ball, precision
from anholonomy.base.tolerances import GATHERED
from anholonomy.equations.lagrangian import variational_derivative
from anholonomy.programs.backends.base import Array
from anholonomy.system.checks.redundant_constraints import shared_rows
from anholonomy.system.model import Model
from anholonomy.system.states.newton import rows_at
from anholonomy.system.states.rounding import sizes_at

__all__ = ["EVENT", "losses", "passages", "rounding", "told_losses", "watched"]

EVENT = "{} lost"
"""What the loss of a constraint is called, by its label."""


def watched(declared: Model, model: Model) -> tuple[str, ...]:
    """The one-sided constraints of the integrated ``model`` whose multipliers are determined by the motion.

    Those of constraints that follow from each other are not: a table on four legs.
    """
    sided = tuple(c.label for c in model.constraints if c.label in declared.one_sided)
    if not sided or not declared.redundant_rows:
        return sided
    shared = shared_rows(declared)
    return tuple(label for label in sided if label not in shared)


def passages(row: Array, noise: Callable[[int], float], last: int, forward: bool) -> tuple[list[tuple[int, int]], int]:
    """Where a multiplier on a grid passes from positive to negative as time goes on, and its last sign.

    A passage is a pair of grid places around it. ``noise(k)`` is the rounding at a place, and ``last`` the sign before
    the grid, 0 at the start of a motion: a force that pulls from there on is lost there, in the pair (k, k).

    >>> passages(np.array([2.0, 1.0, -1.0, -2.0, 3.0]), lambda k: 1e-12, 0, True)
    ([(1, 2)], 1)
    >>> passages(np.array([-2.0, -1.0, 1.0]), lambda k: 1e-12, 0, True)
    ([(0, 0)], 1)
    >>> passages(np.array([-2.0, -1.0, 1.0]), lambda k: 1e-12, 0, False)
    ([(1, 2)], 1)
    """
    if last < 0 and (row < 0).all():
        return [], last
    pulls = np.flatnonzero(row <= 0)
    floor = noise(int(pulls[0])) if pulls.size else 0.0
    places = np.flatnonzero(np.abs(row) > floor)
    if not places.size:
        return [], last
    signs, after = np.sign(row[places]).astype(int), -1 if forward else 1
    found: list[tuple[int, int]] = []
    if forward and last == 0 and signs[0] < 0:
        found.append((max(int(places[0]) - 1, 0),) * 2)
    elif last == -after and signs[0] == after:
        found.append((0, int(places[0])))
    turns = np.flatnonzero((signs[:-1] == -after) & (signs[1:] == after))
    found += [(int(places[k]), int(places[k + 1])) for k in turns]
    return found, int(signs[-1])


def rounding(model: Model, point: Mapping[Symbol, float], accelerations: Array, duration: float) -> Array:
    """What the multipliers may be off by at a state, one for each constraint."""
    E = variational_derivative(model)
    size, count = len(model.velocities), len(model.constraints)
    with precision(20):
        known = {s: ball(value) for s, value in point.items()}
        sizes = [float(s) for row in E.mass_ab for s in sizes_at(row, known)]
        bias, given = sizes_at(E.bias_a, known), sizes_at(model.forces_a, known)
        M = _numbers(rows_at(E.mass_ab, known), size, size)
        A = _numbers(rows_at(model.matrix_na, known), count, size)
    terms = np.array([float(h) + float(Q) for h, Q in zip(bias, given, strict=True)])
    reactions = np.array(sizes).reshape(size, size) @ np.abs(accelerations) + terms
    w = np.array([point[s] for s in model.velocities])
    inverse = np.linalg.pinv(M)
    lightness = np.abs(np.einsum("na,ab,nb->n", A, inverse, A))
    # A direction without inertia has no momentum to lose.
    weighs = lightness > GATHERED * np.einsum("na,na->n", A, A) * np.abs(inverse).max(initial=0.0)
    squares = np.divide(abs(w @ M @ w), lightness, out=np.zeros(count), where=weighs)
    momenta = np.sqrt(squares) / duration if duration else 0.0
    return np.asarray(GATHERED * (np.abs(np.linalg.pinv(A.T)) @ reactions + momenta))


def _numbers(rows: Sequence[Sequence[Ball]], height: int, width: int) -> Array:
    return np.array([float(value) for row in rows for value in row]).reshape(height, width)


def losses(labels: Sequence[str], events: Iterable[tuple[str, float]]) -> dict[str, list[float]]:
    """The losses of one-sided constraints among the events of a motion, named and timed: their times by label, the earliest first."""
    found: dict[str, list[float]] = {label: [] for label in labels}
    names = {EVENT.format(label): label for label in labels}
    for name, t in events:
        if name in names:
            found[names[name]].append(float(t))
    return {label: sorted(times) for label, times in found.items()}


def told_losses(labels: tuple[str, ...], events: Sequence[tuple[str, float]]) -> str:
    """The first loss of each constraint as the end of a sentence; empty where nothing is lost."""
    lost = sorted((times[0], label) for label, times in losses(labels, events).items() if times)
    said = ", ".join(f"{label} was lost at t = {t:.6g}" for t, label in lost)
    return f"; {said}, and from there on it is kept by a force of the wrong sign" if said else ""
