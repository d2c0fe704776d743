"""The witness that a path is not stationary: an admissible variation along which the action changes at first order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from anholonomy.compile.backends.base import Array
from anholonomy.findings import AbstractEvidence
from anholonomy.findings.words import in_words
from anholonomy.verdict import Verdict

__all__ = ["BreakingVariation"]


@final
@dataclass(frozen=True, repr=False)
class BreakingVariation(AbstractEvidence):
    r"""A variation with $\xi = 0$ at both ends, in numbers, and the first variation of the action along it.

    Attributes
    ----------
    names
        The directions.
    times, values, forces
        Times, and at each of them $\xi^a$ and what the action changes by, $\delta L_a$, so that
        $\delta S = \int \delta L_a\,\xi^a\,dt$; ``weights`` are those of the quadrature.
    """

    names: tuple[str, ...]
    times: tuple[float, ...]
    weights: tuple[float, ...]
    values: tuple[tuple[float, ...], ...]
    forces: tuple[tuple[float, ...], ...]

    @property
    def change(self) -> float:
        r"""$\delta S$."""
        return float(np.array(self.weights) @ (np.array(self.values) * np.array(self.forces)).sum(axis=1))

    def at(self, times: Array) -> dict[str, Array]:
        """The variation at other times, by direction: arrays that `first_variation` takes."""
        from scipy.interpolate import CubicSpline

        curve = CubicSpline(self.times, self.values)(np.asarray(times, dtype=float))
        return {name: curve[:, k] for k, name in enumerate(self.names)}

    def lines(self, whole: bool = False) -> list[str]:
        """How much the action changes, and where the variation is largest."""
        values = np.abs(np.array(self.values))
        k, a = np.unravel_index(int(values.argmax()), values.shape)
        most = self.values[int(k)][int(a)]
        where = f"{most:.3g} along {self.names[int(a)]} at t = {self.times[int(k)]:.3g}"
        return [f"the action changes by {self.change:.3g} along an admissible variation (at most {where})"]

    def latex(self) -> str:
        return in_words(self.text())

    def check(self) -> Verdict:
        """Whether the change, added up again, is far above the rounding in it."""
        terms = np.array(self.weights)[:, None] * np.array(self.values) * np.array(self.forces)
        return Verdict.PROVEN if abs(self.change) > 1e-9 * np.abs(terms).sum() else Verdict.UNKNOWN
