"""Processes that compute for the server, each killed when its time is over, when nobody waits any more, or when it breaks down.

A worker reads one JSON line for a task and writes lines: ``{"more": …}`` on the way, and one other line at the end. Nothing but such
lines passes between the processes.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import sys
from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass, field
from time import monotonic
from typing import Any, final

__all__ = ["BEAT", "Pool", "refusal"]

_LINE = 64 * 1024 * 1024
"""Bytes in one line of a worker."""
BEAT = 0.5
"""Seconds after which somebody who waits is told that the work goes on."""
_QUEUE = 24
"""Tasks that may wait for a worker."""
_GRACE = 5.0
"""Seconds after its limit at which a worker ends by itself, should the server be gone."""


def refusal(sentence: str) -> bytes:
    """A line that says no."""
    return json.dumps({"refused": sentence}).encode()


@final
@dataclass(eq=False)
class _Worker:
    process: asyncio.subprocess.Process
    last: str = ""
    """What it computed last, and has at hand still."""

    @classmethod
    async def start(cls) -> _Worker:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "anholonomy.studio.worker"),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=_LINE,
            start_new_session=True,
        )
        return cls(process)

    def end(self) -> None:
        """Kill it with all that it started, at once and without waiting: who waits may be cancelled."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if hasattr(os, "killpg"):
                os.killpg(self.process.pid, signal.SIGKILL)
            else:
                self.process.kill()


@final
@dataclass(eq=False)
class Pool:
    """At most ``size`` workers; they stay warm between tasks."""

    size: int
    idle: list[_Worker] = field(default_factory=list)
    busy: set[_Worker] = field(default_factory=set)
    waiting: int = 0
    turn: asyncio.Semaphore = field(init=False)

    def __post_init__(self) -> None:
        self.turn = asyncio.Semaphore(self.size)

    async def ask(
        self, task: str, words: Mapping[str, Any], limit: float, key: str = ""
    ) -> AsyncGenerator[bytes, None]:
        """The lines of a task; the last one is its answer. Whoever stops listening ends the work."""
        if self.waiting >= _QUEUE:
            yield refusal(f"{_QUEUE} calculations are waiting; wait until one is done.")
            return
        self.waiting += 1
        try:
            await self.turn.acquire()
        finally:
            self.waiting -= 1
        worker, whole = None, False
        try:
            worker = await self._take(key)
            self.busy.add(worker)
            order = json.dumps({"task": task, "words": words, "limit": limit + _GRACE}).encode() + b"\n"
            async with contextlib.aclosing(_answers(worker, order, limit)) as lines:
                async for line, is_last in lines:
                    whole = is_last
                    yield line
            worker.last = key
        finally:
            if worker is not None:
                self.busy.discard(worker)
                if whole:
                    self.idle.append(worker)
                else:
                    worker.end()
            self.turn.release()

    async def answer(self, task: str, words: Mapping[str, Any], limit: float, key: str = "") -> bytes:
        """The last line alone."""
        found = b""
        async with contextlib.aclosing(self.ask(task, words, limit, key)) as lines:
            async for line in lines:
                found = line
        return found

    async def _take(self, key: str) -> _Worker:
        """The worker that computed the like last, or any other that is idle, or a new one."""
        while self.idle:
            found = next((each for each in self.idle if key and each.last == key), self.idle[0])
            self.idle.remove(found)
            if found.process.returncode is None:
                return found
        return await _Worker.start()

    async def close(self) -> None:
        """End all workers."""
        for worker in (*self.idle, *self.busy):
            worker.end()
            await worker.process.wait()
        self.idle.clear()


async def _answers(worker: _Worker, order: bytes, limit: float) -> AsyncGenerator[tuple[bytes, bool], None]:
    """Lines, each with whether it is the last of a worker that is well; at least one in every beat."""
    pipe, lines = worker.process.stdin, worker.process.stdout
    assert pipe is not None
    assert lines is not None
    began = monotonic()
    broken = refusal(
        "the calculation broke down, out of memory perhaps; make the system smaller, or its motion shorter."
    )
    pending = asyncio.ensure_future(_exchange(pipe, lines, order))
    try:
        while True:
            left = limit - (monotonic() - began)
            if left <= 0:
                yield refusal(f"stopped after {limit:g} s; ask for less, or allow more time."), False
                return
            done, _ = await asyncio.wait([pending], timeout=min(BEAT, left))
            if not done:
                yield b'{"more": {"seconds": %.2f}}' % (monotonic() - began), False
                continue
            try:
                line = pending.result()
            except (OSError, ValueError):  # the pipe is closed, or the line is longer than any
                line = b""
            if not line.endswith(b"\n"):
                yield broken, False
                return
            if not line.startswith(b'{"more"'):
                yield line.rstrip(), True
                return
            yield line.rstrip(), False
            pending = asyncio.ensure_future(lines.readline())
    finally:
        pending.cancel()
        with contextlib.suppress(asyncio.CancelledError, OSError, ValueError):
            await pending


async def _exchange(pipe: asyncio.StreamWriter, lines: asyncio.StreamReader, order: bytes) -> bytes:
    pipe.write(order)
    await pipe.drain()
    return await lines.readline()
