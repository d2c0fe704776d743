r"""J1: the canonical flip, section 1 of Jóźwikowski & Respondek.

.. math:: \kappa(x, y, \delta x, \delta y) = (x, \delta x, y, \delta y), \qquad V_X[X, Y] = A - \kappa(B), \quad A = TX(Y),\ B = TY(X)

Proposition 1.1 has the sign of the bracket reversed: $A - \kappa(B) = \partial_Y X - \partial_X Y = [Y, X]$. Corollary 1.2, that $\mathcal D$ is
integrable exactly when $\kappa$ maps $T\mathcal D$ into itself, holds for the vectors of $T\mathcal D$ that project into
$\mathcal D$; taken literally it fails for every integrable distribution but $TM$.
"""

from __future__ import annotations

import pytest
import symengine

from anholonomy.algebra.zero_test import is_zero
from anholonomy.base.verdict import Verdict
from anholonomy.geometry import Frame
from anholonomy.geometry.distributions.distribution import Distribution
from anholonomy.geometry.second_tangent import SecondTangent, flip_test, tangent_equations, tangent_lift
from anholonomy.geometry.vector_fields import lie_bracket, vector_field

SPACE = ["x", "y", "z"]
PAIRS = [
    (["1", "0", "y"], ["0", "1", "0"]),
    (["-y", "x", "z"], ["x*z", "sin(x)", "1"]),
    (["cos(z)", "sin(z)", "0"], ["0", "0", "1"]),
    (["exp(y)", "x^2", "x*y*z"], ["z", "1/(1 + x^2)", "y"]),
]
DISTRIBUTIONS = {
    "planes": (["z' = 0"], SPACE, True),
    "spheres": (["x*x' + y*y' + z*z' = 0"], SPACE, True),
    "an integrating factor": (["exp(z)*(x' + y') = 0"], SPACE, True),
    "graphs": (["z' = y*x' + x*y'"], SPACE, True),
    "lines": (["y' = x*x'", "z' = sin(x)*x'"], SPACE, True),
    "two rows integrable jointly": (["u' = v*x' + x*v'", "v' = v*y'"], ["x", "y", "u", "v"], True),
    "contact": (["z' = y*x'"], SPACE, False),
    "skate": (["x'*sin(theta) = y'*cos(theta)"], ["x", "y", "theta"], False),
    "rolling disk": (["x' = R*cos(phi)*theta'", "y' = R*sin(phi)*theta'"], ["x", "y", "theta", "phi"], False),
    "Engel": (["y' = z*x'", "z' = w*x'"], ["x", "y", "z", "w"], False),
    "one row integrable, not the pair": (["u' = 0", "w' = y*x'"], ["x", "y", "u", "w"], False),
    "unspecified": (["z' = f(x, y)*x'"], SPACE, False),
}


@pytest.mark.parametrize(("X", "Y"), PAIRS)
def test_J1_the_printed_vertical_part_is_the_bracket_with_the_other_sign(X, Y) -> None:
    chart = Frame(SPACE)
    X, Y = vector_field(chart, X), vector_field(chart, Y)
    A, B = tangent_lift(X, Y), tangent_lift(Y, X)
    printed = A.vertical_difference(B.flip())
    corrected = B.vertical_difference(A.flip())
    bracket = lie_bracket(X, Y)
    assert all(is_zero(printed[i] + bracket[i]) for i in range(3))
    assert all(is_zero(corrected[i] - bracket[i]) for i in range(3))
    assert bracket.is_zero().verdict is Verdict.REFUTED


def test_J1_a_counterexample_to_the_printed_sign() -> None:
    """X = ∂_x, Y = x ∂_x on the line: [X, Y] = ∂_x, and A - κ(B) = -∂_x."""
    line = Frame(["x"])
    X, Y = vector_field(line, ["1"]), vector_field(line, ["x"])
    assert lie_bracket(X, Y)[0] == 1
    assert tangent_lift(X, Y).vertical_difference(tangent_lift(Y, X).flip()) == (-1,)


@pytest.mark.parametrize(("constraints", "coordinates", "integrable"), DISTRIBUTIONS.values(), ids=DISTRIBUTIONS.keys())
def test_J1_integrable_exactly_when_the_flip_keeps_what_projects_into_D(constraints, coordinates, integrable) -> None:
    D = Distribution.from_constraints(constraints, coordinates, functions=["f"])
    test = flip_test(D)
    assert bool(test.is_integrable) is integrable
    assert bool(D.is_integrable()) is integrable
    # The vector that is flipped does lie in TD.
    assert all(is_zero(each) for each in tangent_equations(D, test.vector))


def test_J1_taken_literally_the_corollary_fails_for_an_integrable_distribution() -> None:
    """D = {z' = 0}: V = (x; ∂_x; ∂_z; 0) lies in TD, and κ(V) has the velocity ∂_z, which is not in D."""
    D = Distribution.from_constraints(["z' = 0"], SPACE)
    assert D.is_integrable()
    x = Frame(SPACE).coordinates
    V = SecondTangent(x, (1, 0, 0), (0, 0, 1), (symengine.Integer(0),) * 3)
    assert all(each == 0 for each in tangent_equations(D, V))
    assert any(each != 0 for each in tangent_equations(D, V.flip()))


@pytest.mark.parametrize("name", ["contact", "skate", "rolling disk"])
def test_J1_the_defect_is_the_exterior_derivative_of_the_constraint(name) -> None:
    r"""What the flip leaves is $d\theta(v, \dot x)$, so it is antisymmetric in the two velocities."""
    constraints, coordinates, _ = DISTRIBUTIONS[name]
    test = flip_test(Distribution.from_constraints(constraints, coordinates))
    exchanged = dict(zip((*test.u, *test.w), (*test.w, *test.u), strict=True))
    assert all(is_zero(each + each.xreplace(exchanged)) for each in test.defects)
    assert any(each != 0 for each in test.defects)
