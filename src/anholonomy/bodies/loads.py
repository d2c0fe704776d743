r"""Forces and torques on bodies as generalized forces.

.. math:: Q_a = F\cdot\frac{\partial \dot x_P}{\partial w^a}, \qquad Q_a = M\cdot\frac{\partial\omega}{\partial w^a}

A torque of a motor at a joint is simply the entry of ``forces`` for the joint's angle.
"""

from __future__ import annotations

import abc
from collections.abc import Sequence
from typing import Any, final

from anholonomy.bodies.body import RigidBody
from anholonomy.bodies.poses import Pose
from anholonomy.bodies.vectors import NOWHERE, vector
from anholonomy.refusals import IllPosedSystem
from anholonomy.symbolic.calculus import jacobian
from anholonomy.symbolic.expressions import Symbol, Vector, dot

__all__ = ["AbstractLoad", "Force", "Torque"]


class AbstractLoad(abc.ABC):
    """Something that acts on a body."""

    body: RigidBody | str

    @abc.abstractmethod
    def components(self, pose: Pose, velocities: Sequence[Symbol]) -> Vector:
        """The generalized force, one component for each velocity."""


@final
class Force(AbstractLoad):
    """A force on the point ``at`` of a body; components in ``"space"`` or along the axes of the ``"body"``."""

    def __init__(
        self, body: RigidBody | str, force: Sequence[Any], *, at: Sequence[Any] = NOWHERE, axes: str = "space"
    ) -> None:
        self.body, self.at = body, vector(at, "the force's place")
        self.force, self.turns = vector(force, "the force"), _turns(axes)

    def components(self, pose: Pose, velocities: Sequence[Symbol]) -> Vector:
        force = pose.direction(self.force) if self.turns else self.force
        rows = jacobian(pose.velocity_at(self.at), velocities)
        return tuple(dot(force, column) for column in zip(*rows, strict=True))


@final
class Torque(AbstractLoad):
    """A torque on a body; components in ``"space"`` or along the axes of the ``"body"``."""

    def __init__(self, body: RigidBody | str, torque: Sequence[Any], *, axes: str = "body") -> None:
        self.body, self.torque, self.turns = body, vector(torque, "the torque"), _turns(axes)

    def components(self, pose: Pose, velocities: Sequence[Symbol]) -> Vector:
        rows = jacobian(pose.rate if self.turns else pose.spin, velocities)
        return tuple(dot(self.torque, column) for column in zip(*rows, strict=True))


def _turns(axes: str) -> bool:
    if axes not in ("space", "body"):
        raise IllPosedSystem(f"a load has axes={axes!r}; say 'space' or 'body'.")
    return axes == "body"
