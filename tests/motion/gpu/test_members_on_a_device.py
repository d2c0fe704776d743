"""Ensembles by a kernel, compiled for the CPU from the text that a GPU gets, against ensembles on every core."""

from __future__ import annotations

import shutil

import numpy as np
import pytest
from numpy.testing import assert_allclose

import anholonomy as ah
from anholonomy.catalogue import ENTRIES, chaplygin_sleigh
from tests.wording import blames

pytestmark = pytest.mark.skipif(
    not any(map(shutil.which, ("g++", "clang++", "c++"))), reason="there is no C++ compiler"
)
STARTS = {"x": 0, "y": 0, "theta": 0, "x'": 1, "theta'": np.linspace(-2, 2, 41)}


def test_members_are_those_of_the_cpu() -> None:
    asked = {"times": [0, 5, 20], "parameters": {"a": np.linspace(0.1, 0.3, 41)}, "tolerance": 1e-10}
    here, there = (chaplygin_sleigh().ensemble(STARTS, **asked, device=device) for device in ("cpu", "c++"))
    for name in ("x", "theta", "y'", "theta'"):
        assert_allclose(there[name], here[name], rtol=0, atol=1e-8)
    assert list(there.outcomes) == list(here.outcomes)


def test_events_end_the_same_members() -> None:
    asked = {"until": 20, "events": {"turned": "theta - 1"}, "stop": "turned"}
    here, there = (chaplygin_sleigh().ensemble(STARTS, **asked, device=device) for device in ("cpu", "c++"))
    assert_allclose(there.data["stop_time"], here.data["stop_time"], rtol=0, atol=1e-7)
    assert there.is_complete == here.is_complete
    assert list(there.outcomes) == list(here.outcomes)


def test_members_whose_speeds_wear_out_go_on_elsewhere() -> None:
    skate = ah.System(
        name="skate",
        coordinates=["x", "y", "theta"],
        lagrangian="(x'^2 + y'^2 + theta'^2)/2",
        constraints=["x'*sin(theta) = y'*cos(theta)"],
        speeds=["x'", "theta'"],
    )
    starts = {"x": 0, "y": 0, "theta": 0, "x'": 1, "theta'": [0.1, 1.0, 2.0]}
    runs = skate.ensemble(starts, until=3, device="c++")
    w = np.array(starts["theta'"])
    assert_allclose(runs["x"].values[:, -1], np.sin(3 * w) / w, atol=1e-8)


def test_a_group_stays_on_itself() -> None:
    starts = {**ENTRIES["chaplygin-ball"].start, "w1": np.linspace(0.5, 1, 5)}
    runs = ah.catalogue.chaplygin_ball().ensemble(starts, until=3, device="c++")
    norm = sum(runs[f"q{k}"] ** 2 for k in range(4))
    assert_allclose(norm, 1, rtol=0, atol=1e-14)


@pytest.mark.parametrize(
    ("words", "names"),
    [
        ({"device": "tpu"}, ("tpu", "device")),
        ({"precision": "single"}, ("CPU",)),
        ({"device": "c++", "precision": "half"}, ("double", "single")),
        ({"device": "c++", "max_step": 0.1}, ()),
    ],
)
def test_other_devices_are_refused(words, names) -> None:
    with blames(ah.Error, *names):
        chaplygin_sleigh().ensemble(STARTS, until=1, **words)
