"""Gibbs–Appell: any speeds, and constraints that no other reduced form takes."""

from __future__ import annotations

import numpy as np
import pytest

import anholonomy as ah
from anholonomy.algebra.zero_test import is_zero
from anholonomy.catalogue import chaplygin_sleigh, leaning_disc, n_trailer
from tests.equations.independent import cases
from tests.wording import blames

CASES = {name: case for name, case in cases().items() if not case.system.model.keeps_redundant}

SPEEDS = {
    "sleigh": (chaplygin_sleigh, {"u": "x'*cos(theta) + y'*sin(theta)", "w": "theta'"}),
    "sleigh, mixed": (chaplygin_sleigh, {"u": "x'*cos(theta) + y'*sin(theta) + a*theta'", "w": "2*theta' + x"}),
    "leaning disc": (leaning_disc, {"w1": "-theta'", "w2": "phi' - psi'*sin(theta)", "w3": "psi'*cos(theta)"}),
    "train": (lambda: n_trailer(2), {"v": "x'*cos(theta0) + y'*sin(theta0)", "w": "theta0'"}),
}


@pytest.mark.parametrize(("make", "speeds"), SPEEDS.values(), ids=SPEEDS.keys())
def test_the_same_equations_as_by_kane_and_hamel_in_the_same_speeds(make, speeds) -> None:
    """K and r themselves, not only their solution."""
    system = make()
    K, right = system.derive("gibbs-appell", speeds=speeds).data.explicit
    for by in ("kane", "hamel"):
        other_K, other_right = system.derive(by, speeds=speeds).data.explicit
        for row, other in zip(K, other_K, strict=True):
            assert all(is_zero(a - b) for a, b in zip(row, other, strict=True))
        assert all(is_zero(a - b) for a, b in zip(right, other_right, strict=True))


@pytest.mark.parametrize("name", ["nonlinear", "on accelerations", "of three kinds"])
def test_the_matrix_is_not_called_positive_where_rows_of_constraints_are_in_it(name: str) -> None:
    equations = CASES[name].system.derive("gibbs-appell")
    assert not equations.data.is_definite
    assert equations.speeds == CASES[name].system.velocities
    assert CASES[name].system.verify(states=2).agree


def test_a_constraint_on_accelerations_does_not_restrict_the_start() -> None:
    """Any velocity is admissible, and the constraint holds along the motion."""
    system = ah.System(
        name="steered",
        coordinates=["x", "y"],
        lagrangian="(x'^2 + y'^2)/2 - y",
        constraints=["x'' = y'*x'"],
    )
    run = system.simulate({"x": 0, "y": 0, "x'": 0.3, "y'": -0.7}, until=1, by="gibbs-appell")
    time = run["y"]["time"]
    # y falls freely, y' = -0.7 - t; then ln x' = y + const.
    y = -0.7 * time - time**2 / 2
    assert float(abs(run["y"] - y).max()) < 1e-13
    np.testing.assert_allclose(run.data["velocity"].values[:, 0], 0.3 * np.exp(y), rtol=1e-12)


@pytest.mark.parametrize("by", ["hamel", "kane", "first-variation", "vakonomic"])
def test_others_refuse_accelerations_in_one_sentence(by: str) -> None:
    system = CASES["on accelerations"].system
    with blames(ah.errors.NotSupportedError, by, "lagrange-dalembert"):
        system.derive(by)


def test_a_constraint_that_is_not_linear_in_accelerations_is_refused() -> None:
    with blames(ah.errors.DeclarationError, "c1"):
        ah.System(name="wild", coordinates=["x", "y"], lagrangian="x'^2 + y'^2", constraints=["x''^2 = y"])


def test_a_distribution_of_accelerations_is_refused() -> None:
    with blames(ah.errors.NotSupportedError, "accelerations"):
        _ = CASES["on accelerations"].system.geometry.distribution
