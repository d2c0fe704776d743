r"""Ends that no admissible path reaches, because a function is constant along all of them: $X_a(F) = 0$ and $F(q_0) \ne F(q_1)$."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from anholonomy.compile.backends import fast_function
from anholonomy.compile.backends.base import Array
from anholonomy.compile.program import lower
from anholonomy.geometry.distributions.distribution import Distribution
from anholonomy.language.writing import to_text
from anholonomy.refusals import NotCovered
from anholonomy.symbolic.expressions import Vector
from anholonomy.symbolic.patience import ASIDE
from anholonomy.system.model import Model
from anholonomy.tolerances import NOTHING

__all__ = ["refuse_unreachable"]


def refuse_unreachable(model: Model, first: Array, last: Array, times: tuple[float, float]) -> None:
    """Refuse an end on another leaf than the start, with the integral that differs."""
    functions = _integrals(model)
    if not functions:
        return
    program = fast_function(lower(model.coordinates, model.parameter_symbols, [], functions))
    values = np.array([value for _, value in model.parameter_items], dtype=float)
    before, after = program(times[0], first, values), program(times[1], last, values)
    for F, one, other in zip(functions, before, after, strict=True):
        size = max(1.0, abs(one), abs(other))
        if np.isfinite([one, other]).all() and abs(one - other) > NOTHING * size:
            raise NotCovered(
                f"{model.name}: no admissible path leads there, because {to_text(F)} is constant along every one, and it is "
                f"{one:.6g} at the start and {other:.6g} at the end; choose an end where it is {one:.6g}."
            )


@lru_cache(maxsize=32)
def _integrals(model: Model) -> Vector:
    """Functions of configuration and time that are constant along all admissible paths."""
    return Distribution.of(model.independent).leaves(ASIDE).functions if model.constraints else ()
