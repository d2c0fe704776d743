"""The circles of a bicycle without a hand on its bars: a family that begins at the capsize speed and turns back.

python docs/pictures/bicycle_circles.py [folder]
"""

from __future__ import annotations

import sys
from pathlib import Path

import anholonomy as ah


def main(folder: Path = Path(__file__).parent.parent / "_static") -> None:
    bike = ah.catalogue.whipple_bicycle()
    near = {"roll": 0.05, "steer": 0.01, "x'": 6.0, "rear_turn'": 20.0, "front_turn'": 17.1, "theta'": -0.08}
    branch = bike.steady_motions(given={"roll": 0.05}, near=near).follow("roll", 0.001, 1)
    branch.plot().savefig(folder / "bicycle_circles.png", dpi=130)
    print(branch)


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:2]))
