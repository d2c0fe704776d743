r"""Semidirect products: a group that acts on translations.

.. math::
   (g, x)(h, y) = (gh, x + \rho(g)\,y), \qquad \dot x = \rho(g)\,v, \qquad
   [E_a, V_b] = (\rho_a)^c{}_bV_c, \qquad \rho_a = E_a(\rho)\big|_{1}
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, final

import numpy as np
import symengine

from anholonomy.algebra.calculus import along
from anholonomy.algebra.expressions import Expr, Matrix, Symbol, Vector, dot, matrix_vector, symbol, zero
from anholonomy.algebra.simplification.simplify import simplify
from anholonomy.base.caching import cached_property
from anholonomy.base.errors import DeclarationError, StateError, quoted
from anholonomy.base.tolerances import NOTHING
from anholonomy.geometry.algebras.lie_algebra import LieAlgebra
from anholonomy.geometry.algebras.structure_constants import rows_of
from anholonomy.geometry.brackets import Structure
from anholonomy.geometry.groups.base import AbstractGroup, Array, refuse_large
from anholonomy.language import check_name, to_text
from anholonomy.language.arguments import expression, is_list

__all__ = ["Semidirect"]

_TRIALS = 4
"""Pairs of elements on which an action is tried."""


def _same(left: Array, right: Array, size: float = 1.0) -> bool:
    return bool(abs(left - right).max() < NOTHING * (1 + size))


@final
class Semidirect(AbstractGroup):
    r"""A group beside translations that it moves; coordinates of the group, then ``names``, with body velocities ``v_<name>``.

    Parameters
    ----------
    group
        The group that acts.
    names
        The coordinates of the translations.
    action
        The matrix $\rho(g)$, in the coordinates of the group and its named functions; by default the group's own matrix.

    >>> from anholonomy.geometry.groups.so3 import SO3
    >>> from anholonomy.geometry.groups.translations import Rn
    >>> scaling = Semidirect(Rn("s"), ["x"], [["exp(s)"]])
    >>> scaling.algebra.name, scaling.speeds
    ('aff(1)', (s', v_x))
    >>> Semidirect(SO3(), ["x", "y", "z"])
    SO3 @ R(x, y, z)
    """

    examples = ("SL2R @ R(x, y)", "R(s) @ R(x)[exp(s)]")

    def __init__(
        self, group: AbstractGroup, names: Sequence[str], action: Sequence[Sequence[Any]] | None = None
    ) -> None:
        if not isinstance(group, AbstractGroup):
            raise DeclarationError(f"{quoted(group)} is no group that could act; give one, such as SO3().")
        if not is_list(names) or not len(names):
            raise DeclarationError(
                f"{group.name} acts on {quoted(names)}; give a list of coordinates, such as ['x', 'y']."
            )
        for name in names:
            check_name(name, "the coordinate")
        if len(set(names)) < len(names):
            raise DeclarationError(f"{group.name} acts on {', '.join(names)}; name every coordinate once.")
        refuse_large(f"{group.name} @ R", group.dimension + len(names))
        self.group, self.size = group, len(names)
        self.action_ij = self._read(action)
        rows = "" if action is None else "[" + "; ".join(", ".join(map(to_text, row)) for row in self.action_ij) + "]"
        inner = f"({group.name})" if " * " in group.name or " @ " in group.name else group.name
        self.name = f"{inner} @ R({', '.join(names)}){rows}"
        self.coordinates = (*group.coordinates, *map(symbol, names))
        self.speeds = (*group.speeds, *(symbol(f"v_{name}") for name in names))
        taken = [s.name for s in (*self.coordinates, *self.speeds)]
        if twice := sorted({name for name in taken if taken.count(name) > 1}):
            raise DeclarationError(
                f"{self.name} uses the name {twice[0]} twice; give the group a prefix, or the coordinates other names."
            )
        self._refuse_no_action()
        self.algebra = LieAlgebra(self._constants())

    def _read(self, given: Sequence[Sequence[Any]] | None) -> Matrix:
        group, n = self.group, self.size
        rows: Any = getattr(group, "matrix", None) if given is None else given
        rows = None if rows is None else rows_of(rows, f"the action of {group.name}")
        if rows is None or len(rows) != n or any(len(row) != n for row in rows):
            raise DeclarationError(f"{group.name} acts on {n} translations by {n} rows of {n} entries; give `action`.")
        named = {symbol(label): value for label, value in group.named.items()}
        entries = tuple(tuple(expression(e, "an entry of the action").xreplace(named) for e in row) for row in rows)
        strange = {s for row in entries for entry in row for s in entry.free_symbols} - set(group.coordinates)
        if strange:
            raise DeclarationError(
                f"the action of {group.name} uses {min(s.name for s in strange)}, no coordinate of it."
            )
        return entries

    def _refuse_no_action(self) -> None:
        r"""Refuse a matrix that breaks $\rho(1) = 1$, $\rho(gh) = \rho(g)\rho(h)$, or depends on how an element is written.

        The elements are products of exponentials of size one, so that they reach beyond the neighbourhood of the identity.
        """
        group, rng = self.group, np.random.default_rng(0)
        if not _same(self._tried(group.identity), np.eye(self.size)):
            raise DeclarationError(
                f"{self.name}: the matrix of the identity is not the unit matrix; give a representation."
            )
        for _ in range(_TRIALS):
            g, h = self._far(rng), self._far(rng)
            left, right = self._tried(group.multiply(g, h)), self._tried(g) @ self._tried(h)
            if not _same(left, right, float(abs(self.rho(g)).max() * abs(self.rho(h)).max())):
                raise DeclarationError(
                    f"{self.name}: the matrix of a product is not the product of the matrices; give a representation."
                )
            self._refuse_two_matrices(g)

    def _refuse_two_matrices(self, g: Array) -> None:
        """An angle and the same angle a turn later, a quaternion and its negative: one element has one matrix."""
        try:
            other = self.group.exp(self.group.log(g))
        except StateError:  # no logarithm, and then no second way to write the element
            return
        matrix = self._tried(g)
        if not _same(matrix, self._tried(other), float(abs(matrix).max())):
            raise DeclarationError(
                f"{self.name}: coordinates of one and the same element of {self.group.name} have different matrices; give "
                "a representation of it, or let a cover of it act, such as R for S1 and SU2 for SO3."
            )

    def _far(self, rng: np.random.Generator) -> Array:
        group = self.group
        steps = [rng.uniform(-1, 1, group.dimension) for _ in range(3)]
        first, second, third = (group.exp(1.5 * step / np.linalg.norm(step)) for step in steps)
        return group.multiply(group.multiply(first, second), third)

    def _tried(self, g: Array) -> Array:
        """The matrix, refused where it is not of finite real numbers."""
        try:
            found = self.rho(g)
        except (RuntimeError, TypeError, ValueError, ArithmeticError):
            found = np.full((1, 1), np.nan)
        if not np.isfinite(found).all():
            at = ", ".join(f"{q.name}={v:.3g}" for q, v in zip(self.group.coordinates, g, strict=True))
            raise DeclarationError(
                f"{self.name}: the matrix is not real and finite at {at}; give one that is, on the whole group."
            )
        return found

    @cached_property
    def generators(self) -> tuple[Matrix, ...]:
        r"""$\rho_a$, the derivatives of the action at the identity."""
        group = self.group
        here = {q: symengine.Integer(int(v)) for q, v in zip(group.coordinates, group.identity, strict=True)}
        fields = [dict(zip(group.coordinates, row, strict=True)) for row in group.anchor_ai]
        return tuple(
            tuple(tuple(simplify(along(entry, field).xreplace(here)) for entry in row) for row in self.action_ij)
            for field in fields
        )

    def _constants(self) -> Structure:
        k, n = self.group.dimension, self.group.dimension + self.size
        table = [[[zero] * n for _ in range(n)] for _ in range(n)]
        for a in range(k):
            for b in range(k):
                table[a][b][:k] = self.group.algebra.constants_abd[a][b]
            for b in range(self.size):
                for d in range(self.size):
                    value = self.generators[a][d][b]
                    table[a][k + b][k + d], table[k + b][a][k + d] = value, -value
        return tuple(tuple(map(tuple, plane)) for plane in table)

    @property
    def turning(self) -> tuple[Symbol, ...]:
        return self.group.turning

    @property
    def anchor_ai(self) -> Matrix:
        turns = [(*row, *(zero,) * self.size) for row in self.group.anchor_ai]
        lead = (zero,) * len(self.group.coordinates)
        return *turns, *((*lead, *column) for column in zip(*self.action_ij, strict=True))

    @property
    def invariants(self) -> Mapping[str, Expr]:
        return self.group.invariants

    def signs(self, g: Array) -> Mapping[str, float]:
        return self.group.signs(self._parts(g)[0])

    @property
    def named(self) -> Mapping[str, Expr]:
        return self.group.named

    @property
    def identity(self) -> Array:
        return np.concatenate([self.group.identity, np.zeros(self.size)])

    def rho(self, g: Array) -> Array:
        r"""The matrix $\rho(g)$ in numbers."""
        at = dict(zip(self.group.coordinates, map(float, g), strict=True))
        return np.array([[float(entry.xreplace(at)) for entry in row] for row in self.action_ij])

    def _multiply(self, g: Array, h: Array) -> Array:
        (a, x), (b, y) = self._parts(g), self._parts(h)
        return np.concatenate([self.group.multiply(a, b), x + self.rho(a) @ y])

    def _inverse(self, g: Array) -> Array:
        a, x = self._parts(g)
        back = self.group.inverse(a)
        return np.concatenate([back, -self.rho(back) @ x])

    def _exp(self, xi: Array) -> Array:
        w, v = self._split(xi)
        return np.concatenate([self.group.exp(w), self._mean(w) @ v])

    def _log(self, g: Array) -> Array:
        a, x = self._parts(g)
        w = self.group.log(a)
        return np.concatenate([w, np.linalg.solve(self._mean(w), x)])

    @property
    def adjoint_ab(self) -> Matrix:
        inner, x = self.group.adjoint_ab, self.coordinates[len(self.group.coordinates) :]
        # Columns of -rho'(Ad_g E_b) x, for each direction b of the group.
        pushed = [matrix_vector(each, x) for each in self.generators]
        lower = [
            [-dot([inner[a][b] for a in range(len(inner))], [each[i] for each in pushed]) for b in range(len(inner))]
            for i in range(self.size)
        ]
        upper = [(*row, *(zero,) * self.size) for row in inner]
        return *upper, *((*left, *right) for left, right in zip(lower, self.action_ij, strict=True))

    @property
    def inverse_i(self) -> Vector:
        back, x = self.group.inverse_i, self.coordinates[len(self.group.coordinates) :]
        there = dict(zip(self.group.coordinates, back, strict=True))
        return *back, *(-dot([entry.xreplace(there) for entry in row], x) for row in self.action_ij)

    def _adjoint(self, g: Array) -> Array:
        a, x = self._parts(g)
        inner = self.group.adjoint(a)
        lower = -np.array([self._generator(column) @ x for column in inner.T]).T
        return np.block([[inner, np.zeros((len(inner), self.size))], [lower, self.rho(a)]])

    @cached_property
    def _numbers(self) -> Array:
        return np.array([[[float(entry) for entry in row] for row in each] for each in self.generators])

    def _generator(self, w: Array) -> Array:
        return np.asarray(np.tensordot(np.asarray(w, dtype=float), self._numbers, 1))

    def _mean(self, w: Array) -> Array:
        r"""$\int_0^1 \rho(\exp sw)\,ds$, from one exponential of a larger matrix."""
        from scipy.linalg import expm

        n = self.size
        whole = np.zeros((2 * n, 2 * n))
        whole[:n, :n], whole[:n, n:] = self._generator(w), np.eye(n)
        return np.asarray(expm(whole)[:n, n:])

    def _parts(self, g: Array) -> tuple[Array, Array]:
        whole, k = np.asarray(g, dtype=float), len(self.group.coordinates)
        return whole[:k], whole[k:]

    def _split(self, xi: Array) -> tuple[Array, Array]:
        whole, k = np.asarray(xi, dtype=float), self.group.dimension
        return whole[:k], whole[k:]
