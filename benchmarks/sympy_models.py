"""The same systems in `sympy.physics.mechanics`, as one of its users would write them.

The generalised speeds are the ones that suit Kane's method best: along and across the leading axle, so that
solving for the dependent speeds divides by nothing that vanishes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import sympy
from sympy.physics.mechanics import (
    KanesMethod,
    LagrangesMethod,
    Point,
    ReferenceFrame,
    RigidBody,
    dynamicsymbols,
    inertia,
)

__all__ = ["MODELS", "Mechanism", "disc", "kane", "lagrange", "sleigh", "trailer"]


@dataclass(frozen=True)
class Mechanism:
    """A system before a method is applied.

    Kane's method reads bodies, loads, kinematics and the ``locked`` speeds, Lagrange's the Lagrangian and the
    constraints on its velocities, ``slip``, each in the variables that suit it.
    """

    frame: ReferenceFrame
    bodies: Sequence[RigidBody]
    loads: Sequence[tuple[Point, Any]]
    lagrangian: Any
    parameters: Sequence[sympy.Symbol]
    coordinates: Sequence[Any]
    speeds: Sequence[Any]
    dependent: Sequence[Any]
    kinematics: Sequence[Any]
    locked: Sequence[Any]
    slip: Sequence[Any]


def sleigh() -> Mechanism:
    m, I, a = sympy.symbols("m I a", positive=True)
    x, y, theta = q = dynamicsymbols("x y theta")
    along, turning, across = dynamicsymbols("u omega v")
    N, blade = ReferenceFrame("N"), Point("blade")
    B = N.orientnew("B", "Axis", (theta, N.z))
    B.set_ang_vel(N, turning * N.z)
    blade.set_vel(N, along * B.x + across * B.y)
    centre = blade.locatenew("centre", a * B.x)
    centre.v2pt_theory(blade, N, B)
    body = RigidBody("body", centre, B, m, (inertia(B, 0, 0, I), centre))
    planar = _planar(x, y, theta, along, across)
    kinetic = _kinetic(m, x + a * sympy.cos(theta), y + a * sympy.sin(theta)) + I * theta.diff() ** 2 / 2
    return Mechanism(
        *(N, [body], [], kinetic, [m, I, a], q, [along, turning], [across]),
        kinematics=[*planar, theta.diff() - turning],
        locked=[across],
        slip=[-sympy.sin(theta) * x.diff() + sympy.cos(theta) * y.diff()],
    )


def disc() -> Mechanism:
    m, I, J, R, g = parameters = sympy.symbols("m I J R g", positive=True)
    x, y, psi, theta, phi = q = dynamicsymbols("x y psi theta phi")
    vx, vy, turning, falling, rolling = dynamicsymbols("v_x v_y u_psi u_theta u_phi")
    N, origin = ReferenceFrame("N"), Point("O")
    heading = N.orientnew("H", "Axis", (psi, N.z))
    leaning = heading.orientnew("L", "Axis", (-theta, heading.x))
    wheel = leaning.orientnew("W", "Axis", (phi, leaning.y))
    heading.set_ang_vel(N, turning * N.z)
    leaning.set_ang_vel(heading, -falling * heading.x)
    wheel.set_ang_vel(leaning, rolling * leaning.y)
    origin.set_vel(N, 0)
    # The contact point travels with the disc without turning, so the radius is fixed in the leaning frame.
    contact = origin.locatenew("contact", x * N.x + y * N.y)
    contact.set_vel(N, vx * N.x + vy * N.y)
    centre = contact.locatenew("centre", R * leaning.z)
    centre.v2pt_theory(contact, N, leaning)
    body = RigidBody("disc", centre, wheel, m, (inertia(leaning, J, I, J), centre))
    height, side = R * sympy.cos(theta), R * sympy.sin(theta)
    kinetic = _kinetic(m, x - side * sympy.sin(psi), y + side * sympy.cos(psi), height)
    kinetic += J * (theta.diff() ** 2 + (psi.diff() * sympy.cos(theta)) ** 2) / 2
    kinetic += I * (phi.diff() - psi.diff() * sympy.sin(theta)) ** 2 / 2
    advance = [R * sympy.cos(psi), R * sympy.sin(psi)]
    speeds = [turning, falling, rolling]
    return Mechanism(
        *(N, [body], [(centre, -m * g * N.z)], kinetic - m * g * height, parameters, q, speeds, [vx, vy]),
        kinematics=[c.diff() - u for c, u in zip(q, [vx, vy, *speeds], strict=True)],
        locked=[vx - advance[0] * rolling, vy - advance[1] * rolling],
        slip=[x.diff() - advance[0] * phi.diff(), y.diff() - advance[1] * phi.diff()],
    )


def trailer(n: int) -> Mechanism:
    m, J, d = parameters = sympy.symbols("m J d", positive=True)
    x, y = dynamicsymbols("x y")
    headings = [dynamicsymbols(f"theta{i}") for i in range(n + 1)]
    along, across = dynamicsymbols("v w")
    turning = [dynamicsymbols(f"omega{i}") for i in range(n + 1)]
    N, axle = ReferenceFrame("N"), Point("A0")
    bodies, locked, slip = [], [], []
    kinetic, axle_x, axle_y = 0, x, y
    for i, (heading, omega) in enumerate(zip(headings, turning, strict=True)):
        B = N.orientnew(f"B{i}", "Axis", (heading, N.z))
        B.set_ang_vel(N, omega * N.z)
        if i == 0:
            axle.set_vel(N, along * B.x + across * B.y)
        else:
            ahead, axle = axle, axle.locatenew(f"A{i}", -d * B.x)
            axle.v2pt_theory(ahead, N, B)
            axle_x, axle_y = axle_x - d * sympy.cos(heading), axle_y - d * sympy.sin(heading)
        kinetic += _kinetic(m, axle_x, axle_y) + J * heading.diff() ** 2 / 2
        bodies.append(RigidBody(f"car{i}", axle, B, m, (inertia(B, 0, 0, J), axle)))
        locked.append(axle.vel(N).dot(B.y))
        pulled = sum(d * sympy.cos(heading - other) * other.diff() for other in headings[1 : i + 1])
        slip.append(-sympy.sin(heading) * x.diff() + sympy.cos(heading) * y.diff() - pulled)
    kinematics = _planar(x, y, headings[0], along, across)
    kinematics += [heading.diff() - omega for heading, omega in zip(headings, turning, strict=True)]
    q, speeds, dependent = [x, y, *headings], [along, turning[0]], [across, *turning[1:]]
    return Mechanism(N, bodies, [], kinetic, parameters, q, speeds, dependent, kinematics, locked, slip)


def _planar(x: Any, y: Any, heading: Any, along: Any, across: Any) -> list[Any]:
    """The velocity of a point from its components along and across a heading."""
    c, s = sympy.cos(heading), sympy.sin(heading)
    return [x.diff() - (along * c - across * s), y.diff() - (along * s + across * c)]


def _kinetic(mass: Any, *position: Any) -> Any:
    return mass * sum(component.diff() ** 2 for component in position) / 2


def kane(made: Mechanism) -> KanesMethod:
    """Kane's equations, up to the mass matrix and the forcing."""
    method = KanesMethod(
        made.frame,
        q_ind=list(made.coordinates),
        u_ind=list(made.speeds),
        kd_eqs=list(made.kinematics),
        u_dependent=list(made.dependent),
        velocity_constraints=list(made.locked),
    )
    method.kanes_equations(made.bodies, made.loads)
    _ = method.mass_matrix, method.forcing
    return method


def lagrange(made: Mechanism) -> LagrangesMethod:
    """Lagrange's equations with multipliers, up to the mass matrix and the forcing."""
    method = LagrangesMethod(made.lagrangian, list(made.coordinates), nonhol_coneqs=list(made.slip))
    method.form_lagranges_equations()
    _ = method.mass_matrix, method.forcing
    return method


MODELS: dict[str, Callable[[], Mechanism]] = {"sleigh": sleigh, "leaning disc": disc, "4-trailer": lambda: trailer(4)}
