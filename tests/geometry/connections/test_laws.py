"""What every connection obeys, on random frames, metrics and coefficients."""

from __future__ import annotations

import re
from itertools import product

import pytest
import symengine
from hypothesis import given, settings
from hypothesis import strategies as st

from anholonomy.base.verdict import Verdict
from anholonomy.errors import DeclarationError
from anholonomy.geometry import Frame
from anholonomy.geometry.connections import (
    ArbitraryConnection,
    connection,
    coordinate,
    energy_preserving,
    levi_civita,
    lewis,
    nonholonomic,
    weitzenbock,
)
from anholonomy.geometry.connections.levi_civita import LeviCivitaConnection
from anholonomy.geometry.metric import Metric
from anholonomy.geometry.tensor import Tensor
from tests.wording import blames

NAMES = ["x", "y", "z"]
few = settings(max_examples=4, deadline=None)
functions = st.sampled_from(["0", "0", "1", "x", "y", "-z", "x*y", "y^2", "sin(x)", "2 - x"])
units = st.sampled_from(["1", "-1", "2", "1 + x^2"])
positive = st.sampled_from(["1", "2", "1 + x^2", "2 + y^2", "exp(z)"])


@st.composite
def frames(draw):
    """A triangular matrix times a constant shear: never singular, and its inverse stays short."""
    rows = [[draw(functions) if b > a else "0" for b in range(3)] for a in range(3)]
    for a in range(3):
        rows[a][a] = draw(units)
    mixed = [rows[0], [f"{first} + {second}" for first, second in zip(*rows[:2], strict=True)], rows[2]]
    return Frame(NAMES, draw(st.sampled_from([rows, mixed])))


@st.composite
def changes(draw):
    """Frames to go to: one or two entries beside the diagonal, since a change of frame multiplies everything."""
    rows = [["1" if a == b else "0" for b in range(3)] for a in range(3)]
    for a, b in draw(st.lists(st.sampled_from([(0, 1), (0, 2), (2, 1)]), min_size=1, max_size=2)):
        rows[a][b] = draw(st.sampled_from(["x", "y", "z^2", "sin(x)"]))
    return Frame(NAMES, rows)


@st.composite
def metrics(draw, over=frames):
    frame, diagonal = draw(over()), [draw(positive) for _ in NAMES]
    off = draw(st.sampled_from(["0", "1/2", "sin(y)/2"]))
    rows = [[diagonal[0], off, "0"], [off, diagonal[1], "0"], ["0", "0", diagonal[2]]]
    return Metric(frame, rows)


@st.composite
def connections(draw, over=frames):
    places = st.tuples(*[st.integers(0, 2)] * 3)
    return connection(draw(over()), draw(st.dictionaries(places, functions, min_size=2, max_size=5)))


@st.composite
def tensors(draw, slots):
    index = st.tuples(*[st.integers(0, 2)] * len(slots))
    frame = Frame(NAMES)
    values = draw(st.dictionaries(index, st.sampled_from(symengine.symbols("x y z")), min_size=1, max_size=3))
    return Tensor.of(frame, slots, values)


def vanishes(tensor):
    return tensor.is_zero().verdict is Verdict.PROVEN


def cyclic(tensor, first, second, third):
    """The sum over cyclic permutations of three of the axes."""
    turn, axes = {first: second, second: third, third: first}, range(tensor.rank)
    once = [turn.get(k, k) for k in axes]
    twice = [turn.get(once[k], once[k]) for k in axes]
    return tensor + tensor.permuted(*once) + tensor.permuted(*twice)


@few
@given(connections())
def test_first_bianchi_identity(D):
    r"""$\mathfrak S\{R(X, Y)Z\} = \mathfrak S\{T(T(X, Y), Z) + (\nabla_XT)(Y, Z)\}$."""
    R = D.curvature.permuted(0, 2, 3, 1)  # a, X, Y, Z
    T = D.torsion
    TT = (T * T).trace(1, 3).permuted(0, 2, 3, 1)  # T^a_{ez} T^e_{xy}, axes a, x, y, z
    nabla = D.covariant_derivative(T).permuted(1, 0, 2, 3)  # a, X, Y, Z
    assert vanishes(cyclic(R - TT - nabla, 1, 2, 3))


@few
@given(connections())
def test_second_bianchi_identity(D):
    r"""$\mathfrak S\{(\nabla_XR)(Y, Z) + R(T(X, Y), Z)\} = 0$."""
    nabla = D.covariant_derivative(D.curvature).permuted(1, 2, 0, 3, 4)  # a, b, X, Y, Z
    RT = (D.curvature * D.torsion).trace(2, 4).permuted(0, 1, 3, 4, 2)  # R^a_{b e z} T^e_{xy}
    assert vanishes(cyclic(nabla + RT, 2, 3, 4))


@few
@given(connections(changes), changes())
def test_torsion_and_curvature_are_tensors(D, frame):
    moved = D.in_frame(frame)
    assert vanishes(moved.torsion - D.torsion.in_frame(frame))
    assert vanishes(moved.curvature - D.curvature.in_frame(frame))


@few
@given(connections(changes), changes(), st.sampled_from(["", "u", "d", "ud", "dd"]).flatmap(tensors))
def test_the_covariant_derivative_does_not_know_the_frame(D, frame, T):
    derivative = D.covariant_derivative(T)
    assert derivative.slots == "d" + T.slots
    assert vanishes(D.in_frame(frame).covariant_derivative(T) - derivative.in_frame(frame))


@few
@given(connections(), tensors("u"), tensors("d"))
def test_leibniz_and_contraction(D, X, alpha):
    X, alpha = X.in_frame(D.frame), alpha.in_frame(D.frame)
    both = D.covariant_derivative(X * alpha)
    first = D.covariant_derivative(X) * alpha
    second = (X * D.covariant_derivative(alpha)).permuted(1, 0, 2)
    assert vanishes(both - first - second)
    assert vanishes(D.covariant_derivative((X * alpha).trace(0, 1)) - both.trace(1, 2))


@few
@given(connections(changes), tensors("u"), tensors("u"), tensors("u"))
def test_the_definitions_of_torsion_and_curvature(D, X, Y, Z):
    r"""$T(X, Y) = \nabla_XY - \nabla_YX - [X, Y]$ and $R(X, Y)Z = [\nabla_X, \nabla_Y]Z - \nabla_{[X, Y]}Z$, brackets in coordinates."""
    chart = X.frame
    n = range(3)
    along = lambda U, f: sum(U[i] * chart.derivative(i, f) for i in n)
    bracket = Tensor.build(chart, "u", lambda i: along(X, Y[i]) - along(Y, X[i]))
    nabla = lambda U, V: D.covariant_derivative(V, along=U)
    X_, Y_, Z_, B = (V.in_frame(D.frame) for V in (X, Y, Z, bracket))
    torsion = Tensor.build(D.frame, "u", lambda a: sum(v * X_[b] * Y_[c] for (e, b, c), v in D.torsion.items if e == a))
    assert vanishes(nabla(X_, Y_) - nabla(Y_, X_) - B - torsion)
    R = D.curvature.items
    loop = Tensor.build(D.frame, "u", lambda a: sum(v * Z_[b] * X_[c] * Y_[d] for (e, b, c, d), v in R if e == a))
    assert vanishes(nabla(X_, nabla(Y_, Z_)) - nabla(Y_, nabla(X_, Z_)) - nabla(B, Z_) - loop)


@few
@given(metrics())
def test_levi_civita_is_metric_and_free_of_torsion(g):
    LC = levi_civita(g)
    assert LC.is_metric(g)
    assert LC.is_torsion_free()
    assert LC.preserves_energy(g)


@few
@given(metrics(changes))
def test_symmetries_of_the_riemann_tensor(g):
    g = Metric(g.frame, [g[a, a] for a in range(3)])
    R = g.lower(levi_civita(g).curvature)
    assert vanishes(R + R.permuted(1, 0, 2, 3))
    assert vanishes(R - R.permuted(2, 3, 0, 1))
    Ric = levi_civita(g).ricci
    assert vanishes(Ric - Ric.permuted(1, 0))


@few
@given(frames(), changes())
def test_weitzenbock_is_flat_and_its_torsion_is_the_anholonomy(frame, other):
    W = weitzenbock(frame)
    assert W.coefficients.items == ()
    seen = W.in_frame(other)
    assert seen.is_flat()
    omega = Tensor.build(frame, "udd", lambda a, b, c: -frame.structure_abd[b][c][a])
    assert vanishes(seen.torsion - omega.in_frame(other))
    for a in range(3):
        assert vanishes(seen.covariant_derivative(Tensor.of(frame, "u", {(a,): 1})))
        assert vanishes(seen.covariant_derivative(Tensor.of(frame, "d", {(a,): 1})))


@few
@given(metrics())
def test_weitzenbock_is_metric_exactly_when_the_components_are_constant(g):
    constant = all(g.frame.derivative(b, value) == 0 for _, value in g.tensor.items for b in range(3))
    finding = weitzenbock(g.frame).is_metric(g)
    assert bool(finding) is constant
    assert finding.verdict is (Verdict.PROVEN if constant else Verdict.REFUTED)


@few
@given(frames())
def test_the_coordinate_connection_has_neither_curvature_nor_torsion(frame):
    gamma = coordinate(frame)
    assert gamma.is_flat()
    assert gamma.is_torsion_free()
    chart = Frame(NAMES)
    same = ArbitraryConnection.from_text(chart, {}).coefficients_in(frame)
    assert vanishes(gamma.coefficients.table - same.table)


@few
@given(metrics(changes))
def test_the_nonholonomic_connection_restricts_and_is_metric_along_the_distribution(g):
    g = Metric(g.frame, [g[a, a] for a in range(3)])
    D = nonholonomic(g, [["1", "0", "x"], ["0", "1", "0"]])
    assert D.restricts()
    P = D.projectors[0]
    along = (D.covariant_derivative(g.tensor) * P * P).trace(1, 3).trace(1, 3)
    assert vanishes(along)


@pytest.mark.exhaustive
@few
@given(metrics(changes))
def test_the_energy_preserving_connection_is_the_reflected_member(g):
    g = Metric(g.frame, [g[a, a] for a in range(3)])
    span = [["1", "0", "x"], ["0", "1", "0"]]
    E = energy_preserving(g, span)
    assert E.is_metric(g)
    P, Q = g.projectors(nonholonomic(g, span).span)
    assert vanishes(lewis(g, span, P - Q).coefficients.table - E.coefficients.table)


def flipped(part):
    return lambda self, a, b, c: -part(self, a, b, c)


@pytest.mark.parametrize("part", ["_metric_part", "_frame_part"])
def test_a_flipped_sign_is_noticed(monkeypatch, part):
    """Both halves of Koszul's formula matter, and the laws see it."""
    monkeypatch.setattr(LeviCivitaConnection, part, flipped(getattr(LeviCivitaConnection, part)))
    g = Metric(Frame(NAMES, [["1", "0", "0"], ["x", "1", "0"], ["0", "y", "1"]]), ["1", "1 + x^2", "1"])
    broken = levi_civita(g)
    assert not (broken.is_metric(g) and broken.is_torsion_free())


def test_the_other_index_order_is_noticed():
    """Read with the direction last, Levi-Civita has torsion in a moving frame and none in coordinates."""
    g = Metric(Frame(NAMES, [["1", "0", "0"], ["x", "1", "0"], ["0", "y", "1"]]), ["1", "1", "1"])
    read = lambda LC: ArbitraryConnection.from_text(
        LC.frame, {(a, c, b): value for (a, b, c), value in LC.coefficients.items}
    )
    assert not read(levi_civita(g)).is_torsion_free()
    assert read(levi_civita(Metric(Frame(NAMES), ["1 + x^2", "1", "exp(y)"]))).is_torsion_free()


@pytest.mark.parametrize("index", [(0, 0), (0, 0, 3), (0, -1, 0)])
def test_bad_indices_are_refused(index):
    with blames(DeclarationError, "0", "2"):
        connection(Frame(NAMES), {index: "x"})


def test_findings_speak():
    frame = Frame(["x", "y"], [["1", "0"], ["0", "x"]])
    W = weitzenbock(frame)
    assert re.fullmatch(
        r"the connection is free of torsion: refuted, T\^2_12 = -1/x, not zero at x = \S+", str(W.is_torsion_free())
    )
    assert list(product((bool(W.is_flat()), bool(W.is_torsion_free())), repeat=1)) == [(True,), (False,)]
