r"""Constraints on a group as they are seen from space: along right-invariant fields, where the group's element drops out of them.

.. math:: w^a = W^bB_b{}^a(g), \qquad Y_b = B_b{}^aE_a, \quad [Y_a, Y_b] = -c_{ab}{}^dY_d

That a ball neither slips nor spins about the vertical says $W_3 = 0$ in space, whatever its attitude. In the speeds of its body the admissible directions
turn with it, and no basis of them is regular everywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import symengine

from anholonomy.algebra.calculus import gradient
from anholonomy.algebra.expressions import Expr, Matrix, Symbol, Vector, dot, matrix_vector, unused
from anholonomy.algebra.linear_algebra.symbolic import inverse
from anholonomy.algebra.short_forms_on_groups import shortened_vector
from anholonomy.algebra.zero_test import is_zero
from anholonomy.geometry.adapted_frame import AdaptedFrame
from anholonomy.geometry.frame import Frame
from anholonomy.system.constraints import Kind, classify
from anholonomy.system.frames.default import chosen_frame, generic_point
from anholonomy.system.model import Model

__all__ = ["constraints_in_space", "frame_in_space", "freed"]

one = symengine.Integer(1)
_PLAIN = Kind.LINEAR | Kind.AFFINE | Kind.TIME_DEPENDENT


@lru_cache(maxsize=32)
def constraints_in_space(model: Model) -> tuple[Model, Matrix] | None:
    """The constraints of a model in velocities along right-invariant fields, and the components of these; None where redundant coordinates stay.

    The Lagrangian of what is returned is the half square of its velocities: only the constraints are the model's.
    """
    frame = model.frame
    if frame.right_invariant is None or frame.orbit is None or any(c.kind & ~_PLAIN for c in model.constraints):
        return None
    B = frame.right_invariant()
    new = tuple(
        w if _is_unit(row, a) else unused(f"W{a + 1}", model.names.__contains__)
        for a, (w, row) in enumerate(zip(model.velocities, B, strict=True))
    )
    back = dict(zip(model.velocities, (dot(new, column) for column in zip(*B, strict=True)), strict=True))
    rows = [(*gradient(c.expression.xreplace(back), new), c.offset) for c in model.constraints]
    plain = freed(model, [e for row in rows for e in row])
    if plain is None:
        return None
    turned, width = _turned(frame, B, new), len(new) + 1
    moved = [dot(plain[k * width : (k + 1) * width], (*new, one)) for k, _ in enumerate(rows)]
    constraints = [classify(c.label, phi, turned, new) for c, phi in zip(model.constraints, moved, strict=True)]
    words = {"span_ba": None, "speed_names": None, "speed_values": None, "group": None}
    lagrangian = symengine.Add(*(w**2 for w in new)) / 2
    return model.replaced(
        frame=turned, velocities=new, lagrangian=lagrangian, constraints=tuple(constraints), **words
    ), B


@lru_cache(maxsize=32)
def frame_in_space(model: Model) -> AdaptedFrame | None:
    """An adapted frame that divides by nothing, in speeds along right-invariant fields; None where there is none.

    >>> from anholonomy.catalogue import veselova
    >>> frame = frame_in_space(veselova().model)
    >>> frame.speeds, frame.pivots, frame.span_ba[0]
    ((W1, W2), (), (1 - 2*(q2**2 + q3**2), 2*(-q0*q3 + q1*q2), 2*(q0*q2 + q3*q1)))
    """
    found = constraints_in_space(model)
    if found is None:
        return None
    space, B = found
    frame = chosen_frame(space, generic_point(space))
    if frame.pivots or frame.definitions:
        return None
    columns = tuple(zip(*B, strict=True))
    span = tuple(matrix_vector(columns, row) for row in frame.span_ba)
    return AdaptedFrame(model.frame, span, matrix_vector(columns, frame.offset_a), frame.speeds)


def freed(model: Model, entries: Sequence[Expr]) -> Vector | None:
    """Functions on a group without its redundant coordinates, which they are proven not to depend on; None where one does."""
    origin = dict(zip(model.frame.coordinates, model.frame.origin, strict=True))
    still = {q: origin[q] for q in model.redundant_coordinates}
    on = model.frame.orbit
    if not all(is_zero(e - e.xreplace(still), on) for e in entries if not e.free_symbols.isdisjoint(still)):
        return None
    return tuple(e.xreplace(still) for e in entries)


def _turned(frame: Frame, B: Matrix, new: Sequence[Symbol]) -> Frame:
    """The frame of the right-invariant fields, with which the left-invariant ones commute."""
    columns = tuple(zip(*frame.anchor_ai, strict=True))
    return Frame.with_structure(
        frame.coordinates,
        tuple(shortened_vector(matrix_vector(columns, row), frame.orbit) for row in B),
        tuple(tuple(tuple(-e for e in row) for row in block) for block in frame.structure_abd),
        [w.name for w in new],
        frame.origin,
        frame.invariants,
        frame.named,
        lambda: tuple(shortened_vector(row, frame.orbit) for row in inverse(B)),
    )


def _is_unit(row: Vector, a: int) -> bool:
    return all(entry == (1 if b == a else 0) for b, entry in enumerate(row))
