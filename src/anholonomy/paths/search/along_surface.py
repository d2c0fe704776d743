r"""The abnormal path between two configurations on Martinet's surface: where no normal extremal is found, it may be the shortest.

.. math:: \dot q = \pm\frac{Y}{\sqrt{g(Y, Y)}}, \qquad W(q) = 0
"""

from __future__ import annotations

import numpy as np

from anholonomy.compile.backends import fast_function
from anholonomy.compile.backends.base import Array
from anholonomy.compile.program import lower
from anholonomy.formulations.inertia import quadratic_parts
from anholonomy.paths.abnormal import Abnormal
from anholonomy.symbolic.expressions import dot, matrix_vector
from anholonomy.system.model import Model

__all__ = ["along_surface"]

_ON, _MET = 1e-9, 1e-8
"""How far from the surface its points may be, and from the end the path, beside the way."""
_POINTS, _FARTHER = 201, 8.0
"""Points of a path, and how many times the distance in coordinates it may be long."""


def along_surface(model: Model, found: Abnormal, first: Array, last: Array) -> tuple[Array, Array] | None:
    """Times, which are lengths, and configurations of the abnormal path from ``first`` to ``last``; None where there is none."""
    if found.place is None or not found.field:
        return None
    plain = model.independent
    metric, _, _ = quadratic_parts(plain.lagrangian, plain.velocities)
    rates = plain.frame.coordinate_rates(found.field)
    outputs = [
        *(rates[q] for q in plain.coordinates),
        dot(found.field, matrix_vector(metric, found.field)),
        found.place,
    ]
    program = fast_function(lower(plain.coordinates, plain.parameter_symbols, [], outputs))
    values = np.array([value for _, value in plain.parameter_items], dtype=float)

    def at(q: Array) -> Array:
        return np.asarray(program(0.0, q, values))

    way = float(np.abs(last - first).max())
    if max(abs(at(q)[-1]) for q in (first, last)) > _ON * max(1.0, way):
        return None
    for sign in (1.0, -1.0):
        arrived = _followed(lambda q, sign=sign: sign * at(q)[:-2] / np.sqrt(at(q)[-2]), first, last, way)
        if arrived is not None:
            return arrived
    return None


def _followed(rate: object, first: Array, last: Array, way: float) -> tuple[Array, Array] | None:
    """The curve of a field until it meets the end, if it does."""
    from scipy.integrate import solve_ivp
    from scipy.optimize import minimize_scalar

    speed = float(np.abs(rate(first)).max())  # type: ignore[operator]
    if not np.isfinite(speed) or not speed > 0:
        return None
    until = _FARTHER * way / speed
    run = solve_ivp(lambda _, q: rate(q), (0.0, until), first, "DOP853", dense_output=True, rtol=1e-12, atol=1e-13)  # type: ignore[operator]
    if not run.success:
        return None
    times = np.linspace(0.0, until, 40 * _POINTS)
    apart = np.linalg.norm(run.sol(times) - last[:, None], axis=0)
    near = int(np.argmin(apart))
    around = times[max(near - 1, 0)], times[min(near + 1, len(times) - 1)]
    best = minimize_scalar(lambda t: float(np.sum((run.sol(t) - last) ** 2)), bounds=around, options={"xatol": 1e-13})
    if not np.sqrt(best.fun) <= _MET * max(1.0, way):
        return None
    some = np.linspace(0.0, float(best.x), _POINTS)
    return some, run.sol(some).T
