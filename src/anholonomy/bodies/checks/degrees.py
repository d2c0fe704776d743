"""Angles of parts that are written as numbers: a slope of 30 is nearly always one of 30 degrees."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from anholonomy.bodies.contacts import AbstractContact
from anholonomy.bodies.joints import AbstractJoint, Fixed
from anholonomy.bodies.loads import AbstractLoad, JointSpring
from anholonomy.bodies.parts import Part
from anholonomy.bodies.shapes.supports import Plane
from anholonomy.bodies.tree import Tree
from anholonomy.bodies.vectors import number, scalar
from anholonomy.system.warnings import doubt_angle

__all__ = ["warn_of_degrees"]


def warn_of_degrees(
    name: str,
    tree: Tree,
    joints: Sequence[AbstractJoint],
    contacts: Sequence[AbstractContact],
    loads: Sequence[AbstractLoad],
) -> None:
    """Say which angles of joints, supports and springs look like degrees; of parameters the declaration says it."""
    for part, word in _angles(tree, joints, contacts, loads):
        if word in part.words and (known := number(scalar(part.words[word], word, ""))) is not None:
            doubt_angle(f"{name}: {type(part).__name__}({word}={known:g})", known)


def _angles(
    tree: Tree, joints: Sequence[AbstractJoint], contacts: Sequence[AbstractContact], loads: Sequence[AbstractLoad]
) -> Iterator[tuple[Part, str]]:
    yield from ((joint, "angle") for joint in joints if isinstance(joint, Fixed))
    supports = (getattr(contact, "on", None) for contact in contacts)
    yield from ((support, "slope") for support in supports if isinstance(support, Plane))
    springs = (load for load in loads if isinstance(load, JointSpring))
    yield from ((spring, "rest") for spring in springs if tree.coordinates[spring.coordinate(tree)] == "angle")
