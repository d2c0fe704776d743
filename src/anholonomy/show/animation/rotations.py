r"""Rotations in numbers: series of unit quaternions $(q_0, q_1, q_2, q_3)$, shape (frame, 4), body to space.

.. math:: q \otimes r = (q_0r_0 - \mathbf q\cdot\mathbf r,\; q_0\mathbf r + r_0\mathbf q + \mathbf q\times\mathbf r), \qquad
   q_{\text{axis}}(\alpha) = (\cos\tfrac\alpha2,\; \sin\tfrac\alpha2\,\mathbf e_{\text{axis}})

An angular velocity in space is integrated step by step, $q(t + h) = \exp(\tfrac12\sigma)\otimes q(t)$, with Simpson's rule and the
first term of Magnus' series,

.. math:: \sigma = \tfrac h6(\omega_0 + 4\omega_{1/2} + \omega_1) + \tfrac{h^2}{12}\,\omega_1\times\omega_0 .
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

__all__ = ["along", "from_matrix", "from_spin", "from_steps", "matrix_of", "multiply", "smooth"]

Series: TypeAlias = NDArray[np.float64]


def multiply(q: Series, r: Series) -> Series:
    """The product of two series."""
    real = q[:, :1] * r[:, :1] - (q[:, 1:] * r[:, 1:]).sum(axis=1, keepdims=True)
    return np.hstack([real, q[:, :1] * r[:, 1:] + r[:, :1] * q[:, 1:] + np.cross(q[:, 1:], r[:, 1:])])


def from_steps(axes: Sequence[str], angles: Series) -> Series:
    """Turns about axes that turn along; ``angles`` has shape (step, frame)."""
    q = np.zeros((angles.shape[1], 4))
    q[:, 0] = 1.0
    for axis, angle in zip(axes, angles, strict=True):
        step = np.zeros_like(q)
        step[:, 0], step[:, "xyz".index(axis) + 1] = np.cos(angle / 2), np.sin(angle / 2)
        q = multiply(q, step)
    return q


def from_spin(rates: Series, step: float, every: int) -> Series:
    """The turns that angular velocities (xyz, instant), ``step`` apart, add up to, at each ``every``-th of the steps of two."""
    w = rates.T
    first, middle, last = w[:-2:2], w[1:-1:2], w[2::2]
    h = 2 * step
    sigma = h / 6 * (first + 4 * middle + last) + h**2 / 12 * np.cross(last, first)
    angle = np.linalg.norm(sigma, axis=1, keepdims=True)
    # sin(a/2)/a by NumPy's sinc, which knows its value at zero.
    steps = np.hstack([np.cos(angle / 2), sigma * np.sinc(angle / (2 * np.pi)) / 2])
    # All products of the first steps at once: of 1, 2, 4, … of them in each round.
    turns, reach = np.vstack([[[1.0, 0.0, 0.0, 0.0]], steps]), 1
    while reach < len(turns):
        turns[reach:] = multiply(turns[reach:], turns[:-reach])
        reach *= 2
    return np.ascontiguousarray(turns[::every])


def from_matrix(entries: Series) -> Series:
    r"""From matrices by rows, shape (9, frame); the largest of the four squares is the one to divide by."""
    R = entries.T.reshape(-1, 3, 3)
    xx, yy, zz = R[:, 0, 0], R[:, 1, 1], R[:, 2, 2]
    a, b, c = R[:, 2, 1] - R[:, 1, 2], R[:, 0, 2] - R[:, 2, 0], R[:, 1, 0] - R[:, 0, 1]
    d, e, f = R[:, 1, 0] + R[:, 0, 1], R[:, 0, 2] + R[:, 2, 0], R[:, 2, 1] + R[:, 1, 2]
    table = np.array([  # 4 q_i q_j
        [1 + xx + yy + zz, a, b, c],
        [a, 1 + xx - yy - zz, d, e],
        [b, d, 1 - xx + yy - zz, f],
        [c, e, f, 1 - xx - yy + zz],
    ])  # fmt: skip
    largest = np.argmax(np.einsum("iif->fi", table), axis=1)
    return np.ascontiguousarray(table[largest, :, np.arange(len(R))])


def smooth(q: Series) -> Series:
    """Unit length, and of q and -q, the same rotation, the one next to its predecessor, so that slerp takes the short way."""
    unit = q / np.linalg.norm(q, axis=1, keepdims=True)
    flips = np.where((unit[1:] * unit[:-1]).sum(axis=1) < 0, -1.0, 1.0)
    return np.asarray(unit * np.concatenate([[1.0], np.cumprod(flips)])[:, None])


def along(direction: Series) -> Series:
    r"""The least rotation that takes the x axis to each direction, shape (frame, 3)."""
    size = np.linalg.norm(direction, axis=1, keepdims=True)
    d = np.divide(direction, size, out=np.tile([1.0, 0.0, 0.0], (len(direction), 1)), where=size > 0)
    q = np.column_stack([1 + d[:, 0], np.zeros(len(d)), -d[:, 2], d[:, 1]])
    q[np.linalg.norm(q, axis=1) < 1e-9] = [0.0, 0.0, 0.0, 1.0]  # straight back: any axis across will do
    return q


def matrix_of(q: Sequence[float]) -> Series:
    """The rotation matrix of one unit quaternion."""
    a, b, c, d = q
    return np.array([
        [1 - 2 * (c * c + d * d), 2 * (b * c - a * d), 2 * (b * d + a * c)],
        [2 * (b * c + a * d), 1 - 2 * (b * b + d * d), 2 * (c * d - a * b)],
        [2 * (b * d - a * c), 2 * (c * d + a * b), 1 - 2 * (b * b + c * c)],
    ])  # fmt: skip
