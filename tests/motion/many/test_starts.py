"""Starts completed side by side are those that exact arithmetic finds one by one, and doubt is left to it."""

from __future__ import annotations

import numpy as np
import pytest

import anholonomy as ah
from anholonomy.algebra.expressions import symbol, time
from anholonomy.catalogue import ENTRIES
from anholonomy.motion import memory
from anholonomy.motion.charts.compiled_frames import frame_quality, speeds
from anholonomy.motion.problem.one_motion import start_point
from anholonomy.motion.starts.many_motions import quick_states
from tests.wording import blames

M = 70  # more than go side by side, so that the last of them are fewer


@pytest.mark.parametrize("key", ["chaplygin-sleigh", "leaning-disc", "whipple-bicycle", "chaplygin-ball", "n-trailer"])
def test_velocities_left_out_are_those_of_exact_arithmetic(key):
    rng, system = np.random.default_rng(5), ENTRIES[key].make()
    told = {name: float(value) for name, value in ENTRIES[key].start.items()}
    of_group = {s.name for s in system.model.group.coordinates} if system.model.group else set()
    positions = {s.name for s in system.coordinates}
    held = bool(
        system.model.with_free_parameters.independent.on_positions
    )  # then positions stay where they are allowed
    given = {
        symbol(name): np.full(M, value)
        if name in of_group or (held and name in positions)
        else value + rng.uniform(-0.2, 0.2, M)
        for name, value in told.items()
    }
    p = np.array([[value for _, value in system.model.parameter_items]])
    q, w, certain = quick_states(system.model, given, p, 0.0)
    for i in range(0, M, 11):
        found = start_point(system.model, (), {s.name: float(v[i]) for s, v in given.items()} | {time.name: 0.0}, False)
        assert np.array_equal(q[i], [found[s] for s in system.coordinates])
        exact = np.array([found[s] for s in system.velocities])
        assert not certain[i] or abs(w[i] - exact).max() <= 1e-13 * abs(exact).max()
    assert certain.mean() > 0.9


def test_what_is_off_or_undetermined_is_not_certain():
    system = ENTRIES["chaplygin-sleigh"].make()
    zeros, ones = np.zeros(4), np.ones(4)
    theta = np.array([0.0, 0.3, np.pi / 2, 0.0])
    given = {"x": zeros, "y": zeros, "theta": theta, "x'": ones, "theta'": zeros}
    p = np.array([[value for _, value in system.model.parameter_items]])
    _, w, certain = quick_states(system.model, {symbol(name): v for name, v in given.items()}, p, 0.0)
    assert certain.tolist() == [True, True, False, True]  # along y the constraint says nothing of y'
    assert abs(w[:2, 1] - np.tan(theta[:2])).max() < 1e-15
    given["y'"] = np.tan(theta) * [1, 1 + 1e-12, 1, 1] + [0, 0, 0, 1e-9]
    _, _, certain = quick_states(system.model, {symbol(name): v for name, v in given.items()}, p, 0.0)
    assert certain.tolist() == [True, False, True, False]
    given["y'"] = np.array([0, np.nan, np.inf, 0])
    _, _, certain = quick_states(system.model, {symbol(name): v for name, v in given.items()}, p, 0.0)
    assert certain.tolist() == [True, False, False, True]


def test_a_row_that_says_nothing_of_what_is_missing_is_checked():
    """Two rows, one velocity left out: the other row must hold as it stands."""
    system = ah.System(
        name="two rows",
        coordinates=["x", "y", "z"],
        lagrangian="(x'^2 + y'^2 + z'^2)/2",
        constraints=["y' = x*x'", "z' = y*x'"],
    )
    starts = {"x": [0.5, 0.7], "y": 2.0, "z": 0, "x'": 1.0, "y'": [0.5, 0.7]}
    runs = system.ensemble(starts, until=1)
    assert abs(runs["z'"].values[:, 0] - 2).max() < 1e-15
    with blames(ah.Error, "1"):
        system.ensemble(starts | {"y'": [0.5, 0.8]}, until=1)


@pytest.mark.parametrize(("vectors", "width"), [(1, 1), (2, 3), (4, 6), (0, 2)])
def test_speeds_in_frames(vectors, width):
    r"""$u = S^{+}(w - s)$ by least squares, and the same quality as is watched on the way."""
    rng = np.random.default_rng(vectors)
    values, w = rng.normal(size=((vectors + 1) * width, M)), rng.normal(size=(width, M))
    if vectors:
        values[:width, 3] = 0.0
        values[0, 65] = np.nan
    x, quality = np.zeros((M, width + vectors)), np.zeros(M)
    speeds(values, w, vectors, x, quality)
    room = np.zeros((vectors + 1, vectors + 2))
    for k in range(M):
        assert quality[k] == (frame_quality(values, k, 0, vectors, width, room) if vectors else 1.0)
        if vectors and quality[k]:
            span = values[: vectors * width, k].reshape(vectors, width)
            best = np.linalg.lstsq(span.T, w[:, k] - values[vectors * width :, k], rcond=None)[0]
            assert abs(x[k, width:] - best).max() < 1e-11
    assert np.array_equal(np.flatnonzero(quality == 0), [3, 65] if vectors else [])


def test_more_members_than_memory_holds_are_refused_before_they_are_looked_at(monkeypatch):
    monkeypatch.setattr(memory, "free_memory", lambda: 16e9)
    starts = {"x": np.broadcast_to(1.0, 10**11), "y": 0, "theta": 0, "x'": 1, "theta'": 0}
    with blames(ah.errors.IntegrationError, "x", "100", "000", "900"):
        ah.catalogue.skate().ensemble(starts, until=1)
