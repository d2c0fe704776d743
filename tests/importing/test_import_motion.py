"""A motion that a SymPy model describes twice must be one: accelerations, angular velocities, quaternions."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
import sympy as sp
from numpy.testing import assert_allclose
from sympy.physics.mechanics import (
    KanesMethod,
    Particle,
    Point,
    ReferenceFrame,
    RigidBody,
    dot,
    dynamicsymbols,
    inertia,
)

import anholonomy as ah
from tests.wording import blames

m, r, g = sp.symbols("m r g")


def disc(accelerate) -> KanesMethod:
    """SymPy's rolling disc, its contact point without velocity; ``accelerate`` sets the acceleration of its centre."""
    q, u = dynamicsymbols("q1:4"), dynamicsymbols("u1:4")
    N = ReferenceFrame("N")
    Y = N.orientnew("Y", "Axis", [q[0], N.z])
    L = Y.orientnew("L", "Axis", [q[1], Y.x])
    R = L.orientnew("R", "Axis", [q[2], L.y])
    turning = R.ang_vel_in(N)
    R.set_ang_vel(N, u[0] * L.x + u[1] * L.y + u[2] * L.z)
    C = Point("C")
    C.set_vel(N, 0)
    centre = C.locatenew("Dmc", r * L.z)
    centre.v2pt_theory(C, N, R)
    accelerate(centre, C, N, R)
    body = RigidBody("disc", centre, R, m, (inertia(L, m * r**2 / 4, m * r**2 / 2, m * r**2 / 4), centre))
    kinematics = [dot(R.ang_vel_in(N) - turning, axis) for axis in L]
    return KanesMethod(N, q, u, kinematics, bodies=[body], forcelist=[(centre, -m * g * Y.z)])


def test_an_acceleration_set_against_the_velocity_is_named():
    """The contact point is fixed in no body, so ``a2pt_theory`` does not hold for it."""
    kane = disc(lambda centre, C, N, R: centre.a2pt_theory(C, N, R))
    with blames(ah.errors.InconsistentMotionWarning, "coin") as seen:
        ah.from_sympy(kane, name="coin")
    (warning,) = seen
    assert warning.filename == __file__


@pytest.mark.parametrize(
    "accelerate",
    [
        lambda centre, C, N, R: None,
        lambda centre, C, N, R: centre.set_acc(N, centre.vel(N).dt(N)),
        lambda centre, C, N, R: R.set_ang_acc(N, R.ang_vel_in(N).dt(N)),
    ],
)
def test_an_acceleration_that_is_the_derivative_is_not_suspected(accelerate):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ah.from_sympy(disc(accelerate), name="coin")


def test_an_angular_acceleration_set_wrongly_is_named():
    kane = disc(lambda centre, C, N, R: R.set_ang_acc(N, 2 * R.ang_vel_in(N).dt(N)))
    with blames(ah.errors.InconsistentMotionWarning):
        ah.from_sympy(kane, name="coin")


def conical(rod: bool, turn) -> KanesMethod:
    """A pendulum on two angles in space, whose angular velocity is set by hand."""
    q, u = dynamicsymbols("alpha beta"), dynamicsymbols("omega delta")
    N, O, A = ReferenceFrame("N"), Point("O"), ReferenceFrame("A")
    O.set_vel(N, 0)
    A.orient_space_fixed(N, [q[0], q[1], 0], "ZXY")
    A.set_ang_vel(N, turn(N, A, *q, *u))
    P = O.locatenew("P", -r * A.y)
    P.v2pt_theory(O, N, A)
    body = RigidBody("rod", P, A, m, (inertia(A, 1, 2, 3), P)) if rod else Particle("bob", P, m)
    kinematics = [a.diff() - b for a, b in zip(q, u, strict=True)]
    return KanesMethod(N, q, u, kinematics, bodies=[body], forcelist=[(P, -m * g * N.y)])


def wrongly(N, A, alpha, beta, omega, delta):
    return omega * N.z + delta * N.x


def rightly(N, A, alpha, beta, omega, delta):
    """About N.z first and about N.x then: the first axis has turned with the second rotation."""
    return omega * (sp.cos(beta) * N.z - sp.sin(beta) * N.y) + delta * N.x


def test_an_angular_velocity_against_the_orientation_is_refused_with_the_frame():
    with blames(ah.errors.NotSupportedError):
        ah.from_sympy(conical(True, wrongly), name="pendulum")
    with blames(ah.errors.InconsistentMotionWarning):
        ah.from_sympy(conical(False, wrongly), name="pendulum")


@pytest.mark.parametrize("rod", [True, False])
def test_an_angular_velocity_of_the_orientation_is_not_suspected(rod):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(ah.from_sympy(conical(rod, rightly), name="pendulum").system.coordinates) == 2


def test_a_body_turned_by_a_quaternion():
    """Euler's equations of a free body, whatever its orientation; its centre needs no further coordinates."""
    e, x = dynamicsymbols("e0:4"), dynamicsymbols("x:z")
    w, v = dynamicsymbols("w1:4"), dynamicsymbols("v1:4")
    N, O = ReferenceFrame("N"), Point("O")
    O.set_vel(N, 0)
    B = ReferenceFrame("B")
    B.orient_quaternion(N, e)
    turning = B.ang_vel_in(N)
    B.set_ang_vel(N, w[0] * B.x + w[1] * B.y + w[2] * B.z)
    G = O.locatenew("G", x[0] * N.x + x[1] * N.y + x[2] * N.z)
    moving = G.pos_from(O).dt(N)
    G.set_vel(N, v[0] * B.x + v[1] * B.y + v[2] * B.z)
    body = RigidBody("body", G, B, m, (inertia(B, 1, 2, 3), G))
    kinematics = [dot(B.ang_vel_in(N) - turning, axis) for axis in B] + [dot(G.vel(N) - moving, axis) for axis in B]
    kinematics.append(sum(a * a.diff() for a in e))
    kane = KanesMethod(
        N,
        [*e[1:], *x],
        [*w, *v],
        kinematics,
        q_dependent=[e[0]],
        configuration_constraints=[sum(a**2 for a in e) - 1],
        bodies=[body],
        forcelist=[(G, -m * g * N.z)],
        explicit_kinematics=False,
    )
    system, speeds = ah.from_sympy(kane, name="body", parameters={"m": 1.5, "g": 9.0})
    assert {s.name for s in system.coordinates} == {"e0", "e1", "e2", "e3", "x", "y", "z"}
    function = system.derive("hamel", speeds=speeds).function("numpy")
    rng = np.random.default_rng(3)
    for _ in range(3):
        unit, omega = rng.normal(size=4), rng.normal(size=3)
        unit /= np.linalg.norm(unit)
        state = dict(zip(["e0", "e1", "e2", "e3", "x", "y", "z"], [*unit, *rng.normal(size=3)], strict=True))
        state |= dict(zip(["w1", "w2", "w3", "v1", "v2", "v3"], [*omega, *rng.normal(size=3)], strict=True))
        found = dict(zip(function.outputs, function(0.0, [state[s] for s in function.inputs]), strict=True))
        moments = np.array([1, 2, 3])
        expected = np.cross(moments * omega, omega) / moments
        assert_allclose([found["w1'"], found["w2'"], found["w3'"]], expected, rtol=1e-11)
