"""Geometry differentiates through what jumps or kinks, and finds no functions that are torn apart there."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

import anholonomy as ah
from anholonomy.algebra.expressions import symbol, to_sympy
from anholonomy.geometry.connections import levi_civita
from anholonomy.geometry.jet_spaces import JetSpace
from anholonomy.geometry.potentials import is_closed, potential
from anholonomy.language import parse_expression
from anholonomy.motion.parallel_transport import parallel_transport

X, Y = symbol("x"), symbol("y")


def texts(*entries: str):
    return [parse_expression(entry) for entry in entries]


def test_a_vector_carried_there_and_back_is_the_same():
    """Along a circle of latitude theta the vector turns by phi cos(theta), and back again where phi = |t|."""
    sphere = levi_civita(ah.geometry.Metric(ah.geometry.Frame(["theta", "phi"]), ["1", "sin(theta)^2"]))
    run = parallel_transport(sphere, {"theta": "pi/3", "phi": "abs(t)"}, [1, 0], [-1, 0, 1], integrator="scipy")
    turned = [np.cos(0.5), np.sin(0.5) / np.sin(np.pi / 3)]
    assert_allclose(run.vector.values, [[1, 0], turned, [1, 0]], atol=1e-9)


@pytest.mark.parametrize(
    ("form", "function"),
    [
        (("y*sign(x)", "abs(x)"), "y*abs(x)"),
        (("abs(2*x - 3)", "y"), "(2*x - 3)*abs(2*x - 3)/4 + y^2/2"),
        (("sign(x - 1)*cos(y)", "-abs(x - 1)*sin(y)"), "abs(x - 1)*cos(y)"),
    ],
)
def test_potentials_have_their_corners(form, function):
    """Against values of the closed form: both differ by a constant."""
    assert is_closed([X, Y], texts(*form))
    gap = potential([X, Y], texts(*form)) - parse_expression(function)
    values = [float(gap.subs({X: x, Y: y})) for x in (-2.3, 0.4, 1.7) for y in (-0.6, 1.1)]
    assert_allclose(values, values[0], atol=1e-12)


def test_what_is_not_closed_is_not():
    assert not is_closed([X, Y], texts("y*sign(x)", "-abs(x)"))


def test_the_leaves_of_a_kink_are_whole():
    """z - y|x| is constant on them; sign(x) z - x y is too on either side, and jumps where a leaf goes through x = 0."""
    system = ah.System(
        coordinates=list("xyz"), lagrangian="(x'^2 + y'^2 + z'^2)/2", constraints=["z' = sign(x)*y*x' + abs(x)*y'"]
    )
    (function,) = system.geometry.distribution.leaves().functions
    below, above = (float(to_sympy(function).subs({"x": x, "y": 2, "z": 5})) for x in (-1e-9, 1e-9))
    assert below == pytest.approx(above, abs=1e-6)


def test_a_map_with_a_kink_is_prolonged():
    section = JetSpace(["t"], ["x"]).prolong({"x": "abs(t)*t"})
    assert section.is_integrable()
    slope = section[0, (0,)]
    assert [float(to_sympy(slope).subs("t", t)) for t in (-1.5, 0.25)] == [3.0, 0.5]
