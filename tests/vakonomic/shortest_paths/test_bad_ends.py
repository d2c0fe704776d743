"""What cannot be asked of paths, each in one sentence; and what is kept where nothing was found."""

from __future__ import annotations

import pytest

import anholonomy as ah
from anholonomy.catalogue import heisenberg, skate
from tests.wording import blames

PLACE = {"x": 0, "y": 0, "z": 0}


def leaf(**words) -> ah.System:
    declared = {
        "name": "leaf",
        "coordinates": ["x", "y", "z"],
        "lagrangian": "(x'^2 + y'^2 + z'^2)/2",
        "constraints": ["z' = y*x' + x*y'"],
    }
    return ah.System(**(declared | words))


def test_an_end_on_another_leaf_is_refused_with_the_integral_that_differs() -> None:
    with blames(ah.errors.NotSupportedError, "z", "x", "y", "0"):
        leaf().paths.shortest(PLACE, {"x": 1, "y": 1, "z": 0})
    assert leaf().paths.shortest(PLACE, {"x": 1, "y": 1, "z": 1}).report.converged


@pytest.mark.exhaustive
def test_an_integral_of_a_part_of_the_constraints_counts_too() -> None:
    """u' = 2 x x' has an integral, w' = y x' none."""
    system = ah.System(
        name="half",
        coordinates=["x", "y", "u", "w"],
        lagrangian="(x'^2 + y'^2 + u'^2 + w'^2)/2",
        constraints=["u' = 2*x*x'", "w' = y*x'"],
    )
    with blames(ah.errors.NotSupportedError):
        system.paths.shortest({"x": 0, "y": 0, "u": 0, "w": 0}, {"x": 1, "y": 0, "u": 2, "w": 0.1})
    assert system.paths.shortest({"x": 0, "y": 0, "u": 0, "w": 0}, {"x": 1, "y": 0, "u": 1, "w": 0.1}).report.converged


@pytest.mark.parametrize(
    ("start", "end", "words", "names"),
    [
        ({"x": 0, "y": 0}, PLACE, {}, ()),
        (PLACE, {**PLACE, "k": 1}, {}, ("k",)),
        (PLACE, {**PLACE, "x'": 1}, {}, ("x'",)),
        (PLACE, {**PLACE, "x": "far"}, {}, ("far", "x")),
        (PLACE, PLACE, {}, ()),
        (PLACE, 3, {}, ("3",)),
        (PLACE, {**PLACE, "x": 1}, {"duration": -1}, ("duration", "-1")),
        (PLACE, {**PLACE, "x": 1}, {"starts": 0}, ("starts", "0")),
    ],
)
def test_bad_ends(start, end, words, names: tuple[str, ...]) -> None:
    paths = heisenberg().paths
    ask = paths.least_action if "duration" in words else paths.shortest
    with blames(ah.Error, *names):
        ask(start, end, **words)


@pytest.mark.parametrize(
    ("system", "names"),
    [
        (lambda: leaf(forces={"x": "-x'"}), ()),
        (lambda: leaf(constraints=["z'^2 = x'^2 + y'^2"]), ()),
        (lambda: leaf(lagrangian="sqrt(1 + x'^2) + y'^2 + z'^2"), ()),
        (lambda: leaf(lagrangian="(x'^2 + y'^2 + z'^2)/2 - z"), ("duration",)),
        (lambda: leaf(lagrangian="m*(x'^2 + y'^2 + z'^2)/2", parameters=["m"]), ("m",)),
    ],
)
def test_systems_without_shortest_paths(system, names: tuple[str, ...]) -> None:
    with blames(ah.Error, *names):
        system().paths.shortest(PLACE, {"x": 1, "y": 0, "z": 0})


def test_a_place_where_a_constraint_on_positions_fails_is_refused() -> None:
    circle = ah.System(name="bead", coordinates=["x", "y"], lagrangian="(x'^2 + y'^2)/2", constraints=["x^2 + y^2 = 1"])
    with blames(ah.errors.StateError):
        circle.paths.shortest({"x": 1, "y": 0}, {"x": 1, "y": 1})
    assert circle.paths.shortest({"x": 1, "y": 0}, {"x": 0, "y": 1}).length == pytest.approx(
        1.5707963267948966, abs=1e-9
    )


def test_what_is_not_found_is_said_in_a_sentence_and_the_best_is_kept() -> None:
    """One guess, the straight way, along which no speed leads sideways."""
    path = skate().paths.shortest({"x": 0, "y": 0, "theta": 0}, {"x": 0, "y": 1, "theta": 0}, starts=1)
    assert not path.report.converged
    assert "no extremal was found that leads to the end: the best path misses it by 1 in y" in str(path.report)
    assert path.data["q"].values[0].tolist() == [0, 0, 0]
    with blames(ah.errors.NotSupportedError, "path.data"):
        path.run


def test_momenta_are_given_for_every_direction() -> None:
    with blames(ah.errors.StateError, "z"):
        heisenberg().paths.extremal(PLACE, {"x": 1, "y": 0})
    with blames(ah.errors.ArgumentError, "until", "0"):
        heisenberg().paths.extremal(PLACE, {"x": 1, "y": 0, "z": 0}, until=0)


@pytest.mark.parametrize(("start", "end", "what"), [(0, 1, "start"), (1, 0, "end")])
def test_a_metric_that_is_infinite_at_an_end_is_refused(start: float, end: float, what: str) -> None:
    """Grushin's plane, whose metric has a pole on the line x = 0."""
    plane = ah.System(name="Grushin", coordinates=["x", "y"], lagrangian="(x'^2 + y'^2/x^2)/2")
    with blames(ah.Error, what):
        plane.paths.shortest({"x": start, "y": 0}, {"x": end, "y": 1})
