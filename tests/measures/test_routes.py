"""The routes to a density: every one is in the list, so that a new one cannot be forgotten there."""

from __future__ import annotations

import inspect
import pkgutil
from importlib import import_module

import anholonomy.measures.density as density
from anholonomy import catalogue
from anholonomy.laws.divergence import Divergence
from anholonomy.laws.reduced_motion import reduced_motion
from anholonomy.measures.density.problem import DensityProblem
from anholonomy.measures.invariant_measure import ROUTES


def test_every_route_is_in_the_list() -> None:
    modules = [import_module(f"{density.__name__}.{each.name}") for each in pkgutil.iter_modules(density.__path__)]
    routes = {
        getattr(module, name)
        for module in modules
        for name in module.__all__
        if inspect.isfunction(getattr(module, name))
        and getattr(module, name).__annotations__["return"] in ("Decision", "Decision | None")
    }
    assert len(routes) == 14
    assert {route for _, route in ROUTES} == routes


def test_the_first_decision_is_that_of_the_first_route_that_decides() -> None:
    """Of a skate a density in closed form; of a sleigh a contradiction, before anything is searched in closed form."""
    for system, name in (
        (catalogue.skate(), "closed_form"),
        (catalogue.chaplygin_sleigh(), "contradiction_at_a_glance"),
    ):
        problem = DensityProblem("a density exists", Divergence(reduced_motion(system.model)))
        found = next(route for condition, route in ROUTES if condition(problem) and route(problem))
        assert found.__name__ == name
