r"""W6 (and a formula of W2): Hamel's equations in a moving frame, in both printed forms, against Euler–Lagrange.

Fernandez & Bloch print, with $T = \Omega$ and $[e_a, e_b] = -\Omega^c{}_{ab}e_c$,

.. math:: \frac{d}{dt}\frac{\partial L^w}{\partial\omega^d} - e_d(L^w) = \frac{\partial L^w}{\partial\omega^a}T^a{}_{dc}\omega^c
   \quad (2.2.6), \qquad \dot\omega^a + \Gamma^a{}_{bc}\omega^b\omega^c = -G^{ab}e_b(V) \quad (2.2.7).
"""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

from anholonomy import System

x, y, z = q = sp.symbols("x y z")
dx, dy, dz = v = sp.symbols("x' y' z'")

FRAME = sp.Matrix([[1, 0, 0], [x * z, 1 + z**2, 0], [sp.sin(y), -x, 2]])
"""Rows are the fields of a frame without any symmetry; every structure function depends on the point."""
LAGRANGIAN = (2 + y**2) * dx**2 / 2 + dx * dz / 3 + dy**2 / 2 + (1 + x**2) * dz**2 / 2 - x * sp.sin(y) - z**2 / 2

ROTATION = sp.Matrix(
    [
        [sp.sin(z) / sp.sin(y), sp.cos(z), -sp.sin(z) * sp.cos(y) / sp.sin(y)],
        [sp.cos(z) / sp.sin(y), -sp.sin(z), -sp.cos(z) * sp.cos(y) / sp.sin(y)],
        [0, 0, 1],
    ]
)
"""The body axes of a rigid body in Euler angles z-x-z."""


def rigid_body(moments: tuple[float, float, float]) -> sp.Expr:
    omega = ROTATION.T.LUsolve(sp.Matrix(v))
    return sum(sp.nsimplify(I) * w**2 for I, w in zip(moments, omega, strict=True)) / 2


CASES = {
    "a frame without symmetry": (LAGRANGIAN, FRAME),
    "rigid body": (rigid_body((1.0, 2.0, 2.5)), ROTATION),
}
every_case = pytest.mark.parametrize(("L", "frame"), CASES.values(), ids=CASES.keys())


def system(L: sp.Expr, frame: sp.Matrix | None = None) -> System:
    span = None if frame is None else frame.tolist()
    speeds = None if frame is None else ["w1", "w2", "w3"]
    return System(name="free", coordinates=list(q), lagrangian=L, span=span, speeds=speeds)


def along(field: sp.Matrix, f: sp.Expr) -> sp.Expr:
    return sum(component * f.diff(s) for component, s in zip(field, q, strict=True))


class Printed:
    """The quantities of section 2.2 at one state, each computed from its definition."""

    def __init__(self, L: sp.Expr, frame: sp.Matrix, seed: int) -> None:
        rng = np.random.default_rng(seed)
        state = dict(zip("xyz", rng.uniform(0.4, 1.2, 3), strict=True))
        state |= dict(zip(("x'", "y'", "z'"), rng.uniform(-1, 1, 3), strict=True))
        a = system(L).derive("lagrange-dalembert").accelerations(state)
        at = {sp.Symbol(name): sp.Float(value, 30) for name, value in state.items()}
        number = lambda e: float(sp.sympify(e).xreplace(at))
        coframe = frame.inv()  # row i, column a: E^a_i
        w = sp.symbols("w1:4")
        omega = coframe.T * sp.Matrix(v)
        L_w = L.subs(dict(zip(v, frame.T * sp.Matrix(w), strict=True)), simultaneous=True)
        n = range(3)
        bracket = lambda b, c: sp.Matrix(
            [along(frame.row(b), frame[c, i]) - along(frame.row(c), frame[b, i]) for i in n]
        )
        self.T_abc = -np.array([[[number(self._pair(coframe, bracket(b, c), d)) for c in n] for b in n] for d in n])
        rates = {**dict(zip(q, v, strict=True)), **{u: sp.Float(a[u.name + "'"], 30) for u in v}}
        self.omega = np.array([number(o) for o in omega])
        self.omega_dot = np.array([number(sum(o.diff(s) * r for s, r in rates.items())) for o in omega])
        at |= {u: sp.Float(value, 30) for u, value in zip(w, self.omega, strict=True)}
        rates = {**dict(zip(q, v, strict=True)), **dict(zip(w, map(sp.Float, self.omega_dot), strict=True))}
        momentum = [L_w.diff(u) for u in w]
        self.p = np.array([number(p) for p in momentum])
        self.p_dot = np.array([number(sum(p.diff(s) * r for s, r in rates.items())) for p in momentum])
        self.pull = np.array([number(along(frame.row(d), L_w)) for d in n])
        V = -L.subs(dict.fromkeys(v, 0))
        self.pull_V = np.array([number(along(frame.row(d), V)) for d in n])
        G = sp.hessian(L_w, w)
        self.G_ab = np.array([[number(G[b, c]) for c in n] for b in n])
        # e_b(G_cd), axes b, c, d.
        self.eG_bcd = np.array([[[number(along(frame.row(b), G[c, d])) for d in n] for c in n] for b in n])

    @staticmethod
    def _pair(coframe: sp.Matrix, vector: sp.Matrix, a: int) -> sp.Expr:
        return sum(coframe[i, a] * vector[i] for i in range(3))

    @property
    def christoffel_abc(self) -> np.ndarray:
        """(8.0.13)."""
        eG = self.eG_bcd
        lowered_dbc = (eG.transpose(2, 0, 1) + eG.transpose(2, 1, 0) - eG) / 2
        return np.einsum("ad,dbc->abc", np.linalg.inv(self.G_ab), lowered_dbc)

    @property
    def rotation_abc(self) -> np.ndarray:
        """(8.0.11), first index raised."""
        G, T = self.G_ab, self.T_abc
        lowered = (
            -(np.einsum("ad,dbc->abc", G, T) + np.einsum("bd,dac->abc", G, T) + np.einsum("cd,dab->abc", G, T)) / 2
        )
        return np.einsum("ad,dbc->abc", np.linalg.inv(G), lowered)


@every_case
@pytest.mark.parametrize("seed", [0, 1])
def test_W6_the_torsion_form_has_the_printed_sign(L: sp.Expr, frame: sp.Matrix, seed: int) -> None:
    s = Printed(L, frame, seed)
    torsion = np.einsum("a,adc,c->d", s.p, s.T_abc, s.omega)
    np.testing.assert_allclose(s.p_dot - s.pull, torsion, atol=1e-12)
    assert np.abs(torsion).max() > 1e-2  # the other sign would fail


@every_case
def test_W6_the_levi_civita_form(L: sp.Expr, frame: sp.Matrix) -> None:
    s = Printed(L, frame, 2)
    Gamma = s.christoffel_abc + s.rotation_abc
    right = -np.linalg.solve(s.G_ab, s.pull_V)
    np.testing.assert_allclose(s.omega_dot + np.einsum("abc,b,c->a", Gamma, s.omega, s.omega), right, atol=1e-12)


def test_W2_the_geodesic_equation_needs_the_rotation_coefficients() -> None:
    """(8.0.14) prints the Christoffel part alone; in the body frame that part is zero and Euler's equations are lost."""
    s = Printed(*CASES["rigid body"], 3)
    assert np.abs(s.christoffel_abc).max() < 1e-13
    assert np.abs(s.omega_dot).max() > 1e-2
    np.testing.assert_allclose(s.omega_dot + np.einsum("abc,b,c->a", s.rotation_abc, s.omega, s.omega), 0, atol=1e-12)


def test_W6_momenta_in_an_orthonormal_frame() -> None:
    r"""(2.2.10), $\dot p_b = T^a{}_{bc}p_a\omega^c$: the frame of a rigid body, scaled to unit length."""
    moments = (1.0, 2.0, 2.5)
    scale = sp.diag(*(1 / sp.sqrt(sp.nsimplify(I)) for I in moments))
    s = Printed(rigid_body(moments), scale * ROTATION, 4)
    np.testing.assert_allclose(s.G_ab, np.eye(3), atol=1e-13)
    np.testing.assert_allclose(s.p_dot, np.einsum("abc,a,c->b", s.T_abc, s.p, s.omega), atol=1e-12)
    assert np.abs(s.p_dot).max() > 1e-2


@every_case
def test_W6_hamel_in_the_full_frame_is_euler_lagrange(L: sp.Expr, frame: sp.Matrix) -> None:
    verification = system(L, frame).verify(digits=30)
    assert verification.agree, str(verification)
    assert {"hamel", "lagrange-dalembert"} <= set(verification.principles)


@pytest.mark.exhaustive
def test_W6_hamel_on_so3_is_eulers_equations() -> None:
    K, right, unknowns = system(rigid_body((1.0, 2.0, 2.5)), ROTATION).derive("hamel").sympy()
    w1, w2, w3 = sp.symbols("w1 w2 w3")
    assert [u.name for u in unknowns] == ["w1'", "w2'", "w3'"]
    expected = [(2 - 2.5) * w2 * w3 / 1, (2.5 - 1) * w3 * w1 / 2, (1 - 2) * w1 * w2 / 2.5]
    residual = K * sp.Matrix([sp.nsimplify(e) for e in expected]) - right
    assert all(sp.simplify(entry) == 0 for entry in residual)
