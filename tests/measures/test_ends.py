"""The last new time of a motion is its end, also from another sum of the same integral."""

from __future__ import annotations

import math

import pytest

import anholonomy as ah
from anholonomy import catalogue
from tests.wording import blames


@pytest.mark.parametrize("ulps", [1, 2, 3, 4])
def test_the_old_time_at_the_ends_of_the_new_one(ulps: int) -> None:
    particle = catalogue.free_particle()
    run = particle.simulate({"x": 0, "y": 0, "z": 0, "x'": 0.8, "y'": 1.3}, until=3.0)
    h = particle.hamiltonize()
    last = float(h.time(run)[-1])
    away = ulps * math.ulp(last)
    found = h.old_time(run, [-away, away, last - away, last + away])
    assert found["tau"].values.tolist() == [0.0, away, last - away, last]
    assert found.values == pytest.approx([0, 0, 3, 3], abs=1e-14)
    for tau in (-1e-9 * last, last * (1 + 1e-9)):
        with blames(ah.errors.IntegrationError, "0"):
            h.old_time(run, tau)
