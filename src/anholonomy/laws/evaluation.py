r"""Values of functions at a state, integrals of rates along a motion, and claims that are checked along a motion.

.. math:: \int_{t_0}^{t_k}\dot F\,dt = \sum_{j < k}h_j\sum_ib_i\,\dot F(t_j + c_ih_j)

Gauss's quadrature is taken on the steps between two samples of a motion, and these are halved until the last digits stay.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np
import symengine

from anholonomy.algebra.expressions import Expr
from anholonomy.algebra.numbers.balls import FEW_DIGITS, evaluate_ball
from anholonomy.base.errors import ArgumentError, StateError, UnknownNameError, quoted
from anholonomy.base.tolerances import ROUNDING
from anholonomy.base.verdict import Verdict
from anholonomy.findings import Bound, Finding
from anholonomy.language.arguments import expression, value_of
from anholonomy.language.suggestions import near_symbol
from anholonomy.system.model import Model

__all__ = [
    "NODES",
    "distance",
    "expect_motion",
    "fine_times",
    "gauss",
    "integral_along",
    "settled",
    "solution_at",
    "value_at",
    "within",
]

NODES = 8
"""Of Gauss's quadrature on a step: of order 16."""
_RELATIVE, _ABSOLUTE = 3e-14, 1e-15
"""Errors of a step of what a motion is compared with, as small as doubles allow."""
_FINEST = 16
"""Parts between two samples, after which no digits are gained."""


def value_at(model: Model, function: Expr, state: Mapping[str, object], what: str) -> float:
    """The function at a state of the model; what the function does not use may be left out of the state."""
    if not isinstance(state, Mapping):
        raise ArgumentError(f"{model.name}: {what} is asked at {quoted(state)}; give a dict from names to numbers.")
    given = {str(name): value for name, value in state.items()}
    known = {*model.names, *(s.name for s in function.free_symbols)}
    if strange := sorted(given.keys() - known):
        near = near_symbol(strange[0], sorted(known))
        hint = f"; did you mean {near}?" if near else f"; there are {', '.join(sorted(known))}."
        raise UnknownNameError(f"{model.name}: {strange[0]} is no name of this system{hint}")
    values = {name: value for name, value in model.parameters.items() if value is not None} | given
    needed = sorted(function.free_symbols, key=str)
    if missing := [s.name for s in needed if s.name not in values]:
        raise StateError(f"{model.name}: {what} depends on {missing[0]}, which the state does not give; add it.")
    exact = {s: _number(values[s.name], s.name) for s in needed}
    try:
        found = evaluate_ball(function.xreplace(exact), {}, FEW_DIGITS)
    except (KeyError, ValueError, OverflowError, RuntimeError):  # SymEngine divides by zero in its own way
        found = None
    if found is None or not found.is_finite():
        raise StateError(f"{model.name}: {what} is not finite at this state; give another.")
    return float(found.mid())


def _number(value: object, name: str) -> Expr:
    """An exact number from a number, or from a text such as ``"pi/2"``."""
    read = expression(value, name) if isinstance(value, str) else None
    if read is not None and not read.free_symbols:
        return read
    number = value_of(value, name)
    if number is None:
        raise StateError(f"{name} has no value; give a number.")
    exact = Fraction(number)
    return symengine.Rational(exact.numerator, exact.denominator)


def expect_motion(run: Any, model: Model) -> None:
    """Refuse what is no motion of a system with the names of this one."""
    own = getattr(run, "model", None)
    if not isinstance(own, Model):
        raise ArgumentError(
            f"{quoted(run)} is no motion; give one, such as {model.name}'s `system.simulate(…)` returns."
        )
    theirs = {s.name for s in (*own.coordinates, *own.velocities)}
    if strange := sorted({s.name for s in (*model.coordinates, *model.velocities)} - theirs):
        raise UnknownNameError(
            f"{strange[0]!r} is nothing in this motion of {own.name}; give a motion of {model.name}."
        )


def distance(run: Any, other: Mapping[str, np.ndarray]) -> float:
    """The largest distance of a motion from another, by coordinate, relative to its size where that is larger than one."""
    size = max(1.0, *(float(abs(run[name]).max()) for name in other))
    return max(float(np.abs(values - run[name].values).max()) for name, values in other.items()) / size


def within(claim: str, what: str, size: float, limit: float) -> Finding:
    """The finding that a number of a motion is within a limit.

    >>> print(within("energy is constant along the motion", "its largest change", 3e-15, 1e-11))
    energy is constant along the motion: proven, its largest change is at most 3.0e-15, the limit 1.0e-11
    """
    good = size <= limit
    least = Decimal(0) if good else Decimal(size)
    return Finding(claim, Verdict.of(good), (Bound(what, least, Decimal(size), Decimal(repr(limit))),))


def integral_along(run: Any, rate: Callable[[Any], np.ndarray]) -> np.ndarray:
    """The integral of a rate from the start of a motion to each of its samples, by Gauss's quadrature.

    ``rate`` gives the values at the samples of a motion, which are taken closer until the last digits stay.
    """
    times = np.asarray(run.time.values, dtype=float)
    nodes, weights, _ = gauss(NODES)

    def integral(parts: int) -> np.ndarray:
        fine, steps, at = fine_times(times, parts, nodes)
        values = rate(run.at(at.ravel().tolist())).reshape(at.shape)
        return np.concatenate([[0.0], np.cumsum(steps * (values @ weights))])[np.searchsorted(fine, times)]

    return settled(integral)


def solution_at(
    times: np.ndarray, rate: Callable[[float, np.ndarray], np.ndarray], begin: float, start: np.ndarray
) -> np.ndarray | None:
    r"""The solution of $\dot x = f(t, x)$ at ascending times, a row for each; None if it does not exist until the last.

    >>> solution_at(np.array([1.0]), lambda t, x: -x, 0.0, np.array([1.0])).round(12)
    array([[0.36787944]])
    """
    from scipy.integrate import solve_ivp

    ends = begin, float(times[-1])
    found = solve_ivp(rate, ends, start, "DOP853", times, rtol=_RELATIVE, atol=_ABSOLUTE)
    return np.asarray(found.y.T) if found.success and np.isfinite(found.y).all() else None


def settled(values: Callable[[int], np.ndarray]) -> np.ndarray:
    """Values in so many parts between two samples, these halved until the last digits stay."""
    parts, before = 1, np.array([np.inf])
    while True:
        after = values(parts)
        if parts >= _FINEST or np.abs(after - before).max() <= ROUNDING * max(1.0, np.abs(after).max()):
            return after
        parts, before = 2 * parts, after


def fine_times(times: np.ndarray, parts: int, nodes: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Times with so many parts between two of them, the steps between these, and the nodes inside each step."""
    fine = np.unique(np.concatenate([np.linspace(a, b, parts + 1) for a, b in pairwise(times)]))
    steps = np.diff(fine)
    return fine, steps, fine[:-1, None] + steps[:, None] * nodes[None, :]


@lru_cache(maxsize=4)
def gauss(count: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Nodes and weights on [0, 1], and the weights of the integrals up to each node."""
    x, b = np.polynomial.legendre.leggauss(count)
    nodes, weights = (x + 1) / 2, b / 2
    powers = np.arange(count)
    vandermonde = nodes[:, None] ** powers
    upto = nodes[:, None] ** (powers + 1) / (powers + 1)
    return nodes, weights, upto @ np.linalg.inv(vandermonde)
