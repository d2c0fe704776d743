r"""The translations and turns that leave the equations of a system unchanged, and the invariant directions that they must leave alone.

.. math:: [\xi, Y_a] = 0, \qquad \xi(f) = 0 \quad\text{for every function } f \text{ that the equations need}

Candidates are the right-invariant fields of a group, which are what left translations do, shifts of coordinates and turns in their planes, and
combinations of these with constant coefficients: a ball that rolls on a plane is turned about the vertical together with the plane.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import final

import symengine

from anholonomy.algebra.calculus import along, gradient, jacobian
from anholonomy.algebra.expressions import (
    Expr,
    Matrix,
    Symbol,
    Vector,
    dot,
    free_symbols,
    identity,
    matrix_vector,
    zero,
)
from anholonomy.algebra.numeric_relations import constant_combinations
from anholonomy.algebra.short_forms_on_groups import shortened_vector
from anholonomy.algebra.simplification.simplify import simplify
from anholonomy.algebra.steps.definitions import inline
from anholonomy.algebra.zero_test import is_zero
from anholonomy.base.caching import cached_property
from anholonomy.base.deadlines import check
from anholonomy.base.errors import NotSupportedError
from anholonomy.equations.reduction.spatial import seen_from_space
from anholonomy.geometry.brackets import bracket
from anholonomy.geometry.frame import Frame
from anholonomy.system.constraints import Constraint, Kind
from anholonomy.system.frames.adapted import adapted_frame
from anholonomy.system.model import Model

__all__ = ["Carried", "candidates", "carried_choices", "keeps_volumes", "symmetries"]


def symmetries(carried: Carried) -> Matrix:
    """A basis of the combinations that leave everything alone; a row of components in the frame of the system each.

    That the fields are left alone is proven here; that functions are, is proven by writing them in invariants.
    """
    frame = carried.model.frame
    fields = candidates(frame)
    if not fields:
        return ()
    own = frame.right_invariant() if frame.right_invariant is not None else ()
    fixed = free_symbols(e for row in carried.span_ba for e in row).isdisjoint(frame.coordinates)
    # Right-invariant fields commute with left-invariant ones: that is what they are.
    still = [zero] * (frame.size * len(carried.span_ba))
    turned = [still if fixed and row in own else _turned(carried, row) for row in fields]
    functions = list(carried.functions())
    changed = [_changed(functions, frame.direction(row)) for row in fields]
    both = [[*a, *b] for a, b in zip(turned, changed, strict=True)]
    found = constant_combinations(both, frame.orbit, proven=len(turned[0]))
    return tuple(tuple(dot(weights, column) for column in zip(*fields, strict=True)) for weights in found)


def candidates(frame: Frame) -> tuple[Vector, ...]:
    """Right-invariant fields, shifts of coordinates and turns in their planes, in a frame."""
    found = list(frame.right_invariant()) if frame.right_invariant is not None else []
    plain = {}
    for row, anchor, bends in zip(identity(frame.size), frame.anchor_ai, frame.structure_abd, strict=True):
        moved = [q for q, entry in zip(frame.coordinates, anchor, strict=True) if entry != 0]
        if len(moved) == 1 and all(entry == 0 for line in bends for entry in line):
            plain[moved[0]] = row
    shifts = [row for row in plain.values() if row not in found]
    turns = (tuple(x * b - y * a for a, b in zip(plain[x], plain[y], strict=True)) for x, y in combinations(plain, 2))
    return (*found, *shifts, *turns)


def _changed(functions: Sequence[Expr], rates: Mapping[Symbol, Expr]) -> list[Expr]:
    r"""$\xi(f)$ for every function."""
    check()
    return [along(f, rates) for f in functions]


def _turned(carried: Carried, row: Vector) -> list[Expr]:
    r"""$[\xi, Y_a]$ for every field."""
    check()
    frame = carried.model.frame
    rates, pairs = frame.direction(row), zip(carried.span_ba, carried.fields, strict=True)
    return [e for Y, field in pairs for e in bracket(frame, row, Y, rates, field)]


# Directions in which a system may move, and all that its equations need of them.
#
# .. math::
#    G_{ab} = g(Y_a, Y_b), \qquad [Y_a, Y_b] = K_{ab}{}^dY_d + N_{ab}, \qquad \nu_{abd} = g(N_{ab}, Y_d), \qquad b_a = \beta(Y_a), \qquad
#    \frac{d}{dt}\frac{\partial\ell}{\partial u^a} - Y_a(\ell) = u^bK_{ba}{}^d\,\frac{\partial\ell}{\partial u^d} + u^b\bigl(\nu_{bad}u^d + \beta(N_{ba})\bigr) + Q_a
#
# The fields $Y_a$ span the directions that constraints leave which are solved by dividing by constants, $\ell = L|_Y$, and $N_{ab}$ is what their
# brackets have besides. The other constraints are rows on the $Y_a$. So the motion is that of $(u, \text{invariants})$ as soon as these functions are.


@final
@dataclass(frozen=True)
class Carried:
    """Fields with their speeds, and the constraints that are kept beside them.

    Attributes
    ----------
    span_ba
        The fields $Y_b$ in the frame of the system, a row each.
    speeds
        The symbols $u^b$.
    kept
        The constraints that are not solved.
    turned_ba, turned
        Where the model is another one seen from space: its directions in the frame of that, and its velocities in those of that.
    """

    model: Model
    span_ba: Matrix
    speeds: tuple[Symbol, ...]
    kept: tuple[Constraint, ...]
    turned_ba: Matrix | None = None
    turned: Mapping[Symbol, Expr] = field(default_factory=dict, compare=False)

    @cached_property
    def span_above(self) -> Matrix:
        """The fields in the frame of the system that was declared."""
        return self.above(self.span_ba)

    def above(self, rows: Matrix) -> Matrix:
        """Rows of components in the frame of the model, in that of the system that was declared."""
        if self.turned_ba is None:
            return rows
        columns = tuple(zip(*self.turned_ba, strict=True))
        return tuple(shortened_vector(matrix_vector(columns, row), self.model.frame.orbit) for row in rows)

    @cached_property
    def fields(self) -> tuple[dict[Symbol, Expr], ...]:
        """The fields on the coordinates."""
        return tuple(self.model.frame.direction(row) for row in self.span_ba)

    @cached_property
    def velocities(self) -> dict[Symbol, Expr]:
        r"""$w^a = u^bY_b{}^a$."""
        columns = zip(*self.span_ba, strict=True)
        return {w: dot(column, self.speeds) for w, column in zip(self.model.velocities, columns, strict=True)}

    @cached_property
    def _momenta(self) -> Vector:
        return gradient(self.model.lagrangian, self.model.velocities)

    @cached_property
    def _at_rest(self) -> dict[Symbol, Expr]:
        return dict.fromkeys(self.model.velocities, zero)

    @cached_property
    def _metric(self) -> Matrix:
        g = jacobian(self._momenta, self.model.velocities)
        if not free_symbols(e for row in g for e in row).isdisjoint(self.model.velocities):
            g = tuple(tuple(map(simplify, row)) for row in g)
        if not free_symbols(e for row in g for e in row).isdisjoint(self.model.velocities):
            raise NotSupportedError(
                f"{self.model.name}: its Lagrangian is not quadratic in the velocities, which the reduction by a group needs."
            )
        return g

    @cached_property
    def _linear(self) -> Vector:
        return tuple(p.xreplace(self._at_rest) for p in self._momenta)

    @cached_property
    def _lowered(self) -> Matrix:
        r"""$g(Y_b, \cdot)$, a row each."""
        return tuple(matrix_vector(self._metric, row) for row in self.span_ba)

    @cached_property
    def metric_ab(self) -> Matrix:
        r"""$G_{ab}$."""
        return tuple(tuple(dot(low, row) for row in self.span_ba) for low in self._lowered)

    @cached_property
    def linear_a(self) -> Vector:
        r"""$b_a$."""
        return tuple(dot(row, self._linear) for row in self.span_ba)

    @cached_property
    def potential(self) -> Expr:
        return -self.model.lagrangian.xreplace(self._at_rest)

    @cached_property
    def _own(self) -> tuple[int, ...]:
        """For each field, a direction that it alone contains, with the coefficient one; empty where some field has none."""
        found = []
        for b, row in enumerate(self.span_ba):
            others = [each for k, each in enumerate(self.span_ba) if k != b]
            own = (a for a, e in enumerate(row) if e == 1 and all(each[a] == 0 for each in others))
            found.append(next(own, None))
        return () if None in found else tuple(found)  # type: ignore[arg-type]

    @property
    def has_own_directions(self) -> bool:
        """Whether every speed is a velocity of the system."""
        return bool(self._own)

    def speeds_of(self, velocities: Mapping[Symbol, Expr]) -> Vector:
        """The speeds in what the velocities of the declared system (and, seen from space, its coordinates) are; refused where they are no velocities."""
        if not self._own:
            raise NotSupportedError(
                f"{self.model.name}: the speeds {', '.join(u.name for u in self.speeds)} are no velocities."
            )
        own = (self.model.velocities[k] for k in self._own)
        return tuple(self.turned[w].xreplace(dict(velocities)) if w in self.turned else velocities[w] for w in own)

    @cached_property
    def brackets(self) -> dict[tuple[int, int], tuple[Vector, Vector]]:
        r"""$K_{ab}$ and $N_{ab}$ for $a < b$; where the fields have no directions of their own, $K = 0$."""
        frame, found = self.model.frame, {}
        for a, b in combinations(range(len(self.span_ba)), 2):
            whole = bracket(frame, self.span_ba[a], self.span_ba[b], self.fields[a], self.fields[b])
            inside = tuple(whole[k] for k in self._own) or (zero,) * len(self.span_ba)
            columns = zip(*self.span_ba, strict=True)
            rest = (e - dot(column, inside) for e, column in zip(whole, columns, strict=True))
            found[a, b] = inside, tuple(zero if k in self._own else e for k, e in enumerate(rest))
        return found

    def outside(self, rest: Vector) -> tuple[Vector, Expr]:
        r"""$g(N, Y_d)$ for each field and $\beta(N)$."""
        return tuple(dot(rest, low) for low in self._lowered), dot(rest, self._linear)

    @cached_property
    def forces_a(self) -> Vector:
        on = self.velocities
        return tuple(dot(row, [Q.xreplace(on) for Q in self.model.forces_a]) for row in self.span_ba)

    @cached_property
    def rows(self) -> tuple[tuple[Vector, Expr], ...]:
        """The coefficients and offsets of the constraints that are kept, in the speeds."""
        return tuple((matrix_vector(self.span_ba, c.coefficients), c.offset) for c in self.kept)

    @cached_property
    def spread_a(self) -> Vector:
        r"""$\operatorname{div}Y_b = E_a(Y_b{}^a) - Y_b{}^ac_{ad}{}^d$ in the volume of the coframe of the system."""
        frame = self.model.frame
        modular = [symengine.Add(*(plane[d][d] for d in range(frame.size))) for plane in frame.structure_abd]
        rates = frame.fields
        return tuple(
            symengine.Add(*(along(e, each) for e, each in zip(row, rates, strict=True))) - dot(row, modular)
            for row in self.span_ba
        )

    def functions(self) -> Iterator[Expr]:
        """Everything that a symmetry must leave alone, as functions of the configuration and of speeds."""
        yield self.potential
        yield from self.linear_a
        yield from self.forces_a
        yield from (e for k, row in enumerate(self.metric_ab) for e in row[k:])
        for inside, rest in self.brackets.values():
            yield from inside
            if any(e != 0 for e in rest):
                lower, bent = self.outside(rest)
                yield from (*lower, bent)
        for coefficients, offset in self.rows:
            yield from (*coefficients, offset)


def carried_choices(model: Model, from_space: bool = True) -> Iterator[Carried]:
    """The directions of `_choices` in the frame of the system; and ``from_space`` along right-invariant fields, where the group's element drops out of it."""
    yield from _choices(model)
    if not from_space:
        return
    space, turned = seen_from_space(model)
    if space != model and model.frame.right_invariant is not None and keeps_volumes(model.frame):
        plain = {W: model.frame.in_coordinates(value) for W, value in turned.items()}
        B = model.frame.right_invariant()
        for found in _choices(space):
            yield replace(found, turned_ba=B, turned=plain)


def keeps_volumes(frame: Frame) -> bool:
    """Whether left-invariant volumes are right-invariant too."""
    return all(is_zero(symengine.Add(*(plane[d][d] for d in range(frame.size)))) for plane in frame.structure_abd)


def _choices(model: Model) -> Iterator[Carried]:
    """The directions of the constraints that can be solved by dividing by constants, fewest first; those of all constraints; the frame itself."""
    linear = [c for c in model.constraints if c.kind in (Kind.LINEAR, Kind.LINEAR | Kind.POSITION)]
    seen = set()
    for solved in (_without_pivots(model, linear), ()):
        if solved in seen:
            continue
        seen.add(solved)
        yield _carried(model, solved)


def _without_pivots(model: Model, linear: list[Constraint]) -> tuple[Constraint, ...]:
    """As many constraints as can be solved together without a division by what varies, early ones preferred."""
    if model.span_ba is not None and len(linear) == len(model.constraints):
        return tuple(linear)
    chosen: tuple[Constraint, ...] = ()
    for c in linear:
        if not adapted_frame(_with(model, (*chosen, c))).pivots:
            chosen = (*chosen, c)
    return chosen


def _with(model: Model, constraints: tuple[Constraint, ...]) -> Model:
    if constraints == model.constraints:
        return model
    return model.replaced(constraints=constraints, span_ba=None, speed_names=None, speed_values=None, one_sided=())


def _carried(model: Model, solved: tuple[Constraint, ...]) -> Carried:
    kept = tuple(c for c in model.constraints if c not in solved)
    if not solved:
        return Carried(model, identity(model.frame.size), model.velocities, kept)
    frame = adapted_frame(_with(model, solved))
    rows = tuple(inline(row, frame.definitions) for row in frame.span_ba)
    return Carried(model, rows, frame.speeds, kept)
