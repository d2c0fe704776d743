"""Starts, measurements and signals whose times are one but for rounding."""

from __future__ import annotations

import math

import numpy as np
import pytest

import anholonomy as ah
from tests.wording import blames

FALL = ah.System(name="fall", coordinates=["z"], lagrangian="z'^2/2 - g*z", parameters={"g": 9.0})
PUSHED = ah.System(name="pushed", coordinates=["x"], lagrangian="m*x'^2/2", forces={"x": "F"}, inputs=["F"], parameters={"m": 1.0})  # fmt: skip
TIMES = np.linspace(0.3, 2.3, 21)


@pytest.mark.parametrize("ulps", [1, 2, 3, 4])
@pytest.mark.parametrize("sign", [-1, 1])
def test_the_start_is_at_the_first_measurement(ulps: int, sign: int) -> None:
    away = sign * ulps * math.ulp(0.3)
    s = TIMES - 0.3
    data = {"time": TIMES, "z": 1 + 2 * s - 4.905 * s**2}
    fit = FALL.fit(data, estimate=["g", "z'"], start={"z": 1, "z'": 1, "t": 0.3 + away})
    assert fit.values == pytest.approx({"g": 9.81, "z'": 2}, abs=1e-10)
    assert fit.run.time.values.tolist() == TIMES.tolist()
    with blames(ah.errors.IntegrationError):
        FALL.fit(data, estimate=["g"], start={"z": 1, "z'": 2, "t": 0.3 + 1e-9})


@pytest.mark.parametrize("ulps", [1, 2, 3, 4])
def test_a_signal_that_is_measured_as_long_as_the_motion(ulps: int) -> None:
    s = TIMES - 0.3
    for away in (-ulps * math.ulp(2.3), ulps * math.ulp(2.3)):
        known = np.append(TIMES[:-1], 2.3 + away)
        fit = PUSHED.fit({"time": TIMES, "x": s**2 / 2}, estimate=["m"], start={"x": 0, "x'": 0, "m": 0.7, "t": 0.3},
                         inputs={"F": (known, np.full(21, 1.25))})  # fmt: skip
        assert fit.values == pytest.approx({"m": 1.25}, rel=1e-10)
        slopes = fit.run.sensitivity(["m"], of=["x"]).values[:, 0, 0]
        assert slopes == pytest.approx(-(s**2) / 2.5, abs=1e-10)
