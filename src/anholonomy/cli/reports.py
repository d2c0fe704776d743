"""Reports of the whole catalogue, a process for each core."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path
from time import perf_counter

from anholonomy.refusals import BrokenFile

__all__ = ["reports_of_all"]


def reports_of_all(folder: Path, limit: float, names: list[str] | None = None) -> Iterator[tuple[str, int, float]]:
    """Write a page for every system, or those named, into a folder; its name, bytes and seconds as each is done."""
    from anholonomy.catalogue import ENTRIES

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as why:
        raise BrokenFile(f"cannot make the folder {folder}: {why.strerror}; give another with --output.") from None
    # Compiled code of one process does not survive a fork.
    with ProcessPoolExecutor(os.cpu_count() or 1, mp_context=get_context("spawn")) as workers:
        asked = [workers.submit(_one, name, folder, limit) for name in (names or ENTRIES)]
        try:
            for done in as_completed(asked):
                yield done.result()
        finally:
            workers.shutdown(cancel_futures=True)


def _one(name: str, folder: Path, limit: float) -> tuple[str, int, float]:
    from anholonomy.catalogue import ENTRIES

    entry, began = ENTRIES[name], perf_counter()
    place = entry.make().report(
        folder / f"{name}.html",
        entry.start,
        entry.until,
        limit=limit,
        facts=entry.facts,
        references=entry.references,
        description=entry.said,
    )
    return name, place.stat().st_size, perf_counter() - began
