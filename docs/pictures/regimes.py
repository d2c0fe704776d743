"""Charts of regimes: a sleigh that is pushed to and fro, and a rattleback that is spun.

python docs/pictures/regimes.py [folder] [points on a side]
"""

from __future__ import annotations

import sys
from pathlib import Path
from time import perf_counter

import numpy as np

import anholonomy as ah
from anholonomy.show.pictures import save_picture

SLEIGH = ah.System(
    name="forced sleigh",
    coordinates={"x": "length", "y": "length", "theta": "angle"},
    lagrangian="m*((x' - a*theta'*sin(theta))^2 + (y' + a*theta'*cos(theta))^2)/2 + I*theta'^2/2",
    constraints=["x'*sin(theta) = y'*cos(theta)"],
    forces={"theta": "k*cos(W*t) - b*theta'", "x": "-c*x'", "y": "-c*y'"},
    parameters={"m": 1.0, "I": 0.3, "a": 0.2, "k": 1.0, "W": 1.0, "b": 0.05, "c": 0.1},
)
RATTLEBACK = ah.catalogue.rattleback()


def main(folder: Path = Path(__file__).parent.parent / "_static", side: int = 40) -> None:
    over = {"k": np.linspace(0.2, 6, side), "W": np.linspace(0.2, 3, side)}
    start = {"x": 0, "y": 0, "theta": 0, "x'": 0.5, "theta'": 0.1}
    reduce = {"speed": "mean of x'*cos(theta) + y'*sin(theta)", "exponent": "lyapunov"}
    began = perf_counter()
    runs = SLEIGH.sweep(over, start, until=200, reduce=reduce)
    print(f"forced sleigh: {len(runs)} members in {perf_counter() - began:.0f} s")
    for name in reduce:
        save_picture(runs.chart(name).plot().figure, folder / f"regimes_sleigh_{name}.png")
    side = max(side // 2, 8)
    spun = {"w3": np.linspace(-6, 6, side), "I12": np.linspace(-4e-5, 4e-5, side)}
    still = {"q0": 1, "q1": 0, "q2": 0, "q3": 0, "x": 0, "y": 0, "w1": 0.01, "w2": 0.02}
    began = perf_counter()
    runs = RATTLEBACK.sweep(
        spun, still, until=5, reduce={"spin at the end": "w3", "exponent": "lyapunov"}, tolerance=1e-8
    )
    print(f"rattleback: {len(runs)} members in {perf_counter() - began:.0f} s")
    for name in ("spin at the end", "exponent"):
        save_picture(runs.chart(name).plot().figure, folder / f"regimes_rattleback_{name.split()[0]}.png")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:2]), *map(int, sys.argv[2:3]))
