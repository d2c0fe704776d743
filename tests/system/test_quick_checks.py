"""What doubles call regular is regular; what is degenerate, or only rounding keeps from it, they leave to more digits."""

import flint
import numpy as np
import pytest

import anholonomy as ah
from anholonomy import catalogue
from anholonomy.system.checks.in_doubles import is_surely_regular, sampled
from anholonomy.system.declaration.declare import declare
from anholonomy.system.momenta import inertia_at
from anholonomy.system.states.newton import evaluate_at, rows_at
from tests.wording import blames

SKATE = {"coordinates": ["x", "y", "theta"], "lagrangian": "(x'^2 + y'^2 + theta'^2)/2"}
ROW = "x'*sin(theta) = y'*cos(theta)"


@pytest.mark.parametrize("key", ["skate", "chaplygin-sleigh", "n-trailer", "snakeboard", "affine-particle"])
def test_sound_systems_are_seen_to_be_so(key):
    assert is_surely_regular(catalogue.ENTRIES[key].make().model.independent)


@pytest.mark.parametrize(
    "words",
    [
        {**SKATE, "lagrangian": "(x'^2 + theta'^2)/2"},
        {**SKATE, "lagrangian": "(x'^2 + theta'^2)/2 + (a + b - c)*y'^2", "parameters": {"a": 0.1, "b": 0.2, "c": 0.3}},
        {**SKATE, "lagrangian": "(x'^2 + theta'^2 + k*y'^2)/2", "parameters": {"k": 0.0}},
        {**SKATE, "lagrangian": "(x'^2 + theta'^2)/2 + (sin(x)^2 + cos(x)^2 - 1)*y'^2"},
        {**SKATE, "lagrangian": "(x' + y')^2/2 + theta'^2/2"},
        {**SKATE, "lagrangian": "(x'^2 - y'^2 + theta'^2)/2", "constraints": ["x' = y'"]},
        {**SKATE, "constraints": [ROW, "2*x'*sin(theta) = 2*y'*cos(theta)"]},
        {**SKATE, "constraints": [ROW, "x'*sin(theta) = y'*cos(theta) + (a + b - c)*x'"],
         "parameters": {"a": 0.1, "b": 0.2, "c": 0.3}},
        {**SKATE, "lagrangian": "(x'^2 + y'^2 + theta'^2)/2 + log(-1 - x^2)"},
        {**SKATE, "parameters": {"m": None}, "lagrangian": "m*(x'^2 + y'^2 + theta'^2)/2"},
    ],
    ids=["no inertia", "inertia by rounding", "inertia of 0", "inertia that cancels", "singular", "cancelling", "twice", "twice but for rounding", "not finite", "no value"],
)  # fmt: skip
def test_doubt_is_left_to_more_digits(words, monkeypatch):
    # Declared without the checks, which would refuse most of these.
    monkeypatch.setattr("anholonomy.system.checks.well_posed.check_model", lambda model: None)
    assert not is_surely_regular(declare(name="doubtful", **words))


def test_values_that_spoil_a_system_are_refused():
    particle = ah.System(coordinates=["x", "y"], lagrangian="m*x'^2/2 + k*y'^2/2", parameters={"m": 1.0, "k": 2.0})
    with blames(ah.errors.DeclarationError, "y'"):
        particle.with_parameters(k=0.0)
    with blames(ah.errors.DeclarationError, "y'"):
        particle.simulate({"x": 0, "y": 0, "x'": 1, "y'": 0}, until=1, parameters={"k": 0.0})


def test_other_values_are_checked_in_doubles(monkeypatch):
    sleigh = catalogue.chaplygin_sleigh()
    monkeypatch.setattr(
        "anholonomy.system.checks.well_posed.generic_points", lambda *_: pytest.fail("looked with more digits")
    )
    other = sleigh.with_parameters(a=0.7)
    start = {"x": 0, "y": 0, "theta": 0, "x'": 1, "theta'": 0.5}
    run = sleigh.simulate(start, until=1, parameters={"a": 0.7})
    assert run.system.parameters == other.parameters
    assert other.model.with_free_parameters is sleigh.model.with_free_parameters


SPANNED = {
    "coordinates": ["x", "y", "z"],
    "lagrangian": "(x'^2 + y'^2 + z'^2)/2",
    "constraints": ["z' = a*y'"],
    "parameters": {"a": 2.0, "b": 1.0},
}


def test_a_span_for_one_value_is_none_for_others():
    system = ah.System(**SPANNED, span=[["1", "0", "0"], ["0", "1", "2"]])
    with blames(ah.errors.DeclarationError, "2"):
        system.with_parameters(a=3.0)
    with blames(ah.errors.DeclarationError, "2"):
        system.simulate({"x": 0, "y": 0, "z": 0, "x'": 1, "y'": 1}, until=1, parameters={"a": 3.0})


def test_values_that_make_a_span_dependent_are_refused():
    system = ah.System(**SPANNED, span=[["b", "1 - b", "a*(1 - b)"], ["0", "1", "a"]])
    system.with_parameters(a=-1.0, b=0.5)
    with blames(ah.errors.DeclarationError):
        system.with_parameters(b=0.0)
    with blames(ah.errors.DeclarationError):
        system.with_parameters(b=1e-30)


def test_long_systems_are_checked_without_a_search_for_states(monkeypatch):
    for place in ("checks.well_posed.generic_points", "warnings.admissible_points"):
        monkeypatch.setattr(f"anholonomy.system.{place}", lambda *_, **__: pytest.fail("searched for a state"))
    assert is_surely_regular(catalogue.n_trailer(20).model)


POINT = {"coordinates": ["x", "y", "z"], "lagrangian": "(x'^2 + y'^2 + z'^2)/2", "constraints": ["x^2 + y^2 + z^2 = 4"]}


@pytest.mark.parametrize(
    "make", [catalogue.whipple_bicycle, lambda: ah.System(**POINT), lambda: catalogue.n_trailer(20)]
)
def test_rows_inertia_and_span_are_found_at_admissible_positions(make):
    model = make().model.independent
    found = sampled(model)
    point = {s: flint.arb(value) for s, value in found.state.items()}
    assert all(abs(v.mid()) < 1e-11 for v in evaluate_at([c.position for c in model.on_positions], point))
    expected = np.array(inertia_at(model, point), dtype=float)
    assert found.inertia[0] == pytest.approx(expected, rel=1e-11, abs=1e-11)
    assert found.rows[0] == pytest.approx(np.array(rows_at(model.matrix_na, point), dtype=float), abs=1e-12)


def test_sound_systems_on_positions_are_seen_to_be_so(monkeypatch):
    monkeypatch.setattr(
        "anholonomy.system.checks.well_posed.generic_points", lambda *_, **__: pytest.fail("looked with more digits")
    )
    assert is_surely_regular(catalogue.whipple_bicycle().model.independent)
    assert is_surely_regular(ah.System(**POINT).model)


@pytest.mark.parametrize(
    "words",
    [
        {"lagrangian": "(x'^2 + y'^2)/2"},
        {"lagrangian": "(x'^2 + y'^2 + z'^2)^2/2"},
        {"constraints": ["x^2 + y^2 + z^2 = 4", "x*x' + y*y' + z*z' = 0"]},
        {"constraints": ["x^2 + y^2 + z^2 = -4"]},
        {"constraints": ["(x^2 + y^2 + z^2 - 4)^2 = 0"]},
        {"lagrangian": "(x'^2 + y'^2 + z'^2)/2 + (x^2 + y^2 + z^2 - 4)*w'^2", "coordinates": ["x", "y", "z", "w"]},
    ],
    ids=["no inertia", "not quadratic", "twice", "nowhere", "double", "inertia only off the surface"],
)
def test_doubt_about_systems_on_positions_is_left_to_more_digits(words):
    words = {**POINT, **words}
    if words["lagrangian"] == "(x'^2 + y'^2)/2":
        words["constraints"] = ["x^2 + y^2 = 4"]
    assert not is_surely_regular(declare(name="doubtful", **words))


def test_a_wrong_vector_on_positions_is_refused():
    span = [["-y", "x", "0"], ["0", "-z", "y"]]
    ah.System(**POINT, span=span)
    with blames(ah.errors.DeclarationError, "2", "span"):
        ah.System(**POINT, span=[span[0], ["0", "-z", "y + (x^2 + y^2 + z^2 - 3)*1e-9"]])
    with blames(ah.errors.DeclarationError):
        ah.System(**POINT, span=[span[0], ["-2*y", "2*x", "0"]])


ON_A_CIRCLE = {
    "coordinates": ["x", "y", "z"],
    "lagrangian": "(x'^2 + y'^2 + z'^2)/2",
    "constraints": ["x^2 + y^2 = 1", "z' = a*(x*y' - y*x')"],
    "parameters": {"a": 2.0, "tiny": 1e-20},
}


@pytest.mark.parametrize("error", ["1/1000", "1e-9", "1e-13", "tiny", "tiny*x"])
@pytest.mark.parametrize("words", [ON_A_CIRCLE, {**ON_A_CIRCLE, "constraints": ["x' = 0", "z' = a*(x*y' - y*x')"]}])
def test_a_vector_that_is_wrong_by_little_is_refused(words, error):
    """On positions and without, also by a parameter whose value no double sees beside the others."""
    free = ["-y", "x", "a*(x^2 + y^2)"] if words is ON_A_CIRCLE else ["0", "1", "a*x"]
    assert ah.System(**words, span=[free]).simulate({"x": 1, "y": 0, "z": 0, "y'": 1}, until=1).is_complete
    with blames(ah.errors.DeclarationError, "1", "span"):
        ah.System(**words, span=[[*free[:2], f"{free[2]} + {error}"]])
