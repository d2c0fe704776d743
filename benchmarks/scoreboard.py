"""What is found unaided in every system of the catalogue, beside what literature says of it, and how long it takes.

    python -m benchmarks.scoreboard > docs/scoreboard.md

Every system is asked in a process of its own, two at a time; one that takes too long is reported as such. Seconds are those of the processor.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from time import perf_counter, process_time
from typing import Any

from anholonomy.base.errors import Error
from anholonomy.base.verdict import Verdict
from anholonomy.catalogue import ENTRIES
from anholonomy.catalogue.entry import Claims, agreement
from anholonomy.language.writing import brief

LIMIT = 120.0
"""Seconds that a question is given, by the clock."""
PATIENCE = 400.0
"""Seconds after which a process is given up."""

_OTHERS = ("measure", "multiplier")

HEAD = """# What is found unaided

Integrals, invariant measures and multipliers of every system of the catalogue, found from its declaration alone by `conserved`,
`invariant_measure` and `hamiltonize`, each with at most {limit:g} seconds. "Proven" and "refuted" carry their evidence
([answers](answers.md)); a refusal says that the question does not apply. "Of the literature" says how much of the second table is among what was
found, compared as functions: an integral must be a function of those found, a density or a multiplier equal up to a constant factor, and where literature
says that there is none, that must be refuted. Seconds are those of one processor. This page is what `python -m benchmarks.scoreboard` printed on two cores, {total:.0f} seconds in all.

| system | conserved | complete | measure | multiplier | of the literature | seconds |
| --- | --- | --- | --- | --- | --- | ---: |"""

SOURCES = """
## What literature says

Integrals of degree at most two in the speeds, the densities of invariant measures (with their volume) and multipliers. Under "other" are integrals that are no such
polynomials. They are the claims of the entries; the test is `tests/reference/test_literature.py`.

| system | integrals | measure | multiplier | other | source |
| --- | --- | --- | --- | --- | --- |"""


def _asked(question: Any) -> Any:
    try:
        return question(time_limit=LIMIT)
    except Error:
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
    system, begin = ENTRIES[key].make(), process_time()
    answers = [_asked(question) for question in (system.conserved, system.invariant_measure, system.hamiltonize)]
    seconds = process_time() - begin
    found, done = _laws(answers[0])
    measure, multiplier = _decided(answers[1], "density"), _decided(answers[2], "multiplier")
    literature = _counted(ENTRIES[key].claims, agreement(system.model, ENTRIES[key].claims, *answers))
    return f"| {key} | {found} | {done} | {measure} | {multiplier} | {literature} | {seconds:.1f} |"


def _counted(claims: Claims, found: dict[str, bool | None]) -> str:
    """How many integrals agree, and whether measure and multiplier do."""
    names = {name: f"no {name}" if getattr(claims, name) == "none" else name for name in _OTHERS}
    integrals = [found[name] for name in claims.integrals]
    parts = [f"{sum(map(bool, integrals))} of {len(integrals)} integrals"] if integrals else []
    words = {True: "", False: "not ", None: "undecided: "}
    parts += [f"{words[found[f'not {text}']]}no {text}" for text in claims.broken]
    return ", ".join([*parts, *(f"{words[found[name]]}{names[name]}" for name in _OTHERS if name in found)])


def _source(key: str) -> str:
    """What is claimed of one system."""
    claims = ENTRIES[key].claims
    measure = (
        claims.measure if isinstance(claims.measure, str) or claims.measure is None else " of ".join(claims.measure)
    )
    broken = tuple(f"not {text}" for text in claims.broken)
    cells = (
        *map(_listed, ((*claims.integrals, *broken), (measure,), (claims.multiplier,), claims.beyond)),
        claims.source,
    )
    return f"| {key} | {' | '.join(cells)} |"


def _listed(texts: tuple[str | None, ...]) -> str:
    words = {"energy", "not energy", "none"}
    return "; ".join(text if text in words or "Legendre" in text else f"`{text}`" for text in texts if text)


def _in_a_process(key: str) -> str:
    command = [sys.executable, "-m", "benchmarks.scoreboard", key]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=True)
    except subprocess.TimeoutExpired:
        return f"| {key} | | | | | | more than {PATIENCE:g} |"
    except subprocess.CalledProcessError as trouble:
        return f"| {key} | {json.dumps(trouble.stderr.strip().splitlines()[-1][:80])} | | | | | |"
    return done.stdout.strip().splitlines()[-1]


def main() -> None:
    """Print the page, or the row of the system that is named."""
    if len(sys.argv) > 1:
        print(row(sys.argv[1]))
        return
    begin = perf_counter()
    with ThreadPoolExecutor(2) as pool:
        rows = list(pool.map(_in_a_process, ENTRIES))
    print(HEAD.format(time_limit=LIMIT, total=perf_counter() - begin), *rows, sep="\n")
    print(SOURCES, *map(_source, ENTRIES), sep="\n")


if __name__ == "__main__":
    main()
