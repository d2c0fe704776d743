r"""Displacements by symmetries: affine maps $z \mapsto G z$ that carry motions to motions.

.. math:: G = \exp(\xi^k\,\Xi_k), \qquad G \leftarrow \exp(\delta\xi^k\,\Xi_k)\,G

They are improved as elements of a group, so that no coordinates of it can fail. Angles and quaternions also come back as another
name of the same place: a full turn added, or every sign changed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from anholonomy.compile.backends.base import Array
from anholonomy.stability.symmetries import Symmetry
from anholonomy.stability.vector_field import VectorField

__all__ = ["Aliases", "Shift", "logarithm", "nearest_shift"]

_ROUNDS = 25
"""Newton's steps to the shift that carries one state to another."""
_TURN = 2 * np.pi


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
        return Shift(exponential(symmetries, by) @ self.matrix)


def exponential(symmetries: Sequence[Symmetry], by: Array) -> Array:
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
    for _ in range(_ROUNDS):
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
    for _ in range(_ROUNDS):
        generator = _generator(symmetries, by)
        columns = [_slope(generator, _generator(symmetries, e)).ravel() for e in np.eye(len(by))]
        left = (shift.matrix - exponential(symmetries, by)).ravel()
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
