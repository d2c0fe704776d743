"""What inputs and speeds reach: systems whose answers are known, and invented ones."""

from __future__ import annotations

import pytest

import anholonomy as ah
from anholonomy import Verdict, catalogue
from tests.wording import blames

PROVEN, REFUTED, UNKNOWN = Verdict.PROVEN, Verdict.REFUTED, Verdict.UNKNOWN
PLANAR = {
    "coordinates": ["x", "y", "th"],
    "lagrangian": "(x'^2 + y'^2)/2 + J*th'^2/2",
    "parameters": {"J": 0.5, "h": 0.3},
}


def planar(forces, inputs):
    return ah.System(name="body", forces=forces, inputs=inputs, **PLANAR)


def cart(**words):
    return ah.System(
        name="cart",
        coordinates=["x", "th"],
        lagrangian="x'^2/2 + 0.3*(x'^2 + x'*th'*cos(th) + th'^2/4)/2 - 1.5*cos(th)",
        forces={"x": "F"},
        inputs=["F"],
        **words,
    )


@pytest.mark.parametrize(
    ("make", "brackets"),
    [
        (catalogue.unicycle, 4),
        (catalogue.rolling_ball, 5),
        (lambda: catalogue.n_trailer(1), 4),
        (lambda: catalogue.n_trailer(2), 5),
        (catalogue.heisenberg, 3),
    ],
    ids=["unicycle", "ball", "one trailer", "two trailers", "heisenberg"],
)
def test_what_speeds_reach_by_chow(make, brackets):
    found = make().controllability()
    assert found
    assert found.accessible.verdict is found.small_time.verdict is PROVEN
    assert len(found.brackets) == brackets


def test_martinet_needs_longer_brackets_where_it_is_singular():
    assert len(catalogue.martinet().controllability(at={"y": 0}).brackets) == 3
    assert "[" in catalogue.martinet().controllability().brackets[-1]


def test_leaves_are_not_left():
    towed = ah.System(
        name="towed", coordinates=["x", "y", "z"], lagrangian="(x'^2 + y'^2 + z'^2)/2", constraints=["z' = y*x' + x*y'"]
    )
    found = towed.controllability()
    assert found.accessible.is_refuted
    assert found.small_time.is_refuted


CASES = {
    "mass": (
        lambda: ah.System(coordinates=["x"], lagrangian="x'^2/2", forces={"x": "F"}, inputs=["F"]),
        {},
        PROVEN,
        PROVEN,
    ),
    "pendulum without motor": (
        lambda: ah.System(coordinates=["a"], lagrangian="a'^2/2 + cos(a)"),
        {},
        REFUTED,
        REFUTED,
    ),
    "pendulum with motor": (
        lambda: ah.System(coordinates=["a"], lagrangian="a'^2/2 + cos(a)", forces={"a": "N"}, inputs=["N"]),
        {},
        PROVEN,
        PROVEN,
    ),
    # One thruster pushes one way only (Lewis 1997); two, or one that turns, surround the place.
    "one thruster": (lambda: planar({"x": "F*cos(th)", "y": "F*sin(th)", "th": "-h*F"}, ["F"]), {}, PROVEN, REFUTED),
    "one thruster at the centre": (lambda: planar({"x": "F*cos(th)", "y": "F*sin(th)"}, ["F"]), {}, REFUTED, REFUTED),
    "two thrusters": (
        lambda: planar({"x": "F*cos(th) - G*sin(th)", "y": "F*sin(th) + G*cos(th)", "th": "-h*G"}, ["F", "G"]),
        {},
        PROVEN,
        PROVEN,
    ),
    "cart and pole, upright": (cart, {"x": 0, "th": 0}, PROVEN, PROVEN),
    "cart and pole, anywhere": (cart, {}, PROVEN, UNKNOWN),
    "sleigh with one motor": (
        lambda: catalogue.chaplygin_sleigh().with_forces({"theta": "tau"}, inputs=["tau"]),
        {},
        PROVEN,
        REFUTED,
    ),
    "unicycle with two motors": (
        lambda: catalogue.unicycle().with_forces({"theta": "a", "phi": "b"}, inputs=["a", "b"]),
        {},
        PROVEN,
        PROVEN,
    ),
    # Lewis, Ostrowski, Burdick and Murray 1994.
    "snakeboard": (
        lambda: catalogue.snakeboard().with_forces({"psi": "a", "phi": "b"}, inputs=["a", "b"]),
        {},
        PROVEN,
        PROVEN,
    ),
    "roller racer": (lambda: catalogue.roller_racer().with_forces({"phi": "tau"}, inputs=["tau"]), {}, PROVEN, REFUTED),
    "two masses, one pushed": (
        lambda: ah.System(coordinates=["a", "b"], lagrangian="(a'^2 + b'^2)/2", forces={"a": "F"}, inputs=["F"]),
        {},
        REFUTED,
        REFUTED,
    ),
    "bead on a wire": (
        lambda: ah.System(
            coordinates=["x", "y"],
            lagrangian="(x'^2 + y'^2)/2",
            constraints=["x^2 + y^2 = 1"],
            forces={"x": "-y*N", "y": "x*N"},
            inputs=["N"],
        ),
        {},
        PROVEN,
        PROVEN,
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_what_inputs_reach(name):
    make, at, accessible, small_time = CASES[name]
    found = make().controllability(at=at or None)
    assert found.accessible.verdict is accessible, found
    assert found.small_time.verdict is small_time, found
    assert found.verdict is small_time
    assert all(each.evidence for each in found.findings)


def test_a_definite_form_is_an_obstruction_at_a_place():
    """Accelerations along (1, 0, x) and (0, 1, y): both inputs push z up by their squares (Hirschorn and Lewis)."""
    words = {"coordinates": ["x", "y", "z"], "lagrangian": "(x'^2 + y'^2 + z'^2)/2", "inputs": ["F", "G"]}
    up = ah.System(forces={"x": "F", "y": "G", "z": "x*F + y*G"}, **words)
    either = ah.System(forces={"x": "F", "y": "G", "z": "x*F - y*G"}, **words)
    origin = {"x": 0, "y": 0, "z": 0}
    assert up.controllability(at=origin).accessible
    assert up.controllability(at=origin).small_time.is_refuted
    assert either.controllability(at=origin).small_time.is_unknown
    assert not up.controllability().small_time.is_proven


def test_a_momentum_that_nothing_changes_is_not_left():
    kept = ah.System(
        coordinates=["x", "y", "z"],
        lagrangian="(x'^2 + y'^2 + z'^2)/2 + z'*(x*x' + y*y')/2",
        forces={"x": "F", "y": "G"},
        inputs=["F", "G"],
    )
    assert kept.controllability(at={"x": 0, "y": 0, "z": 0}).accessible.is_refuted


def test_decoupling_fields_are_named():
    board = catalogue.snakeboard().with_forces({"psi": "a", "phi": "b"}, inputs=["a", "b"]).controllability()
    assert len(board.reductions) == 2
    assert board.reductions[1].endswith("d/dphi")
    assert "<Y_a : Y_b>" in board.brackets
    assert (
        planar({"x": "a", "y": "b", "th": "c"}, ["a", "b", "c"])
        .controllability()
        .reductions[0]
        .startswith("every combination")
    )


def test_both_ways_of_asking_may_be_chosen():
    driven = catalogue.chaplygin_sleigh().with_forces({"theta": "tau"}, inputs=["tau"])
    assert driven.controllability(controls="speeds")
    assert driven.controllability(controls="inputs").small_time.is_refuted
    assert "led kinematically" in str(planar({"x": "a", "y": "b", "th": "c"}, ["a", "b", "c"]).controllability())


@pytest.mark.parametrize(
    ("asked", "names"),
    [
        (lambda: cart().controllability(controls="force"), ("inputs", "speeds")),
        (lambda: cart().controllability(at={"x'": 1}), ()),
        (lambda: cart().controllability(at={"z": 1}), ()),
        (
            lambda: ah.System(
                coordinates=["x"], lagrangian="x'^2/2", forces={"x": "F^2"}, inputs=["F"]
            ).controllability(),
            (),
        ),
        (
            lambda: ah.System(
                coordinates=["x"], lagrangian="x'^2/2", forces={"x": "F*sin(t)"}, inputs=["F"]
            ).controllability(),
            (),
        ),
        (
            lambda: ah.System(
                coordinates=["x", "y"],
                lagrangian="(x'^2 + y'^2)/2",
                constraints=["x' = 1 + y'"],
                forces={"y": "F"},
                inputs=["F"],
            ).controllability(),
            (),
        ),
    ],
)
def test_what_cannot_be_asked_is_refused(asked, names):
    with blames(ah.Error, *names):
        asked()


def test_a_limit_of_time_leaves_it_unknown():
    board = catalogue.snakeboard().with_forces({"psi": "a", "phi": "b"}, inputs=["a", "b"])
    assert board.controllability(time_limit=1e-9).small_time.is_unknown
