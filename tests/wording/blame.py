"""The class of an error, that its message is one sentence, and the names in it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from anholonomy.base.errors import Error
from tests.wording.golden import GOLDEN

LONGEST = 700
"""Letters of the longest message."""


@contextmanager
def blames(error: type[BaseException] | tuple[type[BaseException], ...], *names: object) -> Iterator[Any]:
    """Expect an error or a warning of the class, with one sentence that names all of ``names``."""
    kinds = error if isinstance(error, tuple) else (error,)
    if all(issubclass(kind, Warning) for kind in kinds):
        with pytest.warns(error) as warned:  # type: ignore[arg-type]
            yield warned
        messages = [str(each.message) for each in warned if issubclass(each.category, kinds)]
        best = next((message for message in messages if not missing(message, names)), messages[0])
        _check(best, names, is_ours=True)
        return
    with pytest.raises(error) as found:
        yield found
    _check(str(found.value), names, isinstance(found.value, Error))


def pinned(text: object, *names: object) -> None:
    """Expect that a text names all of ``names``, and pin the rest of it in the file of the room."""
    assert not (gone := missing(str(text), names)), f"{', '.join(gone)} not in: {text}"
    GOLDEN.note(str(text))


def missing(message: str, names: tuple[object, ...]) -> list[str]:
    """The names that do not occur in the message as words of their own."""
    return [name for name in map(str, names) if not re.search(rf"(?<!\w){re.escape(name)}(?!\w)", message)]


def flaw(message: str, is_ours: bool = True) -> str | None:
    """What keeps a message from being one sentence, or a sentence and the place it is about.

    An error of Python's own, which only the package sees, needs no full stop.
    """
    sentence, *place = message.split("\n")
    if not sentence.strip():
        return "it is empty"
    if place and not (len(place) == 2 and re.fullmatch(r" *\^", place[1])):
        return "it has more than one line"
    if len(message) > LONGEST:
        return f"it has {len(message)} letters, more than {LONGEST}"
    if re.search(r"Traceback|<\S+ object at 0x|<class '|NoneType", message):
        return "it shows the inside of Python"
    if is_ours and not re.search(r"[.?!]\)?$", sentence):
        return "it does not end as a sentence does"
    return None


def _check(message: str, names: tuple[object, ...], is_ours: bool) -> None:
    __tracebackhide__ = True
    if (what := flaw(message, is_ours)) is not None:
        pytest.fail(f"{what}: {message}")
    if gone := missing(message, names):
        pytest.fail(f"the message does not name {', '.join(gone)}: {message}")
    GOLDEN.note(message)
