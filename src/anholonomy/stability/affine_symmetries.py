r"""Affine symmetries of a motion: fields that commute with it and preserve constraints and energy.

.. math:: \Xi(q, w) = (a + B q,\ C w), \qquad [f, \Xi] = 0, \qquad \Xi(E) = 0

These are translations of cyclic coordinates, rotations and helical motions of the plane and of space, and the translations of a group from
either side, whose redundant coordinates they act on linearly. The conditions are linear in $(a, B, C)$; they are posed at random states.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from anholonomy.algebra.numbers.doubles import kernel
from anholonomy.base.notebook import Shown
from anholonomy.base.tolerances import NOTHING
from anholonomy.motion.vector_field import Jet, VectorField, tangent
from anholonomy.programs.backends.base import Array

__all__ = ["Symmetry", "symmetries"]

_SPREAD = 0.3
"""How far random states are from the one given."""
_MORE = 1.6
"""So many more equations than unknowns."""


@final
@dataclass(frozen=True, eq=False)
class Symmetry(Shown):
    """A field on coordinates and velocities; whether it keeps what inputs do, too."""

    names: tuple[str, ...]
    shift: Array
    matrix: Array
    keeps_inputs: bool = False

    def at(self, z: Array) -> Array:
        """Its components at states, a row each."""
        return self.shift + z @ self.matrix.T

    def __str__(self) -> str:
        n = next((k for k, name in enumerate(self.names) if name.endswith("'")), len(self.names))
        parts = [f"{self._component(i)} d/d{self.names[i]}" for i in range(n) if self._component(i) != "0"]
        return " + ".join(part.removeprefix("1 ") for part in parts).replace("+ -", "- ")

    def _component(self, i: int) -> str:
        terms = [f"{self.shift[i]:.6g}"] if self.shift[i] else []
        terms += [f"{c:.6g}*{self.names[j]}" for j, c in enumerate(self.matrix[i]) if c]
        text = " + ".join(terms).replace("+ -", "- ").replace("1*", "", 1 if terms and terms[0].startswith("1*") else 0)
        return "0" if not terms else f"({text})" if len(terms) > 1 else text.replace("-1*", "-")


def symmetries(
    field: VectorField, x: Array, p: Array, t: tuple[float, float] = (0.0, 0.0), inputs: tuple[int, ...] = ()
) -> tuple[Symmetry, ...]:
    """A basis of the affine symmetries, near a state and so everywhere, as simple as can be; at all times, of which ``t`` has a span.

    Those are meant that keep what ``inputs`` do, too, which are places in ``p``.
    """
    n, N = len(field.model.coordinates), len(field.model.velocities)
    unknowns = _basis(n, N)
    count = int(_MORE * len(unknowns) / (n + N)) + 2
    rng = np.random.default_rng(11)
    times = rng.uniform(*t, count)
    values = np.repeat(p[None], count, axis=0)
    values[:, list(inputs)] += rng.normal(size=(count, len(inputs)))
    jet = _scattered(field, x, _SPREAD * rng.normal(size=(count, x.size)), values, times)
    rows = []
    for k in np.flatnonzero(_finite(jet)):
        fields = np.stack([shift + matrix @ jet.z[k] for shift, matrix in unknowns], axis=1)
        V = tangent(jet.slopes.held[k])
        H = jet.slopes.z[k] @ V
        v = np.linalg.lstsq(H, fields, rcond=None)[0]
        turned = np.stack([matrix @ jet.rate[k] for _, matrix in unknowns], axis=1)
        rows += [fields - H @ v, jet.slopes.rate[k] @ V @ v - turned, jet.slopes.energy[k] @ V @ v]
    if not rows:
        return ()
    equations = np.vstack([part / max(np.abs(part).max(initial=0.0), 1e-300) for part in rows if part.size])
    R = np.asarray(np.linalg.qr(equations, mode="r"))
    found = _not_vanishing(kernel(R).T, unknowns, jet.z[_finite(jet)])
    return tuple(_symmetry(field.names, row, unknowns) for row in _simple(found))


def _scattered(field: VectorField, x: Array, away: Array, values: Array, times: Array) -> Jet:
    """At states about one; those where the motion is not finite are sought nearer and nearer to it."""
    away = away.copy()
    for _ in range(8):
        jet = field.jet(field.on_positions(x + away, values, t=times), values, t=times)
        if _finite(jet).all():
            break
        away[~_finite(jet)] /= 2
    return jet


def _finite(jet: Jet) -> np.ndarray:
    """Which members have finite rates and derivatives."""
    parts = (jet.z, jet.rate, jet.slopes.z, jet.slopes.rate, jet.slopes.held, jet.slopes.energy)
    return np.asarray(np.all([np.isfinite(each).all(axis=tuple(range(1, each.ndim))) for each in parts], axis=0))


def _not_vanishing(rows: Array, unknowns: list[tuple[Array, Array]], z: Array) -> Array:
    """Combinations of the fields without those that are zero on the constraints."""
    values = np.stack([(z @ m.T + a).ravel() for a, m in unknowns]).T @ rows.T
    _, sizes, weights = np.linalg.svd(values, full_matrices=False)
    return np.asarray(weights[sizes > NOTHING * sizes.max(initial=0.0)] @ rows)


def _basis(n: int, N: int) -> list[tuple[Array, Array]]:
    """Translations first, so that the simplest fields come out by themselves."""
    size = n + N
    found = []
    for i in range(n):
        found.append((np.eye(size)[i], np.zeros((size, size))))
    for block in (range(n), range(n, size)):
        for i in block:
            for j in block:
                matrix = np.zeros((size, size))
                matrix[i, j] = 1.0
                found.append((np.zeros(size), matrix))
    return found


def _simple(rows: Array) -> Array:
    """The reduced echelon form, without what is left of zeros."""
    rows, place = rows.copy(), 0
    for column in range(rows.shape[1]):
        if place == len(rows):
            break
        best = place + int(np.argmax(np.abs(rows[place:, column])))
        if abs(rows[best, column]) < 1e-6:
            continue
        rows[[place, best]] = rows[[best, place]]
        rows[place] /= rows[place, column]
        others = [k for k in range(len(rows)) if k != place]
        rows[others] -= np.outer(rows[others, column], rows[place])
        place += 1
    rows[np.abs(rows) < 1e-8] = 0.0
    nearest = np.round(rows * 12) / 12
    return np.where(np.abs(rows - nearest) < 1e-8, nearest, rows)


def _symmetry(names: tuple[str, ...], row: Array, unknowns: list[tuple[Array, Array]]) -> Symmetry:
    shift = sum((c * a for c, (a, _) in zip(row, unknowns, strict=True) if c), np.zeros(len(names)))
    matrix = sum((c * m for c, (_, m) in zip(row, unknowns, strict=True) if c), np.zeros((len(names), len(names))))
    return Symmetry(names, shift, matrix)
