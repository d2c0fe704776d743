"""Quantities of one's choice are drawn over time, those that would look flat in panels of their own."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.figure import Figure

import anholonomy as ah
from anholonomy.catalogue import chaplygin_sleigh
from tests.wording import blames


@pytest.fixture(scope="module")
def run():
    return chaplygin_sleigh().simulate({"x": 0, "y": 0, "theta": 0, "x'": 1, "theta'": 0.5}, until=5)


def drawn(axes):
    return [[line.get_label() for line in ax.get_lines()] for ax in axes]


def test_names_and_expressions_are_drawn_as_the_motion_has_them(run):
    axes = run.plot(["theta", "x'*cos(theta)", "lambda1"])
    lines = [line for ax in axes for line in ax.get_lines()]
    wanted = [run["theta"], run["x'"] * np.cos(run["theta"]), run["lambda1"]]
    assert len(lines) == 3
    for line, values in zip(lines, wanted, strict=True):
        np.testing.assert_array_equal(line.get_xdata(), run.time)
        np.testing.assert_allclose(line.get_ydata(), values, rtol=1e-15)


def test_what_would_look_flat_gets_a_panel_of_its_own(run):
    assert drawn(run.plot(["theta", "100*theta", "2*theta", "theta + 50"])) == [
        [r"$\theta$", "2*theta"],
        ["100*theta"],
        ["theta + 50"],
    ]
    (ax,) = run.plot(["energy"])
    low, high = ax.get_ylim()
    assert high - low > 0.01, "rounding does not fill the panel"


def test_one_axes_gets_all_of_them(run):
    ax = Figure().add_subplot()
    assert run.plot(["theta", "100*theta"], ax=ax) is ax
    assert len(ax.get_lines()) == 2


def test_a_file_keeps_the_figure(run, tmp_path):
    run.plot(["theta", "u"], tmp_path / "a.png")
    run.plot(("theta",), str(tmp_path / "b.pdf"))
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
    assert (tmp_path / "b.pdf").read_bytes().startswith(b"%PDF")


@pytest.mark.parametrize(
    ("call", "names"),
    [
        (lambda run: run.plot(["thetta"]), ()),
        (lambda run: run.plot("theta"), ()),
        (lambda run: run.plot("coordinates"), ()),
        (lambda run: run.plot(["multiplier"]), ("lambda1",)),
        (lambda run: run.plot(["theta"], 3), ()),
        (lambda run: run.plot(["theta"], "a.xyz"), ()),
        (lambda run: run.plot(3, "a.png"), ()),
        (lambda run: run.plot(["theta"], ""), ()),
    ],
)
def test_a_mistake_gets_a_sentence(run, call, names):
    with blames(ah.Error, *names):
        call(run)
