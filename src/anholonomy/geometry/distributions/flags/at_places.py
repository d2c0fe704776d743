r"""The flag at a place, where it may grow more slowly than at generic points.

.. math:: \dim D^s(q_0) \le \operatorname{rank} D^s, \qquad \dim D^s(q_0) \le \dim N \ \text{ for every } N \ni q_0 \text{ that } D \text{ is tangent to}

The rank at a point is never larger than at the generic points around it, so that a flag which reaches the dimension it has there, or
that of a submanifold which the fields never leave, has ended. Whether it reaches either is not known before; jets of a higher and higher degree
are looked at.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from anholonomy.geometry.distributions.flags.bracket_words import bracket_layers
from anholonomy.geometry.distributions.flags.generic import have_normal_forms
from anholonomy.geometry.distributions.flags.growth_vector import Evidence, GrowthVector
from anholonomy.geometry.distributions.flags.jet_brackets import JetBrackets
from anholonomy.geometry.distributions.flags.jet_span import JetSpan, UndecidedSpan
from anholonomy.geometry.distributions.flags.never_left import never_left
from anholonomy.geometry.frames.frame import Frame
from anholonomy.language import to_text
from anholonomy.refusals import GaveUp, IllPosedSystem
from anholonomy.symbolic.expressions import Expr, Matrix, Symbol, Vector
from anholonomy.symbolic.matrices.sampled_rank import certified_rows
from anholonomy.symbolic.normal_forms.canonical import NoNormalForm
from anholonomy.symbolic.orbits.matrices import independent_rows_on

__all__ = ["growth_at", "jet_dimensions"]

MAX_BRACKETS = 260
"""Brackets of expressions, where jets do not decide."""


def growth_at(
    frame: Frame, vectors_ai: Matrix, place: Mapping[Symbol, Expr], generic: GrowthVector, length: int
) -> GrowthVector:
    """The Lie flag's dimensions at a place: a point, or a stratum where some coordinates stay generic.

    The fields must span the distribution around the place; ``generic`` are the dimensions at generic points, and ``length`` the longest
    bracket looked at.

    >>> import symengine
    >>> y, o, i = symengine.Symbol("y"), symengine.Integer(0), symengine.Integer(1)
    >>> martinet = ((i, o, y**2), (o, i, o))
    >>> print(growth_at(Frame(["x", "y", "z"]), martinet, {y: o}, GrowthVector((2, 3)), 9).finding)
    the growth vector is (2, 2, 3): proven at y = 0, the dimensions are exact, up to the generic one
    """
    known = dict(frame.values)
    at = known | {q: value.xreplace(known) for q, value in place.items()}
    where = "at " + ", ".join(f"{q} = {to_text(value)}" for q, value in place.items()) if place else ""
    top, evidence, why = _ceiling(frame, vectors_ai, at, generic)
    found: list[int] = []
    try:
        for steps in _lengths(len(generic), length):
            for step, dimension in enumerate(jet_dimensions(frame, vectors_ai, at, steps)):
                if step == len(found):
                    found.append(dimension)
                if dimension >= top:
                    return GrowthVector(found, evidence, where=where, why=why)
    except GaveUp:
        pass
    except (NoNormalForm, UndecidedSpan):
        return _by_expressions(frame, vectors_ai, at, top, length, where)
    return GrowthVector(found, "certified below", where=where)


def jet_dimensions(frame: Frame, vectors_ai: Matrix, place: Mapping[Symbol, Expr], length: int) -> Iterator[int]:
    """The dimensions of the first so many steps of the flag at a place, one after the other.

    A bracket of $s$ fields matters to brackets of ``length`` fields by its Taylor polynomial of degree ``length`` - s alone.

    >>> import symengine
    >>> y, o, i = symengine.Symbol("y"), symengine.Integer(0), symengine.Integer(1)
    >>> list(jet_dimensions(Frame(["x", "y", "z"]), ((i, o, y**2), (o, i, o)), {y: o}, 4))
    [2, 2, 3, 3]
    """
    jets = JetBrackets(frame, vectors_ai, place, length - 1)
    span = JetSpan(jets.ring, jets.taylor.steps, frame.orbit)
    layer = movers = span.admit(jets.fields)
    yield span.dimension
    for degree in reversed(range(length - 1)):
        layer = span.admit(jets.bracket(X, Y, degree) for X in movers for Y in layer)
        yield span.dimension


def _lengths(start: int, length: int) -> Iterator[int]:
    """A little longer each time: each step more costs a multiple of all before, so that little is lost by beginning again."""
    steps = min(start, length)
    while steps < length:
        yield steps
        steps += steps // 5 + 1
    yield length


def _ceiling(
    frame: Frame, vectors_ai: Matrix, place: Mapping[Symbol, Expr], generic: GrowthVector
) -> tuple[int, Evidence, str]:
    """The dimension that is not exceeded, how well that is known, and why."""
    top, kept = never_left(frame, vectors_ai, place)
    if generic.is_settled and generic[-1] <= top:
        known: Evidence = "exact" if generic[-1] == frame.size else generic.evidence
        return generic[-1], known, "up to the generic one"
    there = ", ".join(f"{q} = {to_text(place[q])}" for q in kept)
    return top, "exact", f"and brackets never leave {there}" if there else "up to every direction"


def _by_expressions(
    frame: Frame, vectors_ai: Matrix, place: Mapping[Symbol, Expr], top: int, length: int, where: str
) -> GrowthVector:
    """Brackets of expressions, one for each Lyndon word, where the coefficients of jets have no normal forms."""
    rows: list[Vector] = []
    dimensions: list[int] = []
    longest = max(k for k in range(1, length + 1) if _count(len(vectors_ai), k) <= MAX_BRACKETS)
    for layer in bracket_layers(frame, vectors_ai, longest):
        rows += [_vector_at(vector, place) for vector in layer]
        rows = [rows[k] for k in independent_rows_on(rows, frame.orbit)]
        dimensions.append(len(certified_rows(rows, on=frame.orbit)))
        if dimensions[-1] < len(rows):  # rows that only look independent
            break
        if len(rows) >= top:
            known: Evidence = "exact" if have_normal_forms(rows) else "certified below, sampled above"
            return GrowthVector(dimensions, known, where=where)
    return GrowthVector(dimensions, "certified below", where=where)


def _vector_at(vector: Vector, place: Mapping[Symbol, Expr]) -> Vector:
    try:
        return tuple(entry.xreplace(dict(place)) for entry in vector)
    except RuntimeError:  # SymEngine refuses to divide by zero
        raise IllPosedSystem("the distribution is not defined at this place; take another.") from None


def _count(letters: int, length: int) -> int:
    """At least the number of brackets up to a length."""
    return sum(letters**k // k + 1 for k in range(1, length + 1)) if letters > 1 else letters
