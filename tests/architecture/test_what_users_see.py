"""What a user sees of an object without asking for more: `dir` shows verbs and what was declared, `repr` a line."""

from __future__ import annotations

import pytest

import anholonomy as ah
from anholonomy.catalogue import chaplygin_ball, chaplygin_sleigh
from anholonomy.system.model import Model

TABLES = (
    "bias_n",
    "matrix_na",
    "offset_n",
    "replaced",
    "on_positions",
    "redundant_rows",
    "parameter_items",
    "values",
)


NOUNS = {
    "System": """
        name coordinates velocities parameters lagrangian constraints forces inputs start units model
        with_parameters with_start with_forces with_inputs with_functions seen_from reduced reduced_by_group
        derive verify hamiltonian_form find_lagrangian
        simulate ensemble sweep plan fit linearize controllability
        conserved momentum_equation moving_energy invariant_measure hamiltonize compare_vakonomic closed_form analyse
        geometry stability paths is_holonomic save to_toml report explore""",
    "Equations": """
        system data principle speeds multipliers state rates text latex sympy sympy_velocities simplified
        accelerations reactions at simulate ensemble function jacobian c_source casadi jax modelica kernel""",
    "Motion": """
        system model data time energy multipliers reactions constraint_residual normal_forces contact_losses events outcome
        is_complete at continue_to section sensitivity plot animate player save""",
    "Ensemble": """
        system data outcomes is_complete stopped_count events member start parameters unit sensitivity varied axes chart
        plot histogram save""",
}


@pytest.mark.parametrize("make", [chaplygin_sleigh, chaplygin_ball])
def test_a_noun_has_the_names_of_its_list_and_no_others(make) -> None:
    system = make()
    nouns = {"System": system, "Equations": system.derive()}
    if make is chaplygin_sleigh:
        place = {"x": 0, "y": 0, "theta": 0, "x'": 1, "theta'": 0.5}
        nouns |= {"Motion": system.simulate(place, until=1), "Ensemble": system.ensemble(place, until=1)}
    for name, noun in nouns.items():
        assert {each for each in dir(noun) if not each.startswith("_")} == set(NOUNS[name].split()), name
        assert len(type(noun).__mro__) <= 5


def test_the_package_shows_its_nouns_and_its_doors() -> None:
    assert dir(ah) == sorted(
        [
            "System",
            "Equations",
            "Motion",
            "Ensemble",
            "Field",
            "Signal",
            "Finding",
            "Verdict",
            "Error",
            "load",
            "from_sympy",
            "audit",
            "velocity",
            "catalogue",
            "bodies",
            "groups",
            "geometry",
            "connections",
            "principles",
            "errors",
            "answers",
            "testing",
            "__version__",
        ]
    )


def test_an_old_name_says_where_it_is_now() -> None:
    with pytest.raises(AttributeError, match=r"use \.geometry\.metric"):
        _ = chaplygin_sleigh().metric
    with pytest.raises(AttributeError, match=r"use anholonomy\.bodies\.RigidBody"):
        _ = ah.RigidBody
    with pytest.raises(AttributeError, match=r"use anholonomy\.Error"):
        _ = ah.Refusal


def test_tables_are_behind_one_attribute() -> None:
    system = chaplygin_sleigh()
    assert type(system.model) is Model
    assert set(TABLES) <= set(dir(system.model))
    assert ah.System._of(system.model) == system


def test_representations_are_short() -> None:
    system = chaplygin_sleigh()
    run = system.simulate({"x": 0, "y": 0, "theta": 0, "x'": 1, "theta'": 0.5}, until=1)
    things = (
        system, system.derive(), system.geometry.frame, system.geometry.adapted_frame, system.geometry.metric, system.geometry.distribution,
        system.derive().data.frame, system.derive().function(), system.geometry.moving_observer({"x": "x + t"}),
        system.geometry.distribution.growth_vector(), system.verify(), system.hamiltonian_form(), system.reduced(fibre=["y"]), run,
    )  # fmt: skip
    for thing in things:
        assert len(repr(thing)) < 240, type(thing)
        assert " at 0x" not in repr(thing), type(thing)


def test_a_notebook_shows_a_declaration_that_one_can_read() -> None:
    shown = chaplygin_sleigh()._repr_latex_()
    assert shown.startswith("$$\\begin{aligned}\nL &= ")
    assert "&= 0 \\quad \\text{(blade)}\n\\end{aligned}$$" in shown
    assert ah.catalogue.whipple_bicycle()._repr_latex_() is None


def test_a_notebook_shows_fields() -> None:
    turns = chaplygin_ball().geometry.frame._repr_latex_()
    assert r"e_{w_{1}} &= - \frac{q_{1}}{2}\,\partial_{q_{0}} + " in turns
    assert r"X_2 &= \partial_{\theta}" in chaplygin_sleigh().geometry.distribution._repr_latex_()
    assert r"e_{w_{1}}" in chaplygin_ball().geometry.distribution._repr_latex_()
