"""The server as a process: one folder, one port, no workers left behind, nobody who waits for ever."""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from time import monotonic, sleep

import httpx
import pytest

from anholonomy.base.errors import FileError, NotSupportedError
from anholonomy.studio.routes import resources
from anholonomy.studio.server import serve
from tests.wording import blames

_PROGRAM = "from anholonomy.cli.main import main; main()"


def start(folder: Path, *words: str) -> tuple[subprocess.Popen[str], str]:
    order = [sys.executable, "-c", _PROGRAM, "studio", "--folder", str(folder), "--no-browser", *words]
    process = subprocess.Popen(order, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    found = re.search(r"http://127\.0\.0\.1:\d+/\?token=\S+", process.stdout.readline())
    return process, found[0] if found else ""


@pytest.fixture
def running(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    process, address = start(tmp_path / "state")
    yield process, address
    process.kill()
    process.communicate()


def children(pid: int) -> list[int]:
    try:
        return [int(each) for each in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except FileNotFoundError:
        return []


def is_alive(pid: int) -> bool:
    try:
        return " Z " not in Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False


def wait_until_gone(pids: list[int]) -> None:
    last = monotonic() + 60
    while any(map(is_alive, pids)) and monotonic() < last:
        sleep(0.05)
    assert not any(map(is_alive, pids))


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs /proc")
@pytest.mark.exhaustive
def test_a_killed_server_leaves_no_workers_and_its_folder_free(running, tmp_path: Path) -> None:
    process, address = running
    base, token = address.split("/?token=")
    client = httpx.Client(base_url=base, headers={"authorization": f"Bearer {token}"}, timeout=90)
    assert len(client.get("/api/catalogue").json()["entries"]) > 30
    workers = children(process.pid)
    assert workers
    # While it runs, nobody else gets its folder.
    with blames(FileError):
        serve(tmp_path / "state", browser=False)
    # A head that never ends, and a body that never comes, are not waited for: others are answered meanwhile.
    slow = [socket.create_connection(("127.0.0.1", int(base.rsplit(":", 1)[1]))) for _ in range(20)]
    for each in slow:
        each.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n")
    assert client.get("/api/projects").status_code == 200
    slow[0].settimeout(60)
    assert slow[0].recv(100) == b""  # the server hangs up
    for each in slow:
        each.close()
    # Files that a report or a question would make, cancelled in the middle: the worker is killed.
    made = client.post("/api/projects", json={"key": "whipple-bicycle"}).json()
    words = {**made, "question": "conserved", "limit": 600}
    with client.stream("POST", "/api/ask", json=words) as answer:
        next(answer.iter_lines())
        asked = [pid for pid in children(process.pid) if pid not in workers]
        assert asked
    wait_until_gone(asked)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    wait_until_gone(workers)
    again, _ = start(tmp_path / "state")
    assert again.poll() is None
    os.kill(again.pid, signal.SIGINT)
    again.communicate(timeout=60)
    assert again.returncode == 0


def test_a_port_that_is_taken_and_a_folder_that_is_none_are_refused(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        with blames(FileError, "port"):
            serve(tmp_path / "state", port=other.getsockname()[1], browser=False)
    with blames(FileError, "port"):
        serve(tmp_path / "state", port=99_999, browser=False)
    (tmp_path / "file").write_text("")
    with blames(FileError):
        serve(tmp_path / "file", browser=False)


def test_without_the_extra_there_is_one_sentence(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    with blames(NotSupportedError):
        serve(tmp_path / "state", browser=False)
    assert not (tmp_path / "state").exists()


def test_pictures_are_those_of_entries_and_the_page_loads_nothing_foreign() -> None:
    from anholonomy.catalogue import ENTRIES

    # An entry that is newer than the pictures has its own drawn when it is asked for.
    assert {name for name in resources() if name.startswith("thumbs/")} <= {f"thumbs/{key}.webp" for key in ENTRIES}
    for name, (content, kind) in resources().items():
        if kind != "image/webp":
            text = content.decode().replace("http://www.w3.org/", "")
            assert "https:" not in text, name
            assert "http:" not in text, name


def test_numbers_are_written_into_the_text_and_nothing_else_changes(tmp_path: Path) -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    program = tmp_path / "try.mjs"
    program.write_text(
        resources()["inscribe.js"][0].decode()
        + r"""
const text = 'parameters = { m = 1.0, "k" = "free" }  # both\n\n[start]\nx = 0 # here\n"x\'" = 1\nxx = 5\n[other]\nm = 7\n';
const { text: made, left } = inscribe(text, { parameters: { m: 2.5, k: 3, z: 1 }, start: { x: -1, "x'": 1e-7 } });
console.log(JSON.stringify([made, left]));
"""
    )
    import json

    done = subprocess.run([node, str(program)], capture_output=True, text=True, check=True)
    made, left = json.loads(done.stdout)
    assert made == (
        'parameters = { m = 2.5, "k" = 3.0 }  # both\n\n[start]\nx = -1.0 # here\n"x\'" = 1e-7\nxx = 5\n[other]\nm = 7\n'
    )
    assert left == {"parameters": {"z": 1}}
