r"""Joints, and the tree of bodies that they make: all poses and the coordinates they take.

.. math:: R' = R\,Q, \qquad w' = Q^{\mathsf T}(w + \varpi) , \qquad x' = x + R\,(a + d) - R'b

with the turn $Q$ of a child in its parent and its rate $\varpi$, the point $a$ of the parent, the shift $d$ from there, and the point $b$ of the child.
Where all coordinates of a joint are 0, the axes of both bodies are parallel and the two points coincide.
"""

from __future__ import annotations

import abc
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from operator import mul
from typing import Any, final

from anholonomy.algebra.expressions import Expr, Symbol, Vector, matrix_vector, symbol
from anholonomy.algebra.zero_test import zero_test
from anholonomy.base.errors import DeclarationError, UnknownNameError, quoted
from anholonomy.base.verdict import Verdict
from anholonomy.geometry.groups import SO3, AbstractGroup
from anholonomy.language import check_name
from anholonomy.language.arguments import is_list
from anholonomy.system.bodies.body import Pose, RigidBody, free_coordinates, free_pose
from anholonomy.system.bodies.part import Part
from anholonomy.system.bodies.vectors import AXES, ORIGIN, add, cross, product, rotation, scalar, scaled, unit, vector

__all__ = ["AbstractJoint", "Cylindrical", "Fixed", "Prismatic", "Revolute", "Spherical", "Tree", "Universal", "named"]


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
                raise DeclarationError(
                    f"a joint connects bodies, and {quoted(body)} is none; give a RigidBody, or its name."
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
            raise DeclarationError(f"the axes of a universal joint are {quoted(axes)}; give a list of two directions.")
        self.axes = tuple(unit(axis, "an axis of the joint") for axis in axes)
        if all(zero_test(entry) is Verdict.PROVEN for entry in cross(*self.axes)):
            raise DeclarationError("the two axes of a universal joint are parallel; give two different directions.")
        given: Sequence[str | None] = (None, None) if angles is None else angles
        if not is_list(given) or len(given) != 2:
            raise DeclarationError(f"the angles of a universal joint are {quoted(angles)}; give a list of two names.")
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


# Bodies on joints: all poses, from the free bodies along the joints.


@final
@dataclass(frozen=True)
class Tree:
    """Bodies by name with their poses, the group of the attitudes, and the coordinates beside it."""

    bodies: dict[str, RigidBody]
    poses: dict[str, Pose]
    group: AbstractGroup | None
    coordinates: dict[str, str]

    @classmethod
    def of(cls, bodies: Sequence[RigidBody], joints: Sequence[AbstractJoint]) -> Tree:
        """Compose the poses; refused where a body is unknown, has two parents, or hangs on itself."""
        known = _by_name(bodies)
        children = _children(known, joints)
        roots = [body for body in bodies if body.name not in children]
        if not roots:
            raise DeclarationError(f"every body is the child of a joint, {bodies[0].name} too; leave one free.")
        several = sum(body.moves != "nowhere" for body in roots) > 1
        prefixes = {body.name: f"{body.name}_" if several else "" for body in roots}
        poses = {body.name: free_pose(body, prefixes[body.name]) for body in roots}
        coordinates: dict[str, str] = {}
        for body in roots:
            coordinates |= free_coordinates(body, prefixes[body.name])
        waiting = dict(children)
        while ready := [child for child, joint in waiting.items() if named(known, joint.parent) in poses]:
            for child in ready:
                joint = waiting.pop(child)
                poses[child] = joint.pose(poses[named(known, joint.parent)])
                if taken := set(coordinates) & set(joint.coordinates):
                    raise DeclarationError(f"two joints use the coordinate {min(taken)}; name one of them otherwise.")
                coordinates |= joint.coordinates
        if waiting:
            raise DeclarationError(f"the joints of {', '.join(waiting)} form a ring; leave one body of it free.")
        attitudes: list[AbstractGroup] = [
            SO3(prefixes[body.name]) for body in roots if body.moves in ("space", "point")
        ]
        attitudes += [joint.group for joint in joints if joint.group is not None]
        group: AbstractGroup | None = reduce(mul, attitudes) if attitudes else None
        return cls(known, poses, group, coordinates)

    @property
    def velocities(self) -> tuple[Symbol, ...]:
        """The velocities, those of the attitudes first."""
        spins = self.group.speeds if self.group is not None else ()
        return (*spins, *(symbol(f"{q}'") for q in self.coordinates))

    def pose(self, body: RigidBody | str) -> Pose:
        """The pose of a body, or of that of a name."""
        return self.poses[named(self.bodies, body)]


def named(known: dict[str, RigidBody], body: RigidBody | str) -> str:
    """The name of one of the bodies; a stranger is refused."""
    name = body.name if isinstance(body, RigidBody) else str(body)
    if name not in known or (isinstance(body, RigidBody) and known[name] != body):
        raise UnknownNameError(
            f"there is no body {name!r} like this in `bodies`, which has {', '.join(known)}; add it there."
        )
    return name


def _by_name(bodies: Sequence[RigidBody]) -> dict[str, RigidBody]:
    known: dict[str, RigidBody] = {}
    for body in bodies:
        if not isinstance(body, RigidBody):
            raise DeclarationError(f"`bodies` has {body!r}; give a list of RigidBody(…).")
        if body.name in known:
            raise DeclarationError(f"two bodies are called {body.name}; rename one of them.")
        known[body.name] = body
    return known


def _children(known: dict[str, RigidBody], joints: Sequence[AbstractJoint]) -> dict[str, AbstractJoint]:
    children: dict[str, AbstractJoint] = {}
    for joint in joints:
        if not isinstance(joint, AbstractJoint):
            raise DeclarationError(
                f"`joints` has {quoted(joint)}; give a list of joints, such as Revolute(…) and Fixed(…)."
            )
        child, parent = named(known, joint.child), named(known, joint.parent)
        if child in children or child == parent:
            raise DeclarationError(f"the body {child} hangs on two joints or on itself; it can have one parent.")
        children[child] = joint
    return children
