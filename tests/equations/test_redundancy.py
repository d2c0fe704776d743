"""Constraints that follow from others: refused, dropped or kept, and never confused with contradictions."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import anholonomy as ah
from tests.wording import blames

ROWS = {
    "proportional": ["x' = y'", "2*x' = 2*y'"],
    "three in a ring": ["x' = y'", "y' = z'", "z' = x'"],
    "positions": ["x = y", "2*x = 2*y"],
    "a position and its derivative": ["x = y", "x' = y'"],
    "a velocity and its derivative": ["x' = y' + z", "x'' = y'' + z'"],
    "nonlinear": ["x'^2 + y'^2 = 1", "2*x'^2 + 2*y'^2 = 2"],
    "moving": ["x' = t*y'", "cos(x)*x' = t*cos(x)*y'"],
}


def bead(rows: list[str], redundant: str = "refuse") -> ah.System:
    return ah.System(
        name="bead",
        coordinates=["x", "y", "z"],
        lagrangian="(x'^2 + 2*y'^2 + z'^2)/2 - z - x*y",
        constraints=rows,
        redundant=redundant,
    )


@pytest.mark.parametrize("rows", ROWS.values(), ids=ROWS.keys())
def test_without_a_word_they_are_refused(rows: list[str]) -> None:
    labels = [f"c{k}" for k in range(1, len(rows) + 1)]
    with blames(ah.errors.DeclarationError, *labels, "redundant='drop'", "redundant='keep'"):
        bead(rows)


@pytest.mark.parametrize("rows", ROWS.values(), ids=ROWS.keys())
def test_dropped_and_kept_ones_move_alike(rows: list[str]) -> None:
    dropped, kept = bead(rows, "drop"), bead(rows, "keep")
    assert len(dropped.constraints) == len(rows) - 1
    assert len(kept.constraints) == len(rows)
    assert kept.model.redundant_rows == (len(rows) - 1,)
    assert kept.model.independent.constraints == dropped.constraints
    state = {"x": 0.5, "y": 0.5, "z": 0.1, "x'": 0.6, "y'": 0.8, "z'": 0.3}
    if rows == ROWS["nonlinear"]:
        state["z'"] = 0.9
    elif rows == ROWS["moving"]:
        state |= {"t": 0.75}
    elif rows == ROWS["a velocity and its derivative"]:
        state |= {"x'": 0.9}
    else:
        state |= {"x'": 0.3, "y'": 0.3}
    expected = dropped.derive("lagrange-dalembert").accelerations(state)
    for by in ("gauss", "udwadia-kalaba"):
        assert kept.derive(by).accelerations(state) == pytest.approx(expected, abs=1e-13)
    assert kept.verify(states=2).agree


def test_kept_ones_are_for_two_principles_and_the_others_say_so() -> None:
    kept = bead(ROWS["proportional"], "keep")
    for by in ("lagrange-dalembert", "maggi", "kane", "hamel", "gibbs-appell", "first-variation", "vakonomic"):
        with blames(ah.errors.NotSupportedError, by, "gauss"):
            kept.derive(by)
    # The default asks for no principle in particular and leaves the spare row out.
    motion = kept.simulate({"x": 0, "y": 0, "z": 0, "x'": 1, "y'": 1, "z'": 0}, until=0.5)
    assert motion.data.attrs["principle"] in ("kane", "hamel")


CONTRADICTIONS = {
    "velocities": ["x' = y'", "2*x' = 2*y' + 1"],
    "nonlinear": ["x'^2 + y'^2 = 1", "2*x'^2 + 2*y'^2 = 3"],
    "moving": ["x' = t*y'", "x' = t*y' + t"],
}


@pytest.mark.parametrize("redundant", ["refuse", "drop", "keep"])
@pytest.mark.parametrize("rows", CONTRADICTIONS.values(), ids=CONTRADICTIONS.keys())
def test_contradictory_velocities_are_refused_whatever_is_said(rows: list[str], redundant: str) -> None:
    with blames(ah.errors.DeclarationError, "c1", "c2"):
        bead(rows, redundant)


@pytest.mark.parametrize("redundant", ["drop", "keep"])
def test_contradictory_positions_are_refused_though_their_velocities_agree(redundant: str) -> None:
    with blames(ah.errors.DeclarationError, "c1", "c2"):
        bead(["x = y", "2*x = 2*y + 1"], redundant)


def test_contradictory_accelerations_are_refused_or_met_halfway() -> None:
    rows = ["x'' = y''", "x'' = y'' + 1"]
    with blames(ah.errors.DeclarationError):
        bead(rows)
    state = {"x": 0.5, "y": 0.2, "z": 0, "x'": 1, "y'": 1, "z'": 0}
    a = bead(rows, "keep").derive("gauss").accelerations(state)
    assert a["x''"] - a["y''"] == pytest.approx(0.5)


@pytest.mark.parametrize("word", ["forget", "", None, 3])
def test_another_word_is_refused(word: object) -> None:
    with blames(ah.errors.DeclarationError, "refuse", "drop", "keep"):
        bead(ROWS["proportional"], word)  # type: ignore[arg-type]


@pytest.mark.parametrize("rows", ROWS.values(), ids=ROWS.keys())
def test_a_file_remembers(rows: list[str], tmp_path) -> None:
    kept = bead(rows, "keep")
    kept.save(tmp_path / "kept.toml")
    again = ah.load(tmp_path / "kept.toml")
    assert again == kept
    assert again.model.keeps_redundant
    assert again.model.redundant_rows == kept.model.redundant_rows
    dropped = bead(rows, "drop")
    dropped.save(tmp_path / "dropped.toml")
    assert ah.load(tmp_path / "dropped.toml") == dropped
    assert 'redundant = "drop"' in (tmp_path / "dropped.toml").read_text(encoding="utf-8")


def test_a_trajectory_remembers() -> None:
    kept = bead(ROWS["positions"], "keep")
    motion = kept.simulate({"x": 0, "y": 0, "z": 0, "x'": 1, "y'": 1, "z'": 0}, until=0.2, by="gauss")
    assert motion.system == kept
    assert motion.data["multiplier"].sizes["constraint"] == 2


@pytest.mark.parametrize("factor", ["1e-5", "1e-7", "1e-12"])
@pytest.mark.parametrize("by", ["gauss", "udwadia-kalaba"])
def test_a_factor_before_a_row_changes_nothing(factor: str, by: str) -> None:
    system = ah.System(
        name="s", coordinates=["x", "y", "z"], lagrangian="(x'^2 + y'^2 + z'^2)/2 - z",
        constraints=["x' = y'", f"{factor}*z' = {factor}*x"], redundant="keep",
    )  # fmt: skip
    state = {"x": 0, "y": 0, "z": 0, "x'": 1, "y'": 1, "z'": 0}
    assert system.derive(by).accelerations(state)["z''"] == pytest.approx(1, abs=1e-12)
    assert system.derive(by).function("numpy", of="accelerations")(0.0, [0, 0, 0, 1, 1, 0])[2] == pytest.approx(1)


def test_contradictory_accelerations_move_as_they_are_derived() -> None:
    system = ah.System(
        name="c", coordinates=["x", "y"], lagrangian="(x'^2 + 3*y'^2)/2 + x'*y'/2 - y",
        constraints=["x'' + y'' = 1", "2*x'' + 2*y'' = 3"], redundant="keep",
    )  # fmt: skip
    run = system.simulate({"x": 0, "y": 0, "x'": 0, "y'": 0}, until=1)
    assert run.data.attrs["principle"] == "gauss"
    assert run["y"][-1] == pytest.approx(-0.05)


def test_values_decide_anew_what_is_redundant() -> None:
    words = {"name": "k", "coordinates": ["x", "y"], "lagrangian": "(x'^2 + y'^2)/2 - y*x", "parameters": {"k": 1.0}}
    kept = ah.System(constraints=["x' = k", "x' = 1"], redundant="keep", **words)
    with blames(ah.errors.DeclarationError):
        kept.with_parameters(k=2.0)
    with blames(ah.errors.DeclarationError):
        kept.simulate({"x": 0, "y": 0, "y'": 0}, until=1, parameters={"k": 2})
    pair = ah.System(constraints=["x' = k*y'", "x' = y'"], redundant="keep", **words)
    assert pair.model.redundant_rows == (1,)
    assert pair.with_parameters(k=2.0).model.redundant_rows == ()
    with blames(ah.errors.DeclarationError):
        ah.System(constraints=["x' = k*y'", "x' = y'"], redundant="drop", **words)


@pytest.mark.parametrize("redundant", ["drop", "keep"])
def test_velocities_forced_to_zero_are_no_contradiction(redundant: str) -> None:
    system = ah.System(
        name="c", coordinates=["x", "y", "z"], lagrangian="(x'^2 + y'^2 + z'^2)/2",
        constraints=["z' = 0", "x'*y = z'", "2*x'*y = 2*z'"], redundant=redundant,
    )  # fmt: skip
    assert len(system.constraints) - len(system.model.redundant_rows) == 2
    run = system.simulate({"x": 0.2, "y": 1, "z": 0, "y'": 0.5}, until=1, by="gauss")
    assert float(run["y"][-1]) == pytest.approx(1.5, abs=1e-12)
    assert abs(run["x"] - 0.2).max() < 1e-12


def test_momenta_and_kept_constraints_do_not_go_together() -> None:
    with blames(ah.errors.DeclarationError, "drop", "redundant"):
        ah.System(
            name="f", coordinates=["x", "y"], momenta={"x": "x'", "y": "y'"}, constraints=["x' = y'"], redundant="keep"
        )


AXLE = ah.System(
    name="axle",
    coordinates=["x", "y", "theta", "left", "right"],
    lagrangian="(x'^2 + y'^2 + theta'^2 + left'^2 + right'^2)/2 + x*y/10",
    constraints=[
        "x' - w*theta'*cos(theta) = r*left'*cos(theta)",
        "y' - w*theta'*sin(theta) = r*left'*sin(theta)",
        "x' + w*theta'*cos(theta) = r*right'*cos(theta)",
        "y' + w*theta'*sin(theta) = r*right'*sin(theta)",
    ],
    parameters={"w": 0.3, "r": 0.1},
    redundant="drop",
)
"""Any three of its constraints are dependent at some right angle, all four are three everywhere."""


@pytest.mark.parametrize("by", ["hamel", "lagrange-dalembert", "gauss"])
@pytest.mark.parametrize("heading", [0, 0.3, "pi/2", -math.pi / 2, math.pi])
def test_constraints_are_exchanged_where_those_that_were_kept_become_dependent(by: str, heading: float | str) -> None:
    start = {"x": 0.2, "y": 0.1, "theta": heading, "left": 0, "right": 0, "left'": 1.0, "right'": 2.5}
    run = AXLE.simulate(start, times=np.linspace(0, 20, 41), by=by)

    def rates(t: float, s: list[float]) -> list[float]:
        x, y, theta, v = s
        pull = (y * math.cos(theta) + x * math.sin(theta)) / 10
        return [v * math.cos(theta), v * math.sin(theta), 0.25, pull / (1 + 2 / 0.01)]  # omega = r (2.5 - 1)/2w

    begin = math.pi / 2 if heading == "pi/2" else heading
    truth = solve_ivp(rates, (0, 20), [0.2, 0.1, begin, 0.175], rtol=1e-12, atol=1e-13)
    assert run.is_complete
    assert [float(run[name][-1]) for name in ("x", "y", "theta")] == pytest.approx(truth.y[:3, -1], abs=1e-9)
    assert float(abs(run.data.residual).max()) < 1e-13
    rows = {c.label: c for c in (*AXLE.constraints, *AXLE.model.spare_constraints)}
    theta, labels = run["theta"].values, [str(label) for label in run.data.constraint.values]
    across = np.array([[1.0 if "x'" in str(rows[label].expression) else 0.0 for label in labels]])
    pushed = (run.data.multiplier.values * across).sum(axis=1), (run.data.multiplier.values * (1 - across)).sum(axis=1)
    assert np.isfinite(theta).all()
    assert pushed[0] == pytest.approx(run.data.reaction.values[:, 0], abs=1e-12)
    assert pushed[1] == pytest.approx(run.data.reaction.values[:, 1], abs=1e-12)


def test_a_start_that_breaks_a_dropped_constraint_is_refused() -> None:
    start = {"x": 0.2, "y": 0.1, "theta": 0, "left": 0, "right": 0, "left'": 1.0, "right'": 2.5, "x'": 0.175}
    with blames(ah.errors.StateError, "c1"):
        AXLE.simulate({**start, "theta'": 7.0}, until=1)


WHEEL = ["y'*cos(th) = x'*sin(th)", "x' = r*cos(th)*ph'", "y' = r*sin(th)*ph'"]


@pytest.mark.parametrize("redundant", ["drop", "keep"])
@pytest.mark.parametrize("rows", [WHEEL, [WHEEL[0], WHEEL[2], WHEEL[1]]])
@pytest.mark.parametrize("heading", [0, "pi/2", math.pi / 2])
def test_a_start_where_those_that_come_first_are_dependent(
    redundant: str, rows: list[str], heading: float | str
) -> None:
    wheel = ah.System(
        coordinates=["x", "y", "th", "ph"], lagrangian="(x'^2 + y'^2 + th'^2 + ph'^2)/2", constraints=rows,
        parameters={"r": 0.5}, redundant=redundant,
    )  # fmt: skip
    run = wheel.simulate({"x": 0, "y": 0, "th": heading, "ph": 0, "ph'": 1.5, "th'": 0.9}, until=4)
    begin = 0.0 if heading == 0 else math.pi / 2
    assert run.is_complete
    assert float(run["x"][-1]) == pytest.approx(0.75 / 0.9 * (math.sin(begin + 3.6) - math.sin(begin)), abs=1e-12)
    assert float(run["y"][-1]) == pytest.approx(0.75 / 0.9 * (math.cos(begin) - math.cos(begin + 3.6)), abs=1e-12)


@pytest.mark.parametrize("heading", ["pi/2", math.pi / 2])
def test_a_row_that_vanishes_leaves_its_place_to_another_or_is_named(heading: float | str) -> None:
    flat, full = "x'*sin(2*th) = 2*y'*cos(th)^2", "x'*sin(th) = y'*cos(th)"
    start = {"x": 0, "y": 0, "th": heading, "x'": 0, "y'": 1, "th'": 1}

    def blade(rows: list[str]) -> ah.System:
        return ah.System(
            coordinates=["x", "y", "th"], lagrangian="(x'^2 + y'^2 + th'^2)/2", constraints=rows, redundant="drop"
        )

    for rows in ([flat, full], [full, flat]):
        run = blade(rows).simulate(start, until=1)
        assert run.is_complete
        assert float(run["x"][-1]) == pytest.approx(math.cos(1) - 1, abs=1e-12)
    with blames(ah.errors.StateError, "c1"):
        blade([flat]).simulate(start, until=1)


ACKERMANN = {
    "rear": "y'*cos(th) = x'*sin(th)",
    "left": "(y' - w*sin(th)*th')*cos(th + dl) + l*cos(dl)*th' = (x' - w*cos(th)*th')*sin(th + dl)",
    "right": "(y' + w*sin(th)*th')*cos(th + dr) + l*cos(dr)*th' = (x' + w*cos(th)*th')*sin(th + dr)",
    "linkage": "l*sin(dl - dr) = 2*w*sin(dl)*sin(dr)",
}
"""Two front wheels that a linkage holds to one centre: three rows that are dependent at admissible positions only."""


def car(redundant: str = "refuse") -> ah.System:
    return ah.System(
        name="car",
        coordinates=["x", "y", "th", "dl", "dr"],
        lagrangian="m/2*(x'^2 + y'^2) + I/2*th'^2 + K/2*(dl'^2 + dr'^2)",
        constraints=ACKERMANN,
        parameters={"m": 10, "I": 9, "K": 1, "w": 0.7, "l": 2.5},
        redundant=redundant,
    )


def test_rows_dependent_at_admissible_positions_are_refused_by_name() -> None:
    with blames(ah.errors.DeclarationError):
        car()


@pytest.mark.parametrize("redundant", ["drop", "keep"])
def test_a_car_with_a_linkage_is_one_with_a_wheel_in_the_middle(redundant: str) -> None:
    system = car(redundant)
    run = system.simulate({"x": 0, "y": 0, "th": 0, "dl": 0, "dr": 0, "x'": 2, "dl'": 0.2}, until=2)
    assert run.is_complete
    for row in ACKERMANN.values():
        left, right = row.split("=")
        assert float(abs(run[f"{left} - ({right})"]).max()) < 1e-12
    # cot(dl) = cot(d) - w/l: the wheel in the middle turns the car as that of a bicycle.
    middle = np.arctan2(np.sin(run["dl"]), np.cos(run["dl"]) + 0.7 / 2.5 * np.sin(run["dl"]))
    forward = run["x'*cos(th) + y'*sin(th)"]
    assert float(abs(run["th'"] - forward * np.tan(middle) / 2.5).max()) < 1e-12
