"""Cartan's calculus holds exactly, on random forms in random frames, and does not depend on the frame."""

from __future__ import annotations

import random
from itertools import combinations, permutations

import pytest
import symengine
from hypothesis import given, settings
from hypothesis import strategies as st

from anholonomy import Error
from anholonomy.algebra.latex import latex
from anholonomy.algebra.zero_test import is_zero
from anholonomy.base.verdict import Verdict
from anholonomy.errors import DeclarationError
from anholonomy.geometry import Frame, Metric
from anholonomy.geometry.forms import Form, orientation
from anholonomy.geometry.tensor import Tensor
from anholonomy.geometry.vector_fields import (
    divergence,
    frame_volume,
    lie_bracket,
    lie_derivative,
    vector_field,
    volume_form,
)
from anholonomy.language import parse_expression, to_text
from tests.wording import blames

NAMES = ["x", "y", "z"]
x, y, z = symengine.symbols("x y z")
CHART = Frame(NAMES)
HEISENBERG = Frame(NAMES, [["1", "0", "y"], ["0", "1", "0"], ["0", "0", "1"]])
ENTRIES = st.sampled_from(["0", "0", "1", "x", "y*z", "sin(x)", "cos(z)", "-y^2", "2*x - z"])
VALUES = st.sampled_from(["0", "1", "x*y", "sin(x)*z", "exp(y)", "f(x, y)", "z^3", "k*x", "g(z)", "cos(x + y)"])
fast = settings(max_examples=12, deadline=None)
few = settings(max_examples=5, deadline=None)


def read(text):
    return parse_expression(text, functions=("f", "g"))


@st.composite
def frames(draw):
    """A unit lower times a unit upper triangular matrix, one row stretched: invertible everywhere, without symmetry."""
    (a, b, c), (d, e, f) = (tuple(read(draw(ENTRIES)) for _ in range(3)) for _ in range(2))
    s = read(draw(st.sampled_from(["1", "exp(x)", "2", "1 + y^2"])))
    lower = ((1, 0, 0), (a, 1, 0), (b, c, s))
    upper = ((1, d, e), (0, 1, f), (0, 0, 1))
    rows = [[sum((left[k] * upper[k][j] for k in range(3)), symengine.Integer(0)) for j in range(3)] for left in lower]
    return Frame(NAMES, rows)


@st.composite
def forms(draw, frame, degree):
    indices = combinations(range(3), degree)
    return Form.of(frame, degree, {index: read(draw(VALUES)) for index in indices})


@st.composite
def fields(draw, frame):
    return Tensor.of(frame, "u", {(a,): read(draw(ENTRIES)) for a in range(3)}, "X")


def proven_zero(thing):
    return thing.is_zero().verdict is Verdict.PROVEN


@fast
@given(data=st.data(), frame=frames(), degree=st.integers(0, 2))
def test_d_twice_is_zero(data, frame, degree):
    assert proven_zero(data.draw(forms(frame, degree)).d().d())


@pytest.mark.exhaustive
@fast
@given(data=st.data(), frame=frames(), degree=st.integers(0, 2))
def test_d_does_not_depend_on_the_frame(data, frame, degree):
    form = data.draw(forms(CHART, degree))
    assert proven_zero(form.d().in_frame(frame) - form.in_frame(frame).d())
    assert proven_zero(form.in_frame(frame).in_frame(CHART) - form)


@pytest.mark.exhaustive
@fast
@given(data=st.data(), frame=frames(), p=st.integers(0, 2), q=st.integers(0, 2))
def test_d_is_an_antiderivation(data, frame, p, q):
    a, b = data.draw(forms(frame, p)), data.draw(forms(frame, q))
    assert proven_zero((a ^ b).d() - (a.d() ^ b) - (-1) ** p * (a ^ b.d()))
    assert proven_zero((a ^ b) - (-1) ** (p * q) * (b ^ a))


@pytest.mark.exhaustive
@fast
@given(data=st.data(), frame=frames(), degree=st.integers(0, 3))
def test_cartan_against_the_lie_derivative_of_tensors(data, frame, degree):
    """d i + i d on the form is the Lie derivative of its antisymmetric tensor, which knows nothing of d."""
    form, X = data.draw(forms(frame, degree)), data.draw(fields(frame))
    assert proven_zero(form.lie_derivative(X).tensor - lie_derivative(form.tensor, X))


@few
@given(data=st.data(), frame=frames(), degree=st.integers(1, 2))
def test_lie_derivatives_commute_to_the_bracket(data, frame, degree):
    form, X, Y = data.draw(forms(CHART, degree)), data.draw(fields(CHART)), data.draw(fields(CHART))
    crossed = form.lie_derivative(Y).lie_derivative(X) - form.lie_derivative(X).lie_derivative(Y)
    assert proven_zero(crossed - form.lie_derivative(lie_bracket(X, Y)))
    assert proven_zero(
        form.interior(Y).lie_derivative(X) - form.lie_derivative(X).interior(Y) - form.interior(lie_bracket(X, Y))
    )
    assert proven_zero(lie_bracket(X, Y).in_frame(frame) - lie_bracket(X.in_frame(frame), Y.in_frame(frame)))


@pytest.mark.exhaustive
@few
@given(data=st.data(), frame=frames())
def test_the_intrinsic_formula_of_d(data, frame):
    """dα(X, Y) = X α(Y) − Y α(X) − α([X, Y]) for fields with changing components."""
    form, X, Y = data.draw(forms(frame, 1)), data.draw(fields(frame)), data.draw(fields(frame))
    derivative = lambda field, value: Form.of(frame, 0, {(): value}).d()(field)
    right = derivative(X, form(Y)) - derivative(Y, form(X)) - form(lie_bracket(X, Y))
    assert is_zero(form.d()(X, Y) - right)


@pytest.mark.exhaustive
@few
@given(data=st.data(), frame=frames())
def test_lie_derivatives_of_tensors_do_not_depend_on_the_frame(data, frame):
    values = {(a, b): read(data.draw(ENTRIES)) for a, b in ((0, 0), (2, 1))}
    T, X = Tensor.of(CHART, "ud", values), data.draw(fields(CHART))
    assert proven_zero(lie_derivative(T, X).in_frame(frame) - lie_derivative(T.in_frame(frame), X.in_frame(frame)))
    assert proven_zero(lie_derivative(X, X))


MAPS = {
    "cylinder": ({"x": "r*cos(phi)", "y": "r*sin(phi)", "z": "h"}, ["r", "phi", "h"]),
    "surface": ({"x": "u", "y": "u*v", "z": "sin(u + v)"}, ["u", "v"]),
    "curve": ({"x": "cos(s)", "y": "sin(s)", "z": "s^2"}, ["s"]),
}


@pytest.mark.parametrize(("images", "names"), MAPS.values(), ids=MAPS.keys())
@pytest.mark.parametrize("text", ["x*y*z", "z*dx - x^2*dy + sin(y)*dz", "y*dx∧dy + exp(x)*dy∧dz - dz∧dx"])
def test_pullback_commutes_with_d_and_wedge(images, names, text):
    form, onto = Form(CHART, text), Frame(names)
    assert proven_zero(form.pullback(images, onto).d() - form.d().pullback(images, onto))
    other = Form(CHART, "x*dy - y*dx")
    pulled = form.pullback(images, onto) ^ other.pullback(images, onto)
    assert proven_zero((form ^ other).pullback(images, onto) - pulled)
    assert proven_zero(form.in_frame(HEISENBERG).pullback(images, onto) - form.pullback(images, onto))


def test_pullback_into_a_frame():
    turned = Frame(["r", "phi"], [["cos(phi)", "-sin(phi)/r"], ["sin(phi)", "cos(phi)/r"]])
    plane = {"x": "r*cos(phi)", "y": "r*sin(phi)"}
    area = Form(Frame(["x", "y"]), "dx∧dy").pullback(plane, turned)
    assert str(area) == "θ^1∧θ^2"
    assert [str(Form(Frame(["x", "y"]), f"d{name}").pullback(plane, turned)) for name in "xy"] == ["θ^1", "θ^2"]


def test_pullback_of_unspecified_functions():
    plane, target = Frame(["x", "y"]), Frame(["r", "s"])
    form = Form(plane, "f(x, y)*dx", functions=["f"])
    swap = {"x": "s", "y": "r"}
    assert str(form.d().pullback(swap, target)) == "D(f(s, r), r) dr∧ds" == str(form.pullback(swap, target).d())
    assert str(form.pullback({"x": "2*s", "y": "r"}, target)) == "2*f(2*s, r) ds"
    with blames(DeclarationError):
        form.d().pullback({"x": "s", "y": "s"}, target)


def test_unspecified_functions_in_frame_and_form():
    frame = Frame(NAMES, [["f(x, y)", "0", "0"], ["0", "1", "g(z)"], ["0", "0", "1"]], functions=("f", "g"))
    assert frame.dual_check().verdict is Verdict.PROVEN
    assert (frame.structure - frame.structure_from_coframe()).is_zero().verdict is Verdict.PROVEN
    form = Form(frame, {"1": "h(x, y, z)", "2": "f(y, z)"}, functions=["h", "f"])
    assert proven_zero(form.d().d())
    assert form.is_closed().verdict is Verdict.REFUTED
    assert proven_zero(form.in_frame(CHART).d().in_frame(frame) - form.d())
    assert Form.function(frame, "h(x, z)", functions=["h"]).d().is_closed().verdict is Verdict.PROVEN


def test_unspecified_functions_print():
    f = read("f(x, y)")
    mixed = f.diff(x).diff(y)
    assert to_text(x * f.diff(x) - f) == "x*D(f(x, y), x) - f(x, y)"
    assert to_text(mixed) == "D(f(x, y), x, y)"
    assert to_text(read("g(2*x)").diff(x)) == "2*(D(g(_xi_1), _xi_1) at _xi_1 = 2*x)"
    assert latex(f.diff(x)) == r"\frac{\partial}{\partial x} f{\left(x,y \right)}"


def test_reading_and_writing():
    text = "x*dy∧dz - dx∧dy + (x + y)*dz∧dx"
    form = Form(CHART, text)
    assert str(form) == "-dx∧dy - (x + y) dx∧dz + x dy∧dz"
    assert form == Form(CHART, {"y z": "x", "x y": -1, "z x": "x + y"})
    assert proven_zero(form - Form(CHART, {(1, 2): x, (1, 0): 1, (0, 2): -x - y}))
    assert form == Form(CHART, text.replace("∧", "^"))
    assert form[1, 2] == -form[2, 1] == x
    assert form[1, 1] == 0
    dx, dy, dz = CHART.coframe
    assert proven_zero(form - (x * dy ^ dz) + (dx ^ dy) - ((x + y) * dz ^ dx))
    assert str(Form(CHART, "x*y")) == "x*y"
    assert str(Form(CHART, {}, degree=2)) == "0"
    assert Form(CHART, "dx∧dy").in_frame(HEISENBERG).latex() == r"\theta^{1}\wedge\theta^{2}"
    assert Form(HEISENBERG, "dz - y*dx") == HEISENBERG.coframe[2].in_frame(HEISENBERG)


def test_a_differential_is_no_other_name():
    """A coordinate called dx keeps its name, and a parameter d1 is one."""
    odd = Frame(["x", "dx"])
    assert str(Form(odd, "dx*ddx")) == "dx ddx"
    assert str(Form(CHART, "d1*dx")) == "d1 dx"


@pytest.mark.parametrize(
    ("build", "names"),
    [
        (lambda: Form(CHART, "dx + dx∧dy"), ()),
        (lambda: Form(CHART, "1 + dx"), ()),
        (lambda: Form(CHART, "sin(dx)"), ()),
        (lambda: Form(CHART, {"x w": 1}), ("w",)),
        (lambda: Form(CHART, {(0, 3): 1}), ()),
        (lambda: Form(CHART, "dx", degree=2), ("1",)),
        (lambda: Form(CHART, "dx") + Form(CHART, "dx∧dy"), ()),
        (lambda: Form(CHART, "dx") ^ Form(HEISENBERG, "dx"), ("in_frame",)),
        (lambda: Form(CHART, "dx∧dy")(vector_field(CHART, [1, 0, 0])), ("2",)),
        (lambda: Form(CHART, "dx").interior(Form(CHART, "dx").tensor), ()),
        (lambda: Form(CHART, "dx").pullback({"x": "s"}, Frame(["s"])), ("x",)),
        (lambda: Form.from_tensor(Tensor.of(CHART, "dd", {(0, 0): 1})), ()),
        (lambda: vector_field(CHART, [1, 0]), ("3",)),
        (lambda: Form(CHART, "x*&"), ()),
    ],
)
def test_refusals(build, names):
    with blames(Error, *names):
        build()


def test_orientation_is_the_sign_of_a_permutation():
    for order in permutations(range(4)):
        matrix = symengine.DenseMatrix([[int(i == j) for j in range(4)] for i in order])
        assert orientation(order) == matrix.det()


def test_evaluation_is_a_determinant():
    rng = random.Random(1)
    rows = [[rng.randint(-5, 5) for _ in range(3)] for _ in range(3)]
    fields = [vector_field(CHART, row) for row in rows]
    assert frame_volume(CHART)(*fields) == symengine.DenseMatrix(rows).det()
    form = Form(CHART, "x*dx∧dz")
    assert form(fields[0], fields[1]) == x * (rows[0][0] * rows[1][2] - rows[0][2] * rows[1][0])


def test_tensor_and_form_go_both_ways():
    form = Form(HEISENBERG, "x*dy∧dz + dx∧dy")
    assert Form.from_tensor(form.tensor) == form
    assert (form.tensor + form.tensor.permuted(1, 0)).is_zero().verdict is Verdict.PROVEN


def test_the_volume_of_a_lorentzian_metric_is_real():
    """Outside the horizon and inside, where r and t change their parts, the volume of Schwarzschild's metric is that of space."""
    chart = Frame(["t", "r", "theta", "phi"])
    g = Metric(chart, ["1/r - 1", "1/(1 - 1/r)", "r^2", "r^2*sin(theta)^2"])
    r, theta = chart.coordinates[1:3]
    assert is_zero(volume_form(g)[0, 1, 2, 3] ** 2 - (r**2 * symengine.sin(theta)) ** 2)
    assert str(volume_form(Metric(Frame(["t", "x"]), [-4, 1]))) == "2 dt∧dx"


def test_volume_and_divergence():
    sphere = Frame(["r", "theta", "phi"])
    r, theta, _ = sphere.coordinates
    g = Tensor.of(sphere, "dd", {(0, 0): 1, (1, 1): r**2, (2, 2): (r * symengine.sin(theta)) ** 2})
    volume = Form(sphere, "r^2*sin(theta)*dr∧dtheta∧dphi")
    assert proven_zero(volume_form(g) ^ volume_form(g))
    assert is_zero(volume_form(g)[0, 1, 2] ** 2 - volume[0, 1, 2] ** 2)
    assert divergence(vector_field(sphere, {"r": "1/r^2"}), volume) == 0
    # In an anholonomic frame the components alone do not tell: this one has constant ones.
    frame = Frame(["r", "theta", "phi"], [["1", 0, 0], [0, "1/r", 0], [0, 0, "1/(r*sin(theta))"]])
    field = vector_field(frame, {"2": 1})
    assert is_zero(divergence(field, frame_volume(frame)) - symengine.cos(theta) / symengine.sin(theta) / r)


def test_redundant_coordinates():
    """The circle on (c, s) with c² + s² = 1: forms of the coordinates come by the anchor, not by its inverse."""
    c, s = symengine.symbols("c s")
    circle = Frame.with_structure([c, s], ((-s, c),), None, ["angle"])
    assert str(Form(circle, "dc")) == "-s θ^angle"
    assert str(Form(circle, "c*ds - s*dc")) in ("(c^2 + s^2) θ^angle", "(s^2 + c^2) θ^angle")
    assert proven_zero(Form(circle, "dc∧ds"))
