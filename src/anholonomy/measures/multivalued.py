r"""Densities and multipliers whose closed form jumps.

.. math:: \lim_{y \to 0^\pm}\arctan(x/y) = \pm\tfrac\pi2

A closed form jumps though its differential does not where the quotient in an arc has a pole.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import symengine

from anholonomy.algebra.arithmetic import function_name
from anholonomy.algebra.calculus import gradient
from anholonomy.algebra.expressions import Expr, Symbol, dot, nodes_of, symbol
from anholonomy.algebra.numbers.doubles import in_doubles
from anholonomy.base.tolerances import NOTHING
from anholonomy.system.model import Model

__all__ = ["a_jump", "jumping"]


_WAYS = 24
"""Straight lines between random points on which a jump is looked for, so that some cross each half of a plane."""
_SAMPLES = 65
"""Values on a line, between which the largest step is divided as often as this, until doubles hardly tell its ends apart."""


def jumping(model: Model, logarithm: Expr) -> Iterator[str]:
    """Warn of a density in closed form if an arc in it jumps."""
    at = a_jump(logarithm, model.coordinates, model.values) if model.frame.is_chart else None
    if at is not None:
        place = ", ".join(f"{q} = {round(value, 3) + 0:g}" for q, value in at.items())
        yield f"the density jumps, as at {place}, where its slopes do not: it is one on a cover only"


def a_jump(function: Expr, coordinates: Sequence[Symbol], values: Mapping[Symbol, Expr]) -> dict[Symbol, float] | None:
    """A point where a function with arcs jumps and its slope is finite; None where none was met, and where it has no arcs.

    >>> x, y = symengine.symbols("x y")
    >>> abs(a_jump(symengine.atan(x / y), [x, y], {})[y]) < NOTHING
    True
    >>> a_jump(symengine.atan(x / (1 + y**2)), [x, y], {}) is None
    True
    """
    arcs = [node for node in nodes_of(function, symengine.Function) if function_name(node) in ("atan", "atan2")]
    if not arcs:
        return None
    # Doubles know SymEngine's own arc of a quotient alone.
    function = function.xreplace({node: symengine.atan2(*node.args) for node in arcs if len(node.args) > 1})
    rng = random.Random(1)
    own = [q for q in coordinates if q in function.free_symbols]
    others = sorted(function.free_symbols - {*own}, key=str)
    given = [float(values[s]) if s in values else rng.uniform(0.4, 1.6) for s in others]
    heading = [symbol(f"{q} ahead") for q in own]
    at = in_doubles([*own, *others, *heading], [function, dot(gradient(function, own), heading)])
    if at is None:
        return None

    def both(q: np.ndarray, v: np.ndarray) -> np.ndarray:
        return np.ravel(at([*q, *given, *v]))

    for _ in range(_WAYS):
        start, end = (np.array([rng.uniform(-4, 4) for _ in own]) for _ in range(2))  # more than half a turn
        if (found := _on_line(both, start, end)) is not None:
            return dict(zip(own, map(float, found), strict=True))
    return None


def _on_line(at: Callable[[Any, Any], np.ndarray], start: np.ndarray, end: np.ndarray) -> np.ndarray | None:
    """The middle of the largest step on a line, if that is no slope."""
    with np.errstate(all="ignore"):
        places = np.linspace(start, end, _SAMPLES)
        steps = np.abs(np.diff([at(q, end - start)[0] for q in places]))
        if not np.isfinite(steps).all():
            return None
        low, high = places[(k := int(np.argmax(steps)))], places[k + 1]
        for _ in range(_SAMPLES):
            middle = (low + high) / 2
            if np.array_equal(middle, low) or np.array_equal(middle, high):
                break
            left, inner, right = (at(q, high - low)[0] for q in (low, middle, high))
            low, high = (low, middle) if abs(inner - left) > abs(right - inner) else (middle, high)
            if not np.isfinite([left, inner, right]).all():
                return None
        step, rise = abs(at(high, low)[0] - at(low, low)[0]), at(low, high - low)[1]
    return low if step > NOTHING > abs(rise) else None
