"""Wheels about the wrong axis: one that its joint turns about a diameter, or that lies flat and touches all round."""

from __future__ import annotations

from collections.abc import Sequence

from anholonomy.bodies.contacts import AbstractContact, Rolling, Sliding
from anholonomy.bodies.joints import AbstractJoint, Revolute
from anholonomy.bodies.shapes.supports import Plane
from anholonomy.bodies.shapes.surfaces import AbstractSurface
from anholonomy.bodies.tree import Tree, named
from anholonomy.bodies.vectors import AXES, cross
from anholonomy.refusals import IllPosedSystem
from anholonomy.symbolic.expressions import Vector
from anholonomy.symbolic.zero import zero_test
from anholonomy.verdict import Verdict

__all__ = ["refuse_wrong_axes"]


def refuse_wrong_axes(tree: Tree, joints: Sequence[AbstractJoint], contacts: Sequence[AbstractContact]) -> None:
    """Refuse a disc or torus that nobody gave an axis and whose joint has another, or whose axis is the normal of its plane."""
    turning = {named(tree.bodies, joint.child): joint.axis for joint in joints if isinstance(joint, Revolute)}
    for contact in contacts:
        if not isinstance(contact, Rolling | Sliding) or (axis := contact.surface.axis) is None:
            continue
        name, surface = named(tree.bodies, contact.body), contact.surface
        what = f"the {type(surface).__name__} of {name}"
        if "axis" not in surface.words and name in turning and not _parallel(axis, turning[name]):
            raise IllPosedSystem(
                f"{what} is about axis 3, since no `axis` says otherwise, and the joint turns {name} about another; give "
                f"{_advice(surface, turning[name])}."
            )
        flat = isinstance(contact.on, Plane) and _parallel(tree.pose(name).direction(axis), contact.on.normal)
        if flat:
            raise IllPosedSystem(
                f"{what} lies flat on its plane and touches it all round; give the axis that it turns about, as in "
                f"{_advice(surface, AXES[1])}."
            )


def _parallel(a: Vector, b: Vector) -> bool:
    return all(zero_test(entry) is Verdict.PROVEN for entry in cross(a, b))


def _advice(surface: AbstractSurface, axis: Vector) -> str:
    number = next((k for k, e in enumerate(AXES, 1) if _parallel(axis, e)), "…")
    return f"{type(surface).__name__}(…, axis={number})"
