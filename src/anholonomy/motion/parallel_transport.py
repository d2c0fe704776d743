r"""Parallel transport: a vector carried along a curve without turning, as a connection understands it.

.. math:: \nabla_{\dot q}V = 0: \qquad \dot V^a = -\Gamma^a{}_{bc}\bigl(q(t)\bigr)\,\omega^b(t)\,V^c, \qquad \dot q = \omega^a e_a
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import symengine

from anholonomy.algebra.calculus import partial
from anholonomy.algebra.expressions import Expr, Symbol, Vector, dot, free_symbols, symbol, time
from anholonomy.base.errors import ArgumentError
from anholonomy.geometry.connections.base import AbstractConnection
from anholonomy.geometry.frame import Frame
from anholonomy.language.arguments import expression, name_of

if TYPE_CHECKING:
    import xarray

__all__ = ["parallel_transport"]


def parallel_transport(
    connection: AbstractConnection,
    curve: Mapping[str, Any],
    vector: Sequence[float],
    times: Sequence[float],
    *,
    parameters: Mapping[str, float] | None = None,
    tolerance: float = 1e-12,
    integrator: str | None = None,
) -> xarray.Dataset:
    r"""Carry a vector along a curve.

    Parameters
    ----------
    curve
        Every coordinate as a function of ``t``: text, SymPy or numbers.
    vector
        The components $V^a$ in the connection's frame at ``times[0]``.
    times
        Where to report the vector; the first is where it starts.

    Returns
    -------
    xarray.Dataset
        ``vector`` over ``time`` and ``direction``, ``q`` over ``time`` and ``coordinate``.

    Examples
    --------
    Once around the circle of latitude at 60 degrees, where a vector turns by $2\pi\cos\theta = \pi$:

    >>> from anholonomy.geometry.connections import levi_civita
    >>> from anholonomy.geometry.metric import Metric
    >>> sphere = levi_civita(Metric(Frame(["theta", "phi"]), ["1", "sin(theta)^2"]))
    >>> run = parallel_transport(sphere, {"theta": "pi/3", "phi": "t"}, [1, 0], [0, 2 * np.pi], integrator="scipy")
    >>> run.vector.values[-1].round(9) + 0.0
    array([-1.,  0.])
    """
    from anholonomy.motion.integrators.base import Flow
    from anholonomy.motion.integrators.choice import choose_integrator
    from anholonomy.programs.program import lower

    frame = connection.frame
    place = _curve(frame, curve)
    values = dict(parameters or {})
    speeds = _quasi_velocities(frame, place)
    V = tuple(symbol(f"${a}") for a in range(frame.size))
    terms: list[list[Expr]] = [[] for _ in V]
    for (a, b, c), gamma in connection.coefficients.items:
        terms[a].append(-gamma.xreplace(place) * speeds[b] * V[c])
    rates = [symengine.Add(*each) for each in terms]
    _refuse_unless_known(free_symbols([*rates, *place.values()]) - {time, *V}, values)
    names = tuple(symbol(name) for name in values)
    flow = Flow(lower(V, names, (), rates), np.array([float(value) for value in values.values()]))
    method = choose_integrator(flow.program, tolerance, integrator)
    solution = method.integrate(flow, np.array(vector, dtype=float), np.array(times, dtype=float), tolerance=tolerance)
    return _dataset(frame, place, values, solution.times, solution.states, {"outcome": str(solution.outcome)})


def _curve(frame: Frame, curve: Mapping[str, Any]) -> dict[Symbol, Expr]:
    given = {name_of(q, "a coordinate of the curve"): value for q, value in curve.items()}
    names = [q.name for q in frame.coordinates]
    if sorted(given) != sorted(names):
        raise ArgumentError(f"the curve must give each of {', '.join(names)} as a function of t, and nothing else.")
    return {symbol(name): expression(given[name], f"the curve's {name}") for name in names}


def _quasi_velocities(frame: Frame, place: Mapping[Symbol, Expr]) -> Vector:
    r"""$\omega^b = \dot q^i E^b{}_i$ along the curve."""
    if not (frame.root or frame).is_chart or any(entry != 0 for entry in frame.drift_i):
        raise ArgumentError("transport along a curve needs a frame over coordinate directions, without drift.")
    velocity = [partial(place[q], time) for q in frame.coordinates]
    columns = zip(*frame.inverse_ab, strict=True)
    return tuple(dot(velocity, [entry.xreplace(place) for entry in column]) for column in columns)


def _refuse_unless_known(used: set[Symbol], values: Mapping[str, float]) -> None:
    if unknown := sorted(s.name for s in used if s.name not in values):
        raise ArgumentError(f"{', '.join(unknown)} has no value; give it in `parameters`.")


def _dataset(
    frame: Frame, place: Mapping[Symbol, Expr], values: Mapping[str, float], times: Any, vectors: Any, attrs: Any
) -> xarray.Dataset:
    import xarray

    exact = {symbol(name): symengine.RealDouble(value) for name, value in values.items()}
    positions = [
        [float(f.xreplace({**exact, time: symengine.RealDouble(now)}).n(real=True)) for f in place.values()]
        for now in times
    ]
    return xarray.Dataset(
        {"vector": (("time", "direction"), vectors), "q": (("time", "coordinate"), positions)},
        coords={"time": times, "direction": list(frame.labels), "coordinate": [q.name for q in place]},
        attrs=attrs,
    )
