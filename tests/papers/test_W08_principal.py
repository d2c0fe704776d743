"""W8: non-abelian Chaplygin systems, curvature and reduced equations (Fernandez & Bloch, section 3.2)."""

from __future__ import annotations

import pytest
import sympy as sp

import anholonomy as ah
from anholonomy.algebra.expressions import to_sympy
from anholonomy.geometry.connections.principal import PrincipalConnection
from anholonomy.language import parse_expression
from tests.geometry.connections.principal_bundles import COEFFICIENTS, SE2, SO3


def printed(connection: PrincipalConnection, D: int, sign: int) -> object:
    """(3.2.2): the bracket of two lifts, with the quadratic term's sign as a parameter."""
    A, (r, s), C = connection.coefficients_da, connection.base, connection.algebra_abd
    quadratic = sum(C[a][b][D] * A[a][0] * A[b][1] for a in range(3) for b in range(3))
    return A[D][0].diff(s) - A[D][1].diff(r) + sign * quadratic


def test_W8_the_printed_sign_of_the_structure_constants() -> None:
    """[h_1, h_2] = (∂A_1/∂s - ∂A_2/∂r + C A_1 A_2) ξ; the print has minus C."""
    for algebra in (SE2, SO3):
        connection = PrincipalConnection(["r", "s"], algebra, COEFFICIENTS)
        bracket = [connection.frame.structure_abd[0][1][2 + D] for D in range(3)]
        differences = [(bracket[D] - printed(connection, D, +1)).expand() for D in range(3)]
        assert differences == [0, 0, 0]
        assert any((bracket[D] - printed(connection, D, -1)).expand() != 0 for D in range(3))


def reduced_acceleration(system: ah.System, algebra, sign: int, at: dict[sp.Symbol, float]) -> list[float]:
    r"""(3.2.1), (3.2.2) by hand: $\frac{d}{dt}\partial_{\dot r}l_c - \partial_rl_c = -\mathcal B^D{}_{\alpha\beta}\,p_D\,\dot r^\beta$, solved for $\ddot r$.

    $[e_\alpha, e_\beta] = \mathcal B^D{}_{\alpha\beta}e_D$ with the sign of its structure constants as a parameter.
    """
    r, v = sp.symbols("r s"), sp.symbols("r' s'")
    rows = [[to_sympy(parse_expression(entry)) for entry in row] for row in COEFFICIENTS]
    xi = [-sum(row[a] * v[a] for a in range(2)) for row in rows]
    L = to_sympy(system.lagrangian)
    speeds = [sp.Symbol(w.name) for w in system.velocities[:3]]
    on_shell = dict(zip(speeds, xi, strict=True))
    l_c, p = L.subs(on_shell), [L.diff(w).subs(on_shell) for w in speeds]

    def B(D: int, a: int, b: int) -> sp.Expr:
        quadratic = sum(algebra[x][y][D] * rows[x][a] * rows[y][b] for x in range(3) for y in range(3))
        return rows[D][a].diff(r[b]) - rows[D][b].diff(r[a]) + sign * quadratic

    equations = []
    acceleration = sp.symbols("r'' s''")
    for a in range(2):
        momentum = l_c.diff(v[a])
        rate = sum(momentum.diff(r[b]) * v[b] + momentum.diff(v[b]) * acceleration[b] for b in range(2))
        force = -sum(B(D, a, b) * p[D] * v[b] for D in range(3) for b in range(2))
        equations.append((rate - l_c.diff(r[a]) - force).subs(at))
    solution = (
        sp.Matrix(equations).jacobian(acceleration).LUsolve(-sp.Matrix(equations).subs(dict.fromkeys(acceleration, 0)))
    )
    return [float(value) for value in solution]


@pytest.mark.parametrize(("group", "algebra"), [("SO3", SO3), ("SE2", SE2)])
def test_W8_the_reduced_equations(group: str, algebra) -> None:
    """The constrained reduced Lagrangian and the corrected curvature give the motion of the whole; the printed sign does not."""
    xi = ["w1", "w2", "w3"] if group == "SO3" else ["v1", "v2", "w"]
    system = ah.System(
        name="bundle", group=group, coordinates=["r", "s"],
        kinetic=["2 + r^2", "1 + s^2", 3, 1, 2], potential="r*s",
        constraints=[f"{w} + ({row[0]})*r' + ({row[1]})*s' = 0" for w, row in zip(xi, COEFFICIENTS, strict=True)],
    )  # fmt: skip
    state = {"r": 0.3, "s": -0.4, "r'": 0.7, "s'": 0.5}
    place = {"q0": 1, "q1": 0, "q2": 0, "q3": 0} if group == "SO3" else {"x": 0, "y": 0, "theta": 0.3}
    whole = system.derive("lagrange-dalembert").accelerations(state | place)
    base = system.reduced().base
    assert base.derive().accelerations(state) == pytest.approx({"r''": whole["r''"], "s''": whole["s''"]}, abs=1e-13)
    at = {sp.Symbol(name): value for name, value in state.items()}
    right, wrong = (reduced_acceleration(system, algebra, sign, at) for sign in (1, -1))
    assert right == pytest.approx([whole["r''"], whole["s''"]], abs=1e-13)
    assert max(abs(a - b) for a, b in zip(wrong, right, strict=True)) > 1e-2
