"""Geodesics are motions: of Levi-Civita the free ones, of the nonholonomic connection the constrained ones."""

from __future__ import annotations

import random

import numpy as np
import pytest

from anholonomy import System, catalogue
from anholonomy.algebra.expressions import symbol
from anholonomy.algebra.numbers.balls import evaluate_balls
from anholonomy.algebra.zero_test import is_zero
from anholonomy.errors import ArgumentError, DeclarationError
from anholonomy.geometry import Frame
from anholonomy.geometry.connections import (
    energy_preserving,
    levi_civita,
    lewis,
    nonholonomic,
)
from anholonomy.geometry.metric import Metric, kinetic_metric
from anholonomy.language import parse_expression
from anholonomy.motion.parallel_transport import parallel_transport
from tests.wording import blames

FREE = {
    "spherical pendulum without gravity": (["theta", "phi"], "m*(theta'^2 + sin(theta)^2*phi'^2)/2"),
    "coupled masses": (["x", "y", "z"], "(2 + y^2)*x'^2/2 + x'*z'/3 + y'^2/2 + (1 + x^2)*z'^2/2"),
    "sleigh off its blade": (
        ["x", "y", "theta"],
        "m/2*((x' - a*sin(theta)*theta')^2 + (y' + a*cos(theta)*theta')^2) + I/2*theta'^2",
    ),
}
VALUES = {"m": 1.5, "I": 0.75, "a": 0.5}


def free(names, L):
    used = {name: value for name, value in VALUES.items() if name in L}
    return System(name="free", coordinates=names, lagrangian=L, parameters=used)


def accelerations(equations, system, state):
    """The geodesic accelerations at a state, in the coordinates of the system."""
    point = {symbol(name): value for name, value in (*state.items(), *system.parameters.items())}
    return [float(a) for a in evaluate_balls(equations.accelerations, point, 30)]


@pytest.mark.parametrize(("names", "L"), FREE.values(), ids=FREE.keys())
def test_geodesics_of_the_kinetic_metric_are_free_motions(names, L):
    system, rng = free(names, L), random.Random(0)
    geodesics = levi_civita(kinetic_metric(system)).geodesic_equations()
    for _ in range(3):
        state = {name: rng.uniform(0.3, 1.2) for q in names for name in (q, q + "'")}
        expected = system.derive("lagrange-dalembert").accelerations(state)
        np.testing.assert_allclose(accelerations(geodesics, system, state), list(expected.values()), atol=1e-12)


def test_geodesics_in_the_body_frame_are_eulers_equations():
    body = Frame(
        ["phi", "theta", "psi"],
        [
            ["sin(psi)/sin(theta)", "cos(psi)", "-sin(psi)*cos(theta)/sin(theta)"],
            ["cos(psi)/sin(theta)", "-sin(psi)", "-cos(psi)*cos(theta)/sin(theta)"],
            ["0", "0", "1"],
        ],
    )
    equations = levi_civita(Metric(body, ["I1", "I2", "I3"])).geodesic_equations()
    w1, w2, w3 = equations.speeds
    expected = "(I2 - I3)/I1", "(I3 - I1)/I2", "(I1 - I2)/I3"
    for found, moments, product in zip(equations.accelerations, expected, (w2 * w3, w1 * w3, w1 * w2), strict=True):
        assert is_zero(found - parse_expression(moments) * product)


CONSTRAINED = {
    "skate": catalogue.skate(),
    "sleigh": catalogue.chaplygin_sleigh(),
    "sleigh, centre over the blade": catalogue.chaplygin_sleigh().with_parameters(a=0.0),
    "knife edge on a level plane": catalogue.knife_edge().with_parameters(alpha=0.0),
    "free particle": catalogue.free_particle(),
    "rolling disk": catalogue.rolling_disk(),
}


def declared_span(system):
    return [list(row) for row in system.model.span_ba]


def reflection(system):
    g = kinetic_metric(system)
    P, Q = g.projectors(nonholonomic(g, declared_span(system)).span)
    return P - Q


KINDS = {
    "nonholonomic": lambda s: nonholonomic(kinetic_metric(s), declared_span(s)),
    "reflected": lambda s: lewis(kinetic_metric(s), declared_span(s), reflection(s)),
    "energy preserving": lambda s: energy_preserving(kinetic_metric(s), declared_span(s)),
}


@pytest.mark.parametrize("system", CONSTRAINED.values(), ids=CONSTRAINED.keys())
@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS.keys())
def test_geodesics_from_the_distribution_are_constrained_motions(system, kind):
    connection, rng = kind(system), random.Random(1)
    geodesics = connection.geodesic_equations()
    hamel = system.derive("hamel")
    for _ in range(2):
        state = _admissible(system, rng)
        expected = hamel.accelerations(state)
        np.testing.assert_allclose(accelerations(geodesics, system, state), list(expected.values()), atol=1e-12)


def _admissible(system, rng):
    place = {symbol(q.name): rng.uniform(0.3, 1.2) for q in system.coordinates}
    values = {symbol(name): value for name, value in system.parameters.items()}
    rows = [[float(e) for e in evaluate_balls(row, {**place, **values}, 30)] for row in system.model.span_ba]
    velocity = np.array([rng.uniform(-1, 1) for _ in rows]) @ np.array(rows)
    state = {q.name: value for q, value in place.items()}
    return state | {w.name: float(v) for w, v in zip(system.velocities, velocity, strict=True)}


def test_levi_civita_alone_would_not_do():
    """The particle would leave its constraint: the second fundamental form of the distribution is not zero."""
    system = catalogue.free_particle()
    state = {"x": 0.5, "y": 0.0, "z": 0.0, "x'": 1.0, "y'": 1.0, "z'": -0.5}
    free_ = accelerations(levi_civita(kinetic_metric(system)).geodesic_equations(), system.model, state)
    expected = list(system.derive("hamel").accelerations(state).values())
    assert np.abs(np.array(free_) - expected).max() > 1e-2


def test_a_frame_that_moves_by_itself_has_no_geodesics():
    turning = Frame(["x", "y"], [["cos(t)", "sin(t)"], ["-sin(t)", "cos(t)"]])
    with blames(DeclarationError):
        levi_civita(Metric(turning, [1, 1])).geodesic_equations()


def test_transport_keeps_lengths_and_turns_by_the_enclosed_curvature():
    g = Metric(Frame(["theta", "phi"]), ["1", "sin(theta)^2"])
    curve = {"theta": "beta", "phi": "t"}
    times = np.linspace(0, 2 * np.pi, 9)
    run = parallel_transport(levi_civita(g), curve, [1, 0], times, parameters={"beta": 0.4}, integrator="scipy")
    along, around = run.vector.values.T
    np.testing.assert_allclose(along**2 + (np.sin(0.4) * around) ** 2, 1, atol=1e-10)
    angle = np.arctan2(np.sin(0.4) * around[-1], along[-1])
    np.testing.assert_allclose(np.exp(1j * angle), np.exp(-2j * np.pi * np.cos(0.4)), atol=1e-10)
    assert run.vector.dims == ("time", "direction")
    np.testing.assert_allclose(run.q.sel(coordinate="theta"), 0.4)


def test_transport_in_another_frame_is_the_same_transport():
    chart, unit = Frame(["theta", "phi"]), Frame(["theta", "phi"], [["1", "0"], ["0", "1/sin(theta)"]])
    LC = levi_civita(Metric(chart, ["1", "sin(theta)^2"]))
    curve, times = {"theta": "1 + t^2/4", "phi": "sin(t)"}, [0.0, 1.5]
    start = np.array([0.3, 0.8])
    scale = lambda theta: np.array([1, np.sin(theta)])
    first = parallel_transport(LC, curve, start, times, integrator="scipy").vector.values[-1]
    moved = parallel_transport(LC.in_frame(unit), curve, scale(1.0) * start, times, integrator="scipy")
    np.testing.assert_allclose(scale(1 + 1.5**2 / 4) * first, moved.vector.values[-1], atol=1e-10)


@pytest.mark.parametrize(("curve", "names"), [({"theta": "1"}, ("theta",)), ({"theta": "k*t", "phi": "t"}, ("k",))])
def test_transport_refuses(curve, names):
    LC = levi_civita(Metric(Frame(["theta", "phi"]), ["1", "sin(theta)^2"]))
    with blames(ArgumentError, *names):
        parallel_transport(LC, curve, [1, 0], [0, 1])
