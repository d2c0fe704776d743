"""A declaration on the screen: short expressions as they are, long ones counted, and all of it on request."""

from __future__ import annotations

import pytest

from anholonomy.catalogue import ENTRIES
from anholonomy.language import to_text
from anholonomy.language.writing import brief
from anholonomy.show.text.declaration import is_shortened, sections
from tests.wording import pinned


@pytest.fixture(scope="module")
def bicycle():
    return ENTRIES["whipple-bicycle"].make()


def test_long_expressions_are_counted(bicycle) -> None:
    short, whole = sections(bicycle.model), sections(bicycle.model, whole=True)
    assert is_shortened(bicycle.model)
    assert max(len(line) for lines in short.values() for line in lines) < 1200
    assert short["Lagrangian"] == ["[2,160 operations]"]
    assert whole["Lagrangian"] == [to_text(bicycle.lagrangian)]
    assert short["span"][2].startswith("direction 3: (rR*cos(theta), rR*sin(theta), [")
    assert short["constraints"][0] == whole["constraints"][0]
    assert list(short) == list(whole)


@pytest.mark.parametrize("key", ["chaplygin-sleigh", "rattleback", "n-trailer"])
def test_what_is_short_stays_as_it_is(key) -> None:
    system = ENTRIES[key].make()
    assert not is_shortened(system.model)
    assert sections(system.model) == sections(system.model, whole=True)


def test_a_text_is_as_long_as_allowed() -> None:
    L = ENTRIES["skate"].make().lagrangian
    assert brief(L, longest=len(to_text(L))) == to_text(L)
    assert brief(L, longest=len(to_text(L)) - 1).endswith("operations]")


def test_what_a_notebook_prints_is_short(bicycle) -> None:
    for thing in (bicycle, bicycle.derive(), bicycle.constraints, bicycle.model.scene, ENTRIES["whipple-bicycle"]):
        assert len(repr(thing)) < 1500
    pinned(repr(bicycle.derive()), "Whipple bicycle", "hamel", "3")
    rear, *_, front = bicycle.constraints
    pinned(repr(rear), "rear along", "x'", "rR", "pitch'")
    assert repr(front).endswith("… = 0)")
