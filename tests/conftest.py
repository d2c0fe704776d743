"""Tests that are listed as slow count as exhaustive, and none leaves a figure open."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

SLOW = frozenset(Path(__file__).with_name("slow.txt").read_text(encoding="utf-8").splitlines())


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
