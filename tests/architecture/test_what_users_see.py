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
    "with_words",
    "on_positions",
    "redundant_rows",
    "parameter_items",
    "values",
)


@pytest.mark.parametrize("make", [chaplygin_sleigh, chaplygin_ball])
def test_dir_shows_what_one_can_do_or_read(make) -> None:
    system = make()
    shown = {name for name in dir(system) if not name.startswith("_")}
    assert {
        "derive",
        "simulate",
        "verify",
        "distribution",
        "lagrangian",
        "constraints",
        "parameters",
        "group",
        "model",
    } <= shown
    assert not shown.intersection(TABLES)
    assert all(hasattr(system, name) for name in shown)
    assert len(shown) < 70  # every one a verb or a word of the declaration


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
