"""The systems by `KanesMethod`, with bodies, points and frames, as one of its users would write them.

The generalised speeds are the ones that suit the method best: along and across the leading axle, so that solving
for the dependent speeds divides by nothing that vanishes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import sympy
from sympy.physics.mechanics import KanesMethod, Point, ReferenceFrame, RigidBody, dynamicsymbols, inertia

__all__ = ["KANE", "disc", "sleigh", "trailer"]


def sleigh() -> KanesMethod:
    m, I, a = sympy.symbols("m I a")
    x, y, theta = q = dynamicsymbols("x y theta")
    along, turning, across = dynamicsymbols("u omega v")
    N, blade = ReferenceFrame("N"), Point("blade")
    B = N.orientnew("B", "Axis", (theta, N.z))
    B.set_ang_vel(N, turning * N.z)
    blade.set_vel(N, along * B.x + across * B.y)
    centre = blade.locatenew("centre", a * B.x)
    centre.v2pt_theory(blade, N, B)
    body = RigidBody("body", centre, B, m, (inertia(B, 0, 0, I), centre))
    kinematics = [*_planar(x, y, theta, along, across), theta.diff() - turning]
    return _equations(N, q, [along, turning], [across], kinematics, [across], [body])


def disc() -> KanesMethod:
    m, I, J, R, g = sympy.symbols("m I J R g")
    x, y, psi, theta, phi = q = dynamicsymbols("x y psi theta phi")
    vx, vy, turning, falling, rolling = u = dynamicsymbols("v_x v_y u_psi u_theta u_phi")
    N, origin = ReferenceFrame("N"), Point("O")
    heading = N.orientnew("H", "Axis", (psi, N.z))
    leaning = heading.orientnew("L", "Axis", (-theta, heading.x))
    wheel = leaning.orientnew("W", "Axis", (phi, leaning.y))
    heading.set_ang_vel(N, turning * N.z)
    leaning.set_ang_vel(heading, -falling * heading.x)
    wheel.set_ang_vel(leaning, rolling * leaning.y)
    origin.set_vel(N, 0)
    # The contact point travels with the disc without rolling, so the radius is fixed in the leaning frame.
    contact = origin.locatenew("contact", x * N.x + y * N.y)
    contact.set_vel(N, vx * N.x + vy * N.y)
    centre = contact.locatenew("centre", R * leaning.z)
    centre.v2pt_theory(contact, N, leaning)
    body = RigidBody("disc", centre, wheel, m, (inertia(leaning, J, I, J), centre))
    kinematics = [coordinate.diff() - speed for coordinate, speed in zip(q, u, strict=True)]
    locked = [vx - R * sympy.cos(psi) * rolling, vy - R * sympy.sin(psi) * rolling]
    return _equations(N, q, u[2:], u[:2], kinematics, locked, [body], [(centre, -m * g * N.z)])


def trailer(n: int) -> KanesMethod:
    m, J, d = sympy.symbols("m J d")
    x, y, along, across = dynamicsymbols("x y v w")
    headings = [dynamicsymbols(f"theta{i}") for i in range(n + 1)]
    turning = [dynamicsymbols(f"omega{i}") for i in range(n + 1)]
    N, axle = ReferenceFrame("N"), Point("A0")
    bodies, locked = [], []
    for i, (heading, omega) in enumerate(zip(headings, turning, strict=True)):
        B = N.orientnew(f"B{i}", "Axis", (heading, N.z))
        B.set_ang_vel(N, omega * N.z)
        if i == 0:
            axle.set_vel(N, along * B.x + across * B.y)
        else:
            ahead, axle = axle, axle.locatenew(f"A{i}", -d * B.x)
            axle.v2pt_theory(ahead, N, B)
        bodies.append(RigidBody(f"car{i}", axle, B, m, (inertia(B, 0, 0, J), axle)))
        locked.append(axle.vel(N).dot(B.y))
    kinematics = _planar(x, y, headings[0], along, across)
    kinematics += [heading.diff() - omega for heading, omega in zip(headings, turning, strict=True)]
    dependent = [across, *turning[1:]]
    return _equations(N, [x, y, *headings], [along, turning[0]], dependent, kinematics, locked, bodies)


def _planar(x: Any, y: Any, heading: Any, along: Any, across: Any) -> list[Any]:
    """The velocity of a point from its components along and across a heading."""
    c, s = sympy.cos(heading), sympy.sin(heading)
    return [x.diff() - (along * c - across * s), y.diff() - (along * s + across * c)]


def _equations(
    frame: ReferenceFrame,
    coordinates: Sequence[Any],
    speeds: Sequence[Any],
    dependent: Sequence[Any],
    kinematics: Sequence[Any],
    locked: Sequence[Any],
    bodies: Sequence[RigidBody],
    loads: Sequence[Any] = (),
) -> KanesMethod:
    """Everything up to the mass matrix and the forcing."""
    method = KanesMethod(
        frame,
        q_ind=list(coordinates),
        u_ind=list(speeds),
        kd_eqs=list(kinematics),
        u_dependent=list(dependent),
        velocity_constraints=list(locked),
    )
    method.kanes_equations(bodies, loads or None)
    _ = method.mass_matrix, method.forcing
    return method


KANE: dict[str, Callable[[], KanesMethod]] = {"sleigh": sleigh, "leaning disc": disc, "4-trailer": lambda: trailer(4)}
