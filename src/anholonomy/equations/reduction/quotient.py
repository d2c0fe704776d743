r"""A system modulo its symmetries: the speeds along invariant directions and the invariants, whether or not the constraints are a connection.

.. math::
   \dot\gamma_i = Y_a(\gamma_i)\,u^a, \qquad
   \frac{d}{dt}\frac{\partial\ell}{\partial u^a} - Y_a(\ell) = u^bK_{ba}{}^d\,\frac{\partial\ell}{\partial u^d}
   + u^b\bigl(\nu_{bad}u^d + \beta(N_{ba})\bigr) + Q_a

These are Hamel's equations on a frame whose anchor goes to the invariants, with the gyroscopic force of what the brackets of the directions have
besides these directions; the frame need not obey Jacobi's identity, and nothing needs that. So what is left is a system like any other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import final

import symengine

from anholonomy.algebra.calculus import along
from anholonomy.algebra.expressions import Expr, Matrix, Vector, dot, matrix_vector, zero
from anholonomy.algebra.linear_algebra.symbolic import determinant, inverse
from anholonomy.algebra.simplification.simplify import readable
from anholonomy.base.caching import cached_property
from anholonomy.base.errors import DeclarationError, NotSupportedError, quoted
from anholonomy.equations.reduction.orbit_space import OrbitSpace, orbit_space
from anholonomy.equations.reduction.symmetries import Carried, carried_choices, symmetries
from anholonomy.geometry.brackets import Structure
from anholonomy.geometry.frame import Frame
from anholonomy.system.constraints import Constraint, Kind, classify
from anholonomy.system.model import Model

__all__ = ["WRITTEN_OUT", "Quotient", "quotient"]


@final
@dataclass(frozen=True)
class Quotient:
    """What is left of a system by the symmetries that were found.

    Attributes
    ----------
    model
        The full system.
    carried
        The invariant directions and their speeds.
    symmetries
        The fields that leave everything alone, in the frame of the system, a row each.
    space
        The invariants, as coordinates.
    """

    model: Model
    carried: Carried
    symmetries: Matrix
    space: OrbitSpace

    @cached_property
    def anchor_ai(self) -> Matrix:
        r"""$Y_a(\gamma_i)$ in the invariants."""
        values = [*self.space.invariants.values(), *self.space.kept]
        return tuple(self.space.vector(along(value, field) for value in values) for field in self.carried.fields)

    @cached_property
    def metric_ab(self) -> Matrix:
        rows = [self.space.vector(row[k:]) for k, row in enumerate(self.carried.metric_ab)]
        n = range(len(rows))
        return tuple(tuple(rows[min(a, b)][abs(a - b)] for b in n) for a in n)

    @cached_property
    def inverse_ab(self) -> Matrix:
        r"""$G^{ab}$, cofactors over the determinant, each as short as the relations of the invariants make it."""
        G, n = self.metric_ab, range(len(self.metric_ab))
        if len(n) > WRITTEN_OUT:
            return inverse(G)
        total = self.shortest(determinant(G))
        if total == 0:
            raise NotSupportedError(
                f"{self.model.name}: the inertia is degenerate, so that the speeds have no momenta."
            )
        minors = {(a, b): self.shortest(_cofactor(G, a, b)) for a in n for b in n if a <= b}
        return tuple(tuple(minors[min(a, b), max(a, b)] / total for b in n) for a in n)

    def shortest(self, f: Expr) -> Expr:
        """A function of invariants and speeds, of the lowest degree in the invariants that their relations allow."""
        if not self.space.relations or f.free_symbols.isdisjoint(self.space.invariants):
            return readable(f)
        try:
            return self.space.written(f.xreplace(dict(self.space.invariants)))
        except NotSupportedError:
            return f

    @cached_property
    def linear_a(self) -> Vector:
        return self.space.vector(self.carried.linear_a)

    @cached_property
    def lagrangian(self) -> Expr:
        r"""$\ell = \tfrac12G_{ab}u^au^b + b_au^a - V$."""
        u = self.carried.speeds
        return (
            dot(u, matrix_vector(self.metric_ab, u)) / 2
            + dot(self.linear_a, u)
            - self.space.written(self.carried.potential)
        )

    @cached_property
    def forces_a(self) -> Vector:
        return self.space.vector(self.carried.forces_a)

    @cached_property
    def inside_abd(self) -> Structure:
        r"""$K_{ab}{}^d$."""
        return self._table({ab: self.space.vector(inside) for ab, (inside, _) in self.carried.brackets.items()})

    @cached_property
    def outside(self) -> dict[tuple[int, int], tuple[Vector, Expr]]:
        r"""$\nu_{abd}$ and $\beta(N_{ab})$ for $a < b$, where they are not zero."""
        found = {}
        for ab, (_, rest) in self.carried.brackets.items():
            if any(e != 0 for e in rest):
                lower, bent = self.carried.outside(rest)
                found[ab] = self.space.vector(lower), self.space.written(bent)
        return found

    def _table(self, upper: dict[tuple[int, int], Vector]) -> Structure:
        n = range(len(self.carried.speeds))
        none = (zero,) * len(n)
        full = upper | {(b, a): tuple(-e for e in row) for (a, b), row in upper.items()}
        return tuple(tuple(full.get((a, b), none) for b in n) for a in n)

    def frame(self, structure: Structure) -> Frame:
        """The frame of the speeds over the invariants."""
        space, full = self.space, self.model.frame
        relations = (*space.relations, *(value for value in full.invariants if value.free_symbols <= set(space.kept)))
        origin: Vector = ()
        if full.origin:
            here = dict(zip(full.coordinates, full.origin, strict=True))
            origin = tuple(e.xreplace(here) for e in (*space.invariants.values(), *space.kept))
        names = {name: value for name, value in full.named.items() if value.free_symbols <= set(space.kept)}
        labels = [u.name for u in self.carried.speeds]
        return Frame.with_structure(space.coordinates, self.anchor_ai, structure, labels, origin, relations, names)

    @cached_property
    def base(self) -> Model:
        r"""The reduced system with the structure $K$ and the gyroscopic force."""
        u = self.carried.speeds
        forces = list(self.forces_a)
        for (a, b), (lower, bent) in self.outside.items():
            push = dot(lower, u) + bent
            forces[b] = forces[b] + u[a] * push
            forces[a] = forces[a] - u[b] * push
        return self._model(self.frame(self.inside_abd), tuple(map(readable, forces)))

    def _model(self, frame: Frame, forces: Vector) -> Model:
        model, u = self.model, self.carried.speeds
        kinds = dict(zip(model.coordinates, model.coordinate_kinds, strict=True))
        flat = (zero,) * len(u)
        rows = []
        for c, (coefficients, offset) in zip(self.carried.kept, self.carried.rows, strict=True):
            row = dot(self.space.vector(coefficients), u) + self.space.written(offset)
            rows.append(classify(c.label, row, frame, u))
        return Model(
            name=f"{model.name}, reduced",
            coordinate_kinds=tuple(kinds.get(q, "") for q in frame.coordinates),
            frame=frame,
            velocities=u,
            lagrangian=self.lagrangian,
            constraints=tuple(rows),
            forces_a=forces,
            parameter_items=model.parameter_items,
            invariants=tuple(
                Constraint(f"relation {k}", zero, Kind.POSITION, flat, zero, value, value)
                for k, value in enumerate(frame.invariants, 1)
            ),
        )


WRITTEN_OUT = 4
"""The size up to which the inverse of a matrix, such as the inertia, is written with cofactors."""


def _cofactor(matrix: Matrix, i: int, j: int) -> Expr:
    rows = [[e for b, e in enumerate(row) if b != j] for a, row in enumerate(matrix) if a != i]
    return (-1) ** (i + j) * (determinant(rows) if rows else symengine.Integer(1))


def quotient(model: Model, names: Sequence[str] | None = None, from_space: bool = True) -> Quotient:
    """The system modulo all translations and turns that are found to leave it alone; refused where there are none.

    On a group those of one side are taken, left or right, whichever are more; without ``from_space`` those from the left.
    """
    if names is not None and (isinstance(names, str) or not isinstance(names, Sequence)):
        raise DeclarationError(
            f"{model.name}: `names` is {quoted(names)}; give a list of names, one for each invariant."
        )
    return _quotient(model.independent, None if names is None else tuple(names), from_space)


@lru_cache(maxsize=32)
def _quotient(model: Model, names: tuple[str, ...] | None, from_space: bool) -> Quotient:
    if model.momenta_a is not None:
        raise NotSupportedError(f"{model.name} has no Lagrangian, which the reduction by a group needs.")
    for c in model.constraints:
        if c.kind & (Kind.ACCELERATION | Kind.NONLINEAR):
            raise NotSupportedError(
                f"{model.name}: the reduction by a group needs constraints linear in the velocities, and {c.label} is none."
            )
    best: Carried | None = None
    found: Matrix = ()
    for carried in carried_choices(model, from_space):
        rows = symmetries(carried)
        if best is None or len(rows) > len(found):
            best, found = carried, rows
    if best is None or not found:
        raise NotSupportedError(
            f"{model.name}: no translation and no turn was found that leaves it alone, so there is no group to reduce by."
        )
    try:
        taken = (*model.names, *(w.name for w in best.model.velocities))
        made = Quotient(model, best, best.above(found), orbit_space(best.model.frame, found, taken, names))
        _ = made.base  # written now, so that what is no function of the invariants is refused here
        return made
    except NotSupportedError as problem:
        raise NotSupportedError(f"{model.name}: {str(problem).removeprefix(f'{model.name}: ')}") from None
