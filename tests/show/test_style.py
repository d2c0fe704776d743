"""Names become mathematics, whatever they are, and curves can be told apart."""

from __future__ import annotations

import io

import pytest
from matplotlib.figure import Figure

from anholonomy.show.style import COLOURS, caption, curve_style, math


@pytest.mark.parametrize(
    ("name", "text"), [("x", "$x$"), ("theta''", r"$\ddot{\theta}$"), ("x1'", r"$\dot{x}_{1}$"), ("t", "$t$")]
)
def test_names_are_set_as_mathematics(name, text):
    assert math(name) == text


@pytest.mark.parametrize(
    "name", ["x_front_wheel", "_", "xdot", "xnorm", "boldx", "ϑ", "lambda", "x_1_2'", "hbar", "xmathring", "__a1"]
)
def test_every_name_can_be_drawn(name):
    figure = Figure()
    figure.add_subplot().set_xlabel(math(name))
    figure.savefig(io.BytesIO(), format="png", dpi=20)


@pytest.mark.parametrize("text", ["50% of $", "$x_$y$", "_hidden", "a\nb", "x" * 500, ""])
def test_every_label_can_be_drawn(text):
    figure = Figure()
    ax = figure.add_subplot()
    ax.plot([0, 1], label=caption(text))
    ax.set_title(caption(text))
    ax.legend(*ax.get_legend_handles_labels())
    figure.savefig(io.BytesIO(), format="png", dpi=20)
    assert len(caption(text)) < 60


def test_twenty_eight_curves_differ():
    styles = {(s["color"], s["linestyle"]) for s in map(curve_style, range(28))}
    assert len(styles) == 28
    assert len(set(COLOURS)) == 7
