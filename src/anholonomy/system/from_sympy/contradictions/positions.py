r"""A velocity that was set, beside the position that was: $v_P - v_O$ is $\dot r$, or $\omega\times r$ of some frame.

The second is what the centre of a wheel has beside its point of contact, which is another point of the wheel at every moment:
$\omega$ is then that of the wheel and $r$ turns otherwise. What is neither is the velocity of no point at $r$.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from anholonomy.refusals import IllPosedSystem
from anholonomy.symbolic.calculus import total_derivative
from anholonomy.symbolic.expressions import Expr, Symbol, Vector, symbol
from anholonomy.system.from_sympy.entrance import Entrance, parts

__all__ = ["placed", "ways_to_move"]


def placed(centres: Sequence[Any], frame: Any) -> Iterator[tuple[Any, Any]]:
    """The mass centres with a place given from another one, or from a point at rest, where both have velocities."""
    for point in centres:
        for other in point._pos_dict:
            known = frame in point._vel_dict and frame in other._vel_dict
            if known and (other in centres or other._vel_dict[frame] == 0):
                yield point, other


def ways_to_move(
    point: Any, other: Any, frames: Sequence[Any], entrance: Entrance, known: Mapping[Symbol, Expr]
) -> tuple[Vector, ...]:
    """What vanishes if the point moves as its place from the other says, or with one of the frames; nothing if unread."""
    what, N = f"the position of the point {point} from {other}", entrance.frame
    rates = {symbol(q): symbol(f"{q}'") for q in entrance.coordinates}

    def along(vector: Any) -> Vector:
        return tuple(value.xreplace(known) for value in entrance.components(vector, N, what))

    try:
        place = point._pos_dict[other]
        own = along(entrance.velocity(point, what) - entrance.velocity(other, what))
        turned = (along(entrance.turning(frame, what) ^ place) for frame in (*frames, *(f for _, f in parts(place))))
        moved = tuple(total_derivative(value, rates) for value in along(place))
        return tuple(tuple(v - w for v, w in zip(own, way, strict=True)) for way in (moved, *turned))
    except IllPosedSystem:
        return ()  # a place with coordinates that are left out, or a frame that only velocities need
