"""What workers do, asked directly: motions, equations, answers and files agree with the verbs they come from."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from anholonomy import load
from anholonomy.base.errors import Error, UnknownNameError
from anholonomy.catalogue import ENTRIES, chaplygin_sleigh, skate
from anholonomy.studio.worker.__main__ import TASKS
from tests.studio.sled import SLED
from tests.wording import blames


def silent(more: Any) -> None:
    """Nobody listens."""


def words(text: str = "", key: str = "", **more: Any) -> dict[str, Any]:
    begun = TASKS["entry"]({"key": key}, silent) if key else {"declaration": text, "until": 3.0}
    return {**begun, "parameters": {}, "start": {}, "vakonomic": False, **more}


def unpacked(text: str) -> np.ndarray:
    return np.frombuffer(base64.b64decode(text), dtype="<f4")


def test_a_dragged_motion_is_the_one_that_python_computes() -> None:
    found = TASKS["motion"](
        words(key="chaplygin-sleigh", parameters={"m": 2.0}, start={"theta'": 1.5}, until=5.0), silent
    )
    start = {**ENTRIES["chaplygin-sleigh"].start, "theta'": 1.5}
    run = chaplygin_sleigh().with_parameters(m=2.0).simulate(start, until=5.0)
    lengths, angles = (panel["curves"] for panel in found["panels"][:2])
    curves = lengths | {name.removesuffix(" (rad)"): series for name, series in angles.items()}
    assert list(curves) == ["x", "y", "theta"]
    for name, series in curves.items():
        assert unpacked(series)[-1] == pytest.approx(float(run[name][-1]), rel=1e-6)
    assert found["began"]["theta'"] == 1.5
    assert found["films"][0]["frames"] > 100
    assert found["complete"]


def test_a_start_dragged_off_the_constraints_is_put_back() -> None:
    text = SLED + '"y\'" = 0\n"theta\'" = 1\n'
    found = TASKS["motion"](words(text, start={"theta": 0.5}), silent)
    began = found["began"]
    assert began["x'"] * np.sin(0.5) == pytest.approx(began["y'"] * np.cos(0.5), abs=1e-12)


def test_both_dynamics_have_curves() -> None:
    found = TASKS["motion"](words(key="skate", until=3.0, vakonomic=True), silent)
    both = skate().paths.side_by_side(ENTRIES["skate"].start, until=3.0)
    panel = found["panels"][0]
    assert unpacked(panel["beside"]["x"])[-1] == pytest.approx(float(both.vakonomic["x"][-1]), rel=1e-5)
    assert unpacked(panel["curves"]["x"])[-1] != pytest.approx(unpacked(panel["beside"]["x"])[-1], rel=1e-3)
    assert "apart" in found["vakonomic"]


def test_both_dynamics_are_two_films_of_one_clock_or_one() -> None:
    apart = TASKS["motion"](words(key="skate", vakonomic=True), silent)["films"]
    assert [film["caption"] for film in apart] == ["nonholonomic", "vakonomic"]
    assert len({(film["start"], film["end"], film["frames"], film["playback"]) for film in apart}) == 1
    grounds = [next(actor for actor in film["actors"] if actor["kind"] == "plane") for film in apart]
    assert grounds[0] == grounds[1]
    paths = [unpacked(next(a for a in film["actors"] if a["trail"])["position"]).reshape(-1, 3) for film in apart]
    middle, sides = (unpacked(grounds[0][word])[:2] for word in ("position", "scale"))
    every = np.vstack(paths)[:, :2]
    assert (abs(every - middle) < sides / 2).all()
    assert (sides < 1.5 * np.ptp(every, axis=0) + 4 * grounds[0]["step"]).all()
    (both,) = TASKS["motion"](words(key="skate", vakonomic=True, overlay=True), silent)["films"]
    assert len(both["actors"]) == len(apart[0]["actors"]) + len(apart[1]["actors"]) - 1


def test_a_draft_is_the_same_motion_with_fewer_numbers() -> None:
    full, draft = (TASKS["motion"](words(key="rattleback", until=2.0, draft=each), silent) for each in (False, True))
    assert (full["draft"], draft["draft"]) == (False, True)
    assert draft["films"][0]["frames"] < full["films"][0]["frames"] / 2
    for name, series in full["panels"][0]["curves"].items():
        assert unpacked(draft["panels"][0]["curves"][name])[-1] == pytest.approx(unpacked(series)[-1], abs=1e-4)


def test_a_system_without_a_start_begins_at_rest_and_one_without_values_says_so() -> None:
    bare = SLED.partition("[start]")[0]
    assert TASKS["check"](words(bare), silent)["start"] == dict.fromkeys(["x", "y", "theta", "x'", "y'", "theta'"], 0.0)
    assert TASKS["motion"](words(bare, start={"x'": 1.0}), silent)["complete"]
    free = SLED.replace("m = 1.0", 'm = "free"')
    assert TASKS["check"](words(free), silent)["parameters"] == {"m": None, "I": 0.5}
    with blames(Error, "m"):
        TASKS["motion"](words(free + '"theta\'" = 1\ny = 0\ntheta = 0\n'), silent)


def test_inputs_are_dragged_like_parameters() -> None:
    text = """schema = "anholonomy-system-1"
name = "cart"
coordinates = ["x"]
lagrangian = "x'^2/2"
inputs = ["F"]
[forces]
x = "F"
"""
    assert TASKS["check"](words(text), silent)["parameters"] == {"F": 0.0}
    found = TASKS["motion"](words(text, parameters={"F": 2.0}), silent)
    assert unpacked(found["panels"][0]["curves"]["x"])[-1] == pytest.approx(9.0)


def test_equations_and_findings_say_what_python_says() -> None:
    equations = TASKS["equations"](words(key="chaplygin-sleigh", by="hamel"), silent)
    assert equations["text"] == str(chaplygin_sleigh().with_start(ENTRIES["chaplygin-sleigh"].start).derive("hamel"))
    assert equations["formula"].startswith("<math")
    asked = {**words(key="skate"), "question": "conserved", "limit": 20}
    assert "m*" in TASKS["ask"](asked, silent)["text"] or "x'" in TASKS["ask"](asked, silent)["text"]
    assert TASKS["ask"]({**asked, "question": "compare_vakonomic"}, silent)["verdict"] == "refuted"
    with blames(UnknownNameError):
        TASKS["ask"]({**asked, "question": "__class__"}, silent)


@pytest.mark.parametrize("kind", ["toml", "csv", "nc", "python", "c", "modelica", "cuda", "latex", "page"])
def test_files_are_made_with_the_numbers_that_were_dragged(tmp_path: Path, kind: str) -> None:
    asked = words(
        key="skate", parameters={"m": 3.0}, start={"theta'": 0.25}, until=2.0, kind=kind, folder=str(tmp_path)
    )
    made = TASKS["export"](asked, silent)
    path = tmp_path / made["file"]
    assert path.stat().st_size == made["bytes"] > 100
    assert [each.name for each in tmp_path.iterdir()] == [made["file"]]
    if kind == "toml":
        assert (load(path).parameters["m"], load(path).start["theta'"]) == (3.0, 0.25)


@pytest.mark.exhaustive
def test_the_script_runs(tmp_path: Path) -> None:
    import os
    import subprocess
    import sys

    text = SLED.replace('"sled"', '\'a """ b\'') + 'y = 0\ntheta = 0\n"theta\'" = 1\n'
    made = TASKS["export"](words(text, kind="python", folder=str(tmp_path)), silent)
    done = subprocess.run(
        [sys.executable, made["file"]],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env={**os.environ, "MPLBACKEND": "agg"},
    )
    assert done.returncode == 0, done.stderr
    assert "equations of motion" in done.stdout


def test_nothing_else_can_be_made(tmp_path: Path) -> None:
    with blames(UnknownNameError):
        TASKS["export"](words(key="skate", kind="../x", folder=str(tmp_path)), silent)
