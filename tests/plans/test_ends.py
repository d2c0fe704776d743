"""A curve at its ends."""

from __future__ import annotations

import math

import numpy as np
import pytest

from anholonomy.catalogue import skate


@pytest.mark.parametrize("ulps", [1, 2, 3, 4])
def test_a_plan_is_its_end_at_the_end(ulps: int) -> None:
    plan = skate().plan({"x": 0, "y": 0, "theta": 0}, {"x": 1, "y": 0.5, "theta": 0.2}, horizon=2.0)
    ends = plan.curve.at(np.array([0.0, 1.0]))
    beyond = plan.curve.at(np.array([-ulps * math.ulp(1.0), 1 + ulps * math.ulp(1.0)]))
    np.testing.assert_array_equal(ends, beyond)
    inside = plan.curve.at(np.array([ulps * math.ulp(1.0), 1 - ulps * math.ulp(1.0)]))
    np.testing.assert_allclose(ends, inside, atol=1e-12)
