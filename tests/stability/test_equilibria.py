"""The table of equilibria with known answers: which are decided, and none falsely."""

from __future__ import annotations

import numpy as np
import pytest

import anholonomy as ah
from anholonomy.stability.hamiltonian_rest import BirkhoffForm
from tests.stability.equilibria import TABLE, Equilibrium


def test_the_table_is_large_enough() -> None:
    assert len(TABLE) >= 85
    assert len([row for row in TABLE if not row.printed]) >= 40
    assert len([row for row in TABLE if row.found]) >= 70
    assert len({row.key for row in TABLE}) == len(TABLE)


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.key)
def test_an_equilibrium_of_literature(row: Equilibrium) -> None:
    answer = row.steady().is_stable(time_limit=5)
    assert str(answer.verdict) == (row.true if row.found else "unknown"), row.source
    assert answer.check() is answer.verdict


@pytest.mark.parametrize("mu", [0.001, 0.01, 0.02, 0.03, 0.0385])
def test_the_twist_of_the_triangular_points_is_that_of_deprit(mu: float) -> None:
    """H4(w2, w1) of Deprit and Deprit-Bartholome (1967), by the product of the squared frequencies; D here is half of it."""
    row = next(row for row in TABLE if row.key.startswith("the triangular"))
    system = ah.System(**{**row.system, "parameters": {"mu": mu}}, name="points")  # type: ignore[arg-type]
    (evidence,) = system.stability.steady_motion(near={"x": 0.5 - mu, "y": 0.866}).is_stable().evidence
    assert isinstance(evidence, BirkhoffForm)
    w = 27 * mu * (1 - mu) / 4
    assert float(evidence.twist) == pytest.approx((36 - 541 * w + 644 * w**2) / (16 * (1 - 4 * w) * (4 - 25 * w)))


@pytest.mark.parametrize(
    "force",
    [
        "-x+x'^3-2*x*x'",
        "-x-x'^3-2*x*x'+x^2",
        "-x+x*x'+x^2-x'^2/2",
        "-x-x*x'+2*x^2+x'^2",
        "-x+x^2*x'-x'^3+x^2/2",
    ],
)
def test_lyapunovs_coefficient_has_the_sign_of_the_measured_growth(force: str) -> None:
    """The amplitude after a turn from x = 0.02, of motions integrated to thirteen digits."""
    system = ah.System(name="mass", coordinates=["x"], lagrangian="x'^2/2", forces={"x": force})
    answer = system.stability.steady_motion(near={"x": 0}).is_stable(time_limit=5)
    run = system.simulate({"x": 0.02, "x'": 0}, times=np.linspace(0, 70, 7001), tolerance=1e-13)
    x = run["x"].values
    assert not answer.is_unknown
    growth = np.abs(x[run.time.values > 60]).max() - np.abs(x[run.time.values < 10]).max()
    assert bool(growth > 0) is answer.is_refuted


@pytest.mark.parametrize(("c", "held"), [(0.1, True), (0.3, True), (0.8, False), (1.5, False)])
def test_a_resonance_of_one_to_three_is_held_as_long_as_its_motions_stay(c: float, held: bool) -> None:
    """Motions of energy zero that are integrated for long leave, or stay within some distances; they change at c = 7/18."""
    system = ah.System(
        name="three", coordinates=["x", "y"], lagrangian=f"(x'^2-9*x^2)/2-(y'^2-y^2)/2-(x^4/2+x^2*y^2/2+{c}*x*y^3)"
    )
    answer = system.stability.steady_motion(near={"x": 0, "y": 0}).is_stable()
    assert answer.is_proven is held
    assert answer.is_refuted is not held
    e, farthest = 0.05, 0.0
    for phase in np.linspace(0, 2 * np.pi, 6, endpoint=False):
        start = {"x": e / 3 * np.cos(phase), "x'": -e * np.sin(phase), "y": e, "y'": 0.0}
        run = system.simulate(start, times=np.linspace(0, 4000, 2001), tolerance=1e-9)
        farthest = max(farthest, float(np.hypot(run["x"].values, run["y"].values).max()))
    assert bool(farthest < 3 * e) is held
