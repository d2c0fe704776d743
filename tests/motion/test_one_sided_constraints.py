"""One-sided constraints declared by hand, and events in forces, accelerations and energy."""

from __future__ import annotations

import numpy as np
import pytest

import anholonomy as ah
from tests.wording import blames

SWING = {"x": 0, "z": -1, "x'": 6.0, "z'": 0}


def on_string(**words) -> ah.System:
    """The string is slack where 1 - x^2 - z^2 > 0, so it pushes inwards."""
    return ah.System(
        name="on a string", coordinates=["x", "z"], lagrangian="m*(x'^2 + z'^2)/2 - m*g*z",
        constraints={"string": "1 - x^2 - z^2 = 0"}, parameters={"m": 2.0, "g": 9.81},
        **{"one_sided": ["string"], **words},
    )  # fmt: skip


@pytest.mark.parametrize("by", ["hamel", "lagrange-dalembert", "udwadia-kalaba"])
def test_a_string_goes_slack_at_its_angle(by: str) -> None:
    """From the bottom with the speed v: height above the centre (v^2/g - 2)/3."""
    run = on_string().simulate(SWING, times=[0, 1], stop="string lost", by=by)
    assert abs(float(run["z"][-1]) - (36 / 9.81 - 2) / 3) < 1e-11


def test_the_motion_goes_on_where_the_string_would_not() -> None:
    run = on_string().simulate(SWING, until=1.5)
    assert list(run.events["event"].values) == ["string lost"] * run.events.size
    assert run.events.size == ((run.multipliers[:-1, 0].values > 0) & (run.multipliers[1:, 0].values < 0)).sum()
    assert run.contact_losses == {"string": run.events.values.tolist()}


def test_two_sided_constraints_lose_nothing() -> None:
    run = on_string(one_sided=()).simulate(SWING, until=1.5)
    assert run.events.size == 0
    assert "one_sided" not in run.data.attrs


def test_a_force_that_jumps_is_lost_at_the_jump() -> None:
    """A weight on the ground, and a pull that is switched on at t = 1/3."""
    lifted = ah.System(
        name="lifted", coordinates=["x", "z"], lagrangian="(x'^2 + z'^2)/2 - 3*z", constraints={"ground": "z = 0"},
        forces={"z": "2 + 2*sign(t - 1/3)"}, one_sided=["ground"],
    )  # fmt: skip
    run = lifted.simulate({"x": 0, "z": 0, "x'": 1, "z'": 0}, until=1)
    np.testing.assert_allclose(run.events.values, [1 / 3], atol=1e-12)


@pytest.mark.parametrize("swing", [0.5, -1.7])
def test_losses_are_found_across_charts(swing: float) -> None:
    """A blade whose declared directions have a pole at every quarter turn, and a force on the ground that swings."""
    system = ah.System(
        name="blade on the ground", coordinates=["x", "y", "theta", "h"], lagrangian="(x'^2 + y'^2 + theta'^2 + h'^2)/2",
        constraints={"blade": "y'*cos(theta) - x'*sin(theta) = 0", "ground": "h = 0"}, parameters={"s": swing},
        forces={"h": "sin(t + s) - 1/2"}, one_sided=["ground"], span=[["1", "tan(theta)", "0", "0"], ["0", "0", "1", "0"]],
    )  # fmt: skip
    start = {"x": 0, "y": 0, "theta": 0.1, "h": 0, "x'": 1.0, "theta'": 1.2}
    run = system.simulate(start, until=12)
    assert run.data.attrs["charts"] > 1
    losses = np.pi / 6 + 2 * np.pi * np.arange(-2, 3) - swing
    expected = losses[(losses > 0) & (losses < 12)]
    np.testing.assert_allclose(run.events.values, expected, atol=1e-11)
    end = {name: float(run[name][-1]) for name in start} | {"t": 12.0}
    back = system.simulate(end, until=0, project=True)
    np.testing.assert_allclose(back.events.values, expected[::-1], atol=1e-11)


def test_events_ask_for_forces_accelerations_and_energy() -> None:
    """On the circle 2*lambda = m (v^2 - g z) and x'' = -2*lambda*x/m, with the energy m v^2/2 + m g z."""
    run = on_string().simulate(
        SWING,
        until=0.5,
        events={
            "force": "lambda1 - 20",
            "force by hand": "m*(x'^2 + z'^2 - g*z)/2 - 20",
            "acceleration": "x'' + 15",
            "acceleration by hand": "-2*lambda1*x/m + 15",
            "reaction": "reaction_x + 2*lambda1*x + t - 1/4",
            "energy": "energy - m*(x'^2 + z'^2)/2 - m*g*z + t - 1/4",
            "never": "energy - 1",
        },
    )
    at = {str(name): float(t) for name, t in zip(run.events["event"].values, run.events.values, strict=True)}
    assert set(at) == {
        "string lost",
        "force",
        "force by hand",
        "acceleration",
        "acceleration by hand",
        "reaction",
        "energy",
    }
    assert at["force"] == pytest.approx(at["force by hand"], abs=1e-12)
    assert at["acceleration"] == pytest.approx(at["acceleration by hand"], abs=1e-12)
    assert [at["reaction"], at["energy"]] == pytest.approx([0.25, 0.25], abs=1e-12)


def test_multipliers_are_numbered_as_declared() -> None:
    """Of constraints that follow from others some are not integrated; the others keep their numbers."""
    table = ah.System(
        name="plank", coordinates=["x", "z", "phi"], lagrangian="(x'^2 + z'^2 + phi'^2)/2 - 9.81*z",
        constraints={"left": "z - phi = 0", "middle": "z = 0", "right": "z + phi = 0", "wall": "x' = 0"},
        forces={"x": "t - 1"}, one_sided=["left", "middle", "right", "wall"], redundant="keep",
    )  # fmt: skip
    start = {"x": 0, "z": 0, "phi": 0, "x'": 0, "z'": 0, "phi'": 0}
    run = table.simulate(start, until=2, events={"push": "lambda4"})
    # Three legs share a weight as they like, so that only the wall's force is known.
    assert list(run.events["event"].values) == ["push", "wall lost"]
    np.testing.assert_allclose(run.events.values, [1.0, 1.0], atol=1e-12)
    with blames(ah.errors.UnknownNameError):
        table.simulate(start, until=2, stop="left lost")


def test_a_vakonomic_motion_has_no_multipliers_to_watch() -> None:
    run = on_string().simulate({**SWING, "mu1": 0.1}, until=0.1, by="vakonomic")
    assert "one_sided" not in run.data.attrs
    with blames(ah.errors.UnknownNameError, "vakonomic"):
        on_string().simulate({**SWING, "mu1": 0.1}, until=0.1, by="vakonomic", stop="string lost")


def test_one_sided_constraints_survive_files(tmp_path) -> None:
    on_string().save(tmp_path / "string.toml")
    again = ah.load(tmp_path / "string.toml")
    assert again.model.one_sided == ("string",)
    run = again.simulate(SWING, until=1.5)
    run.save(tmp_path / "run.nc")
    assert ah.load(tmp_path / "run.nc").contact_losses == run.contact_losses
    assert run.system.model.one_sided == ("string",)


@pytest.mark.parametrize(
    ("words", "names"),
    [
        ({"one_sided": ["rope"]}, ("rope",)),
        ({"one_sided": "string"}, ()),
        ({"one_sided": 3}, ()),
    ],
)
def test_unknown_labels_are_refused(words: dict, names: tuple[str, ...]) -> None:
    with blames(ah.errors.DeclarationError, *names):
        on_string(**words)


@pytest.mark.parametrize(
    ("options", "names"),
    [
        ({"events": {"string lost": "x"}}, ()),
        ({"events": {"e": "lambda2"}}, ("lambda1",)),
        ({"stop": "rope lost"}, ("string lost",)),
    ],
)
def test_bad_watches_are_refused(options: dict, names: tuple[str, ...]) -> None:
    with blames(ah.errors.UnknownNameError, *names):
        on_string().simulate(SWING, until=1, **options)


def test_the_legs_of_a_table_share_its_weight_in_no_certain_way() -> None:
    """Whichever legs are dropped as redundant, none is said to be lost."""
    table = ah.bodies.RigidBody("table", mass=1, inertia=[1, 1, 2], centre=[0.2, 0.2, 0])
    legs = [(-0.5, 0.5), (-0.5, -0.5), (0.5, -0.5), (0.5, 0.5)]
    system = ah.System(
        name="table", bodies=[table], gravity=9.81, redundant="drop",
        contacts=[ah.bodies.Sliding(table, surface=ah.bodies.Sphere(0.1, at=[x, y, 0]), on=ah.bodies.Plane()) for x, y in legs],
    )  # fmt: skip
    assert (len(system.constraints), system.model.one_sided) == (3, ())
    start = {"x": 0, "y": 0, "z": 0.1, "q0": 1, "q1": 0, "q2": 0, "q3": 0, "x'": 1, "y'": 0, "w3": 0.3}
    run = system.simulate(start, until=1)
    assert run.is_complete
