"""Orthonormal speeds: the kinetic energy is a sum of squares, and the motion is the same."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings

import anholonomy as ah
from anholonomy import catalogue
from anholonomy.algebra.numbers.balls import precision
from anholonomy.algebra.steps.in_balls import run_steps
from anholonomy.algebra.zero_test import is_zero
from anholonomy.equations.evaluation import evaluate_equations, speeds_at
from anholonomy.system.states.newton import rows_at
from anholonomy.system.states.random_states import admissible_points
from tests.properties.random_systems import systems
from tests.wording import blames


def looks_orthonormal(system: ah.System, by: str) -> bool:
    """The matrix of the equations is 1, and the accelerations are those of the multipliers."""
    equations = system.derive(by, speeds="orthonormal")
    with precision(50):
        point = next(admissible_points(system.model, 40, seed=4))
        known = run_steps(equations.data.definitions, speeds_at(equations.data, point))
        K = rows_at(equations.data.K, known)
        unit = all(abs(entry - int(i == j)) < 1e-30 for i, row in enumerate(K) for j, entry in enumerate(row))
        mine = evaluate_equations(equations.data, point).accelerations
        other = evaluate_equations(system.derive("lagrange-dalembert").data, point).accelerations
        return unit and all(abs(a - b) < 1e-25 * (1 + abs(b)) for a, b in zip(mine, other, strict=True))


@pytest.mark.parametrize("by", ["hamel", "kane", "gibbs-appell", "first-variation"])
def test_the_matrix_is_one(by: str) -> None:
    for make in (catalogue.chaplygin_sleigh, catalogue.leaning_disc, catalogue.disc_on_circle, catalogue.carriage):
        assert looks_orthonormal(make(), by)
    assert looks_orthonormal(catalogue.n_trailer(4), by)


@settings(max_examples=8, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(systems(kinds=("affine time-dependent",)))
def test_on_random_systems(system: ah.System) -> None:
    assert looks_orthonormal(system, "hamel")


def test_the_free_particle_keeps_both_momenta() -> None:
    """W (5.2): in an orthonormal frame of the nonholonomic free particle both momenta are constant."""
    equations = catalogue.free_particle().derive("hamel", speeds="orthonormal").simplified
    assert all(is_zero(value) for value in equations.data.rhs)


def test_momenta_are_speeds() -> None:
    form = catalogue.chaplygin_sleigh().hamiltonian_form("orthonormal")
    p1, p2 = form.momenta
    assert is_zero(form.hamiltonian - (p1**2 + p2**2) / 2)


def test_what_has_no_kinetic_metric_is_refused() -> None:
    rocket = ah.System(name="quartic", coordinates=["x"], lagrangian="x'^2/2 + x'^4/4")
    with blames(ah.errors.NotSupportedError, "x'"):
        rocket.derive("hamel", speeds="orthonormal")
    bare = ah.System(name="bare", coordinates=["x"], momenta={"x": "x'"})
    with blames(ah.errors.NotSupportedError):
        bare.derive("kane", speeds="orthonormal")
    with blames(ah.errors.DeclarationError, "orthonormal"):
        catalogue.skate().derive("hamel", speeds="orthogonal")
