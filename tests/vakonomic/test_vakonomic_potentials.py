"""Functions that nobody specified, solved for: arbitrary functions of characteristics, and polynomials of a class."""

from __future__ import annotations

import anholonomy as ah
from anholonomy.language import to_text


def tilted(potential: str = "U(x, y, z)", functions: tuple[str, ...] = ("U(x, y, z)",)) -> ah.System:
    """A particle on Heisenberg's group with y replaced by y + z: its potentials may not change where y + z does not."""
    return ah.System(
        name="tilted",
        coordinates=["x", "y", "z"],
        lagrangian=f"(x'^2 + (y'+z')^2 + (z' - (y+z)*x' + x*(y'+z'))^2)/2 - ({potential})",
        functions=list(functions),
        constraints=["z' = (y+z)*x' - x*(y'+z')"],
    )


def test_a_potential_is_any_function_of_the_characteristics() -> None:
    (found,) = tilted().compare_vakonomic().solutions
    assert to_text(found.value) == "U(x, y + z)"
    assert found.finding.is_proven
    assert not found.among


def test_and_others_have_the_other_answer() -> None:
    assert tilted("sin(x)*exp(y + z)", ()).compare_vakonomic().verdict is ah.Verdict.PROVEN
    assert tilted("sin(x)*exp(y - z)", ()).compare_vakonomic().verdict is ah.Verdict.REFUTED


def test_no_potential_saves_a_skate() -> None:
    skate = ah.System(
        name="skate",
        coordinates={"x": "length", "y": "length", "theta": "angle"},
        lagrangian="(x'^2 + y'^2 + theta'^2)/2 - V(x, y, theta)",
        functions=["V(x, y, theta)"],
        constraints=["x'*sin(theta) = y'*cos(theta)"],
    )
    answer = skate.compare_vakonomic()
    assert answer.solutions == answer.kept == ()
