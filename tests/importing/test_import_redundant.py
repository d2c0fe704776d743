"""Configuration and velocity constraints together: what is kept stays independent wherever the whole does."""

from __future__ import annotations

import math

import numpy as np
import pytest
import sympy as sp
from numpy.testing import assert_allclose
from sympy.physics.mechanics import KanesMethod, Point, ReferenceFrame, RigidBody, dot, dynamicsymbols, inertia

import anholonomy as ah


def disc_with_a_height() -> KanesMethod:
    """A disc that rolls: its height is a configuration constraint, the velocity of its contact three more."""
    q, u = dynamicsymbols("q1:7"), dynamicsymbols("u1:7")
    r, m, g = sp.symbols("r m g")
    N, O = ReferenceFrame("N"), Point("O")
    A = N.orientnew("A", "Axis", [q[0], N.z])
    B = A.orientnew("B", "Axis", [q[1], A.x])
    C = B.orientnew("C", "Axis", [q[2], B.y])
    centre = O.locatenew("CO", q[3] * N.x + q[4] * N.y + q[5] * N.z)
    turning, moving = C.ang_vel_in(N), centre.pos_from(O).dt(N)
    C.set_ang_vel(N, u[0] * B.x + u[1] * B.y + u[2] * B.z)
    centre.set_vel(N, u[3] * C.x + u[4] * C.y + u[5] * C.z)
    contact = centre.locatenew("P", r * B.z)
    contact.v2pt_theory(centre, N, C)
    disc = RigidBody("disc", centre, C, m, (inertia(C, m * r**2 / 4, m * r**2 / 2, m * r**2 / 4), centre))
    return KanesMethod(
        N,
        q[:5],
        u[:3],
        [dot(turning - C.ang_vel_in(N), axis) for axis in B] + [dot(moving - centre.vel(N), axis) for axis in N],
        q_dependent=q[5:],
        configuration_constraints=[q[5] - dot(centre.pos_from(contact), N.z)],
        u_dependent=u[3:],
        velocity_constraints=[dot(contact.vel(N), axis) for axis in C],
        bodies=[disc],
        forcelist=[(centre, m * g * A.z)],
    )


def imported() -> ah.System:
    return ah.from_sympy(disc_with_a_height(), name="disc", parameters={"m": 1.0, "r": 1.0, "g": 1.0}).system


@pytest.mark.exhaustive
def test_a_disc_rolls_on_after_a_quarter_turn():
    start = {"q1": 0, "q2": 0, "q3": 0, "q4": 0, "q5": 0, "q1'": 0, "q2'": 0, "q3'": 1}
    run = imported().simulate(start, times=np.linspace(0, 7, 8))
    assert run.is_complete
    # Upright and straight: the centre goes back by the arc, and stays at its height.
    assert_allclose(run["q4"], -run.time, atol=1e-12)
    assert_allclose(run["q6"], -1, atol=1e-12)


def test_constraints_stay_independent_at_every_right_angle():
    system = imported()
    right_angles = [0.0, math.pi / 2, math.pi]
    for place in np.array(np.meshgrid(*[right_angles] * 3)).reshape(3, -1).T:
        values = dict(zip(system.coordinates, [*place, 0.3, 0.2, 1.0], strict=True))
        values |= dict(zip(system.model.parameter_symbols, [1.0, 1.0, 1.0], strict=True))
        A = np.array([[float(entry.xreplace(values)) for entry in row] for row in system.model.matrix_na])
        assert np.linalg.matrix_rank(A, tol=1e-9) == 3, place


def test_the_height_is_kept_by_the_start_and_by_a_file(tmp_path):
    system = imported()
    assert [c.label for c in system.model.on_positions] == ["configuration 1"]
    leaning = system.simulate(
        {"q1": 0, "q2": 0.5, "q3": 0, "q4": 0, "q5": 0, "q1'": 1, "q2'": 0, "q3'": 2}, times=[0, 1, 2]
    )
    assert_allclose(leaning["q6"], -np.cos(leaning["q2"]), atol=1e-12)
    system.save(tmp_path / "disc.toml")
    assert ah.load(tmp_path / "disc.toml") == system


def test_whichever_row_fails_somewhere_is_dropped():
    """Of three rows in a plane, the one that says nothing where sin(theta) = 0 goes, first though it stands."""
    system = ah.System(
        name="pins",
        coordinates=["x", "y", "theta"],
        lagrangian="(x'^2 + y'^2 + theta'^2)/2",
        constraints={
            "weak": "sin(theta)*(x' - theta') = 0",
            "along": "cos(theta)*(x' - theta') + sin(theta)*y' = 0",
            "across": "-sin(theta)*(x' - theta') + cos(theta)*y' = 0",
        },
        redundant="drop",
    )
    assert [c.label for c in system.constraints] == ["along", "across"]
