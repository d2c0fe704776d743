"""Systems on groups: Euler's and Suslov's equations, every principle, and redundant coordinates that stay where they belong."""

from __future__ import annotations

import numpy as np
import pytest

import anholonomy as ah


def free_top() -> ah.System:
    return ah.System(
        name="free top", group=ah.SO3(), kinetic=["I1", "I2", "I3"], parameters={"I1": 1.0, "I2": 2.0, "I3": 3.0}
    )


def mixed() -> ah.System:
    """A group beside coordinates, with constraints that depend on the attitude and on time, and forces on both."""
    return ah.System(
        name="mixed", group="SO3", coordinates=["x", "y"], kinetic=["I1", "I2", "I3", "m", "m"],
        potential="m*g*R33*x", constraints=["x' = r*(R12*w1 + R22*w2)", "y' = r*w3*R31 + t"],
        forces={"w1": "-w1", "x": "y"}, parameters={"I1": 1, "I2": 2, "I3": 1.5, "m": 1, "r": 0.5, "g": 3},
    )  # fmt: skip


def test_eulers_equations() -> None:
    assert str(free_top().derive()).splitlines()[1:] == [
        "  I1*w1' = (I2 - I3)*w2*w3",
        "  I2*w2' = (I3 - I1)*w1*w3",
        "  I3*w3' = (I1 - I2)*w1*w2",
    ]


@pytest.mark.parametrize("make", [free_top, mixed])
def test_every_principle_that_takes_a_frame_agrees(make) -> None:
    verification = make().verify(states=3)
    assert verification.agree, str(verification)
    assert len(verification.principles) >= 9


def test_a_tumbling_body_keeps_energy_momentum_and_the_sphere() -> None:
    run = free_top().simulate({"q0": 1, "q1": 0, "q2": 0, "q3": 0, "w1": 0.01, "w2": 2, "w3": 0.01}, until=100)
    assert abs(run.energy / run.energy[0] - 1).max() < 1e-13
    assert abs(run.data["position"]).max() < 1e-14
    q, w, group = run.data["q"].values, run.data["velocity"].values, ah.SO3()
    momentum = np.array([group.adjoint(a) @ (b * [1, 2, 3]) for a, b in zip(q, w, strict=True)])
    assert np.ptp(momentum, axis=0).max() < 1e-12


def test_files_hold_the_group(tmp_path) -> None:
    mixed().save(tmp_path / "mixed.toml")
    assert ah.load(tmp_path / "mixed.toml") == mixed()


def test_an_attitude_off_the_sphere_is_refused_or_projected() -> None:
    start = {"q0": 1.1, "q1": 0, "q2": 0, "q3": 0, "w1": 1, "w2": 0, "w3": 0}
    with pytest.raises(ah.InadmissibleState, match=r"unit quaternion.*q0=1"):
        free_top().simulate(start, until=1)
    run = free_top().simulate(start, until=1, project=True)
    assert abs(run["q0"].values[0] - 1) < 1e-15


def test_bad_declarations_are_refused() -> None:
    with pytest.raises(ah.UnknownName, match="there is no group 'SO4'"):
        ah.System(name="a", group="SO4", kinetic=["1"])
    with pytest.raises(ah.IllPosedSystem, match="3 rows"):
        ah.System(name="a", group="SO3", kinetic=["I"], parameters=["I"])
    with pytest.raises(ah.IllPosedSystem, match="w1 is both"):
        ah.System(name="a", group="SO3", kinetic=["w1", 1, 1], parameters=["w1"])
    with pytest.raises(ah.IllPosedSystem, match="use the name R11"):
        ah.SO3() * ah.SO3()
    with pytest.raises(ah.IllPosedSystem, match="no coordinates"):
        ah.System(name="a", lagrangian="1")
