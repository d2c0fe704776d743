"""A motion to look at where no start is declared: everything at zero with all velocities one, or a random state, put on the constraints."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from sys import float_info
from typing import Any

from anholonomy.refusals import Refusal
from anholonomy.symbolic.numbers.balls import precision
from anholonomy.system.states.sampling import admissible_points

__all__ = ["chosen_motion"]


def chosen_motion(system: Any, end: float) -> Any:
    """The first motion that can begin; refused as the first one is where none does."""
    reasons = []
    for start in _starts(system):
        try:
            return system.simulate(start, until=end, project=True)
        except Refusal as why:
            reasons.append(why)
    raise reasons[0]


def _starts(system: Any) -> Iterator[dict[str, float]]:
    still = {q.name: 0.0 for q in system.coordinates}
    if system.group is not None:
        still |= {q.name: float(x) for q, x in zip(system.group.coordinates, system.group.identity, strict=True)}
    yield still | {w.name: 1.0 for w in system.velocities}
    with suppress(Refusal), precision(float_info.dig):
        point = next(admissible_points(system.model, float_info.dig))
        yield {s.name: float(point[s].mid()) for s in (*system.coordinates, *system.velocities)}
