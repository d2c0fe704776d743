"""Files asked of the server and downloaded: each opens in what it is for. And workers keep to their limits of memory and time."""

from __future__ import annotations

import html
import io
import json
import shutil
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from anholonomy import load
from anholonomy.show.animation.movie import find_ffmpeg
from tests.studio.sled import SLED

pytestmark = pytest.mark.exhaustive

WHOLE = SLED + 'y = 0\ntheta = 0\n"theta\'" = 1\n'
STEERED = WHOLE.replace('name = "sled"', 'name = "sled"\ninputs = ["F"]\nforces = { x = "F" }')


def made(served, kind: str, declaration: str = WHOLE, **words: Any) -> tuple[str, bytes]:
    """The name and the content of a file that the studio made."""
    given = {"name": "sled", "declaration": declaration, "until": 3.0, "parameters": {}, "start": {}, **words}
    project = served.post("/api/projects", json=given).json()["id"]
    answer = served.post(f"/api/projects/{project}/export", json={**given, "kind": kind})
    found = json.loads(answer.text.splitlines()[-1])
    assert "refused" not in found, found
    file = served.get(f"/api/projects/{project}/exports/{found['file']}")
    assert (file.status_code, len(file.content)) == (200, found["bytes"])
    assert found["file"] in file.headers["content-disposition"]
    assert file.headers["content-type"] == "application/octet-stream"
    return found["file"], file.content


def test_a_gif_moves(served) -> None:
    from PIL import Image

    name, content = made(served, "gif")
    with Image.open(io.BytesIO(content)) as picture:
        assert (picture.format, name) == ("GIF", "sled.gif")
        assert picture.n_frames > 10
        first = np.asarray(picture.convert("RGB"), dtype=int)
        shown = 0
        for frame in range(picture.n_frames):
            picture.seek(frame)
            shown += picture.info["duration"]
        assert shown == pytest.approx(3000, rel=0.05)
        assert abs(np.asarray(picture.convert("RGB"), dtype=int) - first).max() > 50


def test_a_video_can_be_decoded_or_is_not_offered(served, tmp_path) -> None:
    offered = served.get("/api/catalogue").json()["exports"]
    program = find_ffmpeg()
    assert ("mp4" in offered) == (program is not None)
    if program is None:
        pytest.skip("ffmpeg is not installed (the extra `video`)")
    name, content = made(served, "mp4")
    assert content[4:8] == b"ftyp"
    (tmp_path / name).write_bytes(content)
    words = [program, "-v", "error", "-i", name, "-f", "rawvideo", "-pix_fmt", "gray", "pipe:1"]
    decoded = subprocess.run(words, cwd=tmp_path, capture_output=True, check=True).stdout
    frames = np.frombuffer(decoded, dtype="u1").reshape(-1, 480, 640).astype(int)
    assert len(frames) > 10
    assert abs(frames[-1] - frames[0]).max() > 50


def test_a_report_is_one_page_of_the_numbers_that_were_dragged(served) -> None:
    name, content = made(served, "report", STEERED, parameters={"m": 3.0, "F": 0.25})
    text = html.unescape(content.decode("utf-8"))
    assert name == "sled.html"
    assert len(content) < 5_000_000
    assert text.lower().startswith("<!doctype html>")
    assert "m = 3" in text
    assert "along x': 0.25" in text or "along x': 1/4" in text
    assert 'src="http' not in text


def test_code_is_code(served) -> None:
    _, script = made(served, "python")
    compile(script, "sled.py", "exec")
    assert b"\\documentclass" in made(served, "latex")[1]
    assert b"__global__" in made(served, "cuda")[1]
    assert made(served, "modelica")[1].startswith((b"model", b"//", b"within"))
    _, source = made(served, "c")
    if (compiler := shutil.which("cc")) is None:
        pytest.skip("there is no C compiler")
    done = subprocess.run(
        [compiler, "-x", "c", "-fsyntax-only", "-Wall", "-Werror", "-"], input=source, capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_inputs_are_held_where_a_motion_is_made_and_stay_inputs_in_the_declaration(served, tmp_path) -> None:
    _, table = made(
        served, "csv", STEERED.replace("constraints", "# constraints") + '"y\'" = 0\n', parameters={"F": 2.0}
    )
    rows = np.genfromtxt(io.BytesIO(table), delimiter=",", names=True)
    # x' = 1 at first, and the force of 2 on the mass of 1 for three units of time
    assert rows["x"][-1] == pytest.approx(3.0 + 9.0, abs=1e-6)
    name, text = made(served, "toml", STEERED, parameters={"F": 2.0})
    (tmp_path / name).write_bytes(text)
    assert load(tmp_path / name).inputs == ("F",)
    script = made(served, "python", STEERED, parameters={"F": 2.0})[1].decode()
    assert "inputs={'F': 2.0}" in script
    assert "forces" in script
    assert "Q_{x} = F" in made(served, "latex", STEERED)[1].decode()


def test_questions_are_asked_with_the_inputs_held(served) -> None:
    given = {"declaration": STEERED, "until": 1.0, "parameters": {"F": 0.5}, "start": {}, "limit": 20}
    project = served.post("/api/projects", json={**given, "name": "pushed"}).json()["id"]
    asked = served.post("/api/ask", json={**given, "question": "invariant_measure", "project": project})
    found = json.loads(asked.text.splitlines()[-1])
    assert served.get(f"/api/projects/{project}/findings").json() == {"findings": {"invariant_measure": found}}
    stranger = served.post("/api/ask", json={**given, "question": "verify", "project": "../../secret"})
    assert (stranger.status_code, "no project" in stranger.json()["refused"]) == (404, True)
    assert found["held"] == {"F": 0.5}
    assert "with_inputs" not in found["text"]
    reached = json.loads(served.post("/api/ask", json={**given, "question": "controllability"}).text.splitlines()[-1])
    assert (reached["held"], "by F" in reached["text"]) == ({}, True)


@pytest.mark.parametrize(("limit", "status"), [(0.5, 422), (601, 422), (True, 422), ("9", 422)])
def test_nobody_asks_for_longer_than_is_allowed(served, limit: Any, status: int) -> None:
    given = {"declaration": WHOLE, "until": 1.0, "parameters": {}, "start": {}, "question": "conserved", "limit": limit}
    answer = served.post("/api/ask", json=given)
    assert (answer.status_code, "refused" in answer.json()) == (status, True)


_HOG = """
import time, numpy
from anholonomy.studio.worker import __main__ as worker
from anholonomy.studio.worker.__main__ import TASKS
TASKS["hog"] = lambda words, more: {"bytes": numpy.ones(words["bytes"], dtype="u1").nbytes}
TASKS["sleep"] = lambda words, more: time.sleep(words["seconds"])
TASKS["deep"] = lambda words, more: (lambda again: again(again))(lambda again: again(again))
TASKS["fault"] = lambda words, more: {}["missing"]
worker.main()
"""


@pytest.fixture
def worker():
    """A process of the studio with a few bad tasks more."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL, "text": True}
    with subprocess.Popen([sys.executable, "-c", _HOG], **pipes) as process:
        yield process
        process.kill()


def order(process: Any, task: str, limit: float = 60.0, **words: Any) -> Any:
    process.stdin.write(json.dumps({"task": task, "words": words, "limit": limit}) + "\n")
    process.stdin.flush()
    line = process.stdout.readline()
    return json.loads(line) if line else None


def test_a_worker_says_what_went_wrong_goes_on_and_ends_when_its_time_is_over(worker) -> None:
    pytest.importorskip("resource", reason="this system has no limits of memory")
    assert order(worker, "hog", bytes=1000) == {"bytes": 1000}
    assert "not enough memory" in order(worker, "hog", bytes=7 * 1024**3)["refused"]
    assert "nests too deeply" in order(worker, "deep")["refused"]
    assert "at fault here (KeyError" in order(worker, "fault")["refused"]
    assert order(worker, "hog", bytes=2000) == {"bytes": 2000}
    # The system ends it when its time is over, even inside a call that listens to nothing.
    assert order(worker, "sleep", time_limit=0.3, seconds=60) is None
    assert worker.wait(20) != 0


def test_a_worker_ends_with_its_server(worker) -> None:
    assert order(worker, "hog", bytes=10) == {"bytes": 10}
    worker.stdin.write(json.dumps({"task": "sleep", "words": {"seconds": 60}, "limit": 60}) + "\n")
    worker.stdin.close()
    assert worker.wait(20) == 0
