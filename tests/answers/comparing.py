"""Whether two answers are the same, up to rounding."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence

from tests.answers.numbers import Data

__all__ = ["differences"]


def differences(kept: Data, found: Data, tolerance: float, where: str = "") -> Iterator[str]:
    """Each place where two answers differ: words and counts at all, numbers by more than the tolerance beside the largest of their list.

    >>> list(differences({"a": [1.0, 2.0]}, {"a": [1.0, 2.0 + 1e-12]}, 1e-9))
    []
    >>> list(differences({"a": [1.0, "proven"]}, {"a": [1.1, "unknown"]}, 1e-9))
    ['a.0: 1.0 became 1.1', 'a.1: "proven" became "unknown"']
    """
    yield from _differences(kept, found, tolerance, where, 1.0)


def _differences(kept: Data, found: Data, tolerance: float, where: str, size: float) -> Iterator[str]:
    if isinstance(kept, Mapping) and isinstance(found, Mapping) and kept.keys() == found.keys():
        for name in kept:
            yield from _differences(kept[name], found[name], tolerance, f"{where}.{name}".lstrip("."), size)
    elif _is_list(kept) and _is_list(found) and len(kept) == len(found):
        largest = max([1.0, *(abs(each) for each in (*kept, *found) if _is_number(each))])
        for k, pair in enumerate(zip(kept, found, strict=True)):
            yield from _differences(*pair, tolerance, f"{where}.{k}".lstrip("."), largest)
    elif _is_number(kept) and _is_number(found):
        counted = isinstance(kept, int) and isinstance(found, int)
        if not abs(kept - found) <= (0 if counted else tolerance * max(size, abs(kept), abs(found))):
            yield _row(where, kept, found)
    elif kept != found or isinstance(kept, bool) is not isinstance(found, bool):
        yield _row(where, kept, found)


def _is_list(data: Data) -> bool:
    return isinstance(data, Sequence) and not isinstance(data, str)


def _is_number(data: Data) -> bool:
    return isinstance(data, (int, float)) and not isinstance(data, bool)


def _row(where: str, kept: Data, found: Data) -> str:
    said = [text if len(text) < 120 else f"{text[:117]}..." for text in (json.dumps(kept), json.dumps(found))]
    return f"{where + ': ' if where else ''}{said[0]} became {said[1]}"
