"""The law in time: every principle integrates to the same motion, on the constraint."""

from __future__ import annotations

import numpy as np
import pytest

from anholonomy.catalogue import ENTRIES
from anholonomy.equations.principles import PRINCIPLES

KEYS = ("chaplygin-sleigh", "leaning-disc", "disc-on-circle", "affine-particle")
PAIRS = [(key, f.name) for key in KEYS for f in PRINCIPLES if f.agrees and f.covers(ENTRIES[key].make())]


@pytest.mark.exhaustive_for("disc-on-circle-hamiltonian")
@pytest.mark.parametrize(("key", "principle"), PAIRS)
def test_every_principle_gives_the_same_motion(key: str, principle: str) -> None:
    entry = ENTRIES[key]
    system, times = entry.make(), np.linspace(0, 2, 9)
    expected = system.simulate(entry.start, times=times)
    run = system.simulate(entry.start, times=times, by=principle, tolerance=1e-13)
    assert run.is_complete, run.outcome
    for name in ("q", "velocity", "acceleration", "reaction", "multiplier"):
        scale = 1 + np.abs(expected.data[name].values).max()
        assert np.abs(run.data[name].values - expected.data[name].values).max() < 1e-10 * scale, name
    assert np.abs(run.data["residual"].values).max() < 1e-12
