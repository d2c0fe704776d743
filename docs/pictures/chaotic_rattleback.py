"""A chaotic rattleback: a stone with the bottom of a paraboloid, its mass turned by an angle, cut where it stops rolling sideways.

Shape, masses and energy are those of the discrete Lorenz attractor of Gonchenko, Gonchenko and Kazakov, which Borisov, Kazakov and Kuznetsov review
(Physics-Uspekhi 57, 2014): I = (2, 6, 7), radii of curvature 9 and 4, height 1, g = 100, angle 0.485, energy 752.

python docs/pictures/chaotic_rattleback.py [folder]
"""

from __future__ import annotations

import sys
from math import cos, sin, sqrt
from pathlib import Path

import numpy as np

import anholonomy as ah


def stone(angle: float = 0.485) -> ah.System:
    """A heavy body on a paraboloid that rolls on a plane; (x, y) is below its centre of mass."""
    rho = (
        "-a1*R31/R33",
        "-a2*R32/R33",
        "-h + (a1*R31^2 + a2*R32^2)/(2*R33^2)",
    )  # the contact seen from the centre of mass
    turn = [f"w{j}*({rho[k - 1]}) - w{k}*({rho[j - 1]})" for j, k in ((2, 3), (3, 1), (1, 2))]
    vx, vy, vz = (" + ".join(f"R{i}{j}*({turn[j - 1]})" for j in (1, 2, 3)) for i in (1, 2, 3))
    c, s = cos(angle), sin(angle)
    return ah.System(
        name="chaotic rattleback",
        group="SO3",
        coordinates=["x", "y"],
        lagrangian="I11/2*w1^2 + I22/2*w2^2 + I33/2*w3^2 + I12*w1*w2"
        f" + m/2*(x'^2 + y'^2 + ({vz})^2) + m*g*(({rho[0]})*R31 + ({rho[1]})*R32 + ({rho[2]})*R33)",
        constraints={"x": f"x' = -({vx})", "y": f"y' = -({vy})"},
        parameters={
            "m": 1.0, "g": 100.0, "a1": 9.0, "a2": 4.0, "h": 1.0, "I33": 7.0,
            "I11": 2 * c**2 + 6 * s**2, "I22": 2 * s**2 + 6 * c**2, "I12": -4 * c * s,
        },
    )  # fmt: skip


def start(energy: float = 752.0, angle: float = 0.485) -> dict[str, float]:
    """Tilted a little, spun about a skew axis as fast as the energy says."""
    tilt, c, s = 0.1, cos(angle), sin(angle)
    g3 = sqrt(1 - 2 * tilt**2)
    q0 = sqrt((1 + g3) / 2)
    place = {"q0": q0, "q1": tilt / (2 * q0), "q2": -tilt / (2 * q0), "q3": 0.0, "x": 0.0, "y": 0.0}
    r = np.array([-9 * tilt / g3, -4 * tilt / g3, -1 + 13 * tilt**2 / (2 * g3**2)])
    mass = np.array([[2 * c**2 + 6 * s**2, -4 * c * s, 0], [-4 * c * s, 2 * s**2 + 6 * c**2, 0], [0, 0, 7.0]])
    mass = mass + r @ r * np.eye(3) - np.outer(r, r)  # about the point of contact
    spin = np.array([0.3, 0.2, 1.0])
    spin *= sqrt(2 * (energy + 100 * r @ [tilt, tilt, g3]) / (spin @ mass @ spin))
    return place | dict(zip(("w1", "w2", "w3"), map(float, spin), strict=True))


def main(folder: Path = Path(__file__).parent.parent / "_static") -> None:
    system, begin = stone(), start()
    section = system.simulate(begin, until=600, tolerance=1e-10).section("w1 = 0", direction=1)
    axes = section.plot("w2", "w3")
    axes.set_title(f"{len(section)} crossings")
    axes.figure.savefig(folder / "chaotic_rattleback.png", dpi=130)
    print(section)
    print(system.stability.lyapunov_exponents(begin, until=1000, count=1, interval=2.5, tolerance=1e-9))


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:2]))
