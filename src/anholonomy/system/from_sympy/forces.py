r"""Generalized forces of loads on points and frames.

.. math:: Q_i = \sum F\cdot\frac{\partial v}{\partial\dot q^i} + \sum M\cdot\frac{\partial\omega}{\partial\dot q^i}

The velocity $v$ of the point is the derivative of its position, with coordinates that were put back where it needs them:
the same that the kinetic energy has, so that what is left of $m a$ beside $Q$ is the reaction.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from anholonomy.refusals import IllPosedSystem
from anholonomy.symbolic.calculus import gradient
from anholonomy.symbolic.expressions import Expr, Symbol, symbol, zero
from anholonomy.system.from_sympy.energy import Bodies
from anholonomy.system.from_sympy.entrance import Entrance

__all__ = ["applied_forces", "motion_of"]


def applied_forces(
    loads: tuple[tuple[Any, Any], ...], bodies: Bodies, definitions: Mapping[Symbol, Expr]
) -> dict[str, Expr]:
    """The force along each coordinate, zeros left out; ``definitions`` says what the generalized speeds are."""
    names = [*(s.name for s in bodies.coordinates), *bodies.hidden]
    velocities = [symbol(f"{name}'") for name in names]
    total = [zero] * len(names)
    for place, vector in loads:
        for velocity, force in _pairs(place, vector, bodies):
            slopes = gradient(velocity.xreplace(definitions), velocities)
            total = [Q + force.xreplace(definitions) * slope for Q, slope in zip(total, slopes, strict=True)]
    return {name: Q for name, Q in zip(names, total, strict=True) if Q != 0}


def motion_of(place: Any, entrance: Entrance) -> Any:
    """SymPy's velocity of a point or angular velocity of a frame."""
    from sympy.physics.mechanics import Point, ReferenceFrame

    what = f"the load on {place}"
    if isinstance(place, Point):
        return entrance.velocity(place, what)
    if isinstance(place, ReferenceFrame):
        return entrance.turning(place, what)
    raise IllPosedSystem(f"{what} acts on a {type(place).__name__}; loads act on points and frames.")


def _pairs(place: Any, vector: Any, bodies: Bodies) -> list[tuple[Expr, Expr]]:
    """Components of the motion of the place, and of the load along them."""
    from sympy.physics.mechanics import ReferenceFrame

    entrance, what = bodies.entrance, f"the load on {place}"
    motion = motion_of(place, entrance)
    if isinstance(place, ReferenceFrame) or not (bodies.known or bodies.hidden):
        pairs = entrance.paired(motion, vector, what)
        return [(raw if (rate := bodies.rate(raw)) is None else rate, force) for raw, force in pairs]
    forces = entrance.components(vector, entrance.frame, what, load=True)
    values = entrance.components(motion, entrance.frame, what)
    pairs = []
    for axis, (raw, force) in enumerate(zip(values, forces, strict=True)):
        if force != 0:
            value = bodies.component(raw, axis, what)
            pairs.append((raw if value is None else value, force))
    return pairs
