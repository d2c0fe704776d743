"""Inputs at the command line: a signal for each, or a sentence."""

from __future__ import annotations

import numpy as np
import pytest

import anholonomy as ah


@pytest.fixture
def arm(tmp_path):
    path = tmp_path / "arm.toml"
    ah.System(
        name="arm",
        coordinates=["phi"],
        lagrangian="phi'^2/2",
        forces={"phi": "tau"},
        inputs=["tau"],
        start={"phi": 1, "phi'": 0},
    ).save(path)
    return path


def test_simulate_takes_feedback(run, arm, tmp_path):
    done = run("simulate", arm, "--until", "2", "--input", "tau=-4*phi", "-o", tmp_path / "run.nc")
    assert done.code == 0
    motion = ah.load(tmp_path / "run.nc")
    assert float(motion["phi"][-1]) == pytest.approx(np.cos(4.0), abs=1e-13)
    assert float(motion["tau"][0]) == -4
    assert run("simulate", tmp_path / "run.nc", "--until", "3", "-o", tmp_path / "longer.nc").code == 0
    assert float(ah.load(tmp_path / "longer.nc")["phi"][-1]) == pytest.approx(np.cos(6.0), abs=1e-13)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ((), "the input tau has no signal"),
        (("--input", "tau=-4*psi"), "which the system does not know"),
        (("--input", "sigma=1", "--input", "tau=1"), "has no input 'sigma'"),
    ],
)
def test_what_is_no_signal_is_refused(run, arm, more, said):
    done = run("simulate", arm, "--until", "2", *more)
    assert done.code in (1, 2)
    assert said in done.err.replace("\n", " ")
