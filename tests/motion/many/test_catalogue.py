"""Systems of the catalogue and random ones: members are the motions that `simulate` finds."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings

from anholonomy.algebra.expressions import time
from anholonomy.algebra.numbers.balls import precision
from anholonomy.base.errors import Error
from anholonomy.catalogue import ENTRIES
from anholonomy.system.states.random_states import admissible_points
from tests.properties.random_systems import systems

TIMES = np.linspace(0, 1, 4)


def worst(system, runs, i, **options):
    alone = system.simulate(
        runs.start(i), times=runs.data["time"].values, parameters=runs.parameters(i), tolerance=1e-13, **options
    )
    names = [s.name for s in (*system.coordinates, *system.velocities)]
    reached = alone.time.size if alone.is_complete else alone.time.size - 1
    reached = min(reached, int(np.isfinite(runs[names[0]].values[i]).sum()))
    return max(
        float(
            (
                abs(alone[name].values[:reached] - runs[name].values[i][:reached])
                / (1 + abs(alone[name].values[:reached]))
            ).max()
        )
        for name in names
    )


@pytest.mark.exhaustive
@pytest.mark.parametrize("key", list(ENTRIES)[::5])
def test_catalogue(key):
    entry = ENTRIES[key]
    system = entry.make()
    start = {name: np.array([float(value), float(value)]) for name, value in entry.start.items()}
    name = [each for each in start if each.endswith("'") or each.startswith("w")][-1]
    start[name] = start[name] * [1.0, 1.03]
    runs = system.ensemble(start, times=TIMES, tolerance=1e-12, project=True)
    assert max(worst(system, runs, i, project=True) for i in range(2)) < 1e-8, runs.outcomes


@pytest.mark.exhaustive
@settings(
    max_examples=2, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck), phases=[Phase.generate]
)
@given(system=systems())
def test_random_systems(system):
    """Affine, moving and nonlinear constraints among them, all members from the same time."""
    try:
        with precision(30):
            points = list(islice(admissible_points(system.model, 20), 1))
    except Error:
        return
    names = (*system.coordinates, *system.velocities)
    for point in points:  # each has its own time
        state = {s.name: float(point[s].mid()) for s in names} | {"t": float(point[time].mid())}
        begin = state["t"]
        runs = system.ensemble([state, state], times=begin + 0.1 * TIMES, tolerance=1e-12, project=True)
        assert max(worst(system, runs, i, project=True) for i in range(2)) < 1e-7
