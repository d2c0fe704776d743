"""The hands-free circular motions of the benchmark bicycle, as Basu-Mandal, Chatterjee and Papadopoulos (2007) describe them.

(i) handlebar forward, from the capsize speed to a rest, upright with the front wheel nearly across; (ii) handlebar reversed, from its own
capsize speed to a spin of the bicycle that lies flat, infinitely fast; (iii) from such a spin with the handlebar forward, by a pivoting about
the rear contact, to circles at infinite speed with the handlebar reversed. Small sections of two families are stable.

Every motion is tried by Newton's and Euler's equations of the parts, written here by hand, too.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

import anholonomy as ah

pytestmark = pytest.mark.exhaustive

UP = np.array([0.0, 0, 1])
OVER = np.diag([1.0, -1, -1])
"""From the benchmark's axes, z down, to z up."""


def turn(axis: np.ndarray, angle: float) -> np.ndarray:
    """Rodrigues."""
    cross = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    return np.eye(3) + math.sin(angle) * cross + (1 - math.cos(angle)) * cross @ cross


def what_is_left(state: dict[str, float]) -> float:
    """Of no slip and of balance, for the best forces at the two contacts, beside the weight: zero for a motion in a circle."""
    w, c, tilt, g, back, front = 1.02, 0.08, math.pi / 10, 9.81, 0.3, 0.35
    lean = turn(np.array([1.0, 0, 0]), state["roll"])
    frame = lean @ turn(np.array([0.0, 1, 0]), state["pitch"])
    own_axis = np.array([math.sin(tilt), 0, -math.cos(tilt)])
    fork, axis = frame @ turn(own_axis, state["steer"]), frame @ own_axis
    hub = lean @ np.array([0, 0, back])
    joint = hub + frame @ np.array([w + c, 0, -back])
    front_hub = joint - fork @ np.array([c, 0, -front])
    axle, front_axle = frame[:, 1], fork[:, 1]
    level = UP - (front_axle @ UP) * front_axle
    touch = front_hub - front * level / np.linalg.norm(level)
    O = state["theta'"] * UP
    glide = np.array([state["x'"], state["y'"], 0])
    round_ = lambda a, b: np.diag([a, b, a])
    parts = {  # mass, place, axes, inertia, its own spin
        "R": (2.0, hub, frame, round_(0.0603, 0.12), state["rear_turn'"] * axle),
        "B": (85.0, hub + frame @ [0.3, 0, 0.9 - back], frame, OVER @ [[9.2, 0, 2.4], [0, 11, 0], [2.4, 0, 2.8]] @ OVER, 0 * UP),
        "H": (4.0, front_hub + fork @ [0.9 - w, 0, 0.7 - front], fork,
              OVER @ [[0.05892, 0, -0.00756], [0, 0.06, 0], [-0.00756, 0, 0.00708]] @ OVER, 0 * UP),
        "F": (3.0, front_hub, fork, round_(0.1405, 0.28), state["front_turn'"] * front_axle),
    }  # fmt: skip
    pull, twist = {}, {}
    for name, (m, r, axes, inertia, spin) in parts.items():
        pull[name] = m * (np.cross(O, glide + np.cross(O, r)) + g * UP)
        twist[name] = np.cross(O, axes @ inertia @ axes.T @ (O + spin))
    slips = [
        glide + np.cross(O, hub) + np.cross(O + parts["R"][4], -hub),
        glide + np.cross(O, front_hub) + np.cross(O + parts["F"][4], touch - front_hub),
    ]

    def about(point: np.ndarray, names: tuple[str, ...]) -> np.ndarray:
        return sum(np.cross(parts[k][1] - point, pull[k]) + twist[k] for k in names)

    def lever(r: np.ndarray) -> np.ndarray:
        return np.cross(r, np.eye(3), axisb=0, axisc=0)

    zero = np.zeros((3, 3))
    left = np.vstack([
        np.hstack([np.eye(3), np.eye(3)]),
        np.hstack([zero, lever(touch)]),
        axis @ np.hstack([zero, lever(touch - joint)]),
        axle @ np.hstack([lever(-hub), zero]),
        front_axle @ np.hstack([zero, lever(touch - front_hub)]),
    ])  # fmt: skip
    right = np.concatenate([
        sum(pull.values()), about(np.zeros(3), "RBHF"),
        [axis @ about(joint, "HF"), axle @ twist["R"], front_axle @ twist["F"]],
    ])  # fmt: skip
    forces = np.linalg.lstsq(left, right, rcond=None)[0]
    weight = max(np.abs(right).max(), 94 * g)
    return max(
        np.abs(left @ forces - right).max() / weight, np.abs(slips).max() / (1 + abs(state["x'"])), abs(touch[2])
    )


def test_the_hand_sees_a_motion_that_is_no_circle(bike: ah.System) -> None:
    steady = bike.stability.steady_motion(fixed={"roll": 0.6}, near=PIVOTING)
    assert what_is_left(steady.state) < 1e-11
    for name in ("steer", "theta'", "rear_turn'", "roll"):
        assert what_is_left({**steady.state, name: 1.01 * steady.state[name]}) > 1e-4


PIVOTING = {"roll": 0.6, "steer": 0.47, "x'": 3.0, "rear_turn'": 10.0, "front_turn'": 10.0, "theta'": -2.0}


@pytest.fixture(scope="module")
def bike() -> ah.System:
    return ah.catalogue.whipple_bicycle()


def circles(
    bike: ah.System, lean: float, near: dict[str, float], low: float, high: float
) -> tuple[ah.answers.SteadyFamily, dict]:
    branch = bike.stability.steady_motion(fixed={"roll": lean}, near={"roll": lean, **near}).follow(
        "roll", low, high, points=60
    )
    columns = {name: branch.data["state"].sel(name=name).values for name in branch.origin.field.names}
    for k in range(0, len(branch), 7):
        assert what_is_left({name: column[k] for name, column in columns.items()}) < 1e-9
    return branch, columns


def stays(bike: ah.System, steady: ah.answers.SteadyMotion, until: float, push: float = 0.0) -> float:
    """How far roll and steer are from the steady motion at the end."""
    start = {**steady.state, "roll'": push} if push else steady.state
    run = bike.simulate(start, until=until, project=bool(push))
    return max(abs(float(run[name][-1]) - steady.state[name]) for name in ("roll", "steer"))


def test_handlebar_forward_from_capsize_to_rest(bike: ah.System) -> None:
    near = {"steer": 0.01, "x'": 6.0, "rear_turn'": 20.0, "front_turn'": 17.1, "theta'": -0.08}
    branch, at = circles(bike, 0.05, near, 1e-3, 1)
    assert branch.folds[0] == pytest.approx(0.420089250821, rel=1e-9)
    speed = 0.3 * at["rear_turn'"]
    assert speed.max() == pytest.approx(6.02426201538837, abs=1e-5)
    slow = int(np.argmin(np.abs(speed)))
    assert abs(at["roll"][slow]) < 0.02
    assert math.degrees(at["steer"][slow]) == pytest.approx(
        76, abs=2
    )  # about the tilted axis: nearly across on the ground
    assert "stable" not in branch.verdicts
    assert stays(bike, branch[len(branch) // 3], 0.5) < 1e-8


def test_handlebar_reversed_from_its_capsize_to_a_flat_spin(bike: ah.System) -> None:
    straight = bike.stability.steady_motion(
        fixed={"x'": 5.0}, near={"steer": math.pi, "rear_turn'": 5 / 0.3, "front_turn'": -5 / 0.35}
    ).follow("x'", 4, 9, points=11)
    weave, capsize = straight.critical
    assert (weave.kind, capsize.kind) == ("Hopf", "real")
    assert straight.branch_points == pytest.approx([capsize.value], rel=1e-11)
    near = {"steer": 3.15, "x'": 7.9, "rear_turn'": 26.3, "front_turn'": -22.6, "theta'": -0.06}
    branch, at = circles(bike, 0.05, near, 1e-3, 1.5)
    assert 0.3 * at["rear_turn'"][np.argmin(at["roll"])] == pytest.approx(capsize.value, abs=1e-4)
    flat = int(np.argmax(at["roll"]))
    assert at["roll"][flat] == pytest.approx(1.5)
    assert abs(at["steer"][flat] - math.pi) < 0.03
    assert abs(at["theta'"][flat]) > 6
    # A small section of it is stable: a push is forgotten there.
    begin, end = (each.value for each in branch.critical)
    assert (begin, end) == pytest.approx((0.6258697603, 0.8104775193), rel=1e-8)
    stable = [k for k, verdict in enumerate(branch.verdicts) if verdict == "stable"]
    inside = branch[stable[-len(stable) // 3]]
    assert inside.is_stable()
    assert stays(bike, inside, 40, push=1e-3) < 1e-3


def test_by_pivoting_from_a_flat_spin_to_endless_speed_with_the_handlebar_reversed(bike: ah.System) -> None:
    branch, at = circles(bike, 0.6, PIVOTING, -1.5, 1.45)
    flat, fast = int(np.argmax(at["roll"])), int(np.argmax(np.abs(at["theta'"])))
    assert abs(at["steer"][flat]) < 0.05
    # The rear wheel stands still on the way, and the bicycle is virtually upright then.
    turns = np.flatnonzero(np.diff(np.sign(at["rear_turn'"])))
    assert len(turns) == 1
    assert abs(at["roll"][turns[0]]) < 0.03
    assert 1 < abs(at["theta'"][turns[0]]) < 3
    assert abs(at["theta'"][fast]) > 10
    assert at["steer"][fast] == pytest.approx(math.pi / 2, abs=0.15)  # ahead of π/2 by the tilt: reversed
    assert abs(at["roll"][fast]) < 0.11
    assert branch.folds == pytest.approx([-0.481073108], rel=1e-8)


def test_the_other_way_round_the_third_family_has_a_stable_section_too(bike: ah.System) -> None:
    near = {"steer": 2.61, "x'": 3.28, "rear_turn'": 10.9, "front_turn'": -11.3, "theta'": 2.14}
    branch, _ = circles(bike, -0.47, near, -0.49, -0.3)
    stable = [k for k, verdict in enumerate(branch.verdicts) if verdict == "stable"]
    assert stable
    changes = np.array([each.value for each in branch.critical])
    for value in (-0.4675969445309, -0.480181909429834):
        assert np.abs(changes - value).min() < 1e-9
    assert stays(bike, branch[stable[len(stable) // 2]], 40, push=1e-3) < 1e-3
