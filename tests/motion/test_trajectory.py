"""A motion is a labelled dataset that says where it came from and survives a file."""

from __future__ import annotations

import json

import numpy as np
import pytest
import xarray as xr

import anholonomy as ah
from anholonomy.catalogue import chaplygin_sleigh
from anholonomy.motion.dataset.one_motion import SCHEMA, VARIABLES

START = {"x": 0, "y": 0, "theta": 0, "x'": 1, "theta'": 0.5}


@pytest.fixture(scope="module")
def run():
    return chaplygin_sleigh().simulate(START, until=5)


def pendulum():
    return ah.System(
        name="pendulum", coordinates=["x", "y"], lagrangian="(x'^2 + y'^2)/2 - g*y",
        constraints={"rod": "x^2 + y^2 = 1"}, parameters={"g": 9.81},
    )  # fmt: skip


def test_dimensions_and_labels(run):
    data = run.data
    for name, dimension in VARIABLES.items():
        if name not in ("position", "costate", "momentum", "vakonomic_energy", "input"):
            assert data[name].dims == (("time", dimension) if dimension else ("time",))
    assert data["coordinate"].values.tolist() == ["x", "y", "theta"]
    assert data["direction"].values.tolist() == ["x'", "y'", "theta'"]
    assert data["constraint"].values.tolist() == ["blade"]
    assert data.sizes["time"] == 1001
    assert all(data[name].dtype == float for name in data.data_vars)


def test_attributes_say_where_it_came_from(run):
    attrs = run.data.attrs
    assert attrs["schema"] == SCHEMA
    assert attrs["system"] == "Chaplygin sleigh"
    assert attrs["principle"] in ("kane", "hamel")
    assert json.loads(attrs["parameters"]) == {"m": 1.0, "I": 0.3, "a": 0.2}
    assert attrs["integrator"] == "taylor"
    assert attrs["integrator_reason"]
    assert attrs["steps"] > 0
    assert attrs["charts"] == 1
    assert run.is_complete
    assert run.is_complete
    assert run.system == chaplygin_sleigh()


def test_overridden_parameters_are_recorded():
    run = chaplygin_sleigh(m=None).simulate(START, times=[0, 1], parameters={"m": 2.0, "a": 0.1})
    assert json.loads(run.data.attrs["parameters"]) == {"m": 2.0, "I": 0.3, "a": 0.1}
    expected = chaplygin_sleigh(m=2.0, a=0.1).simulate(START, times=[0, 1])
    np.testing.assert_array_equal(run.data["q"], expected.data["q"])


def test_names_of_the_user(run):
    for name in ("x", "theta", "x'", "theta'", "theta''", "energy", "time"):
        assert run[name].dims == ("time",)
    assert run["multiplier"].dims == ("time", "constraint")
    np.testing.assert_array_equal(run["theta'"], run.data["velocity"].sel(direction="theta'"))
    np.testing.assert_array_equal(run["theta''"], run.data["acceleration"].sel(direction="theta'"))
    assert run["theta"].sel(time=2.5) == run.data["q"].sel(time=2.5, coordinate="theta")


def test_velocities_are_the_derivatives(run):
    """Central differences on the grid."""
    h = float(run.time[1] - run.time[0])
    for name in ("x", "y", "theta", "x'", "theta'"):
        slope = (run[name].values[2:] - run[name].values[:-2]) / (2 * h)
        np.testing.assert_allclose(slope, run[name + "'"].values[1:-1], atol=1e-4)


def test_reactions_are_multipliers_times_rows(run):
    theta = run["theta"].values
    row = np.stack([-np.sin(theta), np.cos(theta), 0 * theta], axis=1)
    np.testing.assert_allclose(run.reactions, run.multipliers.values * row, atol=1e-13)


def test_positions_of_held_constraints():
    run = pendulum().simulate({"x": 0.6, "y": -0.8, "x'": 0, "y'": 0}, times=[0, 0.5, 1])
    assert run.data["position"].dims == ("time", "held")
    assert run.data["held"].values.tolist() == ["rod"]
    assert float(abs(run.data["position"]).max()) < 1e-13


def test_nothing_to_hold():
    run = ah.System(name="free", coordinates=["x"], lagrangian="x'^2/2").simulate({"x": 0, "x'": 2}, times=[0, 1])
    assert run.constraint_residual.shape == (2, 0)
    assert run.multipliers.shape == (2, 0)
    assert "constraint" not in run.data.dims
    np.testing.assert_allclose(run["x"], [0, 2], atol=1e-15)


@pytest.mark.parametrize(
    "make",
    [
        lambda: chaplygin_sleigh().simulate(START, until=1),
        lambda: pendulum().simulate({"x": 0.6, "y": -0.8, "x'": 0, "y'": 0}, times=[0, 0.5]),
    ],
)
def test_a_file_holds_all_of_it(make, tmp_path):
    run = make()
    run.save(tmp_path / "run.nc")
    again = ah.load(tmp_path / "run.nc")
    xr.testing.assert_identical(again.data, run.data)
    assert again.data.attrs == run.data.attrs
    assert again.system == run.system
    assert [p.name for p in tmp_path.iterdir()] == ["run.nc"]
    run.save(tmp_path / "run.nc")
    xr.testing.assert_identical(ah.load(tmp_path / "run.nc").data, run.data)


def test_irregular_times():
    times = [0, 1e-9, 0.3, 0.30001, 2.5, 7]
    run = chaplygin_sleigh().simulate(START, times=times)
    np.testing.assert_array_equal(run.time, times)
    dense = chaplygin_sleigh().simulate(START, until=7)
    np.testing.assert_allclose(run["theta"][-1], dense["theta"][-1], rtol=1e-14)
    assert float(run["x"].sel(time=1e-9)) == pytest.approx(1e-9)


def test_one_time_is_the_start():
    run = chaplygin_sleigh().simulate(START, times=[3.0])
    assert run.is_complete
    assert run["theta'"].values.tolist() == [0.5]
    assert run["y'"].values.tolist() == [0.0]


def test_a_start_at_another_time():
    system = ah.System(name="driven", coordinates=["x"], lagrangian="x'^2/2", forces={"x": "2*t"})
    run = system.simulate({"x": 0, "x'": 0, "t": 1}, until=2)
    assert float(run.time[0]) == 1.0
    assert float(run["x'"][-1]) == pytest.approx(3, abs=1e-14)
    np.testing.assert_allclose(system.simulate({"x": 0, "x'": 0}, times=[1, 2])["x'"][-1], 3, atol=1e-14)


def test_backward_in_time_and_back():
    system = chaplygin_sleigh()
    back = system.simulate(START, until=-3)
    assert float(back.time[-1]) == -3.0
    assert back.is_complete
    last = {name: float(back[name][-1]) for name in ("x", "y", "theta", "x'", "y'", "theta'")}
    again = system.simulate({**last, "t": -3}, until=0)
    for name, value in START.items():
        assert float(again[name][-1]) == pytest.approx(value, abs=1e-13)


@pytest.mark.parametrize("integrator", ["taylor", "runge-kutta", "scipy"])
def test_an_interruption_keeps_the_motion_so_far(integrator):
    """Ctrl-C while an endless oscillation is computed, here from the callback."""
    seen = []

    def progress(fraction):
        seen.append(fraction)
        raise KeyboardInterrupt

    system = ah.System(name="oscillator", coordinates=["x"], lagrangian="x'^2/2 - x^2/2")
    times = np.append(np.linspace(0, 5, 51), 1e8)
    run = system.simulate({"x": 1, "x'": 0}, times=times, tolerance=1e-10, integrator=integrator, progress=progress)
    assert len(seen) == 1
    assert not run.is_complete
    assert "interrupted" in run.outcome
    kept = run.data.sizes["time"]
    assert kept > 0
    assert run.time[-1] < times[-1]
    np.testing.assert_allclose(run["x"][: kept - 1], np.cos(times[: kept - 1]), atol=1e-8)


def test_a_coordinate_by_itself_is_what_xarray_makes_of_it(run):
    alone = run["x"]
    expected = xr.DataArray(alone.values, coords={"time": run.data["time"].values}, dims=("time",), name="x")
    assert alone.identical(expected)
    assert alone.sel(time=1.0, method="nearest").identical(expected.sel(time=1.0, method="nearest"))
    assert (alone + run["y"]).identical(expected + run["y"])
