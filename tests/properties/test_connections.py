"""What every kind of connection obeys beyond `anholonomy.testing.check_connection`, by definitions written here.

The judge is the covariant derivative in coordinates, $(\\nabla_XY)^i = X^j\\partial_jY^i + \\Gamma^i{}_{jk}X^jY^k$, with plain
derivatives and $\\Gamma$ from the kind's own formula on the chart; what is judged was computed in a moving frame.
"""

from __future__ import annotations

from functools import cache
from itertools import product

import numpy as np
import pytest
import symengine

from anholonomy.geometry import Frame, Metric, Tensor
from anholonomy.geometry.connections import CONNECTIONS, AbstractConnection, LeviCivitaConnection
from anholonomy.geometry.connections.base import Promise
from anholonomy.geometry.connections.coefficients import Coefficients

NAMES = ["x", "y", "z"]
AXES = range(3)
CHART = Frame(NAMES)
FRAME = Frame(NAMES, [["1", "0", "0"], ["x", "1", "0"], ["0", "0", "1"]])
METRIC = Metric(FRAME, ["1", "1 + x^2", "1"])
SPAN = (Tensor.of(FRAME, "u", {(0,): 1, (2,): symengine.Symbol("y")}), Tensor.of(FRAME, "u", {(1,): 1}))
PLACE = dict(zip(symengine.symbols("x y z"), (0.7, -0.4, 1.3), strict=True))
ANCHOR = np.array([[float(entry.xreplace(PLACE)) for entry in row] for row in FRAME.anchor_ai])
q = list(PLACE)
X, Y, Z = (
    [symengine.sympify(e) for e in row] for row in (["y", "1", "x*z"], ["z**2", "x", "1"], ["1 + x*y", "z", "y**2"])
)
"""Fields in coordinates."""


@cache
def sample(kind: type[AbstractConnection]) -> AbstractConnection:
    return kind.sample(METRIC, SPAN)


def numbers(tensor: Tensor) -> np.ndarray:
    """Components at the point."""
    found = np.zeros((3,) * tensor.rank)
    for index, value in tensor.items:
        found[index] = float(value.xreplace(PLACE))
    return found


def at_the_point(field) -> np.ndarray:
    return np.array([float(entry.xreplace(PLACE)) for entry in field])


def components(field) -> np.ndarray:
    """A field in coordinates as it is seen from the frame: the frame's rows are its vectors."""
    return np.linalg.solve(ANCHOR.T, at_the_point(field))


def bracket(U, V):
    return [sum(U[j] * V[i].diff(q[j]) - V[j] * U[i].diff(q[j]) for j in AXES) for i in AXES]


def derivative(D: AbstractConnection):
    """The covariant derivative in coordinates."""
    gamma = dict(D.in_frame(CHART).coefficients.items)

    def nabla(U, V):
        turned = [sum(g * U[j] * V[k] for (a, j, k), g in gamma.items() if a == i) for i in AXES]
        return [sum(U[j] * V[i].diff(q[j]) for j in AXES) + turned[i] for i in AXES]

    return nabla


every_connection = pytest.mark.parametrize("kind", CONNECTIONS, ids=lambda kind: kind.__name__)


def cyclic(values: np.ndarray, axes: tuple[int, int, int]) -> np.ndarray:
    moved = np.moveaxis(values, axes, (-3, -2, -1))
    last = moved.ndim - 3
    turns = [(*range(last), *(last + (k + r) % 3 for k in range(3))) for r in range(3)]
    return sum(np.transpose(moved, turn) for turn in turns)


@every_connection
def test_both_identities_of_bianchi(kind) -> None:
    r"""$\mathfrak S\{R(X, Y)Z - T(T(X, Y), Z) - (\nabla_XT)(Y, Z)\} = 0$, $\mathfrak S\{(\nabla_XR)(Y, Z) + R(T(X, Y), Z)\} = 0$."""
    D = sample(kind)
    T, R = numbers(D.torsion), numbers(D.curvature)
    DT, DR = numbers(D.covariant_derivative(D.torsion)), numbers(D.covariant_derivative(D.curvature))
    first = np.einsum("azxy->axyz", R) - np.einsum("aez,exy->axyz", T, T) - np.einsum("xayz->axyz", DT)
    np.testing.assert_allclose(cyclic(first, (1, 2, 3)), 0, atol=1e-11)
    second = np.einsum("xabyz->abxyz", DR) + np.einsum("abez,exy->abxyz", R, T)
    np.testing.assert_allclose(cyclic(second, (2, 3, 4)), 0, atol=1e-11)


@every_connection
def test_a_metric_one_obeys_the_product_rule(kind) -> None:
    r"""$X\,g(Y, Z) = g(\nabla_XY, Z) + g(Y, \nabla_XZ)$ exactly for those that promise it."""
    chart = METRIC.in_frame(CHART)
    g = lambda U, V: sum(chart[i, j] * U[i] * V[j] for i, j in product(AXES, AXES))
    nabla, length = derivative(sample(kind)), g(Y, Z)
    missed = sum(X[i] * length.diff(q[i]) for i in AXES) - g(nabla(X, Y), Z) - g(Y, nabla(X, Z))
    assert (abs(float(missed.xreplace(PLACE))) < 1e-11) is (Promise.METRIC in kind.promises)


@every_connection
def test_geodesics_do_not_know_the_frame(kind) -> None:
    r"""$\ddot q^i = -\Gamma^i{}_{jk}\dot q^j\dot q^k$ on the chart is what $\dot\omega^a = -\Gamma^a{}_{bc}\omega^b\omega^c$ says in the frame."""
    spray = lambda frame, u: -np.einsum("abc,b,c", numbers(sample(kind).in_frame(frame).coefficients.table), u, u)
    v, w = at_the_point(X), components(X)
    slopes = [[[float(entry.diff(s).xreplace(PLACE)) for s in PLACE] for entry in row] for row in FRAME.anchor_ai]
    moved = spray(FRAME, w) @ ANCHOR + np.einsum("a,aij,j", w, np.array(slopes), v)
    np.testing.assert_allclose(moved, spray(CHART, v), atol=1e-11)


def test_the_law_of_geodesics_has_teeth() -> None:
    """With one coefficient changed in one frame it fails."""

    class Wrong(LeviCivitaConnection):  # type: ignore[misc]
        def _coefficients(self):
            table = LeviCivitaConnection(self.metric).coefficients.table
            return Coefficients(table + Tensor.of(self.frame, "udd", {(0, 1, 2): 1}) if self.frame == FRAME else table)

    with pytest.raises(AssertionError):
        test_geodesics_do_not_know_the_frame(Wrong)
