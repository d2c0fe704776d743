"""A progress bar that appears only where someone watches and only when there is something to wait for."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import TYPE_CHECKING

from anholonomy.refusals import IntegrationProblem

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

__all__ = ["watching"]

_PATIENCE = 1.0
"""Seconds before the bar appears."""


@contextmanager
def watching(
    given: Callable[[float], None] | None = None, doing: str = "integrating"
) -> Iterator[Callable[[float], None] | None]:
    """What `simulate` calls with the fraction it has done: what was given, a bar, or None where stderr is no terminal."""
    if given is not None:
        if not callable(given):
            raise IntegrationProblem(
                f"`progress` is {given!r:.60}; give a function of the fraction done, or leave it out."
            )
        yield given
    elif not sys.stderr.isatty():
        yield None
    else:
        bar = _Bar(doing)
        try:
            yield bar
        finally:
            bar.close()


class _Bar:
    def __init__(self, doing: str) -> None:
        self.doing = doing
        self.began = perf_counter()
        self.shown: tuple[Progress, TaskID] | None = None

    def __call__(self, fraction: float) -> None:
        if self.shown is None:
            if perf_counter() - self.began < _PATIENCE:
                return
            self.shown = self._show()
        progress, task = self.shown
        progress.update(task, completed=fraction)

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
