r"""Rolling, sliding and knife edges as constraints.

.. math:: g = 0, \qquad t_i\cdot\left(v + R(w\times\rho) - u\right) = 0, \qquad n\cdot(\omega - \Omega) = 0 \ \text{(no twist)}

$\rho$ leads from the body's origin to the point of contact, $u$ is the support's velocity there. Along the motion
$\dot g = n\cdot(v + R(w\times\rho) - u)$ because $\rho$ moves along the surface; so the multiplier of $g$ is the normal
force, positive when it pushes.

On a plane, and for a sphere on most supports, the point of contact is a function of the pose. Elsewhere it gets
coordinates $p$ of its own, without mass, and

.. math:: g = F(p), \qquad x + R\,\frac{\partial h}{\partial u}\left(-R^{\mathsf T}n(p)\right) = p :

$p$ lies on the support, and there the body has the opposite normal. Nothing pushes a massless point; so the multipliers
of the second equation add up to the normal force $\lambda_g\,n$, where body and support are not curved alike.

A knife edge at the point $a$ with the direction $e$ and the upright $s$ of the body lets it move along $e$ only:
$(s\times e)\cdot(R^{\mathsf T}v + w\times a) = 0$.
"""

from __future__ import annotations

import abc
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

from anholonomy.algebra.expressions import Expr, Vector, dot, symbol, zero
from anholonomy.algebra.zero_test import zero_test
from anholonomy.base.errors import DeclarationError, quoted
from anholonomy.base.verdict import Verdict
from anholonomy.system.bodies.body import Pose, RigidBody
from anholonomy.system.bodies.part import Part
from anholonomy.system.bodies.shapes import AbstractSupport, AbstractSurface, Plane, Touch
from anholonomy.system.bodies.vectors import AXES, ORIGIN, add, cross, scaled, unit, vector

__all__ = ["AbstractContact", "HEIGHT", "KnifeEdge", "Rolling", "Sliding"]

HEIGHT = "height"
"""The label of the constraint whose multiplier is a normal force."""


class AbstractContact(Part):
    """Something that restricts a body. A new one is one new class with its constraints."""

    body: RigidBody | str

    def coordinates(self, prefix: str) -> dict[str, str]:
        """What it adds to the coordinates, with their kinds; ``prefix`` tells it from other contacts."""
        return {}

    @abc.abstractmethod
    def constraints(self, pose: Pose, prefix: str = "") -> dict[str, Expr]:
        """By label, what must vanish."""


class _Touching(AbstractContact):
    """A surface of the body and a support are in touch."""

    surface: AbstractSurface
    on: AbstractSupport

    @final
    def coordinates(self, prefix: str) -> dict[str, str]:
        if self._is_closed:
            return {}
        own = prefix.replace(" ", "_")
        facing = {} if self.surface.is_sphere else {f"{own}facing_{k}": "" for k in (1, 2, 3)}
        return {f"{own}contact_{axis}": "length" for axis in "xyz"} | facing

    @final
    def place(self, pose: Pose, prefix: str = "") -> Vector:
        """The point of contact, in space."""
        return add(self._touch(pose, prefix).place, self.on.displacement)

    @property
    @final
    def _is_closed(self) -> bool:
        """Whether the point of contact is a function of the pose."""
        return isinstance(self.on, Plane) or (self.surface.is_sphere and self.on.takes_spheres)

    @final
    def _touch(self, pose: Pose, prefix: str) -> _Meeting:
        surface, on = self.surface, self.on
        centre = add(pose.point(surface.at), scaled(-1, on.displacement))
        if not self._is_closed:
            names = tuple(symbol(name) for name in self.coordinates(prefix))
            return _sought(pose, surface, on, centre, place=names[:3], facing=names[3:])
        reach, arm = surface.round, surface.at
        if not surface.is_sphere:
            assert isinstance(on, Plane)  # the others seek
            gamma = pose.seen(on.normal)
            reach, arm = reach + surface.reach(gamma), add(arm, surface.core_point(gamma))
        touch = on.touch(centre, reach)
        place = add(centre, pose.direction(add(arm, scaled(-1, surface.at))), scaled(-surface.round, touch.normal))
        return _Meeting({HEIGHT: touch.gap}, touch.normal, _tangents(touch, surface, pose), arm, place)


@final
class Rolling(_Touching):
    """A body rolls with its surface on a support without slipping; with ``twist="none"`` it does not pivot either.

    Where the point of contact is no function of the pose, it has the coordinates ``contact_x``, ``contact_y`` and
    ``contact_z``, from the support's origin, and ``facing_1`` … ``facing_3`` are the support's normal in the body's axes.
    """

    def __init__(
        self, body: RigidBody | str, *, surface: AbstractSurface, on: AbstractSupport, twist: str = "free"
    ) -> None:
        if not isinstance(twist, str) or twist not in ("free", "none"):
            raise DeclarationError(f"a rolling contact has twist={quoted(twist)}; say 'free' or 'none'.")
        _refuse_strangers(surface, on)
        self.body, self.surface, self.on, self.twist = body, surface, on, twist

    def constraints(self, pose: Pose, prefix: str = "") -> dict[str, Expr]:
        here = self._touch(pose, prefix)
        below = scaled(-self.surface.round, here.normal)
        slip = add(pose.velocity_at(here.arm), cross(pose.spin, below), scaled(-1, self.on.velocity(here.place)))
        rows = here.rows | {f"slip {k}": dot(t, slip) for k, t in enumerate(here.tangents, 1)}
        if self.twist == "none":
            rows["twist"] = dot(here.normal, add(pose.spin, scaled(-1, self.on.rotation)))
        return rows


@final
class Sliding(_Touching):
    """A body slides with its surface on a support without friction."""

    def __init__(self, body: RigidBody | str, *, surface: AbstractSurface, on: AbstractSupport) -> None:
        _refuse_strangers(surface, on)
        self.body, self.surface, self.on = body, surface, on

    def constraints(self, pose: Pose, prefix: str = "") -> dict[str, Expr]:
        return self._touch(pose, prefix).rows


@final
class KnifeEdge(AbstractContact):
    """A blade, skate or castor-free wheel: the point ``at`` of the body moves along the body's direction ``along`` only.

    ``up`` is the direction of the body that the blade stands in; nothing is said about the velocity along it.
    """

    def __init__(
        self,
        body: RigidBody | str,
        *,
        at: Sequence[Any] = ORIGIN,
        along: Sequence[Any] = AXES[0],
        up: Sequence[Any] = AXES[2],
    ) -> None:
        self.body = body
        self.at, self.along = vector(at, "the knife edge's place", "m"), unit(along, "the knife edge's direction")
        self.across = unit(cross(unit(up, "the knife edge's upright"), self.along), "the knife edge's side")

    def constraints(self, pose: Pose, prefix: str = "") -> dict[str, Expr]:
        sideways = dot(pose.direction(self.across), pose.velocity) + dot(self.across, cross(pose.rate, self.at))
        return {"edge": sideways}


@final
@dataclass(frozen=True)
class _Meeting:
    """Where two surfaces touch: what must vanish for that, the normal and tangents, and the point.

    ``arm`` leads to it from the body's origin in the body's axes, the rounding apart; ``place`` from the support's origin.
    """

    rows: dict[str, Expr]
    normal: Vector
    tangents: tuple[Vector, Vector]
    arm: Vector
    place: Vector


def _sought(
    pose: Pose, surface: AbstractSurface, on: AbstractSupport, centre: Vector, place: Vector, facing: Vector
) -> _Meeting:
    """The contact at a point with coordinates of its own; a sphere faces nowhere."""
    here = on.touch(place, zero)
    core = surface.core_point(facing) if facing else ORIGIN
    # Beside the support the normal may have another length, and that must not move the contact along it.
    below = scaled(-surface.round, unit(here.normal, "the normal")) if surface.round != 0 else ORIGIN
    apart = add(centre, pose.direction(core), below, scaled(-1, place))
    rows = {HEIGHT: here.gap} | {f"contact {axis}": entry for axis, entry in zip("xyz", apart, strict=True)}
    if facing:
        seen = zip(pose.seen(here.normal), facing, strict=True)
        rows |= {f"facing {k}": entry - u for k, (entry, u) in enumerate(seen, 1)}
    return _Meeting(rows, here.normal, here.tangents, add(surface.at, core), place)


def _tangents(touch: Touch, surface: AbstractSurface, pose: Pose) -> tuple[Vector, Vector]:
    """Along and across an upright wheel, because wheels on one axle say the same across only; otherwise the support's."""
    if surface.axis is None:
        return touch.tangents
    across = pose.direction(surface.axis)
    upright = zero_test(dot(touch.normal, across)) is Verdict.PROVEN
    return (cross(across, touch.normal), across) if upright else touch.tangents


def _refuse_strangers(surface: object, on: object) -> None:
    if not isinstance(surface, AbstractSurface):
        raise DeclarationError(f"the surface of a contact is {surface!r}; give one such as Sphere('r') or Disc('r').")
    if not isinstance(on, AbstractSupport):
        raise DeclarationError(f"a contact is on {on!r}; give a support such as Plane() or Bowl('R').")
    if not surface.is_sphere and not on.takes_points:
        raise DeclarationError(
            f"a {type(surface).__name__} on a {type(on).__name__} has no point of contact, because that is where a sphere's "
            "centre moves; give the surface itself as a LevelSurface."
        )
