"""Single parameters of a test may count as exhaustive, no test leaves a figure open, and Ctrl-C reaches those that are about it."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator

import pytest

pytest_plugins = ["tests.wording.plugin"]


def pytest_configure() -> None:
    """A shell lets what it starts in the background ignore interrupts, and a motion that waits for one would never end."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark the parameters that `exhaustive_for` names, and refuse a name that no parameter has."""
    unused = {}
    for item in items:
        for mark in item.iter_markers("exhaustive_for"):
            assert isinstance(item, pytest.Function)
            ids = unused.setdefault((item.path, item.originalname), set(mark.args))
            ids.discard(item.callspec.id)
            if item.callspec.id in mark.args:
                item.add_marker(pytest.mark.exhaustive)
    # A run of chosen parameters, or of those that failed last, has not collected the others.
    if any("::" in argument for argument in config.args) or config.getoption("lf", default=False):
        return
    if stale := [f"{path}::{name}[{one}]" for (path, name), ids in unused.items() for one in ids]:
        raise pytest.UsageError(f"exhaustive_for names parameters that do not exist: {', '.join(sorted(stale))}")


@pytest.fixture(autouse=True)
def figures_are_closed() -> Iterator[None]:
    """Matplotlib keeps what nobody closed, and warns after twenty."""
    yield
    if pyplot := sys.modules.get("matplotlib.pyplot"):
        pyplot.close("all")
