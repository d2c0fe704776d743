"""Printed equations are about as short as those one writes by hand, whichever printer prints them."""

from __future__ import annotations

import time

import pytest
import symengine

from anholonomy import System, catalogue
from anholonomy.formulations import ALL
from anholonomy.formulations.textbook import LONGEST_PAGE, page
from anholonomy.language import parse_expression
from anholonomy.symbolic.zero import is_zero

# Both sides of every equation, as one would write them with pencil and paper.
BY_HAND = {
    "rolling-disk": ["(I + m*R^2)*Omega'", "0", "J*omega'", "0"],
    "free-particle": ["m*u'", "0", "m*(1 + x^2)*v'", "-m*x*u*v"],
    "knife-edge": ["m*u'", "m*g*sin(alpha)*cos(phi)", "I*omega'", "0"],
    "chaplygin-sleigh": ["m*u'", "m*a*omega^2", "(I + m*a^2)*omega'", "-m*a*u*omega"],
    "leaning-disc": [
        "(J*cos(theta)^2 + (I + m*R^2)*sin(theta)^2)*psi'' - (I + m*R^2)*sin(theta)*phi''",
        "(I*phi' - 2*(I + m*R^2 - J)*sin(theta)*psi')*cos(theta)*theta'",
        "(J + m*R^2)*theta''",
        "m*g*R*sin(theta) + cos(theta)*psi'*((I + m*R^2 - J)*sin(theta)*psi' - (I + m*R^2)*phi')",
        "(I + m*R^2)*(phi'' - sin(theta)*psi'')",
        "(I + 2*m*R^2)*cos(theta)*psi'*theta'",
    ],
    "1-trailer": [
        "(m*d^2*(1 + cos(theta0 - theta1)^2) + J*sin(theta0 - theta1)^2)*d*v'",
        "(m*d^2 - J)*sin(theta0 - theta1)*cos(theta0 - theta1)*v*(d*omega - v*sin(theta0 - theta1))",
        "J*omega'",
        "0",
    ],
    "2-trailer": [
        "(m*d^2*(1 + cos(theta0 - theta1)^2*(1 + cos(theta1 - theta2)^2))"
        " + J*(1 - cos(theta0 - theta1)^2*cos(theta1 - theta2)^2))*d*v'",
        "v*cos(theta0 - theta1)*((d*omega - v*sin(theta0 - theta1))*sin(theta0 - theta1)"
        "*(m*d^2 + (m*d^2 - J)*cos(theta1 - theta2)^2)"
        " + (m*d^2 - J)*v*cos(theta0 - theta1)*sin(theta1 - theta2)*cos(theta1 - theta2)"
        "*(sin(theta0 - theta1) - cos(theta0 - theta1)*sin(theta1 - theta2)))",
        "J*omega'",
        "0",
    ],
}


def system_named(name: str) -> System:
    count = name.partition("-")[0]
    return catalogue.n_trailer(int(count)) if count.isdigit() else catalogue.ENTRIES[name].make()


def operations(expressions):
    return sum(int(symengine.count_ops(e)) for e in expressions)


@pytest.mark.parametrize("name", BY_HAND)
def test_equations_are_about_as_short_as_by_hand(name):
    system = system_named(name)
    by_hand = [parse_expression(text) for text in BY_HAND[name]]
    printed = [side for row in page(system.derive()).equations for side in row]
    assert operations(printed) <= 1.5 * operations(by_hand)


@pytest.mark.parametrize("name", BY_HAND)
def test_equations_are_those_written_by_hand(name):
    equations = system_named(name).derive()
    by_hand = [parse_expression(text) for text in BY_HAND[name]]
    for place, (left, right) in enumerate(page(equations).equations):
        mine, other = left - right, by_hand[2 * place] - by_hand[2 * place + 1]
        assert is_zero(mine - other)


@pytest.mark.parametrize("name", [*catalogue.ENTRIES, "1-trailer"])
def test_no_squares_that_add_up_to_one_are_left(name):
    text = str(system_named(name).derive())
    assert "cos(theta0)^2" not in text
    assert len(text) < 800


def test_rows_say_what_the_equations_say():
    for principle in ALL:
        equations = principle.derive(catalogue.leaning_disc())
        unknowns = (*equations.rates, *equations.multipliers)
        K, r = equations.explicit
        for row, value, (left, right) in zip(K, r, page(equations).equations, strict=True):
            given = symengine.Add(*(k * z for k, z in zip(row, unknowns, strict=True))) - value
            assert is_zero(given - (left - right))


def test_what_is_too_long_is_a_note_in_text_and_in_latex():
    equations = catalogue.n_trailer(6).derive()
    assert "(2 linear equations for v', omega'; too long to print)" in str(equations)
    assert r"\text{(2 linear equations for } \dot{v}, \dot{\omega} \text{; too long to print)}" in equations.latex()
    assert len(equations.latex()) < 4000


def test_a_long_train_prints_at_once():
    equations = catalogue.n_trailer(32).derive()
    began = time.process_time()
    text = str(equations)
    assert time.process_time() - began < 2
    assert "35 velocities in terms of 2 speeds" in text
    assert len(text) < 1000


def test_both_printers_print_the_same_page():
    equations = catalogue.n_trailer(3).derive("lagrange-dalembert")
    shown = page(equations)
    assert len(shown.equations) == len(equations.right)
    assert operations(side for row in shown.equations for side in row) <= LONGEST_PAGE
    assert equations.latex().count("&=") == str(equations).count(" = ") == len(shown.equations)
