"""An audit is true where nothing contradicts anything, and says what does where it is not."""

from __future__ import annotations

import warnings

import pytest
import sympy as sp
from sympy.physics.mechanics import KanesMethod, Particle, Point, ReferenceFrame, RigidBody, dynamicsymbols, inertia

import anholonomy as ah
from tests.wording import pinned


def spring(mass=1, acceleration=None, potential=0) -> KanesMethod:
    q, u = dynamicsymbols("q u")
    N, P = ReferenceFrame("N"), Point("P")
    P.set_vel(N, u * N.x)
    if acceleration is not None:
        P.set_acc(N, acceleration * u.diff() * N.x)
    ball = Particle("ball", P, mass)
    ball.potential_energy = potential * q**2
    return KanesMethod(N, [q], [u], [q.diff() - u], bodies=[ball], forcelist=[(P, -q * N.x)])


def test_a_sound_model_is_true():
    found = ah.audit(spring(acceleration=1), name="spring")
    assert found
    assert found.contradictions == ()
    assert found.verification.agree
    assert "nothing contradicts anything" in str(found)
    assert found.imported.speeds == {"u": "q'"}


def test_every_contradiction_is_said_and_none_escapes_as_a_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = ah.audit(spring(acceleration=2, potential=3), name="spring")
    assert not found
    assert found.verification.agree  # what was imported is sound; what was said beside it is not
    said = "".join(found.contradictions)
    assert "the acceleration set for the point P" in said
    assert "the potential energy of the body ball does not count" in said
    assert str(found).count("  - spring: ") == 2


def test_a_refused_model_is_false_and_says_why():
    found = ah.audit(spring(mass=sp.Function("M")(dynamicsymbols._t)))
    assert not found
    assert found.imported is None
    pinned(found.contradictions[-1], "mass", "M")
    assert "audit of a model" in str(found)


def pendulum(velocity) -> KanesMethod:
    """A bob at the distance l from O, with a velocity set by hand."""
    q, u = dynamicsymbols("q u")
    m, l, g = sp.symbols("m l g")
    N, O = ReferenceFrame("N"), Point("O")
    A = N.orientnew("A", "Axis", [q, N.z])
    O.set_vel(N, 0)
    P = O.locatenew("P", l * A.x)
    P.set_vel(N, velocity(l * u, A))
    return KanesMethod(N, [q], [u], [q.diff() - u], bodies=[Particle("bob", P, m)], forcelist=[(P, m * g * N.x)])


@pytest.mark.parametrize("velocity", [lambda v, A: 2 * v * A.y, lambda v, A: v * A.x], ids=["too fast", "wrong way"])
def test_a_velocity_that_is_not_the_derivative_of_the_position_is_said(velocity):
    found = ah.audit(pendulum(velocity))
    assert not found
    pinned(found.contradictions[0])


def test_velocities_that_belong_to_positions_are_not_suspected():
    """By hand; and of a wheel from its point of contact, which another point of the wheel is at every moment."""
    assert ah.audit(pendulum(lambda v, A: v * A.y))
    q, u = dynamicsymbols("q1:4"), dynamicsymbols("u1:4")
    m, r, g = sp.symbols("m r g")
    N, C = ReferenceFrame("N"), Point("C")
    L = N.orientnew("L", "Body", [q[0], q[1], 0], "ZXY")
    B = L.orientnew("B", "Axis", [q[2], L.y])
    C.set_vel(N, 0)
    G = C.locatenew("G", r * L.z)
    G.v2pt_theory(C, N, B)
    disc = RigidBody("disc", G, B, m, (inertia(L, m * r**2 / 4, m * r**2 / 2, m * r**2 / 4), G))
    kinematics = [a.diff() - b for a, b in zip(q, u, strict=True)]
    assert ah.audit(KanesMethod(N, q, u, kinematics, bodies=[disc], forcelist=[(G, -m * g * N.z)])).contradictions == ()
