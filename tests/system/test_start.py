"""A system may say where its motions begin: in Python, in a file, at the command line."""

from __future__ import annotations

import math

import pytest
import sympy

import anholonomy as ah
from anholonomy.catalogue import ENTRIES
from anholonomy.cli.target import find
from tests.wording import blames

OSCILLATOR = {"name": "oscillator", "coordinates": ["x"], "lagrangian": "x'^2/2 - x^2/2"}


def oscillator(**start):
    return ah.System(**OSCILLATOR, start={"x": 2, "x'": 0, **start})


def test_a_motion_begins_where_the_system_says_unless_told_otherwise():
    system = oscillator()
    assert system.start == {"x": 2.0, "x'": 0.0}
    assert float(system.simulate(until=1)["x"][0]) == 2.0
    assert float(system.simulate({"x": 3, "x'": 0}, until=1)["x"][0]) == 3.0
    assert float(oscillator(x="pi/2").simulate(until=1)["x"][0]) == math.pi / 2
    assert float(system.with_start({"x": 1, "x'": 0}).simulate(until=1)["x"][0]) == 1.0
    assert not system.with_start(None).start
    with blames(ah.errors.StateError):
        ah.System(**OSCILLATOR).simulate(until=1)


def test_a_file_keeps_the_start_exactly(tmp_path):
    system = oscillator(x="pi/2", t=sympy.Rational(1, 3)).with_forces({"x": "-x'"})
    assert system.start == {"x": "pi/2", "x'": 0.0, "t": "1/3"}
    system.save(tmp_path / "a.toml")
    again = ah.load(tmp_path / "a.toml")
    assert again == system
    assert again.start == system.start
    assert "[start]" in (tmp_path / "a.toml").read_text()


def test_a_start_is_part_of_the_declaration_but_not_of_what_is_derived():
    assert oscillator() != oscillator(x=1)
    assert oscillator().model.with_free_parameters == oscillator(x=1).model.with_free_parameters
    assert oscillator().with_parameters().start == {"x": 2.0, "x'": 0.0}
    moving = oscillator().geometry.moving_observer({"x": "x + t"})
    assert not oscillator(x=1).seen_from(moving).start, "places there are others"


@pytest.mark.parametrize(
    ("start", "names"),
    [
        ([1, 2], ()),
        ({"x": None}, ("x",)),
        ({"x": float("nan")}, ()),
        ({"x": "k/2"}, ()),
        ({"x": "1 +"}, ()),
        ({3: 1}, ("start",)),
    ],
)
def test_a_mistake_gets_a_sentence(start, names):
    with blames(ah.Error, *names):
        ah.System(**OSCILLATOR, start=start)


@pytest.mark.parametrize(("entry", "names"), [("[start]\nx = true", ("start", "x")), ("start = 3", ())])
def test_a_mistake_in_a_file_gets_a_sentence(tmp_path, entry, names):
    head = 'schema = "anholonomy-system-1"\nname = "a"\nlagrangian = "x\'^2/2"\ncoordinates = ["x"]\n'
    (tmp_path / "a.toml").write_text(head + entry)
    with blames(ah.errors.FileError, *names):
        ah.load(tmp_path / "a.toml")


def test_the_command_line_begins_there(tmp_path):
    oscillator().save(tmp_path / "a.toml")
    study = find(str(tmp_path / "a.toml"))
    assert study.start == {"x": 2.0, "x'": 0.0}
    changed = study.with_values(None, ["x=5"]).start
    assert {name: float(value) for name, value in changed.items()} == {"x": 5.0, "x'": 0.0}


@pytest.mark.parametrize("key", ["chaplygin-sleigh", "suslov"])
def test_an_exported_declaration_has_system_and_start(tmp_path, key):
    study = find(key)
    (tmp_path / "a.toml").write_text(study.declaration)
    again = find(str(tmp_path / "a.toml"))
    assert again.start == ENTRIES[key].start == study.start
    assert again.system.model.replaced(start_items=()) == study.system.model.replaced(start_items=())


def test_a_start_that_is_rounding_alone_is_projected() -> None:
    skate = ah.catalogue.skate()
    start = {"x": 0, "y": 0, "theta": 0, "x'": 0, "y'": 1e-16, "theta'": 0}
    run = skate.simulate(start, until=1, project=True)
    assert run.is_complete
    assert float(abs(run["y'"]).max()) == 0


def test_a_declared_start_may_have_the_costates_of_a_principle() -> None:
    start = {"x": 0, "y": 0, "theta": 0, "x'": 1, "theta'": 0.5, "mu1": 0.2}
    run = ah.catalogue.skate().with_start(start).simulate(until=0.1, by="vakonomic")
    assert float(run.data["costate"][0, 0]) == 0.2
