"""Files that were written before the classes were renamed (commit 153c002) are read, continued and resumed as they were then.

`old_files` has two declarations and, in `motions.zip`, motions of one of them: `motion.nc` up to t = 1, with an input and an event; the same
continued to t = 2; one by a discrete method; an ensemble; a sweep; and the store of a sweep over 300 values that was interrupted.
"""

from __future__ import annotations

import zipfile
from pathlib import Path

import numpy as np
import pytest

import anholonomy as ah
from anholonomy.catalogue import ball_in_cylinder

HERE = Path(__file__).parent / "old_files"
START = {"x": 0, "y": 0, "theta": 0, "x'": 1}
FEEDBACK = {"F": "-x/2"}

# What the software of then computed.
CONTINUED = 1.421527428069382
LAST_X = [0.9556086566717508, 0.9412463590579431]
PEAKS = [
    0.41603296861185907,
    0.8290207920505752,
    1.2360215168526378,
    0.36202625099620467,
    0.7164825222617033,
    1.0565384036815937,
]
SPEEDS = {0: 0.9086254534787994, 100: 0.9630110217517714, 299: 1.1428778527123309}


@pytest.fixture
def files(tmp_path: Path) -> Path:
    with zipfile.ZipFile(HERE / "motions.zip") as packed:
        packed.extractall(tmp_path)
    return tmp_path


def sled() -> ah.System:
    return ah.System(
        name="sled", coordinates=["x", "y", "theta"],
        lagrangian="m*((x' - a*sin(theta)*theta')^2 + (y' + a*cos(theta)*theta')^2)/2 + I*theta'^2/2",
        constraints={"blade": "y'*cos(theta) = x'*sin(theta)"}, parameters={"m": 2.0, "a": 0.25, "I": 0.5},
        forces={"x": "F*cos(theta)", "y": "F*sin(theta)"}, inputs=["F"], start={"x": 0, "y": 0, "theta": "pi/6", "x'": 1, "theta'": 0.5},
    )  # fmt: skip


def test_declarations() -> None:
    assert ah.load(HERE / "sled.toml") == sled()
    assert ah.load(HERE / "ball_in_cylinder.toml") == ball_in_cylinder()
    for name in ("sled", "ball_in_cylinder"):
        assert ah.load(HERE / f"{name}.toml").to_toml().strip() == (HERE / f"{name}.toml").read_text("utf-8").strip()


def test_a_motion(files: Path) -> None:
    run = ah.load(files / "motion.nc")
    assert run.system == sled()
    assert run.time.values.tolist() == [0.0, 0.5, 1.0]
    assert run.is_complete
    assert run.events["event"].values.tolist() == ["turned"]
    again = run.system.simulate(times=[0, 0.5, 1], inputs=FEEDBACK)
    for name in ("x", "theta'", "energy", "lambda1", "reaction_x"):
        np.testing.assert_allclose(run[name].values, again[name].values, rtol=1e-12, atol=1e-12)
    assert abs(float(run.at(0.75)["x"][0]) - float(again.at(0.75)["x"][0])) < 1e-12


def test_a_motion_that_is_continued(files: Path) -> None:
    on = ah.load(files / "motion.nc").continue_to(2)
    then = ah.load(files / "continued.nc")
    assert abs(float(then["x"][-1]) - CONTINUED) < 1e-15
    assert abs(float(on["x"][-1]) - CONTINUED) < 1e-12
    np.testing.assert_array_equal(on.time.values, then.time.values)
    assert then.continue_to(3).time.values[-1] == 3.0


def test_a_motion_in_steps(files: Path) -> None:
    steps = ah.load(files / "discrete.nc")
    system = sled().with_inputs(F=0)
    again = system.simulate(until=0.3, step=0.1, integrator="dla-midpoint")
    assert steps.system == system
    np.testing.assert_allclose(steps.data["q"].values, again.data["q"].values, atol=1e-12)


def test_an_ensemble(files: Path) -> None:
    runs = ah.load(files / "ensemble.nc")
    assert runs.is_complete
    assert runs.stopped_count == 0
    np.testing.assert_allclose(runs["x"].values[:, -1], LAST_X, rtol=1e-15)
    assert abs(float(runs.member(1)["x"][-1]) - LAST_X[1]) < 1e-11
    assert runs.start(1)["theta'"] == 1.0


def test_a_sweep(files: Path) -> None:
    runs = ah.load(files / "sweep.nc")
    assert runs.varied == ("a", "theta'")
    assert {name: axis.tolist() for name, axis in runs.axes.items()} == {"a": [0.1, 0.2], "theta'": [0.5, 1.0, 1.5]}
    np.testing.assert_allclose(runs["peak"].values, PEAKS, rtol=1e-15)
    assert runs.chart("speed").data.shape == (2, 3)
    assert runs.parameters(3)["a"] == 0.2


def test_a_sweep_that_was_interrupted_is_resumed(files: Path) -> None:
    before = ah.load(files / "interrupted.zarr")
    missing = np.isnan(before["speed"].values)
    assert 0 < missing.sum() < 300
    seen: list[float] = []
    runs = sled().sweep(
        {"theta'": np.linspace(0.5, 1.5, 300)}, start=START, until=1, inputs=FEEDBACK, summaries={"speed": "u1"},
        store=files / "interrupted.zarr", progress=seen.append,
    )  # fmt: skip
    assert runs.is_complete
    assert seen[0] > 1 - missing.mean()
    assert {k: float(runs["speed"][k]) for k in SPEEDS} == pytest.approx(SPEEDS, rel=1e-14)
    np.testing.assert_array_equal(runs["speed"].values[~missing], before["speed"].values[~missing])
