"""The parts of the display pass: unit circles, signs, and coefficients one by one."""

from __future__ import annotations

import time

import pytest
import symengine

from anholonomy.algebra.normal_forms.canonical import Canonical
from anholonomy.algebra.simplification.polynomials import Splitter
from anholonomy.algebra.simplification.simplify import simplify
from anholonomy.algebra.simplification.sums import oriented, signed, with_factors_outside, with_unit_circles
from anholonomy.algebra.zero_test import is_zero

CIRCLES = {
    "sin(x)**2 + cos(x)**2": "1",
    "m*(2*sin(x)**2 + 2*cos(x)**2)/2": "m",
    "a*b*sin(x + y)**2 + a*b*cos(x + y)**2 + z": "a*b + z",
    "sin(x)**2*sin(y)**2 + sin(x)**2*cos(y)**2 + cos(x)**2": "1",
    "1/(a*sin(x)**2 + a*cos(x)**2)": "1/a",
    "f(x*sqrt(cos(p)**2 + sin(p)**2))": "f(x)",
    "exp(y*sqrt(r**2*cos(p)**2 + r**2*sin(p)**2)/r)": "exp(y*sqrt(r**2)/r)",
    "sin(x)**2 + 2*cos(x)**2": "sin(x)**2 + 2*cos(x)**2",
    "sin(x)**2 + cos(y)**2": "sin(x)**2 + cos(y)**2",
    "sin(x)**2 - cos(x)**2": "sin(x)**2 - cos(x)**2",
}


@pytest.mark.parametrize(("text", "short"), CIRCLES.items())
def test_unit_circles(text, short):
    assert with_unit_circles(symengine.sympify(text)) == symengine.sympify(short)


@pytest.mark.exhaustive
def test_unit_circles_in_an_expression_too_large_for_a_search():
    x = symengine.Symbol("x")
    terms = [
        symengine.Symbol(f"a{i}") * (symengine.sin(i * x) ** 2 + symengine.cos(i * x) ** 2) for i in range(1, 3000)
    ]
    began = time.process_time()
    short = simplify(symengine.Add(*terms))
    assert time.process_time() - began < 2
    assert short == symengine.Add(*(symengine.Symbol(f"a{i}") for i in range(1, 3000)))


FACTORS = {
    "J*x + J*y": "J*(x + y)",
    "(2 + 2*x**2 + 4/r**2)*u/2": "u*(1 + x**2 + 2/r**2)",
    "x/r**2 + y/r**3": "(x + y/r)/r**2",
    "x/r + r*y": "x/r + r*y",
    "x/2 + y/3": "x/2 + y/3",
    "6*x/5 + 4*y/5": "2*(3*x + 2*y)/5",
    "sqrt(x + y)*a + sqrt(x + y)*(x + y)*b": "sqrt(x + y)*(a + (x + y)*b)",
    "f(x*a + x*b)*c": "f(x*(a + b))*c",
}


@pytest.mark.parametrize(("text", "short"), FACTORS.items())
def test_what_all_terms_share_stands_before_their_sum(text, short):
    assert with_factors_outside(symengine.sympify(text)) == symengine.sympify(short)


@pytest.mark.parametrize(
    "text", ["-c*(a - b**2)", "(a - b**2)*(c - d**2)*e", "z + c*(a - b**2)", "-2*c*(a + b)", "a - b", "-a"]
)
def test_signs_move_without_changing_the_value(text):
    expression = symengine.sympify(text)
    assert is_zero(signed(expression) - expression)
    assert is_zero(oriented(expression) - expression)


def test_differences_of_headings_are_found():
    text = "(cos(p)*v - sin(q)*w)**2 + (sin(p)*v + cos(q)*w)**2"
    short = simplify(symengine.sympify(text))
    assert symengine.count_ops(short) <= symengine.count_ops(symengine.sympify("v**2 + w**2 + 2*v*w*sin(p - q)")) + 1


def test_coefficients_are_shortened_one_by_one():
    text = "u*w*s0*(m - J) + u**2*(J*sin(x)**2 + m*(1 + cos(x)**2))"
    expression = symengine.sympify(text)
    forms = Canonical([expression])
    short = Splitter(forms.ring, forms.radicals.pairs).shortest(forms.quotient(expression).num)
    assert is_zero(short - expression)
    assert symengine.count_ops(short) <= symengine.count_ops(expression)
