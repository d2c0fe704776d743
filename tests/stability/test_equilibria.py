"""The table of equilibria with known answers: which are decided, and none falsely."""

from __future__ import annotations

import pytest

from tests.stability.equilibria import TABLE, Equilibrium


def test_the_table_is_large_enough() -> None:
    assert len(TABLE) >= 85
    assert len([row for row in TABLE if not row.printed]) >= 40
    assert len([row for row in TABLE if row.found]) >= 70
    assert len({row.key for row in TABLE}) == len(TABLE)


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.key)
def test_an_equilibrium_of_literature(row: Equilibrium) -> None:
    answer = row.steady().is_stable(time_limit=5)
    assert str(answer.verdict) == (row.true if row.found else "unknown"), row.source
    assert answer.check().is_unknown is not row.found
