"""EhresmannConnection connections: lifts and vertical parts, curvature from its definition, and its independence of the order of things."""

from __future__ import annotations

import pytest
import sympy as sp

from anholonomy import catalogue
from anholonomy.algebra.expressions import dot, to_sympy
from anholonomy.algebra.zero_test import are_all_zero, is_zero
from anholonomy.base.errors import DeclarationError, NotSupportedError, UnknownNameError
from anholonomy.base.verdict import Verdict
from anholonomy.geometry.brackets import bracket
from anholonomy.geometry.connections.ehresmann import EhresmannConnection
from anholonomy.geometry.distributions.distribution import Distribution
from tests.wording import blames

CASES = {
    "Heisenberg": (["z' = y*x'"], ["x", "y"], list("xyz")),
    "the fibre moves": (["z' = z*y*x' + sin(z)*y'"], ["x", "y"], list("xyz")),
    "rolling disk": (
        ["x' = R*phi'*cos(theta)", "y' = R*phi'*sin(theta)"], ["theta", "phi"], ["x", "y", "theta", "phi"]),
    "rolling disk over the plane and heading": (
        ["x' = R*phi'*cos(theta)", "y'*cos(theta) = x'*sin(theta)"], ["theta", "x"], ["x", "y", "theta", "phi"]),
    "affine": (["x' = y*z' + x*t"], ["y", "z"], list("xyz")),
    "time-dependent, two rows": (["x' = t*u'*x + v", "y' = u*v' + t*x*u'"], ["u", "v"], list("xyuv")),
    "integrable": (["z' = y*x' + x*y' + cos(t)"], ["x", "y"], list("xyz")),
}  # fmt: skip
every_case = pytest.mark.parametrize(("rows", "base", "q"), CASES.values(), ids=CASES.keys())


@every_case
def test_curvature_is_minus_the_forms_on_brackets_of_lifts(rows: list[str], base: list[str], q: list[str]) -> None:
    E = EhresmannConnection.from_constraints(rows, base, q)
    for i, a in enumerate(E.base):
        for j, b in enumerate(E.base):
            turned = bracket(E.chart, E.lifts_ij[i], E.lifts_ij[j])
            for s, form in zip(E.fibre, E.forms_ni, strict=True):
                assert is_zero(E.B(s, a, b) + dot(form, turned))


@every_case
def test_curvature_vanishes_exactly_for_integrable_constraints(rows: list[str], base: list[str], q: list[str]) -> None:
    E = EhresmannConnection.from_constraints(rows, base, q)
    assert bool(E.is_flat()) == bool(Distribution.from_constraints(rows, q).is_integrable())
    assert E.is_flat().verdict is not Verdict.UNKNOWN


@every_case
def test_horizontal_and_vertical_parts_make_the_vector(rows: list[str], base: list[str], q: list[str]) -> None:
    E = EhresmannConnection.from_constraints(rows, base, q)
    D = Distribution.from_constraints(rows, q)
    vector = [f"{k + 1} + x*{k}" for k in range(len(E.coordinates))]
    h, v = E.horizontal(vector), E.vertical(vector)
    whole = [sp.sympify(text) for text in vector]
    assert all(sp.simplify(to_sympy(a + b) - c) == 0 for a, b, c in zip(h, v, whole, strict=True))
    assert D.contains(h).verdict is Verdict.PROVEN
    assert E.vertical(v) == v
    assert are_all_zero(entry for entry in E.vertical(h))


@every_case
def test_the_lift_projects_back(rows: list[str], base: list[str], q: list[str]) -> None:
    E = EhresmannConnection.from_constraints(rows, base, q)
    given = [f"{k + 2}" for k in range(len(E.base))]
    lifted = dict(zip(E.coordinates, E.lift(given), strict=True))
    assert [str(lifted[s]) for s in E.base] == given


def test_of_a_system() -> None:
    E = EhresmannConnection.of(catalogue.rolling_disk(), base=["theta", "phi"])
    assert EhresmannConnection.of(catalogue.rolling_disk(), base=["phi", "theta"]) == E
    assert not E.is_flat()


def test_refusals() -> None:
    rows, q = ["x'*sin(theta) = y'*cos(theta)"], ["x", "y", "theta"]
    with blames(DeclarationError, "2", "1"):
        EhresmannConnection.from_constraints(rows, ["theta"], q)
    with blames(DeclarationError):
        EhresmannConnection.from_constraints(rows, ["x", "y"], q)
    with blames(UnknownNameError, "psi"):
        EhresmannConnection.from_constraints(rows, ["psi", "x"], q)
    from anholonomy import System

    fast = System(name="fast", coordinates=["x", "y"], lagrangian="x'^2 + y'^2", constraints=["x'^2 + y'^2 = 1"])
    with blames(NotSupportedError):
        EhresmannConnection.of(fast, ["x"])
