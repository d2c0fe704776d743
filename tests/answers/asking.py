"""One question after the other, none for longer than it may take; and the files that keep the answers.

Every entry is asked in a process of its own, in the order of the table, so that what an answer is does not depend on which entries
were asked before it.
"""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import threading
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import process_time
from typing import Any

import anholonomy as ah
from tests.answers.numbers import Data, plain
from tests.answers.questions import QUESTIONS, Case, Question, refusal, some_states

FOLDER = Path(__file__).parent
CATALOGUE = FOLDER / "catalogue.json"
MOST = 120
"""Seconds of the processor after which a question is not asked any further."""
EACH = 900
"""Seconds of the processor after which an entry is asked nothing more at a time."""
PATIENCE = 4
"""How much longer a process may take by the clock of the wall before it counts as stuck: others use the machine too."""
NOT_ASKED = "not asked"
CLOCK = "clock"
"""Beside an answer on whose way something was given up by a clock: it is told and not compared."""


class TooLong(BaseException):
    """A question took longer than it may; no `Exception`, so that nothing on the way takes it for its own."""


def asked(ask: Question, case: Case, most: float = MOST) -> dict[str, Data]:
    """What the data keep of a question: the answer, the seconds it took, and whether a clock had a say."""
    began = process_time()
    try:
        with warnings.catch_warnings(), _given_up() as times, _no_longer_than(most):
            warnings.simplefilter("ignore")
            answer = plain(ask.ask(case))
    except TooLong:
        return {NOT_ASKED: f"takes longer than {most:g} s", "seconds": round(process_time() - began, 3)}
    except Exception as refused:  # what is wrong with a question is an answer that can be compared
        answer = refusal(refused)
        if not isinstance(refused, ah.Error):
            print(f"{case.entry.key}: {ask.name}: {type(refused).__name__}: {refused}", file=sys.stderr, flush=True)
    found = {"answer": answer, "seconds": round(process_time() - began, 3)}
    return found | ({CLOCK: True} if times else {})


@contextmanager
def _given_up() -> Iterator[list[str]]:
    """Every `TimeLimitError` that is made inside is noted: the answer after it may depend on how fast the machine is."""
    made, noted = ah.errors.TimeLimitError.__init__, []

    def noting(self: Any, *words: Any) -> None:
        noted.append(str(words))
        made(self, *words)

    ah.errors.TimeLimitError.__init__ = noting  # type: ignore[method-assign]
    try:
        yield noted
    finally:
        ah.errors.TimeLimitError.__init__ = made  # type: ignore[method-assign]


@contextmanager
def _no_longer_than(seconds: float) -> Iterator[None]:
    """A signal ends what is inside after so many seconds of the processor; in the main thread only."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def end(*_: object) -> None:
        raise TooLong

    before = signal.signal(signal.SIGPROF, end)
    signal.setitimer(signal.ITIMER_PROF, seconds, 1.0)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def case_of(key: str, kept: Mapping[str, Any]) -> Case:
    """An entry at the states that the data have for it, or at new ones."""
    case = Case(ah.catalogue.ENTRIES[key])
    states = kept.get(key, {}).get("states") or some_states(case.system, case.start)
    return Case(case.entry, tuple(states))


def read(path: Path = CATALOGUE) -> dict[str, Any]:
    """The data of a file; nothing where there is none yet."""
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def write(data: Mapping[str, Any], path: Path = CATALOGUE) -> None:
    """Sorted, a line for each answer, replaced only when the new file is complete."""
    parts = []
    for key, entry in sorted(data.items()):
        answers = ",\n".join(f"   {json.dumps(name)}: {_line(row)}" for name, row in sorted(entry["answers"].items()))
        parts.append(f' {json.dumps(key)}: {{\n  "states": {_line(entry["states"])},\n  "answers": {{\n{answers}\n  }}\n }}')  # fmt: skip
    new = path.with_suffix(".new")
    new.write_text("{\n" + ",\n".join(parts) + "\n}\n", encoding="utf-8")
    new.replace(path)


def _line(row: Data) -> str:
    return json.dumps(row, sort_keys=True, separators=(", ", ": "), allow_nan=False)


def names_of(key: str, late: bool | None = None) -> list[str]:
    """The questions that are asked of an entry, in the order of the table."""
    return [q.name for q in QUESTIONS.values() if q.concerns(key) and (late is None or q.late is late)]


def answered(key: str, names: Sequence[str], most: float = MOST, each: float = EACH) -> Iterator[tuple[str, Data]]:
    """Name and row of every question of one entry, and first its states, from a process of its own.

    Where that dies or does not come back, a new one goes on with the questions that are left.
    """
    left = list(names)
    while left:
        words = [sys.executable, "-m", "tests.answers", "ask", key, "--most", str(most), "--each", str(each), *left]
        process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        watch = threading.Timer(PATIENCE * most + 60, process.kill)
        watch.start()
        for line in process.stdout:
            watch.cancel()
            name, row = json.loads(line)
            yield name, row
            if name in left:
                left.remove(name)
            watch = threading.Timer(PATIENCE * most + 60, process.kill)
            watch.start()
        watch.cancel()
        if process.wait() and left:
            yield left.pop(0), {NOT_ASKED: "ends its process", "seconds": 0.0}


def tell(key: str, names: Iterable[str], most: float, each: float) -> None:
    """Ask an entry in this process and print a line of JSON for the states and every answer."""
    case = case_of(key, read())
    print(json.dumps(["states", list(case.states)]), flush=True)
    for name in names:
        over = process_time() > each
        row = (
            {NOT_ASKED: f"the entry has taken {each:g} s", "seconds": 0.0}
            if over
            else asked(QUESTIONS[name], case, most)
        )
        print(json.dumps([name, row]), flush=True)
