r"""Conjugate times and cut times: how long an extremal is a shortest path.

.. math:: t_{\mathrm{cut}} = \sup\{t : d(q(0), q(t)) = \ell(t)\} \le \min(t_{\mathrm{conjugate}}, t_{\mathrm{Maxwell}})

After a conjugate time, and after a Maxwell time at which another extremal arrives with the same length, no extremal is shortest; these times are
zeros of functions and found as such. Hundreds of competitors are followed to where they meet it. That it is shortest before is not proven:
no shorter path was found to a point just before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice, pairwise, product
from typing import Any, TypeAlias, final

import numpy as np

from anholonomy.base.errors import NotSupportedError
from anholonomy.base.tolerances import GATHERED, VANISHES
from anholonomy.language.answers import Part, Readable
from anholonomy.motion.integrators.runge_kutta import step
from anholonomy.programs.backends.base import Array
from anholonomy.programs.program import Program
from anholonomy.vakonomic.shortest_paths.hamiltonian_flow import HamiltonianFlow, flow_of, has_length

__all__ = ["SHORTER", "Cut", "cut", "first_conjugate_time"]

Meeting: TypeAlias = "tuple[float, Array]"
"""A time, and the momenta of another extremal that is at the same place then."""
SHORTER = 1e-7
"""A share of its length by which another path must be shorter to count."""
_LOOKS = 400
"""Times at which the sign of the determinant is looked at."""
_BEFORE = 1e-3
"""How far before a time, as a share of it, paths are compared."""
_ROUNDS, _NEWTON, _HALVINGS = 6, 14, 12
"""Paths that each cut the one before earlier, Newton's steps to a meeting, and bisections."""
_SHARES = (0.02, 0.1, 0.4)
"""Changes of the first momentum that are tried beside a conjugate point."""
_MIRRORED, _DRAWN, _MOMENTS = 64, 256, 128
"""Mirror images of the momenta, others that are drawn, and moments at which they are compared."""
_PARTS, _FOLLOWED, _ROUGH, _STEPS, _NEAR = 8, 32, 8, 48, 1e-3
"""Parts of the time, competitors that are followed in each, Newton's steps for these, steps of their integration, and what is left between them."""
_MET, _SAME = 1e-11, 1e-3
"""What may be between two ends that meet, and momenta that are one extremal's."""


def cut(path: Any, until: float, starts: int = 12, angles: Sequence[str] = ()) -> Cut:
    """The cut of an extremal, looked for up to a time."""
    system = path.system
    flow = flow_of(system.model)
    if not has_length(flow):
        raise NotSupportedError(
            f"{system.name}: with a potential, time or affine constraints a path has an action and no length, and so no cut time."
        )
    state = np.array([*path.first, *path.momenta])
    conjugate = first_conjugate_time(flow, state, until)
    found = Cut(conjugate, until, conjugate)
    late = until if conjugate is None else conjugate
    names = flow.model.directions
    for met in (_nearby(flow, state, conjugate), _by_chance(flow, state, late, angles)):
        if met is not None and met[0] < late * (1 - SHORTER):
            late = met[0]
            found = Cut(late, until, conjugate, dict(zip(names, met[1].tolist(), strict=True)))
    late = late if found.time is None else late * (1 - _BEFORE)
    for _ in range(_ROUNDS):
        other = _shorter(system, flow, state, late, starts, angles)
        if other is None:
            return found
        met = _met_by(flow, state, other, late)
        if met is None:
            return _halved(system, flow, state, late, starts, angles, found)
        found = Cut(met[0], until, conjugate, dict(zip(names, met[1].tolist(), strict=True)))
        late = met[0] * (1 - _BEFORE)
    return found


@final
@dataclass(frozen=True, repr=False)
class Cut(Readable):
    """Beyond which time an extremal is not shortest.

    Attributes
    ----------
    time
        The cut time, unless a competitor that arrives before was missed; None where none was found as far as it was looked.
    until
        How far that is.
    conjugate
        The first conjugate time up to there, if there is one.
    competitor
        The momenta of another extremal that arrives at the cut time at the same place; empty where neighbours do.
    uncertainty
        By how much the time may be too large: 0 where two extremals were made to meet.
    """

    time: float | None
    until: float
    conjugate: float | None = None
    competitor: dict[str, float] = field(default_factory=dict, hash=False)
    uncertainty: float = 0.0

    def as_rows(self) -> Iterable[Part]:
        if self.time is None:
            return [
                f"no shorter path to its point at t = {self.until:.10g} was found, which is no proof that there is none"
            ]
        if self.competitor:
            momenta = ", ".join(f"{name}: {value:.6g}" for name, value in self.competitor.items())
            late = f"another extremal arrives there with the same length, with the momenta ({momenta})"
        elif self.uncertainty:
            late = f"shorter paths were found to later points, at best {self.uncertainty:.1g} after it"
        else:
            late = "neighbouring extremals meet it there"
        return [f"it is not shortest beyond t = {self.time:.10g}: {late}; before, no shorter one was found"]


def _nearby(flow: HamiltonianFlow, state: Array, conjugate: float | None) -> Meeting | None:
    """The first meeting with an extremal that begins along the direction which a conjugate time belongs to."""
    if conjugate is None:
        return None
    width, n = len(flow.model.coordinates), len(state)
    end = flow.along(flow.varied, np.concatenate([state, np.eye(n).ravel()]), np.array([0.0, conjugate]))[-1]
    direction = np.linalg.svd(end[n:].reshape(n, n).T[:width, width:])[2][-1]
    size, still = float(np.linalg.norm(state[width:])), (np.ones(width), np.zeros(width))
    tried = (state[width:] + sign * share * size * direction for share in _SHARES for sign in (1, -1))
    return _first(_meeting(flow, state, _at_speed(flow, state, p), conjugate, conjugate, *still) for p in tried)


def _by_chance(flow: HamiltonianFlow, state: Array, late: float, angles: Sequence[str]) -> Meeting | None:
    """The first meeting with extremals that begin anywhere, full turns of some angles on.

    Many begin together. Newton's method is followed roughly for all that come near, and to the end for those that meet, the earliest first.
    """
    width, size = len(flow.model.coordinates), float(np.linalg.norm(state[len(flow.model.coordinates) :]))
    momenta = np.array([_at_speed(flow, state, p) for p in _beginnings(state[width:])])
    apart = np.linalg.norm(momenta - state[width:], axis=1) / size
    momenta, apart = momenta[apart > _SAME], apart[apart > _SAME]
    times = np.linspace(0.0, late, _MOMENTS + 1)
    mine = flow.along(flow.rates, state, times)[:, :width]
    theirs = _fan(flow, _beside(state[:width], momenta), times)[:, :width]
    # What is near at a time is measured by how far they are from one another then, in each coordinate.
    spread = np.nanmedian(np.abs(theirs - np.nanmedian(theirs, axis=2, keepdims=True)), axis=2, keepdims=True)
    spread[~(spread > 0)] = np.inf
    found: Meeting | None = None
    for sign, shift in _same_places(flow, angles):
        gaps = np.linalg.norm((theirs - (sign * mine + shift)[:, :, None]) / spread, axis=1) / np.minimum(apart, 1.0)
        near = _nearest(np.where(np.isfinite(gaps), gaps, np.inf))
        if len(near):
            for p, t in _together(flow, state, momenta[near[:, 1]], times[near[:, 0]], sign, shift):
                if t < (late if found is None else found[0] * (1 - SHORTER)):
                    found = _first([found, _meeting(flow, state, p, t, late, sign, shift)])
    return found


def _beside(q: Array, momenta: Array) -> Array:
    """States at one place, a column for each row of momenta."""
    return np.vstack([np.tile(q[:, None], len(momenta)), momenta.T])


def _beginnings(own: Array) -> Array:
    """Momenta beside an extremal's own: its mirror images, and others of all sizes in each component."""
    signs = np.array(list(islice(product((1, -1), repeat=len(own)), 1, _MIRRORED)))
    rng = np.random.default_rng(3)
    size = float(np.linalg.norm(own)) / np.sqrt(len(own))
    wide = rng.standard_normal((_DRAWN, len(own))) * np.exp(rng.standard_normal((_DRAWN, len(own))))
    return np.vstack([own * signs, own + size * wide, size * wide])


def _fan(flow: HamiltonianFlow, states: Array, times: Array) -> Array:
    """Many extremals at the same times, one step of order eight between two of them: near enough to begin with."""
    rows = [states]
    with np.errstate(all="ignore"):
        for t, after in pairwise(times):
            rows.append(step(lambda t, x: flow.value(flow.rates, t, x), t, after - t, rows[-1]))
    return np.array(rows)


def _nearest(gaps: Array) -> Array:
    """Rows of a moment and a competitor that is nearer then than just before and after; in each part of the time the nearest ones."""
    low = np.full(gaps.shape, np.inf)
    inside = (gaps[1:-1] <= gaps[:-2]) & (gaps[1:-1] <= gaps[2:])
    low[1:-1][inside] = gaps[1:-1][inside]
    low[-1] = np.where(gaps[-1] < gaps[-2], gaps[-1], np.inf)
    rows = []
    for part in np.array_split(np.arange(len(gaps)), _PARTS):
        own = low[part]
        order = np.argsort(own, axis=None)[:_FOLLOWED]
        k, j = np.unravel_index(order, own.shape)
        rows.append(np.column_stack([part[k], j])[np.isfinite(own[k, j])])
    return np.vstack(rows)


def _together(
    flow: HamiltonianFlow, state: Array, p: Array, t: Array, sign: Array, shift: Array
) -> list[tuple[Array, float]]:
    """Momenta and times that Newton's method reaches from many beginnings at once, with steps that are rough; the earliest first."""
    width, n, size = len(shift), len(state), max(1.0, float(np.abs(state).max()))
    first = np.eye(n)[width:].ravel()
    with np.errstate(all="ignore"):
        for _ in range(_ROUGH):
            start = _beside(state[:width], p)
            x = np.vstack([start, np.tile(first[:, None], len(p))])
            mine = np.tile(state[:, None], len(p))
            # Each begins at its own time 0 and ends at its own t: with the time as a share of t, one step serves all.
            for _ in range(_STEPS):
                x = step(_shares(flow, flow.opened, t), 0.0, 1 / _STEPS, x)
                mine = step(_shares(flow, flow.rates, t), 0.0, 1 / _STEPS, mine)
            rates = [flow.value(flow.rates, 0.0, each)[:width] for each in (x[:n], mine)]
            energies = flow.value(flow.hamiltonian, 0.0, start)[0] - flow.value(flow.hamiltonian, 0.0, state)[0]
            F = np.vstack([x[:width] - sign[:, None] * mine[:width] - shift[:, None], energies]).T
            slope = np.zeros((len(p), width + 1, n - width + 1))
            slope[:, :width, :-1] = x[n:].T.reshape(len(p), n - width, n)[:, :, :width].transpose(0, 2, 1)
            slope[:, :width, -1] = (rates[0] - sign[:, None] * rates[1]).T
            slope[:, width, :-1] = flow.value(flow.velocities, 0.0, start)[: n - width].T
            whole = np.isfinite(F).all(axis=1) & np.isfinite(slope).all(axis=(1, 2))
            p, t, F, slope = p[whole], t[whole], F[whole], slope[whole]
            if not len(p):
                return []
            change = -np.einsum("kij,kj->ki", np.linalg.pinv(slope, rcond=1e-11), F)
            share = np.minimum(1.0, 0.3 * t / np.maximum(np.abs(change[:, -1]), 1e-300))[:, None]
            p, t = p + share * change[:, :-1], t + share[:, 0] * change[:, -1]
    same = np.abs(p - state[width:]).max(axis=1) <= _SAME * np.abs(state[width:]).max()
    met = (np.abs(F).max(axis=1) <= _NEAR * size) & ~same & (t > 0)
    found: list[tuple[Array, float]] = []
    for k in np.flatnonzero(met)[np.argsort(t[met])]:
        if not any(abs(t[k] - other) <= _NEAR * t[k] and np.allclose(p[k], q, atol=_SAME) for q, other in found):
            found.append((p[k], t[k]))
    return found


def _shares(flow: HamiltonianFlow, program: Program, t: Array) -> Callable[[float, Array], Array]:
    """The rates of many states by the shares of their times."""
    return lambda _, states: t * flow.value(program, 0.0, states)


def _first(meetings: Iterable[Meeting | None]) -> Meeting | None:
    return min((met for met in meetings if met is not None), key=lambda met: met[0], default=None)


def _same_places(flow: HamiltonianFlow, angles: Sequence[str]) -> Iterator[tuple[Array, Array]]:
    """What makes one place of another: signs of coordinates, and full turns that are added."""
    coordinates = flow.model.coordinates
    tied = np.array([q in flow.model.redundant_coordinates for q in coordinates])
    none = np.zeros(len(coordinates))
    yield np.ones(len(coordinates)), none
    if any(tied[k] for k, q in enumerate(coordinates) if q.name in angles):
        yield np.where(tied, -1.0, 1.0), none
    for k, q in enumerate(coordinates):
        if q.name in angles and not tied[k]:
            for turn in (1, -1):
                yield np.ones(len(coordinates)), none + turn * 2 * np.pi * (np.arange(len(coordinates)) == k)


def _at_speed(flow: HamiltonianFlow, state: Array, p: Array) -> Array:
    """Momenta of the same energy in the same direction."""
    width = len(flow.model.coordinates)
    own = _speed(flow, np.concatenate([state[:width], p]))
    return p * (_speed(flow, state) / own) if own > 0 else p


def _point(flow: HamiltonianFlow, state: Array, t: float) -> Array:
    return np.asarray(flow.along(flow.rates, state, np.array([0.0, t]))[-1])


def _speed(flow: HamiltonianFlow, state: Array) -> float:
    return float(np.sqrt(2 * flow.value(flow.hamiltonian, 0.0, state)[0]))


def _shorter(
    system: Any, flow: HamiltonianFlow, state: Array, t: float, starts: int, angles: Sequence[str]
) -> Any | None:
    """A path to the point at a time that is shorter, if one is found."""
    width = len(flow.model.coordinates)
    names = [q.name for q in flow.model.coordinates]
    ends = (dict(zip(names, q.tolist(), strict=True)) for q in (state[:width], _point(flow, state, t)[:width]))
    other = system.paths.shortest(*ends, starts=starts, modulo=angles)
    mine = _speed(flow, state) * t
    return other if other.report.converged and other.length < mine * (1 - SHORTER) else None


def _met_by(flow: HamiltonianFlow, state: Array, other: Any, late: float) -> Meeting | None:
    """Where a shorter path to the point at a time, continued backward, arrives together with the extremal."""
    width, speed = len(flow.model.coordinates), _speed(flow, state)
    mine, theirs = _point(flow, state, late)[:width], np.array(list(other.end.values()))
    tied = np.array([q in flow.model.redundant_coordinates for q in flow.model.coordinates])
    flipped = tied.any() and np.abs((mine + theirs)[tied]).max() < np.abs((mine - theirs)[tied]).max()
    sign = np.where(tied, -1.0, 1.0) if flipped else np.ones(width)
    shift = np.where(tied, 0.0, theirs - mine)
    begin = (late + other.length / speed) / 2
    return _meeting(flow, state, np.array(other.momenta) * speed, begin, late, sign, shift)


def _meeting(
    flow: HamiltonianFlow, state: Array, p: Array, t: float, late: float, sign: Array, shift: Array
) -> Meeting | None:
    """The time at which both extremals are at one place after the same length, with the momenta of the other, by Newton's method."""
    width, size = len(shift), max(1.0, float(np.abs(state).max()))
    for _ in range(_NEWTON):
        F, slope = _apart(flow, state, p, t, sign, shift)
        if not np.isfinite(F).all() or not np.isfinite(slope).all():
            return None
        if np.abs(F).max() <= _MET * size:
            same = np.abs(p - state[width:]).max() <= _SAME * max(1e-300, float(np.abs(state[width:]).max()))
            return None if same or not 0 < t <= late * (1 + _BEFORE) else (float(t), p)
        change = -np.linalg.lstsq(slope, F, rcond=1e-11)[0]
        share = min(1.0, 0.3 * t / max(abs(float(change[-1])), 1e-300))
        p, t = p + share * change[:-1], t + share * float(change[-1])
        if not 0 < t < 2 * late:
            return None
    return None


def _apart(flow: HamiltonianFlow, state: Array, p: Array, t: float, sign: Array, shift: Array) -> tuple[Array, Array]:
    """What is between the two extremals at a time, and between their energies, with the derivatives by momenta and time."""
    width, n = len(shift), len(state)
    start = np.concatenate([state[:width], p])
    end = flow.along(flow.varied, np.concatenate([start, np.eye(n).ravel()]), np.array([0.0, t]))[-1]
    mine = _point(flow, state, t)
    turned = end[n:].reshape(n, n).T[:width, width:]
    rates = [flow.value(flow.rates, t, each)[:width] for each in (end[:n], mine)]
    energies = [float(flow.value(flow.hamiltonian, 0.0, each)[0]) for each in (start, state)]
    push = flow.value(flow.velocities, 0.0, start)[: len(p)]  # dH/dp are the velocities
    F = np.append(end[:width] - sign * mine[:width] - shift, energies[0] - energies[1])
    slope = np.vstack([np.column_stack([turned, rates[0] - sign * rates[1]]), np.append(push, 0.0)])
    return F, slope


def _halved(
    system: Any, flow: HamiltonianFlow, state: Array, late: float, starts: int, angles: Sequence[str], found: Cut
) -> Cut:
    """Between a time without shorter paths and one with: by halving, to a share of the time."""
    early = 0.0
    for _ in range(_HALVINGS):
        middle = (early + late) / 2
        if _shorter(system, flow, state, middle, starts, angles) is None:
            early = middle
        else:
            late = middle
    return Cut(late, found.until, found.conjugate, {}, late - early)


# Conjugate times: where neighbouring extremals from one start meet, and after which none is a shortest path.
#
# .. math:: \det\frac{\partial q(t)}{\partial p(0)} = 0, \qquad t > 0
#
# The derivatives are integrated with the extremal; a configuration is compared in the directions of the frame, so that redundant
# coordinates do not matter.


def first_conjugate_time(flow: HamiltonianFlow, state: Array, until: float) -> float | None:
    """The first conjugate time up to ``until``; None where there is none."""
    model = flow.model
    if any(c.position is not None for c in model.constraints):
        raise NotSupportedError(
            f"{model.name} has constraints on positions, which tie its momenta together; leave coordinates out instead, to ask for "
            "conjugate times."
        )
    n = len(state)
    times = np.linspace(0.0, until, _LOOKS + 1)
    times[-1] *= 1 + GATHERED  # a conjugate time that is the end but for rounding would be found or not by chance
    start = np.concatenate([state, np.eye(n).ravel()])
    along = flow.along(flow.varied, start, times)
    values = _spreads(flow, times[1:], along[1:])
    for k in range(1, len(values)):
        if values[k - 1] * values[k] <= 0:
            return min(_between(flow, along[k], times[k], times[k + 1], values[k - 1]), until)
    return None


def _spreads(flow: HamiltonianFlow, times: Array, rows: Array) -> Array:
    """The determinants at some times."""
    width, n = len(flow.model.coordinates), len(flow.rates.states)
    moved = rows[:, n:].reshape(-1, n, n).transpose(0, 2, 1)[:, :width, width:]
    anchors = flow.anchors(times, rows[:, :width].T)
    return np.asarray(np.linalg.det(np.linalg.pinv(anchors.transpose(0, 2, 1)) @ moved))


def _between(flow: HamiltonianFlow, row: Array, early: float, late: float, value: float) -> float:
    """The zero between two times, by halving and secants, from the state at the first."""
    from scipy.optimize import brentq

    def spread(t: float) -> float:
        if t == early:
            return value
        end = flow.along(flow.varied, row, np.array([early, t]))[1:]
        return float(_spreads(flow, np.array([t]), end)[0])

    return float(brentq(spread, early, late, xtol=VANISHES * max(1.0, late), rtol=1e-14))
