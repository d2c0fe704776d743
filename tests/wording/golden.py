"""The golden file of each room: read, compared with what the tests of a run have seen, and written anew.

Under a test's id stand its messages, each with four spaces before it, in the order in which they came, none twice.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import final

__all__ = ["GOLDEN", "Golden", "differences", "read", "room", "written"]

ROOT = Path(__file__).parents[2]
FILE = "wording.txt"
Messages = dict[str, list[str]]
VOLATILE = (
    (r"/tmp/(test_\w+?)\d+(?=[/ .,;:'(]|$)", r"/tmp/\1"),
    (r"(?<=runs\.zarr/)[^ ,;]+", "…"),
    (r"\ba{40,}", "aaa…"),
    (r"(?<![0-9a-f])(?=[0-9]*[a-f])(?=[a-f]*[0-9])[0-9a-f]{12,16}(?![0-9a-f])", "…"),
    (r"(?<=port )\d+", "…"),
    (r"[\d.]+(?= GB of memory are free)", "…"),
    (r"/tmp/[^ ']*…", "/tmp/…"),
)
"""What differs from run to run and from machine to machine, and what is written for it: folders, names drawn at random, ports, free memory."""


def room(test: str) -> str:
    """The folder of a room, from the id of a test."""
    return "/".join(test.split("/")[:2])


def read(text: str) -> Messages:
    """Messages by the tests that saw them."""
    found: Messages = {}
    test = ""
    for line in text.splitlines():
        if line.startswith("    "):
            found[test].append(_unescaped(line[4:]))
        elif line:
            test = _unescaped(line)
            found[test] = []
    return found


def written(messages: Mapping[str, list[str]]) -> str:
    """The text of a golden file."""
    parts = [[_escaped(test), *(f"    {_escaped(one)}" for one in messages[test])] for test in sorted(messages)]
    return "\n".join("\n".join(lines) + "\n" for lines in parts)


def _escaped(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("\n", "\\n")
    return "".join(c if c.isprintable() else f"\\U{ord(c):08x}" for c in escaped)


def _unescaped(line: str) -> str:
    meant = {"n": "\n", "\\": "\\"}
    return re.sub(r"\\(U[0-9a-f]{8}|n|\\)", lambda m: meant.get(m[1]) or chr(int(m[1][1:], 16)), line)


def differences(golden: Mapping[str, list[str]], seen: Mapping[str, list[str]]) -> list[str]:
    """The lines of a diff for each test whose messages are not those of the golden file."""
    lines = []
    for test in sorted(seen):
        before, after = golden.get(test, []), seen[test]
        if before != after:
            lines.append(test)
            lines += [f"  - {one}" for one in before if one not in after]
            lines += [f"  + {one}" for one in after if one not in before]
            if sorted(before) == sorted(after):
                lines.append("  the same messages in another order")
    return lines


@final
@dataclass
class Golden:
    """What the tests of this process have seen; the messages of a test count once it has passed."""

    tidy: dict[str, str] = field(default_factory=dict)
    """Texts that differ from run to run, such as the folder of temporary files, and what is written for them."""
    seen: Messages = field(default_factory=dict)
    _now: list[str] | None = None

    def begin(self) -> None:
        """A test begins."""
        self._now = []

    def note(self, message: str) -> None:
        """The test that runs has seen a message; outside of tests nothing is noted."""
        for text, sign in self.tidy.items():
            message = message.replace(text, sign)
        for pattern, sign in VOLATILE:
            message = re.sub(pattern, sign, message)
        if self._now is not None and message not in self._now:
            self._now.append(message)

    def end(self, test: str, has_passed: bool) -> None:
        """The test is over."""
        if self._now and has_passed:
            self.seen[test] = self._now
        self._now = None

    def compare(self) -> dict[str, list[str]]:
        """For every room with a difference the lines that tell it."""
        found = {}
        for folder, seen in by_room(self.seen).items():
            path = ROOT / folder / FILE
            golden = read(path.read_text(encoding="utf-8")) if path.exists() else {}
            if lines := differences(golden, seen):
                found[folder] = lines
        return found

    def write(self, ran: Iterable[str], existing: Iterable[str], failed: Iterable[str], is_whole: bool) -> None:
        """Write the golden files of the rooms that ran.

        Tests that failed, were deselected or lie in modules that were not collected keep their lines; those of tests that are gone go. If
        single tests were chosen (not ``is_whole``), no line of a module that exists goes.
        """
        collected, kept = set(existing), set(failed)
        files = {test.split("::")[0] for test in collected} if is_whole else set()
        for folder in {room(test) for test in ran}:
            path = ROOT / folder / FILE
            golden = read(path.read_text(encoding="utf-8")) if path.exists() else {}
            messages = {test: said for test, said in self.seen.items() if room(test) == folder}
            done = set(ran) - kept
            for test, said in golden.items():
                module = test.split("::")[0]
                is_unknown = module not in files and (ROOT / module).exists()
                if test not in done and (test in collected or is_unknown):
                    messages[test] = said
            if messages:
                path.write_text(written(messages), encoding="utf-8")
            elif path.exists():
                path.unlink()


def by_room(messages: Mapping[str, list[str]]) -> dict[str, Messages]:
    """The messages of each room."""
    found: dict[str, Messages] = {}
    for test, said in messages.items():
        found.setdefault(room(test), {})[test] = said
    return found


GOLDEN = Golden()
"""The one of this process."""
