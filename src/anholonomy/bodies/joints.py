r"""Joints: how a child may move in its parent.

.. math:: R' = R\,Q, \qquad w' = Q^{\mathsf T}(w + \varpi) , \qquad x' = x + R\,(a + d) - R'b

with the turn $Q$ and its rate $\varpi$, the point $a$ of the parent, the shift $d$ from there, and the point $b$ of the child.
Where all coordinates of a joint are 0, the axes of both bodies are parallel and the two points coincide.
"""

from __future__ import annotations

import abc
from collections.abc import Sequence
from typing import Any, final

from anholonomy.bodies.body import RigidBody
from anholonomy.bodies.parts import Part
from anholonomy.bodies.poses import Pose
from anholonomy.bodies.vectors import AXES, ORIGIN, add, cross, product, rotation, scalar, scaled, unit, vector
from anholonomy.geometry.groups import SO3, AbstractGroup
from anholonomy.language import check_name
from anholonomy.language.given import is_list
from anholonomy.refusals import IllPosedSystem
from anholonomy.symbolic.expressions import Expr, Vector, matrix_vector, symbol
from anholonomy.symbolic.zero import zero_test
from anholonomy.verdict import Verdict

__all__ = ["AbstractJoint", "Cylindrical", "Fixed", "Prismatic", "Revolute", "Spherical", "Universal"]


class AbstractJoint(Part):
    """The point ``own`` of a child at the point ``at`` of its parent. A new one is one new class with its pose."""

    parent: RigidBody | str
    child: RigidBody | str
    at: Vector
    own: Vector

    @property
    def coordinates(self) -> dict[str, str]:
        """The coordinates that it adds, with their kinds."""
        return {}

    @property
    def group(self) -> AbstractGroup | None:
        """The group of the child's attitude, where no angles serve everywhere."""
        return None

    @property
    def reference(self) -> Any:
        """A load names a joint by its coordinate."""
        return next(iter(self.coordinates)) if len(self.coordinates) == 1 else self.table

    @abc.abstractmethod
    def pose(self, parent: Pose) -> Pose:
        """The child's pose from the parent's."""

    @final
    def _connect(self, parent: Any, child: Any, at: Sequence[Any], own: Sequence[Any]) -> None:
        for body in (parent, child):
            if not isinstance(body, RigidBody | str):
                raise IllPosedSystem(
                    f"a joint connects bodies, and {body!r:.60} is none; give a RigidBody, or its name."
                )
        self.parent, self.child = parent, child
        self.at, self.own = vector(at, "the joint's place", "m"), vector(own, "the joint's place in the child", "m")

    @final
    def _called(self, given: str | None, word: str) -> str:
        """The name of a coordinate, by default after the child."""
        name = (
            given if given is not None else f"{self.child if isinstance(self.child, str) else self.child.name}_{word}"
        )
        check_name(name, "the joint's coordinate")
        return name


@final
class Revolute(AbstractJoint):
    """``child`` turns about ``axis`` at the point ``at`` of ``parent``, which is the point ``own`` of the child.

    The axis is the same in both at angle 0, when their axes are parallel. The angle is called ``angle``, by default
    after the child.
    """

    def __init__(
        self,
        parent: RigidBody | str,
        child: RigidBody | str,
        *,
        at: Sequence[Any] = ORIGIN,
        axis: Sequence[Any] = AXES[2],
        own: Sequence[Any] = ORIGIN,
        angle: str | None = None,
    ) -> None:
        self._connect(parent, child, at, own)
        self.axis, self.angle = unit(axis, "the joint's axis"), self._called(angle, "angle")

    @property
    def coordinates(self) -> dict[str, str]:
        return {self.angle: "angle"}

    def pose(self, parent: Pose) -> Pose:
        return parent.jointed(self.at, self.own, rotation(self.axis, symbol(self.angle)), _along(self.axis, self.angle))


@final
class Fixed(AbstractJoint):
    """``child`` is fastened at the point ``at`` of ``parent``, turned by the constant ``angle`` about ``axis``."""

    def __init__(
        self,
        parent: RigidBody | str,
        child: RigidBody | str,
        *,
        at: Sequence[Any] = ORIGIN,
        axis: Sequence[Any] = AXES[2],
        own: Sequence[Any] = ORIGIN,
        angle: Any = 0,
    ) -> None:
        self._connect(parent, child, at, own)
        self.axis = unit(axis, "the joint's axis")
        self.angle: Expr = scalar(angle, "the joint's angle", "")

    def pose(self, parent: Pose) -> Pose:
        return parent.jointed(self.at, self.own, rotation(self.axis, self.angle) if self.angle != 0 else AXES)


@final
class Prismatic(AbstractJoint):
    """``child`` slides along ``axis`` from the point ``at`` of ``parent`` and does not turn; ``distance`` is how far."""

    def __init__(
        self,
        parent: RigidBody | str,
        child: RigidBody | str,
        *,
        at: Sequence[Any] = ORIGIN,
        axis: Sequence[Any] = AXES[0],
        own: Sequence[Any] = ORIGIN,
        distance: str | None = None,
    ) -> None:
        self._connect(parent, child, at, own)
        self.axis, self.distance = unit(axis, "the joint's axis"), self._called(distance, "distance")

    @property
    def coordinates(self) -> dict[str, str]:
        return {self.distance: "length"}

    def pose(self, parent: Pose) -> Pose:
        place = add(self.at, scaled(symbol(self.distance), self.axis))
        return parent.jointed(place, self.own, AXES, drift=_along(self.axis, self.distance))


@final
class Cylindrical(AbstractJoint):
    """``child`` slides along ``axis`` and turns about it, independently."""

    def __init__(
        self,
        parent: RigidBody | str,
        child: RigidBody | str,
        *,
        at: Sequence[Any] = ORIGIN,
        axis: Sequence[Any] = AXES[2],
        own: Sequence[Any] = ORIGIN,
        angle: str | None = None,
        distance: str | None = None,
    ) -> None:
        self._connect(parent, child, at, own)
        self.axis = unit(axis, "the joint's axis")
        self.angle, self.distance = self._called(angle, "angle"), self._called(distance, "distance")

    @property
    def coordinates(self) -> dict[str, str]:
        return {self.angle: "angle", self.distance: "length"}

    def pose(self, parent: Pose) -> Pose:
        turn, place = rotation(self.axis, symbol(self.angle)), add(self.at, scaled(symbol(self.distance), self.axis))
        rate, drift = (_along(self.axis, name) for name in (self.angle, self.distance))
        return parent.jointed(place, self.own, turn, rate, drift=drift)


@final
class Universal(AbstractJoint):
    """Two angles: about the first of ``axes``, fixed in the parent, and about the second, fixed in the child.

    A cross connects the two, as in a cardan shaft. The angles are called ``angles``, by default after the child.
    """

    def __init__(
        self,
        parent: RigidBody | str,
        child: RigidBody | str,
        *,
        at: Sequence[Any] = ORIGIN,
        axes: Sequence[Sequence[Any]] = AXES[:2],
        own: Sequence[Any] = ORIGIN,
        angles: Sequence[str] | None = None,
    ) -> None:
        self._connect(parent, child, at, own)
        if not is_list(axes) or len(axes) != 2:
            raise IllPosedSystem(f"the axes of a universal joint are {axes!r:.60}; give a list of two directions.")
        self.axes = tuple(unit(axis, "an axis of the joint") for axis in axes)
        if all(zero_test(entry) is Verdict.PROVEN for entry in cross(*self.axes)):
            raise IllPosedSystem("the two axes of a universal joint are parallel; give two different directions.")
        given: Sequence[str | None] = (None, None) if angles is None else angles
        if not is_list(given) or len(given) != 2:
            raise IllPosedSystem(f"the angles of a universal joint are {angles!r:.60}; give a list of two names.")
        self.angles = tuple(self._called(name, f"angle_{k}") for k, name in enumerate(given, 1))

    @property
    def coordinates(self) -> dict[str, str]:
        return dict.fromkeys(self.angles, "angle")

    def pose(self, parent: Pose) -> Pose:
        first, second = (rotation(axis, symbol(q)) for axis, q in zip(self.axes, self.angles, strict=True))
        one, two = (_along(axis, q) for axis, q in zip(self.axes, self.angles, strict=True))
        return parent.jointed(self.at, self.own, product(first, second), add(one, matrix_vector(first, two)))


@final
class Spherical(AbstractJoint):
    """``child`` turns freely about the point ``at`` of ``parent``: a ball in a socket.

    Its attitude in the parent is a quaternion and its angular velocity there is along its own axes: ``arm_q0`` … ``arm_q3``
    and ``arm_w1`` … ``arm_w3`` for a child called arm, or with another ``prefix``.
    """

    def __init__(
        self,
        parent: RigidBody | str,
        child: RigidBody | str,
        *,
        at: Sequence[Any] = ORIGIN,
        own: Sequence[Any] = ORIGIN,
        prefix: str | None = None,
    ) -> None:
        self._connect(parent, child, at, own)
        self.attitude = SO3(self._called(prefix, ""))

    @property
    def group(self) -> AbstractGroup:
        return self.attitude

    def pose(self, parent: Pose) -> Pose:
        return parent.jointed(self.at, self.own, self.attitude.matrix, spin=self.attitude.speeds)


def _along(axis: Vector, coordinate: str) -> Vector:
    """The rate of a coordinate along an axis."""
    return scaled(symbol(f"{coordinate}'"), axis)
