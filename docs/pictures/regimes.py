"""Charts of regimes: a sleigh that is pushed to and fro, and a rattleback that is spun.

python docs/pictures/regimes.py [folder] [points on a side] [folder of stores]

With a folder of stores what is done stays there, and the same call goes on where it was interrupted.
"""

from __future__ import annotations

import sys
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import numpy as np

import anholonomy as ah
from anholonomy.show.picture_files import save_picture

SLEIGH = ah.System(
    name="forced sleigh",
    coordinates={"x": "length", "y": "length", "theta": "angle"},
    lagrangian="m*((x' - a*theta'*sin(theta))^2 + (y' + a*theta'*cos(theta))^2)/2 + I*theta'^2/2",
    constraints=["x'*sin(theta) = y'*cos(theta)"],
    forces={"theta": "k*cos(W*t) - b*theta'", "x": "-c*x'", "y": "-c*y'"},
    parameters={"m": 1.0, "I": 0.3, "a": 0.2, "k": 1.0, "W": 1.0, "b": 0.05, "c": 0.1},
)
RATTLEBACK = ah.catalogue.rattleback()


def main(folder: Path = Path(__file__).parent.parent / "_static", side: int = 40, stores: Path | None = None) -> None:
    over = {"k": np.linspace(0.2, 6, side), "W": np.linspace(0.2, 3, side)}
    start = {"x": 0, "y": 0, "theta": 0, "x'": 0.5, "theta'": 0.1}
    summaries = {"speed": "mean of x'*cos(theta) + y'*sin(theta)", "exponent": "lyapunov"}
    draw(SLEIGH, "sleigh", folder, stores, over=over, start=start, until=200, summaries=summaries)
    spun = {"w3": np.linspace(-6, 6, side), "I12": np.linspace(-4e-5, 4e-5, side)}
    still = {"q0": 1, "q1": 0, "q2": 0, "q3": 0, "x": 0, "y": 0, "w1": 0.01, "w2": 0.02}
    summaries = {"spin at the end": "w3", "exponent": "lyapunov"}
    draw(RATTLEBACK, "rattleback", folder, stores, over=spun, start=still, until=5, summaries=summaries, tolerance=1e-7)


def draw(system: ah.System, word: str, folder: Path, stores: Path | None, **asked: Any) -> None:
    """A sweep, with the time it takes, and a chart of each of its numbers."""
    store = None if stores is None else stores / f"regimes_{word}.zarr"
    wall, own = perf_counter(), process_time()
    runs = system.sweep(**asked, store=store)
    took = f"{perf_counter() - wall:.0f} s, {process_time() - own:.0f} s of a core"
    print(f"{system.name}: {len(runs)} members in {took}", flush=True)
    for name in asked["summaries"]:
        save_picture(runs.chart(name).plot().figure, folder / f"regimes_{word}_{name.split()[0]}.png")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:2]), *map(int, sys.argv[2:3]), *map(Path, sys.argv[3:4]))
