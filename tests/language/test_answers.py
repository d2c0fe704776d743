"""Answers are rows of parts: text, LaTeX and plain data come from the same parts."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pytest

from anholonomy.algebra.expressions import Expr, symbol
from anholonomy.base.verdict import Verdict
from anholonomy.language.answers import (
    EQUALS,
    Aside,
    Components,
    Mark,
    Readable,
    Row,
    Sum,
    below,
    joined,
    plain,
    title,
)

X, Y, THETA = symbol("x"), symbol("y'"), symbol("theta")
LONG = sum((symbol(f"a{k}") ** k for k in range(2, 300)), start=symbol("b"))


@dataclass(frozen=True, repr=False)
class Inner(Readable):
    name: str
    value: Expr

    def as_rows(self) -> Iterator[Row]:
        yield Row(symbol(self.name), EQUALS, self.value)


@dataclass(frozen=True, repr=False)
class Outer(Readable):
    inner: tuple[Inner, ...]
    verdict: Verdict = Verdict.PROVEN

    def as_rows(self) -> Iterator[Row]:
        yield title("an answer")
        yield Row("it holds: ", self.verdict)
        yield from below(*self.inner)

    def _data(self) -> Mapping[str, Any]:
        return {"verdict": self.verdict, "inner": self.inner, "by name": {THETA: X / 2}}


class Words(Readable):
    def as_rows(self) -> Iterator[Row]:
        yield Row("nothing but words, 50% of x_1")


ANSWER = Outer((Inner("f", X**2 + 1), Inner("g", LONG)))


def test_a_text_has_a_line_for_each_row() -> None:
    assert str(ANSWER).splitlines()[:3] == ["an answer", "it holds: proven", "  f = x^2 + 1"]
    assert repr(Outer(())) == "<an answer, it holds: proven>"


def test_long_expressions_are_counted_unless_all_is_wanted() -> None:
    assert ANSWER.lines()[3].endswith("operations]")
    assert "a299^299" in ANSWER.text(whole=True)


def test_long_lists_are_cut_unless_all_is_wanted() -> None:
    many = Outer(tuple(Inner("f", X) for _ in range(150)))
    assert many.lines()[-1] == "… and 52 more"
    assert len(many.lines(whole=True)) == 152


def test_several_rows_are_aligned_at_their_equality_signs() -> None:
    assert Outer((Inner("theta", Y), Inner("f", X))).latex().splitlines() == [
        r"\begin{aligned}",
        r"& \text{it holds: proven} \\",
        r"\theta &= \dot{y} \\",
        "f &= x",
        r"\end{aligned}",
    ]


def test_words_in_latex_are_escaped() -> None:
    assert Words().latex() == r"\text{nothing but words, 50\% of x\_1}"


def test_a_notebook_has_formulas_only_where_there_are_some() -> None:
    assert Words()._repr_latex_() is None
    assert Inner("f", X)._repr_latex_() == "$$f = x$$"


def test_a_notebook_counts_what_print_counts() -> None:
    assert "operations" in Inner("f", LONG)._repr_latex_()
    assert "operations" not in Inner("f", LONG).latex()


def test_answers_inside_a_row_are_spliced() -> None:
    row = Row("if ", Inner("f", X), joined([" or", "", Inner("g", Fraction(-1, 2))], " "), ".")
    assert row.text() == "if f = x or g = -1/2."
    assert row.latex() == r"\text{if } f = x \text{ or } g = - \frac{1}{2} \text{.}"
    assert row == Row("if", " ", symbol("f"), EQUALS, X, " or ", [symbol("g"), EQUALS, Fraction(-1, 2)], ".")


@pytest.mark.parametrize(
    ("part", "text", "latex"),
    [
        (Mark("tau", r"\tau"), "tau", r"\tau"),
        (Components((X, Y)), "(x, y')", r"\left(x,\ \dot{y}\right)"),
        (Components((X, -Y), ("e_1", "e_2")), "(x, -y')", r"x\,e_1 - \dot{y}\,e_2"),
        (Sum(((X + 1, Mark("dx", "u")), (X / X, Mark("dy", "v")))), "(x + 1) dx + dy", r"\left(x + 1\right)\,u + v"),
        (Sum(()), "0", "0"),
        (Aside(("along ", X), 100), "along x", r"\text{along } x"),
        (Aside(("along ", X), 3), "", ""),
        (Verdict.REFUTED, "refuted", r"\text{refuted}"),
    ],
)
def test_each_part_is_written_twice(part: Any, text: str, latex: str) -> None:
    assert Row(part).text() == text
    assert Row(part).latex() == latex


def test_what_is_left_aside_is_in_the_whole_text() -> None:
    assert Row("f", Aside((" along ", X), 3)).text(whole=True) == "f along x"


def test_plain_data_survives_json() -> None:
    data = ANSWER.to_dict()
    assert json.loads(json.dumps(data)) == data
    assert data["verdict"] == "proven"
    assert data["inner"][0] == "f = x^2 + 1"
    assert data["by name"] == {"theta": "x/2"}
    assert Words().to_dict() == {"text": "nothing but words, 50% of x_1"}
    assert plain((Row("a ", X), 1, None, ANSWER)) == ["a x", 1, None, data]
