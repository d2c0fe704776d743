"""A system of one's own: a skate on ice that shakes.

The sheet of ice moves to and fro along y with the velocity W(t) = w sin(s t). The blade must not slip sideways over
the ice, so its constraint is affine in the velocity and depends on time:

    x' sin(theta) = (y' - w sin(s t)) cos(theta)

The moving ice does work on the skate through the reaction, so the energy is not conserved, and should not be.

    python examples/custom_system.py [picture.png]
"""

from __future__ import annotations

import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import numpy as np

import anholonomy as ah

BLUE, ORANGE = "#0072B2", "#D55E00"


def declare() -> ah.System:
    """The declaration, with a weak drag on the turning so that `forces` is used too."""
    return ah.System(
        name="skate on shaking ice",
        coordinates={"x": "length", "y": "length", "theta": "angle"},
        lagrangian="m/2*(x'^2 + y'^2) + I/2*theta'^2",
        constraints={"blade": "x'*sin(theta) = (y' - w*sin(s*t))*cos(theta)"},
        parameters={"m": 1.0, "I": 0.2, "w": 0.5, "s": 1.3, "k": 0.01},
        forces={"theta": "-k*theta'"},
    )


def work(run: ah.Motion) -> np.ndarray:
    """What reaction and drag have done since the start: the integral of their power."""
    drag = -run.system.parameters["k"] * run["theta'"] ** 2
    power = sum(run.reactions.sel(direction=w, drop=True) * run[w] for w in ("x'", "y'", "theta'")) + drag
    steps = np.diff(run.time) * (power.values[1:] + power.values[:-1]) / 2
    return np.concatenate([[0.0], np.cumsum(steps)])


def draw(run: ah.Motion) -> plt.Figure:
    """The path in the room, and the balance of energy and work."""
    figure, (path, balance) = plt.subplots(1, 2, figsize=(9.6, 4.2), layout="constrained")
    path.plot(run["x"], run["y"], color=BLUE)
    path.plot(run["x"][:1], run["y"][:1], "o", color=BLUE, markerfacecolor="white")
    path.set(aspect="equal", xlabel="$x$", ylabel="$y$", title="path of the blade")
    balance.plot(run.time, run.energy - run.energy[0], color=BLUE, label="energy gained")
    balance.plot(run.time, work(run), color=ORANGE, linestyle="--", label="work of reaction and drag")
    balance.set(xlabel="$t$", title="the ice does work")
    balance.legend(frameon=False)
    for ax in (path, balance):
        ax.spines[["top", "right"]].set_visible(False)
    return figure


def main(picture: Path = Path("results/custom_system.png")) -> None:
    system = declare()
    print("kinds of constraint:", ", ".join(kind.label for kind in system.model.kinds))
    print(system.derive("hamel"))
    print(system.verify())
    run = system.simulate({"x": 0, "y": 0, "theta": 0.5, "x'": 0.8, "theta'": 1.0}, times=np.linspace(0, 40, 8001))
    balance = float(abs(run.energy - run.energy[0] - work(run)).max())
    print(f"{run.outcome}; energy balance off by {balance:.1g}")
    picture.parent.mkdir(parents=True, exist_ok=True)
    draw(run).savefig(picture, dpi=150)
    print(f"picture written to {picture}")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:2]))
