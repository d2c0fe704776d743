"""Constraints with common factors, which make equations long: the answer is that of the constraints without them."""

from __future__ import annotations

import pytest
import sympy as sp

import anholonomy as ah
from anholonomy.language import to_text

HEISENBERG = (
    ["x", "y", "z"],
    "x'^2/2 + (2*x'*x + y')^2/2 + (-x'*(x^2 + y) + z' + x*(2*x'*x + y'))^2/2",
    ["-x'*(x^2 + y) + z' + x*(2*x'*x + y')"],
)
CYCLIC = (
    ["x", "y", "z", "w"],
    "x'^2/2 + z'^2/2 + (w' + 2*x')^2/2 + (2*x'*x + y')^2/2",
    ["z' - (2*x'*x + y')*cos(x)", "w' + 2*x' - (2*x'*x + y')*sin(x)"],
)


def answered(parts: tuple[list[str], str, list[str]], factor: str) -> ah.answers.VakonomicComparison:
    coordinates, lagrangian, (first, *others) = parts
    rows = [f"({factor})*({first}) = 0", *(f"{each} = 0" for each in others)]
    return ah.System(
        name="disguised", coordinates=coordinates, lagrangian=lagrangian, constraints=rows
    ).compare_vakonomic()


@pytest.mark.parametrize("parts", [HEISENBERG, CYCLIC], ids=["Heisenberg", "cyclic"])
def test_a_factor_changes_the_multiplier_and_not_the_answer(parts: tuple[list[str], str, list[str]]) -> None:
    plain, disguised = answered(parts, "1"), answered(parts, "x^2 + 2")
    assert plain.verdict is disguised.verdict is ah.Verdict.PROVEN
    mu, nu = (
        sp.sympify(to_text(each.multiplier["mu1"]).replace("'", "_").replace("^", "**")) for each in (plain, disguised)
    )
    assert sp.simplify(mu - nu * (sp.Symbol("x") ** 2 + 2)) == 0
