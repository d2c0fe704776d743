r"""Routes: the volume of the kinetic energy, on configurations and on admissible velocities, is invariant, or a function times it.

.. math::
   \mu = \sqrt{\det g}\,\sqrt{\det G}\;dq\,du, \qquad \theta(X) = \tfrac12K^{\nu\mu}\,(L_Xg)(n_\nu, n_\mu), \qquad
   (L_Xg)(n_\nu, n_\mu) = dA_\nu(X, n_\mu) + dA_\mu(X, n_\nu) - X(K_{\nu\mu})

with the constraints $A_\nu$, their normals $n_\nu = g^{-1}A_\nu$ and $K_{\nu\mu} = A_\nu(n_\mu)$. The divergence $\theta$ of the motion in this measure does not depend on
the frame of $D$, and needs no inverse of what is long; where it does not vanish, a function may make up for it. It vanishes where symmetries of the kinetic energy span $D$: a body whose constraints are
the same seen from space (Veselov and Veselova), on any group.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement
from typing import final

import symengine

from anholonomy.algebra.calculus import along
from anholonomy.algebra.expressions import Expr, Matrix, Symbol, Vector, dot, identity, matrix_vector, nodes_of, zero
from anholonomy.algebra.linear_algebra.symbolic import determinant, inverse
from anholonomy.algebra.simplification.rational_denominators import with_rational_denominator
from anholonomy.algebra.simplification.simplify import is_readable, simplify
from anholonomy.algebra.steps.linear_systems import small_determinant
from anholonomy.algebra.zero_test import are_all_zero, is_zero
from anholonomy.base.caching import cached_property
from anholonomy.base.deadlines import ASIDE, check, effort
from anholonomy.base.errors import TimeLimitError
from anholonomy.equations.lagrangian import quadratic_parts
from anholonomy.equations.reduction.quotient import WRITTEN_OUT
from anholonomy.equations.reduction.spatial import seen_from_space
from anholonomy.equations.reduction.symmetries import keeps_volumes
from anholonomy.findings import Identity
from anholonomy.laws.divergence import Divergence
from anholonomy.laws.primitives import primitive_along
from anholonomy.laws.reduced_motion import ReducedMotion, reduced_motion
from anholonomy.measures.density.problem import Decision, DensityProblem
from anholonomy.system.solved_constraints import positions_of

__all__ = ["function_times_natural_volume", "has_roots", "natural_volume", "natural_volume_seen_from_space"]


def natural_volume(problem: DensityProblem) -> Decision | None:
    r"""Proven, if no admissible motion stretches the normals, or their volume."""
    found = _natural(problem.divergence)
    evidence = None if found is None else found.each_vanishes() or found.traces_vanish()
    if found is None or evidence is None:
        return None
    return problem.proven(evidence, *found.logarithms(problem.divergence))


def natural_volume_seen_from_space(problem: DensityProblem) -> Decision | None:
    r"""Proven by the same identity along right-invariant fields, for the constraints solved for velocities, $w^\beta - S_a{}^\beta w^a$.

    Right-invariant fields are taken only on groups whose left-invariant volume is their own.
    """
    model = problem.motion.model
    space = seen_from_space(model)[0]
    if space == model or positions_of(model) or not keeps_volumes(model.frame):
        return None
    try:
        with effort(ASIDE):
            own, found = _natural(problem.divergence), _natural(Divergence(reduced_motion(space)))
            if own is None or found is None or found.free is None:
                return None
            short = found.with_solved_rows()
            evidence = short.each_vanishes() or short.traces_vanish()
            turned = {a for a, w in enumerate(space.velocities) if w not in model.velocities}
            is_same = found.free == own.free and turned <= {*found.free}  # of the speeds, but for a rotation
            logarithms = (short if is_same else own).logarithms(problem.divergence)
            return None if evidence is None else problem.proven(evidence, *logarithms)
    except ZeroDivisionError:
        return None
    except TimeLimitError:
        check()
        return None


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
    found = _Natural(motion, mass, model.matrix_na)
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
    rows: Matrix
    is_tidy: bool = False

    def with_solved_rows(self) -> _Natural:
        """The same with the constraints solved for the velocities that are no speeds, and no roots in denominators."""
        assert self.free is not None
        rows = tuple(map(_tidied, self.rows))
        bound = [a for a in range(len(rows[0])) if a not in self.free]
        over = inverse(tuple(tuple(row[a] for a in bound) for row in rows))
        columns = tuple(zip(*rows, strict=True))
        solved = tuple(_tidied([dot(line, column) for column in columns]) for line in over)
        return replace(self, mass_ab=tuple(map(_tidied, self.mass_ab)), rows=solved, is_tidy=True)

    def _written(self, row: Iterable[Expr]) -> Vector:
        return _tidied(row) if self.is_tidy else tuple(row)

    @cached_property
    def normals(self) -> Matrix:
        r"""$n_\nu$."""
        over = inverse(self.mass_ab)
        return tuple(self._written(matrix_vector(over, row)) for row in self.rows)

    @cached_property
    def gram(self) -> Matrix:
        r"""$K_{\nu\mu}$."""
        return tuple(self._written(dot(row, n) for n in self.normals) for row in self.rows)

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
            tuple(self._written(along(A[b], axes[a]) - along(A[a], axes[b]) - dot(c[a][b], A) for b in n) for a in n)
            for A in self.rows
        )

    @cached_property
    def span_ba(self) -> Matrix:
        """The admissible fields, which solved rows say too."""
        span = self.motion.span_ba
        if not self.is_tidy or self.free is None:
            return span
        bound = [a for a in range(len(span[0])) if a not in self.free]
        units = identity(len(span[0]))
        return tuple(
            tuple(-self.rows[bound.index(b)][a] if b in bound else e for b, e in enumerate(units[a])) for a in self.free
        )

    @cached_property
    def _fields(self) -> tuple[Mapping[Symbol, Expr], ...]:
        frame = self.motion.model.frame
        return tuple(frame.direction(row) for row in self.span_ba) if self.is_tidy else self.motion.fields

    def stretched(self) -> Iterator[dict[tuple[int, int], Expr]]:
        r"""$(L_{X_b}g)(n_\nu, n_\mu)$ by pair of normals, for every field."""
        pairs = list(combinations_with_replacement(range(len(self.rows)), 2))
        for X, rates in zip(self.span_ba, self._fields, strict=True):
            check()
            values = self._written(
                dot(X, matrix_vector(self.curls[i], self.normals[j]))
                + dot(X, matrix_vector(self.curls[j], self.normals[i]))
                - along(self.gram[i][j], rates)
                for i, j in pairs
            )
            yield dict(zip(pairs, values, strict=True))

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

    @cached_property
    def free(self) -> tuple[int, ...] | None:
        """Directions of the frame whose velocities are the speeds; None where speeds are others."""
        columns = list(zip(*self.motion.span_ba, strict=True))
        units = identity(len(self.motion.span_ba))
        found = tuple(columns.index(unit) for unit in units if unit in columns)
        return found if len(found) == len(units) else None

    def logarithms(self, divergence: Divergence) -> tuple[Expr, Expr]:
        r"""$\ln N$ and $\ln N\det G$; by $\det G = \det g\,\det K\,/\det(A_{\text{bound}})^2$ where speeds are velocities."""
        free, volume = self.free, symengine.log(determinant(self.mass_ab))
        if free is None:
            inner = symengine.log(divergence.named_determinant)
            return (volume - inner) / 2, (volume + inner) / 2
        bound: list[Vector] = [tuple(e for a, e in enumerate(row) if a not in free) for row in self.rows]
        if self.is_tidy:  # what is bound is solved for, its minor one
            half, minor = symengine.log(simplify(with_rational_denominator(small_determinant(self.gram)))) / 2, zero
        else:
            gram, least = small_determinant(self.gram), small_determinant(bound)
            square = self._at_any_attitude(gram / least**2)
            if square is not None:
                return -symengine.log(square) / 2, symengine.log(square) / 2 + volume
            half, minor = symengine.log(gram) / 2, symengine.log(least)
        return minor - half, half - minor + volume

    def _at_any_attitude(self, value: Expr) -> Expr | None:
        """A function on a group at its identity, where it is the same at every element; None where it has no such coordinates or is not."""
        on = self.motion.on
        if on is None or not on.touches([value]):
            return None
        start = {q: at for block in on.blocks for q, at in zip(block.coordinates, block.origin, strict=True)}
        still = value.xreplace(start)
        return simplify(still) if is_zero(value - still, on) else None


def has_roots(problem: DensityProblem) -> bool:
    """True if constraints have roots of what moves, as those of a contact with a curved surface have."""
    model = problem.motion.model
    powers = (node for c in model.constraints for node in nodes_of(c.expression, symengine.Pow))
    return any(
        not isinstance(node.args[1], symengine.Integer) and not node.free_symbols.isdisjoint(model.coordinates)
        for node in powers
    )


def _tidied(row: Iterable[Expr]) -> Vector:
    return tuple(map(with_rational_denominator, row))


def _cofactor(matrix: Matrix, i: int, j: int) -> Expr:
    rows = [[e for b, e in enumerate(row) if b != j] for a, row in enumerate(matrix) if a != i]
    return (-1) ** (i + j) * small_determinant(rows)
