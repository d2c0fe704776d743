r"""The speeds of equations in doubles: $u = S^{+}(w - s)$, where $S$ is so far from singular that no digit is lost."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import symengine
from numpy.typing import NDArray

from anholonomy.geometry.frames.adapted import AdaptedFrame
from anholonomy.geometry.frames.quality import REGULAR
from anholonomy.symbolic.expressions import Symbol, time
from anholonomy.symbolic.numbers.doubles import in_doubles
from anholonomy.symbolic.steps.straight_line import inline

if TYPE_CHECKING:
    from anholonomy.formulations.equations.equations_of_motion import EquationsOfMotion

__all__ = ["quick_speeds"]

Array: TypeAlias = NDArray[np.float64]
_WRITTEN = 50_000
"""Operations, definitions written out, up to which a frame is evaluated by an interpreter that is made at once."""


def quick_speeds(equations: EquationsOfMotion, point: Mapping[Symbol, float]) -> Array | None:
    """Coordinates and speeds at a point; None where doubles would lose digits, or the speeds are none of a frame."""
    model, frame = equations.model, equations.frame
    if equations.costates or equations.speed_values or frame is None:
        return None
    q = [point[s] for s in model.coordinates]
    w = np.array([point[s] for s in model.velocities])
    if equations.speeds == model.velocities:
        return np.array([*q, *w])
    function = _vectors(frame, (*model.coordinates, time, *model.parameter_symbols))
    if function is None:
        return None
    with np.errstate(all="ignore"):
        S, s = function(np.array([*q, point[time], *(point[p] for p in model.parameter_symbols)]))
        if not (np.isfinite(S).all() and np.isfinite(s).all()):
            return None
    speeds = _fitted(S, w - s)
    return None if speeds is None else np.array([*q, *speeds])


def _fitted(S: Array, w: Array) -> Array | None:
    r"""$u = (SS^{\mathsf T})^{-1}S\,w$, once more for what that leaves; None where singular values of $S$ are not of one size."""
    square = S @ S.T
    try:
        inverse = np.linalg.inv(square)
    except np.linalg.LinAlgError:
        return None
    # Sums of squares bound the largest of these: that of S itself, and the inverse of the least.
    if not (np.trace(square) < REGULAR**-2 and np.trace(inverse) < REGULAR**-2):
        return None
    first = inverse @ (S @ w)
    return np.asarray(first + inverse @ (S @ (w - first @ S)))


@lru_cache(maxsize=128)
def _vectors(frame: AdaptedFrame, inputs: tuple[Symbol, ...]) -> Callable[[Array], tuple[Array, Array]] | None:
    """The vectors $S$ and the shift $s$ as a function of floats."""
    size, width = len(frame.span_ba), len(frame.offset_a)
    if not size:
        return None
    entries = inline([*(entry for row in frame.span_ba for entry in row), *frame.offset_a], frame.definitions)
    if symengine.count_ops(*entries) > _WRITTEN:
        return None
    if (evaluate := in_doubles(inputs, entries)) is None:
        return None

    def vectors(x: Array) -> tuple[Array, Array]:
        values = np.asarray(evaluate(x), dtype=float).reshape(-1)
        return values[: size * width].reshape(size, width), values[size * width :]

    return vectors
