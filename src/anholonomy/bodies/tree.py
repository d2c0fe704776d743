r"""Bodies on joints: the poses of all of them, from the free ones along the joints, and the coordinates this takes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from operator import mul
from typing import final

from anholonomy.bodies.body import RigidBody
from anholonomy.bodies.joints import AbstractJoint
from anholonomy.bodies.poses import Pose, free_coordinates, free_pose
from anholonomy.geometry.groups import SO3, AbstractGroup
from anholonomy.refusals import IllPosedSystem, UnknownName
from anholonomy.symbolic.expressions import Symbol, symbol

__all__ = ["Tree"]


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
            raise IllPosedSystem(f"every body is the child of a joint, {bodies[0].name} too; leave one free.")
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
                    raise IllPosedSystem(f"two joints use the coordinate {min(taken)}; name one of them otherwise.")
                coordinates |= joint.coordinates
        if waiting:
            raise IllPosedSystem(f"the joints of {', '.join(waiting)} form a ring; leave one body of it free.")
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
        raise UnknownName(
            f"there is no body {name!r} like this in `bodies`, which has {', '.join(known)}; add it there."
        )
    return name


def _by_name(bodies: Sequence[RigidBody]) -> dict[str, RigidBody]:
    known: dict[str, RigidBody] = {}
    for body in bodies:
        if not isinstance(body, RigidBody):
            raise IllPosedSystem(f"`bodies` has {body!r}; give a list of RigidBody(…).")
        if body.name in known:
            raise IllPosedSystem(f"two bodies are called {body.name}; rename one of them.")
        known[body.name] = body
    return known


def _children(known: dict[str, RigidBody], joints: Sequence[AbstractJoint]) -> dict[str, AbstractJoint]:
    children: dict[str, AbstractJoint] = {}
    for joint in joints:
        if not isinstance(joint, AbstractJoint):
            raise IllPosedSystem(
                f"`joints` has {joint!r:.60}; give a list of joints, such as Revolute(…) and Fixed(…)."
            )
        child, parent = named(known, joint.child), named(known, joint.parent)
        if child in children or child == parent:
            raise IllPosedSystem(f"the body {child} hangs on two joints or on itself; it can have one parent.")
        children[child] = joint
    return children
