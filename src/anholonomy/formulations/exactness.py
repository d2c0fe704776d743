r"""Is there a Lagrangian behind a force and a momentum?

.. math::
   \phi = F_a\,dq^a + \Pi_a\,d\dot q^a = dL \quad\Longleftrightarrow\quad
   \frac{\partial F_a}{\partial q^b} = \frac{\partial F_b}{\partial q^a}, \quad
   \frac{\partial F_a}{\partial\dot q^b} = \frac{\partial\Pi_b}{\partial q^a}, \quad
   \frac{\partial\Pi_a}{\partial\dot q^b} = \frac{\partial\Pi_b}{\partial\dot q^a}

Time is a parameter of the one-form, so $L$ is found up to a function of time.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import final

from anholonomy.formulations.euler_lagrange import variational_derivative
from anholonomy.formulations.needs import COORDINATES
from anholonomy.geometry.potentials import potential
from anholonomy.language import to_text
from anholonomy.refusals import NotCovered, SyntaxProblem
from anholonomy.symbolic.calculus import partial
from anholonomy.symbolic.expressions import Expr, Symbol, zero
from anholonomy.symbolic.simplify import simplify
from anholonomy.symbolic.zero import zero_test
from anholonomy.system.model import Model
from anholonomy.verdict import Verdict

__all__ = ["Exactness", "find_lagrangian"]


@final
@dataclass(frozen=True)
class Exactness:
    """Whether force and momentum come from a Lagrangian, and which.

    Attributes
    ----------
    is_exact
        True when every condition is proven, False when one is proven to fail, None when one could not be decided.
    lagrangian
        A Lagrangian whose differential the one-form is, checked by differentiation; None where there is none or
        SymPy's integration does not find it.
    obstruction
        The first condition that fails, and by how much; empty when none does.
    """

    is_exact: bool | None
    lagrangian: Expr | None
    obstruction: tuple[str, Expr] | None

    def __bool__(self) -> bool:
        return bool(self.is_exact)

    def __str__(self) -> str:
        if self.obstruction is not None:
            condition, gap = self.obstruction
            said = "force and momentum are not exact" if self.is_exact is False else "undecided"
            return f"{said}: {condition} = {to_text(gap)}"
        if self.lagrangian is None:
            return "force and momentum are closed; their Lagrangian was not found in closed form"
        try:
            return f"L = {to_text(self.lagrangian)}"
        except SyntaxProblem:  # an integral may need functions that the language does not have
            return f"L = {self.lagrangian}"


def find_lagrangian(model: Model) -> Exactness:
    r"""Decide whether $\phi = F\,dq + \Pi\,d\dot q$ is exact, and integrate it.

    For a system with a Lagrangian and forces, $F = \partial L/\partial q + Q$: the forces then decide.
    """
    if why := COORDINATES.obstacle(model):
        raise NotCovered(f"{model.name}: a one-form on the velocity phase space needs coordinates, and {why}.")
    E = variational_derivative(model)
    force = [f + Q for f, Q in zip(E.force_a, model.forces_a, strict=True)]
    places = (*model.coordinates, *model.velocities)
    form = (*force, *E.momentum_a)
    undecided, needed = None, set[Symbol]()
    for i, j in combinations(range(len(places)), 2):
        gap = partial(form[i], places[j]) - partial(form[j], places[i])
        verdict = zero_test(gap, model.frame_at_values.orbit)
        if verdict is Verdict.PROVEN:
            needed |= gap.free_symbols
            continue
        named = (_name(model, i), _name(model, j))
        condition = f"d({named[0]})/d({places[j].name}) - d({named[1]})/d({places[i].name})"
        if verdict is Verdict.REFUTED:
            return Exactness(False, None, (condition, simplify(gap)))
        undecided = undecided or (condition, simplify(gap))
    if undecided is not None:
        return Exactness(None, None, undecided)
    # Beside a Lagrangian only the forces are left to integrate.
    own = model.lagrangian if model.momenta_a is None else zero
    rest = (*model.forces_a, *(zero,) * len(places[len(force) :])) if model.momenta_a is None else form
    # Letters stay letters, but for those whose values the conditions need.
    known = {name: value for name, value in model.values.items() if name in needed}
    found = potential(places, tuple(entry.xreplace(known) for entry in rest))
    return Exactness(True, None if found is None else simplify(own + found), None)


def _name(model: Model, place: int) -> str:
    """The component of the one-form at a place: a force first, then a momentum."""
    size = len(model.coordinates)
    return f"force on {model.coordinates[place]}" if place < size else f"momentum of {model.coordinates[place - size]}"
