"""What cannot be asked of paths, each in one sentence; and what is kept where nothing was found."""

from __future__ import annotations

import pytest

import anholonomy as ah
from anholonomy.catalogue import heisenberg, skate

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
    with pytest.raises(
        ah.errors.NotSupportedError,
        match=r"because z - x\*y is constant along every one, and it is 0 at the start and -1 at the end",
    ):
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
    with pytest.raises(ah.errors.NotSupportedError, match=r"is constant along every one"):
        system.paths.shortest({"x": 0, "y": 0, "u": 0, "w": 0}, {"x": 1, "y": 0, "u": 2, "w": 0.1})
    assert system.paths.shortest({"x": 0, "y": 0, "u": 0, "w": 0}, {"x": 1, "y": 0, "u": 1, "w": 0.1}).report.converged


@pytest.mark.parametrize(
    ("start", "end", "words", "sentence"),
    [
        ({"x": 0, "y": 0}, PLACE, {}, "the start lacks z; give every coordinate"),
        (PLACE, {**PLACE, "k": 1}, {}, "the end has k, which is no coordinate"),
        (PLACE, {**PLACE, "x'": 1}, {}, "the end has x', which is no coordinate"),
        (PLACE, {**PLACE, "x": "far"}, {}, "x = 'far', which is not a finite number"),
        (PLACE, PLACE, {}, "the shortest path is to stay"),
        (PLACE, 3, {}, "the end is 3; give a dict"),
        (PLACE, {**PLACE, "x": 1}, {"duration": -1}, "duration=-1 is not a positive number"),
        (PLACE, {**PLACE, "x": 1}, {"starts": 0}, "starts=0 is no number of guesses"),
    ],
)
def test_bad_ends(start, end, words, sentence: str) -> None:
    with pytest.raises(ah.Error, match=sentence):
        heisenberg().paths.shortest(start, end, **words)


@pytest.mark.parametrize(
    ("system", "sentence"),
    [
        (lambda: leaf(forces={"x": "-x'"}), "forces without a potential"),
        (lambda: leaf(constraints=["z'^2 = x'^2 + y'^2"]), "nonlinear constraints"),
        (lambda: leaf(lagrangian="sqrt(1 + x'^2) + y'^2 + z'^2"), "not quadratic in the velocities"),
        (lambda: leaf(lagrangian="(x'^2 + y'^2 + z'^2)/2 - z"), "give `duration`"),
        (lambda: leaf(lagrangian="m*(x'^2 + y'^2 + z'^2)/2", parameters=["m"]), "the parameter m has no value"),
    ],
)
def test_systems_without_shortest_paths(system, sentence: str) -> None:
    with pytest.raises(ah.Error, match=sentence):
        system().paths.shortest(PLACE, {"x": 1, "y": 0, "z": 0})


def test_a_place_where_a_constraint_on_positions_fails_is_refused() -> None:
    circle = ah.System(name="bead", coordinates=["x", "y"], lagrangian="(x'^2 + y'^2)/2", constraints=["x^2 + y^2 = 1"])
    with pytest.raises(ah.errors.StateError, match="the end violates the constraint"):
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
    with pytest.raises(ah.errors.NotSupportedError, match=r"Its points are in `path.data`"):
        path.run


def test_momenta_are_given_for_every_direction() -> None:
    with pytest.raises(ah.errors.StateError, match="the covector lacks z"):
        heisenberg().paths.extremal(PLACE, {"x": 1, "y": 0})
    with pytest.raises(ah.errors.IntegrationError, match="until=0 is not a positive number"):
        heisenberg().paths.extremal(PLACE, {"x": 1, "y": 0, "z": 0}, until=0)


@pytest.mark.parametrize(("start", "end", "what"), [(0, 1, "start"), (1, 0, "end")])
def test_a_metric_that_is_infinite_at_an_end_is_refused(start: float, end: float, what: str) -> None:
    """Grushin's plane, whose metric has a pole on the line x = 0."""
    plane = ah.System(name="Grushin", coordinates=["x", "y"], lagrangian="(x'^2 + y'^2/x^2)/2")
    with pytest.raises(ah.Error, match=f"is not finite at the {what}"):
        plane.paths.shortest({"x": start, "y": 0}, {"x": end, "y": 1})
