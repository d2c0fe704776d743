r"""The derivative of the map from one crossing of a section to the next.

.. math:: DP = \Bigl(1 - \frac{\dot z\,ds}{\dot s}\Bigr)\,D\varphi_\tau \quad\text{on}\quad \{v : ds(v) = 0\}

A neighbour reaches the section a little earlier or later; what the motion does meanwhile is taken off.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from anholonomy.compile.backends import BACKENDS
from anholonomy.compile.backends.base import Array
from anholonomy.compile.derivatives import jacobian
from anholonomy.compile.program import lower
from anholonomy.language.given import expression
from anholonomy.refusals import IntegrationProblem, UnknownName
from anholonomy.stability.linear_part import independent_rows
from anholonomy.stability.orbits.tangent_flow import CarriedVectors, carried_along
from anholonomy.stability.vector_field import refuse_driven, vector_field
from anholonomy.symbolic.expressions import Symbol, free_symbols, time
from anholonomy.system.model import Model
from anholonomy.tolerances import NOTHING

if TYPE_CHECKING:
    import xarray as xr

__all__ = ["return_derivative"]

_PARTS = 8
"""Parts of the way to the section, between which frames may change."""


def return_derivative(
    model: Model, condition: str, before: Mapping[str, float], after: float, tolerance: float
) -> xr.DataArray:
    """From a crossing, whose state and time are given, to one at a later time, in independent coordinates of constraints and section."""
    import xarray as xr

    refuse_driven(model)
    model = model.independent
    point: dict[Symbol, float] = {s: before[s.name] for s in (*model.coordinates, *model.velocities)}
    point |= {
        s: float(v) for s, (_, v) in zip(model.parameter_symbols, model.parameter_items, strict=True) if v is not None
    }
    point[time] = before["time"]
    field = vector_field(model, point, timed=True)
    now = CarriedVectors.at(
        field, field.state(point), np.array([point[s] for s in model.parameter_symbols]), t=point[time]
    )
    slopes = _slopes(model, condition)
    stay = _tangent_to(now, slopes)
    now = CarriedVectors(now.field, now.x, now.vectors @ stay, now.p, now.t)
    rows, first = _coordinates(now.in_z(), field.names)
    chart = np.linalg.inv(now.in_z()[rows])
    for k in range(1, _PARTS + 1):
        now = carried_along(now.in_good_frame(), point[time] + (after - point[time]) * k / _PARTS, tolerance)
    rate = now.field.at(now.x[None], now.p, now.t).rate[0]
    ds, by_time = _split(slopes(now.t, now.z, now.p))
    speed = float(ds @ rate + by_time)
    if abs(speed) <= NOTHING * float(np.linalg.norm(ds) * np.linalg.norm(rate)):
        raise IntegrationProblem(
            f"{model.name}: the motion only touches the section {condition}, so that its map has no derivative; take another section."
        )
    vectors = now.in_z() - np.outer(rate, ds @ now.in_z()) / speed
    there, second = _coordinates(_basis_on(now, ds), field.names)
    return xr.DataArray(
        vectors[there] @ chart, dims=("after", "of"), coords={"after": second, "of": first}, name="return map"
    )


def _slopes(model: Model, condition: str) -> Any:
    """The derivatives of the condition by coordinates, velocities and time."""
    left, equals, right = condition.partition("=")
    said = expression(left, "the section") - (expression(right, "the section") if equals else 0)
    known = (*model.coordinates, *model.velocities)
    if unknown := free_symbols([said]) - {*known, *model.parameter_symbols, time}:
        raise UnknownName(
            f"{model.name}: the section {condition} has {', '.join(sorted(map(str, unknown)))}, by which its map cannot be differentiated; use "
            f"coordinates, velocities, parameters and t."
        )
    program = lower(known, model.parameter_symbols, (), (said,))
    return BACKENDS["numpy"].compile(jacobian(program, (*program.states, time)))


def _split(slopes: Array) -> tuple[Array, float]:
    return np.asarray(slopes[:-1]), float(slopes[-1])


def _tangent_to(now: CarriedVectors, slopes: Any) -> Array:
    """Combinations of all directions that stay on the section."""
    ds, _ = _split(slopes(now.t, now.z, now.p))
    row = (ds @ now.in_z())[None]
    return np.asarray(np.linalg.svd(row)[2][1:].T)


def _basis_on(now: CarriedVectors, ds: Array) -> Array:
    basis = CarriedVectors.at(now.field, now.x, now.p, t=now.t).in_z()
    return np.asarray(basis @ np.linalg.svd((ds @ basis)[None])[2][1:].T)


def _coordinates(basis: Array, names: tuple[str, ...]) -> tuple[list[int], list[str]]:
    rows = independent_rows(basis, basis.shape[1])
    return rows, [names[k] for k in rows]
