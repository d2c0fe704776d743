"""Verdicts on identities: every yes is true, every no is true, and little is left unknown."""

import random

import mpmath
import pytest
import symengine
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from anholonomy.algebra.arithmetic import evaluate
from anholonomy.algebra.numbers.random_points import random_point
from anholonomy.algebra.zero_test import are_all_zero, is_zero, witness, zero_test
from anholonomy.base.verdict import Verdict

from .identities import NONZERO, UNDECIDED, ZERO
from .strategies import HighPrecision, a, rewritten, smooth, treacherous, x, y

quick = settings(max_examples=60, deadline=None, derandomize=True)


@pytest.mark.parametrize("text", ZERO)
def test_identities_are_proven(text):
    assert zero_test(symengine.sympify(text)) is Verdict.PROVEN


@pytest.mark.parametrize("text", NONZERO)
def test_near_misses_are_refuted(text):
    assert zero_test(symengine.sympify(text)) is Verdict.REFUTED


@pytest.mark.parametrize("text", UNDECIDED)
def test_what_is_out_of_reach_is_unknown(text):
    assert zero_test(symengine.sympify(text)) is Verdict.UNKNOWN


@pytest.mark.parametrize("value", ["nan", "oo", "zoo", "I", "I*x", "floor(x) - x"])
def test_what_is_no_real_function_of_the_language_is_unknown(value):
    assert zero_test(symengine.sympify(value)) is Verdict.UNKNOWN


@quick
@given(rewritten(smooth))
def test_rewriting_by_an_identity_is_seen_through(pair):
    expression, same = pair
    assert zero_test(expression - same) is Verdict.PROVEN


@quick
@given(rewritten(smooth), st.sampled_from([x, y * a, symengine.Rational(1, 10**20), symengine.sin(x)]))
def test_a_perturbation_is_seen(pair, change):
    expression, same = pair
    assert zero_test(expression - same + change) is Verdict.REFUTED


def size(expression, point):
    """Its absolute value to 50 digits, or None where a part of it is not real."""
    with mpmath.workdps(80):
        known = {name: HighPrecision().number(value) for name, value in point.items()}
        try:
            value = evaluate(expression, HighPrecision(), known)
        except (ZeroDivisionError, ValueError, OverflowError):
            return None
        real = all(mpmath.im(part) == 0 and mpmath.isfinite(part) for part in known.values())
        return abs(value) if real else None


@settings(quick, max_examples=150)
@given(treacherous, treacherous)
def test_no_verdict_contradicts_fifty_digits(left, right):
    expression = left**2 - right**2 if left != right else left - symengine.Abs(left)
    assume(not expression.has(symengine.I))
    verdict = zero_test(expression)
    if verdict is Verdict.PROVEN:
        rng = random.Random(7)
        sizes = [size(expression, random_point([x, y, a], rng, kind)) for kind in range(15)]
        assert all(value < 1e-50 for value in sizes if value is not None)
    if verdict is Verdict.REFUTED:
        # An independent arithmetic finds the same at the very point that is offered as proof.
        found = size(expression, witness(expression))
        assume(found is not None)  # towers of exponentials overflow in mpmath
        assert found > 1e-50


def test_derivatives_of_unknown_functions_are_independent():
    f = symengine.Function("f")
    assert zero_test(f(x).diff(x) - f(x)) is Verdict.REFUTED
    assert zero_test(f(x, y).diff(x, y) - f(x, y).diff(y, x)) is Verdict.PROVEN
    assert zero_test((f(x) * x).diff(x) - f(x) - x * f(x).diff(x)) is Verdict.PROVEN


def test_equal_arguments_are_never_told_apart():
    f = symengine.Function("f")
    assert zero_test(f(1) - f(symengine.sin(x) ** 2 + symengine.cos(x) ** 2)) is not Verdict.REFUTED


def test_inverse_of_a_mass_matrix():
    m, M, l = symengine.symbols("m M l")
    c, s = symengine.cos(x), symengine.sin(x)
    det = (m + M) * m * l**2 - (m * l * c) ** 2
    inverse = [[m * l**2 / det, -m * l * c / det], [-m * l * c / det, (m + M) / det]]
    matrix = [[m + M, m * l * c], [m * l * c, m * l**2]]
    product = [sum(matrix[i][k] * inverse[k][j] for k in range(2)) - int(i == j) for i in range(2) for j in range(2)]
    assert are_all_zero(product)
    assert is_zero(det - m * l**2 * (M + m * s**2))


def test_a_large_expression_is_given_up_not_hung_on():
    symbols = symengine.symbols("z0:12")
    huge = symengine.Add(*symbols, symengine.sqrt(1 + symbols[0] ** 2)) ** 40
    assert zero_test(huge * symengine.sin(x) ** 2 + huge * symengine.cos(x) ** 2 - huge) is not Verdict.REFUTED
