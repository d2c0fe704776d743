"""Motions of mechanics beside vakonomic ones, for every system of the catalogue.

    python -m benchmarks.vakonomic > docs/vakonomic.md

Every system is asked in a process of its own; one that takes too long is reported as such.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from time import perf_counter
from typing import Any

from anholonomy.base.errors import Error
from anholonomy.catalogue import ENTRIES

LIMIT, PATIENCE = 40.0, 150.0
"""Seconds that the question is given, and after which a process is given up."""
_WIDEST, _SHOWN, _UNTIL = 90, 4, 2.0


def _cut(text: str) -> str:
    return text if len(text) <= _WIDEST else f"{text[:_WIDEST]} …"


def _exceptions(answer: Any) -> str:
    named = [
        f"`{_cut(' and '.join(f'{s} = {v}' for s, v in each.equations))}`"
        for each in answer.exceptions
        if each.equations
    ]
    rest = sum(not each.equations for each in answer.exceptions)
    more = [f"{len(named) - _SHOWN} more"] if len(named) > _SHOWN else []
    return "; ".join([*named[:_SHOWN], *more, *([f"{rest} not examined"] if rest else [])])


def _misfit(entry: Any, system: Any, answer: Any) -> str:
    if answer.equations is None:
        return ""
    try:
        found = answer.check(system.simulate(entry.start, until=min(entry.until, _UNTIL)))
    except Error:
        return ""
    return f"{float(found.evidence[0].most):.0e}"


def row(key: str) -> str:
    """The row of one system."""
    entry, begin = ENTRIES[key], perf_counter()
    system = entry.make()
    try:
        answer = system.compare_vakonomic(time_limit=LIMIT)
    except Error as why:
        return f"| {key} | refused | {why} | | | | |"
    seconds = perf_counter() - begin
    said = {"proven": "yes", "refuted": "no"}.get(str(answer.verdict), str(answer.verdict))
    certificate = "; ".join(each.text() for each in answer.finding.evidence).split(" at ")[0].split(", not zero")[0]
    columns = (said, _cut(certificate), answer.explanation, _exceptions(answer), _misfit(entry, system, answer))
    return f"| {key} | {' | '.join(columns)} | {seconds:.1f} |".replace("  ", " ")


def _in_a_process(key: str) -> str:
    command = [sys.executable, "-m", "benchmarks.vakonomic", key]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=True)
    except subprocess.TimeoutExpired:
        return f"| {key} | | | | | | more than {PATIENCE:g} |"
    except subprocess.CalledProcessError as trouble:
        return f"| {key} | {trouble.stderr.strip().splitlines()[-1][:80]} | | | | | |"
    return done.stdout.strip().splitlines()[-1]


def main() -> None:
    """Print the page, or the row of the system that is named."""
    if len(sys.argv) > 1:
        print(row(sys.argv[1]))
        return
    print(
        Path(__file__).with_suffix(".md").read_text(encoding="utf-8").rstrip(), *map(_in_a_process, ENTRIES), sep="\n"
    )


if __name__ == "__main__":
    main()
