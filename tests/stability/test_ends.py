"""Steady motions and periods that are an end but for rounding."""

from __future__ import annotations

import math

import numpy as np
import pytest

import anholonomy as ah

ULPS = [1, 2, 3, 4]


@pytest.mark.parametrize("ulps", ULPS)
@pytest.mark.parametrize("sign", [-1, 1])
def test_a_family_from_a_steady_motion_at_its_end(ulps: int, sign: int) -> None:
    """x² = m has a fold at 0; the steady motion given is at the lowest or the highest value asked for."""
    m = 0.3 + sign * ulps * math.ulp(1.0)
    slope = ah.System(name="slope", coordinates=["x"], lagrangian="x'^2/2 - (x^3/3 - m*x)", forces={"x": "-x'/10"}, parameters={"m": m})  # fmt: skip
    origin = slope.stability.steady_motion(near={"x": math.sqrt(m)})
    up, down = origin.follow("m", 0.3, 1.0, points=40), origin.follow("m", -1.0, 0.3, points=40)
    assert float(up.values[0]) == 0.3
    assert up.folds == ()
    assert down.folds == pytest.approx([0], abs=1e-12)
    assert abs(down.values[[0, -1]] - 0.3).max() < 1e-12
    assert 0.3 - 1e-12 < float(down.values.max()) <= 0.3 + 1e-15
    assert len(down) > 10


@pytest.mark.parametrize("ulps", ULPS)
def test_a_period_that_is_all_of_the_motion(ulps: int) -> None:
    period = 2 * math.pi / 1.4
    driven = ah.System(name="driven", coordinates=["x"], lagrangian="x'^2/2 - x^2/2", forces={"x": "cos(7*t/5) - x'/5"})
    swing = ah.System(name="swing", coordinates=["a"], lagrangian="a'^2/2 + cos(a)")
    for until in (period - ulps * math.ulp(period), period + ulps * math.ulp(period)):
        run = driven.simulate({"x": 0, "x'": 0}, until=until)
        assert driven.stability.periodic_orbit(near=run).period == pytest.approx(period, rel=1e-12)
        assert driven.stability.periodic_orbit(near=run, period=period).period == pytest.approx(period, rel=1e-12)
    start = {"a": 1.0, "a'": 0.0}
    own = swing.stability.periodic_orbit(near=swing.simulate(start, until=20)).period
    for until in (1.5 * own, 3 * own, own * (1 + ulps * np.finfo(float).eps)):
        assert swing.stability.periodic_orbit(
            near=swing.simulate(start, until=until), period=own
        ).period == pytest.approx(own, rel=1e-9)


@pytest.mark.parametrize("ulps", ULPS)
def test_a_crossing_at_the_end_goes_one_way(ulps: int) -> None:
    swing = ah.System(name="swing", coordinates=["a"], lagrangian="a'^2/2 - 2*a^2")
    end = math.pi / 4
    for until in (end - ulps * math.ulp(end), end + ulps * math.ulp(end)):
        run = swing.simulate({"a": 0.3, "a'": 0}, until=until)
        assert [len(run.section("a = 0", direction)) for direction in (-1, 0, 1)] == [1, 1, 0]
        met = swing.simulate({"a": 0.3, "a'": 0}, until=until, events={"down": "a"})
        many = swing.ensemble({"a": [0.3, 0.6], "a'": 0}, until=until, events={"down": "a"}, tolerance=1e-15)
        assert met.events.values.tolist() == pytest.approx([end])
        assert many.events.values.tolist() == pytest.approx([end, end])
    early = swing.simulate({"a": 0.3, "a'": 0}, until=end * (1 - 1e-9))
    assert len(early.section("a = 0")) == 0
