"""The same systems formulated independently with SymPy's mechanics: reference frames, Kane and Lagrange."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp
from sympy.physics.mechanics import (
    KanesMethod,
    LagrangesMethod,
    Point,
    ReferenceFrame,
    RigidBody,
    dot,
    dynamicsymbols,
    inertia,
)

from anholonomy import catalogue

t = dynamicsymbols._t


@pytest.fixture(scope="module")
def kanes_disc() -> sp.Matrix:
    """Accelerations of yaw, lean and roll of SymPy's documented rolling disc, as a function of state and parameters."""
    q = dynamicsymbols("q1:4")
    u = dynamicsymbols("u1:4")
    m, I, J, R, g = parameters = sp.symbols("m I J R g")
    N, Y, L, B = (ReferenceFrame(name) for name in "NYLB")
    Y.orient_axis(N, N.z, q[0])
    L.orient_axis(Y, Y.x, q[1])
    B.orient_axis(L, L.y, q[2])
    from_rates = B.ang_vel_in(N)
    B.set_ang_vel(N, u[0] * L.x + u[1] * L.y + u[2] * L.z)
    contact = Point("C")
    contact.set_vel(N, 0)
    centre = contact.locatenew("G", R * L.z)
    centre.v2pt_theory(contact, N, B)
    disc = RigidBody("disc", centre, B, m, (inertia(L, J, I, J), centre))
    kinematics = [dot(B.ang_vel_in(N) - from_rates, axis) for axis in L]
    kane = KanesMethod(N, q_ind=q, u_ind=u, kd_eqs=kinematics)
    kane.kanes_equations([disc], [(centre, -m * g * N.z)])
    rates = {q_i.diff(t): kane.kindiffdict()[q_i.diff(t)] for q_i in q}
    u_dot = kane.mass_matrix.LUsolve(kane.forcing)
    second = sp.Matrix([rates[q_i.diff(t)].diff(t) for q_i in q])
    second = second.subs(dict(zip([u_i.diff(t) for u_i in u], u_dot, strict=True))).subs(rates)
    speeds = sp.Matrix([dot(from_rates, axis) for axis in L])
    dq = sp.symbols("dq1:4")
    second = second.subs(dict(zip(u, speeds, strict=True))).subs(dict(zip([q_i.diff(t) for q_i in q], dq, strict=True)))
    return sp.lambdify([*q, *dq, *parameters], second, cse=True)


@pytest.mark.parametrize("seed", range(6))
def test_leaning_disc_accelerates_as_by_kane(kanes_disc, seed: int) -> None:
    rng = np.random.default_rng(seed)
    psi, theta, phi = rng.uniform(-1.2, 1.2, 3)
    dpsi, dtheta, dphi = rng.uniform(-3, 3, 3)
    m, I, J, R, g = rng.uniform(0.5, 2, 5)
    state = {"x": 0.3, "y": -1, "psi": psi, "theta": theta, "phi": phi, "psi'": dpsi, "theta'": dtheta, "phi'": dphi}
    ours = catalogue.leaning_disc(m, I, J, R, g).derive("lagrange-dalembert").accelerations(state)
    # SymPy's example leans by a positive rotation about the heading, which is to the right.
    yaw, lean, roll = np.ravel(kanes_disc(psi, -theta, phi, dpsi, -dtheta, dphi, m, I, J, R, g))
    np.testing.assert_allclose([ours["psi''"], ours["theta''"], ours["phi''"]], [yaw, -lean, roll], rtol=1e-10)


@pytest.mark.parametrize("principle", ["hamel", "maggi", "lagrange-dalembert"])
def test_sleigh_accelerates_as_by_lagranges_method(principle: str) -> None:
    x, y, theta = q = dynamicsymbols("x y theta")
    m, I, a = sp.symbols("m I a")
    centre = sp.Matrix([x + a * sp.cos(theta), y + a * sp.sin(theta)]).diff(t)
    kinetic = m * centre.dot(centre) / 2 + I * theta.diff(t) ** 2 / 2
    blade = -sp.sin(theta) * x.diff(t) + sp.cos(theta) * y.diff(t)
    method = LagrangesMethod(kinetic, q, nonhol_coneqs=[blade])
    method.form_lagranges_equations()
    velocities, dq = [q_i.diff(t) for q_i in q], sp.symbols("dx dy dtheta")
    right = method.mass_matrix_full.LUsolve(method.forcing_full).subs(dict(zip(velocities, dq, strict=True)))
    evaluate = sp.lambdify([*q, *dq, m, I, a], right[3:6])
    for seed in range(5):
        rng = np.random.default_rng(seed)
        heading, u, turning = rng.uniform(-3, 3, 3)
        values = rng.uniform(0.3, 2, 3)
        dx, dy = u * np.cos(heading), u * np.sin(heading)
        state = {"x": 1, "y": 2, "theta": heading, "x'": dx, "y'": dy, "theta'": turning}
        ours = catalogue.chaplygin_sleigh(*values).derive(principle).accelerations(state)
        expected = evaluate(1, 2, heading, dx, dy, turning, *values)
        np.testing.assert_allclose(list(ours.values()), expected, rtol=1e-10, atol=1e-10)
