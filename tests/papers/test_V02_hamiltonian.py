r"""V2: the Hamiltonian form on the constraint submanifold of $T^*Q\times\mathbb R$ (Jovanović, section 2.2).

.. math:: \mathcal M = \{p = \partial L/\partial\dot q,\ \dot q\in\mathcal A_t\}, \qquad
          \dot q = \frac{\partial H}{\partial p}, \quad \dot p = -\frac{\partial H}{\partial q} + F + \lambda_\nu a_\nu

The printed side lives in $(q, p)$ and has multipliers; ours lives on $\mathcal M$ with coordinates $(q, \pi, t)$ and has none. The embedding
$p = \partial L/\partial\dot q(q, w(q, \pi, t), t)$ takes one vector field to the other.
"""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

from anholonomy import System
from anholonomy.algebra.expressions import to_sympy
from anholonomy.errors import DeclarationError
from tests.wording import blames

t = sp.Symbol("t")
q = x, y, z = sp.symbols("x y z")
v = dx, dy, dz = sp.symbols("x' y' z'")
p = sp.Matrix(sp.symbols("P1:4"))

L = (1 + x**2) * dx**2 / 2 + dy**2 / 2 + (2 + sp.sin(t)) * dz**2 / 2 + dx * dz / 3 + t * y * dx - x * z * t
F = {x: -dx * y, y: t * dz, z: t - dz}
CONSTRAINT = dz - (t * y * dx + x * dy + t**2 + z)
LINEAR = dz - (y * dx - x * dy)


def hamilton() -> sp.Expr:
    """The Legendre transform of L on the whole cotangent bundle."""
    momenta = sp.Matrix([L.diff(u) for u in v])
    mass, gyro = momenta.jacobian(v), momenta.subs(dict.fromkeys(v, 0))
    return ((p - gyro).T * mass.LUsolve(p - gyro))[0] / 2 - L.subs(dict.fromkeys(v, 0))


def printed_field(phi: sp.Expr, at: dict) -> tuple[sp.Matrix, sp.Matrix]:
    r"""The printed vector field at a point of $\mathcal M$; $\lambda$ keeps $\varphi(q, \partial H/\partial p, t)$ constant."""
    H = hamilton()
    number = lambda e: sp.Matrix(e).xreplace(at).evalf(30)
    q_dot = sp.Matrix([H.diff(s) for s in p])
    on_shell = dict(zip(v, q_dot, strict=True))
    row = number([[phi.diff(u) for u in v]])
    free = number([(F[s]).xreplace(on_shell) - H.diff(s) for s in q])
    tangency = phi.xreplace(on_shell)
    rates = [*zip(q, number(q_dot), strict=True), *zip(p, free, strict=True), (t, 1)]
    coasting = sum(number([tangency.diff(s)])[0] * rate for s, rate in rates)
    slope = sum(number([tangency.diff(s)])[0] * a for s, a in zip(p, row, strict=True))
    return number(q_dot), free - row.T * coasting / slope


@pytest.fixture(scope="module", params=[CONSTRAINT, LINEAR], ids=["affine and moving", "linear"])
def case(request):
    system = System(
        name="driven", coordinates=list(q), lagrangian=L, forces=F, constraints=[sp.Eq(request.param, 0)]
    )  # fmt: skip
    form = system.hamiltonian_form()
    chart = [sp.Symbol(s.name) for s in form.variables]
    w = sp.Matrix([to_sympy(value) for value in form.velocities])
    embedding = sp.Matrix([L.diff(u).xreplace(dict(zip(v, w, strict=True))) for u in v])
    return request.param, form, chart, w, embedding


def point(chart, seed: int) -> dict:
    values = np.random.default_rng(seed).uniform(-1, 1, len(chart) + 1)
    return {s: sp.Float(value, 40) for s, value in zip([*chart, t], values, strict=True)}


@pytest.mark.exhaustive_for("affine and moving-0", "affine and moving-1", "linear-0", "linear-1")
@pytest.mark.parametrize("seed", [0, 1])
def test_V2_the_embedding_takes_our_equations_to_the_printed_ones(case, seed) -> None:
    phi, form, chart, _, embedding = case
    at = point(chart, seed)
    rates = sp.Matrix([to_sympy(form.rate(s)) for s in form.variables]).xreplace(at).evalf(30)
    momenta = embedding.xreplace(at).evalf(30)
    pushed = (embedding.jacobian(chart).xreplace(at) * rates + embedding.diff(t).xreplace(at)).evalf(30)
    q_dot, p_dot = printed_field(phi, at | dict(zip(p, momenta, strict=True)))
    assert max(abs(e) for e in q_dot - rates[:3, 0]) < 1e-20
    assert max(abs(e) for e in p_dot - pushed) < 1e-20


def test_V2_the_submanifold_has_the_dimension_that_is_printed(case) -> None:
    r"""$n + m + 1$, and every point of it satisfies the constraint."""
    phi, _, chart, w, embedding = case
    at = point(chart, 5)
    whole = sp.Matrix([*q, *embedding, t])
    assert whole.jacobian([*chart, t]).xreplace(at).rank(iszerofunc=lambda e: abs(e) < 1e-25) == 3 + 2 + 1
    assert abs(phi.xreplace(dict(zip(v, w, strict=True))).xreplace(at)) < 1e-30


def test_V2_the_reduced_hamiltonian_is_the_printed_one_less_the_drift(case) -> None:
    r"""$h = H|_{\mathcal M} - p(e_0)$, so that it is $H|_{\mathcal M}$ for homogeneous constraints."""
    _, form, chart, _, embedding = case
    at = point(chart, 7)
    H = hamilton().xreplace(dict(zip(p, embedding, strict=True)))
    drift = sp.Matrix([to_sympy(e) for e in form.drift_x[:3]])
    gap = (H - (embedding.T * drift)[0] - to_sympy(form.hamiltonian)).xreplace(at)
    assert abs(gap) < 1e-25


def test_V2_regular_is_not_enough_for_unique_multipliers() -> None:
    r"""$L = \tfrac12(\dot x^2 - \dot y^2) - x$ is regular, and with $\dot x = \dot y$ no multiplier makes a motion.

    The text says that for regular Lagrangians the multipliers are uniquely determined. The condition is that L is regular
    on the admissible directions: $A M^{-1}A^T$ invertible, which definite kinetic energies guarantee.
    """
    a, b, c = sp.symbols("x'' y'' lambda")
    equations = [a + 1 - c, -b + c, a - b]
    assert sp.hessian((dx**2 - dy**2) / 2, (dx, dy)).det() != 0
    assert sp.solve(equations, [a, b, c]) == []
    without_force = [a - c, -b + c, a - b]
    assert len(sp.solve(without_force, [a, b, c])) == 2  # a family: the multiplier is free
    with blames(DeclarationError):
        System(name="light", coordinates=["x", "y"], lagrangian="(x'^2 - y'^2)/2 - x", constraints=["x' = y'"])


@pytest.mark.filterwarnings("ignore::anholonomy.errors.SubstitutedConstraintWarning")
def test_V2_regular_on_the_admissible_directions_is_enough() -> None:
    """Even where L is not regular: a coordinate without inertia of its own."""
    system = System(name="wheel", coordinates=["x", "y"], lagrangian="(x' + y')^2/2 - x", constraints=["x' = y*y'"])
    state = {"x": 0.3, "y": 0.4, "y'": 0.7}
    found, expected = (system.derive(by).accelerations(state) for by in ("hamiltonian", "lagrange-dalembert"))
    assert found == pytest.approx(expected, rel=1e-13)
