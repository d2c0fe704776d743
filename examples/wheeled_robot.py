"""A wheeled robot from its parts: a chassis and two driven wheels, whose centres are at the height r of their radius.

The origin of the chassis is on the ground below the middle of the axle, so the joints of the wheels are at the height r, and
touching is satisfied by itself. Two wheels on one axle say the same about side slip, hence `redundant="drop"`. Motors are forces on
the angles of the wheels, and a controller is text: each motor draws its wheel towards a speed, and the robot winds along.

    python examples/wheeled_robot.py [picture.png]
"""

from __future__ import annotations

import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")

import numpy as np

import anholonomy as ah


def declare() -> ah.System:
    """Half track b, wheel radius r; the centre of mass lies a distance a ahead of the middle of the axle."""
    chassis = ah.bodies.RigidBody("chassis", mass="M", inertia=[0, 0, "J"], centre=["a", 0, "r"], moves="plane")
    left = ah.bodies.RigidBody("left", mass="m", inertia=["Jw", "Js", "Jw"])
    right = ah.bodies.RigidBody("right", mass="m", inertia=["Jw", "Js", "Jw"])
    return ah.System(
        name="wheeled robot",
        bodies=[chassis, left, right],
        joints=[
            ah.bodies.Revolute(chassis, left, at=[0, "b", "r"], axis=[0, 1, 0], angle="left"),
            ah.bodies.Revolute(chassis, right, at=[0, "-b", "r"], axis=[0, 1, 0], angle="right"),
        ],
        contacts=[
            ah.bodies.Rolling(left, surface=ah.bodies.Disc("r", axis=2), on=ah.bodies.Plane()),
            ah.bodies.Rolling(right, surface=ah.bodies.Disc("r", axis=2), on=ah.bodies.Plane()),
        ],
        forces={"left": "k*(s + d*sin(p*t) - left')", "right": "k*(s - d*sin(p*t) - right')"},
        parameters={
            "M": 8.0, "J": 0.25, "a": 0.05, "m": 0.5, "Jw": 6e-4, "Js": 1.2e-3, "b": 0.2, "r": 0.08,
            "k": 0.4, "s": 8.0, "d": 6.0, "p": 0.4,
        },
        redundant="drop",
    )  # fmt: skip


def main(picture: Path = Path("results/wheeled_robot.png")) -> None:
    robot = declare()
    equations = robot.derive("kane", speeds=["left'", "right'"])
    print(equations)
    print(robot.verify())
    start = {"x": 0, "y": 0, "theta": 0, "left": 0, "right": 0, "left'": 8, "right'": 8}
    run = robot.simulate(start, times=np.linspace(0, 4 * np.pi / robot.parameters["p"], 2001))
    # What rolling says in closed form, which nothing above was told.
    b, r = robot.parameters["b"], robot.parameters["r"]
    turned = r * (run["right"] - run["left"]) / (2 * b)
    print(f"{run.outcome}; heading off rolling by {float(abs(run['theta'] - turned).max()):.1g}")
    picture.parent.mkdir(parents=True, exist_ok=True)
    run.plot(picture)
    run.animate(picture.with_suffix(".html"))
    print(f"picture written to {picture}, film to {picture.with_suffix('.html')}")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:2]))
