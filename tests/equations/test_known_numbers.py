"""A number is known to the digits promised, or refused: nothing is zero because its ball happens to contain zero."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
import symengine

import anholonomy as ah
from anholonomy.catalogue import chaplygin_sleigh
from anholonomy.equations.principles import PRINCIPLES
from tests.wording import blames

NOUGHT = "sin(x)^2 + cos(x)^2 - 1"
"""Zero, which no ball can tell."""


@pytest.mark.parametrize("principle", ["lagrange-dalembert", "hamiltonian", "connection", "gauss"])
def test_cancellation_costs_digits_and_not_the_answer(principle: str) -> None:
    """A polynomial multiplied out by its author loses 72 digits; the truth is that of fractions."""
    x = symengine.Symbol("x")
    power = str(symengine.expand((x - 1000) ** 12)).replace("**", "^")
    system = ah.System(name="s", coordinates=["x"], lagrangian="x'^2/2", forces={"x": f"1e36*({power})"})
    found = system.derive(principle).accelerations({"x": "1000.001", "x'": 1})
    assert found["x''"] == pytest.approx(float(10**36 * Fraction(1, 1000) ** 12), rel=1e-15)


def test_what_is_not_known_is_refused_with_the_reason() -> None:
    system = ah.System(name="vague", coordinates=["x"], lagrangian="x'^2/2", forces={"x": f"sign({NOUGHT})"})
    for principle in [f.name for f in PRINCIPLES if f.agrees and f.covers(system)]:
        with blames(ah.Error, "x''", principle):
            system.derive(principle).accelerations({"x": 1, "x'": 1})


def test_the_principle_that_knows_is_named() -> None:
    equations = chaplygin_sleigh().derive("hamel")
    vague = replace(
        equations,
        data=replace(equations.data, rhs=tuple(r + symengine.sign(_nought()) for r in equations.data.rhs)),
    )
    state = {"x": 1, "y": 0, "theta": 0.5, "x'": 1, "theta'": 2}
    with blames(ah.Error, "lagrange-dalembert"):
        vague.accelerations(state)
    with blames(ah.Error, "x'"):
        vague.reactions(state)
    assert equations.accelerations(state)


def _nought() -> symengine.Expr:
    x = symengine.Symbol("x")
    return symengine.sin(x) ** 2 + symengine.cos(x) ** 2 - 1


def test_what_is_zero_is_zero() -> None:
    system = ah.System(
        name="resting", coordinates=["x"], lagrangian="x'^2/2", forces={"x": f"1e9*({NOUGHT}) + x'*({NOUGHT})"}
    )
    assert system.derive("lagrange-dalembert").accelerations({"x": 1, "x'": 1}) == {"x''": 0.0}


def test_a_small_reaction_of_large_terms_has_its_digits() -> None:
    r"""On the sleigh $\lambda = m v\omega I/(I + ma^2)$ across the blade: $10^{-24}$ of the terms it is left of."""
    m, I, a, v, w = (Fraction(value) for value in (1e6, 1e-6, 1e3, 1.5, 0.5))
    found = (
        chaplygin_sleigh(m=1e6, I=1e-6, a=1e3)
        .derive("hamel")
        .reactions({"x": 0, "y": 0, "theta": 0, "x'": 1.5, "y'": 0, "theta'": 0.5})
    )
    assert abs(found["y'"]) == pytest.approx(float(m * v * w * I / (I + m * a**2)), rel=1e-14)
