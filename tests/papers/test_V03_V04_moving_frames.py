r"""V3, V4: moving reference frames, their two angular velocities, and the system seen from there (Jovanović, 3.1).

Two slips of the print: in Proposition 3.2 the sentence pairs $L$ with $\xi$ and $l$ with $\eta$, the formula below it is right;
in the definition of $\mathbf f$ the arguments are exchanged, $\mathbf f(x, \dot x, t)(\xi) = \mathbf F(q, \dot q, t)(dg_t\xi)$.
"""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

import anholonomy as ah
from anholonomy.algebra.expressions import to_sympy
from anholonomy.algebra.zero_test import is_zero
from tests.wording import blames

C, S = "cos(a*t^2)", "sin(a*t^2)"
RIGID = {
    "x": f"sin(t) + {C}*x - {S}*y",
    "y": f"b*t + {S}*x + {C}*y",
    "z": "t^2 + z",
}


def body_in_space() -> ah.System:
    return ah.System(
        name="particle", coordinates=["x", "y", "z"], lagrangian="m*(x'^2 + y'^2 + z'^2)/2 - x*y*z + y*x'",
        constraints=["z' = y*x' + t"], forces={"x": "-y'*z", "y": "x + t"}, parameters={"m": 1.3},
    )  # fmt: skip


def test_V3_a_rigid_frame() -> None:
    r"""Example 3.1: $\omega_t(q) = \dot r + \omega\times(q - r)$; $dg_t(\Omega_t) = \omega_t$."""
    moving = body_in_space().geometry.moving_observer(RIGID, parameters={"a": None, "b": None})
    x, y, a, b, t = sp.symbols("x y a b t")
    spin = 2 * a * t
    expected = {"x": sp.cos(t) - spin * (y - b * t), "y": b + spin * (x - sp.sin(t)), "z": 2 * t}
    for name, value in expected.items():
        assert sp.simplify(to_sympy(moving.omega[name]) - value) == 0
    pushed = [sum(M * moving.Omega[name] for M, name in zip(row, "xyz", strict=True)) for row in moving.pushed_ab]
    for value, there in zip(pushed, moving.carried_a, strict=True):
        assert is_zero(value - there)


def test_V3_velocities_add() -> None:
    r"""$\dot\gamma = dg_t(\dot\Gamma) + \omega_t$ along a curve, against its derivative, in a frame that bends."""
    place = {"x": "x + t*y^2", "y": "y*exp(t) + sin(x)"}
    plane = ah.System(name="plane", coordinates=["x", "y"], lagrangian="x'^2 + y'^2")
    moving = plane.geometry.moving_observer(place)
    t = sp.Symbol("t")
    curve = {"x": sp.sin(3 * t), "y": t + t**3}
    on = {sp.Symbol(q): value for q, value in curve.items()}
    on |= {sp.Symbol(f"{q}'"): value.diff(t) for q, value in curve.items()}
    for g, velocity in zip(moving.place, moving.velocities, strict=True):
        assert sp.simplify(to_sympy(g).subs(on).diff(t) - to_sympy(velocity).subs(on)) == 0
    with blames(ah.errors.NotSupportedError):
        _ = moving.omega


def test_V3_on_a_group_the_two_are_related_by_Ad() -> None:
    """A turning frame on SO(3): left translation by a rotation, in quaternions."""
    c, s = "cos(W*t/2)", "sin(W*t/2)"
    turn = {"q0": f"{c}*q0 - {s}*q3", "q1": f"{c}*q1 - {s}*q2", "q2": f"{c}*q2 + {s}*q1", "q3": f"{c}*q3 + {s}*q0"}
    top = ah.System(name="top", group="SO3", kinetic=[1, 2, 3])
    moving = top.geometry.moving_observer(turn, parameters={"W": None})
    R = ah.groups.SO3().matrix
    W = sp.Symbol("W")
    for a, name in enumerate(("w1", "w2", "w3")):  # the third row of R: the vertical, seen from the body
        assert sp.expand(to_sympy(moving.Omega[name]) - W * to_sympy(R[2][a])) == 0
    with blames(ah.errors.DeclarationError):
        top.geometry.moving_observer({"q0": "2*q0"})


def compare(
    system: ah.System, moving: ah.answers.MovingObserver, start: dict[str, float], until: float, tolerance: float
) -> None:
    """Theorem 3.1: the images of a motion seen from the moving frame are the motion in the fixed one."""
    seen = system.seen_from(moving).simulate(start, times=np.linspace(0, until, 9), by="lagrange-dalembert")
    states = [
        {s.name: float(seen[s.name][k]) for s in (*system.coordinates, *system.velocities)} | {"t": float(t)}
        for k, t in enumerate(seen.time)
    ]
    there = [moving.fixed_state(state) for state in states]
    fixed = system.simulate(there[0], times=np.linspace(0, until, 9))
    for name in there[0]:
        expected = np.array([state[name] for state in there])
        assert fixed[name].values == pytest.approx(expected, abs=tolerance)
    assert max(np.ptp(fixed[q.name].values) for q in system.coordinates) > 0.1


def test_V4_motions_correspond() -> None:
    """Affine, moving constraint, forces that depend on velocities, and a term linear in the velocities."""
    system = body_in_space()
    moving = system.geometry.moving_observer(RIGID, parameters={"a": 0.3, "b": 0.2})
    assert system.seen_from(moving).verify(states=2).agree
    compare(system, moving, {"x": 0.2, "y": 0.4, "z": -0.1, "x'": 0.3, "y'": 0.1}, 1.5, 1e-10)


def test_V4_homogeneous_constraints_become_inhomogeneous() -> None:
    skate = ah.catalogue.skate()
    moving = skate.geometry.moving_observer({"x": "x + V*t"}, parameters={"V": 0.4})
    assert not moving.is_distinguished
    compare(skate, moving, {"x": 0, "y": 0, "theta": 0.3, "x'": 0.5, "theta'": 0.6}, 2.0, 1e-10)


def turntable() -> ah.System:
    return ah.System(
        name="ball on a turntable", group="SO3", coordinates=["x", "y"], kinetic=["k", "k", "k", "m", "m"],
        constraints=["x' - r*(R21*w1 + R22*w2 + R23*w3) = -W*y", "y' + r*(R11*w1 + R12*w2 + R13*w3) = W*x"],
        parameters={"k": 0.4 * 0.25, "m": 1.0, "r": 0.5, "W": 0.7},
    )  # fmt: skip


@pytest.mark.exhaustive
def test_V4_the_ball_on_a_rotating_table() -> None:
    """Example 3.2: inhomogeneous in the fixed frame, homogeneous in the table's, the same motion; it circles at 2W/7."""
    table = turntable()
    c, s = "cos(W*t/2)", "sin(W*t/2)"
    moving = table.geometry.moving_observer(
        {
            "x": "x*cos(W*t) - y*sin(W*t)", "y": "x*sin(W*t) + y*cos(W*t)",
            "q0": f"{c}*q0 - {s}*q3", "q1": f"{c}*q1 - {s}*q2", "q2": f"{c}*q2 + {s}*q1", "q3": f"{c}*q3 + {s}*q0",
        }
    )  # fmt: skip
    assert any(not is_zero(row.offset) for row in table.constraints)
    assert moving.is_distinguished
    start = {"q0": 1, "q1": 0, "q2": 0, "q3": 0, "x": 0.5, "y": 0.2, "w3": 0.4, "x'": 0.3, "y'": -0.1}
    compare(table, moving, start, 4.0, 1e-10)
    run = table.simulate({**start, "x'": 0.3, "y'": -0.1}, until=4)
    rate = 2 * 0.7 / 7
    assert run["x''"].values == pytest.approx(-rate * run["y'"].values, abs=1e-11)
    assert run["y''"].values == pytest.approx(rate * run["x'"].values, abs=1e-11)


def test_V4_a_frame_in_the_wrong_sense_is_not_distinguished() -> None:
    moving = turntable().geometry.moving_observer({"x": "x*cos(W*t) + y*sin(W*t)", "y": "y*cos(W*t) - x*sin(W*t)"})
    assert not moving.is_distinguished
