"""One function, one normal form; few generators."""

from fractions import Fraction

import pytest
import symengine

from anholonomy.algebra.normal_forms.angles import Lattice
from anholonomy.algebra.normal_forms.canonical import Canonical, NoNormalForm

x, y, z = symengine.symbols("x y z")


def test_angles_that_occur_only_together_share_one_base():
    total = symengine.sin(x + y + z) + symengine.cos(2 * (x + y + z))
    assert len(Canonical([total]).angles.bases) == 1


def test_fractions_of_an_angle_have_a_common_base():
    lattice = Lattice()
    lattice.admit([{x: Fraction(1, 2)}, {x: Fraction(1, 3)}])
    assert len(lattice.bases) == 1
    assert abs(lattice.coordinates({x: Fraction(1)})[0]) == 6


def test_angles_without_a_common_measure_stay_apart():
    lattice = Lattice()
    vectors = [{x: Fraction(1)}, {x: Fraction(0.1)}]
    lattice.admit(vectors)
    assert [lattice.coordinates(v) for v in vectors] == [{0: 1}, {1: 1}]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("1/(1 + 1/x)", "x/(x + 1)"),
        ("sin(x)*sin(y)", "(cos(x - y) - cos(x + y))/2"),
        ("sqrt(8*x)", "2*sqrt(2)*sqrt(x)"),
        ("x**(2/3)*x**(1/2)", "x**(7/6)"),
        ("log(x*exp(y))", "log(x) + y"),
    ],
)
def test_equal_functions_have_equal_normal_forms(one, other):
    left, right = symengine.sympify(one), symengine.sympify(other)
    forms = Canonical([left, right])
    assert forms.expression(left) == forms.expression(right)


@pytest.mark.parametrize("text", ["1/(sin(x)**2 + cos(x)**2 - 1)", "log(-2)*x", "I*x", "(1 + x + y + z)**3000"])
def test_no_normal_form(text):
    expression = symengine.sympify(text)
    with pytest.raises(NoNormalForm):
        Canonical([expression]).quotient(expression)
