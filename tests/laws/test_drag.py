"""What drag makes of integrals: exponentials of time before them, and nothing claimed where friction is dry."""

from __future__ import annotations

import math

import numpy as np
import pytest

from anholonomy import System, Verdict
from tests.wording import pinned


def is_constant(law, run) -> bool:
    values = np.asarray(law.along(run))
    return bool(np.ptp(values) < 1e-11 * max(1.0, np.abs(values).max()))


def test_a_damped_oscillator_keeps_the_energy_of_caldirola_and_kanai() -> None:
    w, c = 1.3, 0.4
    system = System(
        name="damped",
        coordinates=["x"],
        lagrangian="(x'^2 - w^2*x^2)/2",
        forces={"x": "-2*c*x'"},
        parameters={"w": w, "c": c},
    )
    laws = system.conserved()
    assert [law.degree for law in laws] == [2]
    state = {"x": 0.7, "x'": -0.3, "t": 1.5}
    known = [
        math.exp(2 * c * s["t"]) * (s["x'"] ** 2 + 2 * c * s["x"] * s["x'"] + w**2 * s["x"] ** 2)
        for s in (state, state | {"x": 0.1})
    ]
    values = [laws[0](s) for s in (state, state | {"x": 0.1})]
    assert values[0] / known[0] == pytest.approx(values[1] / known[1], rel=1e-13)


@pytest.mark.exhaustive_for("sleigh")
@pytest.mark.parametrize(
    ("words", "count"),
    [
        ({"coordinates": ["x"], "lagrangian": "x'^2/2", "forces": {"x": "-c*x'"}, "parameters": {"c": 0.4}}, 2),
        (
            {
                "coordinates": ["x", "y", "theta"],
                "lagrangian": "(x'^2 + y'^2 + theta'^2)/2",
                "constraints": ["x'*sin(theta) = y'*cos(theta)"],
                "forces": {"x": "-c*x'", "y": "-c*y'", "theta": "-k*theta'"},
                "parameters": {"c": 0.3, "k": 0.2},
            },
            2,
        ),
        (
            {
                "coordinates": ["x", "y"],
                "lagrangian": "(x'^2 + y'^2 - k*(x^2 + y^2))/2",
                "forces": {"x": "-c*x'", "y": "-c*y'"},
                "parameters": {"c": 0.3, "k": 0.2},
            },
            3,
        ),
    ],
    ids=["free", "sleigh", "isotropic"],
)
def test_laws_of_motions_with_drag(words, count) -> None:
    system = System(name="dragged", **words)
    laws = system.conserved()
    assert len(laws) == count
    start = {q.name: 0.3 + 0.1 * k for k, q in enumerate(system.coordinates)}
    free = [v.name for v in system.velocities if v.name != "y'" or not system.constraints]
    run = system.simulate(start | {name: 0.5 - 0.2 * k for k, name in enumerate(free)}, until=3)
    assert all(is_constant(law, run) for law in laws)


def test_a_claim_about_all_coefficients_says_whether_they_know_the_time() -> None:
    words = {"coordinates": ["x"], "lagrangian": "x'^2/2 + cos(x)", "parameters": {"c": 0.4}}
    assert "any functions of the configuration for" in str(System(name="p", forces={"x": "-c*x'"}, **words).conserved())
    moved = System(name="p", forces={"x": "-c*x' + sin(t)"}, **words).conserved()
    assert "any functions of the configuration and of time for" in str(moved)
    free = System(name="free", coordinates=["x"], lagrangian="x'^2/2").conserved()
    pinned(free.finding.claim)


def test_dry_friction_leaves_no_law_and_no_polynomial_bound() -> None:
    """sign(x') has no slope and is no constant: energy is lost, and the rates are no polynomials of the speeds."""
    words = {"coordinates": ["x"], "lagrangian": "x'^2/2 - x^2/2", "parameters": {"mu": 0.1}}
    laws = System(name="dry", forces={"x": "-mu*sign(x')"}, **words).conserved()
    assert not laws.found
    assert laws.finding.verdict is not Verdict.PROVEN


@pytest.mark.parametrize(
    ("lagrangian", "constraints", "kinds"),
    [
        ("(r'^2 + r^2*phi'^2)/2 - V(r)", [], ["energy", "momentum"]),
        ("(r'^2 + phi'^2 + z'^2)/2 - V(r)", ["z' = r*phi'"], ["energy", "gauge momentum"]),
    ],
)
def test_a_function_that_nobody_specified(lagrangian, constraints, kinds) -> None:
    coordinates = ["r", "phi", *(["z"] if constraints else [])]
    system = System(
        name="any V", coordinates=coordinates, lagrangian=lagrangian, constraints=constraints, functions=["V(r)"]
    )
    assert [law.kind for law in system.conserved()] == kinds
    assert len(system.conserved(functions=["1", "r^2", "V(r)", "sqrt(r^2 + 1)"])) == 2
