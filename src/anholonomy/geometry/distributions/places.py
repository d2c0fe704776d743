"""Places: values that a user gives to coordinates, exact, consistent, and on the group."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import isfinite, pi
from typing import Any

import symengine

from anholonomy.geometry.frames.frame import Frame
from anholonomy.language.given import expression, name_of
from anholonomy.refusals import IllPosedSystem, UnknownName
from anholonomy.symbolic.expressions import Expr, Matrix, Symbol, free_symbols, symbol
from anholonomy.symbolic.orbits.places import nearest
from anholonomy.symbolic.zero import zero_test
from anholonomy.verdict import Verdict

__all__ = ["multiples_of_pi", "read_place"]


def read_place(at: Mapping[Any, Any], frame: Frame, vectors_ai: Matrix) -> dict[Symbol, Expr]:
    """The values of a place, for coordinates and for parameters of the fields.

    >>> read_place({"y": "x + 1", "x": 1.5707963267948966}, Frame(["x", "y"]), ())
    {y: 1 + (1/2)*pi, x: (1/2)*pi}
    """
    if not isinstance(at, Mapping):
        raise IllPosedSystem(f"a place is a dict from coordinates to values, and {at!r:.60} is none.")
    place = {symbol(name_of(q, "a coordinate")): _meant(value) for q, value in at.items()}
    known = {*frame.coordinates, *free_symbols(entry for row in vectors_ai for entry in row)}
    if unknown := sorted(str(q) for q in set(place) - known):
        raise UnknownName(f"{unknown[0]!r} is no coordinate here; there are {', '.join(map(str, frame.coordinates))}.")
    return _on_the_group(_resolved(place), frame)


def _resolved(place: dict[Symbol, Expr]) -> dict[Symbol, Expr]:
    """Values that mention other coordinates of the place, by the values of these."""
    place = {q: value for q, value in place.items() if value != q}
    for _ in place:
        place = {q: value.xreplace(place) for q, value in place.items()}
    if circular := [q.name for q, value in place.items() if not value.free_symbols.isdisjoint(place)]:
        raise IllPosedSystem(f"the place gives {circular[0]} in terms of itself; give it a value, or leave it out.")
    return place


def _meant(value: Any) -> Expr:
    """A float that is the double of a simple multiple of pi is that multiple; any other is the decimal it prints as."""
    if isinstance(value, float) and value and isfinite(value):
        ratio = Fraction(value / pi).limit_denominator(24)
        if value == float(ratio.numerator * pi / ratio.denominator) or value == float(ratio) * pi:
            return symengine.Rational(ratio.numerator, ratio.denominator) * symengine.pi
    return expression(value, "the place")


def multiples_of_pi(at: Mapping[Any, Any]) -> dict[str, Expr]:
    """Floats of a place that are not what they print as."""
    read = {name_of(q, "a coordinate"): _meant(value) for q, value in at.items() if isinstance(value, float)}
    return {name: value for name, value in read.items() if value.has(symengine.pi)}


def _on_the_group(place: dict[Symbol, Expr], frame: Frame) -> dict[Symbol, Expr]:
    """Redundant coordinates are given together and on the group, up to rounding."""
    for block in frame.orbit.blocks if frame.orbit else ():
        names = ", ".join(q.name for q in block.coordinates)
        if (given := len(set(place) & set(block.coordinates))) and given < len(block.coordinates):
            raise IllPosedSystem(f"{names} are tied together; a place gives all of them, or none.")
        if given and any(zero_test(value.xreplace(place)) is Verdict.REFUTED for value in block.invariants):
            close = nearest(block, place)
            if close is None:
                raise IllPosedSystem(f"this place is not on the group; give {names} for which its invariants vanish.")
            place = place | close
    return place
