"""Printed equations are about as short as those one writes by hand, whichever printer prints them."""

from __future__ import annotations

import time
from math import cos, sin

import numpy as np
import pytest
import symengine

from anholonomy import System, catalogue
from anholonomy.algebra.calculus import partial
from anholonomy.algebra.simplification.simplify import PAGE
from anholonomy.algebra.zero_test import is_zero
from anholonomy.equations.principles import PRINCIPLES, Hamel
from anholonomy.equations.textbook import page
from anholonomy.language import parse_expression, to_text

# Both sides of every equation, as one would write them with pencil and paper: first those in speeds.
IN_SPEEDS = {
    "rolling-disk": ["(I + m*R^2)*Omega'", "0", "J*omega'", "0"],
    "free-particle": ["m*u'", "0", "m*(1 + x^2)*v'", "-m*x*u*v"],
    "knife-edge": ["m*u'", "m*g*sin(alpha)*cos(phi)", "I*omega'", "0"],
    "chaplygin-sleigh": ["m*u'", "m*a*omega^2", "(I + m*a^2)*omega'", "-m*a*u*omega"],
    "carriage": ["(m + 2*I/R^2)*v'", "0", "(J + 2*I*w^2/R^2)*omega'", "0"],
    "appell-machine": [
        "((M + m)*a^2 + m*b^2 + I)*Omega'",
        "m*g*b + m*a*rho*omega^2",
        "(J + m*rho^2)*omega'",
        "-m*a*rho*Omega*omega",
    ],
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

# Those with multipliers: the motion, then the constraints differentiated.
WITH_MULTIPLIERS = {
    "rolling-disk": [
        *("m*x''", "lambda1", "m*y''", "lambda2"),
        *("I*theta''", "-R*(lambda1*cos(phi) + lambda2*sin(phi))", "J*phi''", "0"),
        *("x'' - R*cos(phi)*theta''", "-R*sin(phi)*phi'*theta'", "y'' - R*sin(phi)*theta''", "R*cos(phi)*phi'*theta'"),
    ],
    "free-particle": ["m*x''", "0", "m*y''", "lambda1*x", "m*z''", "lambda1", "z'' + x*y''", "-x'*y'"],
    "knife-edge": [
        *("m*x''", "m*g*sin(alpha) + lambda1*sin(phi)", "m*y''", "-lambda1*cos(phi)", "I*phi''", "0"),
        *("sin(phi)*x'' - cos(phi)*y''", "-phi'*(cos(phi)*x' + sin(phi)*y')"),
    ],
    "chaplygin-sleigh": [
        *("m*(x'' - a*sin(theta)*theta'')", "m*a*cos(theta)*theta'^2 - lambda1*sin(theta)"),
        *("m*(y'' + a*cos(theta)*theta'')", "m*a*sin(theta)*theta'^2 + lambda1*cos(theta)"),
        *("(I + m*a^2)*theta'' + m*a*(cos(theta)*y'' - sin(theta)*x'')", "0"),
        *("cos(theta)*y'' - sin(theta)*x''", "theta'*(cos(theta)*x' + sin(theta)*y')"),
    ],
    "carriage": [
        *("m*x''", "lambda1*cos(phi) - lambda2*sin(phi)", "m*y''", "lambda1*sin(phi) + lambda2*cos(phi)"),
        *("J*phi''", "lambda3*w", "2*I*theta1''", "-R*lambda1", "2*I*theta2''", "-R*lambda3"),
        *("cos(phi)*x'' + sin(phi)*y'' - R*theta1''", "phi'*(sin(phi)*x' - cos(phi)*y')"),
        *("cos(phi)*y'' - sin(phi)*x''", "phi'*(cos(phi)*x' + sin(phi)*y')", "w*phi'' - R*theta2''", "0"),
    ],
    "constant-speed": [
        *("m*x''", "2*lambda1*x'", "m*y''", "2*lambda1*y'", "m*z''", "2*lambda1*z' - m*g"),
        *("2*(x'*x'' + y'*y'' + z'*z'')", "0"),
    ],
    "appell-hamel": [
        *("m*x''", "2*lambda1*x'", "m*y''", "2*lambda1*y'", "m*z''", "-2*(a/b)^2*lambda1*z' - m*g"),
        *("2*(x'*x'' + y'*y'' - (a/b)^2*z'*z'')", "0"),
    ],
    "benenti": [
        *("m1*x1''", "lambda1*y2'", "m1*y1''", "-m1*g - lambda1*x2'"),
        *("m2*x2''", "-lambda1*y1'", "m2*y2''", "-m2*g + lambda1*x1'"),
        *("x1''*y2' + x1'*y2'' - x2''*y1' - x2'*y1''", "0"),
    ],
}
BY_HAND = {
    **{(name, "hamel"): rows for name, rows in IN_SPEEDS.items()},
    **{(name, "lagrange-dalembert"): rows for name, rows in WITH_MULTIPLIERS.items()},
}
every_page = pytest.mark.parametrize(("name", "by"), BY_HAND)


def system_named(name: str) -> System:
    count = name.partition("-")[0]
    return catalogue.n_trailer(int(count)) if count.isdigit() else catalogue.ENTRIES[name].make()


def operations(expressions):
    return sum(int(symengine.count_ops(e)) for e in expressions)


@every_page
def test_equations_are_about_as_short_as_by_hand(name, by):
    by_hand = [parse_expression(text) for text in BY_HAND[name, by]]
    printed = [side for row in page(system_named(name).derive(by).data).equations for side in row]
    assert operations(printed) <= 1.5 * operations(by_hand)


@every_page
def test_equations_are_those_written_by_hand(name, by):
    by_hand = [parse_expression(text) for text in BY_HAND[name, by]]
    printed = page(system_named(name).derive(by).data).equations
    assert 2 * len(printed) == len(by_hand)
    for place, (left, right) in enumerate(printed):
        mine, other = left - right, by_hand[2 * place] - by_hand[2 * place + 1]
        assert is_zero(mine - other)


@pytest.mark.parametrize("name", [*catalogue.ENTRIES, "1-trailer"])
def test_no_squares_that_add_up_to_one_are_left(name):
    system = system_named(name)
    text = str(system.derive("hamel" if Hamel().covers(system) else "lagrange-dalembert"))
    assert "cos(theta0)^2" not in text
    assert len(text) < (2000 if system.model.group else 800)  # a quaternion needs more letters than an angle


WHEELS = System(
    name="two wheels and a rotor",
    coordinates=["x", "y", "theta", "delta"],
    lagrangian="m*((x' - b*sin(theta)*theta')^2 + (y' + b*cos(theta)*theta')^2)/2 + I*theta'^2/2 + J*(theta' + delta')^2/2",
    constraints=["cos(theta)*y' - sin(theta)*x' = 0", "cos(theta)*x' + sin(theta)*y' - w*theta' = r*delta'"],
    parameters=["m", "I", "J", "b", "w", "r", "c"],
    forces={"x": "-c*x'*sqrt(x'^2 + y'^2)", "y": "-c*y'*sqrt(x'^2 + y'^2)"},
)


def test_common_factors_stand_outside():
    lines = str(WHEELS.derive("lagrange-dalembert")).splitlines()
    assert "  m*(x'' - b*sin(theta)*theta'') =" in "\n".join(lines)
    assert any(line.startswith("  J*(delta'' + theta'') = ") for line in lines)
    assert not any(" = -(" in line and line.endswith(")") for line in lines)


def test_rows_have_no_denominators_that_both_sides_could_lose():
    left, right = page(WHEELS.derive("maggi").data).equations[0]
    assert "/" not in to_text(left) + to_text(right)


def test_no_root_of_a_unit_circle_is_shown():
    disc = System(
        name="disc with a drag",
        coordinates=["x", "y", "phi", "psi"],
        lagrangian="(x'^2 + y'^2 + phi'^2 + psi'^2)/2",
        constraints=["x' = r*psi'*cos(phi)", "y' = r*psi'*sin(phi)"],
        parameters=["r", "c"],
        forces={"x": "-c*x'/sqrt(x'^2 + y'^2)", "y": "-c*y'/sqrt(x'^2 + y'^2)"},
    )
    assert "(r^2 + 1)*abs(psi')*psi'' = -c*abs(r)*psi'" in str(disc.derive("hamel"))


@pytest.mark.exhaustive
def test_rows_say_what_the_equations_say():
    for principle in PRINCIPLES:
        equations = principle.derive(catalogue.leaning_disc())
        unknowns = (*equations.rates, *equations.multipliers)
        K, r = equations.explicit
        shown = page(equations)
        if shown.unprinted:
            continue
        for row, value, (left, right) in zip(K, r, shown.equations, strict=True):
            given = symengine.Add(*(k * z for k, z in zip(row, unknowns, strict=True))) - value
            # A row may be printed without its denominators, so it is compared up to a factor.
            own, unknown = next((k, z) for k, z in zip(row, unknowns, strict=True) if k != 0)
            printed = partial(left - right, unknown)
            assert not is_zero(printed)
            assert is_zero(given * printed / own - (left - right))


def test_what_is_too_long_is_a_note_in_text_and_in_latex():
    equations = catalogue.n_trailer(6).derive()
    assert f"(2 linear equations for v', omega': [{equations.data.expanded_operation_count:,} operations])" in str(
        equations
    )
    assert "`.text(whole=True)` or `anholonomy derive … --all` prints it" in str(equations)
    assert r"\text{(2 linear equations for } \dot{v}, \dot{\omega} \text{; too long to print)}" in equations.latex()
    assert len(equations.latex()) < 4000


def test_a_side_longer_than_a_paragraph_is_counted_and_whole_on_request():
    sums = [" + ".join(f"{a}{k}*{b}{k}" for k in range(150)) for a, b in ("mn", "fg")]
    letters = [f"{letter}{k}" for letter in "mnfg" for k in range(150)]
    system = System(
        coordinates=["x", "y"],
        lagrangian=f"({sums[0]})*x'^2/2 + x'*y' + y'^2/2",
        forces={"x": sums[1]},
        parameters=letters,
    )
    equations = system.derive()
    assert "[299 operations]*x'' + [0 operations]*y'' = [299 operations]" in str(equations)
    assert "x'' + y'' = 0" in str(equations)
    assert "--all` prints it" in str(equations)
    whole = equations.text(whole=True)
    assert "m149*n149" in whole
    assert "f149*g149" in whole
    assert "operations" not in whole
    assert "operations" not in equations.latex()


@pytest.mark.parametrize("by", ["udwadia-kalaba", "voronec"])
def test_what_comes_step_by_step_has_the_same_solution(by):
    system, v, d = catalogue.n_trailer(2).with_parameters(d=0.8), 0.7, 0.8
    state = {"x": 1, "y": 2, "theta0": 0.3, "theta1": 0.5, "theta2": -0.2, "theta0'": 0.4}
    state |= {"x'": v * cos(0.3), "y'": v * sin(0.3)}
    state |= {"theta1'": v * sin(0.3 - 0.5) / d, "theta2'": v * cos(0.3 - 0.5) * sin(0.5 + 0.2) / d}
    equations = system.derive(by)
    assert "operations]" in str(equations)
    known = {symengine.Symbol(name): value for name, value in {**state, **system.parameters}.items()}
    unknowns = [symengine.Symbol(z.name) for z in (*equations.rates, *equations.multipliers)]
    rows = []
    for line in equations.text(whole=True).splitlines()[1:]:
        if "singular" not in line:
            left, right = map(parse_expression, line.split(" = "))
            if left in unknowns or left.free_symbols & set(unknowns):
                rows.append(
                    [
                        float((side.diff(z) if z else side).subs(known))
                        for side, z in [*((left, z) for z in unknowns), (right, None)]
                    ]
                )
            else:
                known[left] = float(right.subs(known))
    found = np.linalg.solve(np.array(rows)[:, :-1], np.array(rows)[:, -1])
    truth = system.derive("hamel").accelerations(state)
    for z, value in zip(unknowns[: len(equations.rates)], found, strict=False):
        assert value == pytest.approx(truth[z.name], abs=1e-9)


@pytest.mark.exhaustive
def test_a_long_train_prints_at_once():
    equations = catalogue.n_trailer(32).derive()
    began = time.process_time()
    text = str(equations)
    assert time.process_time() - began < 2
    assert "35 velocities in terms of 2 speeds" in text
    assert len(text) < 1000


def test_both_printers_print_the_same_page():
    equations = catalogue.n_trailer(3).derive("lagrange-dalembert")
    shown = page(equations.data)
    assert len(shown.equations) == len(equations.data.rhs)
    assert operations(side for row in shown.equations for side in row) <= PAGE
    assert equations.latex().count("&=") == str(equations).count(" = ") == len(shown.equations)
