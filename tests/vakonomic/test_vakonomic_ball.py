r"""The ball on a rotating table, which Lewis and Murray compared with an experiment: verdict and exceptional families.

The attitude of the table seen from the ball is the inverse of that of the ball, and its velocity minus the angular velocity in space, so that
no attitude is left in the equations: $\dot x = -rw_2 - \Omega y$, $\dot y = rw_1 + \Omega x$.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import anholonomy as ah
from anholonomy.catalogue import ball_on_turntable
from anholonomy.language import to_text

VALUES = {"m": 1.0, "I": 0.1, "r": 0.5, "Omega": 2.0}
K = 0.1 / (0.1 + 1.0 * 0.5**2)
IDENTITY = {"q0": 1, "q1": 0, "q2": 0, "q3": 0}


def ball(parameters: Any) -> ah.System:
    return ah.System(
        name="ball on a rotating table",
        group="SO3",
        coordinates=["x", "y"],
        kinetic=["I", "I", "I", "m", "m"],
        constraints={"x": "x' = -r*w2 - Omega*y", "y": "y' = r*w1 + Omega*x"},
        parameters=parameters,
        speeds={"u": "x'", "v": "y'", "n": "-w3"},
    )


@pytest.mark.exhaustive
def test_it_is_the_ball_of_the_catalogue() -> None:
    start = IDENTITY | {"x": 1.0, "y": 0.3}
    w = np.array([0.7, -0.4, 0.9])
    here = ball_on_turntable(**VALUES).simulate(start | dict(zip(("w1", "w2", "w3"), w.tolist(), strict=True)), until=4)
    there = ball(VALUES).simulate(start | dict(zip(("w1", "w2", "w3"), (-w).tolist(), strict=True)), until=4)
    assert max(float(abs(here[q] - there[q]).max()) for q in "xy") < 1e-11


def test_no_motion_is_vakonomic_but_two_families() -> None:
    """A centre at rest in space, and circles about the axle at the ball's own rate, the ball spinning as the table turns."""
    answer = ball(list(VALUES)).compare_vakonomic()
    assert answer.verdict is ah.Verdict.REFUTED
    assert "Omega = 0" in str(answer.finding)  # on a table at rest every motion is
    found = [{s.name: to_text(value) for s, value in each.equations} for each in answer.exceptions]
    assert found == [
        {"u": "0", "v": "0"},
        {"n": "Omega", "u": "-I*Omega*y/(m*r^2 + I)", "v": "I*Omega*x/(m*r^2 + I)"},
    ]


def state(x: float, y: float, u: float, v: float, n: float) -> dict[str, float]:
    r, W = VALUES["r"], VALUES["Omega"]
    return IDENTITY | {"x": x, "y": y, "w1": (v - W * x) / r, "w2": -(u + W * y) / r, "w3": -n}


@pytest.mark.parametrize(
    ("start", "said"),
    [
        (state(1.0, 0.5, 0.0, 0.0, 3.0), True),
        (state(0.7, 0.0, 0.0, K * 2.0 * 0.7, 2.0), True),
        (state(0.7, 0.0, 0.0, K * 2.0 * 0.7, 2.5), False),
        (state(0.7, 0.0, 0.3, 0.0, 2.0), False),
    ],
)
def test_along_motions_the_best_multiplier_agrees(start: dict[str, float], said: bool) -> None:
    system = ball(VALUES)
    run = system.simulate(start, until=3)
    assert system.compare_vakonomic().check(run).verdict is ah.Verdict.of(said)
    assert system.compare_vakonomic(run).verdict is ah.Verdict.of(said)


def test_on_a_table_at_rest_every_motion_is_vakonomic() -> None:
    answer = ball(VALUES | {"Omega": 0.0}).compare_vakonomic()
    assert answer.verdict is ah.Verdict.PROVEN
    assert answer.explanation == "reactions"
