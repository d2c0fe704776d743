"""A robot with two driven wheels follows a figure of eight: a controller in Python, asked every hundredth of a second.

The controller steers the point a hand's breadth ahead of the axle towards a point that runs along the path: its velocity gives forward
speed and turning, these the rates of the wheels, and the motors draw the wheels towards them. The robot is declared by its
Lagrangian and the rolling of its wheels; torques are its inputs.

    python examples/path_following.py [picture.png]
"""

from __future__ import annotations

import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import numpy as np

import anholonomy as ah

AHEAD, PULL, MOTOR = 0.15, 2.0, 0.6


def declare() -> ah.System:
    """Half track b, wheel radius r; M, J of the whole, its centre a ahead of the axle; I of a wheel about its axle."""
    return ah.System(
        name="driven robot",
        coordinates={"x": "length", "y": "length", "theta": "angle", "left": "angle", "right": "angle"},
        lagrangian="M*(x'^2 + y'^2)/2 + M*a*theta'*(y'*cos(theta) - x'*sin(theta)) + J*theta'^2/2 + I*(left'^2 + right'^2)/2",
        constraints={
            "across": "y'*cos(theta) = x'*sin(theta)",
            "left wheel": "x'*cos(theta) + y'*sin(theta) - b*theta' = r*left'",
            "right wheel": "x'*cos(theta) + y'*sin(theta) + b*theta' = r*right'",
        },
        speeds=["left'", "right'"],
        forces={"left": "tl", "right": "tr"},
        inputs=["tl", "tr"],
        parameters={"M": 9.0, "a": 0.04, "J": 0.3, "I": 1.2e-3, "b": 0.2, "r": 0.08},
        scene=[
            {"shape": "plane"},
            {
                "shape": "box",
                "position": ["x", "y", "r"],
                "rotation": [["z", "theta"]],
                "length": "2*b",
                "width": "1.6*b",
                "height": "r",
            },
            *(
                {
                    "shape": "wheel",
                    "position": [f"x {sign} b*sin(theta)", f"y {turned} b*cos(theta)", "r"],
                    "rotation": [["z", "theta"], ["y", wheel]],
                    "radius": "r",
                }
                for wheel, sign, turned in (("left", "-", "+"), ("right", "+", "-"))
            ),
            {"shape": "trail", "position": ["x", "y", "0"]},
        ],
    )


def reference(t: float) -> tuple[np.ndarray, np.ndarray]:
    """A figure of eight and its velocity."""
    w = 0.35
    return (
        np.array([2 * np.sin(w * t), np.sin(2 * w * t)]),
        w * np.array([2 * np.cos(w * t), 2 * np.cos(2 * w * t)]),
    )


def controller(robot: ah.System):
    """Torques of the motors from time and state."""
    b, r = robot.parameters["b"], robot.parameters["r"]

    def torques(t: float, state: dict[str, float]) -> dict[str, float]:
        c, s = np.cos(state["theta"]), np.sin(state["theta"])
        place, velocity = reference(t)
        wanted = velocity + PULL * (place - [state["x"] + AHEAD * c, state["y"] + AHEAD * s])
        forward, turning = c * wanted[0] + s * wanted[1], (c * wanted[1] - s * wanted[0]) / AHEAD
        rates = {"tl": (forward - b * turning) / r, "tr": (forward + b * turning) / r}
        return {u: MOTOR * (rate - state[w]) for (u, rate), w in zip(rates.items(), ("left'", "right'"), strict=True)}

    return torques


def main(picture: Path = Path("results/path_following.png")) -> None:
    robot = declare()
    print(robot.derive("kane"))
    print(robot.verify())
    # Of five coordinates four are reached: the wheels' angles tell the heading, r*(right - left) = 2*b*theta.
    print(robot.controllability().accessible)
    start = {"x": -0.6, "y": -0.5, "theta": 0.2, "left": 0, "right": 0, "left'": 0, "right'": 0}
    run = robot.simulate(start, times=np.linspace(0, 18, 901), inputs=controller(robot), sampling=0.02, tolerance=1e-10)
    ahead = np.array([run["x"] + AHEAD * np.cos(run["theta"]), run["y"] + AHEAD * np.sin(run["theta"])])
    off = np.linalg.norm(ahead - np.array([reference(t)[0] for t in run.time.values]).T, axis=0)
    print(f"{run.outcome}; off the path by {off[0]:.2f} m at first, by at most {off[300:].max():.3f} m after 6 s")
    draw(picture, run, off)
    run.animate(picture.with_suffix(".html"))
    print(f"picture written to {picture}, film to {picture.with_suffix('.html')}")


def draw(picture: Path, run: ah.Motion, off: np.ndarray) -> None:
    """The path and the robot's, its distance and its torques."""
    figure = plt.figure(figsize=(9, 5), layout="constrained")
    plane, distance, torque = (figure.add_subplot(2, 2, place) for place in ((1, 3), 2, 4))
    plane.plot(*np.array([reference(t)[0] for t in run.time.values]).T, "k--", linewidth=1, label="to follow")
    plane.plot(run["x"], run["y"], label="middle of the axle")
    plane.set(xlabel="x in m", ylabel="y in m", aspect="equal")
    plane.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=2)
    distance.semilogy(run.time, off)
    distance.set(ylabel="distance in m")
    torque.plot(run.time, run["tl"], label="left")
    torque.plot(run.time, run["tr"], label="right")
    torque.set(xlabel="time in s", ylabel="torque in N m", ylim=(-3, 6.5))
    torque.legend()
    picture.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(picture, dpi=120)


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:2]))
