r"""Speeds that a user chooses, $u^b = Y^b{}_a(q,t)\,w^a + z^b(q,t)$, and the adapted frame they make.

Together with the constraints they determine the velocities:

.. math:: \begin{pmatrix} A\\ Y\end{pmatrix} w = \begin{pmatrix} -a\\ u - z\end{pmatrix}
   \quad\Longrightarrow\quad w = u^b S_b + s .
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import symengine

from anholonomy.geometry.adapted import AdaptedFrame
from anholonomy.language import check_name
from anholonomy.language.door import expression
from anholonomy.refusals import IllPosedSystem
from anholonomy.symbolic.balls import evaluate_ball
from anholonomy.symbolic.calculus import jacobian
from anholonomy.symbolic.elimination import Recorder, choose_pivots, solve_steps
from anholonomy.symbolic.expressions import Expr, Matrix, Symbol, Vector, symbol, unused, zero
from anholonomy.symbolic.linear import determinant, solve
from anholonomy.symbolic.zero import Verdict, zero_test
from anholonomy.system.adapting import generic_point
from anholonomy.system.model import Model
from anholonomy.system.orthonormal import orthonormal_frame

__all__ = ["frame_of_speeds"]

_EXACT = 6
"""Up to this many velocities the frame is in lowest terms, so that it is singular only where the speeds are."""


def frame_of_speeds(
    model: Model, speeds: Mapping[Any, Any] | Sequence[Any] | str, at: Mapping[Symbol, float] | None = None
) -> AdaptedFrame:
    """The adapted frame of speeds given as a dict from name to expression, or as a list of velocities or expressions.

    There is one speed for each admissible direction; together with the constraints they must determine every velocity.
    ``"orthonormal"`` makes the kinetic energy a sum of squares. For many velocities the frame divides by what is large at the point ``at`` (default: a generic one).
    """
    if speeds == "orthonormal":
        return orthonormal_frame(model, at)
    symbols, values = _read(model, speeds)
    Y = jacobian(values, model.velocities)
    _refuse_unless_affine(model, symbols, Y)
    at_rest = dict.fromkeys(model.velocities, zero)
    offsets = [value.xreplace(at_rest) for value in values]
    matrix = (*model.matrix_na, *Y)
    if len(matrix) != model.frame.size:
        raise IllPosedSystem(
            f"{model.name}: there are {len(values)} speeds and {model.frame.size} - {len(model.constraints)} = "
            f"{model.frame.size - len(model.constraints)} admissible directions; give one speed for each."
        )
    known = len(model.constraints)
    units = [[symengine.Integer(int(i == known + b)) for i in range(len(matrix))] for b in range(len(values))]
    offset = [*(-a for a in model.offset_n), *(-z for z in offsets)]
    try:
        if len(matrix) <= _EXACT:
            return _exact_frame(model, symbols, matrix, [*units, offset])
        return _stepwise_frame(model, symbols, matrix, [*units, offset], at or generic_point(model))
    except ZeroDivisionError:
        raise IllPosedSystem(
            f"{model.name}: the speeds {', '.join(u.name for u in symbols)} and the constraints do not determine the "
            "velocities; choose independent speeds."
        ) from None


def _read(model: Model, given: Mapping[Any, Any] | Sequence[Any] | str) -> tuple[tuple[Symbol, ...], list[Expr]]:
    """Symbols and definitions; a velocity that is a speed keeps its name."""
    if isinstance(given, str) or not isinstance(given, Mapping | Sequence):
        raise IllPosedSystem(
            f"{model.name}: `speeds` is {given!r}; give a list of velocities, a dict of definitions, or 'orthonormal'."
        )
    names = [q.name for q in model.coordinates]
    labelled = list(given.items()) if isinstance(given, Mapping) else [(None, value) for value in given]
    symbols: list[Symbol] = []
    values: list[Expr] = []
    allowed = {*model.names}
    for k, (name, text) in enumerate(labelled, 1):
        what = f"the speed {name or k}"
        value = expression(text, what, coordinates=names).xreplace(model.named)
        if unknown := sorted(s.name for s in value.free_symbols if s.name not in allowed):
            raise IllPosedSystem(
                f"{model.name}: {unknown[0]} appears in {what} but is neither a coordinate, a velocity nor a parameter."
            )
        if value in model.velocities and name in (None, value.name):
            symbols.append(value)
        elif name is None:
            symbols.append(unused(f"u{k}", lambda taken: taken in model.names or symbol(taken) in symbols))
        else:
            check_name(str(name), f"{model.name}: the speed")
            if name in model.names:
                raise IllPosedSystem(f"{model.name}: the speed {name} clashes with another name; rename it.")
            symbols.append(symbol(str(name)))
        values.append(value)
    if twice := sorted({u.name for u in symbols if symbols.count(u) > 1}):
        raise IllPosedSystem(f"{model.name}: the speed {twice[0]} is given twice; keep one.")
    return tuple(symbols), values


def _refuse_unless_affine(model: Model, symbols: Sequence[Symbol], Y: Matrix) -> None:
    for u, row in zip(symbols, Y, strict=True):
        for entry in row:
            for slope in jacobian([entry], model.velocities)[0]:
                if zero_test(slope) is not Verdict.ZERO:
                    raise IllPosedSystem(
                        f"{model.name}: the speed {u.name} is not linear in the velocities; its definition may be "
                        "linear, with an inhomogeneous part."
                    )


def _exact_frame(
    model: Model, symbols: tuple[Symbol, ...], matrix: Matrix, sides: Sequence[Sequence[Expr]]
) -> AdaptedFrame:
    pivot = determinant(matrix)
    if zero_test(pivot) is Verdict.ZERO:
        raise ZeroDivisionError("the speeds are dependent")
    *span, offset = solve(matrix, sides)
    pivots = () if isinstance(pivot, symengine.Number) else (pivot,)
    return AdaptedFrame(model.frame, tuple(span), offset, symbols, (), pivots)


def _stepwise_frame(
    model: Model,
    symbols: tuple[Symbol, ...],
    matrix: Matrix,
    sides: Sequence[Sequence[Expr]],
    point: Mapping[Symbol, float],
) -> AdaptedFrame:
    values = np.array([[float(evaluate_ball(entry, point, 16)) for entry in row] for row in matrix])
    occupied = np.array([[entry != 0 for entry in row] for row in matrix])
    order = choose_pivots(values, occupied)
    if len(order) < len(matrix):
        raise ZeroDivisionError("the speeds are dependent")
    record = Recorder("$s")
    solutions, pivots = solve_steps(matrix, sides, order, record)
    *span, offset = solutions
    singular: Vector = tuple(pivot for pivot in pivots if not isinstance(pivot, symengine.Number))
    return AdaptedFrame(model.frame, tuple(span), offset, symbols, tuple(record.steps), singular)
