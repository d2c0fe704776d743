"""What is found unaided in every system of the catalogue: integrals, measures, multipliers, and how long it takes.

    python -m benchmarks.scoreboard > docs/scoreboard.md

Every system is asked in a process of its own, two at a time; one that takes too long is reported as such.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from time import perf_counter
from typing import Any

from anholonomy.catalogue import ENTRIES
from anholonomy.language.brevity import brief
from anholonomy.refusals import Refusal
from anholonomy.verdict import Verdict

LIMIT = 20.0
"""Seconds that a question is given."""
PATIENCE = 150.0
"""Seconds after which a process is given up."""

HEAD = """# What is found unaided

Integrals, invariant measures and multipliers of every system of the catalogue, found from its declaration alone by `conserved`,
`invariant_measure` and `hamiltonize`, each with at most {limit:g} seconds. "Proven" and "refuted" carry their evidence
([answers](answers.md)); a refusal says that the question does not apply. This page is what `python -m benchmarks.scoreboard` printed on two cores,
{total:.0f} seconds in all.

| system | conserved | complete | measure | multiplier | seconds |
| --- | --- | --- | --- | --- | ---: |"""


def _asked(question: Any) -> Any:
    try:
        return question(limit=LIMIT)
    except Refusal:
        return None


def _laws(answer: Any) -> tuple[str, str]:
    if answer is None:
        return "refused", ""
    kinds = Counter(law.kind for law in answer)
    claims = [each.claim for each in answer.completeness if each]
    full = any(claim.startswith("every integral is a function") for claim in claims)
    whatever = any(claim.endswith("is a combination of products of these") for claim in claims)
    done = "fully" if full else "in its degree" if whatever else "in the class" if claims else "unknown"
    return ", ".join(f"{n if n > 1 else ''} {kind}".strip() for kind, n in kinds.items()) or "none", done


def _decided(answer: Any, value: str) -> str:
    if answer is None:
        return "refused"
    if answer.verdict is Verdict.PROVEN:
        found = getattr(answer, value, None)
        text = "in numbers" if found is None else brief(found)
        return f"`{text}`" if len(text) <= 60 else "proven"
    return str(answer.verdict)


def row(key: str) -> str:
    """The row of one system."""
    system, begin = ENTRIES[key].make(), perf_counter()
    found, done = _laws(_asked(system.conserved))
    measure = _decided(_asked(system.invariant_measure), "density")
    multiplier = _decided(_asked(system.hamiltonize), "multiplier")
    return f"| {key} | {found} | {done} | {measure} | {multiplier} | {perf_counter() - begin:.1f} |"


def _in_a_process(key: str) -> str:
    command = [sys.executable, "-m", "benchmarks.scoreboard", key]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=True)
    except subprocess.TimeoutExpired:
        return f"| {key} | | | | | more than {PATIENCE:g} |"
    except subprocess.CalledProcessError as trouble:
        return f"| {key} | {json.dumps(trouble.stderr.strip().splitlines()[-1][:80])} | | | | |"
    return done.stdout.strip().splitlines()[-1]


def main() -> None:
    """Print the page, or the row of the system that is named."""
    if len(sys.argv) > 1:
        print(row(sys.argv[1]))
        return
    begin = perf_counter()
    with ThreadPoolExecutor(2) as pool:
        rows = list(pool.map(_in_a_process, ENTRIES))
    print(HEAD.format(limit=LIMIT, total=perf_counter() - begin), *rows, sep="\n")


if __name__ == "__main__":
    main()
