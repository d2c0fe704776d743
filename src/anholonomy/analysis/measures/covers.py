"""Where a density is one on a cover only: it has several values on a circle, or jumps though its slopes do not."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import numpy as np
import symengine

from anholonomy.analysis.closed_forms.exponentials import exponential
from anholonomy.analysis.closed_forms.jumps import a_jump
from anholonomy.refusals import Refusal
from anholonomy.symbolic.expressions import Expr, Symbol
from anholonomy.symbolic.orbits.orbit import Orbit
from anholonomy.symbolic.zero import is_zero
from anholonomy.system.model import Model
from anholonomy.tolerances import NOTHING

__all__ = ["jumping", "turned", "turned_in_numbers"]


def jumping(model: Model, logarithm: Expr) -> Iterator[str]:
    """Of a density in closed form: where an arc in it jumps."""
    at = a_jump(logarithm, model.coordinates, model.values) if model.frame.is_chart else None
    if at is not None:
        place = ", ".join(f"{q} = {round(value, 3) + 0:g}" for q, value in at.items())
        yield f"the density jumps, as at {place}, where its slopes do not: it is one on a cover only"


def turned(model: Model, logarithm: Expr, on: Orbit | None) -> Iterator[str]:
    """Of a density in closed form: the angles of which it is no function."""
    square = exponential(2 * logarithm)  # of a density that may have been found with either sign
    for q in _angles(model):
        if q in logarithm.free_symbols and not is_zero(square.xreplace({q: q + 2 * symengine.pi}) - square, on):
            yield f"the density has another value when {q.name} has turned once: it is one on a cover only"


def turned_in_numbers(model: Model, at: Callable[[Mapping[str, float]], float]) -> Iterator[str]:
    """Of a density known by its slopes: whether it grows round a circle through the origin."""
    still = dict.fromkeys((q.name for q in model.coordinates), 0.0)
    is_known = model.frame.is_chart and all(s in model.values for s in model.parameter_symbols)
    for q in _angles(model) if is_known else ():
        try:
            grows = abs(at(still | {q.name: 2 * np.pi}) / at(still) - 1) > NOTHING
        except Refusal:
            yield f"whether the density has one value when {q.name} has turned once is not decided: it is not finite on the way"
            continue
        if grows:
            yield f"the density has another value when {q.name} has turned once: it is one on a cover only"


def _angles(model: Model) -> list[Symbol]:
    return [q for q, kind in zip(model.coordinates, model.coordinate_kinds, strict=True) if kind == "angle"]
