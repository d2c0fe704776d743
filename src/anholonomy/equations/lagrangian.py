r"""A Lagrangian: its variational derivative, its energy and whether motions keep it, its quadratic parts and inertia.

.. math::
   E_a = \frac{d}{dt}\frac{\partial L}{\partial w^a} - e_a(L) - (w^b c_{ba}{}^d + c_{0a}{}^d)\frac{\partial L}{\partial w^d}
       = M_{ab}\,\dot w^b + h_a, \qquad
   E = w^a\frac{\partial L}{\partial w^a} - L, \qquad L = \tfrac12 M_{ab}\,w^aw^b + b_a w^a - V
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple, final

import flint
import numpy as np
import symengine

from anholonomy.algebra.calculus import along, gradient, jacobian, total_derivative
from anholonomy.algebra.expressions import (
    Expr,
    Matrix,
    Symbol,
    Vector,
    dot,
    free_symbols,
    identity,
    is_naught,
    matrix_vector,
    time,
    zero,
)
from anholonomy.algebra.numbers.balls import MANY_DIGITS, ball, precision
from anholonomy.algebra.poles import divisors
from anholonomy.algebra.steps.definitions import Assign, Recorder
from anholonomy.algebra.steps.in_balls import run_steps
from anholonomy.algebra.steps.linear_systems import choose_pivots, solve_steps
from anholonomy.algebra.zero_test import homogeneity
from anholonomy.base.errors import DeclarationError
from anholonomy.base.verdict import Verdict
from anholonomy.geometry.brackets import contract
from anholonomy.language.functions import Unreal, check_real
from anholonomy.system.constraints import Constraint, Kind, probes
from anholonomy.system.frames.default import generic_point
from anholonomy.system.model import Model
from anholonomy.system.states.newton import evaluate_at

__all__ = [
    "QuadraticParts",
    "VariationalDerivative",
    "divide",
    "energy",
    "keeps_energy",
    "potential_of",
    "quadratic_parts",
    "values_of",
    "variational_derivative",
]


# The variational derivative in a base frame, the one expression every multiplier principle pairs with.
#
# On a chart this is $\frac{d}{dt}\partial_{\dot q}L - \partial_q L$. The reaction forces are $R = E - Q$. A dynamics without
# Lagrangian has given momenta $\Pi_a$ in place of $\partial L/\partial w^a$, no $e_a(L)$, and $Q$ for all of its forces.


@final
@dataclass(frozen=True)
class VariationalDerivative:
    r"""$E_a = M_{ab}\dot w^b + h_a = \dot p_a - f_a$, in coordinates, velocities, time and parameters."""

    mass_ab: Matrix
    bias_a: Vector
    momentum_a: Vector
    force_a: Vector


@lru_cache(maxsize=64)
def variational_derivative(model: Model) -> VariationalDerivative:
    """Differentiate the Lagrangian once for everything that needs it."""
    frame, w = model.frame, model.velocities
    p = gradient(model.lagrangian, w) if model.momenta_a is None else model.momenta_a
    rates, units = frame.coordinate_rates(w), identity(frame.size)
    force = []
    for a in range(frame.size):
        structure = map(symengine.Add, contract(frame.structure_abd, w, units[a]), frame.drift_structure_ad[a])
        force.append(along(model.lagrangian, frame.direction(units[a])) + dot(tuple(structure), p))
    bias = tuple(total_derivative(p_a, rates) - f_a for p_a, f_a in zip(p, force, strict=True))
    return VariationalDerivative(jacobian(p, w), bias, p, tuple(force))


def energy(model: Model) -> Vector:
    r"""$w^a\,\partial L/\partial w^a - L$; empty where there is no Lagrangian."""
    if model.momenta_a is not None:
        return ()
    return (dot(model.velocities, gradient(model.lagrangian, model.velocities)) - model.lagrangian,)


# Whether a motion must keep its energy $E = w^a\,\partial L/\partial w^a - L$, so that a change of it is an error, and a jump a pole.
#
# .. math:: \dot E = -\frac{\partial L}{\partial t} + Q_a w^a + \lambda_\nu\,w^a\frac{\partial\varphi^\nu}{\partial w^a}
#
# Nothing is left where no time stands in the Lagrangian, no force acts, and every constraint is homogeneous in the velocities, so
# that its reaction does no work: $w\cdot\partial\varphi/\partial w = n\varphi = 0$.


_DEGREES = (1, 2, 3, 4)


@lru_cache(maxsize=256)
def keeps_energy(model: Model) -> bool:
    """Whether every motion of a system provably keeps its energy.

    >>> from anholonomy.catalogue import affine_particle, benenti, suslov
    >>> [keeps_energy(each().model) for each in (suslov, benenti, affine_particle)]
    [True, True, False]
    """
    if model.momenta_a is not None or time in model.lagrangian.free_symbols or any(q != 0 for q in model.forces_a):
        return False
    return all(_does_no_work(model, constraint) for constraint in model.constraints)


def _does_no_work(model: Model, constraint: Constraint) -> bool:
    if Kind.NONLINEAR in constraint.kind:
        verdicts = (homogeneity(constraint.expression, model.velocities, degree) for degree in _DEGREES)
        return any(verdict is Verdict.PROVEN for verdict in verdicts)
    return Kind.LINEAR in constraint.kind


@lru_cache(maxsize=256)
def potential_of(model: Model) -> Vector:
    """The potential of a system that keeps its energy and may lose it at a pole, over which a step can go; empty for others."""
    if not keeps_energy(model) or not divisors((model.lagrangian,), {*model.coordinates, time}):
        return ()
    found = -model.lagrangian.xreplace(dict.fromkeys(model.velocities, zero))
    return (found,) if free_symbols((found,)).isdisjoint(model.velocities) else ()


# A Lagrangian quadratic in its velocities, taken apart, and its inertia divided out in steps, $M x = y$.
#
# The parts depend on positions and time alone. A definite inertia is eliminated down its diagonal, which is regular wherever it
# is definite; an indefinite one with pivots chosen at a generic state. Its entries stay as they were given: an inverse in lowest
# terms is one of polynomials multiplied out, and of $(x - 1000)^2$ nothing would be left in doubles.


@final
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
    raise DeclarationError(
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


def _degenerate(model: Model) -> DeclarationError:
    return DeclarationError(
        f"{model.name}: the inertia is degenerate on the admissible directions, so that they have no accelerations or "
        "momenta of their own; correct the Lagrangian or the constraints."
    )
