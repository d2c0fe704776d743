"""A Segway balanced: a body on two wheels, one motor between them, and a computer that looks every hundredth of a second.

The wheels roll, x = r*alpha; the motor turns the wheels by tau and the body by -tau. The regulator weighs lean and place, so the
machine comes back to where it began. The same gain is tried as a text inside the compiled program and as a Python function that is
held between samples; between samples both are exact, and slow sampling shows.

    python examples/segway.py [picture.png]
"""

from __future__ import annotations

import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import numpy as np

import anholonomy as ah


def declare() -> ah.System:
    """Wheels of mass m, radius r; a body of mass M whose centre is l above the axle."""
    return ah.System(
        name="Segway",
        coordinates={"x": "length", "alpha": "angle", "phi": "angle"},
        lagrangian="m*x'^2/2 + Jw*alpha'^2/2 + M*(x'^2 + 2*l*x'*phi'*cos(phi) + l^2*phi'^2)/2 + J*phi'^2/2 - M*g*l*cos(phi)",
        constraints={"rolling": "x = r*alpha"},
        forces={"alpha": "tau", "phi": "-tau"},
        inputs=["tau"],
        parameters={"m": 6.0, "r": 0.24, "Jw": 0.17, "M": 80.0, "l": 0.9, "J": 9.0, "g": 9.81},
        scene=[
            {"shape": "plane"},
            *(
                {"shape": "wheel", "position": ["x", side, "r"], "rotation": [["y", "alpha"]], "radius": "r"}
                for side in ("0.3", "-0.3")
            ),
            {
                "shape": "rod",
                "position": ["x", "0", "r"],
                "to": ["x + 2*l*sin(phi)", "0", "r + 2*l*cos(phi)"],
                "radius": "0.08",
                "colour": "body",
            },
        ],
    )


def main(picture: Path = Path("results/segway.png")) -> None:
    segway = declare()
    print(segway.derive("hamel"))
    print(segway.verify())
    upright = {"x": 0, "alpha": 0, "phi": 0, "x'": 0, "phi'": 0}
    print(segway.controllability(at={"x": 0, "alpha": 0, "phi": 0}).small_time)
    gain = segway.linearize(at=upright).lqr({"x": 20, "phi": 100}, {"tau": 0.01})
    print(gain)
    leaning, times = {**upright, "phi": 0.2}, np.linspace(0, 6, 601)
    smooth = segway.simulate(leaning, times=times, inputs=gain)

    def law(t: float, state: dict[str, float]) -> float:
        return float(-gain.matrix[0] @ [state[name] - upright.get(name, 0.0) for name in gain.labels])

    held = {every: segway.simulate(leaning, times=times, inputs={"tau": law}, sampling=every) for every in (0.01, 0.06)}
    for every, run in held.items():
        print(f"held for {every} s: {run.outcome}, off by {float(abs(run['phi'] - smooth['phi']).max()):.1g} rad")
    draw(picture, smooth, held)
    smooth.animate(picture.with_suffix(".html"))
    print(f"picture written to {picture}, film to {picture.with_suffix('.html')}")


def draw(picture: Path, smooth: ah.Motion, held: dict[float, ah.Motion]) -> None:
    """Lean, place and torque: feedback all the time, and held between samples."""
    figure, axes = plt.subplots(3, 1, figsize=(7, 7), sharex=True, layout="constrained")
    for ax, name, unit in zip(axes, ("phi", "x", "tau"), ("lean in rad", "place in m", "torque in N m"), strict=True):
        for every, run in held.items():
            ax.step(run.time, run[name], where="post", linewidth=1, label=f"held for {every} s")
        ax.plot(smooth.time, smooth[name], "k", linewidth=1, label="all the time")
        ax.set(ylabel=unit)
    axes[0].legend()
    axes[-1].set(xlabel="time in s")
    picture.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(picture, dpi=120)


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:2]))
