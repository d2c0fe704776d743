"""Powers of sums are not multiplied out beyond what is small: answers take no longer than their text."""

from __future__ import annotations

import pytest
import symengine

import anholonomy as ah
from anholonomy.algebra.linear_algebra.symbolic import inverse
from anholonomy.algebra.simplification.simplify import simplify
from anholonomy.algebra.zero_test import zero_test
from anholonomy.base.verdict import Verdict

x, y = symengine.symbols("x y")


@pytest.mark.parametrize("power", [3, 65, 200, 501, 900])
def test_normal_forms_take_what_is_raised_as_a_whole(power: int) -> None:
    high = (1 + x + y) ** power
    assert zero_test(high * (x + y) - high * x - high * y) is Verdict.PROVEN
    assert zero_test(high * (x + y) - high * x - high) is Verdict.REFUTED
    assert zero_test(high / (1 + x + y) ** (power - 1) - 1 - x - y) is Verdict.PROVEN


@pytest.mark.parametrize("power", [200, 900])
def test_simplification_keeps_the_power(power: int) -> None:
    """Nor does it become an exponential of a logarithm, which has no value where the base is negative."""
    assert simplify(x * (1 + x + y) ** power + y * (1 + x + y) ** power) == (1 + x + y) ** power * (x + y)


def test_an_inverse_keeps_the_power() -> None:
    (entry,) = inverse([[(1 + x + y) ** 300]])[0]
    assert symengine.count_ops(entry) < 10


def test_equations_with_a_high_power_are_as_short_as_their_constraint() -> None:
    system = ah.System(
        name="steep",
        coordinates=["x", "y", "z"],
        lagrangian="(x'^2 + y'^2 + z'^2)/2",
        constraints=["z' = (1 + x + y)^200*x' + y'"],
    )
    assert system.verify(states=1)
    assert len(str(system.derive())) < 2000


@pytest.mark.exhaustive
def test_a_power_that_no_double_holds_is_divided_by_all_the_same() -> None:
    system = ah.System(
        name="steeper",
        coordinates=["x", "y"],
        lagrangian="(x'^2 + y'^2)/2",
        constraints=["(1 + x + y)^900*x' = y'"],
    )
    run = system.simulate({"x": 0, "y": 0, "x'": 1e-3}, until=1e-3)
    assert run.is_complete
    assert float(abs(run.constraint_residual).max()) < 1e-15
