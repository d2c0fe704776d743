"""Systems from SymPy: what ``sympy.physics.mechanics`` describes, declared here, with the user's speeds."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any, NamedTuple

from anholonomy.public import System
from anholonomy.system.from_sympy import words_of
from anholonomy.system.from_sympy.doubts import warn_of_contradictions
from anholonomy.system.substitution import SubstitutedConstraint

__all__ = ["Imported", "from_sympy"]


class Imported(NamedTuple):
    """A system from SymPy, and its generalized speeds as definitions for ``system.derive(…, speeds=speeds)``."""

    system: System
    speeds: dict[str, str]


def from_sympy(thing: object, *, name: str, parameters: Mapping[Any, float | None] | None = None) -> Imported:
    """The system of a ``KanesMethod``, ``LagrangesMethod`` or ``System`` of ``sympy.physics.mechanics``.

    Free symbols become parameters, without a value unless one is given; so do functions of time that occur in loads
    only. Coordinates that Kane's method can do without are put back, because a Lagrangian cannot.

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
    words, speeds, claims = words_of(thing, name, parameters or {})
    with warnings.catch_warnings():
        if speeds:  # then the energy is that of bodies, and nothing was put into it
            warnings.simplefilter("ignore", SubstitutedConstraint)
        system = System(**words)
    warn_of_contradictions(system, claims)
    return Imported(system, speeds)
