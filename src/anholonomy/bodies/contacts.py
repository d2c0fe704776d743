r"""Contacts and blades as constraints.

.. math:: g = 0, \qquad t_i\cdot\left(v + R(w\times\rho) - u\right) = 0, \qquad n\cdot(\omega - \Omega) = 0 \ \text{(no twist)}

$\rho$ leads from the body's origin to the point of contact, $u$ is the support's velocity there. Along the motion
$\dot g = n\cdot(v + R(w\times\rho) - u)$ because $\rho$ moves along the surface; so the multiplier of $g$ is the normal
force, positive when it pushes. A knife edge at the point $a$ with the direction $e$ and the upright $s$ of the body lets it
move along $e$ only: $(s\times e)\cdot(R^{\mathsf T}v + w\times a) = 0$.
"""

from __future__ import annotations

import abc
from collections.abc import Sequence
from typing import Any, final

from anholonomy.bodies.body import RigidBody
from anholonomy.bodies.poses import Pose
from anholonomy.bodies.supports import AbstractSupport, Plane
from anholonomy.bodies.surfaces import AbstractSurface
from anholonomy.bodies.vectors import AXES, NOWHERE, add, cross, scaled, unit, vector
from anholonomy.refusals import IllPosedSystem
from anholonomy.symbolic.expressions import Expr, dot

__all__ = ["AbstractContact", "HEIGHT", "KnifeEdge", "Rolling", "Sliding"]

HEIGHT = "height"
"""The label of the constraint whose multiplier is a normal force."""


class AbstractContact(abc.ABC):
    """Something that restricts a body. A new one is one new class with its constraints."""

    body: RigidBody | str

    @abc.abstractmethod
    def constraints(self, pose: Pose) -> dict[str, Expr]:
        """By label, what must vanish."""


@final
class Rolling(AbstractContact):
    """A body rolls with its surface on a support without slipping; with ``twist="none"`` it does not pivot either.

    A sphere rolls on every support, any other convex surface on planes.
    """

    def __init__(
        self, body: RigidBody | str, *, surface: AbstractSurface, on: AbstractSupport, twist: str = "free"
    ) -> None:
        if twist not in ("free", "none"):
            raise IllPosedSystem(f"a rolling contact has twist={twist!r}; say 'free' or 'none'.")
        _refuse_strangers(surface, on)
        self.body, self.surface, self.on, self.twist = body, surface, on, twist

    def constraints(self, pose: Pose) -> dict[str, Expr]:
        return _touching(pose, self.surface, self.on, grips=True, twists=self.twist == "free")


@final
class Sliding(AbstractContact):
    """A body slides with its surface on a support without friction."""

    def __init__(self, body: RigidBody | str, *, surface: AbstractSurface, on: AbstractSupport) -> None:
        _refuse_strangers(surface, on)
        self.body, self.surface, self.on = body, surface, on

    def constraints(self, pose: Pose) -> dict[str, Expr]:
        return _touching(pose, self.surface, self.on, grips=False, twists=True)


@final
class KnifeEdge(AbstractContact):
    """A blade, skate or castor-free wheel: the point ``at`` of the body moves along the body's direction ``along`` only.

    ``up`` is the direction of the body that the blade stands in; nothing is said about the velocity along it.
    """

    def __init__(
        self,
        body: RigidBody | str,
        *,
        at: Sequence[Any] = NOWHERE,
        along: Sequence[Any] = AXES[0],
        up: Sequence[Any] = AXES[2],
    ) -> None:
        self.body = body
        self.at, self.along = vector(at, "the knife edge's place"), unit(along, "the knife edge's direction")
        self.across = unit(cross(unit(up, "the knife edge's upright"), self.along), "the knife edge's side")

    def constraints(self, pose: Pose) -> dict[str, Expr]:
        sideways = dot(pose.direction(self.across), pose.velocity) + dot(self.across, cross(pose.rate, self.at))
        return {"edge": sideways}


def _touching(pose: Pose, surface: AbstractSurface, on: AbstractSupport, grips: bool, twists: bool) -> dict[str, Expr]:
    centre = add(pose.point(surface.at), scaled(-1, on.displacement))
    reach, arm = surface.round, surface.at
    if not surface.is_sphere:
        assert isinstance(on, Plane)  # others were refused
        gamma = pose.seen(on.normal)
        reach, arm = reach + surface.reach(gamma), add(arm, surface.core_point(gamma))
    touch = on.touch(centre, reach)
    rows = {HEIGHT: touch.gap}
    if grips:
        below = scaled(-surface.round, touch.normal)
        point = add(centre, pose.direction(add(arm, scaled(-1, surface.at))), below)
        slip = add(pose.velocity_at(arm), cross(pose.spin, below), scaled(-1, on.velocity(point)))
        rows |= {f"slip {k}": dot(t, slip) for k, t in enumerate(touch.tangents, 1)}
    if not twists:
        rows["twist"] = dot(touch.normal, add(pose.spin, scaled(-1, on.rotation)))
    return rows


def _refuse_strangers(surface: object, on: object) -> None:
    if not isinstance(surface, AbstractSurface):
        raise IllPosedSystem(f"the surface of a contact is {surface!r}; give one such as Sphere('r') or Disc('r').")
    if not isinstance(on, AbstractSupport):
        raise IllPosedSystem(f"a contact is on {on!r}; give a support such as Plane() or Bowl('R').")
    if not surface.is_sphere and not isinstance(on, Plane):
        raise IllPosedSystem(
            f"a {type(surface).__name__} on a {type(on).__name__} is not covered, because the point of contact has no closed "
            "form; use a Sphere, or a Plane."
        )
