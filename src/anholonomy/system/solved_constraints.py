r"""Position constraints solved for coordinates: the same system on its declared level, in the coordinates that are left.

.. math:: g(q, t) = 0 \iff q^k = f^k(r, t), \qquad \dot q^k = e_a(f^k)\,w^a + \partial_tf^k, \qquad \tilde Q_a = Q_a + e_a(f^k)\,Q_k

Equations of motion know $g = 0$ by its rate, $\dot g = 0$, and so all levels $g = c$ at once. In the coordinates $r$ there is no other level than
the declared one, and what is asked of a system is asked there. Motions are the same, vakonomic ones too: the variational derivative of $\dot g$
vanishes, so that its multiplier does what a multiplier of $g$ does.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product
from typing import Any, final

import symengine

from anholonomy.algebra.calculus import partial, total_derivative
from anholonomy.algebra.expressions import Expr, Symbol, Vector, dot, free_symbols, nodes_of, symbol, time, zero
from anholonomy.algebra.redundant_coordinates import Orbit
from anholonomy.algebra.simplification.simplify import PAGE, readable, simplify
from anholonomy.algebra.zero_test import is_zero
from anholonomy.base.caching import cached_property
from anholonomy.base.deadlines import check
from anholonomy.base.errors import Error, TimeLimitError
from anholonomy.language.writing import to_text
from anholonomy.system.checks.redundant_constraints import with_redundant_rows, without_redundant
from anholonomy.system.checks.well_posed import check_model
from anholonomy.system.constraints import Constraint, Kind, classify
from anholonomy.system.declaration.configuration import Configuration, configuration
from anholonomy.system.model import Model

__all__ = [
    "Solved",
    "on_its_level",
    "positions_of",
    "roots_and_rest",
    "roots_of",
    "solved_divided_positions",
    "solved_positions",
]


@lru_cache(maxsize=64)
def solved_positions(model: Model) -> Solved | None:
    """The system on its declared level; None where there is nothing to solve, or a constraint is solved for no coordinate.

    >>> from anholonomy.system.declaration.declare import declare
    >>> bead = declare(coordinates=["x", "y", "z"], lagrangian="(x'^2 + y'^2 + z'^2)/2 - g*z", constraints=["2*z = x^2 + y^2"], parameters=["g"])
    >>> solved = solved_positions(bead)
    >>> {z.name: value.expand() for z, value in solved.values.items()}, solved.model.coordinates, len(solved.model.constraints)
    ({'z': (1/2)*x**2 + (1/2)*y**2}, (x, y), 0)
    """
    if not positions_of(model) or Kind.ACCELERATION in model.kinds:
        return None
    found = roots_of(model, _own(model))
    return _solved(model, found) if found else None


@lru_cache(maxsize=64)
def solved_divided_positions(model: Model) -> Solved | None:
    r"""The same where positions are divided, as $\varphi/|\nabla\varphi|$ is."""
    found, left = roots_and_rest(model, _own(model))
    return None if left or not found or Kind.ACCELERATION in model.kinds else _solved(model, found)


def _own(model: Model) -> list[Symbol]:
    """The coordinates for which positions may be solved."""
    return [q for q in model.coordinates if q.name in model.own_coordinates and _is_plain(model, q)]


def _solved(model: Model, found: Mapping[Symbol, Root]) -> Solved | None:
    values = {q: root.value for q, root in found.items()}
    calls = free_symbols(arg for call in model.functions for arg in call.args)
    place = None if calls & set(values) else _left_over(model, values)
    if place is None:
        return None
    try:
        there = _on_level(model, values, place)
    except TimeLimitError:
        raise
    except Error:  # dependent on the level, or nothing that moves
        return None
    inside = tuple(root.radicand for root in found.values() if root.radicand is not None)
    return Solved(model, there, values, tuple(_branches(found)), inside)


def on_its_level(model: Model) -> Model:
    """The system where its constraints on positions are solved; itself where there are none, or one is not."""
    solved = solved_positions(model)
    return model if solved is None else solved.model


@final
@dataclass(frozen=True)
class Solved:
    """A system on its declared level.

    Attributes
    ----------
    declared, model
        The system as it was declared, and the same without its constraints on positions and the coordinates that these give.
    values
        Those coordinates as functions of the others, and of time.
    branches
        Where that is so, in words; empty for the whole level.
    radicands
        What must be positive for the roots among the values.
    """

    declared: Model
    model: Model
    values: Mapping[Symbol, Expr]
    branches: tuple[str, ...] = ()
    radicands: Vector = ()

    @cached_property
    def substitution(self) -> dict[Symbol, Expr]:
        """Coordinates and velocities that are given by the others, in these."""
        return {**self.values, **_rates(self.declared, self.values, self.model)}

    @cached_property
    def roots(self) -> dict[Expr, Expr]:
        r"""What the roots are in the declared coordinates, by what they are roots of: $\sqrt D = (q - A)/B$ where $q = A + B\sqrt D$, on the other branch too."""
        found: dict[Expr, Expr] = {}
        for q, f in self.values.items():
            for D in self.radicands:
                root, mark = symengine.sqrt(D), symbol("_root")
                slope = partial(f.xreplace({root: mark}), mark)
                if slope != 0 and mark not in slope.free_symbols:
                    found[root] = (q - f.xreplace({root: zero})) / slope
        for _ in found:  # one root may stand inside another
            found = {root: e.xreplace(found) for root, e in found.items()}
        return {symengine.expand(root**2): e for root, e in found.items()}

    def others(self) -> Iterator[Solved]:
        """The same on the other branches of the roots."""
        place = _left_over(self.declared, self.values)
        for signs in product((1, -1), repeat=len(self.radicands)):
            if place is None or all(sign > 0 for sign in signs):
                continue
            values = {q: _on_branch(f, self.radicands, signs) for q, f in self.values.items()}
            yield replace(self, model=_on_level(self.declared, values, place), values=values, branches=())

    @property
    def moves(self) -> bool:
        """Whether the level does, with time."""
        return any(time in f.free_symbols for f in self.values.values())

    def here(self, expression: Expr) -> Expr:
        """A function of the declared state as one on the level."""
        return expression.xreplace(self.substitution)

    def pushed(self, field: Mapping[str, Expr], moving: bool = False) -> dict[str, Expr]:
        """A field on the level as one by the directions of the declared system; ``moving`` adds what time does."""
        own = [field.get(name, zero) for name in self.model.directions]
        rates = dict.fromkeys(self.model.coordinates, zero) | self.model.frame.direction(own)
        names = dict(zip(self.declared.velocities, self.declared.directions, strict=True))
        across = {
            names[_velocity(self.declared, q)]: dot([partial(f, r) for r in rates], list(rates.values()))
            + (partial(f, time) if moving else zero)
            for q, f in self.values.items()
        }
        whole = {**field, **across}
        return {name: whole[name] for name in self.declared.directions if whole.get(name, zero) != 0}


def positions_of(model: Model) -> Vector:
    """What was declared to vanish as a function of the positions; relations of a group do so by themselves."""
    rows = (*model.constraints, *model.implied, *model.spare_constraints)
    moving = (c for c in rows if c.position is not None and any(e != 0 for e in c.coefficients))
    return tuple(dict.fromkeys(c.position for c in moving if c.position is not None))


# Coordinates as functions of the others.


@final
@dataclass(frozen=True)
class Root:
    """A coordinate as a function of the others, with what it divides by and what it is a root of; both empty for a whole level."""

    value: Expr
    divisor: Expr | None = None
    radicand: Expr | None = None

    @property
    def rank(self) -> int:
        """Whole levels first, then what has a pole, then one of two branches."""
        return 2 if self.radicand is not None else 0 if self.divisor is None else 1


def roots_of(model: Model, own: Collection[Symbol]) -> dict[Symbol, Root] | None:
    """Some of the coordinates in the others where all positions vanish, the simplest first; None where one is not solved."""
    found, left = _roots_and_rest(model, own, list(positions_of(model)))
    return None if left else found


def roots_and_rest(model: Model, own: Collection[Symbol]) -> tuple[dict[Symbol, Root], list[Expr]]:
    r"""The same as far as positions are solved, also where they are divided as $\varphi/|\nabla\varphi|$ is, and what must vanish besides."""
    return _roots_and_rest(model, own, [_without_divisors(g) for g in positions_of(model)])


def _without_divisors(g: Expr) -> Expr:
    """A product without its divisors: wherever it is finite, both vanish together."""
    factors = g.args if isinstance(g, symengine.Mul) else (g,)
    return symengine.Mul(*(e for e in factors if not _is_divisor(e)))


def _is_divisor(e: Expr) -> bool:
    return isinstance(e, symengine.Pow) and isinstance(e.args[1], symengine.Rational) and bool(e.args[1] < 0)


def _roots_and_rest(
    model: Model, own: Collection[Symbol], positions: list[Expr]
) -> tuple[dict[Symbol, Root], list[Expr]]:
    on, moving = model.frame_at_values.orbit, {*model.coordinates, time}
    found: dict[Symbol, Root] = {}
    left = positions
    while left := [g for g in left if not is_zero(g, on)]:
        roots = [(root_of(g, q, moving, on), q) for g in left for q in own if q in g.free_symbols]
        best = min(((r.rank, -k) for k, (r, _) in enumerate(roots) if r is not None), default=None)
        if best is None:
            break
        root, q = roots[-best[1]]
        assert root is not None
        put = {q: root.value}
        found = {s: _put(r, put) for s, r in found.items()} | {q: root}
        left = [symengine.expand(g.xreplace(put)) for g in left]
    return found, left


def root_of(phi: Expr, q: Symbol, moving: Collection[Symbol], on: Orbit | None) -> Root | None:
    r"""A solution of $c_2q^2 + c_1q + c_0 = 0$ for $q$; None where the degree is another. What depends on nothing ``moving`` is no pole."""
    check()
    first = symengine.expand(partial(phi, q))
    second = symengine.expand(partial(first, q))
    if q in second.free_symbols or (q in first.free_symbols and second == 0):
        return None
    c2, c1, c0 = second / 2, first.xreplace({q: zero}), phi.xreplace({q: zero})
    if any(is_zero(c, on) and not is_zero(c) for c in (c2, c1)):
        return None  # for the declared values of parameters alone, and these may be freed
    if is_zero(c2):
        if is_zero(c1):
            return None
        below = _without_divisors(c1)
        pole = None if below.free_symbols.isdisjoint(moving) else below
        return Root(symengine.expand(-c0 / c1) if c1.free_symbols.isdisjoint(moving) else simplify(-c0 / c1), pole)
    pole = None if c2.free_symbols.isdisjoint(moving) else c2
    if is_zero(c1):
        inside = symengine.expand(-c0 / c2)
        return Root(symengine.sqrt(inside), pole, inside)
    if pole is None:
        half = symengine.expand(c1 / (2 * c2))
        inside = symengine.expand(half**2 - c0 / c2)
        return Root(symengine.sqrt(inside) - half, None, inside)
    inside = symengine.expand(c1**2 - 4 * c0 * c2)
    return Root((symengine.sqrt(inside) - c1) / (2 * c2), pole, inside)


def _put(root: Root, values: Mapping[Symbol, Expr]) -> Root:
    put = dict(values)
    return Root(*(None if e is None else e.xreplace(put) for e in (root.value, root.divisor, root.radicand)))


def _on_branch(f: Expr, radicands: Vector, signs: Sequence[int]) -> Expr:
    """A function with other signs before its roots."""
    kept = {each: sign for each, sign in zip(radicands, signs, strict=True) if sign < 0}
    odd = [n for n in nodes_of(f, symengine.Pow) if n.args[0] in kept and not isinstance(n.args[1], symengine.Integer)]
    return f.xreplace({n: -n for n in odd})


def _branches(found: Mapping[Symbol, Root]) -> Iterator[str]:
    """The conditions under which a solution is one, and the only one."""
    for q, root in found.items():
        if root.radicand is not None:
            yield f"{q.name} = {to_text(root.value)}"
        elif root.divisor is not None:
            yield f"{to_text(root.divisor)} is not zero"


# The system in the coordinates that are left.


def _is_plain(model: Model, q: Symbol) -> bool:
    """Whether a coordinate has a direction of its own in the frame."""
    k = model.coordinates.index(q)
    along = [row for row in model.frame.anchor_ai if row[k] != 0]
    return len(along) == 1 and all(e == (1 if i == k else 0) for i, e in enumerate(along[0]))


def _left_over(model: Model, values: Mapping[Symbol, Expr]) -> Configuration | None:
    """Where the system lives without the coordinates; None where its frame is not that of a declaration."""
    own = model.own_coordinates
    kept = {name: kind for name, kind in own.items() if name not in {q.name for q in values}}
    if not kept and model.group is None:
        return None
    if configuration(model.name, own, model.group).frame != model.frame:
        return None
    return configuration(model.name, kept, model.group)


def _velocity(model: Model, q: Symbol) -> Symbol:
    """The velocity that is the rate of a coordinate and of no other."""
    return next(
        w
        for w, row in zip(model.velocities, model.frame.anchor_ai, strict=True)
        if row[model.coordinates.index(q)] == 1
    )


def _rates(model: Model, values: Mapping[Symbol, Expr], there: Any) -> dict[Symbol, Expr]:
    """The velocities of the coordinates that are given."""
    flow = there.frame.coordinate_rates(there.velocities)
    return {_velocity(model, q): total_derivative(f, flow) for q, f in values.items()}


def _on_level(model: Model, values: Mapping[Symbol, Expr], place: Configuration) -> Model:
    put = {**values, **_rates(model, values, place)}
    kept = [a for a, w in enumerate(model.velocities) if w in place.velocities]
    gone = {model.velocities.index(_velocity(model, q)): f for q, f in values.items()}
    names = {s.name for s in put}

    def across(a: int, f: Expr) -> Expr:
        r"""$e_a(f)$"""
        return dot(model.frame.anchor_ai[a], [partial(f, q) for q in model.coordinates])

    def pulled(entries: Vector) -> Vector:
        own = [e.xreplace(put) for e in entries]
        return tuple(_tidy(own[a] + dot([across(a, f) for f in gone.values()], [own[k] for k in gone])) for a in kept)

    forces = pulled(model.forces_a)
    if model.momenta_a is not None:
        bends = _bends(model, gone, kept, place, across)
        p = [model.momenta_a[k].xreplace(put) for k in gone]
        forces = tuple(F + dot(row, p) for F, row in zip(forces, bends, strict=True))
    changed = model.replaced(
        coordinate_kinds=place.kinds,
        frame=place.frame,
        velocities=place.velocities,
        lagrangian=_tidy(model.lagrangian.xreplace(put)),
        constraints=tuple(_rows(model, put, place)),
        implied=(),
        redundant_rows=(),
        forces_a=forces,
        momenta_a=None if model.momenta_a is None else pulled(model.momenta_a),
        span_ba=model.span_ba and tuple(tuple(row[a].xreplace(put) for a in kept) for row in model.span_ba),
        speed_values=model.speed_values and tuple(e.xreplace(put) for e in model.speed_values),
        invariants=place.invariants,
        one_sided=(),
        scene=(),
        start_items=tuple((name, value) for name, value in model.start_items if name not in names),
        units=tuple((name, unit) for name, unit in model.units if name not in names),
    )
    changed = with_redundant_rows(changed) if model.keeps_redundant else without_redundant(changed)
    check_model(changed)
    return changed


def _tidy(e: Expr) -> Expr:
    """The shortest writing, where it is not long: terms of what vanishes on the level cancel when they are expanded."""
    if symengine.count_ops(e) > PAGE:
        return e
    return min(readable(e), readable(symengine.expand(e)), key=symengine.count_ops)


def _rows(model: Model, put: Mapping[Symbol, Expr], place: Configuration) -> Iterator[Constraint]:
    """The constraints on velocities on the level; one that says nothing there followed from those on positions."""
    on = place.frame.where(model.values).orbit if model.values else place.frame.orbit
    for c in model.constraints:
        if c.position is None and not is_zero(there := _tidy(c.declared.xreplace(dict(put))), on):
            yield classify(c.label, there, place.frame, place.velocities)


def _bends(
    model: Model, gone: Mapping[int, Expr], kept: Sequence[int], place: Configuration, across: Any
) -> list[list[Expr]]:
    r"""$\frac{d}{dt}e_a(f)$: of momenta $\Pi_a + e_a(f)\Pi_k$ the rate has more than the forces."""
    flow = place.frame.coordinate_rates(place.velocities)
    return [[total_derivative(across(a, f), flow) for f in gone.values()] for a in kept]
