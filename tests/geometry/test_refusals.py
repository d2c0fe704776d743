"""Geometry says no in a sentence: what is not defined is not computed."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest

import anholonomy as ah
import anholonomy.catalogue
from tests.wording import blames


def constraints(*rows: str) -> ah.geometry.Distribution:
    return ah.geometry.Distribution.from_constraints(list(rows), coordinates=["x", "y"])


def fields(*rows: list[str]) -> ah.geometry.Distribution:
    return ah.geometry.Distribution.from_vectors(list(rows), ["x", "y", "z"][: len(rows[0])])


@pytest.mark.parametrize(
    ("make", "names"),
    [
        (lambda: ah.geometry.Frame(["x", "y"], [["1", "1"], ["2", "2"]]), ()),
        (lambda: ah.geometry.Frame(["x", "y"], [["x", "y"], ["2*x", "2*y"]]), ()),
        (lambda: ah.geometry.Frame(["x", "y"], [["cos(x)^2 + sin(x)^2", "1"], ["1", "1"]]), ()),
        (lambda: ah.geometry.Frame(["x", "y"], [None, ["0", "1"]]), ("2",)),
        (lambda: ah.geometry.Frame(3), ()),
        (lambda: ah.geometry.Frame(["x", "x"]), ()),
        (lambda: ah.geometry.Frame.chart("xy"), ()),
        (lambda: ah.geometry.Frame.chart([1]), ()),
        (lambda: constraints("x' = foo'"), ("foo'",)),
        (lambda: constraints("x' = y' + q'^2"), ("q'",)),
        (lambda: constraints("0 = 1"), ()),
        (lambda: constraints("x' = 0", "x' = 1"), ()),
        (lambda: constraints("x'^2 = y'"), ()),
        (lambda: constraints("y' = abs(x')"), ()),
        (lambda: fields(["1", "0"], ["0", "x"]).growth_vector(at={"x": 0}), ()),
        (lambda: fields(["1", "0", "0"], ["0", "x", "0"]).growth_vector(at={"x": 0}), ()),
        (lambda: fields(["1", "0", "y^40"], ["0", "1", "0"]).degree_of_nonholonomy(at={"y": 0}), ()),
        (lambda: fields(["1", "0", "0"], ["0", "1", "x"]).growth_vector(at=[0, 1]), ()),
        (lambda: fields(["1", "0", "0"], ["0", "1", "x"]).growth_vector(at={"w": 1}), ("w",)),
        (lambda: fields(["1", "0", "exp(-1/y^2)"], ["0", "1", "0"]).growth_vector(at={"y": 0}), ()),
        (lambda: fields(["sqrt(x)", "0", "y"], ["0", "1", "0"]).growth_vector(at={"x": -1}), ()),
        (lambda: fields(["1/x", "0", "y"], ["0", "1", "0"]).growth_vector(at={"x": 0}), ()),
        (lambda: fields(["asin(x)", "0", "y"], ["0", "1", "0"]).growth_vector(at={"x": 2}), ()),
        (lambda: fields(["1", "0", "0"], ["0", "1", "x"]).growth_vector(at={"x": 0}, length=0), ()),
        (lambda: ah.connections.nonholonomic(ah.geometry.Metric(ah.geometry.Frame(["x", "y"]), [1, 1]), 3), ()),
        (
            lambda: ah.connections.nonholonomic(ah.geometry.Metric(ah.geometry.Frame(["x", "y"]), [1, 1]), [1, 2]),
            ("2",),
        ),
        (lambda: ah.geometry.Metric(ah.geometry.Frame(["x", "y"]), [["1", "2"], ["3", "4"]]), ()),
        (
            lambda: (
                ah.connections.levi_civita(
                    ah.geometry.Metric(ah.geometry.Frame(["x", "y"]), [["1", "1"], ["1", "1"]])
                ).coefficients
            ),
            (),
        ),
    ],
)
def test_a_question_without_an_answer(make: Callable[[], object], names: tuple[str, ...]) -> None:
    with blames(ah.Error, *names):
        make()


def test_a_flag_that_may_go_on_says_so() -> None:
    sharp = fields(["1", "0", "y^12"], ["0", "1", "0"])
    growth = sharp.growth_vector(at={"y": 0}, length=12)
    assert not growth.is_settled
    assert repr(growth).endswith("so far")
    assert growth.finding.is_unknown
    assert sharp.growth_vector(at={"y": 0}).finding.is_proven
    assert sharp.degree_of_nonholonomy(at={"y": 0}) == 13
    assert fields(["1", "0", "y^4"], ["0", "1", "0"]).growth_vector(at={"y": 0}) == (2, 2, 2, 2, 3)


def test_a_right_angle_is_one_in_every_spelling() -> None:
    """The car with a trailer at a right angle grows more slowly there (Jean 1996)."""
    D = ah.geometry.Distribution.of(ah.catalogue.n_trailer(2))
    shared = {"theta0": "0", "theta2": 0.5}
    exact = D.growth_vector(at=shared | {"theta1": "pi/2"})
    read = D.growth_vector(at=shared | {"theta1": math.pi / 2})
    assert read == exact
    assert repr(read).endswith("(theta1 was read as pi/2)")
    assert "read" not in repr(exact)
    assert D.growth_vector(at=shared | {"theta1": 1.57}) != exact


def test_a_distribution_is_a_span() -> None:
    g = ah.geometry.Metric(ah.geometry.Frame(["x", "y", "z"]), [1, 1, 1])
    D = fields(["1", "0", "y"], ["0", "1", "0"])
    assert ah.connections.nonholonomic(g, D).coefficients == ah.connections.nonholonomic(g, D.vectors_ai).coefficients


def test_a_metric_shows_itself_in_a_line() -> None:
    assert len(repr(ah.catalogue.leaning_disc().geometry.metric)) < 120
