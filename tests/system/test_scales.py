"""Units and factors change nothing: what is admissible in metres is so in light years, and what is not is not."""

from __future__ import annotations

import math

import pytest

import anholonomy as ah
from anholonomy.algebra.numbers.balls import precision
from anholonomy.system.checks.well_posed import check_values
from anholonomy.system.states.complete_state import complete_state
from anholonomy.system.states.random_states import admissible_points
from tests.wording import blames

SCALES = [1e-100, 1e-12, 1.0, 1e12, 1e100]
REST = {"x": 0, "y": 0, "z": 0, "z'": 0}
SKATE = {
    "name": "skate",
    "coordinates": ["x", "y", "theta"],
    "lagrangian": "m*(x'^2 + y'^2)/2 + J*theta'^2/2",
    "constraints": ["x'*sin(theta) = y'*cos(theta)"],
}


def plane(*constraints, **words):
    return ah.System(
        name="s", coordinates=list("xyz"), lagrangian="x'^2 + y'^2 + z'^2", constraints=constraints, **words
    )


def completed(system, state, **options):
    with precision(30):
        return {s.name: float(v.mid()) for s, v in complete_state(system.model, state, **options).items()}


@pytest.mark.parametrize("k", SCALES)
def test_a_factor_before_a_constraint(k):
    system = plane("k*(x' - y') = 0", parameters={"k": k})
    with blames(ah.errors.StateError, "c1"):
        completed(system, {**REST, "x'": 1, "y'": 0})
    assert completed(system, {**REST, "x'": 1, "y'": 1 + 1e-12})["x'"] == pytest.approx(1, abs=1e-11)
    assert completed(system, {**REST, "x'": 1, "y'": 0}, project=True)["y'"] == pytest.approx(0.5)


@pytest.mark.parametrize("k", SCALES)
def test_the_unit_of_a_velocity(k):
    with blames(ah.errors.StateError, "c1"):
        completed(plane("x' = y'"), {**REST, "x'": k, "y'": 0})
    with blames(ah.errors.StateError, "c1"):
        completed(plane("x' = y'"), {**REST, "x'": k, "y'": k * (1 + 1e-8)})


@pytest.mark.exhaustive_for("1e+100")
@pytest.mark.parametrize("k", SCALES)
def test_the_unit_of_a_length(k):
    system = plane("x^2 + y^2 = l^2", parameters={"l": k})
    with precision(40):
        point = {s.name: v for s, v in next(admissible_points(system.model, 30)).items()}
        assert float((point["x"] ** 2 + point["y"] ** 2).sqrt() / k) == pytest.approx(1, rel=1e-14)
    start = {**REST, "x": 0.6 * k, "y": 0.8 * k, "x'": 0, "y'": 0}
    assert completed(system, start)["x"] == pytest.approx(0.6 * k, rel=1e-15)
    with blames(ah.errors.StateError, "c1"):
        completed(system, {**start, "x": 2 * k})


@pytest.mark.parametrize("k", SCALES)
def test_rounding_of_an_angle(k):
    system = ah.System(
        **{**SKATE, "constraints": ["k*(x'*sin(theta) - y'*cos(theta)) = 0"], "parameters": {"m": 1, "J": 1, "k": k}}
    )
    start = {"x": 0, "y": 0, "theta": 0.3, "theta'": 0, "x'": math.cos(0.3), "y'": math.sin(0.3)}
    assert {name: completed(system, start)[name] for name in start} == pytest.approx(start, rel=1e-14)


def test_rounding_of_the_time():
    start = {**REST, "x'": 0, "y'": 0, "t": math.pi}
    assert completed(plane("x' = sin(t)"), start)["x'"] == pytest.approx(math.sin(math.pi))


def test_a_correction_is_relative():
    """The rounding in large numbers does not end up in a small one."""
    start = {**REST, "x'": 1e6, "y'": 1e6 * (1 + 1e-11), "z'": 1e-6}
    assert completed(plane("x' - y' = z' - 1e-6"), start)["z'"] == pytest.approx(1e-6, rel=1e-9)


@pytest.mark.parametrize(("m", "J"), [(1e30, 1.0), (1e-27, 2e30), (1e-100, 1.0), (1e-300, 1e300)])
def test_masses_of_any_size(m, J):
    assert ah.System(**SKATE, parameters={"m": m, "J": J}).verify(states=1).agree


@pytest.mark.parametrize("lagrangian", ["x'^2 + (x' + m*y')^2 + z'^2", "(x' + y')^2 + m*y'^2 + z'^2", "m*x'*y' + z'^2"])
def test_weakly_coupled_inertia(lagrangian):
    ah.System(name="s", coordinates=list("xyz"), lagrangian=lagrangian, parameters={"m": 1e-90})


@pytest.mark.parametrize(
    "lagrangian", ["(x' - y')^2 + z'^2", "m*(x' - y')^2 + z'^2", "(x'*sin(z) - y'*sin(z))^2 + z'^2"]
)
def test_no_scaling_hides_a_missing_inertia(lagrangian):
    with blames(ah.errors.DeclarationError, "x'", "1", "y'"):
        ah.System(name="s", coordinates=list("xyz"), lagrangian=lagrangian, parameters={"m": 1e-90})


def test_rows_are_told_apart_by_many_digits():
    plane("1e-50*x' = 1e-50*y'", "x' = y' + 1e-45*z'")
    with blames(ah.errors.DeclarationError, "c1", "c2"):
        plane("1e-50*x' = 1e-50*y'", "x' = y'")
    with blames(ah.errors.DeclarationError, "c1", "c2"):
        plane("1e-30*x' = 1e-30", "1e-30*x' = 2e-30")


def test_values_are_checked_by_themselves():
    system = ah.System(**SKATE, parameters={"m": 1.0, "J": 1.0})
    check_values(system.model.with_values((("m", 1e-40), ("J", 1e40))))
    with blames(ah.errors.DeclarationError):
        check_values(system.model.with_values((("m", 1.0), ("J", 0.0))))
    rows = plane("x' = y'", "x' = k*y'", parameters={"k": 2.0})
    with blames(ah.errors.DeclarationError):
        check_values(rows.model.with_values((("k", 1.0),)))
