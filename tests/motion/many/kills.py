"""Kill running sweeps at random and resume them: ``python -m tests.motion.many.kills 100``.

A sweep runs in a process of its own, in threads or with a worker of Dask, and is killed (SIGKILL) after a random time: the driver, the worker,
or both; or its disk has room for so many bytes only; or its store is removed under it. Then it is asked
again, and the store must have the bytes of one that nobody disturbed, none of its noted blocks made again.
"""

from __future__ import annotations

import errno
import hashlib
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path

import numpy as np

import anholonomy as ah
from anholonomy.base import files as disk
from anholonomy.catalogue import chaplygin_sleigh
from anholonomy.motion.sweeps import run as sweeping

WAYS = ("driver", "worker", "both", "disk full", "store removed")
OVER = {"a": np.linspace(0.1, 0.3, 40), "theta'": np.linspace(-2, 2, 50)}
START = {"x": 0, "y": 0, "theta": 0, "x'": 1}
BLOCK = 64
"""Members of a block: fewer than usual, so that there is much to interrupt."""


def ask(place: Path, client: object = None) -> ah.Sweep:
    """The question of all trials."""
    reduce = {"final speed": "u", "peak": "max of theta"}
    return chaplygin_sleigh().sweep(
        OVER, START, until=20, keep=["theta", "energy"], summaries=reduce, store=place, client=client
    )


def in_a_process(place: Path, by: str, room: int = 0) -> int:
    """Begin to ask in another process, forked from this one so that everything is compiled: its number."""
    if pid := os.fork():
        return pid
    code = 1
    try:
        quiet = os.open(os.devnull, os.O_WRONLY)
        os.dup2(quiet, 2)
        os.setpgid(0, 0)
        if room:
            _fill_disk(room)
        code = _asked(place, by)
    finally:
        os._exit(code)


def _fill_disk(room: int) -> None:
    """From here on the disk has so many bytes left."""
    left, settle = [room], disk._settle

    def full(partial: Path) -> None:
        left[0] -= partial.stat().st_size
        if left[0] < 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        settle(partial)

    disk._settle = full


def _asked(place: Path, by: str) -> int:
    try:
        if by == "threads":
            ask(place)
            return 0
        import dask
        from distributed import Client, LocalCluster

        words = {
            "n_workers": 1,
            "threads_per_worker": 1,
            "dashboard_address": ":0",
            "local_directory": str(place.parent),
        }
        with (
            dask.config.set({"distributed.worker.multiprocessing-method": "fork"}),
            LocalCluster(**words) as cluster,
            Client(cluster) as client,
        ):
            (place.parent / "worker").write_text(str(next(iter(client.run(os.getpid).values()))))
            ask(place, client)
    except ah.Error as problem:
        (place.parent / "said").write_text(str(problem))
        return 3
    return 0


def digest(store: Path) -> str:
    """All bytes of a store, by name."""
    found = hashlib.sha256()
    for path in sorted(p for p in store.rglob("*") if p.is_file() and ".part" not in p.name):
        found.update(str(path.relative_to(store)).encode() + path.read_bytes())
    return found.hexdigest()


def noted(store: Path) -> dict[str, int]:
    """When each block was noted."""
    found = {}
    for path in (store / ".blocks").glob("[0-9]*.json"):
        with suppress(FileNotFoundError):
            found[path.name] = path.stat().st_mtime_ns
    return found


def _over(pid: int, limit: float = 0.0) -> int | None:
    """How a process ended; None while it runs, killed after the limit if there is one."""
    ends = time.monotonic() + limit
    while True:
        found, status = os.waitpid(pid, os.WNOHANG)
        if found:
            return os.waitstatus_to_exitcode(status)
        if time.monotonic() >= ends:
            return None
        time.sleep(0.01)


def trial(folder: Path, way: str, rng: random.Random) -> tuple[bool, bool, int, str]:
    """One sweep killed in one way and resumed: whether it was met while it ran, whether what was noted stayed, how many blocks that was, and what was said."""
    store, whole = folder / "runs.zarr", folder / "whole.zarr"
    for leftover in ("runs.zarr", "said", "worker"):
        shutil.rmtree(folder / leftover, ignore_errors=True)
        (folder / leftover).unlink(missing_ok=True)
    by = "dask" if way in ("worker", "both") else "threads"
    pid = in_a_process(store, by, rng.randrange(1_000, _bytes(whole)) if way == "disk full" else 0)
    code, least, ends = None, rng.randrange(len(noted(whole)) - 2), time.monotonic() + 120
    while way != "disk full" and len(noted(store)) < least and time.monotonic() < ends and code is None:
        code = _over(pid)
        time.sleep(0.002)
    time.sleep(rng.uniform(0, 0.02))
    code = _over(pid) if code is None else code
    met, seen = code is None, noted(store)
    while way == "store removed" and store.exists():  # what is written meanwhile may keep a folder from being removed
        shutil.rmtree(store, ignore_errors=True)
    if way in ("worker", "both") and (folder / "worker").is_file():
        with suppress(ProcessLookupError):
            os.kill(int((folder / "worker").read_text()), signal.SIGKILL)
    if code is None and way in ("driver", "both"):
        with suppress(ProcessLookupError):
            os.killpg(pid, signal.SIGKILL)
    code = _over(pid, 200) if code is None else code
    met = code == 3 if way in ("disk full", "store removed") else met
    with suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)  # workers that its death left behind
    before = seen if way == "worker" else noted(store)  # another worker went on
    for _ in range(3):
        if _over(in_a_process(store, "threads"), 200) == 0:
            break
    after = noted(store)
    said = (folder / "said").read_text() if (folder / "said").is_file() else ""
    kept = all(after.get(name) == when for name, when in before.items())
    return met, kept, len(before), f"{code} {said[-100:]}"


def _bytes(store: Path) -> int:
    """What the blocks of a store take on disk."""
    return sum(path.stat().st_size for path in store.glob("*/c/**/*") if path.is_file())


def tried(count: int, ways: tuple[str, ...] = WAYS, seed: int = 0, loud: bool = False) -> Counter[str]:
    """So many running sweeps killed: how many in each way came back to the same bytes with everything that was noted.

    A sweep that was over before it was met does not count, and the next one is tried.
    """
    rng, found = random.Random(seed), Counter[str]()
    sweeping.block_size = lambda *_, **__: BLOCK
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        ask(folder / "whole.zarr")
        expected, k = digest(folder / "whole.zarr"), 0
        while k < count and found["over before"] < 5 * count:
            way = ways[k % len(ways)]
            met, kept, blocks, said = trial(folder, way, rng)
            same = digest(folder / "runs.zarr") == expected
            if loud:
                print(k, way, "same" if same else "OTHER", "kept" if kept else "LOST", blocks, met, said, flush=True)
            if same and kept and not met:
                found["over before"] += 1
                continue
            found[f"{way}: {'the same bytes, nothing lost' if same and kept else 'OTHER BYTES OR A BLOCK LOST'}"] += 1
            found["blocks that were there when it was killed"] += blocks
            k += 1
    return found


if __name__ == "__main__":
    for line, number in sorted(tried(int(sys.argv[1]) if len(sys.argv) > 1 else 100, loud=True).items()):
        print(f"{number:5d}  {line}")
