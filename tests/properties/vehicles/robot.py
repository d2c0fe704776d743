"""A robot of bodies on two driven wheels, and the same robot as a vehicle whose motion is known."""

from __future__ import annotations

import anholonomy as ah
from tests.properties.vehicles.arrows import Arrow, Component
from tests.properties.vehicles.vehicle import Vehicle


def robot() -> tuple[Vehicle, ah.System]:
    """Half track b, wheel radius r, the centre of mass a distance a ahead of the axle."""
    parameters = ("M", "J", "a", "m", "Jw", "Js", "b", "r")
    body, heading = (Arrow((), ("x",)), Arrow((), ("y",), (), 1)), ("theta",)
    ends = {"left": (*body, Arrow(("b",), heading, heading, 2)), "right": (*body, Arrow(("b",), heading, heading, 0))}
    centre, turn = (*body, Arrow(("a",), heading, heading, 1)), Component((Arrow((), heading),))
    inertias = [("M", Component(centre)), ("M", Component(centre, (), 1)), ("J", turn), ("Jw", turn), ("Jw", turn)]
    for phi, end in ends.items():
        inertias += [("m", Component(end)), ("m", Component(end, (), 1)), ("Js", Component((Arrow((), (phi,)),)))]
    rolling = [Component((*end, Arrow(("r",), (phi,), heading, 2)), heading) for phi, end in ends.items()]
    vehicle = Vehicle(
        "robot",
        ("x", "y", "theta", "left", "right"),
        parameters,
        (Component(body, heading, 1), *rolling),
        tuple(inertias),
    )
    return vehicle, _of_bodies(parameters)


def _of_bodies(parameters: tuple[str, ...]) -> ah.System:
    chassis = ah.bodies.RigidBody("chassis", mass="M", inertia=[0, 0, "J"], centre=["a", 0, "r"], moves="plane")
    wheels = [ah.bodies.RigidBody(name, mass="m", inertia=["Jw", "Js", "Jw"]) for name in ("left", "right")]
    return ah.System(
        name="robot",
        bodies=[chassis, *wheels],
        joints=[
            ah.bodies.Revolute(chassis, wheel, at=[0, side, "r"], axis=[0, 1, 0], angle=wheel.name)
            for wheel, side in zip(wheels, ("b", "-b"), strict=True)
        ],
        contacts=[
            ah.bodies.Rolling(wheel, surface=ah.bodies.Disc("r", axis=2), on=ah.bodies.Plane()) for wheel in wheels
        ],
        parameters=dict.fromkeys(parameters, 0.5),
        redundant="drop",
    )
