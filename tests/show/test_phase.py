"""Phase portraits, momenta and reactions as figures."""

from __future__ import annotations

import numpy as np
import pytest

import anholonomy as ah
from tests.wording import blames

SLEIGH = {"x": 0, "y": 0, "theta": 0, "x'": -1, "theta'": 1}
PENDULUM = ah.System(
    name="pendulum",
    coordinates={"theta": "angle"},
    lagrangian="m*l^2*theta'^2/2 + m*g*l*cos(theta)",
    parameters={"m": 1.0, "l": 1.0, "g": 9.81},
    units={"m": "kg", "l": "m"},
)


@pytest.fixture(scope="module")
def run():
    sleigh = ah.catalogue.chaplygin_sleigh().with_parameters(m=2.0)
    return ah.System._of(sleigh.model.replaced(units=(("m", "kg"),))).simulate(SLEIGH, until=5)


def test_velocities_are_drawn_against_their_coordinates(run) -> None:
    axes = run.plot("phase")
    assert [(ax.get_xlabel(), ax.get_ylabel()) for ax in axes][2] == (r"$\theta$ (rad)", r"$\dot{\theta}$ (rad/s)")
    x, y = axes[0].lines[0].get_data()
    assert np.array_equal(x, run["x"])
    assert np.array_equal(y, run["x'"])


def test_momenta_are_those_of_the_lagrangian(run) -> None:
    axes = run.plot("momenta")
    drawn = {line.get_label(): line.get_ydata() for ax in axes for line in ax.lines}
    assert np.allclose(drawn["$p_{x}$"], run["m*(x' - a*sin(theta)*theta')"], rtol=1e-13, atol=1e-13)
    assert np.allclose(drawn[r"$p_{\theta}$"], run["(I + m*a^2)*theta'"], rtol=1e-12, atol=1e-13)
    assert [ax.get_ylabel() for ax in axes] == ["momenta (kg m/s)", "momenta (kg m²/s)"]


def test_reactions_have_units_and_no_rounding(run) -> None:
    axes = run.plot("reactions")
    drawn = {line.get_label(): line.get_ydata() for ax in axes for line in ax.lines}
    assert np.allclose(drawn["$R_{y}$"], run["reaction_y"])
    assert not drawn[r"$R_{\theta}$"].any()
    assert [ax.get_ylabel() for ax in axes] == ["reactions (N)", "reactions (N m)"]


def test_words_are_figures_only_where_they_name_nothing_else(run, tmp_path) -> None:
    run.plot("energy", tmp_path / "energy.svg")
    assert (tmp_path / "energy.svg").stat().st_size > 1000
    assert run.plot(["energy"])[0].get_ylabel() == "(J)"
    with blames(ah.errors.NotSupportedError, "reactions"):
        PENDULUM.simulate({"theta": 1, "theta'": 0}, until=1).plot("reactions")


def test_a_portrait_has_a_curve_for_every_start_and_keeps_energy() -> None:
    ax = PENDULUM.stability.phase_portrait({"theta": [-1.0, 0.5, 2.0], "theta'": [-7.0, 1.0]}, until="2 s")
    curves = [line.get_data() for line in ax.lines if line.get_linestyle() == "-"]
    assert len(curves) == 6
    assert ax.get_xlabel() == r"$\theta$ (rad)"
    for theta, rate in curves:
        energy = rate**2 / 2 - 9.81 * np.cos(theta)
        assert np.nanmax(abs(energy - energy[0])) < 1e-9
        assert np.nanmax(abs(theta)) <= np.pi


@pytest.mark.parametrize(
    ("over", "names"),
    [
        ({}, ()),
        ({"theta": [1.0]}, ()),
        ({"theta": [1.0] * 30, "theta'": [0.0] * 30}, ("900",)),
    ],
)
def test_what_makes_no_portrait_is_refused(over, names) -> None:
    with blames(ah.Error, *names):
        PENDULUM.stability.phase_portrait(over, until=1)
