"""The common style of figures and films: colours, names as mathematics, fresh axes, and what is drawn: a motion.

The colours are those of Okabe and Ito, which stay apart for every common kind of colour vision; the dashes change with them, so that
neighbours stay apart in grey print, too.
"""

from __future__ import annotations

import sys
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from anholonomy.algebra.expressions import symbol
from anholonomy.algebra.latex import latex_name
from anholonomy.base.errors import FileError, NotSupportedError, quoted

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from anholonomy.system.model import Model

__all__ = [
    "DrawnMotion",
    "refuse_unless_motion",
    "LIGHT",
    "DARK",
    "colour_of",
    "BLUE",
    "ORANGE",
    "INK",
    "PALE",
    "COLOURS",
    "curve_style",
    "dot_style",
    "math",
    "caption",
    "new_figure",
    "axes_or_new",
    "canvas",
    "tidy",
]


# What is drawn.


@runtime_checkable
class DrawnMotion(Protocol):
    """A motion as far as pictures and texts know it; whoever has these three can be drawn."""

    @property
    def data(self) -> xr.Dataset:
        """The labelled arrays."""

    @property
    def model(self) -> Model:
        """The system whose motion it is."""

    @property
    def _keeps_energy(self) -> bool:
        """True if the motion must keep its energy, so that a change of the energy is an error."""


def refuse_unless_motion(motion: object) -> None:
    if not isinstance(motion, DrawnMotion):
        raise FileError(
            f"a {type(motion).__name__} is no motion; give what `simulate` returned, or `anholonomy.load(data)` of its dataset."
        )


# Colours by role, on light and on dark, and the styles of curves.


LIGHT = {
    "body": "#2f7fb8",
    "second": "#1f9e78",
    "wheel": "#7d8793",
    "blade": "#d55e00",
    "accent": "#d55e00",
    "muted": "#8a93a0",
    "ground": "#eef1f4",
    "grid": "#cfd6dd",
    "paper": "#ffffff",
    "ink": "#22282e",
    "trail": "#0072b2",
}
DARK = LIGHT | {
    "body": "#56a9e0",
    "second": "#3cc39a",
    "wheel": "#9aa5b1",
    "ground": "#1d2228",
    "grid": "#37404a",
    "paper": "#14181c",
    "ink": "#e4e9ee",
    "trail": "#7cc4f5",
}


def colour_of(role: str) -> str:
    """A role's colour on light, or the colour itself.

    >>> colour_of("body"), colour_of("#123456")
    ('#2f7fb8', '#123456')
    """
    return LIGHT.get(role, role)


BLUE, ORANGE, INK, PALE = "#0072B2", "#D55E00", "#333333", "#D9D9D9"
COLOURS = (BLUE, ORANGE, "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
_DASHES = ("-", "--", ":", "-.")


def curve_style(index: int) -> dict[str, Any]:
    """Colour and dashes of a curve; 28 are told apart.

    >>> curve_style(0) == curve_style(7)
    False
    """
    return {"color": COLOURS[index % len(COLOURS)], "linestyle": _DASHES[index % len(_DASHES)], "linewidth": 1.6}


def dot_style(count: int, colour: str = BLUE) -> dict[str, Any]:
    """Dots for what is noise at rounding level, where neighbours have nothing to do with one another."""
    return {"color": colour, "linestyle": "none", "marker": ".", "markersize": 3 if count > 100 else 6}


# Names and texts as labels.


_LONG = 40
"""Characters after which a label is cut, lest it push the curves off the figure."""


@lru_cache(maxsize=512)
def math(name: str) -> str:
    r"""A name as Matplotlib's mathematics, or as it is where Matplotlib cannot set it.

    >>> math("theta'")
    '$\\dot{\\theta}$'
    """
    from matplotlib.mathtext import MathTextParser

    text = f"${latex_name(symbol(name))}$"
    try:
        MathTextParser("path").parse(text)
    except ValueError:
        return caption(name)
    return text


def caption(text: str) -> str:
    r"""Any text, safe as a label: dollars are no mathematics and a leading underscore hides nothing.

    >>> caption("_cost in $")
    ' _cost in \\$'
    """
    text = text if len(text) <= _LONG else text[: _LONG - 1] + "…"
    # Matplotlib leaves labels that begin with an underscore out of a legend.
    return (" " if text.startswith("_") else "") + text.replace("$", r"\$")


# Fresh figures and axes.


def new_figure(width: float, height: float) -> Figure:
    """An empty figure in inches; pyplot knows it only where pyplot is there to show it.

    In a notebook, or once a script has imported pyplot, the figure appears as any other. Elsewhere it is a
    plain object that nothing keeps alive, so that a loop over a thousand motions leaks nothing.
    """
    if "matplotlib.pyplot" in sys.modules or _in_ipython():
        from matplotlib import pyplot

        return pyplot.figure(figsize=(width, height), layout="constrained")
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained")


def axes_or_new(ax: Axes | None, width: float, height: float, title: str = "") -> Axes:
    """The axes given, or new ones under a title; tidy."""
    if ax is None:
        ax = new_figure(width, height).add_subplot()
        if title:
            ax.set_title(caption(title), color=INK)
    tidy(ax)
    return ax


def canvas(motion: DrawnMotion, ax: Axes | None, width: float = 6.4, height: float = 3.6) -> Axes:
    """The axes given, or new ones under the name of the motion's system; refuses what is no motion."""
    refuse_unless_motion(motion)
    return axes_or_new(ax, width, height, str(motion.data.attrs["system"]))


def tidy(ax: Axes) -> None:
    """Two spines, thin and grey, and a pale grid behind the curves; refuses what is no axes."""
    if not hasattr(ax, "spines"):
        raise NotSupportedError(
            f"nothing can be drawn into {quoted(ax)}; give axes of Matplotlib, the name of a file, or nothing."
        )
    ax.spines[["top", "right"]].set_visible(False)
    ax.spines[["left", "bottom"]].set_color("#888888")
    ax.tick_params(color="#888888", labelcolor=INK)
    ax.grid(color=PALE, linewidth=0.5)
    ax.set_axisbelow(True)


def _in_ipython() -> bool:
    module = sys.modules.get("IPython")
    return module is not None and module.get_ipython() is not None
