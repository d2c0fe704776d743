"""The systems by `LagrangesMethod`: a Lagrangian, and multipliers for the constraints on velocities."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from sympy import cos, sin, symbols
from sympy.physics.mechanics import LagrangesMethod, dynamicsymbols

__all__ = ["LAGRANGE", "disc", "sleigh", "trailer"]


def sleigh() -> LagrangesMethod:
    m, I, a = symbols("m I a")
    x, y, theta = q = dynamicsymbols("x y theta")
    kinetic = _kinetic(m, x + a * cos(theta), y + a * sin(theta)) + I * theta.diff() ** 2 / 2
    return _equations(kinetic, q, [-sin(theta) * x.diff() + cos(theta) * y.diff()])


def disc() -> LagrangesMethod:
    m, I, J, R, g = symbols("m I J R g")
    x, y, psi, theta, phi = q = dynamicsymbols("x y psi theta phi")
    kinetic = _kinetic(m, x - R * sin(theta) * sin(psi), y + R * sin(theta) * cos(psi), R * cos(theta))
    kinetic += J * (theta.diff() ** 2 + (psi.diff() * cos(theta)) ** 2) / 2
    kinetic += I * (phi.diff() - psi.diff() * sin(theta)) ** 2 / 2
    rolling = [x.diff() - R * cos(psi) * phi.diff(), y.diff() - R * sin(psi) * phi.diff()]
    return _equations(kinetic - m * g * R * cos(theta), q, rolling)


def trailer(n: int) -> LagrangesMethod:
    m, J, d = symbols("m J d")
    x, y = dynamicsymbols("x y")
    headings = [dynamicsymbols(f"theta{i}") for i in range(n + 1)]
    kinetic, slip, axle_x, axle_y = 0, [], x, y
    for i, heading in enumerate(headings):
        if i:
            axle_x, axle_y = axle_x - d * cos(heading), axle_y - d * sin(heading)
        kinetic += _kinetic(m, axle_x, axle_y) + J * heading.diff() ** 2 / 2
        pulled = sum(d * cos(heading - other) * other.diff() for other in headings[1 : i + 1])
        slip.append(-sin(heading) * x.diff() + cos(heading) * y.diff() - pulled)
    return _equations(kinetic, [x, y, *headings], slip)


def _kinetic(mass: Any, *position: Any) -> Any:
    return mass * sum(component.diff(dynamicsymbols._t) ** 2 for component in position) / 2


def _equations(lagrangian: Any, coordinates: Sequence[Any], constraints: Sequence[Any]) -> LagrangesMethod:
    """Everything up to the mass matrix and the forcing."""
    method = LagrangesMethod(lagrangian, list(coordinates), nonhol_coneqs=list(constraints))
    method.form_lagranges_equations()
    _ = method.mass_matrix_full, method.forcing_full
    return method


LAGRANGE: dict[str, Callable[[], LagrangesMethod]] = {
    "sleigh": sleigh,
    "leaning disc": disc,
    "4-trailer": lambda: trailer(4),
}
