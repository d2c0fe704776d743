r"""L10: Gauss's principle of least constraint as a quadratic problem (Lewis, slide 16).

.. math:: G_L(a) = \tfrac12\frac{\partial^2 L}{\partial v^i\partial v^j}(\xi^i - a^i)(\xi^j - a^j) \to \min \text{ on } A a + b = 0
"""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

import anholonomy as ah
from anholonomy.algebra.expressions import to_sympy
from tests.equations.independent import Case, Parts, cases, dx, dy, x, y
from tests.wording import blames

CASES = cases()


def constraint(parts: Parts, a: np.ndarray) -> float:
    return float((a - parts.free) @ parts.M @ (a - parts.free)) / 2


@pytest.mark.parametrize("name", CASES)
def test_L10_every_other_admissible_acceleration_is_more_constrained(name: str) -> None:
    """Random neighbours near and far, with A delta = 0; for a positive inertia the motion is the strict minimum."""
    case, rng = CASES[name], np.random.default_rng(7)
    for state in case.states(3):
        parts = case.parts(state)
        assert np.linalg.eigvalsh(parts.M).min() > 0
        a = case.accelerations("gauss", state)
        _, sizes, basis = np.linalg.svd(parts.A)
        N = basis[int((sizes > 1e-10 * sizes[0]).sum()) :].T
        assert N.shape[1] >= 1
        for size in (1e-2, 1.0, 1e3):
            for _ in range(10):
                delta = N @ rng.normal(size=N.shape[1]) * size
                excess = constraint(parts, a + delta) - constraint(parts, a)
                np.testing.assert_allclose(excess, delta @ parts.M @ delta / 2, rtol=1e-6, atol=1e-13)
                assert excess > 0


@pytest.mark.parametrize("name", CASES)
def test_L10_an_inadmissible_acceleration_may_be_less_constrained(name: str) -> None:
    """The constraints are at work: without them Z would be less."""
    case = CASES[name]
    parts = case.parts(state := case.states(1)[0])
    assert constraint(parts, case.accelerations("gauss", state)) > 1e-3 > constraint(parts, parts.free)


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if not case.system.model.keeps_redundant])
def test_L10_the_same_accelerations_as_by_gibbs_and_appell(name: str) -> None:
    case = CASES[name]
    for state in case.states(2):
        np.testing.assert_allclose(
            case.accelerations("gauss", state), case.accelerations("gibbs-appell", state), rtol=1e-12, atol=1e-12
        )


def test_L10_the_function_of_the_software_is_the_printed_one() -> None:
    """Up to a term without accelerations: differences between two accelerations are equal."""
    case, rng = CASES["nonlinear"], np.random.default_rng(3)
    state = case.states(1)[0]
    parts = case.parts(state)
    Z = sp.lambdify(
        [*case.q, *case.v, *case.a],
        to_sympy(ah.principles.gauss_function(case.system)).subs(sp.Symbol("t"), state["t"]),
    )

    def ours(a: np.ndarray) -> float:
        return float(Z(*(state[s.name] for s in (*case.q, *case.v)), *a))

    one, other = rng.normal(size=(2, 3))
    assert ours(one) - ours(other) == pytest.approx(constraint(parts, one) - constraint(parts, other), rel=1e-10)


def test_L10_a_regular_lagrangian_need_not_have_a_critical_point() -> None:
    """L = (x'² - y'²)/2 - x is regular; on x' = y' its quadratic form is zero, and G has no critical point on C."""
    with blames(ah.errors.DeclarationError):
        ah.System(name="null", coordinates=["x", "y"], lagrangian="(x'^2 - y'^2)/2 - x", constraints=["x' = y'"])
    a = sp.Symbol("a")
    G = (-1 - a) ** 2 / 2 - a**2 / 2  # xi = (-1, 0), a = (a, a)
    assert sp.expand(G).coeff(a, 2) == 0
    assert sp.solve(G.diff(a), a) == []


def test_L10_without_definiteness_the_critical_point_is_no_minimum() -> None:
    """On y' = 2x' the same Lagrangian has a negative form: the motion is the most constrained of all."""
    case = Case("indefinite", [x, y], (dx**2 - dy**2) / 2 - x, [dy - 2 * dx])
    state = {"x": 0.1, "y": 0.2, "x'": 1.0, "y'": 2.0}
    parts, a = case.parts(state), case.accelerations("gauss", state)
    np.testing.assert_allclose(a, [1 / 3, 2 / 3], rtol=1e-12)
    for s in (-1.0, 1e-2, 2.0):
        assert constraint(parts, a + s * np.array([1, 2])) < constraint(parts, a)
