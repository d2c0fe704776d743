r"""Joints: a child turns about an axis of its parent, $R' = R\,Q(n, \theta)$, or does not move in it, $\theta = 0$."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, final

from anholonomy.bodies.body import RigidBody
from anholonomy.bodies.poses import Pose
from anholonomy.bodies.vectors import AXES, NOWHERE, scalar, unit, vector
from anholonomy.language import check_name
from anholonomy.symbolic.expressions import symbol, zero

__all__ = ["Fixed", "Joint", "Revolute"]


@final
class Revolute:
    """``child`` turns about ``axis`` at the point ``at`` of ``parent``, which is the point ``own`` of the child.

    The axis is the same in both at angle 0, when their axes are parallel. The angle is called ``angle``, by default
    after the child.
    """

    def __init__(
        self,
        parent: RigidBody | str,
        child: RigidBody | str,
        *,
        at: Sequence[Any] = NOWHERE,
        axis: Sequence[Any] = AXES[2],
        own: Sequence[Any] = NOWHERE,
        angle: str | None = None,
    ) -> None:
        self.parent, self.child = parent, child
        self.at, self.own = vector(at, "the joint's place"), vector(own, "the joint's place in the child")
        self.axis = unit(axis, "the joint's axis")
        self.angle: str = angle or f"{child if isinstance(child, str) else child.name}_angle"
        check_name(self.angle, "the joint's angle")

    @property
    def coordinates(self) -> dict[str, str]:
        return {self.angle: "angle"}

    def pose(self, parent: Pose) -> Pose:
        """The child's pose from the parent's."""
        return parent.turned(self.axis, self.at, self.own, symbol(self.angle), symbol(f"{self.angle}'"))


@final
class Fixed:
    """``child`` is fastened at the point ``at`` of ``parent``, turned by the constant ``angle`` about ``axis``."""

    def __init__(
        self,
        parent: RigidBody | str,
        child: RigidBody | str,
        *,
        at: Sequence[Any] = NOWHERE,
        axis: Sequence[Any] = AXES[2],
        own: Sequence[Any] = NOWHERE,
        angle: Any = 0,
    ) -> None:
        self.parent, self.child = parent, child
        self.at, self.own = vector(at, "the joint's place"), vector(own, "the joint's place in the child")
        self.axis, self.angle = unit(axis, "the joint's axis"), scalar(angle, "the joint's angle")

    @property
    def coordinates(self) -> dict[str, str]:
        return {}

    def pose(self, parent: Pose) -> Pose:
        """The child's pose from the parent's."""
        return parent.turned(self.axis, self.at, self.own, self.angle, zero)


Joint = Revolute | Fixed
