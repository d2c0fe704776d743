r"""J3: Euler–Lagrange (2.2) and Chetaev's equations with multipliers (2.4) of Jóźwikowski & Respondek.

.. math:: \frac{\partial L}{\partial x^j} - \frac{d}{dt}\frac{\partial L}{\partial\dot x^j} = \nu_a\frac{\partial\Phi^a}{\partial\dot x^j}

Their multiplier is the negative of ours, $\nu = -\lambda$. The vakonomic equations (2.3) are not covered here.
"""

from __future__ import annotations

import pytest
import sympy as sp

from anholonomy import System

x, y, z = q = sp.symbols("x y z")
dx, dy, dz = v = sp.symbols("x' y' z'")

NATURAL = (dx**2 + dy**2 + dz**2) / 2 - z
CURVED = (1 + y**2) * dx**2 / 2 + dx * dy / 3 + dy**2 / 2 + (2 + sp.sin(x)) * dz**2 / 2 + x * dz - x * y * z

CASES = {
    "no constraint": (CURVED, [], {"x'": 0.3, "y'": -0.4, "z'": 0.7}),
    "linear": (CURVED, [dz - y * dx + x * dy], {"x'": 0.3, "y'": -0.4}),
    "affine": (CURVED, [dz - y * dx - sp.cos(x) * y], {"x'": 0.3, "y'": -0.4}),
    "constant speed": (NATURAL, [dx**2 + dy**2 + dz**2 - 2], {"x'": 0.3, "y'": -0.4, "z'": 1.3228756555322953}),
    "Appell and Hamel": (NATURAL, [dz**2 - 2 * (dx**2 + dy**2)], {"x'": 0.3, "y'": -0.4, "z'": 0.5 * 2**0.5}),
    "two, one of them nonlinear": (
        CURVED,
        [dx**2 + dy**2 - x * dz, dy - z * dx],
        {"x'": 0.5, "y'": 0.6, "z'": 1.525},
    ),
}


@pytest.mark.parametrize(("L", "constraints", "speeds"), CASES.values(), ids=CASES.keys())
def test_J3_chetaev_with_multipliers(L, constraints, speeds, variation, d_dt, numbers) -> None:
    rows = [sp.Eq(row, 0) for row in constraints]
    system = System(name="particle", coordinates=list(q), lagrangian=L, constraints=rows)
    state = {"x": 0.4, "y": -0.7, "z": 1.2, **speeds}
    equations = system.derive("lagrange-dalembert")
    values = equations.at(state, digits=30)
    a = {s.name + "''": float(value) for s, value in zip(q, values.accelerations, strict=True)}
    nu = sp.Matrix([-sp.Float(str(value.mid().str(25, radius=False)), 25) for value in values.multipliers])
    state |= {name: float(value) for name, value in _velocities(constraints, state).items()}

    left = -numbers(variation(L, q), state, a)
    gradient = sp.Matrix(constraints).jacobian(v).T if constraints else sp.zeros(3, 0)
    right = numbers(gradient, state) * nu if constraints else sp.zeros(3, 1)
    assert max(abs(entry) for entry in left - right) < 1e-13
    if constraints:
        assert max(abs(entry) for entry in nu) > 1e-2
        consistent = numbers(sp.Matrix([d_dt(row, q) for row in constraints]), state, a)
        assert max(abs(entry) for entry in consistent) < 1e-13


def _velocities(constraints: list[sp.Expr], state: dict[str, float]) -> dict[str, float]:
    """The velocities that a linear constraint determines and that the state leaves out."""
    missing = [w for w in v if w.name not in state]
    if not missing:
        return {}
    given = {sp.Symbol(name): value for name, value in state.items()}
    (solution,) = sp.solve([row.subs(given) for row in constraints], missing, dict=True)
    return {w.name: float(value) for w, value in solution.items()}


def test_J3_for_linear_constraints_chetaevs_variations_lie_in_the_distribution() -> None:
    """The reaction annihilates D, and it does not annihilate anything else."""
    L, (row,), speeds = CASES["linear"]
    system = System(name="particle", coordinates=list(q), lagrangian=L, constraints=[sp.Eq(row, 0)])
    state = {"x": 0.4, "y": -0.7, "z": 1.2, **speeds}
    R = list(system.derive("lagrange-dalembert").reactions(state).values())
    for direction in ((1, 0, -0.7), (0, 1, -0.4)):  # z' = y x' - x y'
        assert abs(sum(force * step for force, step in zip(R, direction, strict=True))) < 1e-14
    assert abs(R[2]) > 1e-2
