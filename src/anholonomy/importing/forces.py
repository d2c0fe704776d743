r"""Generalized forces of loads on points and frames, and the potential of those that have one.

.. math:: Q_i = \sum F\cdot\frac{\partial v}{\partial\dot q^i} + \sum M\cdot\frac{\partial\omega}{\partial\dot q^i}, \qquad
   \partial_i Q_j = \partial_j Q_i \quad\Longrightarrow\quad Q_i = -\partial_i V

The velocity $v$ of the point is the derivative of its position, with coordinates that were put back where it needs them:
the same that the kinetic energy has, so that what is left of $m a$ beside $Q$ is the reaction. Gravity and springs belong to the
Lagrangian, so that the energy counts them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import symengine

from anholonomy.algebra.calculus import gradient
from anholonomy.algebra.expressions import Expr, Symbol, Vector, free_symbols, symbol, time, zero
from anholonomy.base.errors import DeclarationError
from anholonomy.geometry.potentials import is_closed, potential
from anholonomy.importing.energy import Bodies
from anholonomy.importing.translation import Entrance

__all__ = ["applied_forces", "motion_of"]

_LONG = 3000
"""Operations beyond which proofs about a load take longer than its energy is worth."""
_ONE = symengine.Integer(1)


def applied_forces(
    loads: tuple[tuple[Any, Any], ...], bodies: Bodies, definitions: Mapping[Symbol, Expr]
) -> tuple[dict[str, Expr], Expr]:
    """The force along each coordinate, zeros left out, and the potential of those loads that have one.

    ``definitions`` says what the generalized speeds are.
    """
    names = [*(s.name for s in bodies.coordinates), *bodies.hidden]
    velocities = [symbol(f"{name}'") for name in names]
    resting, total = [], (zero,) * len(names)
    for place, vector in loads:
        at_rest = (zero,) * len(names)
        pairs = _pairs(place, vector, bodies)
        changing = {*velocities, time, *map(symbol, bodies.entrance.inputs)}
        for velocity, force in pairs:
            slopes = gradient(velocity.xreplace(definitions), velocities)
            still, other = _split(force.xreplace(definitions), changing)
            at_rest, total = _plus(at_rest, still, slopes), _plus(total, other, slopes)
        resting.append(at_rest)
    potential, left = conservative([symbol(name) for name in names], resting)
    for piece in left:
        total = _plus(total, _ONE, piece)
    return {name: Q for name, Q in zip(names, total, strict=True) if Q != 0}, potential


def _plus(total: Vector, factor: Expr, entries: Sequence[Expr]) -> Vector:
    return tuple(a + factor * b for a, b in zip(total, entries, strict=True))


def _split(force: Expr, changing: set[Symbol]) -> tuple[Expr, Expr]:
    """The terms that depend on positions alone, and the others: a spring and its damper."""
    terms = force.args if force.is_Add else (force,)
    still = symengine.Add(*(term for term in terms if not term.free_symbols & changing))
    return still, symengine.Add(*(term for term in terms if term.free_symbols & changing))


def motion_of(place: Any, entrance: Entrance) -> Any:
    """SymPy's velocity of a point or angular velocity of a frame."""
    from sympy.physics.mechanics import Point, ReferenceFrame

    what = f"the load on {place}"
    if isinstance(place, Point):
        return entrance.velocity(place, what)
    if isinstance(place, ReferenceFrame):
        return entrance.turning(place, what)
    raise DeclarationError(f"{what} acts on a {type(place).__name__}; loads act on points and frames.")


def _pairs(place: Any, vector: Any, bodies: Bodies) -> list[tuple[Expr, Expr]]:
    """Components of the motion of the place, and of the load along them."""
    from sympy.physics.mechanics import ReferenceFrame

    entrance, what = bodies.entrance, f"the load on {place}"
    motion = motion_of(place, entrance)
    if isinstance(place, ReferenceFrame) or not (bodies.known or bodies.hidden):
        pairs = entrance.paired(motion, vector, what)
        return [(raw if (rate := bodies.rate(raw)) is None else rate, force) for raw, force in pairs]
    forces = entrance.components(vector, entrance.frame, what, load=True)
    values = entrance.components(motion, entrance.frame, what)
    pairs = []
    for axis, (raw, force) in enumerate(zip(values, forces, strict=True)):
        if force != 0:
            value = bodies.component(raw, axis, what)
            pairs.append((raw if value is None else value, force))
    return pairs


def conservative(coordinates: Sequence[Symbol], loads: Sequence[Vector]) -> tuple[Expr, list[Vector]]:
    """The potential energy of loads, and the loads that have none.

    Each load is asked by itself; then, of those without a potential, neighbours, since a spring pulls at both its ends; then
    the rest together. What is found is proven by differentiation, and what is not found stays a force.
    """
    total, left = zero, [load for load in loads if any(Q != 0 for Q in load)]
    for size in (1, 2, len(left)):
        place = 0
        while size and place + size <= len(left):
            found = _potential(coordinates, left[place : place + size])
            if found is None:
                place += 1
            else:
                total, left = total + found, left[:place] + left[place + size :]
    return total, left


def _potential(coordinates: Sequence[Symbol], loads: Sequence[Vector]) -> Expr | None:
    r"""$V$ of the sum of some loads, where it is found."""
    form = {q: -symengine.Add(*entries) for q, *entries in zip(coordinates, *loads, strict=True)}
    if int(symengine.count_ops(*form.values())) > _LONG:
        return None
    used = [q for q in coordinates if form[q] != 0 or q in free_symbols(form.values())]
    rows = [form[q] for q in used]
    return potential(used, rows) if is_closed(used, rows) else None
