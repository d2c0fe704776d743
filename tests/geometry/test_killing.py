"""Killing fields: known algebras, extra conditions, and the laws of the Lie derivative."""

from __future__ import annotations

from itertools import product

import mpmath
import pytest
import symengine
from hypothesis import given, settings
from hypothesis import strategies as st

from anholonomy.algebra.expressions import to_sympy
from anholonomy.algebra.zero_test import verdict_of
from anholonomy.base.verdict import Verdict
from anholonomy.errors import DeclarationError
from anholonomy.geometry.algebras.lie_algebra import LieAlgebra
from anholonomy.geometry.distributions.distribution import Distribution
from anholonomy.geometry.forms import Form
from anholonomy.geometry.frame import Frame
from anholonomy.geometry.metric import Metric
from anholonomy.geometry.symmetry.killing import killing_fields
from anholonomy.geometry.symmetry.preserved import off_distribution, preserves, preserves_distribution
from anholonomy.geometry.tensor import Tensor
from anholonomy.geometry.vector_fields import lie_bracket, lie_derivative, vector_field
from tests.wording import blames

HEISENBERG = [["1", "0", "-y/2"], ["0", "1", "x/2"], ["0", "0", "1"]]
SLEIGH = [
    ["m", "0", "-a*m*sin(theta)"],
    ["0", "m", "a*m*cos(theta)"],
    ["-a*m*sin(theta)", "a*m*cos(theta)", "I + m*a^2"],
]
# Coordinates, metric, how many fields, which algebra.
KNOWN = {
    "Euclidean plane": (["x", "y"], ["1", "1"], 3, "se(2)"),
    "plane in polar coordinates": (["r", "phi"], ["1", "r^2"], 3, "se(2)"),
    "Minkowski plane": (["x", "y"], ["1", "-1"], 3, "e(1,1)"),
    "Euclidean space": (["x", "y", "z"], ["1", "1", "1"], 6, "se(3)"),
    "space in spherical coordinates": (["r", "theta", "phi"], ["1", "r^2", "r^2*sin(theta)^2"], 6, "se(3)"),
    "sphere of radius R": (["theta", "phi"], ["R^2", "R^2*sin(theta)^2"], 3, "so(3)"),
    "hyperbolic half-plane": (["x", "y"], ["1/y^2", "1/y^2"], 3, "sl(2,R)"),
    "hyperbolic plane in polar coordinates": (["r", "phi"], ["1", "sinh(r)^2"], 3, "sl(2,R)"),
    "hyperbolic plane in horocyclic coordinates": (["x", "y"], ["1", "exp(2*x)"], 3, "sl(2,R)"),
    "cylinder over a circle": (["r", "theta", "z"], ["1", "r^2", "1"], 6, "se(3)"),
    "sphere times a line": (["theta", "phi", "z"], ["1", "sin(theta)^2", "1"], 4, "so(3) + R"),
    "surface of revolution": (["x", "y"], ["1", "1 + x^2"], 1, "R"),
    "no symmetry": (["x", "y"], ["1 + x^2*y^2 + x^4", "1 + y^4 + x"], 0, "0"),
}


@pytest.mark.exhaustive_for("space in spherical coordinates")
@pytest.mark.parametrize(("coordinates", "metric", "count", "name"), KNOWN.values(), ids=KNOWN.keys())
def test_known_algebras(coordinates, metric, count, name):
    found = killing_fields(Metric(Frame(coordinates), metric))
    assert len(found) == count
    assert found.is_complete
    assert all(each.finding.verdict is Verdict.PROVEN for each in found.found)
    assert found.algebra.name == name
    assert found.algebra.satisfies_jacobi


@pytest.mark.exhaustive
def test_the_round_three_sphere():
    metric = [["1", "0", "cos(theta)"], ["0", "1", "0"], ["cos(theta)", "0", "1"]]
    found = killing_fields(Metric(Frame(["phi", "theta", "psi"]), metric))
    assert (len(found), bool(found.is_complete), found.algebra.name) == (6, True, "so(4)")


def test_a_torus_closes_what_a_plane_leaves_open():
    """Locally a flat torus is a plane; fields that come back to themselves are the two translations."""
    flat = Metric(Frame(["alpha", "beta"]), ["1", "1"])
    assert killing_fields(flat).algebra.name == "se(2)"
    torus = killing_fields(flat, angles=["alpha", "beta"])
    assert (len(torus), torus.algebra.name, torus.bound) == (2, "R^2", 3)
    cylinder = killing_fields(flat, angles=["alpha"])
    assert (len(cylinder), cylinder.algebra.name) == (2, "R^2")


def test_heisenberg_has_its_right_translations_and_one_rotation():
    """A left-invariant metric in its own frame; the components are constant there and the frame is not."""
    frame = Frame(["x", "y", "z"], HEISENBERG)
    found = killing_fields(Metric(frame, ["1", "1", "1"]))
    assert (len(found), bool(found.is_complete), found.algebra.name) == (4, True, "oscillator")
    right = [
        vector_field(Frame(["x", "y", "z"]), each) for each in (["2", "0", "y"], ["0", "2", "-x"], ["0", "0", "1"])
    ]
    assert all(preserves(X, Metric(frame, ["1", "1", "1"])).verdict is Verdict.PROVEN for X in right)
    # All left-invariant metrics of this group are one up to scale: other lengths only make the rotation an ellipse.
    lengths = killing_fields(Metric(frame, ["1", "2", "5"]))
    assert (len(lengths), bool(lengths.is_complete), lengths.algebra.name) == (4, True, "oscillator")


def test_a_heisenberg_metric_that_is_not_invariant_keeps_the_centre():
    found = killing_fields(Metric(Frame(["x", "y", "z"], HEISENBERG), ["1", "1 + x^2 + y^4 + x*y", "1"]))
    assert ([str(X) for X in found], bool(found.is_complete)) == (["X^z = 1"], True)


def test_masses_stay_symbols():
    """The sleigh's metric is that of a plane and a turn about the centre of mass, which lies a ahead of the blade."""
    frame = Frame(["x", "y", "theta"])
    found = killing_fields(Metric(frame, SLEIGH), angles=["theta"])
    assert (len(found), found.algebra.name) == (4, "se(2) + R")
    about_centre = vector_field(frame, ["a*sin(theta)", "-a*cos(theta)", "1"])
    assert preserves(about_centre, Metric(frame, SLEIGH)).verdict is Verdict.PROVEN
    symbols = {s.name for X in found for _, value in X.items for s in value.free_symbols}
    assert "a" in symbols
    assert not symbols & {"m", "I"}


def test_constants_may_depend_on_parameters():
    """An ellipse-shaped metric: the rotation has the axes in its components."""
    found = killing_fields(Metric(Frame(["x", "y"]), ["a", "b"]))
    assert (len(found), bool(found.is_complete)) == (3, True)
    assert all(each.finding.verdict is Verdict.PROVEN for each in found.found)


def test_the_kinetic_metric_of_the_plane_group():
    found = killing_fields(Metric(Frame(["x", "y", "theta"]), ["m", "m", "I"]), angles=["theta"])
    assert (len(found), found.algebra.name) == (4, "se(2) + R")


def test_an_unspecified_function_leaves_the_obvious_field():
    found = killing_fields(Metric(Frame(["x", "y"]), ["1", "f(x)"], functions=["f"]))
    assert [str(X) for X in found] == ["X^y = 1"]
    assert found.is_complete
    assert killing_fields(Metric(Frame(["x", "y"]), ["1", "f(x, y)"], functions=["f"])).is_complete


def test_a_basis_given_by_the_user():
    polar = Metric(Frame(["r", "phi"]), ["1", "r^2"])
    assert len(killing_fields(polar, basis=["1"])) == 1
    # Brackets of what is found count too: the rotation and one translation make the other.
    found = killing_fields(polar, basis=["1", "cos(phi)", "sin(phi)/r"])
    assert len(found) == 3
    cone = Metric(Frame(["r", "phi"]), ["1", "r^2/4"])
    assert len(killing_fields(cone)) == 1
    assert killing_fields(cone).bound == 3
    assert len(killing_fields(cone, basis=["1", "cos(phi/2)", "sin(phi/2)", "cos(phi/2)/r", "sin(phi/2)/r"])) == 3


def test_fields_that_preserve_more_than_the_metric():
    frame = Frame(["x", "y", "z"])
    space = Metric(frame, ["1", "1", "1"])
    central = killing_fields(space, potential="1/sqrt(x^2 + y^2 + z^2)")
    assert (len(central), bool(central.is_complete), central.algebra.name) == (3, True, "so(3)")
    weight = killing_fields(space, potential="m*g*z")
    assert (len(weight), bool(weight.is_complete), weight.algebra.name) == (3, True, "se(2)")
    screw = killing_fields(space, preserving=[Form(frame, "x*dy - y*dx + c*dz")])
    assert (len(screw), bool(screw.is_complete), screw.algebra.name) == (2, True, "R^2")
    tensor = Tensor.of(frame, "ud", {(0, 0): 1}, "P")
    kept = killing_fields(space, preserving=[tensor])
    assert (len(kept), bool(kept.is_complete), kept.algebra.name) == (4, True, "se(2) + R")


def test_distributions_preserved_and_entered():
    D = Distribution.from_constraints(["z' = y*x'"], ["x", "y", "z"])
    space = Metric(Frame(["x", "y", "z"]), ["1", "1", "1"])
    kept = killing_fields(space, distribution=D)
    assert (len(kept), bool(kept.is_complete), kept.algebra.name) == (2, True, "R^2")
    assert all(preserves_distribution(X, D).verdict is Verdict.PROVEN for X in kept)
    inside = killing_fields(space, in_distribution=D)
    assert (len(inside), bool(inside.is_complete)) == (2, True)
    assert all(verdict_of(off_distribution(X, D)) is Verdict.PROVEN for X in inside)
    # Their bracket leaves D, so they close into no algebra.
    assert inside.algebra is None


def test_what_is_no_metric_is_refused():
    frame = Frame(["x", "y"])
    with blames(DeclarationError):
        killing_fields(Tensor.of(frame, "dd", {(0, 1): 1}, "g"))
    with blames(DeclarationError):
        killing_fields(Tensor.of(frame, "ud", {(0, 0): 1}, "g"))


def algebra(brackets, n):
    """A Lie algebra from brackets {(a, b): {d: c}} with a < b."""
    table = [[[symengine.Integer(0)] * n for _ in range(n)] for _ in range(n)]
    for (a, b), entries in brackets.items():
        for d, c in entries.items():
            table[a][b][d] += symengine.Integer(c)
            table[b][a][d] -= symengine.Integer(c)
    return LieAlgebra(tuple(tuple(tuple(each) for each in row) for row in table))


TURNS = {(0, 1): {2: 1}, (1, 2): {0: 1}, (0, 2): {1: -1}}
NAMED = {
    "R^2": ({}, 2),
    "aff(1)": ({(0, 1): {1: 1}}, 2),
    "aff(1) + R^2": ({(0, 1): {1: 1}}, 4),
    "heisenberg": ({(0, 1): {2: 1}}, 3),
    "heisenberg + R": ({(0, 1): {2: 1}}, 4),
    "so(3)": (TURNS, 3),
    "sl(2,R)": ({(0, 1): {2: 1}, (1, 2): {0: -1}, (0, 2): {1: -1}}, 3),
    "so(3) + R": (TURNS, 4),
    "se(2)": ({(0, 1): {2: 1}, (0, 2): {1: -1}}, 3),
    "e(1,1)": ({(0, 1): {2: 1}, (0, 2): {1: 1}}, 3),
    "so(3,1)": (
        TURNS
        | {(0, 4): {5: 1}, (0, 5): {4: -1}, (1, 5): {3: 1}, (1, 3): {5: -1}, (2, 3): {4: 1}, (2, 4): {3: -1}}
        | {(3, 4): {2: -1}, (4, 5): {0: -1}, (3, 5): {1: 1}},
        6,
    ),
    "so(3) + sl(2,R)": (TURNS | {(3, 4): {5: 1}, (4, 5): {3: -1}, (3, 5): {4: -1}}, 6),
}


@pytest.mark.parametrize(("name", "brackets", "n"), [(k, *v) for k, v in NAMED.items()], ids=NAMED.keys())
def test_names_of_algebras(name, brackets, n):
    assert algebra(brackets, n).satisfies_jacobi
    assert algebra(brackets, n).name == name


def test_no_name_without_proof():
    spiral = algebra({(0, 1): {1: 1, 2: 1}, (0, 2): {2: 1, 1: -1}}, 3)
    assert spiral.satisfies_jacobi
    assert spiral.name is None
    with blames(DeclarationError):
        algebra({(0, 1): {2: 1}, (0, 2): {2: 1}, (1, 2): {0: 1}}, 3)


monomials = st.sampled_from(["1", "x", "y", "x*y", "y^2", "sin(x)", "exp(y)"])
components = st.tuples(monomials, st.integers(-2, 2)).map(lambda pair: f"{pair[1]}*{pair[0]}")
sums = st.tuples(components, components).map(" + ".join)
fields = st.tuples(sums, sums)


@given(fields, fields, st.booleans())
@settings(max_examples=20, deadline=None)
def test_lie_derivatives_represent_the_bracket(X, Y, anholonomic):
    r"""$\mathcal L_{[X,Y]}\,g = \mathcal L_X\mathcal L_Y g - \mathcal L_Y\mathcal L_X g$."""
    frame = Frame(["x", "y"], [["1", "x"], ["-y", "2"]] if anholonomic else None)
    X, Y = vector_field(frame, X), vector_field(frame, Y)
    g = Metric(frame, [["1 + x^2", "y"], ["y", "exp(x)"]]).tensor
    left = lie_derivative(g, lie_bracket(X, Y))
    right = lie_derivative(lie_derivative(g, Y), X) - lie_derivative(lie_derivative(g, X), Y)
    assert (left - right).is_zero().verdict is Verdict.PROVEN


CASES = [
    (["x", "y"], [["1 + x^2", "x*y"], ["x*y", "2 + y^4"]], ["sin(y)", "x^2 - y"]),
    (["x", "y"], [["exp(x)", "0"], ["0", "1/(1 + y^2)"]], ["x*y", "cos(x)"]),
    (["r", "phi"], [["1", "0"], ["0", "r^2"]], ["-cos(phi)", "sin(phi)/r"]),
    (["x", "y", "z"], [["1", "z", "0"], ["z", "3 + x^2", "y"], ["0", "y", "2"]], ["y*z", "exp(-x)", "x + z^2"]),
]


@pytest.mark.parametrize(("coordinates", "metric", "field"), CASES)
def test_lie_derivative_against_moving_along_the_flow(coordinates, metric, field):
    r"""$\frac{d}{dh}\,J_h^{\mathsf T}\, g(q + hX)\, J_h$ at $h = 0$ with $J_h = 1 + h\,\partial X$, by central differences at 50 digits."""
    frame = Frame(coordinates)
    X, g = vector_field(frame, field), Metric(frame, metric).tensor
    n, q = len(coordinates), [mpmath.mpf(k + 4) / 7 for k in range(len(coordinates))]
    symbols = [to_sympy(s) for s in frame.coordinates]
    with mpmath.workdps(50):
        numeric = lambda e, at: mpmath.mpf(to_sympy(e).subs(dict(zip(symbols, at, strict=True))).evalf(50))
        step = mpmath.mpf(10) ** -12
        speed = [numeric(X[a], q) for a in range(n)]

        def shifted(values, j, size):
            return [value + size * (k == j) for k, value in enumerate(values)]

        slope = [
            [(numeric(X[a], shifted(q, j, step)) - numeric(X[a], shifted(q, j, -step))) / (2 * step) for j in range(n)]
            for a in range(n)
        ]

        def pulled(h):
            at = [value + h * v for value, v in zip(q, speed, strict=True)]
            J = mpmath.eye(n) + h * mpmath.matrix(slope)
            G = mpmath.matrix([[numeric(g[a, b], at) for b in range(n)] for a in range(n)])
            return J.T * G * J

        difference = (pulled(step) - pulled(-step)) / (2 * step)
        derivative = lie_derivative(g, X)
        for a, b in product(range(n), repeat=2):
            assert abs(difference[a, b] - numeric(derivative[a, b], q)) < mpmath.mpf(10) ** -20


def test_free_parameters_are_said_to_be_generic():
    """A flat plane has rotations only where its axes have one unit, and the common factor m decides nothing."""
    plane = killing_fields(Metric(Frame(["x", "y"]), ["m", "m*(1 + k*x^2)"]))
    assert [s.name for s in plane.free] == ["k"]
    assert str(plane).startswith("1 Killing field, R; at special values of k there may be more\n")
    flat = killing_fields(Metric(Frame(["x", "y"]), ["m", "m"]))
    assert len(flat) == 3
    assert str(flat).startswith("3 Killing fields, se(2)\n")
