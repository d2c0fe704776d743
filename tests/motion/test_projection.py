"""Back onto constraints by the shortest way, whether or not their rows are independent."""

from __future__ import annotations

import numpy as np
import pytest

import anholonomy as ah
from anholonomy.catalogue import ENTRIES
from anholonomy.motion.charts.projection import _shortest
from anholonomy.motion.driver import one_motion as integrate


@pytest.mark.parametrize("gap", [1.0, 1e-3, 1e-9, 0.0], ids=["apart", "near", "nearer", "dependent"])
def test_the_correction_is_the_shortest_that_fits(gap):
    draw = np.random.default_rng(4)
    J = draw.normal(size=(5, 2, 6))
    J[:, 1] = J[:, 0] + gap * J[:, 1]
    wanted = draw.normal(size=(5, 6))
    phi = np.einsum("kni,ki->kn", J, wanted)
    found = _shortest(J, phi)
    np.testing.assert_allclose(np.einsum("kni,ki->kn", J, found), phi, atol=1e-7)
    for rows, change in zip(J, found, strict=True):
        across = np.linalg.svd(rows)[2][2:]  # what both rows leave open
        np.testing.assert_allclose(across @ change, 0, atol=1e-6)


def test_a_large_step_is_not_taken_for_rows_that_rounding_keeps_apart():
    J = np.array([[[1.0, 0.0], [1.0, 1e-17]]])
    np.testing.assert_allclose(_shortest(J, np.array([[1e-12, 2e-12]])), [[1.5e-12, 0.0]], atol=1e-25)


@pytest.mark.parametrize("tolerance", [1e-5, 1e-9])
def test_a_group_is_left_alone_for_many_steps_and_nothing_is_lost(tolerance: float, monkeypatch) -> None:
    entry = ENTRIES["veselova"]
    seen: list[int] = []
    made = integrate.projector

    def counted(*words):
        back = made(*words)
        return back and (lambda times, states: (seen.append(len(states)), back(times, states))[1])

    times = [0.0, 10.0, 20.0, 30.0]
    exact = entry.make().simulate(entry.start, times=times, tolerance=1e-13)
    monkeypatch.setattr(integrate, "projector", counted)
    found = entry.make().simulate(entry.start, times=times, tolerance=tolerance)
    rarely = len(seen)
    q = found.data["q"].values
    np.testing.assert_allclose((q * q).sum(axis=1), 1.0, atol=1e-14)
    monkeypatch.setattr(integrate, "_PAUSE", 1)
    often = entry.make().simulate(entry.start, times=times, tolerance=tolerance)
    assert 5 * rarely < len(seen) - rarely
    errors = [abs(run.data["q"].values - exact.data["q"].values).max() for run in (found, often)]
    assert errors[0] < 1.5 * errors[1] + 1e-12


def test_constraints_on_positions_are_not_left_between_two_projections():
    """Errors of velocities add up in positions: with a pause of eight steps the energy would be off by 4e-9 here, and more."""
    pendulum = ah.System(coordinates=["x", "y"], lagrangian="(x'^2 + y'^2)/2 - 9.81*y", constraints=["x^2 + y^2 = 1"])
    run = pendulum.derive("lagrange-dalembert").simulate({"x": 1, "y": 0, "y'": 0}, until=30, tolerance=1e-9)
    assert float(abs(run.energy - run.energy[0]).max()) < 1e-9


def test_projections_of_all_velocities_may_wait_without_any_loss():
    """Against the reduced equations, which have nothing to be put back."""
    disc = ah.catalogue.leaning_disc()
    start, times = ENTRIES["leaning-disc"].start, [0.0, 2.5, 5.0]
    plain, full = (disc.derive(by).simulate(start, times=times, tolerance=1e-12) for by in ("hamel", "gauss"))
    assert float(abs(full.data["q"] - plain.data["q"]).max()) < 1e-9
    assert float(abs(full.constraint_residual).max()) < 1e-13
