r"""Is there a Lagrangian behind a force and a momentum?

.. math::
   \phi = F_a\,dq^a + \Pi_a\,d\dot q^a = dL \quad\Longleftrightarrow\quad
   \frac{\partial F_a}{\partial q^b} = \frac{\partial F_b}{\partial q^a}, \quad
   \frac{\partial F_a}{\partial\dot q^b} = \frac{\partial\Pi_b}{\partial q^a}, \quad
   \frac{\partial\Pi_a}{\partial\dot q^b} = \frac{\partial\Pi_b}{\partial\dot q^a}

Time is a parameter of the one-form, so $L$ is found up to a function of time.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import final

from anholonomy.algebra.calculus import partial
from anholonomy.algebra.expressions import Expr, Symbol, symbol, zero
from anholonomy.algebra.simplification.simplify import simplify
from anholonomy.base.errors import NotSupportedError
from anholonomy.equations.lagrangian import variational_derivative
from anholonomy.equations.principles.base import COORDINATES
from anholonomy.findings import CarriesFinding, Finding, Quantity, vanishing
from anholonomy.geometry.potentials import potential
from anholonomy.language.answers import EQUALS, Part, Readable, Row
from anholonomy.system.model import Model

__all__ = ["Exactness", "find_lagrangian"]


@final
@dataclass(frozen=True, repr=False)
class Exactness(CarriesFinding, Readable):
    """Whether force and momentum come from a Lagrangian, and which.

    Attributes
    ----------
    finding
        That they do: every mixed derivative agrees.
    lagrangian
        A Lagrangian whose differential the one-form is, checked by differentiation; None where there is none or
        SymPy's integration does not find it.
    """

    finding: Finding
    lagrangian: Expr | None

    @property
    def is_exact(self) -> Finding:
        """Whether force and momentum come from a Lagrangian."""
        return self.finding

    def as_rows(self) -> Iterable[Part]:
        if self.lagrangian is None:
            yield Row(self.finding, "; it was not found in closed form" if self.finding else "")
        else:
            yield Row(symbol("L"), EQUALS, self.lagrangian)


def find_lagrangian(model: Model) -> Exactness:
    r"""Decide whether $\phi = F\,dq + \Pi\,d\dot q$ is exact, and integrate it.

    For a system with a Lagrangian and forces, $F = \partial L/\partial q + Q$: the forces then decide.
    """
    if why := COORDINATES.obstacle(model):
        raise NotSupportedError(f"{model.name}: a one-form on the velocity phase space needs coordinates, and {why}.")
    E = variational_derivative(model)
    force = [f + Q for f, Q in zip(E.force_a, model.forces_a, strict=True)]
    places = (*model.coordinates, *model.velocities)
    form = (*force, *E.momentum_a)
    claim, on = "force and momentum come from a Lagrangian", model.frame_at_values.orbit
    gaps = (_gap(model, places, form, i, j) for i, j in combinations(range(len(places)), 2))
    closed = vanishing(claim, "every difference of mixed derivatives", gaps, on)
    if not closed:
        return Exactness(closed, None)
    # Beside a Lagrangian only the forces are left to integrate.
    own = model.lagrangian if model.momenta_a is None else zero
    rest = (*model.forces_a, *(zero,) * len(places[len(force) :])) if model.momenta_a is None else form
    # Letters stay letters, but for those whose values the conditions need.
    known = dict(closed.scope.values)
    found = potential(places, tuple(entry.xreplace(known) for entry in rest))
    return Exactness(closed, None if found is None else simplify(own + found))


def _gap(model: Model, places: Sequence[Symbol], form: Sequence[Expr], i: int, j: int) -> Quantity:
    """The difference of two mixed derivatives, which an exact form does not have."""
    name = f"d({_name(model, i)})/d({places[j].name}) - d({_name(model, j)})/d({places[i].name})"
    return Quantity(name, partial(form[i], places[j]) - partial(form[j], places[i]))


def _name(model: Model, place: int) -> str:
    """The component of the one-form at a place: a force first, then a momentum."""
    size = len(model.coordinates)
    return f"force on {model.coordinates[place]}" if place < size else f"momentum of {model.coordinates[place - size]}"
