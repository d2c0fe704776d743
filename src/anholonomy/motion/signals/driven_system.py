r"""A system driven by signals: its inputs written out with coefficients, which a motion takes anew at every break.

.. math:: Q_a(q, w, t, \tau) \ \longrightarrow\ Q_a(q, w, t, \tau(q, w, t; c)), \qquad c = c_k \text{ for } t_k \le t < t_{k+1}
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from anholonomy.algebra.expressions import Expr, Symbol, Vector
from anholonomy.base.caching import cached_property
from anholonomy.base.errors import IntegrationError
from anholonomy.equations.derivation import Derivation
from anholonomy.motion.signals.kinds import AbstractSignal, State, coefficient_symbols
from anholonomy.programs.backends.base import Array
from anholonomy.system.declaration.inputs import speeds_in_velocities, written_inputs
from anholonomy.system.model import Model

__all__ = ["Driven", "Values"]

Values = Callable[[float, Array, Array], Array]
"""Velocities and speeds at a time and a state."""


@final
@dataclass(frozen=True, eq=False)
class Driven:
    """The signals of a model's inputs, none where it has no inputs.

    Attributes
    ----------
    declared
        The model with its inputs.
    speeds
        The speeds that a user chose for the derivation, with their definitions.
    """

    declared: Model
    signals: Mapping[str, AbstractSignal]
    speeds: Mapping[str, str]

    def __bool__(self) -> bool:
        return bool(self.signals)

    @cached_property
    def symbols(self) -> dict[str, tuple[Symbol, ...]]:
        """The coefficients of every signal."""
        return {u: coefficient_symbols(u, signal.count) for u, signal in self.signals.items()}

    @cached_property
    def written(self) -> dict[str, Expr]:
        """Every input as an expression."""
        return {u: signal.written(self.symbols[u]) for u, signal in self.signals.items()}

    def model(self, declared: Model) -> Model:
        """A declared model, perhaps of other values, with its inputs written out and coefficients among its parameters."""
        if not self:
            return declared
        plain = written_inputs(declared, self.written)
        more = tuple((c.name, 0.0) for each in self.symbols.values() for c in each)
        return plain.replaced(parameter_items=(*plain.parameter_items, *more))

    def derivation(self, derivation: Derivation) -> Derivation:
        """How the driven equations are derived: as the others were."""
        if not self:
            return derivation
        model, principle = self._like(derivation.model), derivation.principle
        if derivation.speeds:
            return Derivation.of(model, principle, derivation.asked_speeds)
        return Derivation.for_all_values(model, principle)

    def _like(self, derived: Model) -> Model:
        """The driven model in the constraints that equations were derived with."""
        driven = self.model(self.declared)
        return driven if derived.constraints == driven.constraints else driven.independent

    def declared_items(self, used: tuple[tuple[str, float | None], ...]) -> tuple[tuple[str, float | None], ...]:
        """Parameters of the declared model from those of the driven one."""
        known = dict(used)
        return tuple((name, known.get(name)) for name, _ in self.declared.parameter_items)

    @property
    def asks_always(self) -> bool:
        """Whether the integrator must ask a Python function at every stage."""
        return any(signal.asks_always for signal in self.signals.values())

    @cached_property
    def seen(self) -> Vector:
        """What functions of users see besides coordinates: velocities, then speeds."""
        return (*self.declared.velocities, *speeds_in_velocities(self.declared, self.speeds).values())

    @cached_property
    def _names(self) -> tuple[str, ...]:
        model = self.declared
        speeds = speeds_in_velocities(model, self.speeds)
        return tuple(s.name for s in (*model.coordinates, *model.velocities, *speeds))

    def breaks(self, t: float, end: float, grid: Array) -> Array:
        """The times at which coefficients change, in the order of the motion; those that are a rounding from a time of the grid are it."""
        found = np.concatenate([signal.breaks(t, end) for signal in self.signals.values()] or [np.empty(0)])
        if not found.size:
            return found
        slack = 1e-12 * max(abs(t), abs(end))
        places = np.sort(grid)
        k = np.clip(np.searchsorted(places, found), 1, max(len(places) - 1, 1))
        for near in (places[k - 1], places[np.minimum(k, len(places) - 1)]):
            found = np.where(np.abs(found - near) <= slack, near, found)
        low, high = sorted((t, end))
        low, high = (low, high) if end > t else (low - 2 * slack, high - 2 * slack)
        found = np.unique(found[(found > low + slack) & (found <= high)])
        found = found[np.append(True, np.diff(found) > slack)] if found.size else found
        return found if end > t else found[::-1]

    def parameters(self, p: Array, t: float, forward: float, state: Callable[[], State]) -> Array:
        """The values of the driven model's parameters from a time on; the coefficients are the last of them."""
        if not self:
            return p
        more = [c for signal in self.signals.values() for c in signal.coefficients(t, forward, state)]
        return np.concatenate([p[: p.size - len(more)], more])

    def state(self, values: Values, t: float, x: Array, p: Array) -> State:
        """A state by names, for functions of users."""
        width = len(self.declared.coordinates)
        return dict(zip(self._names, (float(v) for v in (*x[:width], *values(t, x, p))), strict=True))

    def again(self) -> dict[str, Any]:
        """The signals as they can be given for a motion that goes on: functions themselves, the others in words."""
        return {u: signal.again() for u, signal in self.signals.items()}

    def integrator(self, asked: str | None) -> str | None:
        """The integrator asked for, or the one that asks a Python function at every stage."""
        if not self.asks_always:
            return asked
        if asked not in (None, "scipy"):
            raise IntegrationError(
                f"{self.declared.name}: an input is a Python function, which only the integrator scipy asks all the time; drop "
                f"integrator={asked!r}, or give a sampling time."
            )
        return "scipy"

    def words(self) -> dict[str, Any]:
        """The signals in words that can be read again."""
        return {u: signal.words() for u, signal in self.signals.items()}
