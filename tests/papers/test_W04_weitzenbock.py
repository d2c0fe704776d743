r"""W4: Weitzenböck's connection (Fernandez & Bloch, section 1.4), and when it is metric.

.. math:: W^i{}_{jk} = e_a{}^i\,\partial_jE^a{}_k \quad (1.4.2), \qquad T^a{}_{bc} = \Omega^a{}_{bc} \quad (1.4.3), \qquad
          \nabla^w_XY = X^a e_a(Y^b)\,e_b \quad (1.4.4)

The paper says that $\nabla^w$ is $g$-metric compatible. It is so exactly when $G_{ab}$ is constant, since $\nabla^w_bG_{ac} = e_b(G_{ac})$;
the frame of a constraint need not be of that kind.
"""

from __future__ import annotations

import numpy as np
import symengine

from anholonomy.algebra.zero_test import is_zero
from anholonomy.base.verdict import Verdict
from anholonomy.geometry import Frame
from anholonomy.geometry.connections import connection, levi_civita, weitzenbock
from anholonomy.geometry.metric import Metric
from anholonomy.geometry.tensor import Tensor
from anholonomy.motion.parallel_transport import parallel_transport

x, y, z = symengine.symbols("x y z")
N = range(3)
CHART = Frame(["x", "y", "z"])
FRAME = Frame(["x", "y", "z"], [["1", "0", "0"], ["0", "1", "-x"], ["0", "x", "1"]])
W = weitzenbock(FRAME)
EUCLID = Metric(CHART, [1, 1, 1])


def test_W4_coefficients_in_coordinates_and_in_the_frame():
    seen = W.in_frame(CHART).coefficients
    E = FRAME.inverse_ab  # row k, column a: E^a_k
    for i in N:
        for j in N:
            for k in N:
                printed = sum(FRAME.anchor_ai[a][i] * CHART.derivative(j, E[k][a]) for a in N)
                assert is_zero(seen[i, j, k] - printed)
    assert len(seen.items) == 4
    assert W.coefficients.items == ()


def test_W4_frame_and_coframe_are_parallel_and_the_curvature_is_zero():
    for D in (W, W.in_frame(CHART)):
        assert D.is_flat()
        for a in N:
            assert D.covariant_derivative(Tensor.of(FRAME, "u", {(a,): 1})).is_zero().verdict is Verdict.PROVEN
            assert D.covariant_derivative(Tensor.of(FRAME, "d", {(a,): 1})).is_zero().verdict is Verdict.PROVEN


def test_W4_the_torsion_is_the_anholonomy():
    omega = Tensor.build(FRAME, "udd", lambda a, b, c: -FRAME.structure_abd[b][c][a])
    assert omega.is_zero().verdict is Verdict.REFUTED
    assert (W.torsion - omega).is_zero().verdict is Verdict.PROVEN
    assert (W.in_frame(CHART).torsion - omega.in_frame(CHART)).is_zero().verdict is Verdict.PROVEN


def test_W4_the_derivative_of_a_field_is_that_of_its_components():
    X = Tensor.of(FRAME, "u", {(0,): y, (2,): z})
    Y = Tensor.of(FRAME, "u", {(1,): x * z, (2,): symengine.sin(y)})
    along = lambda f: sum(X[a] * FRAME.derivative(a, f) for a in N)
    printed = Tensor.build(FRAME, "u", lambda b: along(Y[b]))
    assert (W.covariant_derivative(Y, along=X) - printed).is_zero().verdict is Verdict.PROVEN


def test_W4_it_is_not_metric_in_general():
    """The claim of section 1.4 fails for the Euclidean metric and a frame of fields with changing length."""
    finding = W.is_metric(EUCLID)
    assert finding.verdict is Verdict.REFUTED
    (witness,) = finding.evidence
    assert (witness.name, witness.expression) == ("Dg_122", 2 * x)  # e_1 of G_22 = 1 + x^2


def test_W4_it_is_metric_exactly_when_the_components_are_constant():
    root = "sqrt(1 + x^2)"
    unit = Frame(["x", "y", "z"], [["1", "0", "0"], ["0", f"1/{root}", f"-x/{root}"], ["0", f"x/{root}", f"1/{root}"]])
    assert weitzenbock(unit).is_metric(EUCLID)
    # Constant is enough: lengths and angles need not be those of an orthonormal frame.
    skew = unit.change(((1, 2, 0), (0, 3, 0), (0, 1, 1)))
    G = EUCLID.in_frame(skew)
    assert G.is_orthonormal().verdict is Verdict.REFUTED
    assert weitzenbock(skew).is_metric(EUCLID)
    # And every frame has metrics for which its connection is metric: those with constant components in it.
    assert W.is_metric(Metric(FRAME, [["2", "1", "0"], ["1", "3", "0"], ["0", "0", "1"]]))


def test_W4_parallel_transport_does_not_depend_on_the_path():
    """Around a closed curve a vector comes back to itself, where Levi-Civita on a curved metric turns it."""
    times = np.linspace(0, 2 * np.pi, 3)
    curve = {"x": "cos(t)", "y": "sin(t)", "z": "sin(2*t)/2"}
    start = [1.0, -0.5, 0.25]
    flat = parallel_transport(W.in_frame(CHART), curve, start, times, integrator="scipy").vector.values
    np.testing.assert_allclose(flat[-1], start, atol=1e-10)
    assert np.abs(flat[1] - start).max() > 0.1
    curved = levi_civita(Metric(CHART, ["1", "1 + x^2", "1"]))
    turned = parallel_transport(curved, curve, start, times, integrator="scipy").vector.values
    assert np.abs(turned[-1] - start).max() > 0.1


def test_W4_flat_with_another_torsion_is_another_connection():
    """Zero curvature alone does not single it out: the coordinate connection is flat and has no torsion."""
    plain = connection(CHART, {})
    assert plain.is_flat()
    assert plain.is_torsion_free()


def test_W4_the_torsion_is_the_ehresmann_curvature_with_its_own_sign():
    r"""(1.3.4) defines $B = -A([X^h, Y^h])$, so that $T^C{}_{\alpha\beta} = +B^C{}_{\alpha\beta}$; the printed minus goes with (8.0.15)."""
    adapted = Frame(["x", "y", "z"], [["1", "0", "-y*z"], ["0", "1", "-x*z^2"], ["0", "0", "1"]])
    A = (y * z, x * z**2)  # theta = ds + A_x dx + A_y dy with s = z
    T = weitzenbock(adapted).torsion[2, 0, 1]
    e_x, e_y = ({x: 1, z: -A[0]}, {y: 1, z: -A[1]})
    along = lambda field, f: sum(rate * f.diff(s) for s, rate in field.items())
    bracket = -along(e_x, A[1]) + along(e_y, A[0])  # theta([e_x, e_y]), the components along ds
    assert is_zero(T - (-bracket))
    assert not is_zero(bracket)
    appendix = A[0].diff(y) - A[1].diff(x) + A[0] * A[1].diff(z) - A[1] * A[0].diff(z)
    assert is_zero(appendix - bracket)  # (8.0.15) is the opposite of (1.3.4)
