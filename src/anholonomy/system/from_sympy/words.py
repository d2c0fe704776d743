r"""The words of a declaration from a SymPy object: coordinates, Lagrangian, forces, constraints, parameters, speeds.

.. math:: Q_i = \sum F\cdot\frac{\partial v}{\partial\dot q^i} + \sum M\cdot\frac{\partial\omega}{\partial\dot q^i}
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import symengine

from anholonomy.language import to_text
from anholonomy.language.door import name_of
from anholonomy.refusals import IllPosedSystem, UnknownName
from anholonomy.symbolic.calculus import gradient
from anholonomy.symbolic.denominators import has_poles, without_denominators
from anholonomy.symbolic.expressions import Expr, Symbol, dot, free_symbols, symbol, time, zero
from anholonomy.system.from_sympy.energy import Bodies
from anholonomy.system.from_sympy.entrance import Entrance
from anholonomy.system.from_sympy.given import Given, read
from anholonomy.system.from_sympy.kinematics import Kinematics, solve_kinematics

__all__ = ["words_of"]


def words_of(thing: object, name: str, parameters: Mapping[Any, float | None]) -> tuple[dict[str, Any], dict[str, str]]:
    """What declares the system, and the independent speeds by name, as texts in velocities."""
    given = read(thing)
    q = [name_of(each, "a coordinate") for each in given.coordinates]
    u = [name_of(each, "a speed") for each in (*given.speeds, *given.auxiliary)]
    taken = {*q, *u, "t", *_symbols(given)}
    entrance = Entrance(frozenset({*q, *u}))

    def free(wanted: str) -> str:
        while wanted in taken:
            wanted += "_"
        taken.add(wanted)
        return wanted

    kinematics = _kinematics(given, entrance, free)
    entrance.speeds = kinematics.speeds | {symbol(name_of(a, "a speed")): zero for a in given.auxiliary}
    coordinates = tuple(map(symbol, (*q, *kinematics.added)))
    bodies = Bodies(entrance, given.frame, coordinates, free, _determined(kinematics, coordinates))
    if given.lagrangian is not None:
        lagrangian = entrance.expression(given.lagrangian, "the Lagrangian")
    else:
        lagrangian = symengine.Add(*(bodies.kinetic_energy(body) for body in given.bodies))
    forces = _forces(given, entrance, coordinates)
    constraints = _constraints(given, entrance, kinematics, bodies)
    words = {
        "name": name,
        "coordinates": [*(s.name for s in coordinates), *bodies.hidden],
        "lagrangian": lagrangian,
        "constraints": constraints,
        "forces": {s.name: force for s, force in zip(coordinates, forces, strict=True) if force != 0},
        # Kane's velocity constraints repeat the derivatives of those on positions.
        "redundant": "drop" if given.configuration and given.velocity else "refuse",
    }
    moving = {*coordinates, time, *map(symbol, bodies.hidden)}
    moving |= {symbol(f"{s.name}'") for s in moving if s != time}
    used = free_symbols([lagrangian, *forces, *constraints.values()]) - moving
    words["parameters"] = _parameters(name, {s.name for s in used}, parameters)
    independent = [symbol(name_of(each, "a speed")) for each in given.speeds if each not in given.dependent]
    speeds = {s.name: to_text(kinematics.definitions[s]) for s in independent if s in kinematics.definitions}
    return words, speeds | {s.name: s.name for s in independent if s.name.endswith("'")}


def _kinematics(given: Given, entrance: Entrance, free: Any) -> Kinematics:
    rows = [entrance.expression(row, "a kinematic differential equation") for row in given.kinematics]
    none = dict.fromkeys((symbol(name_of(a, "a speed")) for a in given.auxiliary), zero)
    names = [symbol(name_of(each, "a speed")) for each in given.speeds]
    # A speed that is the derivative of a coordinate needs no equation.
    unknown = [u for u in names if not u.name.endswith("'")]
    return solve_kinematics([row.xreplace(none) for row in rows], unknown, free)


def _forces(given: Given, entrance: Entrance, coordinates: tuple[Symbol, ...]) -> list[Expr]:
    from sympy.physics.mechanics import Point, ReferenceFrame

    velocities = [symbol(f"{s.name}'") for s in coordinates]
    total = [zero] * len(velocities)
    for place, vector in given.loads:
        what = f"the load on {place}"
        if isinstance(place, Point):
            moving = place.vel(given.frame)
        elif isinstance(place, ReferenceFrame):
            moving = place.ang_vel_in(given.frame)
        else:
            raise IllPosedSystem(f"{what} acts on a {type(place).__name__}; loads act on points and frames.")
        for velocity, force in entrance.paired(moving, vector, what):
            total = [Q + force * slope for Q, slope in zip(total, gradient(velocity, velocities), strict=True)]
    return total


def _constraints(given: Given, entrance: Entrance, kinematics: Kinematics, bodies: Bodies) -> dict[str, Expr]:
    rows: dict[str, Expr] = {}
    for k, row in enumerate(given.configuration, 1):
        rows[f"configuration {k}"] = entrance.expression(row, f"configuration constraint {k}")
    for k, row in enumerate(given.velocity, 1):
        rows[f"velocity {k}"] = entrance.expression(row, f"velocity constraint {k}")
    for k, row in enumerate(kinematics.constraints, 1):
        rows[f"kinematics {k}"] = _finite(row, bodies.coordinates)
    for coordinate, (_, value) in bodies.hidden.items():
        rows[f"velocity of {coordinate}"] = symbol(f"{coordinate}'") - value
    return rows


def _determined(kinematics: Kinematics, coordinates: tuple[Symbol, ...]) -> dict[str, Expr]:
    """Coordinates whose velocities stand in a kinematic constraint with a number before them, and what they equal."""
    used, found = free_symbols(kinematics.speeds.values()), {}
    for row in kinematics.constraints:
        for s in coordinates:
            velocity = symbol(f"{s.name}'")
            (slope,) = gradient(row, (velocity,))
            if velocity not in used and isinstance(slope, symengine.Number) and slope != 0:
                found[s.name] = velocity - row / slope
    return found


def _finite(row: Expr, coordinates: tuple[Symbol, ...]) -> Expr:
    """The constraint times the denominators of its coefficients."""
    velocities = [symbol(f"{s.name}'") for s in coordinates]
    entries = (*gradient(row, velocities), row.xreplace(dict.fromkeys(velocities, zero)))
    *slopes, offset = without_denominators(entries) if has_poles(row, set(coordinates)) else entries
    return dot(slopes, velocities) + offset


def _symbols(given: Given) -> set[str]:
    """Names that occur anywhere and that a new coordinate must not have."""
    things = [given.lagrangian, *given.kinematics, *given.configuration, *given.velocity]
    things += [part for _, vector in given.loads if vector != 0 for part, _ in vector.args]
    things += [body.mass for body in given.bodies]
    return {s.name for thing in things for s in getattr(thing, "free_symbols", ())}


def _parameters(name: str, used: set[str], given: Mapping[Any, float | None]) -> dict[str, float | None]:
    values = {name_of(key, f"{name}: a parameter"): value for key, value in given.items()}
    if unknown := sorted(set(values) - used):
        raise UnknownName(
            f"{name}: there is no parameter {unknown[0]!r}; those that occur are {', '.join(sorted(used)) or 'none'}."
        )
    return {p: values.get(p) for p in sorted(used)}
