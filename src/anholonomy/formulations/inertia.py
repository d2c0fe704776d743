r"""A Lagrangian quadratic in its velocities, taken apart, and its inertia divided out in steps.

.. math:: L = \tfrac12 M_{ab}\,w^aw^b + b_a w^a - V, \qquad M x = y \;\Rightarrow\; x \text{ as assignments}

The parts depend on positions and time alone. A small inertia is inverted in lowest terms, so that what it divides prints as in a
textbook. Of larger ones a definite one is eliminated down its diagonal, which is regular wherever it is definite; an indefinite
one with pivots chosen at a generic state.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import symengine

from anholonomy.language.reality import Unreal, check_real
from anholonomy.refusals import IllPosedSystem
from anholonomy.symbolic.balls import ball, precision
from anholonomy.symbolic.calculus import gradient, jacobian
from anholonomy.symbolic.certified import run_steps
from anholonomy.symbolic.elimination import Recorder, choose_pivots, solve_steps
from anholonomy.symbolic.expressions import Expr, Matrix, Symbol, Vector, dot, free_symbols, matrix_vector
from anholonomy.symbolic.linear import inverse
from anholonomy.symbolic.simplify import simplify_vector
from anholonomy.symbolic.steps import Assign
from anholonomy.system.adapting import generic_point
from anholonomy.system.constraints import probes
from anholonomy.system.model import Model
from anholonomy.system.sampling import evaluate_at

__all__ = ["QuadraticParts", "divide", "is_readable", "quadratic_parts", "values_of"]

_READABLE = 400
"""Operations times rows up to which an inertia is inverted in lowest terms, in a few hundredths of a second."""


class QuadraticParts(NamedTuple):
    r"""$M_{ab}$, $b_a$ and $V$ of $L = \tfrac12 M_{ab}w^aw^b + b_aw^a - V$."""

    mass_ab: Matrix
    linear_a: Vector
    potential: Expr


def quadratic_parts(lagrangian: Expr, velocities: Sequence[Symbol]) -> QuadraticParts:
    """The parts of a Lagrangian known to be quadratic: read off at rest, or at another velocity where rest is 0/0."""
    p = gradient(lagrangian, velocities)
    mass = jacobian(p, velocities)
    for at in probes(velocities):
        w = tuple(at.values())
        try:
            M = tuple(tuple(entry.xreplace(at) for entry in row) for row in mass)
            Mw = matrix_vector(M, w)
            b = tuple(entry.xreplace(at) - part for entry, part in zip(p, Mw, strict=True))
            V = dot(w, Mw) / 2 + dot(b, w) - lagrangian.xreplace(at)
            for entry in (*(entry for row in M for entry in row), *b, V):
                check_real(entry)
        except (Unreal, RuntimeError):  # SymEngine raises the latter for exp(zoo)
            continue
        return QuadraticParts(M, b, V)
    raise IllPosedSystem(
        f"the Lagrangian {lagrangian} is not finite where it was looked at; write it without quotients."
    )


def values_of(model: Model, matrix: Matrix, definitions: Sequence[Assign] = ()) -> np.ndarray:
    """A matrix in floats at a generic state."""
    with precision(30):
        known = run_steps(definitions, {s: ball(value) for s, value in generic_point(model).items()})
        rows = [[float(entry.mid()) for entry in evaluate_at(row, known)] for row in matrix]
    return np.array(rows, dtype=float)


def divide(
    model: Model, matrix: Matrix, values: np.ndarray, rights: Sequence[Sequence[Expr]], record: Recorder
) -> list[Vector]:
    """The solutions of ``matrix`` times x = right for every right-hand side; ``values`` is the matrix at a generic state.

    A small matrix is inverted in lowest terms; for others the way to the solution is recorded in steps.
    """
    size = len(matrix)
    if is_readable(matrix):
        inverse_ab = _inverse(model, matrix)
        return [matrix_vector(inverse_ab, right) for right in rights]
    named = [[record(entry) for entry in row] for row in matrix]
    occupied = np.array([[entry != 0 for entry in row] for row in matrix], dtype=bool).reshape(size, size)
    if np.linalg.eigvalsh((values + values.T) / 2).min() > 0:
        # Rows with few neighbours first: they make the least fill-in.
        order = [(k, k) for k in sorted(range(size), key=lambda k: int(occupied[k].sum()))]
    else:
        order = choose_pivots(values, occupied)
    if len(order) < size:
        raise _degenerate(model)
    return solve_steps(named, rights, order, record)[0]


def is_readable(matrix: Matrix) -> bool:
    """Whether a matrix is short enough to be inverted and looked at, written out and not in names of steps."""
    entries = [entry for row in matrix for entry in row]
    hidden = any(str(s).startswith("$") for s in free_symbols(entries))
    operations = sum(int(symengine.count_ops(entry)) for entry in entries)
    return not hidden and len(matrix) * operations <= _READABLE


@lru_cache(maxsize=64)
def _inverse(model: Model, matrix: Matrix) -> Matrix:
    try:
        return tuple(map(simplify_vector, inverse(matrix)))
    except ZeroDivisionError:
        raise _degenerate(model) from None


def _degenerate(model: Model) -> IllPosedSystem:
    return IllPosedSystem(
        f"{model.name}: the inertia is degenerate on the admissible directions, so that they have no accelerations or "
        "momenta of their own; correct the Lagrangian or the constraints."
    )
