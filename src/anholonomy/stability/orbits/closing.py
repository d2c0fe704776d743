"""Where a motion nearly closes, up to its symmetries, and what time the declaration itself repeats after."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from anholonomy.compile.backends.base import Array
from anholonomy.stability.orbits.shifts import Shift, nearest_shift
from anholonomy.stability.symmetries import Symmetry
from anholonomy.stability.vector_field import VectorField
from anholonomy.symbolic.calculus import partial
from anholonomy.symbolic.expressions import Expr, free_symbols, time
from anholonomy.system.model import Model

__all__ = ["first_return", "forcing_period", "repeats"]

_LEFT = 0.5
"""A motion has left its beginning when it was this part of its extent away from it."""
_NEAR = 0.3
"""It has returned when it is nearer than this part of it."""
_ALIKE = 2.0
"""An earlier return is preferred to a later one that is closer by less than this factor."""
_RATIO = 60
"""Frequencies have a common period where their ratios have denominators up to this."""


def first_return(symmetries: Sequence[Symmetry], times: Array, z: Array) -> tuple[float, float]:
    """When the first state is nearly met again up to symmetry, and how far from it beside the extent; 0 where it never is, less where nothing but symmetries moves."""
    away = distances(symmetries, z)
    extent = float(away.max())
    if extent <= 1e-9 * (1.0 + float(np.abs(z[0]).max())):
        return -1.0, np.inf
    gone = int(np.argmax(away > _LEFT * extent))
    dips = [k for k in range(max(gone, 1), len(away) - 1) if away[k - 1] >= away[k] <= away[k + 1]]
    near = {k: _between(away, k) for k in dips if away[k] < _NEAR * extent}
    if not near:
        return 0.0, np.inf
    closest = min(gap for gap, _ in near.values())
    place, (gap, share) = next((k, found) for k, found in near.items() if found[0] <= _ALIKE * closest + 0.05 * extent)
    step = times[place + 1] - times[place] if share > 0 else times[place] - times[place - 1]
    return float(abs(times[place] - times[0] + share * step)), gap / extent


def distances(symmetries: Sequence[Symmetry], z: Array) -> Array:
    """How far each state is from the first, up to symmetry."""
    if not symmetries:
        return np.asarray(np.linalg.norm(z - z[0], axis=1))
    found, guess = [], Shift.none(z.shape[1])
    for row in z:
        guess, away = nearest_shift(symmetries, z[0], row, guess)
        found.append(away)
    return np.array(found)


def _between(away: Array, k: int) -> tuple[float, float]:
    """How near the motion comes between samples and where, as a part of a step: by the parabola through three squares."""
    a, b, c = (float(away[j]) ** 2 for j in (k - 1, k, k + 1))
    bend = a - 2 * b + c
    if bend <= 0:
        return float(away[k]), 0.0
    return float(np.sqrt(max(b - (a - c) ** 2 / (8 * bend), 0.0))), (a - c) / (2 * bend)


def forcing_period(model: Model) -> float | None:
    """After which time the declaration repeats itself, by the sines and cosines in it; None where it is not seen to."""
    values = dict(zip(model.parameter_symbols, (value for _, value in model.parameter_items), strict=True))
    said = [model.lagrangian, *model.forces_a, *(model.momenta_a or ()), *(c.expression for c in model.constraints)]
    found: set[float] = set()
    if not all(_frequencies(each.xreplace(values), found) for each in said) or not found:
        return None
    first = min(found)
    ratios = [Fraction(each / first).limit_denominator(_RATIO) for each in found]
    if any(abs(float(r) * first - each) > 1e-12 * each for r, each in zip(ratios, found, strict=True)):
        return None
    common = int(np.lcm.reduce([r.denominator for r in ratios]))
    shared = int(np.gcd.reduce([int(r * common) for r in ratios]))
    return 2 * np.pi / first * common / shared


def _frequencies(said: Expr, found: set[float]) -> bool:
    """Collect them; False where time appears otherwise."""
    if time not in free_symbols([said]):
        return True
    if type(said).__name__.lower() in ("sin", "cos", "tan"):
        rate = partial(said.args[0], time)
        if free_symbols([rate]):
            return False
        found.add(abs(float(rate)))
        return True
    return bool(said.args) and all(_frequencies(part, found) for part in said.args)


def repeats(field: VectorField, x: Array, p: Array, t: float, period: float) -> bool:
    """Whether the motion does not notice that a period has gone by, at a few states and times."""
    rng = np.random.default_rng(3)
    times = t + period * rng.uniform(size=8)
    states = x + 0.2 * rng.normal(size=(8, x.size))
    states = field.on_positions(states, p, t=times)
    now, later = field.at(states, p, times), field.at(states, p, times + period)
    size = 1.0 + float(np.nanmax(np.abs(now.rate)))
    pairs = ((now.rate, later.rate), (now.z, later.z), (now.held, later.held))
    apart = max(float(np.nanmax(np.abs(a - b), initial=0.0)) for a, b in pairs)
    return bool(apart <= 1e-8 * size)
