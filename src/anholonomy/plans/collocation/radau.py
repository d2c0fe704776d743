r"""Collocation at the points of Radau: polynomials of degree $d$ on intervals, exact at the right end.

.. math:: \sum_{j=0}^{d} D_{ij}\,x_j = h\,f(x_i), \quad i = 1, \dots, d, \qquad
   \int_0^1 f\,ds = \sum_{i=1}^{d} b_i\,f(s_i)

with $s_0 = 0$ and $0 < s_1 < \dots < s_d = 1$; of order $2d - 1$ at the ends of intervals.
"""

from __future__ import annotations

from functools import lru_cache
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.polynomial import legendre

from anholonomy.compile.backends.base import Array

__all__ = ["Radau", "bernstein", "lagrange", "monomials", "radau"]


class Radau(NamedTuple):
    """The points $s_1 … s_d$, the matrix $D$ (row i, column j, with $s_0$) and the weights $b$."""

    points: Array
    slopes: Array
    weights: Array


@lru_cache(maxsize=16)
def radau(degree: int) -> Radau:
    """The rule with so many points.

    >>> rule = radau(2)
    >>> rule.points.round(12).tolist(), rule.weights.round(12).tolist()
    ([0.333333333333, 1.0], [0.75, 0.25])
    """
    left = np.zeros(degree + 1)
    left[degree - 1 :] = 1.0  # P_{d-1} + P_d has -1 among its zeros; mirrored, the right end
    points = np.sort((1.0 - legendre.legroots(left)) / 2)
    points[-1] = 1.0
    nodes = np.concatenate([[0.0], points])
    powers = np.arange(degree + 1)
    slopes = np.zeros((degree, degree + 1))
    slopes[:, :] = (powers * points[:, None] ** np.maximum(powers - 1, 0)) @ np.linalg.inv(
        np.vander(nodes, increasing=True)
    )
    weights = np.linalg.solve(np.vander(points, increasing=True).T, 1.0 / np.arange(1, degree + 1))
    return Radau(points, slopes, np.asarray(weights))


def lagrange(nodes: Array, at: Array) -> Array:
    """The values of the polynomials that are 1 at one of the nodes, a row for each place.

    >>> lagrange(np.array([0.0, 1.0]), np.array([0.25])).tolist()
    [[0.75, 0.25]]
    """
    return np.asarray(np.vander(at, nodes.size, increasing=True) @ monomials(nodes))


def monomials(nodes: Array) -> Array:
    """The matrix from values at nodes to coefficients of powers, the lowest first."""
    return np.asarray(np.linalg.inv(np.vander(nodes, increasing=True)))


@lru_cache(maxsize=16)
def bernstein(degree: int) -> Array:
    r"""The values $\binom{d-1}{j} s_i^j (1 - s_i)^{d-1-j}$ of Bernstein's polynomials at the points, a row for each.

    A polynomial stays between the least and the greatest of its coefficients in them, everywhere on the interval.

    >>> bernstein(2).round(3).tolist()
    [[0.667, 0.333], [0.0, 1.0]]
    """
    s, j = radau(degree).points[:, None], np.arange(degree)
    choices = np.array([comb(degree - 1, k) for k in j])
    return np.asarray(choices * s**j * (1.0 - s) ** (degree - 1 - j))
