r"""Attitudes of a body with an axis level to an axis in space, or along it, by quaternions.

.. math:: R_{kj} = c \in \{0, \pm1\}: \qquad q = e^{\psi e_k/2}\,p_0\,e^{\alpha e_j/2}
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, final

import flint

from anholonomy.geometry.groups.so3 import rotation_matrix
from anholonomy.symbolic.numbers.balls import Ball

__all__ = ["AxisPose", "every_pose"]


@final
@dataclass(frozen=True)
class AxisPose:
    r"""$R_{kj} = c$; the axes are counted from 0.

    >>> import math
    >>> q = AxisPose(2, 0, 0).quaternion(0.3, 0.8, math.cos, math.sin, math.sqrt)
    >>> abs(2 * (q[1] * q[3] - q[0] * q[2])) < 1e-15, round(sum(e**2 for e in q), 12)
    (True, 1.0)
    """

    k: int
    j: int
    value: int

    def quaternion(
        self, turn: Any, spin: Any, cos: Callable[[Any], Any], sin: Callable[[Any], Any], sqrt: Callable[[Any], Any]
    ) -> list[Any]:
        """The attitude from two half angles, in the arithmetic of the given functions."""
        first = self._first(1 / sqrt(2))
        return _times(_times(_about(self.k, turn, cos, sin), first), _about(self.j, spin, cos, sin))

    def _first(self, c: Any) -> list[Any]:
        """An attitude with this entry: a turn by nothing, by a right angle or by two, about an axis that is neither."""
        third = next(i for i in range(3) if i not in (self.k, self.j))
        axis = [int(i == third) for i in range(3)]
        if self.k == self.j:
            return {0: [c, *(c * e for e in axis)], 1: [1, 0, 0, 0], -1: [0, *axis]}[self.value]
        if self.value == 0:
            return [1, 0, 0, 0]
        # A right angle about the third axis brings axis j to axis k where (j, k, third) is cyclic, else to its opposite.
        sign = self.value if (self.k - self.j) % 3 == 1 else -self.value
        return [c, *(sign * c * e for e in axis)]

    def half_angles(self, q: Sequence[Ball], sqrt: Callable[[Any], Any]) -> tuple[Ball, Ball]:
        """The half angles of an attitude of this kind, up to half turns of both."""
        spin = flint.arb(0)
        if self.value == 0:
            plain = [_level(self.k, a, self._first(1 / sqrt(flint.arb(2)))) for a in range(3)]
            now = [_level(self.k, a, q) for a in range(3)]
            one, two = (self.j + 1) % 3, (self.j + 2) % 3
            across = now[one] * plain[two] - now[two] * plain[one]
            spin = flint.arb.atan2(across, now[one] * plain[one] + now[two] * plain[two]) / 2
        first = _times(self._first(1 / sqrt(flint.arb(2))), _about(self.j, spin, flint.arb.cos, flint.arb.sin))
        turned = _times(list(q), [first[0], *(-e for e in first[1:])])
        return flint.arb.atan2(turned[1 + self.k], turned[0]), spin

    def lies_in(self, other: AxisPose) -> bool:
        """Whether each such attitude is one of the other: an axis along another is level to the rest."""
        along = self.value != 0 and other.value == 0 and (self.k == other.k) != (self.j == other.j)
        return self == other or along


def every_pose() -> Iterator[AxisPose]:
    """All of them."""
    yield from (AxisPose(k, j, c) for c, k, j in product((0, 1, -1), range(3), range(3)))


def _level(k: int, a: int, q: Sequence[Any]) -> Any:
    """The entry R_ka of the rotation of a unit quaternion."""
    return rotation_matrix(tuple(q))[k][a]


def _about(axis: int, half: Any, cos: Callable[[Any], Any], sin: Callable[[Any], Any]) -> list[Any]:
    return [cos(half), *(sin(half) if i == axis else 0 for i in range(3))]


def _times(p: list[Any], q: list[Any]) -> list[Any]:
    a, b, c, d = p
    e, f, g, h = q
    return [
        a * e - b * f - c * g - d * h,
        a * f + b * e + c * h - d * g,
        a * g - b * h + c * e + d * f,
        a * h + b * g - c * f + d * e,
    ]
