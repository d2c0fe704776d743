r"""The search for an extremal between two configurations: guesses on a coarse grid, and multiple shooting that makes them exact.

.. math::
   w(v) = \arg\min\{|w - v| : Aw + a = 0\}, \qquad
   \min_{\delta v}\ g\cdot\delta v + \tfrac12\,\delta v\cdot R\,\delta v \quad\text{with}\quad c + J\delta v = 0

Any velocity $v$ steers: it is replaced by the nearest admissible one, so that no basis of these is chosen. $c$ is what the end
misses, $J$ its derivative and $g$ that of the action by the speeds in each interval. Many guesses are improved at a time. The multiplier of the last
condition is the momentum at the end, and carried back it gives the momenta from which shooting begins.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import final

import numpy as np

from anholonomy.algebra.expressions import dot, identity, symbol
from anholonomy.algebra.steps.definitions import Solve
from anholonomy.base.tolerances import EXACT, GATHERED
from anholonomy.programs.backends import fast_function
from anholonomy.programs.backends.base import Array, Function
from anholonomy.programs.derivatives import jacobian
from anholonomy.programs.program import Program, lower
from anholonomy.vakonomic.shortest_paths.hamiltonian_flow import HamiltonianFlow, bordered

__all__ = ["Guesses", "Shot", "first_guesses", "shoot"]

_INTERVALS = 20
"""Parts of the time on which a control is constant."""
_DESCENTS = 40
"""Steps after which a descent ends."""
_DESCENT_SHARES = (1.0, 0.5, 0.2, 0.05)
_ENOUGH = 1e-4
"""A gain in action and misses after which shooting does the rest."""
_STAGES = ((0.0, 1 / 6), (0.5, 1 / 3), (0.5, 1 / 3), (1.0, 1 / 6))
"""Runge and Kutta's: where in the step, and with which weight."""
_CORRECTIONS = 30
"""Corrections after which shooting is given up."""
_SHARES = (1.0, 0.5, 0.25, 0.1, 0.03)
_WINDOW = 6
"""Corrections in which what does not fit must be halved."""


def first_guesses(flow: HamiltonianFlow, first: Array, last: Array, times: tuple[float, float], count: int) -> Guesses:
    """Paths from ``first`` to ``last``, each improved from speeds of its own; the first of them from the straight way."""
    steering = _Steering(flow, np.linspace(*times, _INTERVALS + 1))
    speeds = _random_speeds(steering, first, last, count)
    sweep = steering.sweep(first, speeds)
    for _ in range(_DESCENTS):
        improved, gained = steering.step(first, last, speeds, sweep)
        if not gained.any():
            break
        speeds, sweep = improved, steering.sweep(first, improved)
        if gained.max() < _ENOUGH:
            break
    return steering.guesses(sweep, last)


@final
@dataclass(frozen=True)
class Guesses:
    """Paths through a grid of times: configurations and momenta, shapes (guess, time, entry); what the ends miss, and the actions."""

    times: Array
    configurations: Array
    momenta: Array
    misses: Array
    actions: Array


def _random_speeds(steering: _Steering, first: Array, last: Array, count: int) -> Array:
    """Slow waves of different sizes, shape (guess, interval, direction), around the straight way."""
    rng = np.random.default_rng(0)
    duration = steering.times[-1] - steering.times[0]
    straight = steering.straight(first, last) / duration
    size = np.abs(straight).max() or 1.0 / duration
    middle = (np.arange(_INTERVALS) + 0.5) / _INTERVALS
    waves = np.array([np.ones_like(middle), *(f(np.pi * k * middle) for k in (1, 2, 3) for f in (np.sin, np.cos))])
    weights = rng.normal(size=(count, len(waves), len(straight))) / np.sqrt(len(waves))
    scale = size * np.array([0.0, *(3.0 ** rng.uniform(-1, 1.5, count - 1))])
    return np.asarray(straight + scale[:, None, None] * np.einsum("bkd,kn->bnd", weights, waves))


@final
@dataclass(frozen=True)
class _Sweep:
    """Paths and their derivatives: extended states $(q, S)$ (guess, time, entry), and of every step those by state and by speed."""

    states: Array
    by_state: Array
    by_speed: Array


@final
class _Steering:
    """A system moved by speeds that are constant in each interval of a grid, by Runge and Kutta's method of order four."""

    def __init__(self, flow: HamiltonianFlow, times: Array) -> None:
        self.flow, self.times = flow, times
        self.rates, self.slopes = _steered(flow)
        self.width = len(flow.model.coordinates)
        self.directions = len(flow.model.velocities)

    def straight(self, first: Array, last: Array) -> Array:
        """The velocity that leads straight from one configuration to the other, as far as the frame has one."""
        (anchor,) = self.flow.anchors(float(self.times[0]), first[:, None])
        return np.asarray(np.linalg.lstsq(anchor.T, last - first, rcond=None)[0])

    def sweep(self, first: Array, speeds: Array) -> _Sweep:
        """The paths of many speeds at once."""
        count = len(speeds)
        x = np.zeros((count, self.width + 1))
        x[:, : self.width] = first
        states, by_state, by_speed = [x], [], []
        for k, (t, h) in enumerate(zip(self.times, np.diff(self.times), strict=False)):
            x, X, V = self._moved(t, h, x, speeds[:, k])
            states.append(x)
            by_state.append(X)
            by_speed.append(V)
        return _Sweep(*(np.stack(each, axis=1) for each in (states, by_state, by_speed)))

    def _moved(self, t: float, h: float, x: Array, v: Array) -> tuple[Array, Array, Array]:
        """A step with its derivatives by state and speed."""
        n = x.shape[1]
        start = np.broadcast_to(np.eye(n), (len(x), n, n))
        dx, dX, dV = np.zeros_like(x), np.zeros_like(start), np.zeros((len(x), n, v.shape[1]))
        total = [x, start, dV]
        for share, weight in _STAGES:
            at, inputs = t + share * h, self._inputs(x + share * h * dx, v)
            dx = self.rates(at, inputs, self.flow.parameters).T
            slope = self.slopes(at, inputs, self.flow.parameters).T.reshape(len(x), n, -1)
            by_q, by_v = slope[:, :, : n - 1], slope[:, :, n - 1 :]
            dX, dV = by_q @ (start + share * h * dX)[:, :-1], by_q @ (share * h * dV)[:, :-1] + by_v
            total = [old + weight * h * new for old, new in zip(total, (dx, dX, dV), strict=True)]
        return total[0], total[1], total[2]

    @staticmethod
    def _inputs(x: Array, v: Array) -> Array:
        return np.concatenate([x[:, :-1], v], axis=1).T

    def ends(self, first: Array, speeds: Array) -> Array:
        """Where the paths of many speeds end, and their actions."""
        x = np.zeros((len(speeds), self.width + 1))
        x[:, : self.width] = first
        for k, (t, h) in enumerate(zip(self.times, np.diff(self.times), strict=False)):
            dx, before = np.zeros_like(x), x
            for share, weight in _STAGES:
                inputs = self._inputs(before + share * h * dx, speeds[:, k])
                dx = self.rates(t + share * h, inputs, self.flow.parameters).T
                x = x + weight * h * dx
        return x

    def _end_slopes(self, sweep: _Sweep) -> Array:
        """The derivatives of the last extended state by all speeds, shape (guess, entry, interval, direction)."""
        count, intervals = sweep.by_state.shape[:2]
        after = np.broadcast_to(np.eye(self.width + 1), (count, self.width + 1, self.width + 1))
        found = np.empty((count, self.width + 1, intervals, self.directions))
        for k in reversed(range(intervals)):
            found[:, :, k] = after @ sweep.by_speed[:, k]
            after = after @ sweep.by_state[:, k]
        return found

    def improvement(self, sweep: _Sweep, last: Array) -> tuple[Array, Array]:
        """The change of the speeds that meets the end with the least action, and the price of what an end misses."""
        slopes = self._end_slopes(sweep)
        count, _, intervals, directions = slopes.shape
        J = slopes[:, :-1].reshape(count, self.width, -1)
        c = sweep.states[:, -1, :-1] - last
        h = np.diff(self.times)
        R = self._weights(sweep) * h[None, :, None, None]
        solved = np.linalg.solve(R, slopes.transpose(0, 2, 3, 1))
        RJ = solved[..., :-1].reshape(count, intervals * directions, self.width)
        Rg = solved[..., -1].reshape(count, -1)
        price = np.einsum(
            "bij,bj->bi", np.linalg.pinv(J @ RJ, rcond=1e-10, hermitian=True), c - np.einsum("bij,bj->bi", J, Rg)
        )
        change = -(Rg + np.einsum("bji,bi->bj", RJ, price))
        return change.reshape(count, intervals, directions), price

    def _weights(self, sweep: _Sweep) -> Array:
        """The kinetic metric along the paths, made definite across the constraints."""
        count, intervals = sweep.by_state.shape[:2]
        q = sweep.states[:, :-1, :-1].reshape(-1, self.width).T
        t = np.tile(self.times[:-1], count)
        found = _metric(self.flow)(t, q, self.flow.parameters).T
        return found.reshape(count, intervals, self.directions, self.directions)

    def step(self, first: Array, last: Array, speeds: Array, sweep: _Sweep) -> tuple[Array, Array]:
        """As much of the change as makes action and misses together less, for each guess; and the share by which they are."""
        change, price = self.improvement(sweep, last)
        penalty = 2 * np.abs(price).max(axis=1) + EXACT

        def merit(end: Array) -> Array:
            value = end[:, -1] + penalty * np.abs(end[:, :-1] - last).sum(axis=1)
            return np.where(np.isfinite(value), value, np.inf)

        before = best = merit(sweep.states[:, -1])
        chosen = speeds
        for share in _DESCENT_SHARES:
            tried = speeds + share * change
            with np.errstate(all="ignore"):
                value = merit(self.ends(first, tried))
            chosen = np.where((value < best)[:, None, None], tried, chosen)
            best = np.minimum(value, best)
            if share == 1.0 and (best < before).all():
                break
        gained = (before - best) / (np.abs(before) + EXACT)
        return chosen, np.where(np.isfinite(gained), gained, 0.0)

    def guesses(self, sweep: _Sweep, last: Array) -> Guesses:
        """The paths with their momenta, the end's carried back."""
        _, price = self.improvement(sweep, last)
        covector = np.concatenate([-price, -np.ones((len(price), 1))], axis=1)
        along = [covector]
        for k in reversed(range(sweep.by_state.shape[1])):
            along.append(np.einsum("bi,bij->bj", along[-1], sweep.by_state[:, k]))
        covectors = np.stack(along[::-1], axis=1)[..., :-1]
        q = sweep.states[..., :-1]
        anchors = self.flow.anchors(np.tile(self.times, len(q)), q.reshape(-1, self.width).T)
        momenta = np.einsum("bkai,bki->bka", anchors.reshape(*q.shape[:2], self.directions, self.width), covectors)
        misses = np.abs(q[:, -1] - last).max(axis=1)
        return Guesses(self.times, q, momenta, misses, sweep.states[:, -1, -1])


@lru_cache(maxsize=32)
def _steered(flow: HamiltonianFlow) -> tuple[Function, Function]:
    """The rates of configuration and action by a velocity that need not be admissible, and their derivatives by both."""
    program = _steered_program(flow)
    return fast_function(program), fast_function(jacobian(program))


def _steered_program(flow: HamiltonianFlow) -> Program:
    model = flow.model
    asked = tuple(symbol(f"$v{a}") for a, _ in enumerate(model.velocities))
    loads = tuple(symbol(f"$l{n}") for n, _ in enumerate(model.constraints))
    size = model.frame.size
    step = Solve(
        (*model.velocities, *loads),
        bordered(identity(size), model.matrix_na),
        (*asked, *(-a for a in model.offset_n)),
    )
    rates = model.frame.coordinate_rates(model.velocities)
    outputs = (*(rates[q] for q in model.coordinates), model.lagrangian)
    return lower((*model.coordinates, *asked), model.parameter_symbols, [step], outputs)


@lru_cache(maxsize=32)
def _metric(flow: HamiltonianFlow) -> Function:
    r"""$M + A^{\mathsf T}A$, row by row."""
    model, M = flow.model, flow.parts.mass_ab
    columns = list(zip(*model.matrix_na, strict=True)) if model.constraints else [()] * len(M)
    entries = [M[a][b] + dot(columns[a], columns[b]) for a in range(len(M)) for b in range(len(M))]
    return fast_function(lower(model.coordinates, model.parameter_symbols, [], entries))


# Multiple shooting: the states at a few times, corrected until the extremals between them join and end where they must.
#
# .. math::
#    F_k = \Phi_k(q_k, p_k) - (q_{k+1}, p_{k+1}), \qquad F_K = q(T) - q_{\mathrm{end}}, \qquad
#    \delta = -(\partial F)^+ F
#
# The derivatives of the flow $\Phi_k$ are integrated with it. With one piece it is simple shooting, the unknowns being the momenta
# at the start alone.


def shoot(flow: HamiltonianFlow, times: Array, states: Array, last: Array, goal: float, tolerance: float) -> Shot:
    """Correct ``states``, one for each piece between ``times``; the configuration of the first stays.

    It ends when what does not fit is below ``goal`` or does not become less.
    """
    shooting = _Shooting(flow, times, last, tolerance)
    F, slope = shooting.defects(states)
    size = float(np.abs(F).max())
    sizes = [size]
    for iteration in range(_CORRECTIONS):
        if not np.isfinite(size) or size <= goal:
            return Shot(times, states, size, iteration)
        change = shooting.correction(F, slope)
        for share in _SHARES:
            tried = states + share * change
            F_tried, slope_tried = shooting.defects(tried)
            new = float(np.abs(F_tried).max())
            if new < size:
                break
        else:
            return Shot(times, states, size, iteration)
        states, F, slope, size = tried, F_tried, slope_tried, new
        sizes.append(size)
        if iteration >= _WINDOW and size > sizes[-_WINDOW] / 2:
            return Shot(times, states, size, iteration)
    return Shot(times, states, size, _CORRECTIONS)


@final
@dataclass(frozen=True)
class Shot:
    """States $(q, p)$ at the beginning of each piece, and the largest entry of what does not fit."""

    times: Array
    states: Array
    miss: float
    iterations: int


@final
class _Shooting:
    """The equations of the pieces."""

    def __init__(self, flow: HamiltonianFlow, times: Array, last: Array, tolerance: float) -> None:
        self.flow, self.times, self.last, self.tolerance = flow, times, last, tolerance
        self.width = len(flow.model.coordinates)
        self.size = len(flow.rates.states)

    def defects(self, states: Array) -> tuple[Array, Array]:
        """What does not fit, and its derivatives by all states."""
        pieces, n = len(states), self.size
        F, slope = np.zeros(pieces * n), np.zeros((pieces * n, pieces * n))
        start = np.concatenate([np.zeros(n), np.eye(n).ravel()])
        for k, state in enumerate(states):
            start[:n] = state
            end = self.flow.along(self.flow.varied, start, self.times[k : k + 2], self.tolerance)[-1]
            rows = slice(k * n, (k + 1) * n)
            F[rows] = end[:n] - (states[k + 1] if k + 1 < pieces else np.append(self.last, end[self.width : n]))
            slope[rows, rows] = end[n:].reshape(n, n).T
            if k + 1 < pieces:
                slope[rows, (k + 1) * n : (k + 2) * n] = -np.eye(n)
        used = pieces * n - (n - self.width)  # no momentum is asked for at the end
        return F[:used], slope[:used]

    def correction(self, F: Array, slope: Array) -> Array:
        """The shortest change of the states that makes them fit, to first order."""
        free = slope[:, self.width :]
        if not np.isfinite(free).all():
            return np.full((slope.shape[1] // self.size, self.size), np.nan)
        scale = np.linalg.norm(free, axis=0)
        scale = np.where(scale > 0, scale, 1.0)
        found = -np.linalg.lstsq(free / scale, F, rcond=GATHERED)[0] / scale
        return np.concatenate([np.zeros(self.width), found]).reshape(-1, self.size)
