"""Conjugate times and stops that are an end but for rounding."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

import anholonomy as ah
from anholonomy.catalogue import heisenberg, skate
from anholonomy.vakonomic.side_by_side import VakonomicPair

ULPS = [1, 2, 3, 4]
ORIGIN, COVECTOR = {"x": 0, "y": 0, "z": 0}, {"x": 1, "y": 0, "z": 0.5}
WHOLE = 2 * math.pi


@pytest.mark.parametrize("ulps", ULPS)
def test_a_conjugate_time_at_the_end_is_found(ulps: int) -> None:
    for until in (WHOLE - ulps * math.ulp(WHOLE), WHOLE + ulps * math.ulp(WHOLE)):
        path = heisenberg().paths.extremal(ORIGIN, COVECTOR, until=until)
        for found in (path.conjugate_time(), path.conjugate_time(until), path.cut_time()):
            assert found == pytest.approx(WHOLE, rel=1e-11)
            assert found <= until
    assert heisenberg().paths.extremal(ORIGIN, COVECTOR, until=WHOLE * (1 - 1e-9)).conjugate_time() is None


@pytest.mark.parametrize("ulps", ULPS)
def test_motions_that_are_stopped_by_one_event(ulps: int) -> None:
    """The event is located in each motion for itself, so that its times may differ by rounding."""
    both = skate().paths.side_by_side({"x": 0, "y": 0, "theta": 0.3, "x'": 1, "theta'": 0.5}, until=1.0)
    times = both.vakonomic.time.values

    def ending_at(t: float) -> VakonomicPair:
        late = both.vakonomic.data.assign_coords(time=np.append(times[:-1], t))
        return replace(both, vakonomic=ah.load(late))

    for t in (1 - ulps * math.ulp(1.0), 1 + ulps * math.ulp(1.0)):
        moved = ending_at(t)
        np.testing.assert_array_equal(moved.difference.values, both.difference.values)
        assert moved.difference.sizes["time"] == times.size
        assert abs(moved.animate(frames=11).film.times[-1] - 1.0) < 1e-14
    assert ending_at(1 + 1e-9).difference.sizes["time"] == times.size - 1
