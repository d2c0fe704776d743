"""Three plans: a car parks, a unicycle finds its way among crates, a car backs two trailers into a bay.

python docs/pictures/plans.py [folder] draws them; a second argument, such as gif, makes films as well.
"""

from __future__ import annotations

import sys
from pathlib import Path

import anholonomy as ah


def block(left: float, right: float, low: float, high: float) -> str:
    """Outside a block with slightly rounded corners."""
    x, y = (left + right) / 2, (low + high) / 2
    return f"((x - ({x}))/{(right - left) / 2})^6 + ((y - ({y}))/{(high - low) / 2})^6 >= 1"


def beside(x: str, y: str, heading: str, ahead: float, left: float) -> dict[str, str]:
    """A point of a body: so far ahead of (x, y), and so far to the left."""
    return {
        "x": f"{x} + {ahead}*cos({heading}) - ({left})*sin({heading})",
        "y": f"{y} + {ahead}*sin({heading}) + ({left})*cos({heading})",
    }


def car() -> ah.System:
    """A car by its rear axle (x, y), its heading theta and the angle phi of its front wheels."""
    wheels = [(beside("x", "y", "theta", a, b), "theta + phi" if a else "theta") for a in (0, 1) for b in (0.3, -0.3)]
    return ah.System(
        name="car",
        coordinates={"x": "length", "y": "length", "theta": "angle", "phi": "angle"},
        lagrangian="m/2*(x'^2 + y'^2) + J/2*theta'^2 + K/2*phi'^2",
        constraints={
            "rear": "x'*sin(theta) = y'*cos(theta)",
            "front": "L*theta'*cos(phi) = (x'*cos(theta) + y'*sin(theta))*sin(phi)",
        },
        parameters={"m": 1.0, "J": 0.5, "K": 0.1, "L": 1.0},
        span=[["cos(theta)", "sin(theta)", "tan(phi)/L", "0"], ["0", "0", "0", "1"]],
        speeds=["v", "steer"],
        scene=[
            {"shape": "plane"},
            {
                "shape": "box",
                "position": [*beside("x", "y", "theta", 0.5, 0).values(), "0.28"],
                "rotation": [["z", "theta"]],
                "length": "1.6",
                "width": "0.6",
                "height": "0.25",
            },
            *(
                {
                    "shape": "wheel",
                    "position": [*place.values(), "0.15"],
                    "rotation": [["z", turn]],
                    "radius": "0.15",
                    "thickness": "0.1",
                }
                for place, turn in wheels
            ),
            {"shape": "trail", "position": ["x", "y", "0"]},
        ],
    )


def parking() -> ah.answers.Plan:
    """Into a gap half as long again as the car, between two others and a kerb."""
    rim = [
        (-0.3, -0.35),
        (0.25, -0.35),
        (0.8, -0.35),
        (1.3, -0.35),
        (1.3, 0.35),
        (0.8, 0.35),
        (0.25, 0.35),
        (-0.3, 0.35),
    ]
    return car().plan(
        {"x": 1.9, "y": 1.0, "theta": 0, "phi": 0},
        {"x": 0, "y": 0, "theta": 0, "phi": 0},
        cost="1 + v^2 + steer^2",
        bounds={"v": (-1, 1), "steer": (-1, 1), "phi": (-0.6, 0.6)},
        obstacles=[block(-2.3, -0.7, -0.35, 0.35), block(1.7, 3.3, -0.35, 0.35), "y >= -0.45"],
        body=[beside("x", "y", "theta", *point) for point in rim],
    )


def among_crates() -> ah.answers.Plan:
    """A unicycle between four crates."""
    crates = [(1.0, 0.3, 0.5), (2.2, -0.6, 0.6), (2.6, 1.0, 0.5), (3.8, 0.1, 0.5)]
    return ah.catalogue.skate().plan(
        {"x": 0, "y": 0, "theta": 0},
        {"x": 5, "y": 0.5, "theta": 0},
        cost="1 + u^2 + omega^2",
        bounds={"u": (-1, 1), "omega": (-1, 1)},
        obstacles=[f"(x - {x})^2 + (y - ({y}))^2 >= {r}^2" for x, y, r in crates],
    )


def into_a_bay() -> ah.answers.Plan:
    """A car with two trailers drives past a bay and backs into it."""
    x, y, left, right = "x", "y", list[dict[str, str]](), list[dict[str, str]]()
    for heading in ("theta0", "theta1", "theta2"):
        if heading != "theta0":
            x, y = f"{x} - cos({heading})", f"{y} - sin({heading})"
        left += (beside(x, y, heading, ahead, 0.3) for ahead in (0.3, -0.3))
        right += (beside(x, y, heading, ahead, -0.3) for ahead in (0.3, -0.3))
    return ah.catalogue.n_trailer(2).plan(
        {"x": -1.5, "y": 1.2, "theta0": 0, "theta1": 0, "theta2": 0},
        {"x": 0, "y": -0.6, "theta0": "pi/2", "theta1": "pi/2", "theta2": "pi/2"},
        cost="1 + v^2 + omega^2",
        bounds={"v": (-1, 1), "omega": (-1, 1)},
        obstacles=[
            block(-4.5, -0.6, -4.2, 0),
            block(0.6, 4.5, -4.2, 0),
            "y <= 2.6",
            "cos(theta0 - theta1) >= 0.3",
            "cos(theta1 - theta2) >= 0.3",
        ],
        body=[*left, *reversed(right)],
        tolerance=1e-5,
        time_limit=300,
    )


PLANS = {"parking": parking, "among_crates": among_crates, "into_a_bay": into_a_bay}


def main(folder: str = str(Path(__file__).parent.parent / "_static"), film: str = "") -> None:
    for name, make in PLANS.items():
        plan = make()
        print(plan.verdict)
        plan.plot(Path(folder) / f"plan_{name}.png")
        if film:
            plan.animate(Path(folder) / f"plan_{name}.{film}")


if __name__ == "__main__":
    main(*sys.argv[1:3])
