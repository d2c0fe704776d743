"""Time limits of a question, and the check that raises when one has passed.

A question opens `patience`, the loops below it call `check`, and the question that opened it turns `TimeLimitError` into its own answer:
unknown, with the part that was reached. Limits nest: a question on the way to an answer never has longer than the answer, and is
bounded by `effort`, in seconds of the processor, so that the answer depends on the load of the machine only where the user's own limit ends it.

Nothing is interrupted from outside. A single call into SymEngine or FLINT overruns a limit by as long as it takes; the sizes of such
calls are bounded where they are made (`anholonomy.algebra.normal_forms.ring`), to a second or so.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from math import inf
from numbers import Real
from time import monotonic, thread_time

from anholonomy.base.errors import ArgumentError, TimeLimitError, quoted

__all__ = ["ASIDE", "GLANCE", "LIMIT", "check", "effort", "patience"]

GLANCE = 2.0
"""Seconds of the processor for a look that may save a long search."""
ASIDE = 8.0
"""Seconds of the processor for a question beside the one that was asked."""
LIMIT = 60.0
"""Seconds that a question may take unless told otherwise."""

_end: ContextVar[tuple[float, float]] = ContextVar("end", default=(inf, inf))
"""When the time is over, and how many seconds that were."""
_spent: ContextVar[tuple[float, float, float]] = ContextVar("spent", default=(inf, inf, inf))
"""When the effort is over by the clock of this thread, the earliest time at which that can be, and how many seconds that were."""


@contextmanager
def patience(seconds: float | None) -> Iterator[None]:
    """Let what is done inside take at most so many seconds; None sets no limit of its own.

    >>> with patience(1e-9):
    ...     while True:
    ...         check()
    Traceback (most recent call last):
    anholonomy.base.errors.TimeLimitError: gave up after 1e-09 s; give a longer `time_limit`, or None for none.
    """
    given = _seconds(seconds)
    token = _end.set(min(_end.get(), (monotonic() + given, given)))
    try:
        yield
    finally:
        _end.reset(token)


@contextmanager
def effort(seconds: float) -> Iterator[None]:
    """Let what is done inside take at most so many seconds of the processor, which do not depend on what else the machine does.

    >>> with effort(1e-9):
    ...     while True:
    ...         check()
    Traceback (most recent call last):
    anholonomy.base.errors.TimeLimitError: gave up after 1e-09 s of the processor.
    """
    token = _spent.set(min(_spent.get(), (thread_time() + seconds, monotonic() + seconds, seconds)))
    try:
        yield
    finally:
        _spent.reset(token)


def check() -> None:
    """Give up if the time is over, or the effort."""
    now, (end, seconds) = monotonic(), _end.get()
    if now > end:
        raise TimeLimitError(f"gave up after {seconds:g} s; give a longer `time_limit`, or None for none.")
    spent, earliest, seconds = _spent.get()
    if now > earliest and thread_time() > spent:  # the clock of a thread takes ten times as long to read
        raise TimeLimitError(f"gave up after {seconds:g} s of the processor.")


def _seconds(time_limit: object) -> float:
    if time_limit is None:
        return inf
    if not isinstance(time_limit, Real) or isinstance(time_limit, bool) or not float(time_limit) > 0:
        raise ArgumentError(
            f"the time_limit is {quoted(time_limit)}; give a positive number of seconds, or None for no limit."
        )
    return float(time_limit)
