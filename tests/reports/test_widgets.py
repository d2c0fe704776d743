"""Widgets without a kernel: traits are set, films change."""

from __future__ import annotations

import sys

import numpy as np
import pytest

import anholonomy as ah
from anholonomy.show.animation.page import page_data
from tests.wording import blames, pinned

pytest.importorskip("anywidget", reason="anywidget is not installed (the extra `notebook`)")

START = {"x": 0, "y": 0, "theta": "pi/6", "x'": 1, "theta'": 0.5}


@pytest.fixture(scope="module")
def skate():
    return ah.catalogue.skate()


def test_the_player_has_the_film_of_the_motion(skate) -> None:
    run = skate.simulate(START, until=2)
    widget = run.player(frames=20)
    assert widget.film == page_data(run.animate(frames=20).film)
    assert (widget.time, widget.height) == (0.0, 420)
    assert "export default" in widget._esm


def test_what_is_dragged_moves_the_motion(skate) -> None:
    widget = skate.explore(START, 2)
    before, run = widget.film, widget.run
    assert {each["name"] for each in widget.controls} == {"m", "I", "x", "y", "theta", "x'", "theta'"}
    widget.values = {**widget.values, "theta'": 1.0}
    assert widget.film != before
    expected = skate.simulate({**START, "theta'": 1.0}, until=2)
    assert np.allclose(widget.run["x"][-1], expected["x"][-1], atol=1e-12)
    widget.question = {"number": 3, "values": {"theta'": 0.5}}
    assert (widget.answered, widget.values["theta'"]) == (3, 0.5)
    assert widget.film == before
    assert np.allclose(widget.run["x"], run["x"], atol=1e-12)


def test_what_is_refused_is_said_and_the_motion_stays() -> None:
    system = ah.System(
        name="two skates",
        coordinates={"x": "length", "y": "length", "a": "angle"},
        lagrangian="m*(x'^2 + y'^2)/2 + a'^2/2",
        constraints=["x'*sin(a) = y'*cos(a)"],
        parameters={"m": 1.0},
    )
    widget = system.explore({"x": 0, "y": 0, "a": 0, "x'": 1, "y'": 0, "a'": 1}, 1, ["a", "m"])
    film, run = widget.film, widget.run
    widget.values = {"a": 1.0, "m": 1.0}
    assert "constraint" in widget.message
    assert (widget.film, widget.run) == (film, run)
    widget.values = {"a": 0.0, "m": 2.0}
    assert widget.message == ""


def test_a_declared_start_is_explored(skate) -> None:
    widget = skate.with_start(START).explore(until=1, ranges={"m": (1, 4), "theta": None})
    low, high = np.pi / 6 - np.pi, np.pi / 6 + np.pi
    assert [(each["name"], each["kind"]) for each in widget.controls] == [("m", "parameter"), ("theta", "start")]
    assert [each["low"] for each in widget.controls] == pytest.approx([1, low])
    assert [each["high"] for each in widget.controls] == pytest.approx([4, high])


def test_what_has_no_picture_is_explored_by_its_curves() -> None:
    pendulum = ah.System(
        name="pendulum", coordinates=["phi"], lagrangian="l^2*phi'^2/2 + g*l*cos(phi)", parameters={"g": 9.81, "l": 1.0}
    )
    widget = pendulum.explore({"phi": 1, "phi'": 0}, 2)
    assert widget.film == {}
    pinned(widget.note, "scene")
    widget.question = {"number": 1, "values": {"l": 2.0}}
    expected = pendulum.simulate({"phi": 1, "phi'": 0}, until=2, parameters={"l": 2.0})
    drawn = widget.curves["panels"][0]["curves"]["phi"]
    assert drawn == pytest.approx(np.interp(widget.curves["times"], expected.time, expected["phi"]), abs=1e-6)
    assert widget.curves["times"][-1] == 2
    with blames(ah.errors.NotSupportedError, "scene"):
        widget.run.player()


@pytest.mark.parametrize(
    ("words", "names"),
    [
        ({"ranges": {"M": None}}, ("M",)),
        ({"ranges": {"m": (2, 1)}}, ()),
        ({"ranges": {"m": "1-2"}}, ()),
        ({"ranges": "m"}, ()),
        ({"start": {"x": "a"}}, ()),
    ],
)
def test_what_cannot_be_dragged_is_refused(skate, words, names) -> None:
    with blames(ah.Error, *names):
        skate.explore(**{"start": START, "until": 1, **words})


def test_without_a_start_there_is_nothing_to_show(skate) -> None:
    with blames(ah.Error):
        skate.with_start(None).explore()


def test_without_anywidget_there_is_one_sentence(skate, monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "anywidget", None)
    run = skate.simulate(START, until=1)
    for ask in (run.player, lambda: skate.explore(START, 1)):
        with blames(ah.errors.NotSupportedError):
            ask()
    assert "srcdoc" in run._repr_html_()


def test_ranges_may_have_units() -> None:
    pytest.importorskip("pint")
    fall = ah.System(
        name="fall",
        coordinates={"x": "length", "z": "length"},
        lagrangian="m*(x'^2 + z'^2)/2 - m*g*z",
        parameters={"m": "2 kg", "g": 9.81},
    )
    start = {"x": "1 m", "z": 0, "x'": 0, "z'": 0}
    ends = [
        (each["low"], each["high"])
        for each in fall.explore(start, "1 s", {"m": ("500 g", "4 kg"), "x": (0, "10 ft")}).controls
    ]
    assert ends == [(0.5, 4.0), (0.0, 3.048)]
    with blames(ah.Error, "m", "1", "s", "kg"):
        fall.explore(start, 1, {"m": ("1 s", "4 kg")})


def test_values_without_a_slider_are_refused(skate) -> None:
    widget = skate.explore(START, 1)
    with blames(ah.errors.UnknownNameError, "zz"):
        widget.values = {"zz": 3}
