r"""A Lagrangian quadratic in its velocities, taken apart, and its inertia divided out in steps.

.. math:: L = \tfrac12 M_{ab}\,w^aw^b + b_a w^a - V, \qquad M x = y \;\Rightarrow\; x \text{ as assignments}

The parts depend on positions and time alone. A definite inertia is eliminated down its diagonal, which is regular wherever it
is definite; an indefinite one with pivots chosen at a generic state. Its entries stay as they were given: an inverse in lowest
terms is one of polynomials multiplied out, and of $(x - 1000)^2$ nothing would be left in doubles.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import flint
import numpy as np

from anholonomy.language.grammar.reality import Unreal, check_real
from anholonomy.refusals import IllPosedSystem
from anholonomy.symbolic.calculus import gradient, jacobian
from anholonomy.symbolic.expressions import Expr, Matrix, Symbol, Vector, dot, is_naught, matrix_vector
from anholonomy.symbolic.matrices.elimination_in_steps import Recorder, choose_pivots, solve_steps
from anholonomy.symbolic.numbers.balls import MANY_DIGITS, ball, precision
from anholonomy.symbolic.numbers.certified import run_steps
from anholonomy.symbolic.steps.straight_line import Assign
from anholonomy.system.constraints import probes
from anholonomy.system.frames.choice import generic_point
from anholonomy.system.model import Model
from anholonomy.system.states.sampling import evaluate_at

__all__ = ["QuadraticParts", "divide", "quadratic_parts", "values_of"]


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
            # A kinetic energy squares what was declared.
            check_real(*(entry for row in M for entry in row), *b, V, power=math.inf)
        except (Unreal, RuntimeError):  # SymEngine raises the latter for exp(zoo)
            continue
        return QuadraticParts(M, b, V)
    raise IllPosedSystem(
        f"the Lagrangian {lagrangian} is not finite where it was looked at; write it without quotients."
    )


def values_of(model: Model, matrix: Matrix, definitions: Sequence[Assign] = ()) -> flint.arb_mat:
    """A matrix at a generic state, in as many digits as tell definite from indefinite where its entries are uneven."""
    with precision(MANY_DIGITS):
        known = run_steps(definitions, {s: ball(value) for s, value in generic_point(model).items()})
        return flint.arb_mat([evaluate_at(row, known) for row in matrix])


def divide(
    model: Model, matrix: Matrix, values: flint.arb_mat, rights: Sequence[Sequence[Expr]], record: Recorder
) -> list[Vector]:
    """The solutions of ``matrix`` times x = right for every right-hand side; ``values`` is the matrix at a generic state.

    The way to the solution is recorded in steps, with every entry as it was given.
    """
    size = len(matrix)
    named = [[record(entry) for entry in row] for row in matrix]
    occupied = np.array([[not is_naught(entry) for entry in row] for row in matrix], dtype=bool).reshape(size, size)
    if _is_definite(values):
        # Rows with few neighbours first: they make the least fill-in.
        order = [(k, k) for k in sorted(range(size), key=lambda k: int(occupied[k].sum()))]
    else:
        order = choose_pivots(_evened(values), occupied)
    if len(order) < size:
        raise _degenerate(model)
    return solve_steps(named, rights, order, record)[0]


def _is_definite(values: flint.arb_mat) -> bool:
    """Whether every pivot down the diagonal is proven positive."""
    size = values.nrows()
    with precision(MANY_DIGITS):
        rows = [[values[i, j] for j in range(size)] for i in range(size)]
        for k in range(size):
            if not rows[k][k] > 0:
                return False
            for i in range(k + 1, size):
                factor = rows[i][k] / rows[k][k]
                rows[i] = [a - factor * b for a, b in zip(rows[i], rows[k], strict=True)]
    return True


def _evened(values: flint.arb_mat) -> np.ndarray:
    """In floats, rows and columns brought to one size, so that units say nothing about which entry to divide by."""
    size = values.nrows()
    rows = [[values[i, j].mid() for j in range(size)] for i in range(size)]
    with precision(MANY_DIGITS):
        for _ in range(2):
            tops = [max(abs(value) for value in row) for row in rows]
            rows = [[v / top if top > 0 else v for v in row] for row, top in zip(rows, tops, strict=True)]
            rows = [list(column) for column in zip(*rows, strict=True)]
    return np.array([[float(value) for value in row] for row in rows], dtype=float).reshape(size, size)


def _degenerate(model: Model) -> IllPosedSystem:
    return IllPosedSystem(
        f"{model.name}: the inertia is degenerate on the admissible directions, so that they have no accelerations or "
        "momenta of their own; correct the Lagrangian or the constraints."
    )
