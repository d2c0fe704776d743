"""What occurs anywhere in SymPy's object, so that a coordinate put back takes no name of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from anholonomy.system.declaration.twins import atoms_of
from anholonomy.system.from_sympy.energy import centre_of
from anholonomy.system.from_sympy.entrance import Entrance, parts
from anholonomy.system.from_sympy.forces import motion_of
from anholonomy.system.from_sympy.given import Given

__all__ = ["mentioned"]


def mentioned(given: Given, entrance: Entrance) -> set[Any]:
    """Constants and functions of time: in equations, masses, inertias, loads, velocities and cosines."""
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
