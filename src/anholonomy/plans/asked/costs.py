"""Costs: words (time, effort, length) or any expression in coordinates, velocities, speeds, inputs and time."""

from __future__ import annotations

from typing import Any

import symengine

from anholonomy.language.given import expression
from anholonomy.language.mistakes.nearest import near_symbol
from anholonomy.language.writing import to_text
from anholonomy.plans.asked.controlled import Controlled
from anholonomy.plans.asked.task import Cost
from anholonomy.refusals import NotCovered, UnknownName
from anholonomy.symbolic.calculus import gradient, jacobian
from anholonomy.symbolic.expressions import Expr, dot, matrix_vector, time
from anholonomy.symbolic.homogeneity import homogeneity
from anholonomy.verdict import Verdict

__all__ = ["known", "read_cost", "read_expression"]

_DEGREES = (1, 2, 3, 4)


def read_cost(c: Controlled, given: Any) -> Cost:
    """The cost that a word or an expression names.

    With free time and no price on it, slower is cheaper, or as cheap: its degree in the speeds says so.
    """
    integrand = _integrand(c, given)
    degree = _degree(c, integrand)
    smooth = integrand**2 if degree == 1 else integrand
    return Cost(given if isinstance(given, str) else to_text(integrand), integrand, smooth, degree)


def _integrand(c: Controlled, given: Any) -> Expr:
    if given == "time":
        return symengine.Integer(1)
    if given == "effort":
        return symengine.Add(*(u**2 for u in c.controls))
    if given == "length":
        if c.model.momenta_a is not None:
            raise NotCovered(f"{c.model.name} has no Lagrangian, and so no length; give the cost as an expression.")
        w = c.model.velocities
        metric = jacobian(gradient(c.model.lagrangian, w), w)
        return symengine.sqrt(dot(w, matrix_vector(metric, w)))
    return read_expression(c, given, "the cost")


def read_expression(c: Controlled, given: Any, what: str) -> Expr:
    """An expression in what a plan knows; a name that it does not know is refused with the nearest one."""
    return known(c, expression(given, f"{c.model.name}: {what}"), what)


def known(c: Controlled, value: Expr, what: str) -> Expr:
    for name in sorted(s.name for s in value.free_symbols):
        if name not in c.names and not any(s.name == name for s in c.model.named):
            near = near_symbol(name, c.names)
            kind = "inputs" if c.by_inputs else "speeds"
            controls = ", ".join(u.name for u in c.controls)
            cure = (
                f"did you mean {near}?" if near else f"it knows coordinates, velocities, the {kind} {controls}, and t."
            )
            raise UnknownName(f"{c.model.name}: {name} appears in {what}, but the plan does not know it; {cure}")
    return c.read(value)


def _degree(c: Controlled, integrand: Expr) -> int:
    """The degree in the speeds, where speeds and nothing else decide how fast a plan is carried out."""
    if not c.can_be_slowed or time in integrand.free_symbols:
        return 0
    speeds = tuple(dict.fromkeys((*c.controls, *c.model.velocities)))
    return next((k for k in _DEGREES if homogeneity(integrand, speeds, k) is Verdict.PROVEN), 0)
