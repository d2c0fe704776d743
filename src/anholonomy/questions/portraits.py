"""What one may ask of a system's motions all at once: phase portraits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from anholonomy.system.model import Model

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["PortraitQuestions"]


class PortraitQuestions(Model):
    """A model whose motions can be drawn in one plane."""

    def phase_portrait(
        self,
        over: Mapping[str, Sequence[float]],
        until: float,
        *,
        start: Mapping[str, Any] | None = None,
        plane: Sequence[str] | None = None,
        ax: Axes | str | Path | None = None,
    ) -> Axes:
        """Motions from a grid of starts in the plane of two names; returns the axes, a path of a file keeps them.

        ``over`` has lists of values for one or two names, ``start`` the other values, and ``plane`` the two names or expressions of the axes, by default
        those of ``over``.

        >>> from anholonomy import System
        >>> pendulum = System(coordinates={"theta": "angle"}, lagrangian="theta'^2/2 + cos(theta)")
        >>> axes = pendulum.phase_portrait({"theta": [-1, 0, 1], "theta'": [0.5, 2.5]}, until=4)
        >>> axes.get_xlabel(), axes.get_ylabel()
        ('$\\\\theta$', '$\\\\dot{\\\\theta}$')
        """
        from anholonomy.ensembles.portrait import phase_portrait

        return phase_portrait(self, over, until, start, plane, ax)
