"""The circles of a bicycle without a hand on its bars: three families, and where they are stable.

python docs/pictures/bicycle_circles.py [folder]
"""

from __future__ import annotations

import sys
from math import pi
from pathlib import Path

import numpy as np

import anholonomy as ah

FAMILIES = {
    "from capsize to rest": (0.05, {"steer": 0.01, "x'": 6, "rear_turn'": 20, "front_turn'": 17.1, "theta'": -0.08}),
    "reversed, from capsize to a flat spin": (
        0.05,
        {"steer": 3.15, "x'": 7.9, "rear_turn'": 26.3, "front_turn'": -22.6, "theta'": -0.06},
    ),
    "from a flat spin by pivoting": (
        -0.47,
        {"steer": 2.61, "x'": 3.28, "rear_turn'": 10.9, "front_turn'": -11.3, "theta'": 2.14},
    ),
}


def families() -> dict[str, ah.answers.SteadyFamily]:
    """Each from one of its motions, as far as lean goes."""
    bike = ah.catalogue.whipple_bicycle()
    return {
        name: bike.stability.steady_motion(fixed={"roll": lean}, near={"roll": lean, **near}).follow("roll", -1.5, 1.5)
        for name, (lean, near) in FAMILIES.items()
    }


def main(folder: Path = Path(__file__).parent.parent / "_static") -> None:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(10, 4), layout="constrained")
    left, right = figure.subplots(1, 2)
    for name, branch in families().items():
        state = branch.data["state"]
        roll, steer, speed = (state.sel(name=each).values for each in ("roll", "steer", "rear_turn'"))
        side = np.where(roll < 0, -1.0, 1.0)  # mirrored, so that all lean to one side
        steer = np.degrees((steer * side + pi) % (2 * pi) - pi)
        roll, speed, steer = np.degrees(np.abs(roll)), 0.3 * np.abs(speed), np.abs(steer)
        calm = np.array(branch.verdicts) == "stable"
        for axes, over in ((left, steer), (right, speed)):
            (line,) = axes.plot(over, roll, lw=0.8, label=name)
            axes.plot(np.where(calm, over, np.nan), roll, lw=4, color=line.get_color())
        print(f"{name}\n{branch}")
    left.set(xlabel="steer, degrees", ylabel="lean, degrees")
    right.set(xlabel="speed of the rear wheel, m/s", xlim=(0, 12))
    right.legend(fontsize=8)
    figure.savefig(folder / "bicycle_circles.png", dpi=130)


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:2]))
