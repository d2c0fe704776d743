r"""Multipliers carried along a path: what of the equations with multipliers no choice of them can meet.

.. math::
   E_a + \dot\mu_\nu A^\nu{}_a + \mu_\nu F^\nu{}_a = 0: \qquad
   \dot\mu = -(AA^{\mathsf T})^{-1}A\,(E + F^{\mathsf T}\mu), \qquad r = \Pi\,(E + F^{\mathsf T}\mu)

Here $E$ and $F^\nu$ are the variational derivatives of $L$ and of $\varphi^\nu$ along the path, $A = \partial\varphi/\partial w$, and $\Pi$ projects onto
$\ker A$. All $\mu$ are $\Phi\mu_0 + \bar\mu$, and $r$ is affine in $\mu_0$. A path is vakonomic where some $\mu_0$ makes $r$
vanish, and abnormal where some $\mu_0 \ne 0$ does with $E = 0$.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import final

import numpy as np

from anholonomy.analysis.along_motions import NODES, gauss
from anholonomy.compile.backends.base import Array
from anholonomy.formulations.euler_lagrange import variational_derivative
from anholonomy.paths.course import Course
from anholonomy.symbolic.expressions import Vector, dot
from anholonomy.system.model import Model

__all__ = ["CarriedCovectors", "along_steps", "best_multiplier", "carried", "path_functions", "projectors"]


@final
@dataclass(frozen=True, eq=False)
class CarriedCovectors:
    r"""At the nodes: $E$ (node, direction), $A$ and $F$ (node, constraint, direction), $\Pi$, $\Phi$ and $\bar\mu$."""

    course: Course
    E: Array
    A: Array
    F: Array
    projector: Array
    basis: Array
    particular: Array

    @property
    def residual_slopes(self) -> Array:
        r"""$\Pi F^{\mathsf T}\Phi$: how $r$ changes with $\mu_0$, shape (node, direction, constraint)."""
        return np.asarray(self.projector @ self.F.transpose(0, 2, 1) @ self.basis)

    def residual(self, first: Array) -> Array:
        r"""$r$ for the multipliers that begin with $\mu_0$, shape (node, direction)."""
        mu = self.basis @ first + self.particular
        pulled = self.E + np.einsum("kna,kn->ka", self.F, mu)
        return np.asarray(np.einsum("kab,kb->ka", self.projector, pulled))


def carried(model: Model, course: Course) -> CarriedCovectors:
    """What is carried along a path of a model; constraints that follow from others do not count."""
    n, count = model.frame.size, len(model.constraints)
    values = course.functions(model, path_functions(model))
    E = values[:, :n]
    A = values[:, n : n + count * n].reshape(len(values), count, n)
    F = values[:, n + count * n :].reshape(len(values), count, n)
    back = np.linalg.pinv(A)
    R = -back.transpose(0, 2, 1) @ F.transpose(0, 2, 1)
    s = -np.einsum("kan,ka->kn", back, E)
    basis, particular = along_steps(course, R, s)
    return CarriedCovectors(course, E, A, F, projectors(A), basis, particular)


def best_multiplier(found: CarriedCovectors, weight: Array | float = 1.0) -> Array:
    r"""The $\mu_0$ that makes $\int b|r|^2dt$ least with a weight $b$, the shortest where there are several."""
    slopes, r = found.residual_slopes, found.residual(np.zeros(found.basis.shape[2]))
    share = np.sqrt(np.abs(found.course.weights) * weight)
    left = (share[:, None, None] * slopes).reshape(-1, slopes.shape[2])
    return np.asarray(np.linalg.lstsq(left, -(share[:, None] * r).ravel(), rcond=1e-12)[0])


def projectors(A: Array) -> Array:
    """The orthogonal projectors onto the kernels of matrices."""
    return np.eye(A.shape[2]) - np.linalg.pinv(A) @ A


@lru_cache(maxsize=32)
def path_functions(model: Model) -> Vector:
    """The variational derivative of the Lagrangian, the gradients of the constraints, and their variational derivatives."""
    plain = model.with_words(constraints=(), redundant_rows=())

    def along(lagrangian: object) -> Vector:
        E = variational_derivative(plain.with_words(lagrangian=lagrangian))
        return tuple(dot(row, model.accelerations) + h for row, h in zip(E.mass_ab, E.bias_a, strict=True))

    rows = [along(c.expression) for c in model.constraints]
    return (*along(model.lagrangian), *(x for row in model.matrix_na for x in row), *(x for row in rows for x in row))


def along_steps(course: Course, R: Array, s: Array) -> tuple[Array, Array]:
    r"""$\Phi$ and $\bar\mu$ at the nodes, with $\dot\mu = R\mu + s$, by collocation in each step."""
    count, size = R.shape[1], NODES * R.shape[1]
    _, weights, upto = gauss(NODES)
    value = np.concatenate([np.eye(count), np.zeros((count, 1))], axis=1)  # columns: every first multiplier, and none
    basis, particular = np.empty((len(R), count, count)), np.empty((len(R), count))
    for k, h in enumerate(course.steps):
        rows = slice(k * NODES, (k + 1) * NODES)
        system = np.eye(size) - h * np.einsum("ijl,im->ijml", R[rows], upto).reshape(size, size)
        right = R[rows] @ value
        right[:, :, -1] += s[rows]
        rates = np.linalg.solve(system, right.reshape(size, count + 1)).reshape(right.shape)
        here = value + h * np.einsum("im,mjc->ijc", upto, rates)
        basis[rows], particular[rows] = here[:, :, :-1], here[:, :, -1]
        value = value + h * np.einsum("m,mjc->jc", weights, rates)
    return basis, particular
