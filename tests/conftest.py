"""Tests that are listed as slow count as exhaustive, none leaves a figure open, and Ctrl-C reaches those that are about it."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

SLOW = frozenset(Path(__file__).with_name("slow.txt").read_text(encoding="utf-8").splitlines())


def pytest_configure() -> None:
    """A shell lets what it starts in the background ignore interrupts, and a motion that waits for one would never end."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.nodeid in SLOW:
            item.add_marker(pytest.mark.exhaustive)


@pytest.fixture(autouse=True)
def figures_are_closed() -> Iterator[None]:
    """Matplotlib keeps what nobody closed, and warns after twenty."""
    yield
    if pyplot := sys.modules.get("matplotlib.pyplot"):
        pyplot.close("all")
