"""A refusal points at the letters it is about."""

from __future__ import annotations

import pytest

from anholonomy.base.errors import Error
from anholonomy.studio.worker.declarations import Unreadable, compact, system_of
from tests.studio.sled import SLED
from tests.wording import blames


def pointed(text: str) -> tuple[int, str]:
    """The line that a refusal marks, and the letters."""
    with pytest.raises(Unreadable) as found:
        system_of(text)
    mark = found.value.mark
    assert mark is not None
    line = text.split("\n")[mark["line"] - 1]
    return mark["line"], line[mark["column"] - 1 : mark["column"] - 1 + mark["length"]]


@pytest.mark.parametrize(
    ("old", "new", "line", "letters"),
    [
        ("+ I*", "+ 2I*", 4, "I"),
        ("sin(theta)", "sn(theta)", 5, "sn"),
        ("sin(theta)", "sin(theta", 5, "="),
        ("I = 0.5\n", "", 4, "I"),
        ("lagrangian", "lagrangain", 4, "lagrangain"),
        ("m = 1.0", 'm = "a"', 7, "m"),
        ("x = 0", "z = 0", 10, "z"),
        ("+ I*theta'", "+ I*thta'", 4, "thta'"),
        ('"theta"]', '"theta", "x"]', 3, "x"),
        ('"sled"', '"sled', 2, ""),
        ('"sled"', "'s'led'", 2, "name = 's'led'"),
        ("schema =", "sch =", 1, "sch"),
        ("system-1", "system-9", 1, 'schema = "anholonomy-system-9"'),
        ("m = 1.0", "m = 1.0\nkilo = [1]", 8, "kilo"),
        ("x = 0", 'x = "abc"', 10, 'x = "abc"'),
        ('"x\'" = 1', '"x\'" = "3 furlongz"', 11, '"x\'" = "3 furlongz"'),
    ],
)
def test_the_culprit_is_marked(old: str, new: str, line: int, letters: str) -> None:
    assert pointed(SLED.replace(old, new)) == (line, letters)


def test_what_is_typed_needs_no_schema() -> None:
    assert system_of(SLED.partition("\n")[2]).name == "sled"


def test_a_long_formula_is_marked_in_its_middle() -> None:
    text = SLED.replace("+ I*", " ".join(f"+ {k}*x" for k in range(1, 60)) + " + 2I*" + " ".join(["x +"] * 40) + " I*")
    line, letters = pointed(text)
    assert (line, letters) == (4, "I")


def test_lists_are_written_in_one_line_and_mean_the_same() -> None:
    from anholonomy.catalogue import ENTRIES
    from anholonomy.public.system import System
    from anholonomy.system.declaration.toml import from_toml

    text = ENTRIES["chaplygin-sleigh"].make().to_toml()
    assert len(compact(text).splitlines()) < 0.7 * len(text.splitlines())
    assert from_toml(compact(text)) == from_toml(text)
    assert isinstance(System(**from_toml(compact(text))), System)


def test_refusals_of_declarations_are_refusals() -> None:
    with blames(Error):
        system_of("")
