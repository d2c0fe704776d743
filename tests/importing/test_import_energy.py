"""Gravity and springs given as loads count in the energy of an imported model; what has no potential stays a force."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp
from numpy.testing import assert_allclose
from sympy.physics.mechanics import (
    KanesMethod,
    LinearPathway,
    LinearSpring,
    Particle,
    Point,
    ReferenceFrame,
    dynamicsymbols,
)

import anholonomy as ah
from anholonomy.language import to_text

m, g, l, k, c = sp.symbols("m g l k c")
NUMBERS = {"m": 1.3, "g": 9.8, "l": 0.7}


def double_pendulum(torque=lambda q, u: 0) -> KanesMethod:
    q, u = dynamicsymbols("q1:3"), dynamicsymbols("u1:3")
    N, O = ReferenceFrame("N"), Point("O")
    O.set_vel(N, 0)
    upper, lower = (N.orientnew(name, "Axis", [angle, N.z]) for name, angle in zip("AB", q, strict=True))
    upper.set_ang_vel(N, u[0] * N.z)
    lower.set_ang_vel(N, u[1] * N.z)
    P = O.locatenew("P", l * upper.x)
    R = P.locatenew("R", l * lower.x)
    P.v2pt_theory(O, N, upper)
    R.v2pt_theory(P, N, lower)
    bodies = [Particle("P", P, m), Particle("R", R, m)]
    loads = [(P, m * g * N.x), (R, m * g * N.x), (upper, torque(q, u) * N.z)]
    return KanesMethod(N, q, u, [a.diff() - b for a, b in zip(q, u, strict=True)], bodies=bodies, forcelist=loads)


def energy(a, b, v, w):
    """Kinetic plus potential energy of the double pendulum, angles from the vertical."""
    m, g, l = NUMBERS.values()
    kinetic = m * l**2 * (v**2 + w**2 / 2 + v * w * np.cos(a - b))
    return kinetic - m * g * l * (2 * np.cos(a) + np.cos(b))


def test_gravity_counts_in_the_energy():
    system, _ = ah.from_sympy(double_pendulum(), name="pendulum", parameters=NUMBERS)
    found = system.derive("hamel").function(of="energy")
    one, other = [0.3, -0.8, 1.2, 0.4], [2.0, 1.0, -0.5, 0.9]
    assert_allclose(found(0.0, one) - found(0.0, other), energy(*one) - energy(*other), rtol=1e-12)
    run = system.simulate(dict(zip(["q1", "q2", "q1'", "q2'"], one, strict=True)), times=[0, 1, 2])
    assert_allclose(run["energy"], run["energy"][0], rtol=1e-12)


def test_a_damper_stays_a_force_beside_its_spring():
    kane = double_pendulum(lambda q, u: -k * q[0] - c * u[0])
    system, _ = ah.from_sympy(kane, name="pendulum", parameters=NUMBERS)
    assert [to_text(Q) for Q in system.model.forces_a] == ["-c*q1'", "0"]
    assert to_text(system.lagrangian.diff(system.coordinates[0]).xreplace(dict.fromkeys(system.velocities, 0))) in (
        "-k*q1 - 2*g*l*m*sin(q1)",
        "-2*g*l*m*sin(q1) - k*q1",
    )


def free_particles(loads) -> KanesMethod:
    q, u = dynamicsymbols("x1 y1 x2 y2"), dynamicsymbols("u1:5")
    N, O = ReferenceFrame("N"), Point("O")
    O.set_vel(N, 0)
    points = []
    for i in (0, 2):
        point = O.locatenew(f"P{i}", q[i] * N.x + q[i + 1] * N.y)
        point.set_vel(N, u[i] * N.x + u[i + 1] * N.y)
        points.append(point)
    bodies = [Particle(point.name, point, m) for point in points]
    return KanesMethod(
        N, q, u, [a.diff() - b for a, b in zip(q, u, strict=True)], bodies=bodies, forcelist=loads(N, *points)
    )


@pytest.mark.exhaustive
def test_a_spring_between_two_points_has_one_potential():
    def loads(N, P, R):
        swirl = (P, c * (P.pos_from(R).dot(N.y) * N.x - P.pos_from(R).dot(N.x) * N.y))
        return [*LinearSpring(k, LinearPathway(P, R), l).to_loads(), swirl]

    system, _ = ah.from_sympy(free_particles(loads), name="two", parameters={"m": 1.0, "k": 3.0, "l": 0.5, "c": 0.2})
    found = system.derive("hamel").function(of="energy")
    at = np.array([0.1, 0.2, 1.5, -0.7, 0, 0, 0, 0])
    stretched = np.hypot(1.4, 0.9) - 0.5
    zero = np.array([0, 0, 0.5, 0, 0, 0, 0, 0.0])
    assert_allclose(found(0.0, at) - found(0.0, zero), 3.0 * stretched**2 / 2, rtol=1e-12)
    assert {to_text(Q) for Q in system.model.forces_a[2:]} == {"0"}
    assert "c" in to_text(system.model.forces_a[0])  # the swirl has no potential


@pytest.mark.parametrize("push", [dynamicsymbols("F"), sp.cos(dynamicsymbols._t)])
def test_inputs_and_forces_that_change_with_time_stay_forces(push):
    system, _ = ah.from_sympy(free_particles(lambda N, P, R: [(P, push * N.x)]), name="pushed")
    assert system.model.forces_a[0] != 0
    assert not system.lagrangian.free_symbols & {system.coordinates[0]}
