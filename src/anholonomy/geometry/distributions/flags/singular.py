r"""Where flags fall short, and for which values of parameters: minors of the brackets of so many fields."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import comb

import symengine

from anholonomy.findings import SpecialValues
from anholonomy.geometry.distributions.flags.bracket_words import bracket_layers
from anholonomy.geometry.frames.frame import Frame
from anholonomy.geometry.special_values import special_values
from anholonomy.symbolic.display.simplify import simplify, simplify_vector
from anholonomy.symbolic.expressions import Expr, Matrix, Vector, free_symbols, zero
from anholonomy.symbolic.matrices.linear import determinant
from anholonomy.symbolic.zero import is_zero

__all__ = ["singular_conditions", "special_growth"]

MAX_MINORS = 60
"""Minors up to which their zeros are found within a second or so."""


def singular_conditions(frame: Frame, vectors_ai: Matrix, growth: Sequence[int]) -> dict[int, Vector] | None:
    """For each step, functions whose common zeros are where the flag falls short of ``growth``; None where they are too many.

    An empty list says that the step is regular everywhere.

    >>> y, o, i = symengine.Symbol("y"), symengine.Integer(0), symengine.Integer(1)
    >>> singular_conditions(Frame(["x", "y", "z"]), ((i, o, y**2), (o, i, o)), (2, 3))
    {1: (), 2: (y,)}
    """
    found: dict[int, Vector] = {}
    for step, minors in enumerate(_minors_by_step(frame, vectors_ai, growth), 1):
        if minors is None:
            return None
        found[step] = () if any(not m.free_symbols & set(frame.coordinates) for m in minors) else minors
    return found


def special_growth(frame: Frame, vectors_ai: Matrix, growth: Sequence[int]) -> SpecialValues | None:
    """The values of free parameters for which alone the flag may be smaller at generic points; None where not decided.

    >>> k, y, o, i = *symengine.symbols("k y"), symengine.Integer(0), symengine.Integer(1)
    >>> print(special_growth(Frame(["x", "y", "z"]), ((i, o, k * y), (o, i, o)), (2, 3)))
    k = 0
    """
    known = {*frame.coordinates, *(name for name, _ in frame.values)}
    if free_symbols(entry for row in vectors_ai for entry in row) <= known:
        return SpecialValues(())
    alternatives: dict[Vector, None] = {}
    for minors in _minors_by_step(frame, vectors_ai, growth):
        special = None if minors is None else special_values(minors, frame.coordinates, frame.orbit)
        if special is None:
            return None
        alternatives |= dict.fromkeys(special.alternatives)
    return SpecialValues(tuple(alternatives))


def _minors_by_step(frame: Frame, vectors_ai: Matrix, growth: Sequence[int]) -> Iterator[Vector | None]:
    """For each step, the minors that say whether it has its dimension; None where they are too many."""
    rows: list[Vector] = []
    for size, layer in zip(growth, bracket_layers(frame, vectors_ai, len(growth)), strict=False):
        if comb(len(rows) + len(layer), size) * comb(frame.size, size) > MAX_MINORS:
            yield None
            return
        rows += [simplify_vector(vector) for vector in layer]
        yield _minors(rows, size, frame)


def _minors(rows: Sequence[Vector], size: int, frame: Frame) -> Vector:
    """The minors that are not identically zero, up to sign and powers."""
    values: dict[Expr, None] = {}
    for chosen in combinations(rows, size):
        for columns in combinations(range(frame.size), size):
            value = simplify(determinant([[row[j] for j in columns] for row in chosen]))
            if value != zero and not is_zero(value, frame.orbit):
                values[_radical(value)] = None
    return tuple(values)


def _radical(value: Expr) -> Expr:
    """Without numbers in front and without repeated factors: the same zeros."""
    factors = value.args if isinstance(value, symengine.Mul) else (value,)
    bare = [
        f.args[0] if isinstance(f, symengine.Pow) and isinstance(f.args[1], symengine.Integer) and f.args[1] > 0 else f
        for f in factors
        if f.free_symbols
    ]
    return symengine.Mul(*bare) if bare else symengine.Integer(1)
