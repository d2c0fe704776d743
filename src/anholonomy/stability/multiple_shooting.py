r"""Multiple shooting, with exact derivatives, for orbits that close up to a displacement by symmetries.

.. math:: \varphi_{\tau_i T}(z_i) = z_{i+1}, \qquad \varphi_{\tau_m T}(z_m) = G\,z_0, \qquad G = \exp(\xi^k\,\Xi_k)

Unknown are the states, the period and the displacement $G$. Symmetries, the phase, and families over conserved quantities leave directions
open, and conserved quantities make equations depend on each other; the steps are those of Levenberg and Marquardt with damping as
large as the residual, which converge quadratically all the same (Yamashita and Fukushima 2001), to an orbit near by.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import final

import numpy as np

from anholonomy.base.errors import IntegrationError
from anholonomy.motion.vector_field import CarriedVectors, VectorField, carried_along, tangent
from anholonomy.programs.backends.base import Array
from anholonomy.stability.affine_symmetries import Symmetry

__all__ = ["Aliases", "Shift", "Shots", "closed", "first_shots", "logarithm", "nearest_shift"]

_PARTS = 12
"""A period is integrated in so many parts, between which frames may change."""
_GROWN = 100.0
"""Vectors that have grown so much begin anew, at a node of their own."""
_ROUNDS = 40
"""Corrections after which shooting is given up."""
_EXACT = 3e-13
"""Residuals beside the size of the states at which an orbit is closed."""
_FREELY = 100.0
"""Period and displacement change so much more freely than the states, which should stay near the motion."""
_FIRST = 3
"""In so many rounds the states stay: a motion that closes already only lacks the right period."""
_MOST = 2.0
"""The period stays within this factor of where it began."""
_CORRECTIONS = 25
"""Newton's steps to the shift that carries one state to another."""
_TURN = 2 * np.pi


def closed(shots: Shots, free_period: bool) -> tuple[Shots, list[CarriedVectors], float]:
    """The nearest that close, with the ends of the motions and what is left of the equations; the best where none do."""
    longest, shortest = shots.period * _MOST, shots.period / _MOST
    ends = shots.ends()
    F, J, size = shots.equations(ends, free_period)
    left, damping = float(np.abs(F).max()) / size, 1e-2
    states = len(shots.nodes) * shots.nodes[0].vectors.shape[1]
    for k in range(_ROUNDS):
        if left <= _EXACT or damping > 1e8:
            break
        U, s, V = np.linalg.svd(_later(J, states) if k < _FIRST else J, full_matrices=False)
        step = -V.T @ (s / (s**2 + damping * min(float(np.linalg.norm(F)), 1.0)) * (U.T @ F))
        try:
            trial = shots.moved(step, free_period)
            if not shortest <= trial.period <= longest:
                raise IntegrationError("the period runs away")
            arrivals = trial.ends()
            next_F, next_J, next_size = trial.equations(arrivals, free_period)
        except (IntegrationError, np.linalg.LinAlgError):
            damping *= 10
            continue
        now = float(np.abs(next_F).max()) / next_size
        if not np.isfinite(now) or not np.linalg.norm(next_F) < np.linalg.norm(F):
            damping *= 1 if k < _FIRST else 10 if left > 1e-9 else 1e9  # rounding is reached
            continue
        shots, ends, F, J, size, left, damping = trial, arrivals, next_F, next_J, next_size, now, damping / 5
    return shots, ends, left


def _later(J: Array, states: int) -> Array:
    """Without the columns of the states."""
    J = J.copy()
    J[:, :states] = 0.0
    return J


def first_shots(start: CarriedVectors, period: float, symmetries: tuple[Symmetry, ...], tolerance: float) -> Shots:
    """Nodes along the motion from a start, a new one wherever vectors have grown."""
    nodes, shares = [_with_directions(start.in_good_frame())], [0]
    now, begin = nodes[0], start.t
    for share in range(1, _PARTS):
        now = carried_along(now.in_good_frame(), begin + period * share / _PARTS, tolerance)
        if np.linalg.norm(now.in_z(), 2) > _GROWN:
            now = _with_directions(now.in_good_frame())
            nodes.append(now)
            shares.append(share)
    return Shots(tuple(nodes), tuple(shares), period, Shift.none(start.z.size), symmetries, tolerance)


def _with_directions(node: CarriedVectors) -> CarriedVectors:
    """With vectors that are orthonormal as changes of coordinates and velocities."""
    slopes = node.field.jet(node.x[None], node.p, t=node.t).slopes
    V = tangent(slopes.held[0])
    _, R = np.linalg.qr(slopes.z[0] @ V)
    return replace(node, vectors=np.linalg.solve(R.T, V.T).T)


@final
@dataclass(frozen=True, eq=False)
class Shots:
    """Nodes with orthonormal directions of the constraint at each, the parts of the period where they lie, and what is known at their ends.

    Attributes
    ----------
    nodes
        States with vectors, orthonormal as changes of coordinates and velocities.
    shares
        Where they lie, as multiples of a twelfth of the period.
    given
        Places in $z$ and values that the first node shall have.
    """

    nodes: tuple[CarriedVectors, ...]
    shares: tuple[int, ...]
    period: float
    shift: Shift
    symmetries: tuple[Symmetry, ...]
    tolerance: float
    given: tuple[tuple[int, float], ...] = ()

    @property
    def begin(self) -> float:
        return self.nodes[0].t

    def at_share(self, share: int) -> float:
        return self.begin + self.period * share / _PARTS

    def ends(self) -> list[CarriedVectors]:
        """Where the motions from the nodes arrive, with the vectors carried along."""
        arrivals = []
        for node, low, high in zip(self.nodes, self.shares, (*self.shares[1:], _PARTS), strict=True):
            now = node
            for share in range(low + 1, high + 1):
                now = carried_along(now.in_good_frame(), self.at_share(share), self.tolerance)
            arrivals.append(now)
        return arrivals

    def equations(self, ends: Sequence[CarriedVectors], free_period: bool) -> tuple[Array, Array, float]:
        """What must vanish, its derivatives by the vectors at the nodes, $\\ln T$ and the symmetries, and the size of the states."""
        d, count, k = self.nodes[0].vectors.shape[1], len(self.nodes), len(self.symmetries)
        bases = [node.in_z() for node in self.nodes]
        F = np.zeros(count * d + len(self.given))
        J = np.zeros((F.size, count * d + int(free_period) + k))
        back = self.shift.back
        for i, end in enumerate(ends):
            last, rows, then = i + 1 == count, slice(i * d, (i + 1) * d), (i + 1) % count
            pull = bases[then].T @ back.linear if last else bases[then].T
            reached = back(end.z) if last else end.z
            F[rows] = bases[then].T @ (reached - self.nodes[then].z)
            J[rows, i * d : (i + 1) * d] += pull @ end.in_z()
            J[rows, then * d : (then + 1) * d] -= np.eye(d)
            if free_period:
                share = ((*self.shares[1:], _PARTS)[i] - self.shares[i]) / _PARTS
                J[rows, count * d] = pull @ _rate(end) * share * self.period
            if last and k:
                J[rows, J.shape[1] - k :] = -pull @ np.stack([each.at(end.z) for each in self.symmetries], axis=1)
        J[:, count * d :] *= _FREELY
        for row, (place, value) in enumerate(self.given, count * d):
            F[row], J[row, :d] = self.nodes[0].z[place] - value, bases[0][place]
        return F, J, 1.0 + max(float(np.abs(node.z).max()) for node in self.nodes)

    def moved(self, step: Array, free_period: bool) -> Shots:
        """By changes of the unknowns."""
        d, count, k = self.nodes[0].vectors.shape[1], len(self.nodes), len(self.symmetries)
        step = np.concatenate([step[: count * d], _FREELY * step[count * d :]])
        period = self.period * float(np.exp(step[count * d])) if free_period else self.period
        shift = self.shift.further(self.symmetries, step[step.size - k :]) if k else self.shift
        nodes = []
        for node, share, change in zip(self.nodes, self.shares, step[: count * d].reshape(count, d), strict=True):
            t = self.begin + period * share / _PARTS
            x = node.field.on_positions((node.x + node.vectors @ change)[None], node.p, t=t)[0]
            nodes.append(_with_directions(replace(node, x=x, t=t).in_good_frame()))
        return replace(self, nodes=tuple(nodes), period=period, shift=shift)

    def monodromy(self, ends: Sequence[CarriedVectors]) -> tuple[Array, Array]:
        """The linear part of the return, $DG^{-1}\\,D\\varphi_T$, in orthonormal directions at the first node, and these."""
        bases = [node.in_z() for node in self.nodes]
        product = np.eye(bases[0].shape[1])
        for i, end in enumerate(ends):
            last = i + 1 == len(ends)
            pull = bases[0].T @ self.shift.back.linear if last else bases[i + 1].T
            product = pull @ end.in_z() @ product
        return product, bases[0]


def _rate(end: CarriedVectors) -> Array:
    return np.asarray(end.field.at(end.x[None], end.p, end.t).rate[0])


# Displacements by symmetries: affine maps $z \mapsto G z$ that carry motions to motions.
#
# .. math:: G \leftarrow \exp(\delta\xi^k\,\Xi_k)\,G
#
# They are improved as elements of a group, so that no coordinates of it can fail.


@final
@dataclass(frozen=True, eq=False)
class Shift:
    """An affine map of states, as a matrix that acts on $(z, 1)$."""

    matrix: Array

    @classmethod
    def none(cls, size: int) -> Shift:
        return cls(np.eye(size + 1))

    def __call__(self, z: Array) -> Array:
        return np.asarray(self.matrix[:-1, :-1] @ z + self.matrix[:-1, -1])

    @property
    def linear(self) -> Array:
        return np.asarray(self.matrix[:-1, :-1])

    @property
    def back(self) -> Shift:
        """The inverse."""
        return Shift(np.asarray(np.linalg.inv(self.matrix), dtype=float))

    def further(self, symmetries: Sequence[Symmetry], by: Array) -> Shift:
        """Followed by the symmetries, each for a time."""
        return Shift(_exponential(symmetries, by) @ self.matrix)


def _exponential(symmetries: Sequence[Symmetry], by: Array) -> Array:
    """The matrix of the flow of a combination of the fields, after a unit of time."""
    return _exp(_generator(symmetries, by))


def _exp(A: Array) -> Array:
    """The exponential of a small matrix, by its series after halving: a library's threads would take a hundred times as long."""
    halvings = max(int(np.ceil(np.log2(max(float(np.abs(A).sum(axis=1).max()), 1e-300)))) + 2, 0)
    A = A / 2.0**halvings
    result = np.eye(len(A)) + A / 14
    for k in range(13, 0, -1):
        result = np.eye(len(A)) + (A / k) @ result
    for _ in range(halvings):
        result = result @ result
    return np.asarray(result)


def _generator(symmetries: Sequence[Symmetry], by: Array) -> Array:
    size = len(symmetries[0].names)
    generator = np.zeros((size + 1, size + 1))
    for each, c in zip(symmetries, by, strict=True):
        generator[:-1, :-1] += c * each.matrix
        generator[:-1, -1] += c * each.shift
    return generator


def nearest_shift(symmetries: Sequence[Symmetry], a: Array, b: Array, guess: Shift) -> tuple[Shift, float]:
    """The displacement that carries a state nearest to another, and how far from it."""
    if not symmetries:
        return guess, float(np.linalg.norm(b - guess(a)))
    best, left = guess, float(np.linalg.norm(b - guess(a)))
    for _ in range(_CORRECTIONS):
        here = best(a)
        fields = np.stack([each.at(here) for each in symmetries], axis=1)
        step: Array = np.asarray(np.linalg.lstsq(fields, b - here, rcond=1e-10)[0], dtype=float)
        trial = best.further(symmetries, step)
        now = float(np.linalg.norm(b - trial(a)))
        if not now < left * (1 - 1e-6):
            break
        best, left = trial, now
    return best, left


def logarithm(symmetries: Sequence[Symmetry], shift: Shift, guess: Array) -> Array | None:
    r"""$\xi$ with $\exp(\xi^k\,\Xi_k) = G$, near a guess; None where there is none, as for a turn by a full circle that ends elsewhere."""
    if not symmetries:
        return np.empty(0)
    by = np.asarray(guess, dtype=float)
    for _ in range(_CORRECTIONS):
        generator = _generator(symmetries, by)
        columns = [_slope(generator, _generator(symmetries, e)).ravel() for e in np.eye(len(by))]
        left = (shift.matrix - _exponential(symmetries, by)).ravel()
        if np.abs(left).max() < 1e-11 * max(1.0, float(np.abs(shift.matrix).max())):
            return by
        by = by + np.linalg.lstsq(np.stack(columns, axis=1), left, rcond=1e-10)[0]
        if not np.isfinite(by).all() or np.abs(by).max() > 1e8:
            return None
    return None


def _slope(A: Array, E: Array) -> Array:
    """The derivative of the exponential along a direction: a block of the exponential of a larger matrix."""
    size = len(A)
    return _exp(np.block([[A, E], [np.zeros_like(A), A]]))[:size, size:]


# Other names of the same place: angles a full turn on, quaternions with every sign changed.


@final
@dataclass(frozen=True)
class Aliases:
    """Other names of the same place: full turns of angles that the motion does not notice, and all signs of a quaternion changed.

    Attributes
    ----------
    angles
        Places of coordinates that no symmetry moves by itself.
    blocks
        Places of quaternions.
    """

    angles: tuple[int, ...]
    blocks: tuple[tuple[int, ...], ...]

    @classmethod
    def of(cls, field: VectorField, x: Array, p: Array, symmetries: Sequence[Symmetry], t: float) -> Aliases:
        names = [q.name for q in field.model.coordinates]
        fixed = [k for k in range(len(names)) if not any(each.shift[k] for each in symmetries)]
        blocks = [
            tuple(k for k, q in enumerate(names) if q in {str(s) for s in constraint.position.free_symbols})
            for constraint in field.model.on_positions
            if constraint.label.endswith("unit quaternion") and constraint.position is not None
        ]
        return cls(tuple(k for k in fixed if _turns_freely(field, p, x, k, t)), tuple(blocks))

    def nearest(self, a: Array, b: Array) -> Shift:
        """The one that brings a state nearest to another."""
        shift = Shift.none(a.size)
        for k in self.angles:
            shift.matrix[k, -1] = np.round((b[k] - a[k]) / _TURN) * _TURN
        for block in map(list, self.blocks):
            if a[block] @ b[block] < 0:
                shift.matrix[block] *= -1
        return shift

    def folded(self, z: Array) -> Array:
        """States by the names that are nearest to the first."""
        z = z.copy()
        for k in self.angles:
            z[:, k] -= np.round((z[:, k] - z[0, k]) / _TURN) * _TURN
        for block in map(list, self.blocks):
            z[:, block] *= np.where(z[:, block] @ z[0, block] < 0, -1.0, 1.0)[:, None]
        return z


def _turns_freely(field: VectorField, p: Array, x: Array, k: int, t: float) -> bool:
    """Whether rates and velocities are the same where a coordinate has made a full turn, and not for every other shift, at a few states."""
    return _same_after(field, p, x, k, t, _TURN) and not _same_after(field, p, x, k, t, 1.0)


def _same_after(field: VectorField, p: Array, x: Array, k: int, t: float, shift: float) -> bool:
    n, rng = len(field.model.coordinates), np.random.default_rng(5)
    scattered = field.on_positions(x + 0.3 * rng.normal(size=(6, x.size)), p, t=t)
    moved = scattered + shift * np.eye(x.size)[k]
    one, two = field.at(scattered, p, t), field.at(moved, p, t)
    size = 1.0 + float(np.nanmax(np.abs(one.rate)))
    same = np.abs(one.rate - two.rate).max() <= 1e-9 * size and np.abs(one.held - two.held).max(initial=0.0) <= 1e-9
    return bool(same and np.abs((two.z - one.z)[:, n:]).max(initial=0.0) <= 1e-9)
