r"""Series of $\exp$ and $\log$ on the Euclidean groups, exact to rounding near zero: what turning makes of a translation.

.. math::
   V(w) = 1 + \frac{1 - \cos a}{a^2}\,\hat w + \frac{a - \sin a}{a^3}\,\hat w^2, \qquad
   V^{-1} = 1 - \tfrac12\hat w + \frac1{a^2}\Bigl(1 - \frac a2\cot\frac a2\Bigr)\hat w^2, \qquad a = |w|
"""

from __future__ import annotations

import math

import numpy as np

from anholonomy.geometry.groups.base import Array

__all__ = ["cross_matrix", "left_jacobian", "left_jacobian_inverse"]

_NEAR = 0.5
"""Angles below which differences would cancel, and a few terms of the series are exact to rounding."""
_COTANGENT = (1 / 12, 1 / 720, 1 / 30240, 1 / 1209600, 1 / 47900160, 691 / 1307674368000, 1 / 74724249600)
r"""The coefficients of $(1 - \frac a2\cot\frac a2)/a^2$ in powers of $a^2$."""


def cross_matrix(w: Array) -> Array:
    r"""$\hat w$ with $\hat w v = w \times v$."""
    x, y, z = (float(each) for each in w)
    return np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])


def _cubic(a: float) -> float:
    r"""$(a - \sin a)/a^3$."""
    if a >= _NEAR:
        return (a - float(np.sin(a))) / a**3
    return math.fsum((-1) ** k * a ** (2 * k) / math.factorial(2 * k + 3) for k in range(8))


def _cotangent(a: float) -> float:
    if a >= _NEAR:
        return (1 - a / 2 / math.tan(a / 2)) / a**2
    return math.fsum(c * a ** (2 * k) for k, c in enumerate(_COTANGENT))


def left_jacobian(w: Array) -> Array:
    r"""$V(w)$: a body that turns with $w$ and moves with the velocity $v$ of its own frame arrives at $Vv$ after one unit."""
    a, hat = float(np.linalg.norm(w)), cross_matrix(w)
    half = float(np.sin(a / 2)) / (a / 2) if a > 0 else 1.0
    return np.asarray(np.eye(3) + half**2 / 2 * hat + _cubic(a) * hat @ hat)


def left_jacobian_inverse(w: Array) -> Array:
    r"""$V(w)^{-1}$, for turns by less than $2\pi$."""
    hat = cross_matrix(w)
    return np.asarray(np.eye(3) - hat / 2 + _cotangent(float(np.linalg.norm(w))) * hat @ hat)
