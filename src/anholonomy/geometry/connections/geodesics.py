r"""Geodesics of a connection: velocities that are parallel along their own curve.

.. math:: \nabla_{\dot q}\dot q = 0: \qquad \dot q^i = e_a{}^i\,\omega^a, \qquad \dot\omega^a = -\Gamma^a{}_{bc}\,\omega^b\omega^c

All of $\Gamma$ counts, not its Christoffel part: in an orthonormal frame that part is zero and the rotation
coefficients are the whole equation.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import final

import symengine

from anholonomy.algebra.expressions import Expr, Symbol, Vector, free_symbols, symbol, time, unused
from anholonomy.base.caching import cached_property
from anholonomy.base.errors import DeclarationError
from anholonomy.geometry.connections.coefficients import Coefficients, tidy
from anholonomy.geometry.frame import Frame
from anholonomy.language.answers import EQUALS, Part, Readable, Row

__all__ = ["Geodesics", "geodesics"]


@final
@dataclass(frozen=True, repr=False)
class Geodesics(Readable):
    r"""The geodesic equations of a connection in its frame.

    Attributes
    ----------
    speeds
        The symbols $\omega^a$: velocities on a chart, otherwise ``w1``, ``w2``, …
    accelerations
        $\dot\omega^a = -\Gamma^a{}_{bc}\omega^b\omega^c$, one for each direction.
    """

    frame: Frame
    speeds: tuple[Symbol, ...]
    accelerations: Vector

    @cached_property
    def rates(self) -> Mapping[Symbol, Expr]:
        r"""$\dot q^i$ and $\dot\omega^a$ by symbol: a first-order system ready to integrate."""
        moving = self.frame.coordinate_rates(self.speeds)
        return {**moving, **dict(zip(self.speeds, self.accelerations, strict=True))}

    def _pairs(self) -> list[tuple[Symbol, Expr]]:
        shown = dict(zip(self.speeds, self.accelerations, strict=True)) if self.frame.is_chart else self.rates
        return [(symbol(s.name + "'"), value) for s, value in shown.items()]

    def as_rows(self) -> Iterable[Part]:
        return (Row(rate, EQUALS, value) for rate, value in self._pairs())


def geodesics(coefficients: Coefficients) -> Geodesics:
    """The equations from the coefficients; a frame that moves by itself is refused."""
    frame = coefficients.frame
    entries = [value for _, value in coefficients.items] + [entry for row in frame.anchor_ai for entry in row]
    if any(entry != 0 for entry in frame.drift_i) or (time in free_symbols(entries) and time not in frame.coordinates):
        raise DeclarationError(
            "the frame or the connection depends on time, and a geodesic has none; make t one of the coordinates."
        )
    speeds = _speeds(frame, entries)
    terms: list[list[Expr]] = [[] for _ in speeds]
    for (a, b, c), value in coefficients.items:
        terms[a].append(-value * speeds[b] * speeds[c])
    return Geodesics(frame, speeds, tuple(tidy(symengine.Add(*each)) for each in terms))


def _speeds(frame: Frame, entries: list[Expr]) -> tuple[Symbol, ...]:
    if frame.is_chart:
        return tuple(symbol(q.name + "'") for q in frame.coordinates)
    taken = {s.name for s in (*frame.coordinates, *free_symbols(entries))}
    return tuple(unused(f"w{a + 1}", taken.__contains__) for a in range(frame.size))
