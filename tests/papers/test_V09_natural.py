r"""V9: natural systems, $L = \tfrac12K_t(\dot q, \dot q) + \Delta_t(\dot q) - V$, constrained; and the same seen from a moving frame.

Jovanović, 5.3 and 5.4. Here $\theta_t = (\partial_t)^h - \partial_t = a_\nu\partial_\nu$, which is minus the printed $(\partial_t)^v$.
Everything but the accelerations is computed with SymPy alone.
"""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

from anholonomy import System
from anholonomy.algebra.expressions import to_sympy
from anholonomy.equations.principles.voronec import voronec_residuals
from anholonomy.geometry.connections.ehresmann import EhresmannConnection

t = sp.Symbol("t")
q = x, y, z = sp.symbols("x y z")
v = sp.Matrix(sp.symbols("x' y' z'"))

K = sp.Matrix([[2 + x**2, y / 3, sp.sin(t) / 4], [y / 3, 2, z / 5], [sp.sin(t) / 4, z / 5, 3 + t**2]])
DELTA = sp.Matrix([[t * y, x * z, y + sp.cos(t)]])
V = x * z + t * sp.cos(y)
L = (v.T * K * v)[0] / 2 + (DELTA * v)[0] - V
F = sp.Matrix([[y - v[0], t * v[2], x * v[1]]])
SLOPES = sp.Matrix([[sp.sin(t) * y + z, x * z]])
OFFSET = sp.cos(t) * x + z / 2
THETA = sp.Matrix([0, 0, OFFSET])
"""$a_\\nu\\partial_\\nu$"""


def system(lagrangian: sp.Expr, forces: sp.Matrix, row: sp.Expr, name: str) -> System:
    return System(
        name=name,
        coordinates=list(q),
        lagrangian=lagrangian,
        forces=dict(zip(q, forces, strict=True)),
        constraints=[sp.Eq(row, 0)],
    )


def constraint() -> sp.Expr:
    return v[2] - SLOPES[0] * v[0] - SLOPES[1] * v[1] - OFFSET


@pytest.fixture(scope="module")
def fixed() -> System:
    return system(L, F, constraint(), "natural")


def horizontal(u: sp.Matrix) -> sp.Matrix:
    """The part of a vector of Q in the distribution of virtual displacements."""
    return sp.Matrix([u[0], u[1], SLOPES[0] * u[0] + SLOPES[1] * u[1]])


def natural_lagrangian(theta: sp.Matrix) -> sp.Expr:
    """The printed constrained Lagrangian."""
    h = horizontal(v)
    linear = (theta.T * K * h)[0] + (DELTA * h)[0]
    return (h.T * K * h)[0] / 2 + linear + (theta.T * K * theta)[0] / 2 + (DELTA * theta)[0] - V


def is_same(f: sp.Expr, g: sp.Expr) -> bool:
    return sp.simplify(sp.expand(f - g)) == 0


def test_V9_the_constrained_lagrangian() -> None:
    solved = {v[2]: v[2] - constraint()}
    assert is_same(natural_lagrangian(THETA), L.subs(solved))


def test_V9_with_the_printed_theta_it_is_another() -> None:
    solved = {v[2]: v[2] - constraint()}
    assert not is_same(natural_lagrangian(-THETA), L.subs(solved))


def curvature(fields: list[sp.Matrix], theta: sp.Matrix, places: list[sp.Symbol]) -> dict[tuple[int, int], sp.Expr]:
    r"""$-\Theta([e_i^h, e_j^h])$ for horizontal fields on space-time and a vertical-valued form ``theta``."""
    jacobians = [field.jacobian(places) for field in fields]
    return {
        (i, j): -theta * (jacobians[j] * fields[i] - jacobians[i] * fields[j])
        for i in range(len(fields))
        for j in range(len(fields))
    }


def test_V9_the_right_hand_side_in_its_six_terms(fixed, d_dt, numbers) -> None:
    r"""$\delta L_c(\eta) + F(\eta)$ minus the six terms is our invariant form, at any state and for any accelerations."""
    places = [*q, t]
    lifts = [sp.Matrix([1, 0, SLOPES[0], 0]), sp.Matrix([0, 1, SLOPES[1], 0]), sp.Matrix([0, 0, OFFSET, 1])]
    form = sp.Matrix([[0, 0, 0, 0], [0, 0, 0, 0], [-SLOPES[0], -SLOPES[1], 1, -OFFSET]])
    B = curvature(lifts, form, places)
    L_c, h = natural_lagrangian(THETA), horizontal(v)
    admissible = {v[2]: v[2] - constraint()}
    ours = voronec_residuals(fixed, EhresmannConnection.of(fixed, ["x", "y"]))
    values = np.random.default_rng(3).uniform(-1, 1, 8)
    state = dict(zip(["t", "x", "y", "z", "x'", "y'", "x''", "y''"], values, strict=True))
    for i in range(2):
        B_t, B_time = sum((B[j, i] * v[j] for j in range(2)), start=sp.zeros(3, 1)), B[2, i]
        six = [(h.T * K * B_t)[0], (THETA.T * K * B_t)[0], (DELTA * B_t)[0]]
        six += [(h.T * K * B_time)[0], (THETA.T * K * B_time)[0], (DELTA * B_time)[0]]
        eta = lifts[i][:3]
        pushed = sum((L_c.diff(s) - d_dt(L_c.diff(u), q) + Q) * e for s, u, Q, e in zip(q, v, F, eta, strict=True))
        gap = (pushed - sum(six)).subs(admissible) - to_sympy(ours[i])
        at = numbers(sp.Matrix([admissible[v[2]]]), state)
        assert abs(numbers(sp.Matrix([gap]), state, {"z'": at[0]})[0]) < 1e-13
        assert all(abs(numbers(sp.Matrix([term.subs(admissible)]), state)[0]) > 1e-4 for term in six)


# A moving frame that mixes base and fibre, so that the fibration moves too: q = g_t(x).
MOVED = sp.Matrix([x + t * z / 2, (2 + sp.sin(t)) * y / 2, z + t * x * y / 3])
DG = MOVED.jacobian(q)
OMEGA = MOVED.diff(t)


def seen(f: sp.Expr) -> sp.Expr:
    r"""A function of $(q, \dot q, t)$ as one of $(x, \dot x, t)$."""
    replaced = dict(zip((*q, *v), (*MOVED, *(DG * v + OMEGA)), strict=True))
    return f.subs(replaced, simultaneous=True)


class Moving:
    """Lagrangian, forces and constraint in the moving frame, and its own connection over the moving fibration."""

    def __init__(self) -> None:
        self.l = seen(L)
        self.forces = F.applyfunc(seen) * DG
        row = seen(constraint())
        self.row = sp.Matrix([[row.diff(u) for u in v]])
        self.offset = row.subs(dict.fromkeys(v, 0))
        self.model = system(self.l, self.forces, row, "moving")
        # The vertical direction: the base coordinates of g_t(x) do not change along it.
        first, second = DG[0, :], DG[1, :]
        self.vertical = sp.Matrix(list(first)).cross(sp.Matrix(list(second)))
        norm = (self.row * self.vertical)[0]
        self.form = self.vertical * sp.Matrix([[*self.row, self.offset]]) / norm

    def projected(self, u: sp.Matrix) -> sp.Matrix:
        r"""$(u + \partial_t)^h - \partial_t$."""
        return u - self.form * sp.Matrix([*u, 1])


@pytest.fixture(scope="module")
def moving() -> Moving:
    return Moving()


@pytest.fixture(scope="module", params=[1, 2])
def motion(request, moving):
    values = np.random.default_rng(request.param).uniform(0.1, 0.9, 6)
    state = dict(zip(["t", "x", "y", "z", "x'", "y'"], values, strict=True))
    at = {sp.Symbol(name): value for name, value in state.items()}
    row, offset = moving.row.subs(at), moving.offset.subs(at)
    state["z'"] = float(-(row[0] * state["x'"] + row[1] * state["y'"] + offset) / row[2])
    return state, moving.model.derive("lagrange-dalembert").accelerations(state)


def test_V9_lemma_5_2_the_projections_commute(moving, motion, numbers) -> None:
    state, _ = motion
    u = sp.Matrix([0.3, -0.7, 1.1])
    there = DG * u + OMEGA
    rate = seen(SLOPES[0]) * there[0] + seen(SLOPES[1]) * there[1] + seen(OFFSET)
    fixed_side = sp.Matrix([there[0], there[1], rate])
    gap = DG * moving.projected(u) + OMEGA - fixed_side
    assert max(abs(e) for e in numbers(gap, state)) < 1e-13


def test_V9_the_constrained_lagrangian_in_the_moving_frame(moving, motion, numbers) -> None:
    """From the moving connection, and from the fixed constrained Lagrangian: the same, also off the constraint."""
    state, _ = motion
    l_c = moving.l.subs(dict(zip(v, moving.projected(v), strict=True)), simultaneous=True)
    from_fixed = seen(natural_lagrangian(THETA))
    for shift in (0.0, 0.8):
        values = {**state, "z'": state["z'"] + shift}
        assert abs(numbers(sp.Matrix([l_c - from_fixed]), values)[0]) < 1e-13
    assert abs(numbers(sp.Matrix([l_c - moving.l]), {**state, "z'": state["z'"] + 0.8})[0]) > 1e-2


@pytest.mark.exhaustive_for("1", "2")
def test_V9_proposition_5_1(moving, motion, d_dt, numbers) -> None:
    r"""$\delta l_c(\xi) + f(\xi) = \mathbb F l(\mathbf B(\dot x + \partial_t, \xi))$ on motions, for the curvature over a moving fibration."""
    state, a = motion
    places = [*q, t]
    units = [sp.Matrix([int(i == j) for j in range(4)]) for i in range(4)]
    lifted = [e - sp.Matrix([*(moving.form * e), 0]) for e in units]
    B = curvature(lifted, moving.form, places)
    l_c = moving.l.subs(dict(zip(v, moving.projected(v), strict=True)), simultaneous=True)
    momenta = sp.Matrix([[moving.l.diff(u) for u in v]])
    variation = sp.Matrix([[l_c.diff(s) - d_dt(l_c.diff(u), q) for s, u in zip(q, v, strict=True)]])
    left = numbers(variation + moving.forces, state, a)
    rate = [*v, sp.Integer(1)]
    turned = sp.Matrix.hstack(
        *(sum((numbers(B[i, j] * rate[i], state) for i in range(4)), start=sp.zeros(3, 1)) for j in range(3))
    )
    right = numbers(momenta, state) * turned
    row = numbers(moving.row, state)
    for xi in (sp.Matrix([row[2], 0, -row[0]]), sp.Matrix([0, row[2], -row[1]])):
        assert abs(((left - right) * xi)[0]) < 1e-12
        assert abs((right * xi)[0]) > 1e-3
