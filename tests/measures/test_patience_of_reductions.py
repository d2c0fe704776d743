"""A reduction by a group ends when its time is over."""

from __future__ import annotations

import pytest

from anholonomy.base.errors import TimeLimitError
from anholonomy.catalogue import chaplygin_ball, rattleback


def test_a_reduction_by_a_group_has_a_time_limit() -> None:
    system = rattleback()  # with a value that no other test has asked about
    name, value = next((name, value) for name, value in system.parameters.items() if value)
    with pytest.raises(TimeLimitError):
        system.with_parameters({name: value * 1.0371}).reduced_by_group(time_limit=0.1)
    assert len(chaplygin_ball().reduced_by_group(time_limit=60).invariants) == 3
