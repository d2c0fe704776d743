r"""W2: torsion and curvature of any connection in any frame, and Levi-Civita in parts.

Fernandez & Bloch, appendix, with $[e_a, e_b] = -\Omega^c{}_{ab}e_c$ and $R^a{}_{bcd} = \langle\theta^a, R(e_c, e_d)e_b\rangle$:

.. math::
   T^a{}_{bc} &= \Gamma^a{}_{bc} - \Gamma^a{}_{cb} + \Omega^a{}_{bc} \quad (8.0.8), \\
   R^a{}_{bcd} &= 2e_{[b}\Gamma^a{}_{cd]} + 2\Gamma^a{}_{[b|e}\Gamma^e{}_{|c]d} + \Gamma^a{}_{eb}\Omega^e{}_{cd} \quad (8.0.9), \\
   \Gamma_{abc} &= \tfrac12[e_b(G_{ca}) + e_c(G_{ba}) - e_a(G_{bc})] + \gamma^a{}_{bc} \quad (8.0.10), \\
   \gamma_{abc} &= -\tfrac12[G_{ad}\Omega^d{}_{bc} + G_{bf}\Omega^f{}_{ac} + G_{cf}\Omega^f{}_{ab}] \quad (8.0.11).

The truth is computed in coordinates, where there is no $\Omega$ to be misread, and carried to the frame as a tensor.
"""

from __future__ import annotations

import pytest
import symengine

from anholonomy.algebra.zero_test import is_zero
from anholonomy.base.verdict import Verdict
from anholonomy.geometry import Frame
from anholonomy.geometry.connections import connection, levi_civita
from anholonomy.geometry.metric import Metric
from anholonomy.geometry.tensor import Tensor
from anholonomy.language import parse_expression

N = range(3)
FRAME = Frame(["x", "y", "z"], [["1", "0", "0"], ["x*z", "1", "0"], ["sin(y)", "-x", "2"]])
CHART = Frame(["x", "y", "z"])
CURVED = connection(CHART, {(0, 1, 2): "x*y", (2, 0, 0): "z", (1, 2, 0): "x", (1, 1, 0): "y^2"})
e = FRAME.derivative


def omega(a, b, c):
    return -FRAME.structure_abd[b][c][a]


def same(tensor, value):
    return (tensor - Tensor.build(FRAME, tensor.slots, value)).is_zero().verdict


def alternated(f, *slots):
    """The antisymmetric part over two or three of the arguments, with the customary factorial."""
    if len(slots) == 2:
        return (f(*slots) - f(*slots[::-1])) / symengine.Integer(2)
    b, c, d = slots
    even, odd = f(b, c, d) + f(c, d, b) + f(d, b, c), f(b, d, c) + f(d, c, b) + f(c, b, d)
    return (even - odd) / symengine.Integer(6)


def test_W2_torsion_is_as_printed():
    truth = CURVED.torsion.in_frame(FRAME)
    G = CURVED.in_frame(FRAME).coefficients
    assert same(truth, lambda a, b, c: G[a, b, c] - G[a, c, b] + omega(a, b, c)) is Verdict.PROVEN
    assert same(truth, lambda a, b, c: G[a, b, c] - G[a, c, b]) is Verdict.REFUTED
    assert (CURVED.in_frame(FRAME).torsion - truth).is_zero().verdict is Verdict.PROVEN


@pytest.mark.exhaustive
def test_W2_the_indices_of_the_curvature_disagree_with_its_definition():
    """The first two terms of (8.0.9) belong to R(e_b, e_c)e_d, the last to R(e_c, e_d)e_b; no reading of the bracket helps."""
    truth = CURVED.curvature.in_frame(FRAME)
    G = CURVED.in_frame(FRAME).coefficients
    turning = lambda a, b, c, d: sum(G[a, b, f] * G[f, c, d] - G[a, c, f] * G[f, b, d] for f in N)
    closing = lambda a, b, c, d: sum(G[a, f, b] * omega(f, c, d) for f in N)
    three = lambda a, b, c, d: 2 * alternated(lambda i, j, k: e(i, G[a, j, k]), b, c, d)
    two = lambda a, b, c, d: 2 * alternated(lambda i, j: e(i, G[a, j, d]), b, c)
    for moving in (three, two):
        printed = lambda *index, moving=moving: moving(*index) + turning(*index) + closing(*index)
        assert same(truth, printed) is Verdict.REFUTED
        assert same(truth.permuted(0, 2, 3, 1), printed) is Verdict.REFUTED  # read as R(e_b, e_c)e_d

    corrected = lambda a, b, c, d: two(a, c, d, b) + turning(a, c, d, b) + closing(a, b, c, d)
    assert same(truth, corrected) is Verdict.PROVEN
    assert (CURVED.in_frame(FRAME).curvature - truth).is_zero().verdict is Verdict.PROVEN


@pytest.mark.exhaustive
def test_W2_levi_civita_in_its_two_parts():
    """(8.0.11), (8.0.12) and (8.0.13) are right; (8.0.10) means the lowered rotation coefficients."""
    g = Metric(FRAME, ["1 + x^2", "2", "1 + y^2"])
    LC = levi_civita(g)
    G, inverse = g.tensor, g.inverse
    raised = lambda f: lambda a, b, c: sum(inverse[a, d] * f(d, b, c) for d in N)
    half = symengine.Rational(1, 2)
    braces = lambda d, b, c: half * (e(b, G[c, d]) + e(c, G[b, d]) - e(d, G[b, c]))
    gamma = lambda a, b, c: (
        -half * sum(G[a, d] * omega(d, b, c) + G[b, d] * omega(d, a, c) + G[c, d] * omega(d, a, b) for d in N)
    )
    assert same(LC.christoffel.table, raised(braces)) is Verdict.PROVEN
    assert same(LC.rotation_coefficients.table, raised(gamma)) is Verdict.PROVEN
    assert (
        LC.coefficients.table - LC.christoffel.table - LC.rotation_coefficients.table
    ).is_zero().verdict is Verdict.PROVEN
    # The truth once more from coordinates, by the law of transformation.
    coordinates = levi_civita(g.in_frame(CHART))
    assert coordinates.rotation_coefficients.items == ()
    assert (coordinates.coefficients_in(FRAME).table - LC.coefficients.table).is_zero().verdict is Verdict.PROVEN

    lowered = g.lower(LC.coefficients.table)
    assert same(lowered, lambda a, b, c: braces(a, b, c) + gamma(a, b, c)) is Verdict.PROVEN
    printed = lambda a, b, c: braces(a, b, c) + raised(gamma)(a, b, c)
    assert same(lowered, printed) is Verdict.REFUTED


def test_W2_neither_part_is_the_connection():
    """With the braces alone (8.0.14) the frame of the sphere has straight lines of latitude."""
    unit = Frame(["theta", "phi"], [["1", "0"], ["0", "1/sin(theta)"]])
    LC = levi_civita(Metric(unit, [1, 1]))
    assert LC.christoffel.items == ()
    cot = parse_expression("cos(theta)/sin(theta)")
    equations = LC.geodesic_equations()
    w1, w2 = equations.speeds
    assert all(map(is_zero, (equations.accelerations[0] - cot * w2**2, equations.accelerations[1] + cot * w1 * w2)))
