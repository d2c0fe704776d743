"""Systems from SymPy: what ``sympy.physics.mechanics`` describes, declared here, with the user's speeds."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, final

from anholonomy.displays.shown import Shown, framed, table
from anholonomy.formulations.verification.verify import Verification
from anholonomy.public import System
from anholonomy.refusals import IllPosedSystem, Refusal
from anholonomy.system.checks.substitution import SubstitutedConstraint
from anholonomy.system.from_sympy import words_of
from anholonomy.system.from_sympy.contradictions.silent_losses import warn_of_contradictions

__all__ = ["Audit", "Imported", "audit", "from_sympy"]


class Imported(NamedTuple):
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
) -> Imported:
    """The system of a ``KanesMethod``, ``LagrangesMethod`` or ``System`` of ``sympy.physics.mechanics``.

    Free symbols become parameters, without a value unless one is given; so do functions of time that occur in loads
    only, unless ``inputs`` says what they are: ``{"F": "A*sin(t) - k*q"}``, in time, state and parameters. Coordinates that Kane's method can do without are put back, because a Lagrangian cannot. Reading the bodies is
    given up after ``patience`` seconds.

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
        raise IllPosedSystem(f"{name}: `parameters` is {parameters!r:.60}; give a dict of values such as {{'m': 1.0}}.")
    if isinstance(patience, bool) or not isinstance(patience, int | float) or not patience > 0:
        raise IllPosedSystem(f"{name}: patience={patience!r:.60} is no time to wait; give a number of seconds.")
    words, speeds, claims = words_of(thing, name, {} if parameters is None else parameters, inputs, patience)
    with warnings.catch_warnings():
        if speeds:  # then the energy is that of bodies, and nothing was put into it
            warnings.simplefilter("ignore", SubstitutedConstraint)
        system = System(**words)
    warn_of_contradictions(system, claims)
    return Imported(system, speeds)


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
    imported: Imported | None
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
        except Refusal as problem:
            return Audit(name, None, (*_sentences(seen), str(problem)), None)
        verification = imported.system.verify(states=states)
    return Audit(name, imported, _sentences(seen), verification)


def _sentences(seen: list[warnings.WarningMessage]) -> tuple[str, ...]:
    """Our own warnings; SymPy's are not about the model."""
    return tuple(str(each.message) for each in seen if each.category.__module__.startswith("anholonomy."))
