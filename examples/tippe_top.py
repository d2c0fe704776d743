"""A tippe top: a ball with its centre of mass below its centre, spun on a table that it slides on, turns over.

Friction at the contact is viscous. Jellett's integral is kept, the energy falls, and the spin that is stable changes with the speed.
Run it from anywhere; it draws the motion to ``results/tippe_top.png``.
"""

from __future__ import annotations

from math import sqrt
from pathlib import Path

import anholonomy as ah

SIZES = {"m": 0.02, "I1": 3.2e-6, "I3": 3.1e-6, "r": 0.02, "a": 0.004, "g": 9.81, "c": 0.1}


def tippe_top(**sizes: float) -> ah.System:
    """The centre of mass is at ``a`` along the axis of ``I3`` from the centre of the ball; ``c`` is force beside the speed of sliding."""
    rho = "-r*R31", "-r*R32", "-r*R33 - a"  # the contact, seen from the centre of mass
    turning = (
        f"(w2*({rho[2]}) - w3*({rho[1]}))",
        f"(w3*({rho[0]}) - w1*({rho[2]}))",
        f"(w1*({rho[1]}) - w2*({rho[0]}))",
    )
    sliding = [
        f"({v} + R{i}1*{turning[0]} + R{i}2*{turning[1]} + R{i}3*{turning[2]})" for i, v in ((1, "x'"), (2, "y'"))
    ]
    drag = [f"(-c*(R1{k}*{sliding[0]} + R2{k}*{sliding[1]}))" for k in (1, 2, 3)]  # in the body
    rise = f"R31*{turning[0]} + R32*{turning[1]} + R33*{turning[2]}"
    return ah.System(
        name="tippe top",
        group="SO3",
        coordinates=["x", "y"],
        lagrangian=f"I1/2*(w1^2 + w2^2) + I3/2*w3^2 + m/2*(x'^2 + y'^2 + ({rise})^2) - m*g*(r + a*R33)",
        forces={
            "x": f"-c*{sliding[0]}",
            "y": f"-c*{sliding[1]}",
            "w1": f"({rho[1]})*{drag[2]} - ({rho[2]})*{drag[1]}",
            "w2": f"({rho[2]})*{drag[0]} - ({rho[0]})*{drag[2]}",
            "w3": f"({rho[0]})*{drag[1]} - ({rho[1]})*{drag[0]}",
        },
        parameters={**SIZES, **sizes},
    )


def thresholds(m: float, I1: float, I3: float, r: float, a: float, g: float, **_: float) -> tuple[float, float]:
    r"""The spin up to which the top stands on its heavy side, and the one from which on it stands on its head; infinite for never.

    The least energy with a given Jellett's integral, $\lambda^2/2\rho\cdot I\rho + mgh$, is at one end or the other.
    """
    low, high = r * (I1 * r - I3 * (r - a)), r * (I3 * (r + a) - I1 * r)
    stands = sqrt(m * g * a * (r - a) ** 2 / low) if low > 0 else float("inf")
    return stands, sqrt(m * g * a * (r + a) ** 2 / high) if high > 0 else float("inf")


def main(target: Path = Path("results")) -> None:
    top = tippe_top()
    print(top.verify())
    stands, inverted = thresholds(**SIZES)
    print(f"stands on its heavy side up to {stands:.6g} rad/s, on its head from {inverted:.6g} rad/s on")
    branch = top.stability.steady_motion(fixed={"w3": 150.0}).follow("w3", 10, 100, points=60)
    print(f"found, on its head: {branch.critical[0]}")
    tilted = {"q0": 0.1, "q1": sqrt(1 - 0.1**2), "q2": 0, "q3": 0, "w1": 0, "w2": 0, "w3": 200.0}
    run = top.simulate({**tilted, "x": 0, "y": 0, "x'": 0, "y'": 0}, until=6, tolerance=1e-9)
    cosine = 1 - 2 * (run["q1"] ** 2 + run["q2"] ** 2)
    print(f"its axis points down at first, {float(cosine[0]):.2f}, and up in the end, {float(cosine[-1]):.2f}")
    target.mkdir(exist_ok=True)
    run.plot(of=["q1", "w3", "energy"])[0].figure.savefig(target / "tippe_top.png")


if __name__ == "__main__":
    main()
