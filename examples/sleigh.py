"""The Chaplygin sleigh from declaration to picture: pushed backwards, it turns round and glides away.

python examples/sleigh.py [picture.png]
"""

from __future__ import annotations

import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection

import anholonomy as ah

BLUE, ORANGE, INK, GREY = "#0072B2", "#D55E00", "#333333", "#888888"
BODY = np.array([[-0.12, 0.12], [0.40, 0.0], [-0.12, -0.12], [-0.12, 0.12]])
"""The outline of the sleigh: blade at the origin, nose ahead."""


def declare() -> ah.System:
    """A blade at (x, y) with heading theta; the centre of mass is a distance a ahead of it."""
    return ah.System(
        name="Chaplygin sleigh",
        coordinates={"x": "length", "y": "length", "theta": "angle"},
        lagrangian="m/2*((x' - a*sin(theta)*theta')^2 + (y' + a*cos(theta)*theta')^2) + I/2*theta'^2",
        constraints={"blade": "x'*sin(theta) = y'*cos(theta)"},
        parameters={"m": 1.0, "I": 0.3, "a": 0.2},
    )


def draw_track(run: ah.Motion, ax: Axes) -> None:
    """The track of the blade, pale at the start and dark at the end, with the sleigh at equal intervals of time."""
    x, y, theta = (run[name].values for name in ("x", "y", "theta"))
    points = np.stack([x, y], axis=1)
    pieces = np.stack([points[:-1], points[1:]], axis=1)
    track = LineCollection(pieces, cmap="Blues", array=np.linspace(0.35, 0.95, len(pieces)), linewidths=2.6, zorder=2)
    track.set_clim(0, 1)
    ax.add_collection(track)
    for k in range(0, len(x), 77):
        turn = np.array([[np.cos(theta[k]), -np.sin(theta[k])], [np.sin(theta[k]), np.cos(theta[k])]])
        outline = BODY @ turn.T + points[k]
        ax.fill(*outline.T, facecolor="#FBE6D8", edgecolor=ORANGE, linewidth=1.0, zorder=1, joinstyle="round")
        ax.plot(*points[k], ".", color=ORANGE, markersize=5, zorder=3)
    words = {"textcoords": "offset points", "color": INK, "fontsize": "small"}
    ax.annotate("pushed backwards", points[0], xytext=(4, 14), ha="right", **words)
    ax.annotate("glides away", points[-1], xytext=(22, 4), ha="left", **words)
    ax.set(aspect="equal", xlabel="$x$", ylabel="$y$", title="track of the blade")
    ax.margins(0.06)


def draw_speeds(run: ah.Motion, system: ah.System, ax: Axes) -> None:
    """The speed along the blade tends to the one that the energy allows."""
    along = np.cos(run["theta"]) * run["x'"] + np.sin(run["theta"]) * run["y'"]
    limit = float(np.sqrt(2 * run.energy[0] / system.parameters["m"]))
    ax.axhline(limit, color=GREY, linewidth=0.8, linestyle="--")
    ax.text(0.3, limit - 0.08, r"$\sqrt{2E/m}$", color=GREY, va="top")
    ax.plot(run.time, along, color=BLUE, label="speed $u$")
    ax.plot(run.time, run["theta'"], color=ORANGE, label=r"turning rate $\dot\theta$")
    ax.legend(frameon=False, loc="lower right", fontsize="small")
    ax.set(title="backwards is unstable, forwards is stable")
    ax.margins(x=0)


def draw_errors(run: ah.Motion, ax: Axes) -> None:
    """Nothing drifts: both errors are rounding."""
    drift = (run.energy - run.energy[0]) / run.energy[0]
    style = {"linestyle": "none", "marker": ".", "markersize": 2.5}
    ax.plot(run.time, drift / 1e-16, color=BLUE, label="relative energy drift", **style)
    ax.plot(run.time, run["residual"].sel(constraint="blade") / 1e-16, color=ORANGE, label="constraint", **style)
    ax.legend(frameon=False, loc="upper right", fontsize="small", markerscale=3, ncols=2)
    ax.set(xlabel="$t$", title=r"errors, in units of $10^{-16}$")
    low, high = ax.get_ylim()
    ax.set_ylim(low, high + 0.35 * (high - low))
    ax.margins(x=0)


def draw(run: ah.Motion, system: ah.System) -> plt.Figure:
    """Track on the left; speeds and errors on the right."""
    figure = plt.figure(figsize=(10.5, 4.6), layout="constrained")
    axes = figure.subplot_mosaic([["track", "speeds"], ["track", "errors"]], width_ratios=[1.25, 1])
    draw_track(run, axes["track"])
    draw_speeds(run, system, axes["speeds"])
    draw_errors(run, axes["errors"])
    for ax in axes.values():
        ax.spines[["top", "right"]].set_visible(False)
        ax.spines[["left", "bottom"]].set_color(GREY)
        ax.tick_params(color=GREY, labelcolor=INK, labelsize="small")
        ax.title.set_size("medium")
        ax.title.set_color(INK)
    axes["speeds"].tick_params(labelbottom=False)
    return figure


def main(picture: Path = Path("results/sleigh.png")) -> None:
    sleigh = declare()
    print(sleigh.derive("hamel"))
    print(sleigh.verify())
    run = sleigh.simulate({"x": 0, "y": 0, "theta": 0, "x'": -1.2, "theta'": 0.05}, until=12.5)
    print(run.outcome)
    picture.parent.mkdir(parents=True, exist_ok=True)
    draw(run, sleigh).savefig(picture, dpi=150)
    print(f"picture written to {picture}")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:2]))
