"""The list of slow tests names tests that exist, so that none is renamed back into `make test` unseen."""

from __future__ import annotations

from pathlib import Path

import pytest

TESTS = Path(__file__).parent.parent
LISTED = [line for line in (TESTS / "slow.txt").read_text(encoding="utf-8").splitlines() if not line.startswith("#")]


@pytest.mark.parametrize("where", sorted({line.split("[")[0] for line in LISTED}))
def test_a_slow_test_exists(where: str) -> None:
    path, _, name = where.partition("::")
    assert f"def {name.rpartition('::')[-1]}(" in (TESTS.parent / path).read_text(encoding="utf-8")
