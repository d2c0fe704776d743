"""``python -m tests.answers write|compare [KEY...]``: keep the answers of entries and random systems, or compare with those kept.

Without keys all entries that have answers are compared, all entries of the catalogue are written; and the random systems, whose key is
``random``.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from time import perf_counter
from typing import Any

import anholonomy as ah
from tests.answers import random_systems
from tests.answers.asking import CLOCK, EACH, MOST, NOT_ASKED, answered, names_of, read, tell, write
from tests.answers.comparing import differences
from tests.answers.questions import QUESTIONS

RANDOM = "random"


def main() -> int:
    words = argparse.ArgumentParser(prog="python -m tests.answers", description=__doc__)
    words.add_argument(
        "what", choices=("write", "compare", "ask"), help="ask is for the processes that the others start"
    )
    words.add_argument("keys", nargs="*", help="entries of the catalogue, or random; by default all")
    words.add_argument("--jobs", type=int, default=1, help="entries that are asked at the same time")
    words.add_argument("--most", type=float, default=MOST, help="seconds that a question may take")
    words.add_argument("--only", action="append", default=[], help="a question; may be given more than once")
    words.add_argument("--quick", action="store_true", help="leave out the questions that take long")
    words.add_argument("--missing", action="store_true", help="of write: only what has no answer yet, or was not asked")
    words.add_argument("--each", type=float, default=EACH, help="seconds after which an entry is asked nothing more")
    given = words.parse_intermixed_args()
    if given.what == "ask":
        tell(given.keys[0], given.keys[1:], given.most, given.each)
        return 0
    asked = (
        read() if given.what == "compare" else ah.catalogue.ENTRIES
    )  # those of the bicycle would take long and are not kept
    keys = given.keys or [*asked, RANDOM]
    if unknown := set(keys) - {*ah.catalogue.ENTRIES, RANDOM}:
        words.error(f"there is no entry {', '.join(sorted(unknown))}")
    if unknown := set(given.only) - set(QUESTIONS):
        words.error(f"there is no question {', '.join(sorted(unknown))}")
    began = perf_counter()
    code = _write(keys, given) if given.what == "write" else _compare(keys, given)
    print(f"{given.what}: {perf_counter() - began:.0f} s")
    return code


def _rounds(keys: Sequence[str], given: Any) -> list[tuple[str, list[str]]]:
    """Which questions each entry is asked: the quick ones of all entries first, where an answer is not only missing."""
    rounds = []
    for late in (False,) if given.quick else (None,) if given.missing else (False, True):
        for key in keys:
            names = [name for name in names_of(key, late) if not given.only or name in given.only]
            rounds.append((key, names))
    return [(key, names) for key, names in rounds if names]


def _asked(
    rounds: Sequence[tuple[str, list[str]]], given: Any, keep: Callable[[str, list[Any]], None] = lambda key, rows: None
) -> Iterator[tuple[str, list[Any]]]:
    """The rows of each round; ``keep`` is given those so far every ten seconds."""

    def rows_of(each: tuple[str, list[str]]) -> tuple[str, list[Any]]:
        rows, kept = [], perf_counter()
        for row in answered(*each, given.most, given.each):
            rows.append(row)
            if perf_counter() > kept + 10:
                keep(each[0], rows)
                kept = perf_counter()
        return each[0], rows

    with ThreadPoolExecutor(given.jobs) as pool:
        yield from pool.map(rows_of, rounds)


def _write(keys: Sequence[str], given: Any) -> int:
    if RANDOM in keys and not given.only:
        random_systems.write()
    rounds = _rounds([key for key in keys if key != RANDOM], given)
    if given.missing:
        kept = read()
        rounds = [
            (key, [n for n in names if "answer" not in kept.get(key, {}).get("answers", {}).get(n, {})])
            for key, names in rounds
        ]
    for key, rows in _asked([each for each in rounds if each[1]], given, _keep):
        _keep(key, rows)
        print(f"{key}: {len(rows) - 1} answers, {sum(row['seconds'] for name, row in rows if name != 'states'):.1f} s", flush=True)  # fmt: skip
    return 0


_keeping = Lock()


def _keep(key: str, rows: Sequence[Any]) -> None:
    """Put rows of an entry into the file."""
    with _keeping:
        data = read()
        entry = data.setdefault(key, {"states": [], "answers": {}})
        for name, row in rows:
            if name == "states":
                entry["states"] = row
            else:
                entry["answers"][name] = row
        entry["answers"] = {name: row for name, row in entry["answers"].items() if name in names_of(key)}
        write(data)


def _compare(keys: Sequence[str], given: Any) -> int:
    data, counts = read(), {"same": 0, "differ": 0, "by the clock": 0, NOT_ASKED: 0}
    for key in keys:
        if key != RANDOM and set(names_of(key)) != set(data.get(key, {}).get("answers", {})):
            print(f"{key}: questions without an answer, or answers without a question; write it")
            counts["differ"] += 1
    rounds = []
    for key, names in _rounds([key for key in keys if key != RANDOM], given):
        kept = data.get(key, {}).get("answers", {})
        counts[NOT_ASKED] += sum(NOT_ASKED in kept.get(name, {}) for name in names)
        rounds.append((key, [name for name in names if "answer" in kept.get(name, {})]))
    for key, rows in _asked([each for each in rounds if each[1]], given):
        for name, row in rows:
            if name != "states":
                counts[judged(key, name, data[key]["answers"][name], row)] += 1
        sys.stdout.flush()
    if RANDOM in keys and not given.only:
        for row in random_systems.compare():
            print(row)
            counts["differ"] += 1
    print(", ".join(f"{count} {name}" for name, count in counts.items()))
    return bool(counts["differ"])


def judged(key: str, name: str, kept: dict[str, Any], found: dict[str, Any]) -> str:
    """Whether an answer is the same; what differs is printed."""
    if NOT_ASKED in found:
        print(f"{key}: {name}: {found[NOT_ASKED]}; it took {kept['seconds']} s")
        return "differ"
    rows = list(differences(kept["answer"], found["answer"], QUESTIONS[name].tolerance))
    clock = bool(rows) and (CLOCK in kept or CLOCK in found)
    for row in rows[:5]:
        print(f"{key}: {name}: {'(by the clock) ' if clock else ''}{row}")
    return "by the clock" if clock else "differ" if rows else "same"


if __name__ == "__main__":
    raise SystemExit(main())
