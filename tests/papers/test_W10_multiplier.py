r"""W10: Theorem 3 of Fernandez & Bloch, (4.1.6): the multiplier decided, returned, and the measure it implies."""

from __future__ import annotations

import random

import numpy as np
import pytest
import sympy as sp

from anholonomy import System, Verdict, catalogue
from anholonomy.language import to_text


def printed(names: list[str], L: sp.Expr, rows: dict[str, sp.Expr], f: sp.Expr) -> list[sp.Expr]:
    r"""(4.1.6) for an abelian fibre, written out from the Lagrangian and $\dot q^C = a^C_\alpha\dot r^\alpha$, left minus right."""
    r, v = [sp.Symbol(n) for n in names], [sp.Symbol(f"{n}'") for n in names]
    fibre = [sp.Symbol(f"{z}'") for z in rows]
    a = {z: [sp.diff(row, rate) for rate in v] for z, row in rows.items()}
    lift = [[sp.Integer(int(i == k)) for k in range(len(r))] + [a[z][i] for z in rows] for i in range(len(r))]
    g = sp.hessian(L, [*v, *fibre])

    def G(X: list[sp.Expr], Y: list[sp.Expr]) -> sp.Expr:
        return (sp.Matrix([X]) * g * sp.Matrix(Y))[0]

    def curved(i: int, k: int) -> list[sp.Expr]:
        r"""$[\tilde e_i, \tilde e_k] = \mathcal B^C_{ik}\partial_C$."""
        return [sp.Integer(0)] * len(r) + [sp.diff(a[z][k], r[i]) - sp.diff(a[z][i], r[k]) for z in rows]

    found, n = [], range(len(r))
    for i in n:
        for j in n:
            for k in n:
                left = sp.diff(f, r[k]) * G(lift[j], lift[i]) + sp.diff(f, r[j]) * G(lift[k], lift[i])
                left -= 2 * sp.diff(f, r[i]) * G(lift[j], lift[k])
                found.append(left - f * (G(lift[j], curved(i, k)) + G(lift[k], curved(i, j))))
    return found


def read(text: object) -> sp.Expr:
    return sp.sympify(to_text(text).replace("'", "_").replace("^", "**")).xreplace({})


@pytest.mark.parametrize("seed", range(3))
def test_W10_the_multiplier_solves_the_printed_equations(seed: int) -> None:
    """On random systems $\\dot z_j = c_jg(x)\\dot y_j$ with weights, a base of dimension two or three; and one wrong f does not."""
    rng = random.Random(seed)
    count = 1 + seed % 2
    x = sp.Symbol("x")
    g = [x, sp.sin(x), 1 + x**2][seed]
    ys = [f"y{k}" for k in range(count)]
    L = (sp.Symbol("x'") ** 2 + sum(sp.Symbol(f"{y}'") ** 2 + 3 * sp.Symbol(f"z{y}'") ** 2 for y in ys)) / 2
    rows = {f"z{y}": g * sp.Symbol(f"{y}'") for y in ys}
    system = System(
        name="printed", coordinates=["x", *ys, *rows], lagrangian=L,
        constraints=[f"{z}' = {sp.sstr(row)}".replace("**", "^") for z, row in rows.items()],
    )  # fmt: skip
    h = system.hamiltonize(fibre=list(rows))
    f = read(h.multiplier)
    point = {x: sp.Rational(rng.randint(1, 9), 10)}
    assert max(abs(sp.N(e.subs(point))) for e in printed(["x", *ys], L, rows, f)) < 1e-14
    assert max(abs(sp.N(e.subs(point))) for e in printed(["x", *ys], L, rows, f**2)) > 1e-3


def test_W10_refuted_where_the_printed_equations_have_no_solution() -> None:
    h = catalogue.snakeboard().hamiltonize()
    assert h.verdict is Verdict.REFUTED
    assert h.finding.check() is Verdict.REFUTED


def test_W10_conditionally_variational() -> None:
    assert catalogue.rolling_disk().hamiltonize().conditionally_variational
    assert not catalogue.free_particle().hamiltonize().conditionally_variational


def test_W10_the_exponent_of_the_measure_is_not_the_dimension_of_the_fibre() -> None:
    r"""Printed: density $f^K$, $K$ the dimension of the fibre. With two fibres over two dimensions it is $f^{\sigma-1} = f$.

    $\dot z_1 = \dot z_2 = x\dot y$: $\ddot x = 0$ and $\ddot y = -2x\dot x\dot y/(1 + 2x^2)$, so that $\operatorname{div}(N\dot x, N\dot y, N\ddot x,
    N\ddot y) = 0$ for $N = \det G\,f$, in the velocities, and not for $\det G\,f^2$.
    """
    h = System(
        name="two fibres", coordinates=["x", "y", "z1", "z2"], lagrangian="(x'^2 + y'^2 + z1'^2 + z2'^2)/2",
        constraints=["z1' = x*y'", "z2' = x*y'"],
    ).hamiltonize(fibre=["z1", "z2"])  # fmt: skip
    x, u, v = sp.symbols("x u v")
    f, density = read(h.multiplier), read(h.density)
    assert sp.simplify(f - (1 + 2 * x**2) ** sp.Rational(-1, 2)) == 0
    G = 1 + 2 * x**2
    field = [u, v, 0, -2 * x * u * v / G]

    def divergence(N: sp.Expr) -> sp.Expr:
        return sp.simplify(sp.diff(N * field[0], x) + sp.diff(N * field[2], u) + sp.diff(N * field[3], v))

    assert divergence(G * density) == 0
    assert sp.simplify(density - f) == 0
    assert divergence(G * f**2) != 0


def test_W10_the_measure_over_three_dimensions() -> None:
    r"""Two fibres, $\dot z_j = x\dot y_j$: $f^2$, carried along by the flow as the determinant of its derivative says."""
    system = System(
        name="three", coordinates=["x", "y1", "y2", "z1", "z2"], lagrangian="(x'^2 + y1'^2 + y2'^2 + z1'^2 + z2'^2)/2",
        constraints=["z1' = x*y1'", "z2' = x*y2'"],
    )  # fmt: skip
    h = system.hamiltonize()
    base = system.reduced().base
    names = ["x", "y1", "y2", "x'", "y1'", "y2'"]
    start = dict(zip(names, (0.3, 0.1, 0.2, 0.5, 0.4, -0.3), strict=True))

    def end(state: dict[str, float]) -> np.ndarray:
        run = base.simulate(state, times=[0.0, 1.0])
        return np.array([float(run[n][-1]) for n in names])

    step = 1e-4
    columns = [(end({**start, n: start[n] + step}) - end({**start, n: start[n] - step})) / (2 * step) for n in names]

    # N(q) dr dπ = N det G dr dw.
    def weight(state: dict[str, float]) -> float:
        return h({"x": state["x"]}) ** 2 * (1 + state["x"] ** 2) ** 2

    after = dict(zip(names, end(start), strict=True))
    assert np.linalg.det(np.array(columns)) * weight(after) == pytest.approx(weight(start), rel=1e-7)


def test_W12_W13_W14_the_multipliers_of_the_examples_are_found() -> None:
    """5.1: constant; 5.2: $(1 + x^2)^{-1/2}$; 5.3: $\\cos\\varphi$, and the Lagrangians in the new time."""
    found = {name: getattr(catalogue, name)().hamiltonize() for name in ("rolling_disk", "free_particle", "knife_edge")}
    assert [str(h.multiplier) for h in found.values()] == ["1", "(1 + x**2)**(-1/2)", "cos(phi)"]
    assert to_text(found["free_particle"].lagrangian) == "m*((x^2 + 1)*y'^2 + x'^2)/(2*(x^2 + 1))"
    assert to_text(found["knife_edge"].lagrangian) == "(I*cos(phi)^2*phi'^2 + m*(x'^2 + 2*g*x*sin(alpha)))/2"
    assert list(found["rolling_disk"].laws) == ["p1", "p2"]


def test_W13_the_conservation_law_of_the_cyclic_variable() -> None:
    r"""5.2: $\sqrt{1 + x^2}\,\dot y$ is constant, read off the Lagrangian in the new time."""
    h = catalogue.free_particle().hamiltonize()
    assert {name: to_text(value) for name, value in h.laws.items()} == {"p2": "m*sqrt(x^2 + 1)*y'"}
    run = catalogue.free_particle().simulate({"x": -0.7, "y": 0, "z": 0, "x'": 0.8, "y'": 1.3}, until=3.0)
    values = run[to_text(h.laws["p2"])].values
    np.testing.assert_allclose(values, values[0], rtol=1e-13)


def test_W13_the_new_time_in_closed_form() -> None:
    """(5.2.3) and (5.2.5), from the system alone."""
    alpha_x, alpha_y = 0.8, 1.3
    system = catalogue.free_particle()
    run = system.simulate({"x": 0, "y": 0, "z": 0, "x'": alpha_x, "y'": alpha_y}, until=4.0)
    tau = system.hamiltonize().time(run).values
    np.testing.assert_allclose(run["x"], np.sinh(alpha_x * tau), atol=1e-12)
    np.testing.assert_allclose(run["y"], alpha_y * tau, atol=1e-12)


def test_W14_the_new_time_in_closed_form() -> None:
    r"""(5.3.6) and (5.3.3): $\tau = \sin\varphi/\omega$ and $x' = \sin\alpha\,\tau + K_1$."""
    slope, omega, kappa = 0.4, 0.9, 0.6
    system = catalogue.knife_edge(1, 1, 1, slope)
    run = system.simulate({"x": 0.3, "y": 0, "phi": 0, "x'": kappa, "phi'": omega}, until=1.6)
    h = system.hamiltonize()
    tau = h.time(run).values
    np.testing.assert_allclose(tau, np.sin(omega * run.time.values) / omega, atol=1e-13)
    np.testing.assert_allclose(run["x'/cos(phi)"], np.sin(slope) * tau + kappa, atol=1e-12)
