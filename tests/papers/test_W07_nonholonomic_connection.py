r"""W7: the nonholonomic connection, the projected equations, and their momentum form (Fernandez & Bloch, section 3.1).

.. math::
   \bar\nabla_{\dot q}\dot q = -P\operatorname{grad}V, \quad
   \dot\omega^\alpha + \Gamma^\alpha{}_{\beta\gamma}\omega^\beta\omega^\gamma = -\bar G^{\alpha\beta}e_\beta(V)\ (3.1.2), \qquad
   \dot p_\beta = T^a{}_{\beta\gamma}\,p_a\,\omega^\gamma\ (3.1.3)

with $e_\alpha$ a basis of $D$, completed by a basis of $D^\perp$, and $T = \Omega = -c$. The last holds for $V = 0$ in an orthonormal basis;
one that is only orthogonal is not enough.
"""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

from anholonomy import System, catalogue
from anholonomy.algebra.expressions import dot
from anholonomy.algebra.zero_test import is_zero
from anholonomy.geometry.connections import nonholonomic
from anholonomy.geometry.metric import kinetic_metric

x, y, z = q = sp.symbols("x y z")
dx, dy, dz = v = sp.symbols("x' y' z'")
N, D = range(3), range(2)
T = (1 + y**2) * dx**2 / 2 + dy**2 / 2 + dz**2 / 2
V = x * sp.sin(y) + z**2
FIELDS = sp.Matrix([[1, 0, y], [0, 1, -x]])
G = sp.hessian(T, v)
FORM = sp.Matrix([[-y, x, 1]])
NORMAL = FORM * G.inv()
"""Orthogonal to both fields in the metric G."""


def gram_schmidt(rows: list[sp.Matrix], normal: bool) -> list[sp.Matrix]:
    done: list[sp.Matrix] = []
    for row in rows:
        for other in done:
            row = row - other * ((row * G * other.T)[0] / (other * G * other.T)[0])
        done.append(row / sp.sqrt((row * G * row.T)[0]) if normal else row)
    return done


BASIS = [FIELDS.row(0), FIELDS.row(1), NORMAL]
ORTHOGONAL = gram_schmidt(BASIS, normal=False)
ORTHONORMAL = gram_schmidt(BASIS, normal=True)


def along(field: sp.Matrix, f: sp.Expr) -> sp.Expr:
    return sum(field[i] * f.diff(q[i]) for i in N)


class Frame:
    """Everything that (3.1.2) and (3.1.3) need, in numbers at one configuration."""

    def __init__(self, rows: list[sp.Matrix], at: dict) -> None:
        number = lambda e: sp.sympify(e).xreplace(at).evalf(30)
        self.rows = [row.applyfunc(number) for row in rows]
        matrix = sp.Matrix.vstack(*self.rows)
        self.coframe = matrix.inv()  # row i, column a
        self.G = matrix * G.applyfunc(number) * matrix.T
        bracket = lambda a, b: sp.Matrix([[along(rows[a], rows[b][i]) - along(rows[b], rows[a][i]) for i in N]])
        self.c = [[bracket(a, b).applyfunc(number) * self.coframe for b in N] for a in N]
        # In an orthonormal basis the metric is constant, and the roots need not be differentiated to see that.
        metric = sp.eye(3).tolist() if rows is ORTHONORMAL else [[(rows[a] * G * rows[b].T)[0] for b in N] for a in N]
        self.eG = [[[number(along(rows[a], metric[b][c])) for c in N] for b in N] for a in N]
        self.slopes = [[[number(rows[a][i].diff(s)) for s in q] for i in N] for a in N]
        self.eV = [number(along(row, V)) for row in rows]

    def lowered(self, d: int, b: int, c: int) -> sp.Expr:
        """Koszul's formula for g(e_d, nabla_b e_c)."""
        metric = self.eG[b][c][d] + self.eG[c][b][d] - self.eG[d][b][c]
        turn = sum(
            self.G[d, e] * self.c[b][c][e] + self.G[b, e] * self.c[d][c][e] + self.G[c, e] * self.c[d][b][e] for e in N
        )
        return (metric + turn) / 2

    def rates(self, w: sp.Matrix, a: sp.Matrix) -> tuple[sp.Matrix, sp.Matrix]:
        """Quasi-velocities and their rates from velocities and accelerations."""
        omega = (w.T * self.coframe).T
        moved = sp.Matrix([[sum(omega[b] * self.slopes[b][i][j] * w[j] for b in N for j in N) for i in N]])
        return omega, ((a.T - moved) * self.coframe).T


def motion(lagrangian: sp.Expr, seed: int, by: str = "connection"):
    """A state in D and the accelerations there, to thirty digits."""
    rows = [sp.Eq((FORM * sp.Matrix(v))[0], 0)]
    system = System(name="trial", coordinates=list(q), lagrangian=lagrangian, constraints=rows)
    rng = np.random.default_rng(seed)
    at = {s: sp.Float(value, 40) for s, value in zip(q, rng.uniform(0.3, 1.1, 3), strict=True)}
    w = FIELDS.xreplace(at).T * sp.Matrix([sp.Float(value, 40) for value in rng.uniform(0.5, 1.5, 2)])
    seen = system.derive(by).at({s.name: value for s, value in (at | dict(zip(v, w, strict=True))).items()}, digits=25)
    return at, w, sp.Matrix([sp.Float(a.mid().str(25, radius=False), 25) for a in seen.accelerations])


@pytest.mark.parametrize("by", ["connection", "hamel"])
@pytest.mark.parametrize("rows", [BASIS, ORTHOGONAL], ids=["any basis of D", "orthogonal"])
def test_W7_the_projected_equations(rows, by) -> None:
    r"""(3.1.2) with $\Gamma^\alpha{}_{\beta\gamma} = \bar G^{\alpha\delta}\Gamma_{\delta\beta\gamma}$."""
    at, w, a = motion(T - V, 1, by)
    frame = Frame(rows, at)
    omega, rate = frame.rates(w, a)
    assert abs(omega[2]) < 1e-30
    inverse = frame.G[:2, :2].inv()
    for alpha in D:
        gamma = lambda b, c, alpha=alpha: sum(inverse[alpha, d] * frame.lowered(d, b, c) for d in D)
        left = rate[alpha] + sum(gamma(b, c) * omega[b] * omega[c] for b in D for c in D)
        assert abs(left + sum(inverse[alpha, b] * frame.eV[b] for b in D)) < 1e-13


def momentum_gap(rows: list[sp.Matrix]) -> float:
    at, w, a = motion(T, 2)
    frame = Frame(rows, at)
    omega, rate = frame.rates(w, a)
    moving = [[sum(omega[e] * frame.eG[e][b][c] for e in N) for c in N] for b in N]
    p = frame.G * omega
    p_dot = frame.G * rate + sp.Matrix(moving) * omega
    torsion = [sum(-frame.c[b][c][e] * p[e] * omega[c] for e in N for c in D) for b in D]
    return float(max(abs(p_dot[b] - torsion[b]) for b in D))


@pytest.mark.exhaustive
def test_W7_the_momentum_form_in_an_orthonormal_frame() -> None:
    assert momentum_gap(ORTHONORMAL) < 1e-13


def test_W7_a_basis_that_is_only_orthogonal_is_not_enough() -> None:
    """Its metric changes along the motion, and (3.1.3) has no term for that."""
    assert momentum_gap(ORTHOGONAL) > 1e-2


@pytest.mark.parametrize("make", [catalogue.skate, catalogue.chaplygin_sleigh, catalogue.free_particle])
def test_W7_the_connection_is_metric_on_the_distribution(make) -> None:
    r"""$X\bar g(Y, Z) = \bar g(\bar\nabla_XY, Z) + \bar g(Y, \bar\nabla_XZ)$ for $Y, Z$ in $D$ and every $X$, proven."""
    system = make()
    g = kinetic_metric(system)
    connection = nonholonomic(g, [list(row) for row in system.model.span_ba])
    assert connection.restricts()
    frame, span = system.geometry.frame, system.model.span_ba
    gamma = dict(connection.coefficients.items)
    n = range(frame.size)

    def derivative(b, Y):
        return [frame.derivative(b, Y[a]) + sum(gamma.get((a, b, c), 0) * Y[c] for c in n) for a in n]

    inner = lambda Y, Z: dot(Y, [dot([g[a, b] for b in n], Z) for a in n])
    for b in n:
        for Y in span:
            for Z in span:
                gap = frame.derivative(b, inner(Y, Z)) - inner(derivative(b, Y), Z) - inner(Y, derivative(b, Z))
                assert is_zero(gap)
