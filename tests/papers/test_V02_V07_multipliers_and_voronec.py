r"""V2, V7: d'Alembert's principle with forces and moving constraints, and Voronec's equations.

Jovanović, (2.6), $\frac{d}{dt}\frac{\partial L}{\partial\dot q^i} = \frac{\partial L}{\partial q^i} + F_i + \lambda_\nu a_{\nu i}$, its Hamiltonian form on $T^*Q\times\mathbb R$, and (5.2)–(5.4).
"""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

from anholonomy import System

t = sp.Symbol("t")
q = x, y, z, w = sp.symbols("x y z w")
v = dx, dy, dz, dw = sp.symbols("x' y' z' w'")
n = len(q)

L = (
    (1 + x**2) * dx**2 / 2 + dy**2 / 2 + (2 + sp.sin(t)) * dz**2 / 2 + dw**2 + dx * dz / 3
    + t * y * dx + w * dz - x * z - sp.cos(y + w) * t
)  # fmt: skip
F = {x: -dx * y, y: t * dz, z: t - dz, w: x * dw}
A = sp.Matrix([[sp.sin(t) * y, x + w], [z * y, t * sp.cos(x)]])
"""$a_{\\nu i}$ of the solved constraints $\\dot q^{m+\\nu} = a_{\\nu i}\\dot q^i + a_\\nu$; they depend on everything."""
B = sp.Matrix([sp.cos(t) + z, x * w * t])
SOLVED = {dz: A[0, 0] * dx + A[0, 1] * dy + B[0], dw: A[1, 0] * dx + A[1, 1] * dy + B[1]}


@pytest.fixture(scope="module")
def system() -> System:
    return System(
        name="driven",
        coordinates=list(q),
        lagrangian=L,
        forces=F,
        constraints=[sp.Eq(rate, value) for rate, value in SOLVED.items()],
    )


@pytest.fixture(scope="module", params=[0, 1, 2])
def motion(request, system):
    """State, accelerations and multipliers at an admissible state."""
    values = np.random.default_rng(request.param).uniform(-1, 1, 7)
    state = dict(zip(["t", "x", "y", "z", "w", "x'", "y'"], values, strict=True))
    at = {sp.Symbol(name): value for name, value in state.items()}
    state |= {rate.name: float(value.subs(at)) for rate, value in SOLVED.items()}
    seen = system.derive("lagrange-dalembert").at(state)
    a = {u.name + "'": float(value) for u, value in zip(v, seen.accelerations, strict=True)}
    return state, a, sp.Matrix([float(value) for value in seen.multipliers])


def rows() -> sp.Matrix:
    """The coefficients of the constraints as they were declared, rate minus value."""
    return sp.Matrix([rate - value for rate, value in SOLVED.items()]).jacobian(v)


def size(values: sp.Matrix) -> float:
    return float(max(abs(entry) for entry in values))


def test_V2_the_principles_agree(system) -> None:
    verification = system.verify(digits=30)
    assert verification.agree, str(verification)


def test_V2_euler_lagrange_with_multipliers_and_forces(motion, variation, numbers) -> None:
    state, a, multipliers = motion
    applied = sp.Matrix([F[s] for s in q])
    residual = numbers(variation(L, q) - applied, state, a) - numbers(rows(), state).T * multipliers
    assert size(residual) < 1e-13
    assert size(multipliers) > 1e-2


def test_V2_the_virtual_displacements_are_those_of_the_homogeneous_constraint(motion, variation, numbers) -> None:
    state, a, _ = motion
    applied = sp.Matrix([F[s] for s in q])
    virtual = sp.Matrix([[1, 0, A[0, 0], A[1, 0]], [0, 1, A[0, 1], A[1, 1]]])
    assert size(numbers(virtual * (variation(L, q) - applied), state, a)) < 1e-13


def test_V2_the_hamiltonian_form(motion, d_dt, numbers) -> None:
    r"""$\dot q = \partial H/\partial p$ and $\dot p = -\partial H/\partial q + F + \lambda a$."""
    state, a, multipliers = motion
    p = sp.Matrix(sp.symbols("p1:5"))
    momenta = sp.Matrix([L.diff(u) for u in v])
    mass, gyro = momenta.jacobian(v), momenta.subs(dict.fromkeys(v, 0))
    V = -L.subs(dict.fromkeys(v, 0))
    H = ((p - gyro).T * mass.LUsolve(p - gyro))[0] / 2 + V
    at_p = {s.name: value for s, value in zip(p, numbers(momenta, state), strict=True)}
    rates = numbers(sp.Matrix([H.diff(s) for s in p]), state, at_p)
    assert size(rates - sp.Matrix([state[u.name] for u in v])) < 1e-13
    forced = sp.Matrix([F[s] - H.diff(s) for s in q])
    p_dot = numbers(sp.Matrix([d_dt(m, q) for m in momenta]), state, a)
    assert size(p_dot - numbers(forced, state, at_p) - numbers(rows(), state).T * multipliers) < 1e-13


def voronec_residual(state, a, d_dt, numbers, *, places, fibre) -> sp.Matrix:
    r"""Left minus right of (5.2); ``places`` are what (5.3), (5.4) differentiate by, ``fibre`` what (5.2) does for $L_c$."""
    L_c = L.subs(SOLVED)
    K = [L.diff(u).subs(SOLVED) for u in v[2:]]
    residual = []
    for i in range(2):
        right = L_c.diff(q[i]) + F[q[i]]
        right += sum(A[k, i] * (L_c.diff(fibre[k]) + F[q[2 + k]]) for k in range(2))
        for nu in range(2):
            turned = sum(_curvature(nu, i, j, places) * v[j] for j in range(2)) + _curvature(nu, i, None, places)
            right += K[nu] * turned
        residual.append(d_dt(L_c.diff(v[i]), q) - right)
    return numbers(sp.Matrix(residual), state, a)


def _curvature(nu: int, i: int, j: int | None, places) -> sp.Expr:
    """(5.3) for two indices, (5.4) with time in the place of the second."""
    column = lambda k: B[:, 0] if k is None else A[:, k]
    base = lambda k: t if k is None else places[k]

    def lifted(f: sp.Expr, k: int | None) -> sp.Expr:
        return f.diff(base(k)) + sum(column(k)[mu] * f.diff(places[2 + mu]) for mu in range(2))

    return lifted(column(i)[nu], j) - lifted(column(j)[nu], i)


def test_V7_voronecs_equations_with_derivatives_by_positions(motion, d_dt, numbers) -> None:
    state, a, _ = motion
    assert size(voronec_residual(state, a, d_dt, numbers, places=q, fibre=q[2:])) < 1e-12


def test_V7_the_printed_dots_on_positions_lose_the_constraint_forces(motion, d_dt, numbers) -> None:
    """(5.2)–(5.4) print derivatives by velocities, which are all zero: what remains is not the motion."""
    state, a, _ = motion
    assert size(voronec_residual(state, a, d_dt, numbers, places=v, fibre=v[2:])) > 1e-2
