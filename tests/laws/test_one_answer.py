"""One question has one answer, whatever words it is written in, and a search that ended early says so first."""

from time import monotonic

import numpy as np
import pytest

import anholonomy as ah
from anholonomy.errors import StateError


@pytest.mark.parametrize("name", ["rattleback", "whipple_bicycle"])
def test_a_search_that_ended_early_says_so_first(name: str) -> None:
    """The energy is conserved: that none is there must not be printed, and where it is found it is told."""
    system = getattr(ah.catalogue, name)()
    first, second, *_ = str(system.conserved(time_limit=1e-3)).splitlines()
    assert "the search ended early" in first
    assert "no conserved quantity" not in first
    assert "gave up" in second
    page = system.analyse(only=["conserved", "moving_energy"], time_limit=5)
    assert page["conserved"][0].kind == "energy"
    assert page["moving_energy"].law is not None


def test_time_that_ran_out_while_time_was_a_coordinate_is_told() -> None:
    """x' exp(t) takes longer than the rest."""
    drag = ah.System(
        name="drag",
        coordinates=["x", "y", "theta"],
        lagrangian="m/2*(x'^2 + y'^2) + I/2*theta'^2",
        forces={"x": "F*cos(theta)", "y": "F*sin(theta)", "theta": "-c*theta'"},
        parameters={"m": 1, "I": 1, "F": 1, "c": 1},
    )
    whole, early = drag.conserved(), drag.conserved(time_limit=0.5)
    assert early.gave_up
    assert len(early) <= len(whole)
    # I*theta' + c*theta is constant along the motion, where theta is counted.
    (law,) = whole.on_cover
    assert law.coefficients is None
    run = drag.simulate({"x": 0, "y": 0, "theta": 0, "x'": 0, "y'": 0, "theta'": 2}, 3.0)
    assert np.ptp(law.along(run).values) < 1e-9
    assert "theta counted beyond a full turn" in str(law)
    assert "and 1 on a cover" in str(whole).splitlines()[0]


WHEELS = ("", " + 2*pi/3", " + 4*pi/3")


def omni(wheels: tuple[str, ...]) -> ah.System:
    alpha = {"alpha": 0.2} if "alpha" in wheels[0] else {}
    return ah.System(
        name="omni",
        coordinates={"x": "length", "y": "length", "theta": "angle"} | {f"phi{k}": "angle" for k in range(1, 4)},
        lagrangian="m/2*(x'^2 + y'^2) + I/2*theta'^2 + J/2*(phi1'^2 + phi2'^2 + phi3'^2)",
        constraints=[
            f"r*phi{k}' = -sin(theta{at})*x' + cos(theta{at})*y' + l*theta'" for k, at in enumerate(wheels, start=1)
        ],
        parameters={"m": 1, "I": 1, "J": 0.1, "r": 0.1, "l": 0.5} | alpha,
    )


@pytest.mark.parametrize(
    "wheels",
    [
        WHEELS,
        (" + pi/4", " + 11*pi/12", " - 5*pi/12"),
        (" + alpha", " + alpha + 2*pi/3", " + alpha - 2*pi/3"),
    ],
)
def test_three_wheels_turn_by_what_the_vehicle_turns(wheels: tuple[str, ...]) -> None:
    """The sum of the constraints is r (phi1' + phi2' + phi3') = 3 l theta', and theta'' = 0."""
    system = omni(wheels)
    laws = system.conserved(degree=1)
    at = {"x": 0.3, "y": 0.2, "theta": 0.5, "phi1": 1.0, "phi2": 2.0, "phi3": 4.0, "x'": 0.5, "y'": 0.3, "theta'": 0.7}
    values = [abs(law(at)) for law in laws]
    assert np.isclose(values, 0.7).any()
    assert np.isclose(values, abs(3 * 0.5 * 0.5 - 0.1 * 7.0)).any()
    assert len(laws) >= 4


def test_a_double_pole_on_the_way_is_told_at_once() -> None:
    """y' exp(tan x) is constant between the poles of the tangent."""
    pole = ah.System(
        name="pole",
        coordinates=["x", "y"],
        lagrangian="x'^2/2 + y'^2/2",
        forces={"y": "-x'*y'/cos(x)^2"},
        parameters=[],
    )
    laws = pole.conserved(degree=1)
    law = next(law for law in (*laws, *laws.on_cover) if law.coefficients is not None)
    at = {"x": 1.0, "y": 0.0, "x'": 1.0, "y'": 1.0}
    assert np.isclose(law(at), np.exp(np.tan(1.0)))
    begin = monotonic()
    for x in (2.0, 100.0, 1e6, 1e12):
        with pytest.raises(StateError):
            law({**at, "x": x})
    assert monotonic() - begin < 10


def test_a_question_ends_when_its_time_is_over() -> None:
    for name in ("rattleback", "snakeboard", "rolling_ball", "off_axle_trailer"):
        system = getattr(ah.catalogue, name)()
        for verb in (system.conserved, system.moving_energy):
            verb(time_limit=0.05)  # imports and caches
            begin = monotonic()
            verb(time_limit=2)
            assert monotonic() - begin < 2.6
