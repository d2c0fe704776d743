"""An audit is true where nothing contradicts anything, and says what does where it is not."""

from __future__ import annotations

import warnings

import sympy as sp
from sympy.physics.mechanics import KanesMethod, Particle, Point, ReferenceFrame, dynamicsymbols

import anholonomy as ah


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
    assert "the mass of the body ball has M(t), a prescribed motion" in found.contradictions[-1]
    assert "audit of a model" in str(found)
