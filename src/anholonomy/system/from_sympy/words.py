"""The words of a declaration from a SymPy object: coordinates, Lagrangian, forces, constraints, parameters, speeds."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from time import perf_counter
from typing import Any

import symengine

from anholonomy.language import to_text
from anholonomy.refusals import UnknownName
from anholonomy.symbolic.calculus import gradient
from anholonomy.symbolic.expressions import Expr, Symbol, dot, free_symbols, symbol, time, zero
from anholonomy.symbolic.normal_forms.denominators import has_poles, without_denominators
from anholonomy.system.declaration.twins import warn_of_twins
from anholonomy.system.from_sympy.contradictions.claims import Claim, claims_of
from anholonomy.system.from_sympy.contradictions.silent_losses import (
    potential_energy,
    warn_of_potentials,
    warn_of_substitution,
)
from anholonomy.system.from_sympy.energy import Bodies
from anholonomy.system.from_sympy.entrance import Entrance
from anholonomy.system.from_sympy.forces import applied_forces
from anholonomy.system.from_sympy.given import Given, read
from anholonomy.system.from_sympy.inputs import laws_of
from anholonomy.system.from_sympy.kinematics import Kinematics, solve_kinematics
from anholonomy.system.from_sympy.mentioned import mentioned
from anholonomy.system.from_sympy.names import called, refuse_clashes

__all__ = ["words_of"]


def words_of(
    thing: object,
    name: str,
    parameters: Mapping[Any, float | None],
    inputs: Mapping[Any, Any] | None = None,
    patience: float = math.inf,
) -> tuple[dict[str, Any], dict[str, str], list[Claim]]:
    """What declares the system, the independent speeds by name as texts in velocities, and what was said twice."""
    given = read(thing)
    q = [called(each, "a coordinate") for each in given.coordinates]
    u = [called(each, "a speed") for each in (*given.speeds, *given.auxiliary)]
    entrance = Entrance(frozenset(q), frozenset(u), given.frame, perf_counter() + patience)
    atoms = mentioned(given, entrance)
    refuse_clashes(name, atoms)
    warn_of_twins(name, atoms)
    taken = {*q, *u, "t", *(called(atom, "a symbol") for atom in atoms)}

    def free(wanted: str) -> str:
        while wanted in taken:
            wanted += "_"
        taken.add(wanted)
        return wanted

    still = dict.fromkeys((symbol(called(a, "a speed")) for a in given.auxiliary), zero)
    kinematics = _kinematics(given, entrance, still, free)
    definitions = kinematics.definitions | still
    coordinates = tuple(map(symbol, (*q, *kinematics.added)))
    surface = tuple(
        entrance.expression(row, f"configuration constraint {k}") for k, row in enumerate(given.configuration, 1)
    )
    bodies = Bodies(entrance, coordinates, free, kinematics.reduced | still, _known(kinematics, coordinates), surface)
    lagrangian = _lagrangian(name, given, bodies)
    forces, potential = applied_forces(given.loads, bodies, definitions)
    laws = laws_of(name, {} if inputs is None else inputs, entrance, definitions)
    forces = {along: force.xreplace(laws) for along, force in forces.items()}
    lagrangian -= potential
    constraints = _constraints(given, kinematics, bodies, definitions)
    words = {
        "name": name,
        "coordinates": [*(s.name for s in coordinates), *bodies.hidden],
        "lagrangian": lagrangian,
        "constraints": constraints,
        "forces": forces,
        # Kane's velocity constraints repeat the derivatives of those on positions, and so may his kinematics.
        "redundant": "drop" if given.configuration and (given.velocity or kinematics.constraints) else "refuse",
    }
    moving = {*coordinates, time, *map(symbol, bodies.hidden)}
    moving |= {symbol(f"{s.name}'") for s in moving if s != time}
    used = free_symbols([lagrangian, *forces.values(), *constraints.values()]) - moving
    words["parameters"] = _parameters(name, {s.name for s in used}, parameters, given.values)
    independent = [symbol(called(each, "a speed")) for each in given.speeds if each not in given.dependent]
    speeds = {s.name: to_text(kinematics.definitions[s]) for s in independent if s in kinematics.definitions}
    speeds |= {s.name: s.name for s in independent if s.name.endswith("'")}
    return words, speeds, claims_of(given, entrance, definitions)


def _kinematics(
    given: Given, entrance: Entrance, still: Mapping[Symbol, Expr], free: Callable[[str], str]
) -> Kinematics:
    rows = [entrance.expression(row, "a kinematic differential equation") for row in given.kinematics]
    names = [symbol(called(each, "a speed")) for each in given.speeds]
    # A speed that is the derivative of a coordinate needs no equation.
    unknown = [u for u in names if not u.name.endswith("'")]
    moving = {time, *map(symbol, entrance.coordinates)}
    return solve_kinematics([row.xreplace(still) for row in rows], unknown, moving, free)


def _lagrangian(name: str, given: Given, bodies: Bodies) -> Expr:
    """$L$ as given, or $T$ of the bodies, or $T - V$ where their potential energies count."""
    if given.lagrangian is not None:
        warn_of_substitution(name, given.bodies, bodies)
        return bodies.entrance.expression(given.lagrangian, "the Lagrangian")
    warn_of_potentials(name, given)
    kinetic = (bodies.kinetic_energy(body) for body in given.bodies)
    potential = (potential_energy(body, bodies.entrance) for body in given.bodies) if given.potentials else ()
    return symengine.Add(*kinetic) - symengine.Add(*potential)


def _known(kinematics: Kinematics, coordinates: tuple[Symbol, ...]) -> dict[str, Expr]:
    """Coordinates whose velocities stand in a kinematic constraint, and what those are where it holds."""
    standing = free_symbols(kinematics.constraints)
    velocities = {s.name: symbol(f"{s.name}'") for s in coordinates}
    return {name: kinematics.reduced.get(v, v) for name, v in velocities.items() if v in standing}


def _constraints(
    given: Given, kinematics: Kinematics, bodies: Bodies, definitions: Mapping[Symbol, Expr]
) -> dict[str, Expr]:
    rows: dict[str, Expr] = {}
    for k, row in enumerate(bodies.surface, 1):
        rows[f"configuration {k}"] = row
    for k, row in enumerate(given.velocity, 1):
        raw = bodies.entrance.expression(row, f"velocity constraint {k}")
        rows[f"velocity {k}"] = _regular(raw, bodies.coordinates, definitions)
    for k, row in enumerate(kinematics.constraints, 1):
        rows[f"kinematics {k}"] = _finite(row, bodies.coordinates)
    for coordinate, (_, raw) in bodies.hidden.items():
        velocity = symbol(f"{coordinate}'")
        rows[f"velocity of {coordinate}"] = _regular(velocity - raw, bodies.coordinates, definitions, velocity)
    return rows


def _regular(raw: Expr, coordinates: tuple[Symbol, ...], definitions: Mapping[Symbol, Expr], *more: Symbol) -> Expr:
    """The constraint in velocities; poles that come from the definitions of the speeds are multiplied away."""
    row = raw.xreplace(definitions)
    brought = has_poles(row, set(coordinates)) and not has_poles(raw, set(coordinates))
    return _finite(row, coordinates, *more) if brought else row


def _finite(row: Expr, coordinates: tuple[Symbol, ...], *more: Symbol) -> Expr:
    """The constraint times the denominators of its coefficients."""
    velocities = [*(symbol(f"{s.name}'") for s in coordinates), *more]
    entries = (*gradient(row, velocities), row.xreplace(dict.fromkeys(velocities, zero)))
    *slopes, offset = without_denominators(entries) if has_poles(row, set(coordinates)) else entries
    return dot(slopes, velocities) + offset


def _parameters(
    name: str, used: set[str], given: Mapping[Any, float | None], known: Mapping[Any, float]
) -> dict[str, float | None]:
    own = {called(key, "a constant"): value for key, value in known.items()}
    values = {called(key, f"{name}: a parameter"): value for key, value in given.items()}
    if unknown := sorted(set(values) - used):
        raise UnknownName(
            f"{name}: there is no parameter {unknown[0]!r}; those that occur are {', '.join(sorted(used)) or 'none'}."
        )
    return {p: values.get(p, own.get(p)) for p in sorted(used)}
