r"""Which translations and turns leave a system alone.

.. math:: [\xi, Y_a] = 0, \qquad \xi(f) = 0 \quad\text{for every function } f \text{ that the equations need}

Candidates are the right-invariant fields of a group, which are what left translations do, shifts of coordinates and turns in their planes, and
combinations of these with constant coefficients: a ball that rolls on a plane is turned about the vertical together with the plane.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

from anholonomy.formulations.reduction.carried import Carried
from anholonomy.formulations.reduction.combinations import constant_combinations
from anholonomy.geometry.brackets import bracket
from anholonomy.geometry.frames.frame import Frame
from anholonomy.symbolic.calculus import along
from anholonomy.symbolic.expressions import Expr, Matrix, Symbol, Vector, dot, free_symbols, identity, zero
from anholonomy.symbolic.patience import check

__all__ = ["candidates", "symmetries"]


def candidates(frame: Frame) -> tuple[Vector, ...]:
    """Right-invariant fields, shifts of coordinates and turns in their planes, in a frame."""
    found = list(frame.right_invariant()) if frame.right_invariant is not None else []
    plain = {}
    for row, anchor, bends in zip(identity(frame.size), frame.anchor_ai, frame.structure_abd, strict=True):
        moved = [q for q, entry in zip(frame.coordinates, anchor, strict=True) if entry != 0]
        if len(moved) == 1 and all(entry == 0 for line in bends for entry in line):
            plain[moved[0]] = row
    shifts = [row for row in plain.values() if row not in found]
    turns = (tuple(x * b - y * a for a, b in zip(plain[x], plain[y], strict=True)) for x, y in combinations(plain, 2))
    return (*found, *shifts, *turns)


def symmetries(carried: Carried) -> Matrix:
    """A basis of the combinations that leave everything alone; a row of components in the frame of the system each.

    That the fields are left alone is proven here; that functions are, is proven by writing them in invariants.
    """
    frame = carried.model.frame
    fields = candidates(frame)
    if not fields:
        return ()
    own = frame.right_invariant() if frame.right_invariant is not None else ()
    fixed = free_symbols(e for row in carried.span_ba for e in row).isdisjoint(frame.coordinates)
    # Right-invariant fields commute with left-invariant ones: that is what they are.
    still = [zero] * (frame.size * len(carried.span_ba))
    turned = [still if fixed and row in own else _turned(carried, row) for row in fields]
    functions = list(carried.functions())
    changed = [_changed(functions, frame.direction(row)) for row in fields]
    both = [[*a, *b] for a, b in zip(turned, changed, strict=True)]
    found = constant_combinations(both, frame, proven=len(turned[0]))
    return tuple(tuple(dot(weights, column) for column in zip(*fields, strict=True)) for weights in found)


def _changed(functions: Sequence[Expr], rates: Mapping[Symbol, Expr]) -> list[Expr]:
    r"""$\xi(f)$ for every function."""
    check()
    return [along(f, rates) for f in functions]


def _turned(carried: Carried, row: Vector) -> list[Expr]:
    r"""$[\xi, Y_a]$ for every field."""
    check()
    frame = carried.model.frame
    rates, pairs = frame.direction(row), zip(carried.span_ba, carried.fields, strict=True)
    return [e for Y, field in pairs for e in bracket(frame, row, Y, rates, field)]
