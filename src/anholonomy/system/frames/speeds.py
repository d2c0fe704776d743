r"""Speeds that a user defines, $u^b = Y^b{}_a(q,t)\,w^a + z^b(q,t)$, and the adapted frame that they determine.

Together with the constraints they determine the velocities:

.. math:: \begin{pmatrix} A\\ Y\end{pmatrix} w = \begin{pmatrix} -a\\ u - z\end{pmatrix}
   \quad\Longrightarrow\quad w = u^b S_b + s .

Few velocities are solved for at once, in lowest terms. Of many, the directions $\hat S$ that the software would choose are taken and mixed,
$S = (\hat S Y^{\mathsf T})^{-1}\hat S$: where those last, the frame fails only where the speeds do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import symengine

from anholonomy.algebra.calculus import jacobian
from anholonomy.algebra.expressions import Expr, Matrix, Symbol, Vector, dot, symbol, time, unused, zero
from anholonomy.algebra.linear_algebra.symbolic import determinant, solve
from anholonomy.algebra.numbers.balls import ball, precision
from anholonomy.algebra.simplification.simplify import simplify_vector
from anholonomy.algebra.steps.definitions import Assign, Recorder, inline, written_size
from anholonomy.algebra.steps.in_balls import run_steps
from anholonomy.algebra.steps.linear_systems import choose_pivots, solve_steps
from anholonomy.algebra.zero_test import zero_test
from anholonomy.base.errors import DeclarationError
from anholonomy.base.verdict import Verdict
from anholonomy.geometry.adapted_frame import AdaptedFrame, contracted
from anholonomy.language import check_name
from anholonomy.language.arguments import expression
from anholonomy.language.suggestions import near_symbol
from anholonomy.system.frames.default import chosen_frame, generic_point
from anholonomy.system.model import Model
from anholonomy.system.states.newton import rows_at

__all__ = ["frame_of_values", "read_speeds"]


# Speeds in a user's words: velocities, or definitions by name.


def read_speeds(model: Model, given: Mapping[Any, Any] | Sequence[Any] | str) -> tuple[tuple[Symbol, ...], Vector]:
    """Symbols and definitions of one speed for each admissible direction, each affine in the velocities."""
    symbols, values = _read(model, given)
    _refuse_unless_affine(model, symbols, jacobian(values, model.velocities))
    constraints = len(model.independent.constraints)
    free = model.frame.size - constraints
    if len(values) != free:
        raise DeclarationError(
            f"{model.name}: there are {len(values)} speeds and {model.frame.size} - {constraints} = "
            f"{free} admissible directions; give one speed for each."
        )
    return symbols, tuple(values)


def _read(model: Model, given: Mapping[Any, Any] | Sequence[Any] | str) -> tuple[tuple[Symbol, ...], list[Expr]]:
    """Symbols and definitions; a velocity that is a speed keeps its name."""
    if isinstance(given, str) or not isinstance(given, Mapping | Sequence):
        raise DeclarationError(
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
            near = near_symbol(unknown[0], allowed)
            cure = f"did you mean {near}?" if near else "define `speeds` by velocities, or give `span` for names alone."
            raise DeclarationError(
                f"{model.name}: {unknown[0]} appears in {what} but is neither a coordinate, a velocity nor a parameter; {cure}"
            )
        if value in model.velocities and name in (None, value.name):
            symbols.append(value)
        elif name is None:
            symbols.append(unused(f"u{k}", lambda taken: taken in model.names or symbol(taken) in symbols))
        else:
            check_name(str(name), f"{model.name}: the speed")
            if name in model.names:
                raise DeclarationError(f"{model.name}: the speed {name} clashes with another name; rename it.")
            symbols.append(symbol(str(name)))
        values.append(value)
    if twice := sorted({u.name for u in symbols if symbols.count(u) > 1}):
        raise DeclarationError(f"{model.name}: the speed {twice[0]} is given twice; keep one.")
    return tuple(symbols), values


def _refuse_unless_affine(model: Model, symbols: Sequence[Symbol], Y: Matrix) -> None:
    for u, row in zip(symbols, Y, strict=True):
        for entry in row:
            for slope in jacobian([entry], model.velocities)[0]:
                if zero_test(slope) is not Verdict.PROVEN:
                    raise DeclarationError(
                        f"{model.name}: the speed {u.name} is not linear in the velocities; its definition may be "
                        "linear, with an inhomogeneous part."
                    )


# Their adapted frame.


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
        raise DeclarationError(
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
    return AdaptedFrame(model.frame, tuple(span), offset, speeds, tuple(record.assignments), (*own.pivots, *pivots))


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
        known = run_steps(record.assignments, {s: ball(value) for s, value in point.items()})
        values = np.array([[float(value) for value in row] for row in rows_at(matrix, known)])
    order = choose_pivots(values, np.array([[entry != 0 for entry in row] for row in matrix]))
    if len(order) < len(matrix):
        raise ZeroDivisionError("the speeds are dependent")
    solutions, pivots = solve_steps(matrix, sides, order, record)
    return solutions, tuple(pivot for pivot in pivots if not isinstance(pivot, symengine.Number))
