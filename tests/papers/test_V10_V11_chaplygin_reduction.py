r"""V10, V11: time-dependent G-Chaplygin systems, the JK term, and its parts for natural systems (Jovanović, 6.1, 6.2).

In Theorem 6.1 the lifted motion begins at $\gamma(0) = q_0$, not $y_0$. The reduction is compared with multipliers on random
systems in `tests/equations/test_bundles.py`; here the printed expressions are built by hand, on numbers.
"""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

import anholonomy as ah
from anholonomy.algebra.expressions import to_sympy
from anholonomy.geometry.groups import as_group
from anholonomy.language import parse_expression

R, S, T = sp.symbols("r s t")
DR, DS = sp.symbols("r' s'")
METRIC = [
    ["3 + r^2", "0.3", "t/5", "r", "0.1"], ["0.3", "4", "s/4", "0", "0.2"], ["t/5", "s/4", "5 + s^2", "0.4", "r/3"],
    ["r", "0", "0.4", "6", "t/7"], ["0.1", "0.2", "r/3", "t/7", "7"],
]  # fmt: skip
DELTA = ["s", "r*t", "cos(r)", "s*t", "r^2"]
POTENTIAL = "r*s + t*cos(s)"
# The horizontal lift of the base in the fibre, and the affine part theta.
LIFT = [["r*s", "sin(r)*t"], ["s^2 + t", "r"], ["cos(s)", "r*t"]]
THETA = ["t*r", "s", "0.5*t^2 + r"]
AT = {R: 0.3, S: -0.5, T: 0.7, DR: 0.6, DS: -0.8}
GROUPS = ["SO3", "SE2", "SO21", "R(a, b, c)"]


def read(text: str) -> sp.Expr:
    return sp.sympify(to_sympy(parse_expression(text)))


def make(group: str, **words) -> ah.System:
    speeds = [w.name for w in as_group(group).speeds]
    v = [*speeds, "r'", "s'"]
    kinetic = " + ".join(f"({METRIC[a][b]})*{v[a]}*{v[b]}/2" for a in range(5) for b in range(5))
    linear = " + ".join(f"({entry})*{each}" for entry, each in zip(DELTA, v, strict=True))
    given = {
        "name": "G-Chaplygin", "group": group, "coordinates": ["r", "s"],
        "lagrangian": f"{kinetic} + {linear} - ({POTENTIAL})",
        "constraints": [
            f"{w} = ({row[0]})*r' + ({row[1]})*s' + {drift}" for w, row, drift in zip(speeds, LIFT, THETA, strict=True)
        ],
        "forces": {speeds[0].removesuffix("'"): "r - r'", "s": f"{speeds[1]}*t"},
    }  # fmt: skip
    return ah.System(**given | words)


class Printed:
    """The objects of 6.1 and 6.2 at one state, fibre components first."""

    def __init__(self, group: str) -> None:
        self.C = as_group(group).algebra.constants_abd
        self.a = [[read(entry) for entry in row] for row in LIFT]
        self.theta = [read(entry) for entry in THETA]
        self.K = np.array([[float(read(entry).subs(AT)) for entry in row] for row in METRIC])
        self.Delta = np.array([float(read(entry).subs(AT)) for entry in DELTA])
        self.H = np.array([[*(float(row[i].subs(AT)) for row in self.a), *np.eye(2)[i]] for i in range(2)])
        self.drift = np.array([*(float(entry.subs(AT)) for entry in self.theta), 0.0, 0.0])
        self.dot = np.array([AT[DR], AT[DS]])

    def minus_bracket(self, left: list, right: list, along_left, along_right) -> np.ndarray:
        r"""$-[X, Y]$ of two lifts, which is vertical: derivatives of the components, and the structure constants."""
        found = []
        for D in range(3):
            bent = sum(int(self.C[A][B][D]) * left[A] * right[B] for A in range(3) for B in range(3))
            found.append(-(along_left(right[D]) - along_right(left[D]) + bent))
        return np.array([*(float(sp.sympify(value).subs(AT)) for value in found), 0.0, 0.0])

    def B(self, i: int, j: int) -> np.ndarray:
        """The curvature of D_t on the lifts of two base directions."""
        q = (R, S)
        left, right = ([row[k] for row in self.a] for k in (i, j))
        return self.minus_bracket(left, right, lambda f: f.diff(q[i]), lambda f: f.diff(q[j]))

    def B_t(self, i: int) -> np.ndarray:
        """The curvature of the extended connection on the lift of time, with its theta, and that of a base direction."""
        q = (R, S)
        return self.minus_bracket(self.theta, [row[i] for row in self.a], lambda f: f.diff(T), lambda f: f.diff(q[i]))

    def JK(self, i: int) -> dict[int, float]:
        """By degree, as printed in 6.2."""
        K, moving = self.K, self.dot @ self.H
        turned = sum(self.dot[j] * self.B(j, i) for j in range(2))
        two = moving @ K @ turned
        one = self.drift @ K @ turned + self.Delta @ turned + moving @ K @ self.B_t(i)
        none = self.drift @ K @ self.B_t(i) + self.Delta @ self.B_t(i)
        return {2: float(two), 1: float(one), 0: float(none)}


def value(entry) -> float:
    return float(to_sympy(entry).subs(AT))


@pytest.mark.exhaustive_for("R(a, b, c)", "SE2", "SO21", "SO3")
@pytest.mark.parametrize("group", GROUPS)
def test_V11_the_JK_term_by_degree(group: str) -> None:
    reduced, printed = make(group).reduced(), Printed(group)
    for i, name in enumerate(("r'", "s'")):
        JK = printed.JK(i)
        for degree in (2, 1, 0):
            assert -value(reduced.gyroscopic_parts[degree][name]) == pytest.approx(JK[degree], abs=1e-12)
            assert abs(JK[degree]) > 1e-3


@pytest.mark.parametrize("group", GROUPS)
def test_V11_reduced_metric_one_form_and_potential(group: str) -> None:
    l = to_sympy(make(group).reduced().base.lagrangian)
    printed = Printed(group)
    K, H, theta, Delta = printed.K, printed.H, printed.drift, printed.Delta
    V_red = float(read(POTENTIAL).subs(AT)) - theta @ K @ theta / 2 - Delta @ theta
    still = {DR: 0, DS: 0}
    assert float(l.subs(still).subs(AT)) == pytest.approx(-V_red, abs=1e-12)
    for i, v in enumerate((DR, DS)):
        assert float(l.diff(v).subs(still).subs(AT)) == pytest.approx(float(theta @ K @ H[i] + Delta @ H[i]), abs=1e-12)
        for j, w in enumerate((DR, DS)):
            assert float(l.diff(v, w).subs(AT)) == pytest.approx(float(H[i] @ K @ H[j]), abs=1e-12)


@pytest.mark.parametrize("group", GROUPS)
def test_V11_the_tensor_of_degree_three(group: str) -> None:
    r"""$\Sigma(\xi_1, \xi_2, \xi_3) = K(H\xi_1, B(H\xi_2, H\xi_3))$ is skew in the last two, and JK of degree two is $\Sigma(\dot y, \dot y, \xi)$."""
    printed = Printed(group)
    Sigma = np.array(
        [[[printed.H[i] @ printed.K @ printed.B(j, k) for k in range(2)] for j in range(2)] for i in range(2)]
    )
    assert Sigma == pytest.approx(-np.swapaxes(Sigma, 1, 2), abs=1e-12)
    for i in range(2):
        assert np.einsum("a,b,ab", printed.dot, printed.dot, Sigma[:, :, i]) == pytest.approx(
            printed.JK(i)[2], abs=1e-12
        )


@pytest.mark.parametrize("group", GROUPS)
def test_V10_the_reduced_equations(group: str) -> None:
    """(6.2) with L_red, F_red and JK at a state: the accelerations are those of multipliers on the whole."""
    system = make(group)
    reduced, printed = system.reduced(), Printed(group)
    place = dict(zip((q.name for q in as_group(group).coordinates), as_group(group).identity.tolist(), strict=True))
    state = {str(s): v for s, v in AT.items()}
    whole = system.derive("lagrange-dalembert").accelerations(place | state)
    l = to_sympy(reduced.base.lagrangian)
    rates = {R: AT[DR], S: AT[DS], T: 1.0}
    mass = np.array([[float(l.diff(v, w).subs(AT)) for w in (DR, DS)] for v in (DR, DS)])
    coasting = [sum(float(l.diff(v, s).subs(AT)) * rate for s, rate in rates.items()) for v in (DR, DS)]
    right = [
        float(l.diff(q).subs(AT)) - c + value(reduced.applied[f"{q}'"]) - sum(printed.JK(i).values())
        for i, (q, c) in enumerate(zip((R, S), coasting, strict=True))
    ]
    assert np.linalg.solve(mass, right).tolist() == pytest.approx([whole["r''"], whole["s''"]], abs=1e-12)
    # The force on the base is the force on the whole, paired with the lifts.
    xi = printed.dot @ printed.H + printed.drift
    F = np.array([AT[R] - AT[DR], 0, 0, 0, xi[1] * AT[T]])
    for i, name in enumerate(("r'", "s'")):
        assert value(reduced.applied[name]) == pytest.approx(float(F @ printed.H[i]), abs=1e-12)


@pytest.mark.parametrize("group", ["SO3", "SE2"])
def test_V10_theorem_6_1(group: str) -> None:
    """Motions project, and the affine horizontal lift through any point over the start is a motion."""
    system, G = make(group), as_group(group)
    reduced, names = system.reduced(), [q.name for q in G.coordinates]
    start = {"r": 0.3, "s": -0.5, "r'": 0.2, "s'": 0.1, "t": 0.0}
    first = dict(zip(names, G.exp(np.array([0.4, -0.3, 0.8])).tolist(), strict=True))
    below = reduced.base.simulate(start, until=1.5)
    lifted = reduced.reconstruct(below, first)
    whole = system.simulate(first | start, until=1.5, by="lagrange-dalembert")
    for name in (*names, "r", "s"):
        assert float(abs(lifted[name] - whole[name]).max()) < 1e-11
    for name in ("r", "s"):
        assert float(abs(below[name] - whole[name]).max()) < 1e-11


def test_V11_in_a_distinguished_frame_without_linear_term() -> None:
    """With theta = 0 and Delta = 0 the part of degree zero vanishes and that of degree one has one term left."""
    speeds = ["w1", "w2", "w3"]
    kinetic = " + ".join(
        f"({METRIC[a][b]})*{v}*{w}/2"
        for a, v in enumerate([*speeds, "r'", "s'"])
        for b, w in enumerate([*speeds, "r'", "s'"])
    )
    system = make(
        "SO3", lagrangian=kinetic, forces={},
        constraints=[f"{w} = ({row[0]})*r' + ({row[1]})*s'" for w, row in zip(speeds, LIFT, strict=True)],
    )  # fmt: skip
    parts, printed = system.reduced().gyroscopic_parts, Printed("SO3")
    printed.theta, printed.drift = [sp.Integer(0)] * 3, np.zeros(5)
    for i, name in enumerate(("r'", "s'")):
        assert parts[0][name] == 0
        assert -value(parts[1][name]) == pytest.approx(
            float(printed.dot @ printed.H @ printed.K @ printed.B_t(i)), abs=1e-12
        )
