"""The matrices that `equations.jacobian` gives are those of closed forms, by every principle and backend."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

import anholonomy as ah
from anholonomy.base.errors import ArgumentError, NotSupportedError, UnknownNameError
from anholonomy.catalogue import chaplygin_sleigh
from tests.wording import blames


def swing() -> ah.System:
    """A pendulum with a moving force and a motor that saturates."""
    return ah.System(
        name="swing",
        coordinates=["theta"],
        lagrangian="m*l^2*theta'^2/2 + m*g*l*cos(theta)",
        forces={"theta": "k*sin(w*t) - c*max(theta', 1)"},
        parameters={"m": 2.0, "l": 0.5, "g": 9.81, "k": 0.3, "w": 1.7, "c": 0.2},
    )


@pytest.mark.parametrize("backend", ["numpy", "llvm", "casadi", "jax"])
def test_a_driven_pendulum(backend):
    equations = swing().derive()
    theta, rate, t, inertia = 0.4, 1.3, 0.7, 2.0 * 0.25
    J = equations.jacobian(backend=backend)
    assert (J.rows, J.columns) == (("theta'", "theta''"), ("theta", "theta'"))
    expected = [[0, 1], [-9.81 / 0.5 * np.cos(theta), -0.2 / inertia]]
    assert_allclose(J(t, [theta, rate]), expected, rtol=1e-14)
    # Below the corner the motor pushes with a constant force.
    assert_allclose(J(t, [theta, 0.9]), [[0, 1], [expected[1][0], 0]], rtol=1e-14)
    by_some = equations.jacobian(by=["k", "t", "l"], backend=backend)(t, [theta, rate])
    force = 0.3 * np.sin(1.7 * t) - 0.2 * rate
    by_length = 9.81 * np.sin(theta) / 0.25 - 2 * force / (inertia * 0.5)
    assert_allclose(
        by_some[1], [np.sin(1.7 * t) / inertia, 0.3 * 1.7 * np.cos(1.7 * t) / inertia, by_length], rtol=1e-13
    )
    assert_allclose(by_some[0], 0)


def test_a_sleigh_by_its_parameters_in_a_batch():
    J = chaplygin_sleigh().derive("kane").jacobian(by="parameters")
    assert J.columns == tuple(chaplygin_sleigh().parameters)
    draw = np.random.default_rng(1)
    x, (m, I, a) = draw.uniform(0.5, 1.5, (5, 6)), (1.0, 0.3, 0.2)
    u, omega = x[3], x[4]
    found = J(0.0, x)
    assert found.shape == (5, 3, 6)
    assert_allclose(found[3], [0 * u, 0 * u, omega**2], atol=1e-14)
    whole = I + m * a**2
    slopes = [-a * u * omega * I / whole**2, m * a * u * omega / whole**2, -m * u * omega * (I - m * a**2) / whole**2]
    assert_allclose(found[4], slopes, rtol=1e-13)


def test_the_derivative_of_the_energy_along_the_motion_vanishes():
    """Through the linear system of multipliers, in coordinates and velocities."""
    equations = chaplygin_sleigh().derive("lagrange-dalembert")
    x = [0.1, 0.2, 0.3, 1.5 * np.cos(0.3), 1.5 * np.sin(0.3), 0.8]
    rates, energy = equations.function()(0.0, x), equations.jacobian(of="energy")
    assert abs(energy(0.0, x) @ rates).item() < 1e-14
    step = 1e-6 * rates
    differences = (equations.function()(0.0, x + step) - equations.function()(0.0, x - step)) / 2e-6
    assert_allclose(equations.jacobian()(0.0, x) @ rates, differences, atol=1e-9)


def test_what_cannot_be_differentiated_is_refused_in_a_sentence():
    equations = swing().derive()
    with blames(UnknownNameError, "thetta"):
        equations.jacobian(by=["thetta"])
    with blames(ArgumentError, "state", "parameters", "inputs"):
        equations.jacobian(by=3)
    twice = {"a": "x' = z*y'", "b": "2*x' = 2*z*y'"}
    lagrangian = "x'^2 + y'^2 + z'^2"
    system = ah.System(
        name="twice", coordinates=["x", "y", "z"], lagrangian=lagrangian, constraints=twice, redundant="keep"
    )
    with blames(NotSupportedError):
        system.derive("gauss").jacobian()
