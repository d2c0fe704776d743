r"""L1: the multiplier as the derivative of the projector, and the constrained affine connection (Lewis, slides 1–4).

With $P$ the orthogonal projection onto $D^\perp$:

.. math:: \nabla^g_{\dot c}\dot c = \lambda, \quad P\dot c = 0 \;\Longrightarrow\; \lambda = -(\nabla^g_{\dot c}P)(\dot c), \qquad
          \nabla_XY = \nabla^g_XY + (\nabla^g_XP)(Y)

The printed side is SymPy alone: Christoffel symbols, the projector from the constraint, covariant derivatives by components.
"""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

from anholonomy import System

x, y, z = q = sp.symbols("x y z")
dx, dy, dz = v = sp.symbols("x' y' z'")
N = range(3)
KINETIC = (1 + x**2) * dx**2 / 2 + (dy + z * dx) ** 2 / 2 + (2 + sp.cos(y)) * dz**2 / 2
CASES = {
    "curved": (KINETIC, sp.Matrix([[2 + y**2, x * z, sp.cos(z)]])),
    "two constraints": ((dx**2 + (1 + x**2) * dy**2 + dz**2) / 2, sp.Matrix([[1, 0, x * y], [sp.sin(x), 1, z]])),
    "knife edge": ((dx**2 + dy**2 + dz**2) / 2, sp.Matrix([[sp.sin(z), -sp.cos(z), 0]])),
}
every_case = pytest.mark.parametrize(("T", "A"), CASES.values(), ids=CASES)


class Printed:
    """Levi-Civita and the projector, symbolic."""

    def __init__(self, T: sp.Expr, A: sp.Matrix) -> None:
        self.G = G = sp.hessian(T, v)
        self.G_inverse = G.inv()
        self.P = self.G_inverse * A.T * (A * self.G_inverse * A.T).inv() * A
        lowered = lambda d, j, k: (G[d, j].diff(q[k]) + G[d, k].diff(q[j]) - G[j, k].diff(q[d])) / 2
        self.Gamma = [
            [[sum(self.G_inverse[i, d] * lowered(d, j, k) for d in N) for k in N] for j in N] for i in N
        ]  # fmt: skip

    def nabla(self, X: sp.Matrix, Y: sp.Matrix) -> sp.Matrix:
        """The derivative of a vector field Y along X."""
        turned = [sum(self.Gamma[i][j][k] * X[j] * Y[k] for j in N for k in N) for i in N]
        return sp.Matrix([sum(X[j] * Y[i].diff(q[j]) for j in N) + turned[i] for i in N])

    def nabla_P(self, X: sp.Matrix, Y: sp.Matrix) -> sp.Matrix:
        """The derivative of the tensor P along X, applied to Y: by components, so that Y need not be a field."""
        along = lambda i, k: (
            sum(X[j] * self.P[i, k].diff(q[j]) for j in N)
            + sum(
                self.Gamma[i][j][d] * X[j] * self.P[d, k] - self.P[i, d] * self.Gamma[d][j][k] * X[j]
                for j in N
                for d in N
            )
        )
        return sp.Matrix([sum(along(i, k) * Y[k] for k in N) for i in N])


def state_on(A: sp.Matrix, seed: int) -> dict[sp.Symbol, sp.Expr]:
    values = np.random.default_rng(seed).uniform(0.3, 1.1, 6)
    at = {s: sp.Float(value, 40) for s, value in zip(q, values[:3], strict=True)}
    rows = A.xreplace(at)
    w = 3 * sp.Matrix([sp.Float(value, 40) for value in values[3:]])
    w -= rows.T * (rows * rows.T).inv() * rows * w
    return at | dict(zip(v, w, strict=True))


def motion(L: sp.Expr, A: sp.Matrix, at: dict, forces: dict | None = None, by: str = "lagrange-dalembert"):
    """Accelerations and reactions of the system at a state, to thirty digits."""
    rows = [sp.Eq((row * sp.Matrix(v))[0], 0) for row in (A.row(k) for k in range(A.rows))]
    system = System(name="trial", coordinates=list(q), lagrangian=L, constraints=rows, forces=forces)
    seen = system.derive(by).at({s.name: value for s, value in at.items()}, digits=25)
    exact = lambda values: sp.Matrix([sp.Float(value.mid().str(25, radius=False), 25) for value in values])
    return exact(seen.accelerations), exact(seen.reactions)


def gap(left: sp.Matrix, right: sp.Matrix) -> float:
    return float(max(abs(e) for e in left - right))


@pytest.mark.exhaustive_for("curved", "two constraints")
@every_case
def test_L1_the_multiplier_is_the_derivative_of_the_projector(T, A) -> None:
    printed, at = Printed(T, A), state_on(A, 0)
    w = sp.Matrix(v)
    multiplier = -printed.nabla_P(w, w).xreplace(at)
    _, reaction = motion(T, A, at)
    assert gap(printed.G.xreplace(at) * multiplier, reaction) < 1e-13
    assert gap(printed.P.xreplace(at) * multiplier, multiplier) < 1e-25  # it is normal to D
    assert max(abs(e) for e in reaction) > 1e-2


@pytest.mark.exhaustive_for("curved")
@every_case
def test_L1_potentials_and_forces_add_their_normal_part(T, A) -> None:
    r"""Slide 1 leaves them out: $\lambda = -(\nabla^g_{\dot c}P)(\dot c) - P(F^\sharp - \operatorname{grad}V)$, in our formulation and by multipliers."""
    V, forces = x * sp.sin(y) + z**2, {x: -dx + y, z: x * dy}
    printed, at = Printed(T, A), state_on(A, 1)
    w = sp.Matrix(v)
    push = printed.G_inverse * sp.Matrix([forces.get(s, 0) - V.diff(s) for s in q])
    multiplier = (-printed.nabla_P(w, w) - printed.P * push).xreplace(at)
    for by in ("lagrange-dalembert", "connection"):
        _, reaction = motion(T - V, A, at, forces, by)
        assert gap(printed.G.xreplace(at) * multiplier, reaction) < 1e-13


@pytest.mark.exhaustive_for("connection-curved", "lagrange-dalembert-curved")
@every_case
@pytest.mark.parametrize("by", ["lagrange-dalembert", "connection"])
def test_L1_motions_are_the_geodesics_that_start_in_the_distribution(T, A, by) -> None:
    printed, at = Printed(T, A), state_on(A, 2)
    w = sp.Matrix(v)
    turned = sp.Matrix([sum(printed.Gamma[i][j][k] * w[j] * w[k] for j in N for k in N) for i in N])
    geodesic = -(turned + printed.nabla_P(w, w)).xreplace(at)
    assert gap(geodesic, motion(T, A, at, by=by)[0]) < 1e-13
    assert gap(-turned.xreplace(at), geodesic) > 1e-2  # and not those of the metric


@pytest.mark.exhaustive_for("curved", "two constraints")
@every_case
def test_L1_the_connection_restricts_to_the_distribution(T, A) -> None:
    r"""Slide 4: for $Y$ in $D$, $\nabla_XY$ is in $D$ and $\nabla_XY - \nabla^g_XY$ is normal to it."""
    printed, at = Printed(T, A), state_on(A, 3)
    X = sp.Matrix([y, 1 + x * z, sp.sin(x)])
    Y = (sp.eye(3) - printed.P) * sp.Matrix([1 + z, x * y, 2])
    shift = printed.nabla_P(X, Y)
    derivative = (printed.nabla(X, Y) + shift).xreplace(at)
    assert gap(A.xreplace(at) * derivative, sp.zeros(A.rows, 1)) < 1e-25
    assert gap(printed.P.xreplace(at) * shift.xreplace(at), shift.xreplace(at)) < 1e-25
    outside = sp.Matrix([1 + z, x * y, 2])
    leaving = (printed.nabla(X, outside) + printed.nabla_P(X, outside)).xreplace(at)
    assert max(abs(e) for e in A.xreplace(at) * leaving) > 1e-3  # for other Y it need not be
