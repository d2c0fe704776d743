"""A car with trailers: it drives off along its heading while the train swings into line behind it.

python examples/trailer.py [picture.png]
"""

from __future__ import annotations

import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import numpy as np

import anholonomy as ah

TRAILERS = 4
COLOURS = ("#D55E00", "#0072B2", "#009E73", "#CC79A7", "#E69F00")


def axles(run: ah.Motion) -> list[tuple[np.ndarray, np.ndarray]]:
    """The track of every axle, the car's first: each is a hitch length behind the one before."""
    d = run.system.parameters["d"]
    x, y = run["x"].values, run["y"].values
    tracks = [(x, y)]
    for i in range(1, TRAILERS + 1):
        heading = run[f"theta{i}"].values
        x, y = x - d * np.cos(heading), y - d * np.sin(heading)
        tracks.append((x, y))
    return tracks


def draw(run: ah.Motion) -> plt.Figure:
    """Every track, and the whole train at a few times."""
    figure, ax = plt.subplots(figsize=(7.2, 5.4), layout="constrained")
    tracks = axles(run)
    for i, (x, y) in enumerate(tracks):
        ax.plot(x, y, color=COLOURS[i], linewidth=1.5, label="car" if i == 0 else f"trailer {i}")
    for k in np.linspace(0, run.time.size - 1, 6).astype(int):
        xs, ys = np.array([(x[k], y[k]) for x, y in tracks]).T
        ax.plot(xs, ys, color="#333333", linewidth=1.1, zorder=3)
        ax.scatter(xs, ys, c=COLOURS, s=26, edgecolors="#333333", linewidths=0.6, zorder=4)
    ax.set(aspect="equal", xlabel="$x$", ylabel="$y$", title=f"a car and {TRAILERS} trailers")
    ax.spines[["top", "right"]].set_visible(False)
    ax.legend(frameon=False, fontsize="small")
    return figure


def main(picture: Path = Path("results/trailer.png")) -> None:
    train = ah.catalogue.n_trailer(n=TRAILERS)
    print(train)
    print(train.verify(states=2))
    jack_knifed = {f"theta{i}": 0.55 * i for i in range(TRAILERS + 1)}
    run = train.simulate({"x": 0, "y": 0, **jack_knifed, "x'": 1.5, "theta0'": 0.9}, until=9)
    print(f"{run.outcome}; largest residual {float(abs(run.constraint_residual).max()):.1g}")
    picture.parent.mkdir(parents=True, exist_ok=True)
    draw(run).savefig(picture, dpi=150)
    print(f"picture written to {picture}")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:2]))
