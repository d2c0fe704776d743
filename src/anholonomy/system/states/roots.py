r"""Every real zero of a function of one unknown, $f(u) = 0$, by bisection in ball arithmetic.

Where the ball of $f$ over an interval excludes 0 there is no zero; where that of $f'$ does, there is one if $f$ changes its
sign and none otherwise. Whatever stays open when an interval is small, such as a double zero, is a candidate too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import flint

from anholonomy.symbolic.calculus import partial
from anholonomy.symbolic.expressions import Expr, Symbol
from anholonomy.symbolic.numbers.balls import Ball, excludes_zero
from anholonomy.system.states.newton import Point, evaluate_at
from anholonomy.tolerances import APART

__all__ = ["candidates"]

_DECADES = range(-18, 15)
"""The powers of ten between which zeros are looked for."""
_PATIENCE, _STUCK = 400, 25
"""Intervals looked at in one decade, and those in a row that stay open, as where an exponential is beyond measure."""
_HALVINGS = 60
"""Bisections: an interval becomes as narrow as a double."""
_PROBES = (-0.7, 1.3, 31.0)
"""Where a function that vanishes everywhere vanishes, and another does not."""


def candidates(f: Expr, u: Symbol, point: Point) -> Iterator[Ball]:
    """Where ``f`` may vanish as a function of ``u``, from 0 outwards; a function that vanishes everywhere has no candidate.

    >>> import symengine
    >>> v = symengine.Symbol("v")
    >>> sorted(round(float(root), 6) for root in candidates(v**3 - 100 * v - 1, v, {}))
    [-9.994996, -0.01, 10.004996]
    """
    slope = partial(f, u)

    def over(interval: Ball) -> tuple[Ball, Ball]:
        value, rise = evaluate_at([f, slope], {**point, u: interval})
        return value, rise

    if all(over(flint.arb(probe))[0].contains(0) for probe in _PROBES):
        return
    if over(flint.arb(0))[0] == 0:
        yield flint.arb(0)
    for k in _DECADES:
        low, high = (flint.arb(10) ** k).mid(), (flint.arb(10) ** (k + 1)).mid()
        yield from _between(low, high, over)
        yield from _between(-high, -low, over)


def _between(low: Ball, high: Ball, over: Callable[[Ball], tuple[Ball, Ball]]) -> Iterator[Ball]:
    intervals, open_ones = [(low, high)], 0
    for _ in range(_PATIENCE):
        if not intervals or open_ones > _STUCK:
            return
        low, high = intervals.pop()
        middle = ((low + high) / 2).mid()
        value, rise = over(flint.arb(middle, (high - low).mid() / 2))
        open_ones = 0 if excludes_zero(value) else open_ones + 1
        if not open_ones:
            continue
        if value.is_finite() and excludes_zero(rise):
            if not _same_sign(over(low)[0], over(high)[0]):
                yield _bisected(over, low, high)
        elif high - low < APART * abs(middle):
            if _dips(over, low, high):
                yield middle
        elif value.is_finite() or any(over(at)[0].is_finite() for at in (low, middle, high)):  # else outside the domain
            intervals += [(low, middle), (middle, high)]


def _dips(over: Callable[[Ball], tuple[Ball, Ball]], low: Ball, high: Ball) -> bool:
    """Whether a small interval may hold a multiple zero: a change of sign, or much less than farther off on either side."""
    middle, far = ((low + high) / 2).mid(), 100 * (high - low)
    if not _same_sign(over(low)[0], over(high)[0]):
        return True
    return bool(100 * abs(over(middle)[0]) < min(abs(over((middle + each).mid())[0]) for each in (-far, far)))


def _same_sign(a: Ball, b: Ball) -> bool:
    """Whether both are positive or both negative; what is not finite has no sign to change."""
    return bool((a > 0 and b > 0) or (a < 0 and b < 0)) or not (a.is_finite() and b.is_finite())


def _bisected(over: Callable[[Ball], tuple[Ball, Ball]], low: Ball, high: Ball) -> Ball:
    at_low = over(low)[0]
    for _ in range(_HALVINGS):
        middle = ((low + high) / 2).mid()
        low, high = (middle, high) if _same_sign(over(middle)[0], at_low) else (low, middle)
    return ((low + high) / 2).mid()
