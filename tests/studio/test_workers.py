"""Workers end: when their time is over, when nobody listens, when they break down; and the next task finds another."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
from collections.abc import Coroutine
from typing import Any

import pytest
from starlette.testclient import TestClient

from anholonomy.studio.worker_pool import Pool
from tests.studio.sled import SLED

SMALL = {"declaration": SLED, "parameters": {}, "start": {}, "until": 1.0, "vakonomic": False}


def run(work: Coroutine[Any, Any, Any]) -> Any:
    return asyncio.run(asyncio.wait_for(work, 120))


def is_alive(pid: int) -> bool:
    with contextlib.suppress(ProcessLookupError, ChildProcessError):
        os.kill(pid, 0)
        return True
    return False


@pytest.mark.exhaustive
def test_a_worker_is_killed_after_its_time_and_the_next_task_is_done() -> None:
    async def work() -> None:
        pool = Pool(1)
        first = json.loads(await pool.answer("check", SMALL, 60.0))
        assert first["name"] == "sled"
        worker = pool.idle[0].process
        lines = [json.loads(line) async for line in pool.ask("warm", {}, 0.01)]
        assert "stopped after 0.01 s" in lines[-1]["refused"]
        await worker.wait()
        assert not is_alive(worker.pid)
        assert json.loads(await pool.answer("check", SMALL, 60.0))["name"] == "sled"
        await pool.close()

    run(work())


@pytest.mark.exhaustive
def test_who_stops_listening_ends_the_work() -> None:
    async def work() -> None:
        pool = Pool(1)
        await pool.answer("check", SMALL, 60.0)
        worker = pool.idle[0].process
        listening = asyncio.create_task(pool.answer("motion", SMALL, 60.0))
        while not pool.busy:
            await asyncio.sleep(0.01)
        listening.cancel()
        with pytest.raises(asyncio.CancelledError):
            await listening
        await worker.wait()
        assert (pool.busy, pool.idle) == (set(), [])
        assert not pool.turn.locked()

    run(work())


@pytest.mark.exhaustive
def test_a_worker_that_breaks_down_is_replaced() -> None:
    async def work() -> None:
        pool = Pool(1)
        await pool.answer("check", SMALL, 60.0)
        pool.idle[0].end()
        await asyncio.sleep(0)
        first = json.loads(await pool.answer("check", SMALL, 60.0))
        second = json.loads(await pool.answer("check", SMALL, 60.0))
        # Whether its end was noticed before it was asked or after, it is said in a sentence, and the next one answers.
        assert first.get("name") == "sled" or "broke down" in first["refused"]
        assert second["name"] == "sled"
        await pool.close()

    run(work())


@pytest.mark.exhaustive
def test_an_entry_without_a_picture_has_one_drawn(served: TestClient, monkeypatch) -> None:
    monkeypatch.setattr("anholonomy.studio.routes.resources", dict)
    found = served.get("/web/thumbs/skate.webp")
    assert (found.status_code, found.headers["content-type"], found.content[8:12]) == (200, "image/webp", b"WEBP")
    assert served.get("/web/thumbs/nothing.webp").status_code == 404
    assert served.get("/web/thumbs/skate.png").status_code == 404


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    "text",
    [
        SLED.replace("m*(", "(" * 5000 + "m*("),
        SLED.replace("m*(", "(1+x+y+theta)^999*("),
        "x = " + "[" * 20_000,
        "[" + ".".join("a" * 2000) + "]\n" + SLED,
        SLED + "".join(f'\n[[scene]]\nshape = "sphere"\nposition = ["x", "y", "{k}"]' for k in range(3000)),
        SLED.replace('["x", "y", "theta"]', "[" + ", ".join(f'"q{k}"' for k in range(5000)) + "]"),
        SLED.replace("m*(", "+".join(f"sin({k}*x)" for k in range(15_000)) + "+ m*("),
        "\x00" * 1000,
        "9" * 300_000,
    ],
    ids=["parentheses", "power", "lists", "tables", "scene", "coordinates", "terms", "zeros", "digits"],
)
def test_a_monstrous_declaration_ends_in_a_sentence_and_the_studio_goes_on(served: TestClient, text: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("anholonomy.studio.routes.CHECKING", 6.0)  # of what never ends nobody need see more
        answer = served.post("/api/check", json={**SMALL, "declaration": text})
    assert answer.status_code == 200
    found = answer.json()
    assert "refused" not in found or found["refused"].endswith((".", "?", "^")), found
    assert "at fault" not in found.get("refused", "")
    assert served.post("/api/check", json=SMALL).json()["name"] == "sled"
