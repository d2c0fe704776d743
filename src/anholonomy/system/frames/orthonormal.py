r"""Speeds in which the kinetic energy is a sum of squares: the adapted frame made orthonormal in the kinetic metric.

.. math:: e_b \leftarrow \frac{v_b}{\sqrt{g(v_b, v_b)}}, \qquad v_b = S_b - \sum_{c<b} g(S_b, e_c)\,e_c,
   \qquad g = \partial^2L/\partial w\,\partial w

In them $p_b = \partial l/\partial u^b = u^b$ for $L = \tfrac12g(w, w) - V$, so that the equations of motion are equations for momenta.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import symengine

from anholonomy.geometry.frames.adapted import AdaptedFrame
from anholonomy.refusals import NotCovered
from anholonomy.symbolic.calculus import gradient, jacobian, partial
from anholonomy.symbolic.display.readable import is_readable
from anholonomy.symbolic.display.simplify import simplify_vector
from anholonomy.symbolic.expressions import Expr, Matrix, Symbol, Vector, dot, matrix_vector, unused
from anholonomy.symbolic.matrices.elimination_in_steps import Recorder
from anholonomy.symbolic.steps.straight_line import inline
from anholonomy.symbolic.zero import zero_test
from anholonomy.system.frames.adapted import adapted_frame
from anholonomy.system.model import Model
from anholonomy.verdict import Verdict

__all__ = ["orthonormal_frame"]


def orthonormal_frame(model: Model, at: Mapping[Symbol, float] | None = None) -> AdaptedFrame:
    """Orthonormal directions that span the admissible velocities, by Gram and Schmidt from the adapted frame."""
    metric_ab = _metric(model)
    frame = adapted_frame(model, at)
    record = Recorder("$o", list(frame.definitions))
    done: list[Vector] = []
    for row in frame.span_ba:
        lowered = matrix_vector(metric_ab, row)
        parts = [record(dot(lowered, e)) for e in done]
        rest = tuple(record(entry - dot(parts, [e[a] for e in done])) for a, entry in enumerate(row))
        size = record(1 / symengine.sqrt(dot(rest, matrix_vector(metric_ab, rest))))
        done.append(tuple(record(size * entry) for entry in rest))
    speeds = tuple(unused(f"u{b}", model.names.__contains__) for b, _ in enumerate(done, start=1))
    return _short(replace(frame, span_ba=tuple(done), speeds=speeds, definitions=tuple(record.steps)))


def _metric(model: Model) -> Matrix:
    if model.momenta_a is not None:
        raise NotCovered(f"{model.name}: orthonormal speeds need a kinetic energy, and there is no Lagrangian.")
    w = model.velocities
    metric_ab = jacobian(gradient(model.lagrangian, w), w)
    for entry in (entry for row in metric_ab for entry in row):
        for each in sorted(entry.free_symbols & set(w), key=str):
            if zero_test(partial(entry, each)) is not Verdict.PROVEN:
                raise NotCovered(
                    f"{model.name}: orthonormal speeds need a kinetic energy quadratic in the velocities, and the inertia "
                    f"depends on {each}."
                )
    return metric_ab


def _short(frame: AdaptedFrame) -> AdaptedFrame:
    """Written out and in short forms where that can be read."""
    entries: list[Expr] = [entry for row in frame.span_ba for entry in row]
    if not is_readable([*entries, *(step.value for step in frame.definitions)]):
        return frame
    width = len(frame.offset_a)
    flat = simplify_vector(inline(entries, frame.definitions))
    rows = tuple(flat[k : k + width] for k in range(0, len(flat), width))
    return replace(frame, span_ba=rows, offset_a=inline(frame.offset_a, frame.definitions), definitions=())
