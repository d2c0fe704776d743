r"""Routes: the volume of the kinetic energy, on configurations and on admissible velocities, is invariant, or a function times it.

.. math::
   \mu = \sqrt{\det g}\,\sqrt{\det G}\;dq\,du, \qquad \theta(X) = \tfrac12K^{\nu\mu}\,(L_Xg)(n_\nu, n_\mu), \qquad
   (L_Xg)(n_\nu, n_\mu) = dA_\nu(X, n_\mu) + dA_\mu(X, n_\nu) - X(K_{\nu\mu})

with the constraints $A_\nu$, their normals $n_\nu = g^{-1}A_\nu$ and $K_{\nu\mu} = A_\nu(n_\mu)$. The divergence $\theta$ of the motion in this measure does not depend on
the frame of $D$, and needs no inverse of what is long; where it does not vanish, a function may make up for it. It vanishes where symmetries of the kinetic energy span $D$: a body whose constraints are
the same seen from space (Veselov and Veselova), on any group.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import final

import symengine

from anholonomy.algebra.calculus import along
from anholonomy.algebra.expressions import Expr, Matrix, Symbol, Vector, dot, identity, matrix_vector
from anholonomy.algebra.linear_algebra.symbolic import determinant, inverse
from anholonomy.algebra.simplification.simplify import is_readable, simplify
from anholonomy.algebra.steps.linear_systems import small_determinant
from anholonomy.algebra.zero_test import are_all_zero
from anholonomy.base.caching import cached_property
from anholonomy.base.deadlines import ASIDE, check, effort
from anholonomy.base.errors import TimeLimitError
from anholonomy.equations.lagrangian import quadratic_parts
from anholonomy.equations.reduction.quotient import WRITTEN_OUT
from anholonomy.findings import Identity
from anholonomy.laws.divergence import Divergence
from anholonomy.laws.primitives import primitive_along
from anholonomy.laws.reduced_motion import ReducedMotion
from anholonomy.measures.density.problem import Decision, DensityProblem

__all__ = ["function_times_natural_volume", "natural_volume"]


def natural_volume(problem: DensityProblem) -> Decision | None:
    r"""Proven, if no admissible motion stretches the normals, or their volume."""
    found = _natural(problem.divergence)
    evidence = None if found is None else found.each_vanishes() or found.traces_vanish()
    if found is None or evidence is None:
        return None
    return problem.proven(evidence, *found.logarithms(problem.divergence))


def function_times_natural_volume(problem: DensityProblem) -> Decision | None:
    r"""Proven, if a function that makes up for what the motion stretches is found within seconds."""
    found = _natural(problem.divergence)
    made = None if found is None else found.made_up_for()
    if found is None or made is None:
        return None
    return problem.proven(made[0], made[1] + found.logarithms(problem.divergence)[0])


def _natural(divergence: Divergence) -> _Natural | None:
    """The natural measure of a system that nothing but its inertia and potentials moves, where the inertia is short."""
    motion = divergence.motion
    model = motion.model
    if motion.mentions_time or divergence.has_offset or divergence.spread_of_forces != 0 or not model.constraints:
        return None
    mass = quadratic_parts(model.lagrangian, model.velocities).mass_ab
    if not is_readable(e for row in mass for e in row):
        return None
    found = _Natural(motion, mass)
    try:
        _ = found.normals
    except ZeroDivisionError:  # inertia that is regular on the admissible directions alone gives no volume of all
        return None
    return found


@final
@dataclass(frozen=True)
class _Natural:
    """Normals of the constraints, and how they are stretched along the admissible fields."""

    motion: ReducedMotion
    mass_ab: Matrix

    @cached_property
    def rows(self) -> Matrix:
        return self.motion.model.matrix_na

    @cached_property
    def normals(self) -> Matrix:
        r"""$n_\nu$."""
        over = inverse(self.mass_ab)
        return tuple(matrix_vector(over, row) for row in self.rows)

    @cached_property
    def gram(self) -> Matrix:
        r"""$K_{\nu\mu}$."""
        return tuple(tuple(dot(row, n) for n in self.normals) for row in self.rows)

    @cached_property
    def _axes(self) -> tuple[dict[Symbol, Expr], ...]:
        frame = self.motion.model.frame
        return tuple(dict(zip(frame.coordinates, anchor, strict=True)) for anchor in frame.anchor_ai)

    @cached_property
    def curls(self) -> tuple[Matrix, ...]:
        r"""$dA_\nu(E_a, E_b)$."""
        c, axes = self.motion.model.frame.structure_abd, self._axes
        n = range(len(axes))
        return tuple(
            tuple(tuple(along(A[b], axes[a]) - along(A[a], axes[b]) - dot(c[a][b], A) for b in n) for a in n)
            for A in self.rows
        )

    def stretched(self) -> Iterator[dict[tuple[int, int], Expr]]:
        r"""$(L_{X_b}g)(n_\nu, n_\mu)$ by pair of normals, for every field."""
        pairs = list(combinations_with_replacement(range(len(self.rows)), 2))
        for X, rates in zip(self.motion.span_ba, self.motion.fields, strict=True):
            check()
            yield {
                (i, j): dot(X, matrix_vector(self.curls[i], self.normals[j]))
                + dot(X, matrix_vector(self.curls[j], self.normals[i]))
                - along(self.gram[i][j], rates)
                for i, j in pairs
            }

    def each_vanishes(self) -> Identity | None:
        """An identity by which no normal is stretched; None if that is not proven."""
        entries = tuple(e for field in self.stretched() for e in field.values())
        return self._identity(
            "how admissible motion stretches the normals of the constraints", entries, r"(L_Xg)(n_\nu, n_\mu)"
        )

    def traces_vanish(self) -> Identity | None:
        """An identity by which their volume is not stretched; None if that is not proven, or there are many."""
        K, n = self.gram, range(len(self.gram))
        if len(n) > WRITTEN_OUT:
            return None
        weights = {(i, j): (1 + (i != j)) * _cofactor(K, i, j) for i in n for j in n if i <= j}
        traces = tuple(symengine.Add(*(weights[ij] * e for ij, e in field.items())) for field in self.stretched())
        return self._identity(
            "how admissible motion stretches the volume of the normals", traces, r"K^{\nu\mu}(L_Xg)(n_\nu, n_\mu)"
        )

    def made_up_for(self) -> tuple[Identity, Expr] | None:
        r"""A function $\varphi$ with $X_b(\varphi) = -\theta(X_b)$, so that $e^\varphi\mu$ is kept; in closed form, within seconds, and where no coordinate is redundant."""
        motion, K, n = self.motion, self.gram, range(len(self.gram))
        if len(n) > WRITTEN_OUT or (motion.on is not None and motion.on.tied):
            return None
        total = small_determinant(K)
        over = {(i, j): _cofactor(K, i, j) / total / (1 + (i == j)) for i in n for j in n if i <= j}
        try:
            with effort(ASIDE):
                values = [
                    simplify(-symengine.Add(*(over[ij] * e for ij, e in each.items()))) for each in self.stretched()
                ]
                found = primitive_along(motion.coordinates, motion.fields, values, [total], motion.on)
        except TimeLimitError:
            check()
            return None
        if found is None:
            return None
        misfits = tuple(along(found, rates) - value for rates, value in zip(motion.fields, values, strict=True))
        name = "X(ln N) + div for every admissible field X, beside the natural measure"
        return Identity(name, misfits, r"X_a(\ln N) + \theta_a", motion.on), found

    def _identity(self, name: str, entries: Vector, mark: str) -> Identity | None:
        return Identity(name, entries, mark, self.motion.on) if are_all_zero(entries, self.motion.on) else None

    @property
    def _free(self) -> tuple[int, ...] | None:
        """Directions of the frame whose velocities are the speeds; None where speeds are others."""
        columns = list(zip(*self.motion.span_ba, strict=True))
        units = identity(len(self.motion.span_ba))
        found = tuple(columns.index(unit) for unit in units if unit in columns)
        return found if len(found) == len(units) else None

    def logarithms(self, divergence: Divergence) -> tuple[Expr, Expr]:
        r"""$\ln N$ and $\ln N\det G$; by $\det G = \det g\,\det K\,/\det(A_{\text{bound}})^2$ where speeds are velocities."""
        free, volume = self._free, symengine.log(determinant(self.mass_ab))
        if free is None:
            inner = symengine.log(divergence.named_determinant)
            return (volume - inner) / 2, (volume + inner) / 2
        bound: list[Vector] = [tuple(e for a, e in enumerate(row) if a not in free) for row in self.rows]
        half, minor = symengine.log(small_determinant(self.gram)) / 2, symengine.log(small_determinant(bound))
        return minor - half, half - minor + volume


def _cofactor(matrix: Matrix, i: int, j: int) -> Expr:
    rows = [[e for b, e in enumerate(row) if b != j] for a, row in enumerate(matrix) if a != i]
    return (-1) ** (i + j) * small_determinant(rows)
