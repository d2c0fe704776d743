"""Where the numbers of members that go side by side lie, rows of one array with a column for each lane; and codes for how a member ends."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from anholonomy.base.caching import cached_property

__all__ = ["ARRIVED", "LEFT", "NOT_FINITE", "STAGES", "TINY", "TOO_MANY", "UNFINISHED", "Layout"]


UNFINISHED = 0
"""Interrupted."""
ARRIVED = 1
"""At its last time."""
LEFT = 2
"""Where what is watched says so."""
TINY = 3
"""With vanishing steps."""
NOT_FINITE = 4
"""Without finite rates."""
TOO_MANY = 5
"""After too many steps."""


STAGES = 16
"""Stages of DOP853 with those of its dense output."""
_SINGLE = (
    *("t", "h", "end", "limit", "tolerance", "duration", "direction", "longest"),
    *("later", "length", "next_h", "error", "sample", "stage_time", "first_h", "shortest"),
)


@final
@dataclass(frozen=True)
class Layout:
    """The rows: single numbers of a lane first, then vectors of its states, its parameters and what is watched."""

    states: int
    parameters: int
    watched: int
    lanes: int

    @cached_property
    def places(self) -> dict[str, int]:
        """The first row of everything."""
        n = self.states
        sizes = dict.fromkeys(_SINGLE, 1)
        sizes |= dict.fromkeys(("x", "lost", "sizes", "new", "kept", "point", "first_sizes"), n)
        sizes |= {"k": STAGES * n, "dense": 7 * n, "p": self.parameters, "watch": self.watched, "entry": self.watched}
        places, row = {}, 0
        for name, size in sizes.items():
            places[name] = row
            row += size
        places["rows"] = row
        return places

    def __getitem__(self, name: str) -> int:
        return self.places[name]
