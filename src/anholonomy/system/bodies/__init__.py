"""Rigid bodies that roll, slide, skate and hang on joints, turned into the words of a declaration."""

from __future__ import annotations

from anholonomy.system.bodies.body import RigidBody
from anholonomy.system.bodies.contacts import KnifeEdge, Rolling, Sliding
from anholonomy.system.bodies.joints import Cylindrical, Fixed, Prismatic, Revolute, Spherical, Universal
from anholonomy.system.bodies.loads import Damper, Force, JointDamper, JointSpring, Motor, Spring, Torque
from anholonomy.system.bodies.shapes import (
    Ball,
    Bowl,
    Convex,
    Cylinder,
    Disc,
    Ellipsoid,
    LevelSurface,
    ParallelSurface,
    Plane,
    Sphere,
    Torus,
)

__all__ = [
    "Ball", "Bowl", "Convex", "Cylinder", "Cylindrical", "Damper", "Disc", "Ellipsoid", "Fixed", "Force",
    "JointDamper", "JointSpring", "KnifeEdge", "LevelSurface", "ParallelSurface", "Motor", "Plane", "Prismatic",
    "Revolute", "RigidBody", "Rolling", "Sliding", "Sphere", "Spherical", "Spring", "Torque", "Torus", "Universal",
]  # fmt: skip
