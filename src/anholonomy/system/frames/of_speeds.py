r"""The adapted frame of chosen speeds $u^b = Y^b{}_a(q,t)\,w^a + z^b(q,t)$.

Together with the constraints they determine the velocities:

.. math:: \begin{pmatrix} A\\ Y\end{pmatrix} w = \begin{pmatrix} -a\\ u - z\end{pmatrix}
   \quad\Longrightarrow\quad w = u^b S_b + s .

Few velocities are solved for at once, in lowest terms. Of many, the directions $\hat S$ that the software would choose are taken and mixed,
$S = (\hat S Y^{\mathsf T})^{-1}\hat S$: where those last, the frame fails only where the speeds do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import symengine

from anholonomy.geometry.frames.adapted import AdaptedFrame, contracted
from anholonomy.refusals import IllPosedSystem
from anholonomy.symbolic.calculus import jacobian
from anholonomy.symbolic.display.simplify import simplify_vector
from anholonomy.symbolic.expressions import Expr, Matrix, Symbol, Vector, dot, time, zero
from anholonomy.symbolic.matrices.elimination_in_steps import Recorder, choose_pivots, solve_steps
from anholonomy.symbolic.matrices.linear import determinant, solve
from anholonomy.symbolic.numbers.balls import ball, precision
from anholonomy.symbolic.numbers.certified import run_steps
from anholonomy.symbolic.steps.straight_line import Assign, inline, written_size
from anholonomy.symbolic.zero import zero_test
from anholonomy.system.frames.choice import chosen_frame, generic_point
from anholonomy.system.model import Model
from anholonomy.system.states.newton import rows_at
from anholonomy.verdict import Verdict

__all__ = ["frame_of_values"]

_EXACT = 6
"""Up to this many unknowns a linear system is solved in lowest terms, so that it is singular only where its determinant vanishes."""
_READABLE = 60
"""The operations up to which that is short: in lowest terms everything is multiplied out."""


def frame_of_values(
    model: Model, speeds: tuple[Symbol, ...], values: Sequence[Expr], at: Mapping[Symbol, float] | None = None
) -> AdaptedFrame:
    """The frame whose speeds have these values; what is not solved exactly divides by what is large at the point ``at``."""
    model = model.independent
    Y = jacobian(values, model.velocities)
    at_rest = dict.fromkeys(model.velocities, zero)
    z = tuple(value.xreplace(at_rest) for value in values)
    try:
        if model.frame.size <= _EXACT:
            frame = _at_once(model, speeds, Y, z)
        else:
            frame = _mixed(model, speeds, Y, z, dict(at or generic_point(model)))
        return _with_own_velocities(frame, values, model.velocities)
    except ZeroDivisionError:
        raise IllPosedSystem(
            f"{model.name}: the speeds {', '.join(u.name for u in speeds)} and the constraints do not determine the "
            "velocities; choose independent speeds."
        ) from None


def _with_own_velocities(frame: AdaptedFrame, values: Sequence[Expr], velocities: tuple[Symbol, ...]) -> AdaptedFrame:
    r"""The frame in which a speed that is a velocity is just that, $S_b{}^a = 1$ and not an expression that equals 1."""
    own = {velocities.index(value): b for b, value in enumerate(values) if value in velocities}
    if not own:
        return frame
    span = tuple(
        tuple(symengine.Integer(int(own[a] == b)) if a in own else entry for a, entry in enumerate(row))
        for b, row in enumerate(frame.span_ba)
    )
    offset = tuple(zero if a in own else entry for a, entry in enumerate(frame.offset_a))
    return replace(frame, span_ba=span, offset_a=offset)


def _at_once(model: Model, speeds: tuple[Symbol, ...], Y: Matrix, z: Vector) -> AdaptedFrame:
    matrix = (*map(contracted, model.matrix_na), *Y)
    known = len(model.constraints)
    units = [[symengine.Integer(int(i == known + b)) for i in range(len(matrix))] for b in range(len(Y))]
    offset = [*(-a for a in model.offset_n), *(-entry for entry in z)]
    (*span, shift), pivots = _exactly(model, matrix, [*units, offset])
    return AdaptedFrame(model.frame, tuple(span), shift, speeds, (), pivots)


def _mixed(
    model: Model, speeds: tuple[Symbol, ...], Y: Matrix, z: Vector, point: Mapping[Symbol, float]
) -> AdaptedFrame:
    own = chosen_frame(model, point)
    mixing = tuple(_short([dot(row, vector) for vector in own.span_ba], own.definitions) for row in Y)
    units = [[symengine.Integer(int(b == c)) for c in range(len(Y))] for b in range(len(Y))]
    gap = [-dot(row, own.offset_a) - entry for row, entry in zip(Y, z, strict=True)]
    record = Recorder("$s", list(own.definitions))
    if len(Y) <= _EXACT and symengine.count_ops(*(entry for row in mixing for entry in row)) <= _READABLE:
        weights, pivots = _exactly(model, mixing, [*units, gap])
    else:
        weights, pivots = _in_steps(mixing, [*units, gap], point, record)
    columns = tuple(zip(*own.span_ba, strict=True))
    *span, shift = (tuple(record(dot(column, w)) for column in columns) for w in weights)
    offset = tuple(a + b for a, b in zip(own.offset_a, shift, strict=True))
    return AdaptedFrame(model.frame, tuple(span), offset, speeds, tuple(record.steps), (*own.pivots, *pivots))


def _exactly(model: Model, matrix: Matrix, sides: Sequence[Sequence[Expr]]) -> tuple[list[Vector], Vector]:
    (pivot,) = _short([determinant(matrix)])
    if zero_test(pivot) is Verdict.PROVEN:
        raise ZeroDivisionError("the speeds are dependent")
    moving = {*model.coordinates, time, *(s for s in pivot.free_symbols if s.name.startswith("$"))}
    return solve(matrix, sides), (pivot,) if pivot.free_symbols & moving else ()


def _short(entries: Sequence[Expr], definitions: Sequence[Assign] = ()) -> Vector:
    """Expressions in their short forms, written out, where that is quick: what is constant then shows it."""
    if written_size(entries, definitions) > _READABLE:
        return tuple(entries)
    return simplify_vector(inline(entries, definitions))


def _in_steps(
    matrix: Matrix, sides: Sequence[Sequence[Expr]], point: Mapping[Symbol, float], record: Recorder
) -> tuple[list[Vector], Vector]:
    with precision(20):
        known = run_steps(record.steps, {s: ball(value) for s, value in point.items()})
        values = np.array([[float(value) for value in row] for row in rows_at(matrix, known)])
    order = choose_pivots(values, np.array([[entry != 0 for entry in row] for row in matrix]))
    if len(order) < len(matrix):
        raise ZeroDivisionError("the speeds are dependent")
    solutions, pivots = solve_steps(matrix, sides, order, record)
    return solutions, tuple(pivot for pivot in pivots if not isinstance(pivot, symengine.Number))
