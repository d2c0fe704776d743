"""The linear part along motions, against closed forms and two neighbours."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import anholonomy as ah
from anholonomy.catalogue import ENTRIES, chaplygin_ball, leaning_disc
from tests.wording import blames


def test_a_driven_pendulum_has_the_matrix_of_the_hand() -> None:
    pendulum = ah.System(
        name="shaken", coordinates=["a"], lagrangian="a'^2/2 + (1 + 0.3*cos(3*t))*cos(a)", forces={"a": "-0.2*a'"}
    )
    run = pendulum.simulate({"a": 1, "a'": 0}, until=5)
    lin = pendulum.linearize(run)
    t, a = run.time.values, run["a"].values
    assert lin.A.sel(rate="a'", of="a").values == pytest.approx(-(1 + 0.3 * np.cos(3 * t)) * np.cos(a), abs=1e-12)
    assert lin.A.sel(rate="a'", of="a'").values == pytest.approx(-0.2)
    assert "1001 times from 0 to 5" in str(lin)


@pytest.mark.parametrize(
    ("system", "start"),
    [
        (leaning_disc(), dict(ENTRIES["leaning-disc"].start)),
        (chaplygin_ball(), dict(ENTRIES["chaplygin-ball"].start)),
    ],
    ids=["disc", "ball"],
)  # fmt: skip
def test_neighbours_move_by_the_matrices(system: ah.System, start: dict[str, float]) -> None:
    """The linear equation integrated through the matrices, against two motions a hair apart."""
    from scipy.interpolate import CubicSpline

    until, hair = 0.8, 1e-6
    base = system.simulate(start, times=np.linspace(0, until, 401))
    lin = system.linearize(base)
    name = next(each for each in lin.labels if each in ("theta'", "w1"))
    place = lin.labels.index(name)
    course = CubicSpline(lin.times, lin.matrices)
    moved = solve_ivp(lambda t, v: course(t) @ v, (0, until), np.eye(len(lin.labels))[place], rtol=1e-10, atol=1e-12).y[
        :, -1
    ]
    ends = []
    for sign in (1, -1):
        other = {**{k: float(base[k][0]) for k in start}, name: float(base[name][0]) + sign * hair}
        run = system.simulate(other, times=[0, until])
        ends.append(np.array([float(run[label][-1]) for label in lin.labels]))
    assert (ends[0] - ends[1]) / (2 * hair) == pytest.approx(moved, abs=2e-6 * max(1.0, np.abs(moved).max()))
    assert (lin.condition < 1e4).all()


def test_the_motion_of_another_system_is_refused() -> None:
    disc, ball = leaning_disc(), chaplygin_ball()
    run = disc.simulate(dict(ENTRIES["leaning-disc"].start), until=0.1)
    with blames(ah.Error):
        ball.linearize(run)
