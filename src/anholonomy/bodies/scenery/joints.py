r"""Joints as they are drawn: rods from the middle of the parent to the joint, along a slide, and on to the middle of the child.

.. math:: x + R\,c \;\to\; x + R\,a \;\to\; x' + R'b \;\to\; x' + R'c'

with the notation of `anholonomy.bodies.joints` and the middles $c$, $c'$. Where both bodies
stand on a floor, the joint is lifted with the parent.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from anholonomy.bodies.joints import AbstractJoint
from anholonomy.bodies.tree import Tree, named
from anholonomy.bodies.vectors import ORIGIN, add
from anholonomy.symbolic.expressions import Vector

__all__ = ["rods"]


def rods(
    tree: Tree, joints: Sequence[AbstractJoint], middles: Mapping[str, tuple[Vector, Vector]]
) -> list[dict[str, Any]]:
    """The rods of all joints; ``middles`` of bodies in their axes with their lifts, none for what is not drawn."""
    return [
        {"shape": "rod", "position": list(one), "to": list(other)}
        for joint in joints
        for one, other in _segments(tree, joint, middles)
    ]


def _segments(
    tree: Tree, joint: AbstractJoint, middles: Mapping[str, tuple[Vector, Vector]]
) -> Iterator[tuple[Vector, Vector]]:
    parent, child = (named(tree.bodies, body) for body in (joint.parent, joint.child))
    above, below = tree.poses[parent], tree.poses[child]
    first, stands = middles.get(parent, (joint.at, ORIGIN))
    last, follows = middles.get(child, (joint.own, ORIGIN))
    lift = stands if follows != ORIGIN else ORIGIN
    hinge = add(above.point(joint.at), lift)
    if first != joint.at:
        yield add(above.point(first), stands), hinge
    if "length" in joint.coordinates.values():
        slid = add(below.point(joint.own), lift)
        yield hinge, slid
        hinge = slid
    if last != joint.own:
        yield hinge, add(below.point(last), follows)
