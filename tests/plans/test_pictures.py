"""The plans of the page: each is found, and its body keeps clear of what is around it, by a geometry of the test's own."""

from __future__ import annotations

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import numpy as np
import pytest

pytestmark = pytest.mark.exhaustive

_FILE = Path(__file__).parents[2] / "docs/pictures/plans.py"


@pytest.fixture(scope="module")
def pictures():
    spec = spec_from_file_location("plans_of_the_page", _FILE)
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def rim(x, y, heading, ahead, left):
    """Corners and sides of a rectangle that goes along, (time, point, 2)."""
    forward = np.stack([np.cos(heading), np.sin(heading)], -1)[:, None]
    aside = np.stack([-np.sin(heading), np.cos(heading)], -1)[:, None]
    a, b = np.meshgrid(ahead, left)
    return np.stack([x, y], -1)[:, None] + a.reshape(-1, 1) * forward + b.reshape(-1, 1) * aside


def inside(points, left, right, low, high):
    """Which points lie in the elliptic core that even a block with rounded corners contains."""
    x = (points[..., 0] - (left + right) / 2) / ((right - left) / 2)
    y = (points[..., 1] - (low + high) / 2) / ((high - low) / 2)
    return np.hypot(x, y) < 0.999


def test_the_car_parks_without_a_scratch(pictures):
    plan = pictures.parking()
    run = plan.run
    assert plan.converged, plan.verdict
    body = rim(*(run[name].values for name in ("x", "y", "theta")), np.linspace(-0.3, 1.3, 4), [-0.35, 0.35])
    assert not inside(body, -2.3, -0.7, -0.35, 0.35).any()
    assert not inside(body, 1.7, 3.3, -0.35, 0.35).any()
    assert body[..., 1].min() > -0.4502
    # No wheel slips: the front axle moves along its wheels.
    t, phi, theta = run.time.values, run["phi"].values, run["theta"].values
    front = [np.gradient(run[f"{q} + {f}(theta)"].values, t) for q, f in (("x", "cos"), ("y", "sin"))]
    assert np.median(np.abs(-front[0] * np.sin(theta + phi) + front[1] * np.cos(theta + phi))) < 1e-4
    assert (np.diff(np.sign(run["v"].values[np.abs(run["v"].values) > 0.05])) != 0).sum() >= 1  # there and back


def test_the_unicycle_touches_no_crate(pictures):
    plan = pictures.among_crates()
    assert plan.converged, plan.verdict
    for x, y, r in [(1.0, 0.3, 0.5), (2.2, -0.6, 0.6), (2.6, 1.0, 0.5), (3.8, 0.1, 0.5)]:
        assert np.hypot(plan.run["x"] - x, plan.run["y"] - y).min() > r - 1e-4


def test_the_trailers_are_backed_into_the_bay(pictures):
    plan = pictures.into_a_bay()
    run = plan.run
    assert plan.converged, plan.verdict
    x, y = run["x"].values, run["y"].values
    for k in range(3):
        heading = run[f"theta{k}"].values
        if k:
            x, y = x - np.cos(heading), y - np.sin(heading)
        body = rim(x, y, heading, [-0.3, 0.3], [-0.3, 0.3])
        assert not inside(body, -4.5, -0.6, -4.2, 0.0).any()
        assert not inside(body, 0.6, 4.5, -4.2, 0.0).any()
        slip = -np.gradient(x, run.time.values) * np.sin(heading) + np.gradient(y, run.time.values) * np.cos(heading)
        assert np.median(np.abs(slip)) < 1e-4
    assert run["v"].values[-1] < 0  # in reverse
    assert y[-1] == pytest.approx(-2.6, abs=1e-4)
