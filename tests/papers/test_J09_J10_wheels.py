r"""J9 and J10 in general: unicycle and two-wheeled carriage with potentials that nobody specified (Examples 4.2 and 4.3).

Both examples conclude from $g(a, [a, b']) = 0$ on a basis of $d$, a condition that is quadratic in $a$. It fails on sums: the wheels push
sideways. Free motions are vakonomic all the same, and so are those of every potential of the angles other than the position.
"""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

import anholonomy as ah
from anholonomy.algebra.expressions import to_sympy
from anholonomy.language import to_text
from tests.vakonomic.extremals import misfit

M, I, J, R, W = 2.0, 0.3, 0.5, 0.7, 0.9
VALUES = {"m": M, "I": I, "J": J, "R": R}


def unicycle(U: str, values: bool = False, functions: tuple[str, ...] = ()) -> ah.System:
    return ah.System(
        name="unicycle",
        coordinates=["x", "y", "theta", "phi"],
        lagrangian=f"m/2*(x'^2 + y'^2) + I/2*theta'^2 + J/2*phi'^2 - {U}",
        functions=list(functions),
        constraints=["x' = R*cos(phi)*theta'", "y' = R*sin(phi)*theta'"],
        parameters=VALUES if values else list(VALUES),
    )


def carriage(U: str, values: bool = False, functions: tuple[str, ...] = ()) -> ah.System:
    return ah.System(
        name="carriage",
        coordinates=["x", "y", "phi", "theta1", "theta2"],
        lagrangian=f"m/2*(x'^2 + y'^2) + J/2*phi'^2 + I*(theta1'^2 + theta2'^2) - {U}",
        functions=list(functions),
        constraints=["x'*cos(phi) + y'*sin(phi) = R*theta1'", "y'*cos(phi) - x'*sin(phi) = 0", "w*phi' = R*theta2'"],
        parameters=VALUES | {"w": W} if values else [*VALUES, "w"],
    )


def test_J10_the_bracket_is_orthogonal_on_the_basis_and_not_on_sums() -> None:
    """The printed table, and the sum of its two basis vectors: g(a, [a, e2]) = -m R^2."""
    metric = np.diag([M, M, J, 2 * I, 2 * I])  # e1, e2, d/dphi, d/dtheta1, d/dtheta2
    c = np.zeros((5, 5, 5))
    c[2, 0, 1], c[0, 2, 1], c[2, 1, 0], c[1, 2, 0] = 1, -1, -1, 1
    roll, turn = np.array([R, 0, 0, 1, 0]), np.array([0, 0, R, 0, W])
    normals = np.array([[0, 1, 0, 0, 0], [-2 * I / (R * M), 0, 0, 1, 0], [0, 0, -2 * I * W / (J * R), 0, 1]])
    form = lambda a, b: a @ metric @ np.einsum("a,b,abd->d", a, b, c)
    assert np.abs([[a @ metric @ b for a in (roll, turn)] for b in normals]).max() < 1e-15
    assert np.abs([[form(a, b) for a in (roll, turn)] for b in normals]).max() < 1e-15
    assert form(roll + turn, normals[0]) == pytest.approx(-M * R**2)


def test_J10_free_motions_are_vakonomic_and_no_free_ones() -> None:
    answer = carriage("0").compare_vakonomic()
    assert answer.verdict is ah.Verdict.PROVEN
    assert answer.explanation == "cyclic momenta"
    assert answer.conditions["reactions"].is_refuted
    assert "m*" in str(answer.conditions["reactions"])


@pytest.mark.exhaustive
def test_J10_the_printed_potentials_depend_on_one_function_and_are_vakonomic() -> None:
    r"""$dU \in \mathrm{span}(\alpha, \beta)$, and $d\beta$ is not in their ideal: $U$ is a function of $JR\varphi + 2Iw\theta_2$."""
    x, y, p, a, b, m, i, j, r, w = sp.symbols("x y phi theta1 theta2 m I J R w")
    alpha = sp.Matrix([0, 0, j * r, 0, 2 * i * w])
    beta = sp.Matrix([r * m * sp.cos(p), r * m * sp.sin(p), 0, 2 * i, 0])
    q = (x, y, p, a, b)
    curl = sp.Matrix(5, 5, lambda k, n: beta[n].diff(q[k]) - beta[k].diff(q[n]))
    kernel = sp.Matrix.hstack(alpha, beta).T.nullspace()
    assert any(sp.simplify((u.T * curl * v)[0]) != 0 for u in kernel for v in kernel)
    system = carriage("k*sin(J*R*phi + 2*I*w*theta2)".replace("k", "3/10"), values=True)
    assert system.compare_vakonomic().verdict is ah.Verdict.PROVEN
    start = {"x": 0, "y": 0, "phi": 0.2, "theta1": 0, "theta2": 0.1, "theta1'": 1.2, "theta2'": 0.7}
    assert misfit(system, start, until=1.0) < 1e-9


@pytest.mark.exhaustive_for("J10", "J9")
@pytest.mark.parametrize(
    ("system", "kept"),
    [
        (unicycle("U(x, y, theta, phi)", functions=("U(x, y, theta, phi)",)), ["U(theta, phi)"]),
        (
            carriage("U(x, y, phi, theta1, theta2)", functions=("U(x, y, phi, theta1, theta2)",)),
            ["U(phi, theta1, theta2)"],
        ),
    ],
    ids=["J9", "J10"],
)
def test_J9_J10_potentials_of_the_angles_keep_the_answer_and_no_others(system: ah.System, kept: list[str]) -> None:
    """Necessary, too: with P across and Q along the track, Q + P_turn = 0 and P U_turn = 0 are required, so that P = Q = 0.

    Where P is not 0, U does not change in turning; then P_turn = Q, so that Q = 0 for every heading, and P with it.
    """
    answer = system.compare_vakonomic()
    assert answer.verdict is ah.Verdict.REFUTED
    assert [to_text(each) for each in answer.kept] == kept
    q = [sp.Symbol(s.name) for s in system.coordinates]
    x, y, phi = sp.symbols("x y phi")
    U, c, s, r, w = sp.Function("U")(*q), sp.cos(phi), sp.sin(phi), sp.Symbol("R"), sp.Symbol("w")
    P, Q = s * U.diff(x) - c * U.diff(y), c * U.diff(x) + s * U.diff(y)
    turn = lambda f: r * f.diff(phi) + (w * f.diff(q[-1]) if len(q) == 5 else 0)
    given = [to_sympy(each) for each in answer.requirements]
    for claim in (r * Q + turn(P), P * turn(U)):
        assert any(_is_multiple(each, claim) for each in given)


def _is_multiple(f: sp.Expr, g: sp.Expr) -> bool:
    """Whether f/g has no function in it: at one configuration it is the same number for all values of the derivatives."""
    rng, ratios = np.random.default_rng(1), []
    atoms = {a: tuple(sorted(map(str, a.variables))) for e in (f, g) for a in e.atoms(sp.Derivative)}
    here = {s: sp.Float(0.3 + 0.1 * k) for k, s in enumerate(sorted(f.free_symbols | g.free_symbols, key=str))}
    for _ in range(3):
        values = {key: sp.Float(float(rng.normal())) for key in sorted(set(atoms.values()))}
        marks = {a: values[key] for a, key in atoms.items()}
        ratios.append(float(f.xreplace(marks).xreplace(here)) / float(g.xreplace(marks).xreplace(here)))
    return max(ratios) - min(ratios) < 1e-9
