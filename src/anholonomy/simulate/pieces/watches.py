"""What is watched along a motion: conditions that end it, looked at for many steps at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias, final

import numpy as np
from numpy.typing import NDArray

from anholonomy.compile.backends.base import Array
from anholonomy.simulate.integrators.base import Watch

__all__ = ["StopCondition", "Flag", "Flags", "first_of"]

Flag: TypeAlias = NDArray[np.bool_]
Flags: TypeAlias = Callable[[Array, Array], Flag]
"""From the times and states of steps in a row to whether each is one at which to stop."""


@final
@dataclass(frozen=True)
class StopCondition:
    """A reason to stop, and whom to tell the place among the steps, and the time, where it is the one that did."""

    flags: Flags
    told: Callable[[int, float], None] = lambda place, time: None


def first_of(conditions: Sequence[StopCondition]) -> Watch | None:
    """Stop at the first step at which any of the conditions holds; of several there, the first in order is told."""
    if not conditions:
        return None

    def watch(times: Array, states: Array) -> int | None:
        held = np.array([condition.flags(times, states) for condition in conditions])
        if not held.any():
            return None
        place = int(np.argmax(held.any(axis=0)))
        conditions[int(np.argmax(held[:, place]))].told(place, float(times[place]))
        return place

    return watch
