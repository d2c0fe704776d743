"""Constraints on positions solved for coordinates: the same accelerations in fewer coordinates, whatever acts."""

from __future__ import annotations

from typing import Any

import pytest

from anholonomy import System
from anholonomy.algebra.expressions import symbol
from anholonomy.system.solved_constraints import Solved, solved_positions

KINETIC = "(x'^2 + y'^2 + z'^2)/2"
CASES: dict[str, tuple[dict[str, Any], dict[str, float]]] = {
    "a bowl with drag": (
        {
            "coordinates": ["x", "y", "z"], "lagrangian": f"{KINETIC} - 3*z + x*y'", "constraints": ["2*z = x^2 + x*y"],
            "forces": {"x": "-x'", "z": "-z'*y - x", "y": "z*x'"},
        },
        {"x": 0.7, "y": -0.4, "x'": 1.1, "y'": 0.6},
    ),
    "a moving surface and a blade": (
        {
            "coordinates": ["x", "y", "z"], "lagrangian": f"{KINETIC} - z*sin(t)",
            "constraints": ["z = x*t + y^2", "y' = x*x' + z*z' + 1"], "forces": {"z": "t*x'"},
        },
        {"x": 0.7, "y": -0.4, "x'": 1.1, "t": 0.3},
    ),
    "one after the other": (
        {
            "coordinates": ["x", "y", "z", "w"], "lagrangian": f"{KINETIC} + w'^2 - w*x + y*z'",
            "constraints": ["w + z*x = 1", "3*z = x*y - w + 1"], "forces": {"w": "y'"},
        },
        {"x": 0.7, "y": -0.4, "x'": 1.1, "y'": 0.2},
    ),
    "a root": (
        {"coordinates": ["x", "y", "z"], "lagrangian": f"{KINETIC} - z", "constraints": ["x^2 + y^2 + z^2 = 1"], "forces": {"z": "x"}},
        {"x": 0.3, "y": -0.4, "x'": 1.1, "y'": 0.2},
    ),
    "momenta": (
        {
            "coordinates": ["x", "y", "z"], "momenta": {"x": "x' + y*z'", "y": "y'*(1 + x^2)", "z": "2*z' + x'"},
            "forces": {"x": "-x", "z": "x'*y"}, "constraints": ["z = x*y + t*x"],
        },
        {"x": 0.7, "y": -0.4, "x'": 1.1, "y'": 0.2, "t": 0.3},
    ),
    "on a group": (
        {
            "group": "SO3", "coordinates": ["x", "y", "z"],
            "lagrangian": f"{KINETIC} + w1^2 + w2^2/2 + w3^2/3 - z*x", "constraints": ["x' = w2", "y' = -w1", "z = x*R33 + R31"],
            "forces": {"z": "w3", "w1": "-w1"},
        },
        {"q0": 0.8, "q1": 0, "q2": 0.6, "q3": 0, "x": 0.7, "y": -0.4, "w1": 0.4, "w2": -0.3, "w3": 1.2},
    ),
    "a span": (
        {
            "coordinates": ["x", "y", "h", "z"], "lagrangian": f"{KINETIC} + h'^2/2 - z",
            "constraints": ["y'*cos(h) = x'*sin(h)", "z = x^2"],
            "span": [["cos(h)", "sin(h)", "0", "2*x*cos(h)"], ["0", "0", "1", "0"]], "speeds": ["u", "w"],
        },
        {"x": 0.7, "y": -0.4, "h": 0.5, "x'": 0.4, "h'": -0.3},
    ),
}  # fmt: skip


def _solved(words: dict[str, Any]) -> Solved:
    found = solved_positions(System(name="case", **words).model)
    assert found is not None
    return found


@pytest.mark.parametrize("case", list(CASES))
def test_the_accelerations_are_those_of_the_declared_system(case: str) -> None:
    words, state = CASES[case]
    solved = _solved(words)
    values = {symbol(name): value for name, value in state.items()} | {symbol("t"): state.get("t", 0)}
    place = {q.name: float(f.xreplace(values)) for q, f in solved.values.items()}
    there = System._of(solved.model).derive().accelerations(state)
    declared = System(name="case", **words).derive().accelerations(state | place)
    assert len(there) == len(declared) - len(place)
    for name, value in there.items():
        assert abs(value - declared[name]) < 1e-12, name


@pytest.mark.parametrize(
    ("positions", "branches"),
    [
        (["z = x"], ()),
        (["k*z = x"], ()),
        (["x*z = y"], ()),  # linear in y
        (["x*y*z = 1"], ("x*y is not zero",)),
        (["z^2 = x"], ()),  # linear in x
        (["x^2 + y^2 + z^2 = 1"], ("z = sqrt(1 - x^2 - y^2)",)),
    ],
)
def test_where_a_solution_holds_is_said(positions: list[str], branches: tuple[str, ...]) -> None:
    words = {"coordinates": ["x", "y", "z"], "lagrangian": KINETIC, "parameters": ["k"], "constraints": positions}
    assert _solved(words).branches == branches


@pytest.mark.parametrize("position", ["cos(x) + cos(y) + z^3 = 1", "exp(z) = z + x^3 + y*exp(y) + exp(x)"])
def test_what_is_not_solved_stays(position: str) -> None:
    words = {"coordinates": ["x", "y", "z"], "lagrangian": KINETIC, "constraints": [position]}
    assert solved_positions(System(name="case", **words).model) is None
