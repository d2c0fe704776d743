"""The constant inputs that a steady motion needs, against closed forms; plans by declared inputs."""

from __future__ import annotations

import numpy as np
import pytest

import anholonomy as ah
from tests.wording import blames

SIZES = {"m": 2.0, "I": 0.5, "a": 0.3, "c": 0.4, "d": 0.2}


def blade() -> ah.System:
    return ah.System(
        name="blade",
        coordinates=["x", "y", "theta"],
        lagrangian="m*(x'^2 + y'^2)/2 + I*theta'^2/2 + m*a*theta'*(y'*cos(theta) - x'*sin(theta))",
        parameters=SIZES,
        constraints=["y'*cos(theta) = x'*sin(theta)"],
        forces={"x": "F*cos(theta) - c*x'", "y": "F*sin(theta) - c*y'", "theta": "T - d*theta'"},
        inputs=["F", "T"],
    )


@pytest.mark.parametrize(("v", "w"), [(2.0, 0.7), (-1.0, 1.5)])
def test_a_turn_needs_the_thrust_and_torque_of_the_hand(v: float, w: float) -> None:
    """m v' = m a w^2 + F - c v and (I) w' = -m a v w + T - d w, at rest."""
    system = blade()
    steady = system.stability.steady_motion(fixed={"x'": v, "theta'": w}, inputs=["F", "T"])
    truth = {"F": 0.4 * v - 0.6 * w**2, "T": 0.2 * w + 0.6 * v * w}
    assert steady.inputs == pytest.approx(truth, rel=1e-12)
    run = system.simulate(steady.state, until=5, inputs=steady.inputs)
    assert run["theta'"].values == pytest.approx(w, abs=1e-10)
    A = system.linearize(at=steady).A
    by_hand = np.array([[-0.4 / 2, 2 * 0.3 * w], [-0.6 * w / 0.5, -(0.2 + 0.6 * v) / 0.5]])
    assert A.values == pytest.approx(by_hand, rel=1e-9)
    assert steady.linearization.eigenvalues == pytest.approx(system.linearize(at=steady).eigenvalues)


def test_a_family_has_its_inputs() -> None:
    branch = (
        blade()
        .stability.steady_motion(fixed={"x'": 2.0, "theta'": 0.5}, inputs=["T", "F"])
        .follow("theta'", 0, 2, points=9)
    )
    w = branch.values
    assert branch.data["inputs"].sel(input="F").values == pytest.approx(0.8 - 0.6 * w**2, abs=1e-10)
    assert branch.data["inputs"].sel(input="T").values == pytest.approx(1.4 * w, abs=1e-10)


def test_a_family_that_folds_has_its_inputs_along_the_arc() -> None:
    """x^2 = F: solved for F along x the family is a parabola; followed along F it turns back."""
    spring = ah.System(
        name="spring", coordinates=["x"], lagrangian="x'^2/2 - x^3/3", forces={"x": "F - x'"}, inputs=["F"]
    )
    branch = spring.stability.steady_motion(fixed={"x": 0.5}, inputs="F").follow("x", -1, 1, points=11)
    assert branch.data["inputs"].sel(input="F").values == pytest.approx(branch.values**2, abs=1e-12)
    folded = spring.stability.steady_motion(fixed={"F": 1.0}, near={"x": 1.0}).follow("F", -1, 2, points=30)
    assert folded.folds == pytest.approx([0.0], abs=1e-9)


def test_an_input_that_is_given_stays() -> None:
    car = ah.System(name="car", coordinates=["x"], lagrangian="x'^2", forces={"x": "F - x'^2/2"}, inputs=["F"])
    steady = car.stability.steady_motion(fixed={"F": 2.0}, near={"x'": 1.0})
    assert steady.state["x'"] == pytest.approx(2.0)
    assert "with F = 2" in str(steady)


@pytest.mark.parametrize(
    ("ask", "names"),
    [
        (lambda s: s.stability.steady_motion(fixed={"x'": 2, "theta'": 1}), ()),
        (lambda s: s.stability.steady_motion(inputs=["G"]), ("inputs", "G")),
        (lambda s: s.stability.steady_motion(fixed={"F": 1}, inputs=["F"]), ("F",)),
        (lambda s: s.stability.steady_motion(fixed={"x'": 1}, inputs=["F"]).follow("F", 0, 1), ("F",)),
        (lambda s: s.plan({}, {"x": 1}, inputs={"x": "G"}), ()),
    ],
)  # fmt: skip
def test_bad_questions_get_a_sentence(ask, names: tuple[str, ...]) -> None:
    with blames(ah.Error, *names):
        ask(blade())


def test_declared_inputs_are_planned_without_a_word() -> None:
    """From rest to rest in unit time with the least effort: a cubic, whose cost is 12."""
    pytest.importorskip("casadi")
    cart = ah.System(name="cart", coordinates=["x"], lagrangian="x'^2/2", forces={"x": "F"}, inputs=["F"])
    plan = cart.plan({"x": 0, "x'": 0}, {"x": 1, "x'": 0}, horizon=1)
    assert plan.cost == pytest.approx(12, rel=1e-8)
    t = plan.run.time.values
    assert plan.run["F"].values == pytest.approx(6 - 12 * t, abs=1e-6)


LATERAL = "(y' + theta'*(({0})*cos(theta) - ({1})*sin(theta)))*cos({2}) = (x' - theta'*(({0})*sin(theta) + ({1})*cos(theta)))*sin({2})"
"""The wheel at a place of the car, with a heading, does not slip aside."""


def four_wheels(linked: bool) -> ah.System:
    """Four wheels, the front ones steered by Ackermann's linkage or each by itself."""
    wheels = {
        "rear left": LATERAL.format("0", "b/2", "theta"),
        "rear right": LATERAL.format("0", "-b/2", "theta"),
        "front left": LATERAL.format("L", "b/2", "theta + dl"),
        "front right": LATERAL.format("L", "-b/2", "theta + dr"),
    }
    return ah.System(
        name="car",
        coordinates=["x", "y", "theta", "dl", "dr"],
        lagrangian="m*(x'^2 + y'^2)/2 + I*theta'^2/2 + J*(dl'^2 + dr'^2)/2",
        parameters={"m": 1.0, "I": 1.0, "J": 0.1, "b": 1.0, "L": 2.0},
        constraints=wheels | ({"linkage": "L*sin(dl - dr) = b*sin(dl)*sin(dr)"} if linked else {}),
        redundant="drop",
    )


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_a_car_with_four_wheels_is_controllable_if_its_axles_meet() -> None:
    car = four_wheels(linked=True)
    for answer in (car.controllability(), car.controllability(at=dict.fromkeys(("x", "y", "theta", "dl", "dr"), 0))):
        assert answer.accessible
        assert answer.small_time
        assert "(2, 3, 4) of 4" in str(answer)
    driven = car.with_forces({"x": "F*cos(theta)", "y": "F*sin(theta)", "dl": "T"}, inputs=["F", "T"])
    assert driven.controllability().small_time
    stuck = four_wheels(linked=False).controllability()
    assert str(stuck.accessible.verdict) == "refuted"  # wheels that disagree lock it: only they themselves turn
    assert "(2) of 5" in str(stuck)
