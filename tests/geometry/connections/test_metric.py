"""Metrics: where they come from, what they refuse, and what they do to indices."""

from __future__ import annotations

import pytest
import symengine
import sympy as sp

from anholonomy import System, catalogue
from anholonomy.algebra.expressions import symbol
from anholonomy.algebra.zero_test import is_zero
from anholonomy.base.verdict import Verdict
from anholonomy.errors import DeclarationError
from anholonomy.geometry import Frame
from anholonomy.geometry.metric import Metric, kinetic_metric
from anholonomy.geometry.tensor import Tensor
from tests.wording import blames

r, m = symbol("r"), symbol("m")
CHART = Frame(["r", "phi"])
UNIT = Frame(["r", "phi"], [["1", "0"], ["0", "1/r"]])


def test_text_sympy_and_diagonals_are_one_metric():
    R = sp.Symbol("r")
    assert Metric(CHART, ["1", "r^2"]) == Metric(CHART, [[1, 0], [0, R**2]]) == Metric(CHART, [1, r**2])


def test_a_rotated_frame_is_orthonormal():
    polar = Metric(CHART, [1, "r^2"])
    assert polar.is_orthonormal().verdict is Verdict.REFUTED
    assert polar.in_frame(UNIT).is_orthonormal().verdict is Verdict.PROVEN
    assert polar.determinant == r**2
    assert polar.in_frame(UNIT).determinant == 1


def test_indices_go_down_and_up_again():
    g = Metric(Frame(["x", "y"]), [["2", "x"], ["x", "1 + x^2"]])
    X = Tensor.of(g.frame, "ud", {(0, 1): symbol("y"), (1, 1): symengine.Integer(3)}, "X")
    assert is_zero(g.lower(X)[1, 1] - (symbol("x") * symbol("y") + 3 * (1 + symbol("x") ** 2)))
    assert (g.raised(g.lower(X)) - X).is_zero().verdict is Verdict.PROVEN
    with blames(DeclarationError):
        g.lower(X, 1)


def test_the_inner_product_does_not_know_the_frame():
    g = Metric(CHART, [1, "r^2"])
    X, Y = (Tensor.of(CHART, "u", {(0,): a, (1,): b}) for a, b in ((r, 1), (symengine.Integer(2), r)))
    assert is_zero(g.inner(X, Y) - (2 * r + r**3))
    assert is_zero(g.in_frame(UNIT).inner(X, Y) - g.inner(X, Y))


def test_unspecified_functions():
    f = Metric(Frame(["x", "y"]), ["f(x, y)", "1"], functions=["f"])
    assert str(f.inverse) == "g^xx = 1/f(x, y)\ng^yy = 1"


def test_the_metric_of_a_system_is_its_mass_matrix():
    sleigh = catalogue.chaplygin_sleigh()
    g = kinetic_metric(sleigh)
    assert g.frame == sleigh.geometry.frame
    q, v = [sp.Symbol(s.name) for s in sleigh.coordinates], [sp.Symbol(s.name) for s in sleigh.velocities]
    hessian = sp.hessian(sp.sympify(sleigh.lagrangian._sympy_()), v)
    assert all(sp.simplify(hessian[a, b] - g[a, b]._sympy_()) == 0 for a in range(3) for b in range(3))
    assert len(q) == 3


def test_projectors():
    g = Metric(Frame(["x", "y", "z"]), ["1", "2", "1 + x^2"])
    P, Q = g.projectors([Tensor.of(g.frame, "u", {(0,): 1, (2,): symbol("y")})])
    product = lambda left, right: (left * right).trace(1, 2)
    assert (product(P, P) - P).is_zero().verdict is Verdict.PROVEN
    assert product(P, Q).is_zero().verdict is Verdict.PROVEN
    low = g.lower(P)
    assert (low - low.permuted(1, 0)).is_zero().verdict is Verdict.PROVEN
    assert is_zero(P.trace(0, 1)[()] - 1)


@pytest.mark.parametrize(
    ("components", "names"),
    [
        ([["1", "x"], ["0", "1"]], ()),
        (["1"], ("2",)),
        ([["1", "0"], ["0"]], ("2",)),
    ],
)
def test_what_is_no_metric_is_refused(components, names):
    with blames(DeclarationError, *names):
        Metric(Frame(["x", "y"]), components)


def test_a_degenerate_metric_has_no_inverse():
    with blames(DeclarationError):
        Metric(Frame(["x", "y"]), [["1", "x"], ["x", "x^2"]]).inverse
    X = Tensor.of(CHART, "u", {(0,): r})
    with blames(DeclarationError):
        Metric(CHART, [1, 1]).projectors([X, 2 * X])


def test_only_a_quadratic_energy_is_a_metric():
    relativistic = System(name="fast", coordinates=["x"], lagrangian="-sqrt(1 - x'^2)")
    with blames(DeclarationError):
        kinetic_metric(relativistic)
