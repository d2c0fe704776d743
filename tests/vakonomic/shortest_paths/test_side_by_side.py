"""The two dynamics from one state: one motion where they can be, and otherwise together for as long as they can."""

from __future__ import annotations

import numpy as np
import pytest

import anholonomy as ah
from anholonomy.catalogue import skate, unicycle
from tests.wording import blames

START = {"x": 0, "y": 0, "theta": 0, "x'": 1, "theta'": 0.5}


@pytest.mark.exhaustive
def test_where_mechanics_is_vakonomic_both_are_one_motion() -> None:
    """The unicycle goes round in a circle, which needs a force: the multiplier is not zero, and it is found."""
    start = {"x": 0, "y": 0, "theta": 0, "phi": 0.3, "theta'": 1.5, "phi'": 0.8}
    both = unicycle("0", {}).paths.side_by_side(start, until=4)
    assert float(abs(both.difference).max()) < 1e-8
    assert np.linalg.norm(list(both.multiplier.values())) > 0.5
    finding = unicycle("0", {}).paths.variational("vakonomic").is_stationary(both.nonholonomic)
    assert finding.is_proven


def test_otherwise_they_part_with_the_third_derivative() -> None:
    """mu = 0: the accelerations agree, the jerks do not."""
    both = skate().paths.side_by_side(START, times=np.linspace(0, 0.2, 201).tolist())
    assert both.multiplier == {"mu1": 0.0}
    late, early = (float(np.abs(both.difference.sel(time=t, method="nearest")).max()) for t in (0.1, 0.05))
    assert late / early == pytest.approx(8, rel=0.05)
    assert "the motions come" in str(both)


def test_a_multiplier_may_be_given() -> None:
    for given in (0.7, [0.7], {"mu1": 0.7}):
        both = skate().paths.side_by_side(START, until=1, multiplier=given)
        assert float(both.vakonomic["mu1"][0]) == 0.7
        assert both.multiplier == {"mu1": 0.7}


@pytest.mark.parametrize(
    ("words", "names"),
    [
        ({"multiplier": {"mu2": 1}}, ("mu1",)),
        ({"multiplier": "much"}, ("mu1",)),
        ({"multiplier": [1, 2]}, ("mu1",)),
        ({"start": 3}, ("3",)),
        ({"start": {"x": 0}}, ()),
    ],
)
def test_mistakes(words, names: tuple[str, ...]) -> None:
    with blames(ah.Error, *names):
        skate().paths.side_by_side(**({"start": START, "until": 1} | words))


def test_there_must_be_two_dynamics() -> None:
    free = ah.System(name="free", coordinates=["x"], lagrangian="x'^2/2")
    with blames(ah.errors.NotSupportedError):
        free.paths.side_by_side({"x": 0, "x'": 1}, until=1)
    braked = skate().with_forces({"x": "-x'"})
    with blames(ah.errors.NotSupportedError):
        braked.paths.side_by_side(START, until=1)


def test_nonlinear_constraints_are_compared_too() -> None:
    steady = ah.System(
        name="steady", coordinates=["x", "y"], lagrangian="(x'^2 + y'^2)/2 - y", constraints=["x'^2 + y'^2 = 1"]
    )
    both = steady.paths.side_by_side({"x": 0, "y": 0, "x'": 0.6, "y'": 0.8}, until=1)
    assert float(abs(both.vakonomic.constraint_residual).max()) < 1e-12
    assert float(abs(both.difference[1]).max()) < 1e-8


def test_the_picture_and_the_film_show_both(tmp_path) -> None:
    both = skate().paths.side_by_side(START, until=3)
    left, right = both.plot()
    assert [line.get_label() for line in left.get_lines()][::2] == ["nonholonomic", "vakonomic", "start"]
    assert len(right.get_lines()) == 3
    both.plot(tmp_path / "both.png")
    assert (tmp_path / "both.png").stat().st_size > 10_000
    with blames(ah.errors.NotSupportedError):
        both.plot(3)
    film = both.animate(frames=20).film
    alone = both.nonholonomic.animate(frames=20).film
    moving = [actor for actor in alone.actors if actor.kind != "plane"]
    assert len(film.actors) == len(alone.actors) + len(moving)
    assert all(actor.colour.startswith("#") for actor in film.actors[len(alone.actors) :])
    both.animate(tmp_path / "both.html", frames=20)
    assert (tmp_path / "both.html").stat().st_size > 10_000


def test_of_bodies_the_angle_between_attitudes_is_drawn(tmp_path) -> None:
    """Against the trace of the rotation between them; a body that only turns is drawn by an axis."""
    body = ah.System(name="body", group="SO3", kinetic=["2", "1", "3"], constraints=["w3 = 0"])
    both = body.paths.side_by_side({"q0": 1, "q1": 0, "q2": 0, "q3": 0, "w1": 0.3, "w2": 0.5}, until=6)
    R, S = (
        np.array([[run[f"R{i}{j}"].values[-1] for j in (1, 2, 3)] for i in (1, 2, 3)])
        for run in (both.nonholonomic, both.vakonomic)
    )
    assert float(both.angle[-1]) == pytest.approx(np.arccos((np.trace(S @ R.T) - 1) / 2), abs=1e-9)
    assert float(both.angle[0]) == 0
    left, right = both.plot(tmp_path / "both.png")
    assert left.get_xlabel().startswith("$R_{1")
    assert [line.get_label() for line in right.get_lines()] == [r"$\mathrm{angle}$"]
    assert skate().paths.side_by_side(START, until=1).angle is None


def test_the_multiplier_is_one_of_the_start_and_not_of_how_long_one_looks() -> None:
    """Derivatives at the start are the same however long a motion lasts; steps of an eighth of a radian gave 3.26 here."""
    entry = ah.catalogue.ENTRIES["ball-in-cylinder"]
    for until in (0.5, 5.0, 30.0):
        both = entry.make().paths.side_by_side(entry.start, until=until, tolerance=1e-8)
        assert list(both.multiplier.values()) == pytest.approx([1.6, 0.0], abs=1e-7)
