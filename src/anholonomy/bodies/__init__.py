"""Rigid bodies that roll, slide, skate and hang on joints, turned into the words of a declaration."""

from __future__ import annotations

from anholonomy.bodies.body import RigidBody
from anholonomy.bodies.contact_losses import contact_losses, normal_forces
from anholonomy.bodies.contacts import KnifeEdge, Rolling, Sliding
from anholonomy.bodies.joints import Cylindrical, Fixed, Prismatic, Revolute, Spherical, Universal
from anholonomy.bodies.loads import Damper, Force, JointDamper, JointSpring, Motor, Spring, Torque
from anholonomy.bodies.shapes.supports import Ball, Bowl, Cylinder, LevelSurface, ParallelSurface, Plane
from anholonomy.bodies.shapes.surfaces import Convex, Disc, Ellipsoid, Sphere, Torus

__all__ = [
    "Ball",
    "Bowl",
    "Convex",
    "Cylinder",
    "Cylindrical",
    "Damper",
    "Disc",
    "Ellipsoid",
    "Fixed",
    "Force",
    "JointDamper",
    "JointSpring",
    "KnifeEdge",
    "LevelSurface",
    "ParallelSurface",
    "Motor",
    "Plane",
    "Prismatic",
    "Revolute",
    "RigidBody",
    "Rolling",
    "Sliding",
    "Sphere",
    "Spherical",
    "Spring",
    "Torque",
    "Torus",
    "Universal",
    "contact_losses",
    "normal_forces",
]
