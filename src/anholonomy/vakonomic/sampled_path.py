r"""A path in numbers, at Gauss's nodes between some times, and the multipliers transported along it.

The path comes from a computed motion, from functions of time, or from points that a smooth curve is laid through. Of the equations with
multipliers some are met by no choice of these:

.. math::
   E_a + \dot\mu_\nu A^\nu{}_a + \mu_\nu F^\nu{}_a = 0: \qquad
   \dot\mu = -(AA^{\mathsf T})^{-1}A\,(E + F^{\mathsf T}\mu), \qquad r = \Pi\,(E + F^{\mathsf T}\mu)

Here $E$ and $F^\nu$ are the variational derivatives of $L$ and of $\varphi^\nu$ along the path, $A = \partial\varphi/\partial w$, and $\Pi$ projects onto
$\ker A$. All $\mu$ are $\Phi\mu_0 + \bar\mu$, and $r$ is affine in $\mu_0$. A path is vakonomic where some $\mu_0$ makes $r$
vanish, and abnormal where some $\mu_0 \ne 0$ does with $E = 0$.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, final

import numpy as np

from anholonomy.algebra.calculus import partial
from anholonomy.algebra.expressions import Expr, Symbol, Vector, dot, time
from anholonomy.equations.lagrangian import variational_derivative
from anholonomy.laws.evaluation import NODES, gauss
from anholonomy.programs.backends import fast_function
from anholonomy.programs.backends.base import Array
from anholonomy.programs.program import lower
from anholonomy.system.model import Model

__all__ = [
    "CarriedCovectors",
    "Course",
    "along_steps",
    "best_multiplier",
    "carried",
    "course_of_functions",
    "course_of_motion",
    "course_of_points",
    "path_functions",
]

_STEPS = 48
"""Steps into which the interval of functions is divided."""


@final
@dataclass(frozen=True, eq=False)
class Course:
    """Rows of ``q``, ``w`` and ``a`` belong to the nodes of one step after the other; ``values`` are the parameters."""

    times: Array
    q: Array
    w: Array
    a: Array
    values: Array

    @property
    def steps(self) -> Array:
        return np.diff(self.times)

    @property
    def at(self) -> Array:
        """The times of the nodes."""
        return _nodes(self.times)

    def functions(self, model: Model, functions: Vector) -> Array:
        """Functions of configuration, velocities, accelerations and time at the nodes, a row each."""
        if not functions:
            return np.zeros((len(self.q), 0))
        states = (*model.coordinates, *model.velocities, *model.accelerations)
        program = fast_function(lower(states, model.parameter_symbols, [], functions))
        return program(self.at, np.concatenate([self.q, self.w, self.a], axis=1).T, self.values).T

    @property
    def weights(self) -> Array:
        """Those of the nodes in an integral over time."""
        _, weights, _ = gauss(NODES)
        found: Array = (self.steps[:, None] * weights).ravel()
        return found


def _nodes(times: Array) -> Array:
    nodes, _, _ = gauss(NODES)
    found: Array = (times[:-1, None] + np.diff(times)[:, None] * nodes).ravel()
    return found


def course_of_motion(run: Any, model: Model | None = None, first: float | None = None) -> Course:
    """The course of a computed motion, integrated again between its samples, as one of a model with values of its own.

    ``first`` asks for a share of its first step alone.
    """
    every = np.asarray(run.time.values, dtype=float)
    times = np.linspace(every[0], every[-1], _STEPS + 1)
    if first is not None:
        times = every[0] + np.array([0.0, first * (times[1] - times[0])])
    dense = run.at(_nodes(times).tolist()).data
    values = {**run.model.parameters, **{p: v for p, v in (model or run.model).parameters.items() if v is not None}}
    used = np.array([values[p] for p in (model or run.model).parameters], dtype=float)
    q, w, a = (np.asarray(dense[name].values, dtype=float) for name in ("q", "velocity", "acceleration"))
    return Course(times, q, w, a, used)


def course_of_functions(
    model: Model, place: Mapping[Symbol, Expr], velocities: Vector, interval: tuple[float, float]
) -> Course:
    """The course of coordinates and velocities that are functions of time."""
    times = np.linspace(*interval, _STEPS + 1)
    at = _nodes(times)
    rows = (*(place[q] for q in model.coordinates), *velocities, *(partial(w, time) for w in velocities))
    found = fast_function(lower([], model.parameter_symbols, [], rows))(at, np.zeros((0, at.size)), _values(model)).T
    n, m = len(model.coordinates), len(velocities)
    return Course(times, found[:, :n], found[:, n : n + m], found[:, n + m :], _values(model))


def course_of_points(model: Model, times: Array, points: Array) -> Course:
    """The course of the smooth curve through points."""
    from scipy.interpolate import CubicSpline

    curve = CubicSpline(times, points)
    at = _nodes(times)
    entries = (*(entry for row in model.frame.anchor_ai for entry in row), *model.frame.drift_i)
    rows = fast_function(lower(model.coordinates, model.parameter_symbols, [], entries))(
        at, curve(at).T, _values(model)
    ).T
    size = model.frame.size * len(model.coordinates)
    anchors = rows[:, :size].reshape(len(at), model.frame.size, -1)
    back = np.linalg.pinv(anchors.transpose(0, 2, 1))
    w = np.einsum("kai,ki->ka", back, curve(at, 1) - rows[:, size:])
    return Course(times, curve(at), w, np.einsum("kai,ki->ka", back, curve(at, 2)), _values(model))


def _values(model: Model) -> Array:
    return np.array([value for _, value in model.parameter_items], dtype=float)


# Multipliers along the path.


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
    return CarriedCovectors(course, E, A, F, _projectors(A), basis, particular)


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


def best_multiplier(found: CarriedCovectors, weight: Array | float = 1.0) -> Array:
    r"""The $\mu_0$ that makes $\int b|r|^2dt$ least with a weight $b$, the shortest where there are several."""
    slopes, r = found.residual_slopes, found.residual(np.zeros(found.basis.shape[2]))
    share = np.sqrt(np.abs(found.course.weights) * weight)
    left = (share[:, None, None] * slopes).reshape(-1, slopes.shape[2])
    return np.asarray(np.linalg.lstsq(left, -(share[:, None] * r).ravel(), rcond=1e-12)[0])


@lru_cache(maxsize=32)
def path_functions(model: Model) -> Vector:
    """The variational derivative of the Lagrangian, the gradients of the constraints, and their variational derivatives."""
    plain = model.replaced(constraints=(), redundant_rows=())

    def along(lagrangian: object) -> Vector:
        E = variational_derivative(plain.replaced(lagrangian=lagrangian))
        return tuple(dot(row, model.accelerations) + h for row, h in zip(E.mass_ab, E.bias_a, strict=True))

    rows = [along(c.expression) for c in model.constraints]
    return (*along(model.lagrangian), *(x for row in model.matrix_na for x in row), *(x for row in rows for x in row))


def _projectors(A: Array) -> Array:
    """The orthogonal projectors onto the kernels of matrices."""
    return np.eye(A.shape[2]) - np.linalg.pinv(A) @ A


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
