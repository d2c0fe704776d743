"""Rigid bodies that roll, slide, skate and hang on joints, turned into the words of a declaration."""

from __future__ import annotations

from anholonomy.bodies.body import RigidBody
from anholonomy.bodies.building import with_bodies
from anholonomy.bodies.contacts import KnifeEdge, Rolling, Sliding
from anholonomy.bodies.joints import Fixed, Revolute
from anholonomy.bodies.loads import Force, Torque
from anholonomy.bodies.loss import contact_losses, normal_forces
from anholonomy.bodies.supports import Ball, Bowl, Cylinder, LevelSurface, ParallelSurface, Plane
from anholonomy.bodies.surfaces import Convex, Disc, Ellipsoid, Sphere, Torus

__all__ = [
    "Ball",
    "Bowl",
    "Convex",
    "Cylinder",
    "Disc",
    "Ellipsoid",
    "Fixed",
    "Force",
    "KnifeEdge",
    "LevelSurface",
    "ParallelSurface",
    "Plane",
    "Revolute",
    "RigidBody",
    "Rolling",
    "Sliding",
    "Sphere",
    "Torque",
    "Torus",
    "contact_losses",
    "normal_forces",
    "with_bodies",
]
