r"""Velocities in the plane as sums of arrows, in words for a declaration and in long double for the truth.

.. math:: v = \sum_k c_k\,(\dot a_k + \dot b_k + \dots)\; e(\varphi_k + n_k\,\pi/2), \qquad e(\varphi) = (\cos\varphi, \sin\varphi)

Its component along a heading $h$ is $\sum_k c_k\,(\dot a_k + \dots)\cos(\varphi_k - h + n_k\pi/2)$, as easily differentiated as written.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

Real = np.longdouble
Angle: TypeAlias = tuple[str, ...]
"""Coordinates whose sum is the angle."""
Numbers: TypeAlias = Mapping[str, Real]


@dataclass(frozen=True)
class Arrow:
    """The rates of some coordinates, summed, times the product of parameters, along an angle and so many quarter turns."""

    size: tuple[str, ...]
    rates: tuple[str, ...]
    angle: Angle = ()
    quarters: int = 0


@dataclass(frozen=True)
class Component:
    """What a sum of arrows amounts to along a heading and so many quarter turns from it."""

    arrows: tuple[Arrow, ...]
    heading: Angle = ()
    quarters: int = 0

    @property
    def text(self) -> str:
        """As a careful user writes it: angles between an arrow and the heading contracted."""
        terms = []
        for arrow in self.arrows:
            shared = [name for name in arrow.angle if name in self.heading]
            plus = [name for name in arrow.angle if name not in shared]
            minus = [name for name in self.heading if name not in shared]
            sign, factor = _cosine(plus, minus, arrow.quarters - self.quarters)
            rates = " + ".join(f"{name}'" for name in arrow.rates)
            rates = f"({rates})" if len(arrow.rates) > 1 else rates
            if sign:
                terms.append(f"{sign} " + "*".join(part for part in (*arrow.size, factor, rates) if part))
        return " ".join(terms).removeprefix("+ ") or "0"

    @property
    def product_text(self) -> str:
        """As a hasty one does: a unit vector times the velocity, nothing contracted."""
        parts = []
        for axis in (0, 1):
            sign, factor = _cosine(self.heading, (), self.quarters - axis)
            parts.append(f"{sign}{factor}*({Component(self.arrows, (), axis).text})")
        return " ".join(parts).removeprefix("+")

    def row(self, q: Numbers, w: Numbers, p: Numbers) -> tuple[np.ndarray, np.ndarray]:
        """The coefficients of the velocities, in the order of ``q``, and the rates of these."""
        names, (values, rates) = list(q), np.zeros((2, len(q)), dtype=Real)
        for arrow in self.arrows:
            angle, spin = (_total(each, arrow.angle) - _total(each, self.heading) for each in (q, w))
            c, s = np.cos(angle), np.sin(angle)
            n = (arrow.quarters - self.quarters) % 4
            size = np.prod([p[name] for name in arrow.size], dtype=Real)
            for j in map(names.index, arrow.rates):
                values[j] += size * (c, -s, -c, s)[n]
                rates[j] += size * (-s, -c, s, c)[n] * spin
        return values, rates


def velocity_of(name: str) -> Component:
    """The velocity of a coordinate itself."""
    return Component((Arrow((), (name,)),))


def _total(values: Numbers, names: Angle) -> Real:
    return sum((values[name] for name in names), Real(0))


def _cosine(plus: list[str] | Angle, minus: list[str] | Angle, quarters: int) -> tuple[str, str]:
    """The sign and the text of cos(plus - minus + quarters*pi/2): no text where that is 1, and no sign where it is 0."""
    if not plus and not minus:
        return ("+", "", "-", "")[quarters % 4], ""
    if plus:
        inside, n = "+".join(plus) + "".join(f"-{name}" for name in minus), quarters
    else:
        inside, n = "+".join(minus), -quarters
    sign, name = (("+", "cos"), ("-", "sin"), ("-", "cos"), ("+", "sin"))[n % 4]
    return sign, f"{name}({inside})"
