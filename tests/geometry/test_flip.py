"""The canonical flip: an involution, the bracket as a vertical part, integrability."""

from __future__ import annotations

import mpmath
import pytest
import symengine
from hypothesis import given, settings
from hypothesis import strategies as st

from anholonomy.algebra.expressions import to_sympy
from anholonomy.algebra.zero_test import are_all_zero
from anholonomy.base.verdict import Verdict
from anholonomy.errors import DeclarationError
from anholonomy.geometry.frame import Frame
from anholonomy.geometry.second_tangent import (
    SecondTangent,
    bracket_by_flip,
    flip_test,
    tangent_equations,
    tangent_lift,
)
from anholonomy.geometry.vector_fields import lie_bracket, vector_field
from tests.wording import blames

vectors = st.tuples(*[st.integers(-5, 5).map(symengine.Integer)] * 2)
entry = st.sampled_from(["x", "y", "x*y", "sin(x)", "exp(y)", "1", "0", "x^2 - y"])
fields = st.tuples(entry, entry)


@given(vectors, vectors, vectors, vectors)
def test_the_flip_is_an_involution_that_exchanges_the_projections(x, v, x_dot, v_dot):
    V = SecondTangent(x, v, x_dot, v_dot)
    assert V.flip().flip() == V
    assert (V.flip().v, V.flip().x_dot) == (V.x_dot, V.v)


@given(fields, fields, st.booleans())
@settings(max_examples=25, deadline=None)
def test_the_bracket_is_a_vertical_part(X, Y, anholonomic):
    """In any frame the flip gives the same bracket as the structure functions do."""
    frame = Frame(["x", "y"], [["1", "x"], ["-y", "2"]] if anholonomic else None)
    X, Y = vector_field(frame, X), vector_field(frame, Y)
    assert (bracket_by_flip(X, Y) - lie_bracket(X, Y).in_frame(frame.root or frame)).is_zero().verdict is Verdict.PROVEN


def test_only_vertical_differences_have_a_vertical_part():
    chart = Frame(["x", "y"])
    X, Y = vector_field(chart, ["1", "x"]), vector_field(chart, ["y", "0"])
    with blames(DeclarationError):
        tangent_lift(X, Y).vertical_difference(tangent_lift(Y, X))


def test_tangent_vectors_of_a_distribution_satisfy_its_equations():
    """Before the flip the general vector solves them; after it, only for an integrable distribution."""
    chart = Frame(["x", "y", "z"])
    contact = [vector_field(chart, ["1", "0", "y"]), vector_field(chart, ["0", "1", "0"])]
    test = flip_test(contact)
    assert are_all_zero(tangent_equations(contact, test.vector))
    assert not are_all_zero(tangent_equations(contact, test.vector.flip()))


@pytest.mark.parametrize(
    ("X", "Y"), [(["sin(y)", "x^2"], ["x*y", "exp(x)"]), (["1/x", "y"], ["cos(x*y)", "x"]), (["y", "-x"], ["x", "y^3"])]
)
def test_the_bracket_against_commuting_flows_at_50_digits(X, Y):
    r"""Two steps of each field around a loop miss by $h^2[X, Y]$; the flows are Taylor steps of third order."""
    chart = Frame(["x", "y"])
    formula = bracket_by_flip(vector_field(chart, X), vector_field(chart, Y))
    start = (mpmath.mpf(4) / 7, mpmath.mpf(5) / 9)
    with mpmath.workdps(60):
        number = lambda e, p: mpmath.mpf(to_sympy(e).subs({"x": p[0], "y": p[1]}).evalf(60))

        def flow(field, p, h):
            """One classical Runge-Kutta step."""
            f = lambda q: [number(each, q) for each in (field[0], field[1])]
            add = lambda q, k, s: tuple(a + s * b for a, b in zip(q, k, strict=True))
            k1 = f(p)
            k2 = f(add(p, k1, h / 2))
            k3 = f(add(p, k2, h / 2))
            k4 = f(add(p, k3, h))
            return tuple(a + h * (u + 2 * v + 2 * w + z) / 6 for a, u, v, w, z in zip(p, k1, k2, k3, k4, strict=True))

        one, two = vector_field(chart, X), vector_field(chart, Y)

        def missed(h):
            p = start
            for field, step in ((one, h), (two, h), (one, -h), (two, -h)):
                p = flow(field, p, step)
            return [(a - b) / h**2 for a, b in zip(p, start, strict=True)]

        h = mpmath.mpf(10) ** -10
        # The error of first order changes sign with h.
        mean = [(a + b) / 2 for a, b in zip(missed(h), missed(-h), strict=True)]
        for a in range(2):
            assert abs(mean[a] - number(formula[a], start)) < mpmath.mpf(10) ** -17
