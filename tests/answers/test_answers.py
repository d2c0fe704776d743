"""Answers are what they were: the quick ones of a fifth of the entries each, and a tenth of the random systems.

``make answers`` compares all of them. The data are written again, with ``python -m tests.answers write``, only where a different answer is what
was wanted.
"""

from __future__ import annotations

import json
from copy import deepcopy

import pytest

from tests.answers import random_systems
from tests.answers.asking import CLOCK, asked, case_of, names_of, read
from tests.answers.comparing import differences
from tests.answers.questions import QUESTIONS

QUICK = 0.1
"""Seconds that a question takes at most to be in the sample."""
KEPT = read()


def sample(key: str) -> list[str]:
    """The quick questions of every fifth entry, each question of another fifth."""
    place = list(KEPT).index(key)
    rows = KEPT[key]["answers"]
    quick = [name for name, row in rows.items() if "answer" in row and CLOCK not in row and row["seconds"] < QUICK]
    return [name for name in names_of(key) if name in quick and (list(QUESTIONS).index(name) + place) % 5 == 0]


@pytest.mark.parametrize("key", KEPT)
def test_answers_are_what_they_were(key: str) -> None:
    case, rows = case_of(key, KEPT), KEPT[key]["answers"]
    found = {name: asked(QUESTIONS[name], case)["answer"] for name in sample(key)}
    wrong = [f"{name}: {each}" for name, answer in found.items() for each in differences(rows[name]["answer"], answer, QUESTIONS[name].tolerance)]  # fmt: skip
    assert not wrong


def test_random_systems_move_as_they_did() -> None:
    names = list(json.loads(random_systems.DATA.read_text(encoding="utf-8")))[::10]
    assert list(random_systems.compare(names)) == []


def test_every_question_has_an_answer_or_a_reason() -> None:
    for key, entry in KEPT.items():
        assert set(entry["answers"]) == set(names_of(key)), key
        assert len(entry["states"]) == 3, key


@pytest.mark.parametrize("name", ["accelerations", "distribution", "find a lagrangian"])
def test_a_changed_number_is_seen(name: str) -> None:
    kept = deepcopy(KEPT["skate"]["answers"][name]["answer"])
    found = asked(QUESTIONS[name], case_of("skate", KEPT))["answer"]
    assert list(differences(kept, found, QUESTIONS[name].tolerance)) == []
    assert list(differences(changed(kept), found, QUESTIONS[name].tolerance)) != []


def changed(data: object) -> object:
    """The same data with the last number or word changed, a number by a little."""
    if isinstance(data, dict):
        last = list(data)[-1]
        return data | {last: changed(data[last])}
    if isinstance(data, list):
        return [*data[:-1], changed(data[-1])]
    return data * (1 + 1e-7) + 1e-7 if isinstance(data, float) else "unknown" if isinstance(data, str) else data + 1


def test_what_differs_is_said_with_its_place() -> None:
    kept = {"verdict": "proven", "values": [[1.0, 2.0], [3.0, 4.0]], "count": 2, "whole": True}
    assert list(differences(kept, deepcopy(kept), 1e-9)) == []
    found = {"verdict": "unknown", "values": [[1.0, 2.0], [3.0, 4.0 + 1e-7]], "count": 3, "whole": 1}
    places = [row.partition(":")[0] for row in differences(kept, found, 1e-9)]
    assert places == ["verdict", "values.1.1", "count", "whole"]
    assert list(differences([1.0], [1.0, 2.0], 1e-9)) == ["[1.0] became [1.0, 2.0]"]
    assert list(differences("inf", 1.0, 1e-9)) == ['"inf" became 1.0']
