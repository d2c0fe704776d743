"""Import a model of SymPy's mechanics as a system with the user's speeds, or audit it.

The words of a declaration are made from what a SymPy object says: coordinates, Lagrangian or bodies, forces, constraints,
parameters. Functions of time that only loads have, such as the torque of a motor, are inputs.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from time import perf_counter
from typing import Any, NamedTuple, final

import symengine

from anholonomy.algebra.calculus import gradient
from anholonomy.algebra.expressions import Expr, Symbol, dot, free_symbols, symbol, time, zero
from anholonomy.algebra.poles import has_poles, without_denominators
from anholonomy.base.errors import DeclarationError, Error, UnknownNameError, quoted
from anholonomy.base.notebook import Shown, framed, table
from anholonomy.equations.verification import Verification
from anholonomy.importing.contradictions import (
    Claim,
    claims_of,
    potential_energy,
    warn_of_contradictions,
    warn_of_potentials,
    warn_of_substitution,
)
from anholonomy.importing.energy import Bodies, centre_of
from anholonomy.importing.forces import applied_forces, motion_of
from anholonomy.importing.kinematics import Kinematics, solve_kinematics
from anholonomy.importing.model_data import Given, read
from anholonomy.importing.translation import Entrance, called, parts, refuse_clashes
from anholonomy.language import to_text
from anholonomy.language.arguments import expect_mapping
from anholonomy.public.system import System
from anholonomy.system.warnings import SubstitutedConstraintWarning, atoms_of, warn_of_twins

__all__ = ["Audit", "ImportedModel", "audit", "from_sympy"]


@final
class ImportedModel(NamedTuple):
    """A system from SymPy, and its generalized speeds as definitions for ``system.derive(…, speeds=speeds)``."""

    system: System
    speeds: dict[str, str]

    def _repr_html_(self) -> str:
        return framed(self.system._repr_html_(), table(self.speeds.items()))


def from_sympy(
    thing: object,
    *,
    name: str,
    parameters: Mapping[Any, float | None] | None = None,
    inputs: Mapping[Any, Any] | None = None,
    patience: float = 120.0,
) -> ImportedModel:
    """The system of a ``KanesMethod``, ``LagrangesMethod`` or ``System`` of ``sympy.physics.mechanics``.

    Free symbols become parameters, without a value unless one is given; so do functions of time that occur in loads
    only, unless ``inputs`` says what they are: ``{"F": "A*sin(t) - k*q"}``, in time, state and parameters. Coordinates that
    Kane's method can do without are put back, because a Lagrangian cannot. Reading the bodies is given up after ``patience``
    seconds.

    >>> from sympy import Symbol
    >>> from sympy.physics.mechanics import *
    >>> q, u = dynamicsymbols("q u")
    >>> N, P = ReferenceFrame("N"), Point("P")
    >>> P.set_vel(N, u * N.x)
    >>> kane = KanesMethod(N, [q], [u], [q.diff() - u], bodies=[Particle("ball", P, Symbol("m"))],
    ...                    forcelist=[(P, -Symbol("k") * q * N.x)])
    >>> system, speeds = from_sympy(kane, name="spring", parameters={"m": 2.0})
    >>> print(system.derive("hamel"))
    spring: equations of motion by hamel
      m*q'' = -k*q
    >>> speeds
    {'u': "q'"}
    """
    if parameters is not None and not isinstance(parameters, Mapping):
        raise DeclarationError(
            f"{name}: `parameters` is {quoted(parameters)}; give a dict of values such as {{'m': 1.0}}."
        )
    if isinstance(patience, bool) or not isinstance(patience, int | float) or not patience > 0:
        raise DeclarationError(f"{name}: patience={quoted(patience)} is no time to wait; give a number of seconds.")
    words, speeds, claims = _words_of(thing, name, {} if parameters is None else parameters, inputs, patience)
    with warnings.catch_warnings():
        if speeds:  # then the energy is that of bodies, and nothing was put into it
            warnings.simplefilter("ignore", SubstitutedConstraintWarning)
        system = System(**words)
    warn_of_contradictions(system.model, claims)
    return ImportedModel(system, speeds)


@final
@dataclass(frozen=True)
class Audit(Shown):
    """What is wrong with a model of SymPy's; true where nothing is.

    Attributes
    ----------
    name
        What the model is called.
    imported
        The system with its speeds; None where the model was refused.
    contradictions
        Sentences: why the model was refused, what it says twice and differently, what it may have meant otherwise.
    verification
        How the principles compare on what was imported.
    """

    name: str
    imported: ImportedModel | None
    contradictions: tuple[str, ...]
    verification: Verification | None

    def __bool__(self) -> bool:
        return not self.contradictions and self.verification is not None and self.verification.agree

    def __str__(self) -> str:
        found = [f"  - {sentence}" for sentence in self.contradictions] or ["  nothing contradicts anything"]
        proof = [str(self.verification)] if self.verification is not None else []
        return "\n".join([f"{self.name}: audit of a model from SymPy", *found, *proof])


def audit(
    thing: object, *, name: str = "model", parameters: Mapping[Any, float | None] | None = None, states: int = 2
) -> Audit:
    """Import a model of SymPy's, verify it by every principle, and say plainly what contradicts what.

    >>> from sympy.physics.mechanics import *
    >>> q, u = dynamicsymbols("q u")
    >>> N, P = ReferenceFrame("N"), Point("P")
    >>> P.set_vel(N, u * N.x)
    >>> P.set_acc(N, 2 * u.diff() * N.x)
    >>> kane = KanesMethod(N, [q], [u], [q.diff() - u], bodies=[Particle("ball", P, 1)], forcelist=[(P, -q * N.x)])
    >>> print(audit(kane, name="spring").contradictions[0])
    spring: the acceleration set for the point P in N is not the derivative of its velocity; ...
    """
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        try:
            imported = from_sympy(thing, name=name, parameters=parameters)
        except Error as problem:
            return Audit(name, None, (*_sentences(seen), str(problem)), None)
        verification = imported.system.verify(states=states)
    return Audit(name, imported, _sentences(seen), verification)


def _sentences(seen: list[warnings.WarningMessage]) -> tuple[str, ...]:
    """Our own warnings; SymPy's are not about the model."""
    return tuple(str(each.message) for each in seen if each.category.__module__.startswith("anholonomy."))


def _words_of(
    thing: object,
    name: str,
    parameters: Mapping[Any, float | None],
    inputs: Mapping[Any, Any] | None,
    patience: float,
) -> tuple[dict[str, Any], dict[str, str], list[Claim]]:
    """What declares the system, the independent speeds by name as texts in velocities, and what was said twice."""
    given = read(thing)
    q = [called(each, "a coordinate") for each in given.coordinates]
    u = [called(each, "a speed") for each in (*given.speeds, *given.auxiliary)]
    entrance = Entrance(frozenset(q), frozenset(u), given.frame, perf_counter() + patience)
    atoms = _mentioned(given, entrance)
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
    laws = _laws_of(name, {} if inputs is None else inputs, entrance, definitions)
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
        raise UnknownNameError(
            f"{name}: there is no parameter {unknown[0]!r}; those that occur are {', '.join(sorted(used)) or 'none'}."
        )
    return {p: values.get(p, own.get(p)) for p in sorted(used)}


def _laws_of(
    name: str, given: Mapping[Any, Any], entrance: Entrance, definitions: Mapping[Symbol, Expr]
) -> dict[Symbol, Expr]:
    """What stands for the inputs, in coordinates, velocities, time and parameters; the loads have been read before."""
    expect_mapping(given, f"{name}: `inputs`", "a dict such as {'F': '2*sin(t)'}", verb="is")
    laws = {called(key, f"{name}: an input"): value for key, value in given.items()}
    if unknown := sorted(set(laws) - entrance.inputs):
        raise UnknownNameError(
            f"{name}: there is no input {unknown[0]!r}; functions of time that only loads have are "
            f"{', '.join(sorted(entrance.inputs)) or 'none'}."
        )
    return {
        symbol(key): entrance.expression(value, f"{name}: the input {key}", load=True).xreplace(definitions)
        for key, value in laws.items()
    }


def _mentioned(given: Given, entrance: Entrance) -> set[Any]:
    """Constants and functions of time in equations, masses, inertias, loads, velocities and cosines, whose names are taken."""
    return {atom for thing in _things(given, entrance) for atom in atoms_of(thing)}


def _things(given: Given, entrance: Entrance) -> Iterator[Any]:
    """Everything that can hold a name, as expressions and matrices of SymPy's."""
    yield from (
        *given.coordinates,
        *given.speeds,
        *given.auxiliary,
        given.lagrangian,
        *given.kinematics,
        *given.configuration,
        *given.velocity,
    )
    for place, vector in given.loads:
        yield from _vector(vector, entrance, f"the load on {place}")
        yield from _vector(motion_of(place, entrance), entrance, f"the load on {place}")
    for body in given.bodies if given.lagrangian is None else ():
        centre, what = centre_of(body), f"the body {body.name}"
        yield from (body.mass, body.potential_energy)
        yield from _vector(entrance.velocity(centre, what), entrance, what)
        if hasattr(body, "central_inertia"):
            yield from _vector(entrance.turning(body.frame, what), entrance, what)
            for factor, left, right in body.central_inertia.args if body.central_inertia != 0 else ():
                yield factor
                yield from (*_vector(left, entrance, what), *_vector(right, entrance, what))


def _vector(vector: Any, entrance: Entrance, what: str) -> Iterator[Any]:
    for part, own in parts(vector):
        entrance.rotation(entrance.frame, own, what)  # refuses a frame that is not oriented
        yield from (part, entrance.frame.dcm(own))
