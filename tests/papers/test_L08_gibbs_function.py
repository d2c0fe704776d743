r"""L8: the Gibbs function of any regular Lagrangian on $J^2$, and general constraints (Lewis, slides 11–13).

.. math::
   G_L = \tfrac12\frac{\partial^2 L}{\partial v^i\partial v^j}(\xi^i - a^i)(\xi^j - a^j), \qquad
   i^*(d_2G_L) = 0, \qquad C = \{a : A(t,q,v)\,a + b(t,q,v) = 0\}
"""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp
from hypothesis import HealthCheck, given, settings

import anholonomy as ah
from anholonomy.algebra.expressions import to_sympy
from anholonomy.algebra.zero_test import is_zero
from anholonomy.equations.verification import verify
from tests.equations.independent import FORCES, Case, cases, ddx, ddy, ddz, dx, dy, dz, t, x, y, z
from tests.properties.random_systems import systems

REGULAR = {
    "natural": (1 + x**2) * dx**2 / 2 + dx * dy / 3 + dy**2 / 2 + (2 + sp.sin(y)) * dz**2 / 2 - x * y * z,
    "moving": sp.exp(t) * (dx**2 + dy**2) / 2 + (2 + sp.cos(t * x)) * dz**2 / 2 + t * x * dy - z * t,
    "relativistic": -sp.sqrt(9 - dx**2 - dy**2 - dz**2) + x * dz,
    "quartic": dx**4 / 12 + dx**2 / 2 + dy**2 * dz / 5 + dy**2 / 2 + dz**2 / 2 - sp.cos(x) * y,
    "indefinite": dx**2 / 2 - dy**2 / 2 + dz * dx / 2 + dz**2 / 2 + y * dz - x * y,
}
STATE = {"x": 0.3, "y": -0.4, "z": 0.7, "x'": 0.5, "y'": -0.3, "z'": 0.9, "t": 0.2}


def slopes_of_the_print(L: sp.Expr) -> tuple[sp.Matrix, list[sp.Symbol]]:
    """The gradient of the printed G_L in the accelerations, SymPy's derivatives, in numbers at the state."""
    q, v, a = [x, y, z], [dx, dy, dz], [ddx, ddy, ddz]
    p = [L.diff(w) for w in v]
    M = sp.Matrix([[p_i.diff(w) for w in v] for p_i in p])
    h = sp.Matrix(
        [
            p_i.diff(t) + sum(p_i.diff(s) * w for s, w in zip(q, v, strict=True)) - L.diff(s)
            for p_i, s in zip(p, q, strict=True)
        ]
    )
    at = {sp.Symbol(name): sp.Float(value, 30) for name, value in STATE.items()}
    M, h = M.subs(at), h.subs(at)
    xi = M.LUsolve(-h)
    gap = xi - sp.Matrix(a)
    G = (gap.T * M * gap)[0] / 2
    return sp.Matrix([G.diff(s) for s in a]), a


@pytest.mark.parametrize("L", REGULAR.values(), ids=REGULAR.keys())
def test_L8_the_gibbs_function_of_a_regular_lagrangian(L: sp.Expr) -> None:
    """Ours and the print differ by terms without accelerations: their gradients are the same polynomial."""
    system = ah.System(name="regular", coordinates=[x, y, z], lagrangian=L)
    G = to_sympy(ah.principles.gibbs_function(system))
    expected, a = slopes_of_the_print(L)
    at = {sp.Symbol(name): sp.Float(value, 30) for name, value in STATE.items()}
    for slope, s in zip(expected, a, strict=True):
        found = sp.Poly(G.diff(s).subs(at), *a)
        for monomial in (1, *a):
            assert abs(found.coeff_monomial(monomial) - sp.Poly(slope, *a).coeff_monomial(monomial)) < 1e-20


@pytest.mark.parametrize("L", REGULAR.values(), ids=REGULAR.keys())
def test_L8_without_constraints_they_are_lagranges_equations(L: sp.Expr) -> None:
    system = ah.System(name="regular", coordinates=[x, y, z], lagrangian=L)
    slopes, a = slopes_of_the_print(L)
    solution = sp.solve(list(slopes), a, dict=True)[0]
    found = system.derive("gibbs-appell").accelerations(STATE)
    assert found == pytest.approx({s.name: float(solution[s]) for s in a}, rel=1e-13)


CASES = {name: case for name, case in cases().items() if not case.system.model.keeps_redundant}


@pytest.mark.parametrize("name", CASES)
def test_L8_general_constraints(name: str) -> None:
    """G is stationary along the kernel of A: N·M(a - xi) = 0, A a + b = 0, with a kernel from NumPy."""
    case = CASES[name]
    for state in case.states(3):
        M, _, _, A, b = parts = case.parts(state)
        N = np.linalg.svd(A)[2][len(A) :]
        expected = np.linalg.solve(np.vstack([N @ M, A]), np.concatenate([N @ M @ parts.free, -b]))
        np.testing.assert_allclose(case.accelerations("gibbs-appell", state), expected, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("kind", ["nonlinear", "affine time-dependent"])
def test_L8_agrees_with_lagrange_and_dalembert_where_both_apply(kind: str) -> None:
    @settings(max_examples=8, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
    @given(systems(kinds=(kind,)))
    def check(system: ah.System) -> None:
        assert verify(
            system.model, states=1, principles=[ah.principles.LagrangeDAlembert(), ah.principles.GibbsAppell()]
        ).agree

    check()


def test_L8_a_constraint_on_accelerations_has_a_motion_of_its_own() -> None:
    """x'' = -x drives x, whatever the other forces; in a plane with coupled inertia y follows: y'' = x/2 - y'."""
    driven = ah.System(
        name="driven",
        coordinates=["x", "y"],
        lagrangian="(x'^2 + 2*x'*y' + 2*y'^2)/2 - x^3",
        constraints=["x'' = -x"],
        forces={"y": "-2*y'"},
    )
    motion = driven.simulate({"x": 1, "y": 0, "x'": 0, "y'": 0}, until=3, by="gibbs-appell")
    time = motion["x"]["time"]
    expected = (np.sin(time) - np.cos(time) + np.exp(-time)) / 4
    assert float(abs(motion["x"] - np.cos(time)).max()) < 1e-12
    assert float(abs(motion["y"] - expected).max()) < 1e-12


def test_L8_the_gibbs_function_does_not_know_the_forces_and_the_equations_do() -> None:
    system = Case("forced", [x, y, z], REGULAR["natural"], [], FORCES).system
    assert is_zero(
        ah.principles.gibbs_function(system)
        - ah.principles.gibbs_function(ah.System(name="free", coordinates=[x, y, z], lagrangian=REGULAR["natural"]))
    )
    found = system.derive("gibbs-appell").accelerations(STATE)
    assert found == pytest.approx(system.derive("lagrange-dalembert").accelerations(STATE), rel=1e-13)
