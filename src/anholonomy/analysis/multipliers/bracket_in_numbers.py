r"""The multiplier of a bracket that has no closed form: its logarithm on a path to a state, and along motions.

.. math:: X_a(\ln f) = \psi_a, \qquad \frac{d\ln f}{dt} = \psi_au^a

All brackets of the fields $X_a$ agree with the $\psi_a$, so that there is one such function; it is 1 where the path begins (`anholonomy.analysis.measures.in_numbers`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import final

import numpy as np

from anholonomy.analysis.at_states import value_at
from anholonomy.analysis.measures.in_numbers import PathIntegral
from anholonomy.analysis.measures.lie_hull import Hull
from anholonomy.formulations.reduction.quotient import Quotient
from anholonomy.lazy import cached_property
from anholonomy.refusals import NotCovered
from anholonomy.symbolic.expressions import Expr, dot
from anholonomy.system.model import Model

__all__ = ["NumericMultiplier"]


@final
@dataclass(frozen=True)
class NumericMultiplier:
    """A multiplier by its derivatives along the fields of a bracket.

    ``base`` is the system of the bracket, ``model`` the one whose states are given, and ``quotient`` the way between them, None where they are the same.
    """

    hull: Hull
    base: Model
    model: Model
    quotient: Quotient | None

    @cached_property
    def _path(self) -> PathIntegral:
        found = PathIntegral.of(self.base, self.base.coordinates, self.hull.basis)
        if found is None:
            raise NotCovered(
                f"{self.base.name} has a multiplier, but no closed form of it was found, and no chart to integrate it in."
            )
        return found

    def at(self, state: Mapping[str, object]) -> float:
        """The multiplier at a state, for which the whole configuration is needed."""
        what, model = "the multiplier", self.model
        places = {q.name: value_at(model, self._above(q), state, what) for q in self.base.coordinates}
        free = [s for s in self.base.parameter_symbols if s not in self.base.values]
        return float(np.exp(self._path.at(places, {s.name: value_at(model, s, state, what) for s in free})))

    def _above(self, e: Expr) -> Expr:
        """A function of the invariants in the coordinates of the model."""
        if self.quotient is None:
            return e
        return self.model.frame.in_coordinates(e.xreplace(dict(self.quotient.space.invariants)))

    @cached_property
    def rate_below(self) -> Expr:
        r"""$\psi_au^a$ in the coordinates and velocities of the bracket's system."""
        speeds = [field.name.removeprefix("X(").removesuffix(")") for field in self.hull.fields]
        own = {u.name: u for u in self.base.velocities}
        return dot([field.value for field in self.hull.fields], [own[name] for name in speeds])

    @cached_property
    def rate(self) -> Expr:
        """The same in those of the model whose motions are given."""
        if self.quotient is None:
            return self.rate_below
        carried, velocities = self.quotient.carried, {w: w for w in self.model.velocities}
        speeds = dict(zip(carried.speeds, carried.speeds_of(velocities), strict=True))
        return self._above(self.rate_below.xreplace(speeds))
