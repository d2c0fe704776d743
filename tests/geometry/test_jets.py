"""Jets: prolongation against the chain rule, finite differences, and the bracket."""

from __future__ import annotations

import mpmath
import pytest
import symengine
from hypothesis import given, settings
from hypothesis import strategies as st

from anholonomy.algebra.expressions import to_sympy
from anholonomy.algebra.zero_test import are_all_zero, is_zero
from anholonomy.base.verdict import Verdict
from anholonomy.errors import DeclarationError
from anholonomy.geometry.frame import Frame
from anholonomy.geometry.jet_spaces import JetSpace, compose_jets
from anholonomy.geometry.vector_fields import lie_bracket, vector_field
from anholonomy.language import parse_expression
from tests.wording import blames

NAMES = {1: ["t"], 2: ["u", "v"]}


def functions(*names):
    """Random smooth functions of the named variables, as text."""
    atom = st.sampled_from([*names, "1", *(f"sin({name})" for name in names), *(f"{name}^2" for name in names)])
    term = st.tuples(st.integers(-3, 3), atom, atom).map(lambda t: f"{t[0]}*{t[1]}*{t[2]}")
    return st.lists(term, min_size=1, max_size=3).map(" + ".join)


def test_names_and_sizes():
    assert [len(JetSpace(["t"], ["x", "y"], k).coordinates) for k in (1, 2)] == [5, 7]
    assert [len(JetSpace(["u", "v"], ["x", "y", "z"], k).coordinates) for k in (1, 2)] == [11, 20]
    assert [str(q) for q in JetSpace(["u", "v"], ["z"], 2).coordinates[3:]] == ["z_u", "z_v", "z_u_u", "z_u_v", "z_v_v"]


def test_bad_declarations_are_refused():
    with blames(DeclarationError):
        JetSpace(["t"], ["x"], 0)
    with blames(DeclarationError):
        JetSpace(["u", "v"], ["z", "z_u"])
    with blames(DeclarationError):
        JetSpace(["t"], ["x", "y"]).prolong({"x": "t"})
    with blames(DeclarationError):
        JetSpace(["t"], ["x"]).total_derivative(symengine.Symbol("x'"))
    with blames(DeclarationError, "x'"):
        JetSpace(["t"], ["x"]).section({"x": "t"})


@given(st.sampled_from([1, 2]), st.data())
@settings(max_examples=20, deadline=None)
def test_prolongation_respects_composition(r, data):
    """The jet of g∘f from the jets of g and f is the jet of the composed map."""
    f = [data.draw(functions(*NAMES[r])) for _ in range(2)]
    g = [data.draw(functions("x", "y")) for _ in range(2)]
    inner = JetSpace(NAMES[r], ["x", "y"], 2).prolong(f)
    outer = JetSpace(["x", "y"], ["p", "q"], 2).prolong(g)
    images = {symengine.Symbol(name): parse_expression(text) for name, text in zip("xy", f, strict=True)}
    composed = [parse_expression(text).xreplace(images) for text in g]
    direct = JetSpace(NAMES[r], ["p", "q"], 2).prolong(composed)
    through = compose_jets(outer, inner)
    assert are_all_zero(value - through.images[q] for q, value in direct.images.items())


@pytest.mark.exhaustive
@given(st.sampled_from([1, 2]), st.sampled_from([1, 2]), st.data())
@settings(max_examples=15, deadline=None)
def test_prolongation_of_a_bracket_is_the_bracket_of_prolongations(r, order, data):
    """Fields that move parameters and targets alike."""
    names = [*NAMES[r], "x"]
    space, base = JetSpace(NAMES[r], ["x"], order), Frame.chart([symengine.Symbol(name) for name in names])
    pieces = [[data.draw(functions(*names)) for _ in names] for _ in range(2)]
    X, Y = (vector_field(base, each) for each in pieces)
    lifted = [space.prolong_field(each[r:], each[:r]) for each in pieces]
    Z = lie_bracket(X, Y)
    lifted_bracket = space.prolong_field([Z[r]], [Z[a] for a in range(r)])
    assert (lie_bracket(*lifted) - lifted_bracket).is_zero().verdict is Verdict.PROVEN


@given(st.sampled_from([1, 2]), st.data())
@settings(max_examples=15, deadline=None)
def test_transformations_prolong_to_transformations(r, data):
    """Twice in a row or at once: the same new coordinates; and prolonged fields are their derivative."""
    names = [*NAMES[r], "x"]
    space = JetSpace(NAMES[r], ["x"], 2)
    shear = [f"{q} + {data.draw(functions(*NAMES[r][:k]))}" if k else f"2*{q}" for k, q in enumerate(NAMES[r])]
    first = space.prolong_map([f"x + {data.draw(functions(*NAMES[r]))}"], shear)
    second = space.prolong_map([data.draw(functions(*names)) + " + x"])
    at_once = space.prolong_map([second[symengine.Symbol("x")].xreplace(first)], [first[q] for q in space.parameters])
    assert are_all_zero(second[q].xreplace(first) - at_once[q] for q in space.coordinates)


@given(st.data())
@settings(max_examples=15, deadline=None)
def test_a_prolonged_field_is_the_derivative_of_prolonged_transformations(data):
    space, e = JetSpace(["t"], ["x"], 2), symengine.Symbol("e")
    tau, xi = (parse_expression(data.draw(functions("t", "x"))) for _ in range(2))
    t, x = space.coordinates[:2]
    moved = space.prolong_map([x + e * xi], [t + e * tau])
    lifted = space.prolong_field([xi], [tau])
    for k, q in enumerate(space.coordinates):
        assert is_zero(moved[q].diff(e).xreplace({e: symengine.Integer(0)}) - lifted[k])


@given(st.sampled_from([1, 2]), st.data())
@settings(max_examples=15, deadline=None)
def test_total_derivatives_follow_the_chain_rule_and_commute(r, data):
    space = JetSpace(NAMES[r], ["x"], 2)
    f = parse_expression(data.draw(functions(*NAMES[r], "x")))
    section = space.prolong([data.draw(functions(*NAMES[r]))])
    for a, t in enumerate(space.parameters):
        assert is_zero(section.along(space.total_derivative(f, a)) - section.along(f).diff(t))
        for b in range(r):
            twice = [space.total_derivative(space.total_derivative(f, c), d) for c, d in ((a, b), (b, a))]
            assert is_zero(twice[0] - twice[1])


@given(st.sampled_from([1, 2]), st.data())
@settings(max_examples=15, deadline=None)
def test_spencer_is_what_contact_forms_pull_back_to(r, data):
    space = JetSpace(NAMES[r], ["x"], 1)
    chosen = {q.name: data.draw(functions(*NAMES[r])) for q in space.coordinates[r:]}
    section = space.section(chosen)
    images = {q: q for q in space.parameters} | section.images
    (contact,) = space.contact_forms
    pulled = contact.pullback(images, Frame.chart(space.parameters))
    assert are_all_zero(pulled[a] - section.spencer()[(0, ()), a] for a in range(r))


def test_second_order_sections_can_fail_at_either_order():
    space = JetSpace(["t"], ["x"], 2)
    right = {"x": "t^3", "x'": "3*t^2", "x''": "6*t"}
    assert space.section(right).is_integrable().verdict is Verdict.PROVEN
    for q in right:
        assert space.section(right | {q: "t^5"}).is_integrable().verdict is Verdict.REFUTED


POINT = mpmath.mpf(3) / 7


@pytest.mark.parametrize("inner", ["sin(t) + t^2", "exp(t)/(1 + t^2)"])
@pytest.mark.parametrize("outer", ["x^3 - cos(x)", "log(2 + x^2)"])
def test_composed_jets_against_differences_at_50_digits(inner, outer):
    f, g = JetSpace(["t"], ["x"], 2).prolong([inner]), JetSpace(["x"], ["y"], 2).prolong([outer])
    through = compose_jets(g, f)
    with mpmath.workdps(50):
        number = lambda text, name, at: mpmath.mpf(to_sympy(parse_expression(text)).subs(name, at).evalf(50))
        whole = lambda t: number(outer, "x", number(inner, "t", t))
        h = mpmath.mpf(10) ** -12
        first = (whole(POINT + h) - whole(POINT - h)) / (2 * h)
        second = (whole(POINT + h) - 2 * whole(POINT) + whole(POINT - h)) / h**2
        for order, value in ((1, first), (2, second)):
            exact = mpmath.mpf(to_sympy(through[0, (0,) * order]).subs("t", POINT).evalf(50))
            assert abs(exact - value) < mpmath.mpf(10) ** -20


def test_a_change_of_time_against_differences_at_50_digits():
    """dx̄/dt̄ and d²x̄/dt̄² of the curve x = sin(2t) under t̄ = t + x²/4, x̄ = x - t, from nearby points of its image."""
    space = JetSpace(["t"], ["x"], 2)
    moved = space.prolong_map(["x - t"], ["t + x^2/4"])
    section = space.prolong(["sin(2*t)"])
    with mpmath.workdps(50):
        x = lambda t: mpmath.sin(2 * t)
        new = lambda t: (t + x(t) ** 2 / 4, x(t) - t)
        h = mpmath.mpf(10) ** -12
        # Slopes of the image curve by its own parameter, at unequal steps.
        slope = lambda t: (new(t + h)[1] - new(t - h)[1]) / (new(t + h)[0] - new(t - h)[0])
        bend = (slope(POINT + h) - slope(POINT - h)) / (new(POINT + h)[0] - new(POINT - h)[0])
        for name, value in (("x'", slope(POINT)), ("x''", bend)):
            formula = section.along(moved[symengine.Symbol(name)])
            assert abs(mpmath.mpf(to_sympy(formula).subs("t", POINT).evalf(50)) - value) < mpmath.mpf(10) ** -20
