"""Laws beyond products of a few factors of everything: of a potential's own directions, of absolute values, at high degrees."""

from __future__ import annotations

import numpy as np
import pytest

from anholonomy import System, Verdict
from anholonomy.errors import ArgumentError
from tests.wording import blames


def spread(law, run) -> float:
    values = np.asarray(law.along(run))
    return float(np.ptp(values) / max(1.0, np.abs(values).max()))


TOP = {"q0": 0.8, "q1": 0.36, "q2": 0.48, "q3": 0.0, "w1": 0.4, "w2": -0.7, "w3": 1.1}


@pytest.mark.exhaustive
def test_the_quartic_of_kovalevskaya_is_found_unaided() -> None:
    """|(w1 + i w2)^2 - nu (R31 + i R32)|^2 with nu = g/C for I = (2C, 2C, C) and V = -g R31, up to the sign of g."""
    C, g = 1.0, 1.3
    top = System(name="top", group="SO3", kinetic=["2*C", "2*C", "C"], potential="g*R31", parameters={"C": C, "g": g})
    (quartic,) = (law for law in top.conserved(degree=4) if law.degree == 4)
    run = top.simulate(TOP, until=5)
    known = run["(w1^2 - w2^2 - g/C*R31)^2 + (2*w1*w2 - g/C*R32)^2"]
    assert float(abs(known - known[0]).max()) < 1e-11
    assert spread(quartic, run) < 1e-12


def test_the_cubic_of_a_top_on_a_level_needs_no_functions_of_ones_own() -> None:
    """Goryachev and Chaplygin: I = (4C, 4C, C), no momentum about the vertical."""
    top = System(name="top", group="SO3", kinetic=[4, 4, 1], potential="R31")
    area = top.conserved(degree=1)[0]
    assert any(law.degree == 3 for law in top.conserved(degree=3, level={area: 0}))


@pytest.mark.parametrize("other", ["abs(y)", "y^4", "cos(y)"])
def test_coordinates_part_where_one_has_a_corner(other: str) -> None:
    system = System(name="corner", coordinates=["x", "y"], lagrangian=f"(x'^2 + y'^2)/2 - abs(x) - {other}")
    laws = system.conserved()
    run = system.simulate({"x": 0.4, "y": 0.3, "x'": 0.2, "y'": -0.5}, until=6)
    assert float(run["x"].min()) < 0
    assert len(laws) == 2
    assert all(law.verdict is Verdict.PROVEN and spread(law, run) < 1e-11 for law in laws)


@pytest.mark.parametrize("degree", [2, 3, 4])
def test_a_higher_degree_loses_no_special_values(degree: int) -> None:
    """Henon and Heiles: C = 1 and C = 6 have a quadratic law."""
    system = System(
        name="Henon-Heiles",
        coordinates=["x", "y"],
        lagrangian="(x'^2 + y'^2 - x^2 - y^2)/2 - x^2*y - C*y^3/3",
        parameters={"C": -1.0},
    )
    values = {float(each.values["C"]) for each in system.conserved(degree=degree, free=["C"]).conditions}
    assert {1.0, 6.0} <= values


@pytest.mark.parametrize("turned", [False, True])
def test_levels_are_solved_in_any_order(turned: bool) -> None:
    kepler = System(name="Kepler", coordinates=["x", "y"], lagrangian="(x'^2 + y'^2)/2 + 1/sqrt(x^2 + y^2)")
    on = {"energy": -1, "x*y' - y*x'": "1/2"}
    assert len(kepler.conserved(level=dict(reversed(on.items())) if turned else on)) == 1


def test_what_is_for_conserved_alone_needs_it_to_be_asked() -> None:
    system = System(name="s", coordinates=["x"], lagrangian="x'^2/2 - k*x^2/2", parameters={"k": 1.0})
    with blames(ArgumentError):
        system.analyse(only=["hamiltonize"], free=["k"])
    with blames(ArgumentError):
        system.conserved(functions=[])
