"""Motions of mechanics beside vakonomic ones: decisions, multipliers, exceptions, single motions."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
import symengine

from anholonomy import System, Verdict, catalogue
from anholonomy.algebra.numbers.balls import precision
from anholonomy.catalogue import ENTRIES
from anholonomy.errors import NotSupportedError, StateError, UnknownNameError
from anholonomy.language import to_text
from anholonomy.system.states.random_states import admissible_points
from anholonomy.vakonomic.comparison.power_series import contradiction
from tests.vakonomic.extremals import misfit
from tests.wording import blames

YES = ["carriage", "rolling-disk", "heisenberg", "generalized-heisenberg"]
NO = ["skate", "chaplygin-sleigh", "free-particle", "martinet", "engel", "nonholonomic-oscillator", "affine-particle"]


@pytest.mark.exhaustive_for("carriage", "generalized-heisenberg")
@pytest.mark.parametrize("name", YES)
def test_where_every_motion_is_vakonomic_its_equations_lead_along_the_motion(name: str) -> None:
    """The vakonomic equations, started with the multiplier that was found, pass where mechanics does."""
    entry = ENTRIES[name]
    system, until = entry.make(), 4.0
    answer = system.compare_vakonomic()
    assert answer.verdict is Verdict.PROVEN
    assert answer.finding.check() is Verdict.PROVEN
    run = system.simulate(entry.start, until=until)
    speeds = dict(zip(run.data["speed_name"].values.tolist(), run.data["speed"][0].values.tolist(), strict=True))
    here = entry.start | speeds | system.parameters
    mu = {n: float(e.xreplace({s: here[s.name] for s in e.free_symbols})) for n, e in answer.multiplier.items()}
    states = {s.name: float(run[s.name][0]) for s in (*system.coordinates, *system.velocities)}
    again = system.simulate(states | mu, until=until, by="vakonomic")
    assert max(float(abs(run[q.name] - again[q.name]).max()) for q in system.coordinates) < 1e-9
    assert misfit(system, entry.start) < 1e-9
    assert answer.check(run)
    assert system.compare_vakonomic(run)


@pytest.mark.parametrize("name", NO)
def test_where_it_is_refuted_no_multiplier_does_along_a_motion(name: str) -> None:
    entry = ENTRIES[name]
    system = entry.make()
    answer = system.compare_vakonomic()
    assert answer.verdict is Verdict.REFUTED
    assert answer.finding.check() is Verdict.REFUTED
    assert answer.multiplier is None
    assert answer.counterexample is not None
    states = {n: x for n, x in answer.counterexample.items() if n in {s.name for s in system.coordinates} | {"t"}}
    moving = {w.name: answer.counterexample[w.name] for w in system.velocities}
    assert misfit(system, entry.start, until=0.7) > 1e-5
    assert answer.check(system.simulate(entry.start, until=0.7)).is_refuted
    assert system.compare_vakonomic(states | moving).verdict is Verdict.REFUTED


FAMILIES: dict[str, list[dict[str, str]]] = {
    "skate": [{"omega": "0"}, {"u": "0"}],
    "chaplygin-sleigh": [{"omega": "0"}],
    "engel": [{"u": "0"}, {"v": "0", "y": "0"}],
    "nonholonomic-oscillator": [{"v": "0", "y": "0"}, {"u": "0", "x": "0"}],
    "contact-particle": [
        {"x1'": "-y2'*x2'/y1'"},
        {"y1'": "0", "y2'": "0"},
        {"x2'": "0", "y1'": "0"},
    ],
}


@pytest.mark.parametrize("name", FAMILIES)
def test_exceptional_families_are_found_and_named(name: str) -> None:
    """Along their motions a multiplier does, though not in general."""
    system = ENTRIES[name].make()
    answer = system.compare_vakonomic()
    found = [{s.name: str(value) for s, value in each.equations} for each in answer.exceptions if each.equations]
    assert found == FAMILIES[name]
    for family in answer.exceptions:
        assert family.verdict
        start = a_state_of(family, system)
        assert misfit(system, start, until=0.8) < 1e-8
        assert system.compare_vakonomic(start)
        assert system.compare_vakonomic(system.simulate(start, until=0.1))  # whose numbers are rounded


def a_state_of(family: Any, system: System) -> dict[str, str]:
    """A state in small numbers that satisfies the equations of a family, as texts, which are exact."""
    frame, given = system.geometry.adapted_frame, dict(family.equations)
    free = [s for s in (*system.coordinates, *frame.speeds) if s not in given]
    values = {s: symengine.Rational(k + 1, 4) for k, s in enumerate(free)}
    values |= {s: e.xreplace(values | system.model.values) for s, e in given.items()}
    velocities = (e.xreplace(values | system.model.values) for e in frame.velocities)
    moving = {w.name: to_text(e) for w, e in zip(system.velocities, velocities, strict=True)}
    return {q.name: to_text(values[q]) for q in system.coordinates} | moving


STRAIGHT = {"x": 0, "y": 0, "theta": 0, "x'": 1, "theta'": 0}
ON_THE_SPOT = {"x": 0, "y": 0, "theta": "pi/3", "x'": 0, "y'": 0, "theta'": 1}
CURVED = {"x": 0, "y": 0, "theta": 0, "x'": 1, "theta'": 1}


@pytest.mark.parametrize(("start", "said"), [(STRAIGHT, True), (ON_THE_SPOT, True), (CURVED, False)])
def test_one_motion(start: dict[str, Any], said: bool) -> None:
    skate = catalogue.skate()
    answer = skate.compare_vakonomic(start)
    assert answer.verdict is Verdict.of(said)
    assert (misfit(skate, start) < 1e-9) == said
    assert skate.compare_vakonomic(skate.simulate(start, until=1)).verdict is Verdict.of(said)


@pytest.mark.parametrize("name", [*YES, "rolling-ball", "appell-hamel", *NO, "suslov", "benenti"])
def test_power_series_contradict_where_formulas_do(name: str) -> None:
    found = contradiction(*a_random_start(ENTRIES[name].make()))
    assert (found is not None) == (name in (*NO, "suslov", "benenti"))
    assert found is None or found.check() is Verdict.PROVEN


def a_random_start(system: System) -> tuple[System, Any]:
    with precision(130):
        return system.model, next(admissible_points(system.model, 130, seed=7))


def test_power_series_know_the_sign_of_every_term() -> None:
    """A carriage whose wheels are wound up: its multiplier changes with a rate that the other constraints bend."""
    carriage = System(
        name="carriage",
        coordinates=["x", "y", "phi", "theta1", "theta2"],
        lagrangian="x'^2 + y'^2 + phi'^2 + 2*(theta1'^2 + theta2'^2) - theta1^2 - theta1*cos(theta2)",
        constraints=["x'*cos(phi) + y'*sin(phi) = theta1'", "y'*cos(phi) - x'*sin(phi) = 0", "3*phi' = theta2'"],
    )
    assert carriage.compare_vakonomic().verdict is Verdict.PROVEN
    assert contradiction(*a_random_start(carriage)) is None


@pytest.mark.exhaustive
def test_a_bicycle_is_refuted_by_its_power_series() -> None:
    """Nothing is written out: the equations are the steps they are, and a redundant multiplier of a contact's height stays out."""
    bicycle = catalogue.whipple_bicycle()
    answer = bicycle.compare_vakonomic()
    assert answer.verdict is Verdict.REFUTED
    assert (answer.conditions, answer.explanation) == ({}, "")
    with blames(NotSupportedError):
        answer.check(bicycle.simulate(ENTRIES["whipple-bicycle"].start, until=0.01))
    (evidence,) = answer.finding.evidence
    assert abs(float(evidence.misfit.mid())) > 1e-3


def test_values_of_parameters_may_change_the_answer() -> None:
    """A potential that is there for a moment: for k = 0 the disc rolls as without it."""
    words = {
        "name": "disc",
        "coordinates": ["x", "y", "theta", "phi"],
        "lagrangian": "(x'^2 + y'^2 + theta'^2/2 + phi'^2/4)/2 - k*x",
        "constraints": ["x' = cos(phi)*theta'", "y' = sin(phi)*theta'"],
    }
    assert System(**words, parameters={"k": 0.0}).compare_vakonomic().verdict is Verdict.PROVEN
    pulled = System(**words, parameters={"k": None}).compare_vakonomic()
    assert pulled.verdict is Verdict.REFUTED
    assert "k = 0" in str(pulled)


def test_without_constraints_there_is_nothing_to_compare() -> None:
    free = System(name="free", coordinates=["x"], lagrangian="x'^2/2 - x^4")
    assert free.compare_vakonomic().verdict is Verdict.PROVEN


def test_refusals() -> None:
    pushed = System(
        name="pushed",
        coordinates=["x", "y"],
        lagrangian="(x'^2 + y'^2)/2",
        forces={"x": "-x'"},
        constraints=["y' = x*x'"],
    )
    with blames(NotSupportedError, "x'"):
        pushed.compare_vakonomic()
    bare = System(name="bare", coordinates=["x"], momenta={"x": "x'"}, forces={"x": "-x"})
    with blames(NotSupportedError, "find_lagrangian"):
        bare.compare_vakonomic()
    with blames(StateError):
        catalogue.skate().compare_vakonomic({"x": 1})
    with blames(UnknownNameError):
        catalogue.skate().compare_vakonomic(catalogue.heisenberg().simulate(ENTRIES["heisenberg"].start, until=0.1))


def test_out_of_time_it_is_unknown() -> None:
    answer = catalogue.engel().compare_vakonomic(time_limit=1e-6)
    assert answer.verdict is Verdict.UNKNOWN
    assert "gave up" in str(answer)


def test_answers_are_plain_data_and_latex() -> None:
    answer = catalogue.skate().compare_vakonomic()
    plain = json.loads(json.dumps(answer.to_dict()))
    assert plain["verdict"] == "refuted"
    assert [each["verdict"] for each in plain["exceptions"]] == ["proven", "proven"]
    assert r"\omega = 0 \text{: they are}" in answer.latex()
    assert answer.latex().count(r"\\") == str(answer).count("\n")
    assert np.isfinite(list(answer.counterexample.values())).all()
