r"""Semi-holonomic frames: constraints solved for some velocities.

.. math::
   \dot q^\nu = a^\nu{}_i\,\dot q^i + a^\nu \quad\Longrightarrow\quad
   e_i = \partial_i + a^\nu{}_i\,\partial_\nu, \quad e_\nu = \partial_\nu, \quad e_0 = a^\nu\partial_\nu, \qquad
   \theta^i = dq^i, \quad \theta^\nu = dq^\nu - a^\nu{}_i\,dq^i

.. math:: c_{ij}{}^\nu = e_i(a^\nu{}_j) - e_j(a^\nu{}_i), \qquad c_{i\beta}{}^\nu = -\partial_\beta a^\nu{}_i, \qquad
   \text{all others zero.}
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

import symengine

from anholonomy.geometry.expected import expect_list
from anholonomy.language import parse_expression
from anholonomy.language.given import equation, expression, name_of
from anholonomy.refusals import IllPosedSystem
from anholonomy.symbolic.calculus import gradient
from anholonomy.symbolic.expressions import Expr, Matrix, Vector, symbol, zero
from anholonomy.symbolic.matrices.linear import solve

__all__ = ["SemiHolonomic", "semi_holonomic"]


@final
@dataclass(frozen=True)
class SemiHolonomic:
    """The fields, independent directions first, their names, and the drift."""

    vectors: Matrix
    labels: tuple[str, ...]
    drift: Vector


def semi_holonomic(
    constraints: Sequence[Any] | Mapping[Any, Any],
    coordinates: Sequence[Any],
    dependent: Sequence[Any] | None = None,
    functions: Sequence[str] = (),
) -> SemiHolonomic:
    """The semi-holonomic frame of constraints on velocities, for `Frame.semi_holonomic`.

    >>> semi_holonomic({"z": "y*x'"}, ["x", "y", "z"]).vectors
    ((1, 0, y), (0, 1, 0), (0, 0, 1))
    """
    names = [name_of(q, "a coordinate") for q in expect_list(coordinates, "the coordinates")]
    rows, solved = _read(constraints, functions)
    chosen = (
        [name_of(q, "a dependent coordinate") for q in expect_list(dependent, "the dependent coordinates")]
        if dependent is not None
        else solved
    )
    if len(set(chosen)) != len(rows) or not set(chosen) <= set(names):
        raise IllPosedSystem(
            "a semi-holonomic frame needs one dependent velocity for each constraint: "
            "write `z' = ...` with a coordinate of the frame, each once, or name them in `dependent`."
        )
    velocities = [symbol(name + "'") for name in names]
    matrix, offset = _linear(rows, velocities)
    free = [name for name in names if name not in chosen]
    left = [[row[names.index(name)] for name in chosen] for row in matrix]
    rights = [[-row[names.index(name)] for row in matrix] for name in free]
    try:
        *columns, drift = solve(left, [*rights, [-entry for entry in offset]])
    except ZeroDivisionError:
        raise IllPosedSystem(f"the constraints cannot be solved for {', '.join(chosen)}; choose others.") from None
    slopes = dict(zip(free, columns, strict=True))

    def field(label: str) -> Vector:
        lifted = dict(zip(chosen, slopes.get(label, ()), strict=False))
        return tuple(lifted.get(name, symengine.Integer(int(name == label))) for name in names)

    labels = (*free, *(name for name in names if name in chosen))
    e_0 = dict(zip(chosen, drift, strict=True))
    return SemiHolonomic(tuple(map(field, labels)), labels, tuple(e_0.get(name, zero) for name in names))


def _read(constraints: Sequence[Any] | Mapping[Any, Any], functions: Sequence[str]) -> tuple[list[Expr], list[str]]:
    """Each constraint as left side minus right side, and the coordinates whose velocities stand alone on the left."""
    rows, solved = [], []
    if isinstance(constraints, Mapping):
        for key, value in constraints.items():
            name = name_of(key, "a dependent coordinate")
            rows.append(symbol(name + "'") - expression(value, f"the velocity of {name}", functions))
            solved.append(name)
        return rows, solved
    for text in expect_list(constraints, "the constraints"):
        if not isinstance(text, str) or text.count("=") != 1:
            rows.append(equation(text, "the constraint"))
            continue
        left, right = (parse_expression(side, what="the constraint", functions=functions) for side in text.split("="))
        rows.append(left - right)
        if isinstance(left, symengine.Symbol) and left.name.endswith("'"):
            solved.append(left.name[:-1])
    return rows, solved


def _linear(rows: Sequence[Expr], velocities: Sequence[Expr]) -> tuple[list[list[Expr]], list[Expr]]:
    matrix, offset = [], []
    for row in rows:
        slopes = list(gradient(row, velocities))
        if any(slope.free_symbols & set(velocities) for slope in slopes):
            raise IllPosedSystem(f"the constraint {row} = 0 is not linear in the velocities; it has no such frame.")
        matrix.append(slopes)
        offset.append(row.subs(dict.fromkeys(velocities, zero)))
    return matrix, offset
