"""The routes to conserved quantities: every one is called by the question, so that a new one cannot be forgotten there."""

from __future__ import annotations

import inspect
import pkgutil
from importlib import import_module

import anholonomy.laws.first_integrals as first_integrals
from anholonomy import catalogue
from anholonomy.laws import conserved
from anholonomy.laws.known_laws import KnownLaws
from anholonomy.laws.reduced_motion import reduced_motion


def test_the_question_knows_every_route() -> None:
    path, package = first_integrals.__path__, first_integrals.__name__
    modules = [import_module(f"{package}.{each.name}") for each in pkgutil.iter_modules(path)]
    routes = {
        name
        for module in modules
        for name in module.__all__
        if inspect.isfunction(found := getattr(module, name)) and [*found.__annotations__] == ["known", "return"]
    }
    assert len(routes) == 8
    assert routes <= vars(conserved).keys()


def test_routes_in_general_add_what_they_prove_and_nothing_twice() -> None:
    """The energy of a sleigh is found by its own route, and the classes of polynomials add nothing to it."""
    known = KnownLaws(reduced_motion(catalogue.chaplygin_sleigh().model), 2)
    for route in conserved.IN_GENERAL:
        route(known)
    assert [law.kind for law in known.laws] == ["energy"]
    conserved.polynomials(known)
    assert [law.kind for law in known.laws] == ["energy"]
    assert known.searched is not None
    assert known.searched.constants > known.searched.solutions > 0
