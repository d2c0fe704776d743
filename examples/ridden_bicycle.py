"""A bicycle ridden below its weave speed: hands off it falls, and a rider who turns the handlebar by feedback keeps it up.

The Whipple bicycle of the benchmark at 3 m/s is unstable: its weave grows until 4.29 m/s. The rider's torque on the handlebar is an
input; the regulator is found from the linear part on the constraints about straight running, and rides the nonlinear bicycle from a
lean of six degrees. It leaves the speed alone, which no steering changes at first order.

    python examples/ridden_bicycle.py [picture.png]
"""

from __future__ import annotations

import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import numpy as np

import anholonomy as ah

SPEED, LEAN = 3.0, 0.1


def main(picture: Path = Path("results/ridden_bicycle.png")) -> None:
    bike = ah.catalogue.whipple_bicycle().with_forces({"steer": "T"}, inputs=["T"])
    print(bike.verify(states=1, digits=20))
    lin = bike.linearize(at=bike.stability.steady_motion(fixed={"x'": SPEED}))
    print(lin)
    gain = lin.lqr({"roll": 1, "steer": 1}, {"T": 1})
    print(gain)
    start = dict.fromkeys(["x", "y", "theta", "pitch", "steer", "rear_turn", "front_turn", "roll'", "steer'"], 0.0)
    start |= {"roll": LEAN, "rear_turn'": SPEED / bike.parameters["rR"]}
    times = np.linspace(0, 6, 601)
    ridden = bike.simulate(start, times=times, inputs=gain, project=True, tolerance=1e-10)
    left_alone = bike.simulate(
        start, until=6, inputs={"T": 0}, project=True, tolerance=1e-8, events={"fallen": "roll^2 - 0.64"}, stop="fallen"
    )
    print(f"ridden: {ridden.outcome}, lean at the end {float(ridden['roll'][-1]):.0e}")
    print(f"left alone: {left_alone.outcome}")
    draw(picture, ridden, left_alone)
    ridden.animate(picture.with_suffix(".html"))
    print(f"picture written to {picture}, film to {picture.with_suffix('.html')}")


def draw(picture: Path, ridden: ah.Motion, left_alone: ah.Motion) -> None:
    """Lean, steer and torque over time, and the track of the rear wheel."""
    figure, axes = plt.subplots(2, 2, figsize=(9, 6), layout="constrained")
    lean, steer, torque, track = axes.flat
    lean.plot(left_alone.time, np.degrees(left_alone["roll"]), color="0.6", label="left alone")
    lean.plot(ridden.time, np.degrees(ridden["roll"]), label="ridden")
    lean.set(ylabel="lean in degrees", ylim=(-50, 50))
    lean.legend()
    steer.plot(ridden.time, np.degrees(ridden["steer"]))
    steer.set(ylabel="steer in degrees")
    torque.plot(ridden.time, ridden["T"])
    torque.set(ylabel="torque in N m", xlabel="time in s")
    track.plot(ridden["x"], ridden["y"])
    track.set(xlabel="x in m", ylabel="y in m", aspect="equal")
    picture.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(picture, dpi=120)


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:2]))
