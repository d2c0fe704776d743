"""Curvatures that books print: space forms, left-invariant metrics (Milnor 1976), and surfaces of revolution."""

from __future__ import annotations

import pytest
import symengine

from anholonomy.algebra.zero_test import is_zero
from anholonomy.base.verdict import Verdict
from anholonomy.geometry import Frame
from anholonomy.geometry.connections import coordinate, levi_civita
from anholonomy.geometry.metric import Metric
from anholonomy.language import parse_expression

EULER = [
    ["sin(psi)/sin(theta)", "cos(psi)", "-sin(psi)*cos(theta)/sin(theta)"],
    ["cos(psi)/sin(theta)", "-sin(psi)", "-cos(psi)*cos(theta)/sin(theta)"],
    ["0", "0", "1"],
]
PLANE = [["cos(theta)", "sin(theta)", "0"], ["-sin(theta)", "cos(theta)", "0"], ["0", "0", "1"]]
HEISENBERG = [["1", "0", "-y/2"], ["0", "1", "x/2"], ["0", "0", "1"]]
SE2 = Frame(["x", "y", "theta"], PLANE)
SO3 = Frame(["phi", "theta", "psi"], EULER)
H3 = Frame(["x", "y", "z"], HEISENBERG)


def sectional(connection, metric, a, b):
    r"""$K(e_a, e_b) = g(R(e_a, e_b)e_b, e_a)/(G_{aa}G_{bb} - G_{ab}^2)$."""
    lowered = metric.lower(connection.curvature)
    return lowered[a, b, a, b] / (metric[a, a] * metric[b, b] - metric[a, b] ** 2)


SURFACES = {
    "unit sphere": (["theta", "phi"], ["1", "sin(theta)^2"], "1"),
    "sphere of radius R": (["theta", "phi"], ["R^2", "R^2*sin(theta)^2"], "1/R^2"),
    "hyperbolic half-plane": (["x", "y"], ["1/y^2", "1/y^2"], "-1"),
    "hyperbolic disc, geodesic polar": (["r", "phi"], ["1", "sinh(r)^2"], "-1"),
    "plane in polar coordinates": (["r", "phi"], ["1", "r^2"], "0"),
    "cone": (["r", "phi"], ["1", "k^2*r^2"], "0"),
    "catenoid": (["u", "v"], ["cosh(u)^2", "cosh(u)^2"], "-1/cosh(u)^4"),
    "torus": (["u", "v"], ["a^2", "(R + a*cos(u))^2"], "cos(u)/(a*(R + a*cos(u)))"),
    "paraboloid": (["r", "phi"], ["1 + 4*r^2", "r^2"], "4/(1 + 4*r^2)^2"),
}


@pytest.mark.parametrize(("names", "metric", "K"), SURFACES.values(), ids=SURFACES.keys())
def test_gaussian_curvature(names, metric, K):
    g = Metric(Frame(names), metric)
    LC = levi_civita(g)
    assert is_zero(sectional(LC, g, 0, 1) - parse_expression(K))
    assert is_zero(LC.scalar(g) - 2 * parse_expression(K))


def test_isothermal_coordinates():
    r"""$K = -e^{-2f}\Delta f$ for $g = e^{2f}(dx^2 + dy^2)$, with $f$ arbitrary."""
    g = Metric(Frame(["x", "y"]), ["exp(2*f(x, y))", "exp(2*f(x, y))"], functions=["f"])
    x, y = symengine.symbols("x y")
    f = symengine.Function("f")(x, y)
    K = -symengine.exp(-2 * f) * (f.diff(x, x) + f.diff(y, y))
    assert is_zero(sectional(levi_civita(g), g, 0, 1) - K)


def test_liouvilles_formula_in_an_orthogonal_net():
    r"""$K = -\frac1{2\sqrt{EG}}\bigl(\partial_u\frac{G_u}{\sqrt{EG}} + \partial_v\frac{E_v}{\sqrt{EG}}\bigr)$."""
    g = Metric(Frame(["u", "v"]), ["E(u, v)", "G(u, v)"], functions=["E", "G"])
    u, v = symengine.symbols("u v")
    E, G = symengine.Function("E")(u, v), symengine.Function("G")(u, v)
    # Free of roots: the printed formula multiplied out.
    K = (
        -(G.diff(u, u) + E.diff(v, v)) / (2 * E * G)
        + (E.diff(u) * G.diff(u) + E.diff(v) ** 2) / (4 * E**2 * G)
        + (G.diff(u) ** 2 + E.diff(v) * G.diff(v)) / (4 * E * G**2)
    )
    assert is_zero(sectional(levi_civita(g), g, 0, 1) - K)


def test_heisenberg_group():
    """Milnor: with [e1, e2] = e3 orthonormal, K(e1, e2) = -3/4, K(e1, e3) = K(e2, e3) = 1/4."""
    g = Metric(H3, [1, 1, 1])
    LC = levi_civita(g)
    assert H3.structure_abd[0][1] == (0, 0, 1)
    assert [sectional(LC, g, a, b) * 4 for a, b in ((0, 1), (0, 2), (1, 2))] == [-3, 1, 1]
    assert [LC.ricci[a, a] * 2 for a in range(3)] == [-1, -1, 1]
    assert 2 * LC.scalar(g) == -1


def test_the_group_of_motions_of_the_plane_is_flat():
    """Milnor, Theorem 1.5: E(2) with orthonormal translations and rotation is flat; unequal lengths are not."""
    flat = levi_civita(Metric(SE2, [1, 1, 1]))
    assert flat.is_flat()
    assert str(flat.coefficients) == "Gamma^1_32 = -1\nGamma^2_31 = 1"
    curved = levi_civita(Metric(SE2, [1, 4, 1]))
    assert curved.is_flat().verdict is Verdict.REFUTED


def test_the_round_rotation_group():
    r"""Bi-invariant: $\nabla_XY = [X, Y]/2$, $R(X, Y)Z = -[[X, Y], Z]/4$, all sectional curvatures 1/4."""
    g = Metric(SO3, [1, 1, 1])
    LC = levi_civita(g)
    epsilon = lambda a, b, c: (a - b) * (b - c) * (c - a) // 2
    n = range(3)
    assert all(is_zero(2 * LC.coefficients[a, b, c] - epsilon(b, c, a)) for a in n for b in n for c in n)
    assert {sectional(LC, g, a, b) for a, b in ((0, 1), (0, 2), (1, 2))} == {symengine.Rational(1, 4)}
    assert 2 * LC.scalar(g) == 3


def test_milnors_ricci_of_a_left_invariant_metric():
    r"""$[e_2, e_3] = \lambda_1e_1$ …, $\mu_i = (\lambda_1+\lambda_2+\lambda_3)/2 - \lambda_i$: $\mathrm{Ric}(e_1, e_1) = 2\mu_2\mu_3$."""
    a, b, c = symengine.symbols("a b c")
    g = Metric(SO3, ["a^2", "b^2", "c^2"])
    LC = levi_civita(g)
    lam = a / (b * c), b / (a * c), c / (a * b)
    mu = [sum(lam) / 2 - each for each in lam]
    for i, (j, k) in enumerate(((1, 2), (0, 2), (0, 1))):
        assert is_zero(LC.ricci[i, i] / g[i, i] - 2 * mu[j] * mu[k])


def test_three_sphere_and_hyperbolic_space():
    sphere = Metric(Frame(["u", "v", "w"]), ["1", "sin(u)^2", "sin(u)^2*sin(v)^2"])
    hyperbolic = Metric(Frame(["x", "y", "z"]), ["1/z^2", "1/z^2", "1/z^2"])
    for g, K in ((sphere, 1), (hyperbolic, -1)):
        LC = levi_civita(g)
        assert all(is_zero(sectional(LC, g, a, b) - K) for a, b in ((0, 1), (0, 2), (1, 2)))
        assert (LC.ricci - 2 * K * g.tensor).is_zero().verdict is Verdict.PROVEN


def test_flat_space_in_spherical_coordinates_is_the_coordinate_connection_of_cartesian_ones():
    """The same plane twice: Levi-Civita of dr^2 + r^2 dphi^2 in the Cartesian frame has no coefficients."""
    cartesian = Frame(["r", "phi"], [["cos(phi)", "-sin(phi)/r"], ["sin(phi)", "cos(phi)/r"]])
    g = Metric(Frame(["r", "phi"]), ["1", "r^2"])
    assert levi_civita(g.in_frame(cartesian)).coefficients.items == ()
    assert coordinate(g.frame).coefficients.items == ()


def test_geodesics_print_as_in_a_book():
    sphere = levi_civita(Metric(Frame(["theta", "phi"]), ["1", "sin(theta)^2"]))
    equations = sphere.geodesic_equations()
    rates, right = zip(*(line.split(" = ") for line in equations.lines()), strict=True)
    assert rates == ("theta''", "phi''")
    expected = "phi'^2*sin(theta)*cos(theta)", "-2*phi'*theta'*cos(theta)/sin(theta)"
    assert all(is_zero(parse_expression(a) - parse_expression(b)) for a, b in zip(right, expected, strict=True))
    assert r"\ddot{\theta}" in equations.latex()
    assert r"\Gamma{}^{\theta}" in sphere.coefficients.latex()
