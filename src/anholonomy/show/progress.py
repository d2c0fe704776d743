"""A progress bar, which appears only in a terminal and only if there is something to wait for."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import TYPE_CHECKING, final

from anholonomy.base.errors import IntegrationError, quoted

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

__all__ = ["watching"]

_PATIENCE = 1.0
"""Seconds before the bar appears."""


@contextmanager
def watching(
    given: Callable[[float], None] | None = None, doing: str = "integrating", count: int = 0
) -> Iterator[Callable[[float], None] | None]:
    """What `simulate` calls with the fraction it has done: what was given, a bar, or None where stderr is no terminal.

    Of a ``count`` of things the bar says how many are done in a second.
    """
    if given is not None:
        if not callable(given):
            raise IntegrationError(
                f"`progress` is {quoted(given)}; give a function of the fraction done, or leave it out."
            )
        yield given
    elif not sys.stderr.isatty():
        yield None
    else:
        bar = _Bar(doing, count)
        try:
            yield bar
        finally:
            bar.close()


@final
class _Bar:
    def __init__(self, doing: str, count: int = 0) -> None:
        self.doing, self.count = doing, count
        self.began = perf_counter()
        self.shown: tuple[Progress, TaskID] | None = None

    def __call__(self, fraction: float) -> None:
        if self.shown is None:
            if perf_counter() - self.began < _PATIENCE:
                return
            self.shown = self._show()
        progress, task = self.shown
        rate = f", {self.count * fraction / (perf_counter() - self.began):,.0f} a second" if self.count else ""
        progress.update(task, completed=fraction, description=self.doing + rate)

    def _show(self) -> tuple[Progress, TaskID]:
        from rich.console import Console
        from rich.progress import Progress

        # On stderr, so that a table on stdout stays a table.
        progress = Progress(console=Console(stderr=True), transient=True)
        progress.start()
        return progress, progress.add_task(self.doing, total=1.0)

    def close(self) -> None:
        if self.shown is not None:
            self.shown[0].stop()
