"""What counts as an end: values beyond it by rounding, and no others."""

from __future__ import annotations

import math

import numpy as np
import pytest

from anholonomy.base.tolerances import GATHERED, is_same, snapped

INTERVALS = [(0.0, 3.0), (-2.0, 0.0), (0.1, 0.3), (1e9, 1e9 + 1), (-7.0, -5.0)]


def moved(value: float, ulps: int, scale: float) -> float:
    return value + ulps * math.ulp(scale)


@pytest.mark.parametrize(("low", "high"), INTERVALS)
@pytest.mark.parametrize("ulps", [1, 2, 3, 4])
def test_beyond_an_end_by_some_ulps_is_the_end(low: float, high: float, ulps: int) -> None:
    scale = max(abs(low), abs(high))
    beyond = [moved(low, -ulps, scale), moved(high, ulps, scale)]
    assert [snapped(value, low, high) for value in beyond] == [low, high]
    np.testing.assert_array_equal(snapped(np.array(beyond), low, high), [low, high])
    assert is_same(beyond[0], low, scale)
    assert is_same(high, beyond[1], scale)


@pytest.mark.parametrize(("low", "high"), INTERVALS)
def test_what_is_inside_or_farther_stays(low: float, high: float) -> None:
    scale = max(abs(low), abs(high))
    for value in (
        np.nextafter(low, high),
        np.nextafter(high, low),
        (low + high) / 2,
        low - 1e-9 * scale,
        high + 1e-9 * scale,
    ):
        assert snapped(value, low, high) == value
        assert snapped(np.array([value]), low, high)[0] == value
    assert not is_same(high + 1e-9 * scale, high, scale)


def test_small_times_are_no_start_and_long_calculations_are_less_exact() -> None:
    small = np.geomspace(1e-12, 1e4, 5)
    np.testing.assert_array_equal(snapped(small, 0.0, 1e4), small)
    assert snapped(2.0 + 1e-12, 0.0, 2.0) != 2.0
    assert snapped(2.0 + 1e-12, 0.0, 2.0, GATHERED) == 2.0
    assert math.isnan(snapped(math.nan, 0.0, 1.0))
