"""The benchmark bicycle by `KanesMethod`, after the example that SymPy itself is tested with.

Track and turns of the wheels are ignorable and not introduced. Lean, steer and yaw are the coordinates; the pitch of the frame follows
from both wheels touching the ground, and is integrated with them.
"""

from __future__ import annotations

from math import acos, cos, hypot, pi, sin

import numpy as np
import sympy
from sympy.physics.mechanics import KanesMethod, Point, ReferenceFrame, RigidBody, dot, dynamicsymbols, inertia

__all__ = ["bicycle", "pushed", "values"]


def bicycle() -> KanesMethod:
    """Everything up to the mass matrix and the forcing."""
    yaw, lean, pitch, steer = dynamicsymbols("q1 q2 q4 q5")
    u = u1, u2, u3, u4, u5, u6 = dynamicsymbols("u1:7")
    p = {name: sympy.Symbol(name) for name in values()}
    N = ReferenceFrame("N")
    Y = N.orientnew("Y", "Axis", [yaw, N.z])
    R = Y.orientnew("R", "Axis", [lean, Y.x])
    frame = R.orientnew("Frame", "Axis", [pitch + p["htangle"], R.y])
    fork = frame.orientnew("Fork", "Axis", [steer, frame.x])
    level_frame, level_fork = (
        each.orientnew(f"Level{each.name}", "Axis", [-p["htangle"], each.y]) for each in (frame, fork)
    )
    rear, front = ReferenceFrame("WR"), ReferenceFrame("WF")
    touch = Point("rear contact")
    hub = touch.locatenew("rear hub", p["WRrad"] * R.z)
    head = hub.locatenew("head", p["framelength"] * frame.z)
    frame_mc = hub.locatenew("frame centre", -p["framecg1"] * frame.x + p["framecg3"] * frame.z)
    fork_mc = head.locatenew("fork centre", -p["forkcg1"] * fork.x + p["forkcg3"] * fork.z)
    front_hub = head.locatenew("front hub", p["forklength"] * fork.x + p["forkoffset"] * fork.z)
    front_touch = front_hub.locatenew("front contact", p["WFrad"] * (dot(fork.y, Y.z) * fork.y - Y.z).normalize())
    for moving, base, rate in (
        *((Y, N, u1 * Y.z), (R, Y, u2 * R.x), (rear, frame, u3 * frame.y), (frame, R, u4 * frame.y)),
        *((fork, frame, u5 * fork.x), (front, fork, u6 * fork.y)),
    ):
        moving.set_ang_vel(base, rate)
    touch.set_vel(N, 0)
    for point, other, body in (
        *((hub, touch, rear), (head, hub, frame), (frame_mc, hub, frame), (fork_mc, head, fork)),
        *((front_hub, head, fork), (front_touch, front_hub, front)),
    ):
        point.v2pt_theory(other, N, body)
    parts = (
        ("frame", frame_mc, frame, inertia(level_frame, *_moments(p, "Iframe"), 0, 0, p["Iframe31"])),
        ("fork", fork_mc, fork, inertia(level_fork, *_moments(p, "Ifork"), 0, 0, p["Ifork31"])),
        ("wr", hub, rear, inertia(frame, p["Iwr11"], p["Iwr22"], p["Iwr11"])),
        ("wf", front_hub, front, inertia(fork, p["Iwf11"], p["Iwf22"], p["Iwf11"])),
    )
    bodies = [RigidBody(name, centre, turned, p[f"m{name}"], (I, centre)) for name, centre, turned, I in parts]
    method = KanesMethod(
        N,
        q_ind=[yaw, lean, steer],
        q_dependent=[pitch],
        configuration_constraints=[front_touch.pos_from(touch) & Y.z],
        u_ind=[u2, u3, u5],
        u_dependent=[u1, u4, u6],
        velocity_constraints=[front_touch.vel(N) & axis for axis in (Y.x, Y.y, Y.z)],
        kd_eqs=[q.diff() - rate for q, rate in zip((yaw, lean, pitch, steer), (u[0], u[1], u[3], u[4]), strict=True)],
        constraint_solver="CRAMER",
    )
    method.kanes_equations(bodies, [(body.masscenter, -body.mass * p["g"] * Y.z) for body in bodies])
    _ = method.mass_matrix, method.forcing
    return method


def _moments(p: dict[str, sympy.Symbol], name: str) -> list[sympy.Symbol]:
    return [p[f"{name}{k}{k}"] for k in (1, 2, 3)]


def values() -> dict[str, float]:
    """The benchmark's numbers, turned into the lengths of the model; its z points down, so products of inertia change sign."""
    angle, trail, base, rear, front = pi / 2 - pi / 10, 0.08, 1.02, 0.3, 0.35
    rake = front * cos(angle) - trail * sin(angle)
    along = base * cos(angle) - (front - rear) * sin(angle)
    x, z = 0.3, 0.9 - rear
    back, up = base - 0.9, 0.7 - front
    far, aslant = hypot(up, back), (pi / 2 - angle) - acos(up / hypot(up, back))
    lengths = {
        "WFrad": front, "WRrad": rear, "htangle": angle, "forkoffset": rake, "forklength": along,
        "framelength": base * sin(angle) - (rake - (front - rear) * cos(angle)),
        "framecg1": z * sin(angle) - x * cos(angle), "framecg3": x * sin(angle) + z * cos(angle),
        "forkcg1": far * cos(aslant) - along, "forkcg3": rake + far * sin(aslant),
    }  # fmt: skip
    moments = {
        "Iwr11": 0.0603, "Iwr22": 0.12, "Iwf11": 0.1405, "Iwf22": 0.28,
        "Iframe11": 9.2, "Iframe22": 11.0, "Iframe33": 2.8, "Iframe31": -2.4,
        "Ifork11": 0.05892, "Ifork22": 0.06, "Ifork33": 0.00708, "Ifork31": 0.00756,
    }  # fmt: skip
    return lengths | moments | {"mframe": 85.0, "mfork": 4.0, "mwf": 3.0, "mwr": 2.0, "g": 9.81}


def pushed(method: KanesMethod, speed: float, leaning: float) -> np.ndarray:
    """The state upright and straight ahead at a ``speed``, ``leaning`` at a rate; the dependent speeds follow."""
    known = {sympy.Symbol(name): value for name, value in values().items()} | dict.fromkeys(method.q, 0.0)
    rows = np.array(method._k_nh.xreplace(known).evalf(), dtype=float)  # of the constraints on the speeds
    free = np.array([leaning, speed / 0.3, 0.0])
    return np.concatenate([np.zeros(len(method.q)), free, np.linalg.solve(rows[:, 3:], -rows[:, :3] @ free)])
