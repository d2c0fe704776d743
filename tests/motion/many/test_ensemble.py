"""Many motions at once: every member is the motion that `simulate` finds, and closed forms where there are some."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import xarray as xr

import anholonomy as ah
from anholonomy.catalogue import chaplygin_ball, chaplygin_sleigh, skate
from tests.wording import blames

M = 60


def sleigh_starts(count=M):
    rng = np.random.default_rng(3)
    theta, u = rng.uniform(0, 6, count), rng.uniform(-1, 1, count)
    return {
        "x": 0,
        "y": 0,
        "theta": theta,
        "x'": u * np.cos(theta),
        "y'": u * np.sin(theta),
        "theta'": rng.uniform(-2, 2, count),
    }


def difference(system, runs, i):
    alone = system.simulate(runs.start(i), times=runs.data["time"].values, parameters=runs.parameters(i))
    names = [s.name for s in (*system.coordinates, *system.velocities)]
    return max(float(abs(alone[name].values - runs[name].values[i]).max()) for name in names)


def test_sleighs_have_their_closed_form():
    r"""$u' = a\omega^2$ and $u^2 + J\omega^2 = c^2$, $J = I/m + a^2$, so that $u = c\tanh(act/J + \operatorname{artanh}(u_0/c))$."""
    given, a = sleigh_starts(), np.linspace(0.1, 0.4, M)
    times = np.linspace(0, 20, 21)
    runs = chaplygin_sleigh().ensemble(given, times=times, parameters={"a": a}, tolerance=1e-11)
    u0, omega0 = given["x'"] * np.cos(given["theta"]) + given["y'"] * np.sin(given["theta"]), given["theta'"]
    J = 0.3 + a**2
    c = np.sqrt(u0**2 + J * omega0**2)
    u = c[:, None] * np.tanh((a * c / J)[:, None] * times + np.arctanh(u0 / c)[:, None])
    assert runs["u"].dims == ("member", "time")
    assert abs(runs["u"].values - u).max() < 1e-9
    assert abs(runs["x'*cos(theta) + y'*sin(theta)"].values - u).max() < 1e-9
    assert np.array_equal(runs.data["a"].values, a)
    assert runs.is_complete
    assert set(runs.outcomes) == {"the motion was integrated to the end"}


@pytest.mark.parametrize("tolerance", [1e-7, 1e-12])
def test_members_are_the_motions_that_simulate_finds(tolerance):
    system = chaplygin_sleigh()
    runs = system.ensemble(sleigh_starts(), until=10, tolerance=tolerance)
    assert max(difference(system, runs, i) for i in range(0, M, 13)) < 100 * tolerance


def test_on_a_group_with_redundant_coordinates():
    rng, system = np.random.default_rng(1), chaplygin_ball()
    q = rng.normal(size=(M, 4))
    q /= np.linalg.norm(q, axis=1)[:, None]
    given = dict(zip(("q0", "q1", "q2", "q3"), q.T, strict=True)) | {
        "x": 0,
        "y": 0,
        "w1": rng.normal(size=M),
        "w2": 0.5,
        "w3": 1,
    }
    runs = system.ensemble(given, times=[0, 2, 5], tolerance=1e-11)
    assert max(difference(system, runs, i) for i in range(0, M, 29)) < 1e-8
    assert abs(sum(runs[name] ** 2 for name in ("q0", "q1", "q2", "q3")) - 1).max() < 1e-14
    assert abs(runs["energy"] - runs["energy"].isel(time=0)).max() < 1e-9


def test_backward_in_time_and_again():
    system = skate()
    runs = system.ensemble({"x": 0, "y": 0, "theta": 0, "x'": 1, "theta'": [0.5, 1.0]}, until=-3)
    assert abs(runs["theta"].isel(time=-1) - [-1.5, -3.0]).max() < 1e-13


def test_only_what_is_kept_is_there_and_the_rest_is_named():
    runs = chaplygin_sleigh().ensemble(sleigh_starts(), until=5, keep=["energy", "lambda1"])
    assert set(runs.data.data_vars) == {"energy", "lambda1", "complete", "stop_time", "start"}
    alone = runs.member(7)
    assert abs(alone["lambda1"].values - runs["lambda1"].values[7]).max() < 1e-9
    with blames(ah.errors.UnknownNameError):
        runs["theta"]


def test_tables_and_lists_say_the_same():
    given = sleigh_starts(5)
    columns = {name: np.broadcast_to(value, 5) for name, value in given.items()}
    frame = pd.DataFrame(columns)
    kinds = (
        given,
        frame,
        xr.Dataset({name: ("member", value) for name, value in columns.items()}),
        frame.to_dict("records"),
    )
    runs = [chaplygin_sleigh().ensemble(kind, until=3) for kind in kinds]
    assert all(np.array_equal(each["theta"], runs[0]["theta"]) for each in runs)
    axis = xr.Dataset({"x'": ("theta'", np.ones(3)), "x": 0, "y": 0, "theta": 0}, coords={"theta'": [1.0, 2.0, 3.0]})
    assert chaplygin_sleigh().ensemble(axis, until=3).start(1)["theta'"] == 2
    table = pd.DataFrame({"a": [0.1, 0.2, 0.3, 0.4, 0.5]})
    assert chaplygin_sleigh().ensemble(given, until=3, parameters=table).parameters(3)["a"] == 0.4
    only = chaplygin_sleigh().ensemble(given, times=[2.0])
    assert np.array_equal(only["theta"].values[:, 0], given["theta"])
    # What the constraints determine may be left out.
    less = {name: value for name, value in given.items() if name != "y'"}
    assert abs(chaplygin_sleigh().ensemble(less, until=3)["y"] - runs[0]["y"]).max() < 1e-9


def test_a_motion_does_not_depend_on_who_goes_with_it():
    given = sleigh_starts(40)
    whole = chaplygin_sleigh().ensemble(given, until=20, tolerance=1e-9)
    part = {name: value[17:18] if np.ndim(value) else value for name, value in given.items()}
    assert np.array_equal(chaplygin_sleigh().ensemble(part, until=20, tolerance=1e-9)["x"][0], whole["x"][17])


def test_saved_and_loaded(tmp_path):
    system = chaplygin_sleigh()
    runs = system.ensemble(
        sleigh_starts(4), times=[0, 1, 2], parameters={"a": [0.1, 0.2, 0.3, 0.4]}, keep=["x", "x'/theta'"]
    )
    runs.save(tmp_path / "runs.nc")
    again = ah.load(tmp_path / "runs.nc", system)
    assert again.data.identical(runs.data)
    assert again.parameters(2)["a"] == 0.3
    assert abs(again.member(1)["x"].values - runs["x"].values[1]).max() < 1e-9
    with blames(ah.errors.FileError):
        ah.load(tmp_path / "runs.nc", skate())


def test_a_member_that_blows_up_ends_with_its_own_sentence():
    system = ah.System(name="fall", coordinates=["x"], lagrangian="x'^2/2 + k*x^4/4", parameters={"k": 1.0})
    runs = system.ensemble({"x": [0.0, 1.0, 0.1], "x'": [0.0, 1.0, 0.0]}, times=[0, 1, 4], tolerance=1e-9)
    assert list(runs.data["complete"].values) == [True, False, True]
    assert runs.outcomes[0] == runs.outcomes[2] == "the motion was integrated to the end"
    # x'^2 = (x^4 + 1)/2, so that x is infinite at the time of sqrt(2) times the integral of 1/sqrt(x^4 + 1) from 1
    assert "singular" in runs.outcomes[1]
    assert runs.outcomes[1].endswith("(t = 1.31103)")
    assert np.isfinite(runs["x"].values[1]).tolist() == [True, True, False]


def test_frames_that_fail_are_exchanged_on_the_way():
    """The knife edge written so that its frame divides by cos: members pass the pole in their own time."""
    system = ah.System(
        name="edge", coordinates=["x", "y", "theta"], lagrangian="(x'^2 + y'^2 + theta'^2)/2 - x/3",
        constraints=["x'*sin(theta) = y'*cos(theta)"], span=[["1", "tan(theta)", "0"], ["0", "0", "1"]],
    )  # fmt: skip
    given = {"x": 0, "y": 0, "theta": np.linspace(-1, 1, 12), "x'": 0.3, "theta'": np.linspace(0.5, 1.5, 12)}
    runs = system.ensemble(given, times=np.linspace(0, 8, 9), tolerance=1e-11)
    assert runs.data.attrs["alone"] == 0
    assert max(difference(system, runs, i) for i in (0, 5, 11)) < 1e-7


@pytest.mark.parametrize(
    ("change", "options", "names"),
    [
        ({"x'": np.r_[np.zeros(3), 1.0, np.zeros(6)], "theta": 1.5, "y'": 0}, {}, ("3",)),
        ({"theta": np.zeros(4)}, {}, ()),
        ({"phi": 0}, {}, ("phi",)),
        ({"x": np.r_[np.zeros(9), np.nan]}, {}, ("9", "x")),
        ({}, {"parameters": {"q": 1}}, ("q",)),
        ({}, {"parameters": {"m": np.r_[np.ones(9), 0.0]}}, ("9", "m", "0")),
        ({}, {"keep": ["speed"]}, ("speed",)),
        ({}, {"keep": 3}, ("keep", "3")),
        ({}, {"keep": {"e": "energy"}}, ()),
        ({}, {"client": "tcp"}, ("client", "tcp")),
        ({}, {"tolerance": 0}, ("tolerance", "0")),
        ({}, {"device": "cuda"}, ("device",)),
    ],
)  # fmt: skip
def test_refusals_name_the_member(change, options, names):
    given = sleigh_starts(10) | change
    with blames(ah.Error, *names):
        chaplygin_sleigh().ensemble(given, until=1, **options)


def test_a_start_off_the_constraint_may_be_projected():
    given = {"x": 0, "y": 0, "theta": [0.0, 0.3], "x'": 1, "y'": 0, "theta'": 1}
    runs = chaplygin_sleigh().ensemble(given, until=1, project=True)
    assert abs(runs["x'*sin(theta) - y'*cos(theta)"]).max() < 1e-12


def test_what_does_not_fit_into_memory_is_refused_with_its_size():
    given = {"x": 0, "y": 0, "theta": 0, "x'": 1, "theta'": np.zeros(10**6)}
    with blames(ah.errors.IntegrationError, "GB"):
        skate().ensemble(given, times=np.linspace(0, 1, 10**6))


def test_sine_and_cosine_side_by_side():
    """To the roundings of the steps that sum them, at small, large and special angles."""
    import symengine

    from anholonomy.motion.integrators.lanes import kernel_of
    from anholonomy.programs.program import lower

    x, s, c = symengine.symbols("x s c")
    kernel = kernel_of(lower([x, s, c], [], [], [symengine.Integer(0), symengine.sin(x), symengine.cos(x)]))
    rng = np.random.default_rng(0)
    angles = np.concatenate(
        [rng.uniform(-4, 4, 500), rng.uniform(-1e6, 1e6, 500), np.arange(-20, 20) * np.pi / 4, [0.0, 1e-300]]
    )
    start = np.column_stack([angles, np.zeros_like(angles), np.zeros_like(angles)])
    block = kernel.integrate(
        np.zeros(len(angles)), start, np.zeros((1, 0)), np.array([0.0, 1.0]), 1e-3, np.zeros(1, dtype=np.int64)
    )
    assert abs(block.out[:, -1, 1] - np.sin(angles)).max() < 2e-15
    assert abs(block.out[:, -1, 2] - np.cos(angles)).max() < 2e-15


def test_an_ensemble_is_streamed_to_a_store(tmp_path):
    given, system = sleigh_starts(200), chaplygin_sleigh()
    runs = system.ensemble(given, times=[0, 1, 2], store=tmp_path / "runs.zarr", keep=["theta", "energy"])
    plain = system.ensemble(given, times=[0, 1, 2], keep=["theta", "energy"])
    assert np.array_equal(runs["theta"].values, plain["theta"].values)
    assert runs.start(7) == plain.start(7)
    with blames(ah.errors.FileError, "tolerance"):
        system.ensemble(given, times=[0, 1, 2], store=tmp_path / "runs.zarr", keep=["theta", "energy"], tolerance=1e-6)


def test_a_system_with_inputs_is_refused():
    pushed = ah.System(name="pushed", coordinates=["x"], lagrangian="x'^2/2", forces={"x": "F"}, inputs=["F"])
    with blames(ah.Error, "F"):
        pushed.ensemble({"x": [0, 1], "x'": 0}, until=1)


def test_an_interrupt_keeps_the_blocks_that_are_complete():
    def interrupt(fraction):
        raise KeyboardInterrupt

    runs = chaplygin_sleigh().ensemble(sleigh_starts(5000), until=5, progress=interrupt)
    missing = np.isnan(runs.data["stop_time"].values)
    assert 0 < missing.sum() < 5000
    assert set(runs.outcomes[missing]) == {"not computed: the run was interrupted before this member"}
    assert set(runs.outcomes[~missing]) == {"the motion was integrated to the end"}
    assert np.isfinite(runs["x"].values[~missing]).all()


def test_members_that_had_arrived_are_kept_of_a_block_that_was_interrupted(monkeypatch):
    from anholonomy.motion.driver import devices as running

    def wait_and_interrupt(*given, **words):
        wait(*given, **words)
        raise KeyboardInterrupt

    given = sleigh_starts(5000)
    whole = chaplygin_sleigh().ensemble(given, until=20)
    wait = running.wait
    monkeypatch.setattr(running, "wait", wait_and_interrupt)
    runs = chaplygin_sleigh().ensemble(given, until=20)
    there = runs.data["complete"].values
    assert 0 < there.sum() < 5000
    assert np.array_equal(runs["theta"].values[there], whole["theta"].values[there])
    assert np.isnan(runs["theta"].values[~there]).all()
    assert set(runs.outcomes[~there]) == {"not computed: the run was interrupted before this member"}
    turned = chaplygin_sleigh().ensemble(given, until=20, events={"turned": "theta - 7"})
    assert not turned.data["complete"].any()  # none of whose events were looked for to the end
    assert turned.events.size == 0


def test_a_shift_that_is_not_normal_to_the_frame():
    """Of an affine constraint that depends on time, the velocities of a start have their speeds after the shift."""
    system = ah.System(
        name="shifted",
        coordinates=["x", "y", "z"],
        lagrangian="(x'^2 + y'^2 + z'^2)/2 - y*z",
        constraints=["y' = z*x' + w*cos(t)"],
        parameters={"w": 0.7},
    )
    starts = [{"x": 0, "y": 0, "z": 1 + 0.3 * i, "x'": 0.5, "z'": 0.2, "t": 0.4} for i in range(3)]
    runs = system.ensemble(starts, until=2)
    for i, start in enumerate(starts):
        one = system.simulate(start, times=[0.4, 2])
        np.testing.assert_allclose(runs["y'"].values[i], one["y'"].values, atol=1e-10)
        np.testing.assert_allclose(runs["x"].values[i], one["x"].values, atol=1e-10)
