"""What an import must not do in silence: believe a substituted Lagrangian, or lose a potential energy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from anholonomy.refusals import Refusal
from anholonomy.symbolic.expressions import Expr
from anholonomy.system.checks.substitution import SubstitutedConstraint
from anholonomy.system.from_sympy.contradictions.claims import Claim, broken
from anholonomy.system.from_sympy.energy import Bodies
from anholonomy.system.from_sympy.entrance import Entrance
from anholonomy.system.from_sympy.given import Given
from anholonomy.system.model import Model
from anholonomy.system.warnings.user_line import Doubt, warn_the_user

__all__ = [
    "ContradictingMotion",
    "DoubtfulPotential",
    "potential_energy",
    "warn_of_contradictions",
    "warn_of_potentials",
    "warn_of_substitution",
]


class DoubtfulPotential(Doubt):
    """A body from SymPy has a potential energy that Kane's method ignores, or that its loads may repeat."""


class ContradictingMotion(Doubt):
    """A model from SymPy says two things about one motion: an acceleration or angular velocity set by hand is another."""


def warn_of_contradictions(model: Model, claims: Sequence[Claim]) -> None:
    """Say what was set by hand and is not so."""
    for sentence in broken(model, claims):
        warn_the_user(f"{model.name}: {sentence}", ContradictingMotion)


def warn_of_substitution(name: str, witnesses: Sequence[Any], bodies: Bodies) -> None:
    """Say which bodies have velocities that are derivatives of no position: their energy has a constraint in it."""
    if guilty := [body.name for body in witnesses if _substituted(body, bodies)]:
        angles = ", ".join(q.name for q in bodies.coordinates)
        warn_the_user(
            f"{name}: the velocity of the body {guilty[0]} is the derivative of no function of {angles}, so a constraint was put "
            "into the Lagrangian and its equations are wrong; import the KanesMethod of these bodies, or add the missing "
            "coordinates and constraints.",
            SubstitutedConstraint,
        )


def _substituted(body: Any, bodies: Bodies) -> bool:
    try:
        return bodies.substituted(body)
    except Refusal:
        return False  # the Lagrangian counts, and does not need what cannot be read here


def potential_energy(body: Any, entrance: Entrance) -> Expr:
    """The potential energy that SymPy's user gave to the body."""
    return entrance.expression(body.potential_energy, f"the potential energy of the body {body.name}")


def warn_of_potentials(name: str, given: Given) -> None:
    """Say it where potential energies do not count, and where loads may say the same again."""
    with_potential = [body.name for body in given.bodies if getattr(body, "potential_energy", 0) != 0]
    if not with_potential or (given.potentials and not given.loads):
        return
    said = (
        "counts beside the loads, since the System has not been formed by Kane's method; set it to 0 if the loads say it "
        "already."
        if given.potentials
        else "does not count in Kane's method; give it as a load and set it to 0, or import a LagrangesMethod."
    )
    warn_the_user(f"{name}: the potential energy of the body {with_potential[0]} {said}", DoubtfulPotential)
