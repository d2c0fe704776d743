r"""Speeds on a group from the rates of its coordinates, which a start may give instead.

.. math:: \dot q^i = E_a{}^i(q)\,w^a + E_0{}^i \quad\Longrightarrow\quad w = (E E^{\mathsf T})^{-1} E\,(\dot q - E_0)

For a unit quaternion that is $w = 2\,\bar q\,\dot q$. Rates that no speeds produce leave the group and are refused. Where the rates
alone leave speeds open, the constraints $\varphi(q, w, t) = 0$ join them.
"""

from __future__ import annotations

from collections.abc import Sequence

import flint
import numpy as np

from anholonomy.algebra.expressions import Expr, Symbol, symbol
from anholonomy.base.errors import StateError, quoted
from anholonomy.base.tolerances import NOTHING
from anholonomy.system.constraints import classify
from anholonomy.system.model import Model
from anholonomy.system.states.missing_values import Completion, names_of, or_project
from anholonomy.system.states.newton import Point, largest, rows_at

__all__ = ["coordinate_rates", "rates_in_speeds", "with_speeds"]


def coordinate_rates(model: Model) -> dict[Symbol, int]:
    """The symbols of those rates of coordinates that are no speeds themselves, with the position of the coordinate.

    >>> from anholonomy.system.declaration.declare import declare
    >>> top = declare(name="top", group="SO3 * R(x)", kinetic=[1, 1, 1, 1])
    >>> sorted(rate.name for rate in coordinate_rates(top))
    ["q0'", "q1'", "q2'", "q3'"]
    """
    rates = {symbol(f"{q.name}'"): i for i, q in enumerate(model.coordinates)}
    return {rate: i for rate, i in rates.items() if rate not in model.velocities}


def rates_in_speeds(model: Model) -> dict[Symbol, Expr]:
    r"""$\dot q^i = E_a{}^i(q)\,w^a + E_0{}^i$ for the rates that are no speeds themselves."""
    flow = model.frame.coordinate_rates(model.velocities)
    return {rate: flow[model.coordinates[i]] for rate, i in coordinate_rates(model).items()}


def with_speeds(model: Model, values: Point, project: bool | None, tolerance: float) -> Point:
    """The state with speeds in place of rates; ``project`` takes the speeds whose rates are nearest."""
    given = {rate: i for rate, i in coordinate_rates(model).items() if rate in values}
    if not given:
        return values
    anchor_ai = model.frame.anchor_ai
    moving = [a for a, row in enumerate(anchor_ai) if any(row[i] != 0 for i in given.values())]
    E_ai = rows_at([[anchor_ai[a][i] for i in given.values()] for a in moving], values)
    missing = [n for n, a in enumerate(moving) if model.velocities[a] not in values]
    (drift,) = rows_at([[model.frame.drift_i[i] for i in given.values()]], values)
    wanted = [values[rate] - e_0 for rate, e_0 in zip(given, drift, strict=True)]
    known = {n: values[model.velocities[a]] for n, a in enumerate(moving) if n not in missing}
    left = [qdot - sum((E_ai[n][k] * w for n, w in known.items()), flint.arb(0)) for k, qdot in enumerate(wanted)]
    found = _solved([E_ai[n] for n in missing], left)
    if found is None and model.velocity_constraints:
        return _with_constraints(model, values, tuple(given), project)
    if found is None:
        speeds = ", ".join(model.velocities[moving[n]].name for n in missing)
        raise StateError(
            f"{model.name}: the speeds {speeds} do not follow from {names_of(given)}; give the rates of more coordinates, or "
            "the speeds themselves."
        )
    speeds_n = known | dict(zip(missing, found, strict=True))
    off = largest(q - sum((E_ai[n][k] * w for n, w in speeds_n.items()), flint.arb(0)) for k, q in enumerate(wanted))
    if off > tolerance * largest(wanted) and (known or not project):
        said = _violation(model, given, [moving[n] for n in missing], found, len(known), off)
        raise StateError(f"{said}{'' if known else or_project(project)}.")
    rest = {s: value for s, value in values.items() if s not in given}
    return rest | {model.velocities[moving[n]]: w for n, w in speeds_n.items()}


def _with_constraints(model: Model, values: Point, given: tuple[Symbol, ...], project: bool | None) -> Point:
    """The state with the speeds that rates and constraints determine together."""
    flow = rates_in_speeds(model)
    rates = {
        rate: classify(f"of the rate {rate.name}", flow[rate] - rate, model.frame, model.velocities) for rate in given
    }
    rows = (*model.velocity_constraints, *rates.values())
    functions = (*(c.expression for c in model.velocity_constraints), *(flow[rate] - rate for rate in given))
    missing = tuple(w for w in model.velocities if w not in values)
    found = Completion(model.name, rows, functions, missing, model.velocities).of(values, project)
    return {s: value for s, value in found.items() if s not in rates}


def _solved(rows_ai: Sequence[Sequence[flint.arb]], left_i: Sequence[flint.arb]) -> list[flint.arb] | None:
    """The least squares of $w^aE_a{}^i = b^i$ from its normal equations; None where they leave a speed open."""
    if not rows_ai:
        return []
    sizes = np.linalg.svd(np.array([[float(entry) for entry in row] for row in rows_ai]), compute_uv=False)
    if len(rows_ai) > len(left_i) or not sizes.min() > NOTHING * sizes.max():
        return None
    E = flint.arb_mat([list(row) for row in rows_ai])
    solved = (E * E.transpose()).solve(E * flint.arb_mat([[b] for b in left_i]))
    return [solved[n, 0].mid() for n in range(len(rows_ai))]


def _violation(
    model: Model,
    given: dict[Symbol, int],
    missing: Sequence[int],
    found: Sequence[flint.arb],
    known: int,
    by: flint.arb,
) -> str:
    said = f"{model.name}: the rates {names_of(given)}"
    if known:
        return f"{said} contradict the speeds by {float(by.mid()):.3g}; give one or the other"
    nearest = ", ".join(f"{model.velocities[a].name}={float(w.mid()):.6g}" for a, w in zip(missing, found, strict=True))
    return f"{said} leave {quoted(model.group)} by {float(by.mid()):.3g}; the nearest that stay belong to {nearest}; use these"
