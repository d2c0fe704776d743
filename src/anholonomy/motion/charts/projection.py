r"""Projection of states onto the constraints.

A state that steps have moved off the constraints returns: $w \leftarrow w - A^{\mathsf T}(A A^{\mathsf T})^{-1}\varphi$, until $\varphi$ is rounding.

Only principles in full velocities need it; reduced equations satisfy the constraints by construction. Redundant
coordinates of a group are put back on it in the same way, whatever the principle.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TypeAlias

import numpy as np

from anholonomy.algebra.calculus import jacobian
from anholonomy.algebra.expressions import Matrix, Symbol, Vector
from anholonomy.programs.backends import fast_function
from anholonomy.programs.backends.base import Array, Function
from anholonomy.programs.program import lower
from anholonomy.system.model import Model

__all__ = ["PutBack", "projector"]


_EVEN = 1e8
"""Condition numbers of squares up to which a correction has eight digits, which are many of one that is tiny and made again."""
PutBack: TypeAlias = Callable[[Array, Array], Array]
"""From times and states, a row each, to the states on the constraints."""


def projector(model: Model, p: Array, full: bool) -> PutBack | None:
    """For states that begin with the coordinates; None where nothing can be left.

    With ``full`` velocities follow, and perhaps costates; otherwise speeds that satisfy the constraints by themselves.
    """
    q, w = model.coordinates, model.velocities
    n = len(q)
    parts = []
    if model.invariants:
        values = tuple(c.position for c in model.invariants)
        parts.append(
            _newton(_function(model, q, values, jacobian(values, q)), len(values), slice(0, n), slice(0, n), p)
        )
    if full and model.velocity_constraints:
        phi = tuple(c.expression for c in model.velocity_constraints)
        function = _function(model, (*q, *w), phi, model.velocity_matrix_na)
        parts.append(_newton(function, len(phi), slice(0, n + len(w)), slice(n, n + len(w)), p))
    if not parts:
        return None

    def put_back(times: Array, states: Array) -> Array:
        for part in parts:
            states = part(times, states)
        return states

    return put_back


def _newton(function: Function, count: int, seen: slice, moved: slice, p: Array) -> PutBack:
    """The shortest change of some entries of each state that makes functions of some others vanish."""

    def part(times: Array, states: Array) -> Array:
        x = np.array(states)
        for _ in range(3):
            out = function(times, x[:, seen].T, p).T
            phi, J = out[:, :count], out[:, count:].reshape(len(x), count, -1)
            sizes = np.abs(J).max(axis=2) * (1.0 + np.abs(x[:, moved]).max(axis=1, keepdims=True))
            off = (np.abs(phi) > 1e-15 * sizes).any(axis=1) & np.isfinite(out).all(axis=1)
            if not off.any():
                break
            x[off, moved] -= _shortest(J[off], phi[off])
        return x

    return part


def _shortest(J: Array, phi: Array) -> Array:
    r"""$J^{\mathsf T}(JJ^{\mathsf T})^{-1}\varphi$ of each state; by pseudo-inverses, which take long, where rows are nearly dependent."""
    across = np.swapaxes(J, 1, 2)
    square = J @ across
    try:
        inverse = np.linalg.inv(square)
    except np.linalg.LinAlgError:
        inverse = np.full_like(square, np.inf)
    with np.errstate(all="ignore"):
        spread = np.einsum("kii->k", square) * np.einsum("kii->k", inverse)  # at least the condition number
    pull = across @ inverse if (spread < _EVEN).all() else np.linalg.pinv(J)
    return np.asarray((pull @ phi[:, :, None])[:, :, 0])


@lru_cache(maxsize=16)
def _function(model: Model, states: tuple[Symbol, ...], values: Vector, rows: Matrix) -> Function:
    outputs = [*values, *(entry for row in rows for entry in row)]
    return fast_function(lower(states, model.parameter_symbols, (), outputs))
