r"""Points that a user gives, by values of coordinates: made exact and consistent, and brought to the group.

.. math:: q \to s\,q \ \text{ with } \ P(sq) = c \text{ exactly}, \qquad
   \hat q \approx C(\xi)\,C(\xi)\,\hat q_0, \quad C = \bigl(1 - \tfrac12\hat A\bigr)^{-1}\bigl(1 + \tfrac12\hat A\bigr)

A float that is the double of a simple multiple of pi is that multiple. Redundant coordinates that a computation rounded lie beside
their group. Where the invariants are $P(q) - c$ with homogeneous $P$, a factor
brings them back, and $0.7071\ldots$ to $\sqrt{1/2}$; otherwise Newton's method finds $\xi$, and its digits make a rational point.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import isfinite, pi
from typing import Any

import flint
import numpy as np
import symengine

from anholonomy.algebra.expressions import Expr, Matrix, Symbol, free_symbols, symbol
from anholonomy.algebra.redundant_coordinates import Block, cayley
from anholonomy.algebra.zero_test import is_zero, zero_test
from anholonomy.base.errors import DeclarationError, UnknownNameError, quoted
from anholonomy.base.tolerances import GATHERED
from anholonomy.base.verdict import Verdict
from anholonomy.geometry.frame import Frame
from anholonomy.language.arguments import expression, name_of

__all__ = ["multiples_of_pi", "nearest", "read_place"]


def read_place(at: Mapping[Any, Any], frame: Frame, vectors_ai: Matrix) -> dict[Symbol, Expr]:
    """The values of a place, for coordinates and for parameters of the fields.

    >>> read_place({"y": "x + 1", "x": 1.5707963267948966}, Frame(["x", "y"]), ())
    {y: 1 + (1/2)*pi, x: (1/2)*pi}
    """
    if not isinstance(at, Mapping):
        raise DeclarationError(f"a place is a dict from coordinates to values, and {quoted(at)} is none.")
    place = {symbol(name_of(q, "a coordinate")): _meant(value) for q, value in at.items()}
    known = {*frame.coordinates, *free_symbols(entry for row in vectors_ai for entry in row)}
    if unknown := sorted(str(q) for q in set(place) - known):
        raise UnknownNameError(
            f"{unknown[0]!r} is no coordinate here; there are {', '.join(map(str, frame.coordinates))}."
        )
    return _on_the_group(_resolved(place), frame)


def multiples_of_pi(at: Mapping[Any, Any]) -> dict[str, Expr]:
    """Floats of a place that are not what they print as."""
    read = {name_of(q, "a coordinate"): _meant(value) for q, value in at.items() if isinstance(value, float)}
    return {name: value for name, value in read.items() if value.has(symengine.pi)}


def _meant(value: Any) -> Expr:
    """A float that is the double of a simple multiple of pi is that multiple; any other is the decimal it prints as."""
    if isinstance(value, float) and value and isfinite(value):
        ratio = Fraction(value / pi).limit_denominator(24)
        if value == float(ratio.numerator * pi / ratio.denominator) or value == float(ratio) * pi:
            return symengine.Rational(ratio.numerator, ratio.denominator) * symengine.pi
    return expression(value, "the place")


def _resolved(place: dict[Symbol, Expr]) -> dict[Symbol, Expr]:
    """Values that mention other coordinates of the place, by the values of these."""
    place = {q: value for q, value in place.items() if value != q}
    for _ in place:
        place = {q: value.xreplace(place) for q, value in place.items()}
    if circular := [q.name for q, value in place.items() if not value.free_symbols.isdisjoint(place)]:
        raise DeclarationError(f"the place gives {circular[0]} in terms of itself; give it a value, or leave it out.")
    return place


def _on_the_group(place: dict[Symbol, Expr], frame: Frame) -> dict[Symbol, Expr]:
    """Redundant coordinates are given together and on the group, up to rounding."""
    for block in frame.orbit.blocks if frame.orbit else ():
        names = ", ".join(q.name for q in block.coordinates)
        if (given := len(set(place) & set(block.coordinates))) and given < len(block.coordinates):
            raise DeclarationError(f"{names} are tied together; a place gives all of them, or none.")
        if given and any(zero_test(value.xreplace(place)) is Verdict.REFUTED for value in block.invariants):
            close = nearest(block, place)
            if close is None:
                raise DeclarationError(f"this place is not on the group; give {names} for which its invariants vanish.")
            place = place | close
    return place


_SHORT = 40
"""Digits up to which a root is shorter than a fraction."""
_STEPS = 40
"""Newton's steps onto the invariants."""


def nearest(block: Block, place: Mapping[Symbol, Expr]) -> dict[Symbol, Expr] | None:
    """An exact point of the group within rounding of a place, a number for each coordinate; None where none is at hand.

    >>> from anholonomy.geometry.groups import SO3
    >>> (block,) = SO3().frame.orbit.blocks
    >>> root, o = symengine.Rational(7071067811865476, 10**16), symengine.Integer(0)
    >>> nearest(block, dict(zip(block.coordinates, (root, root, o, o))))
    {q0: (1/2)*sqrt(2), q1: (1/2)*sqrt(2), q2: 0, q3: 0}
    """
    here = {q: place[q] for q in block.coordinates}
    if not all(isinstance(value, symengine.Rational) for value in here.values()):
        return None
    size = max(1.0, *(abs(float(value)) for value in here.values()))
    if any(abs(float(value.xreplace(here))) > GATHERED * size**2 for value in block.invariants):
        return None
    return _scaled(block, here) or _reached(block, here)


def _scaled(block: Block, here: Mapping[Symbol, Expr]) -> dict[Symbol, Expr] | None:
    """The place times one factor."""
    scale, still = symengine.Symbol("_scale"), dict.fromkeys(block.coordinates, symengine.Integer(0))
    stretched = {q: scale * q for q in block.coordinates}
    for value in block.invariants:
        constant = value.xreplace(still)
        homogeneous = symengine.expand(value - constant)
        total = symengine.expand(homogeneous.xreplace(stretched) / homogeneous)
        at = homogeneous.xreplace(dict(here))
        for degree in (1, 2, 3, 4):
            if constant == 0 or at == 0 or not is_zero(total - scale**degree):
                continue
            found = {q: _root(-constant / at, number, degree) for q, number in here.items()}
            if all(len(str(number)) <= _SHORT for number in found.values()) and all(
                is_zero(each.xreplace(found)) for each in block.invariants
            ):
                return found
    return None


def _root(scale: Expr, number: Expr, degree: int) -> Expr:
    r"""$s^{1/d}x$ as the root of one fraction, $\pm(s|x|^d)^{1/d}$, in which large factors cancel."""
    size = (scale * abs(number) ** degree) ** symengine.Rational(1, degree)
    return -size if number < 0 else size


def _reached(block: Block, here: Mapping[Symbol, Expr]) -> dict[Symbol, Expr] | None:
    """A rational point, two steps of Cayley's from the identity."""
    if block.generators is None or block.by_cayley is None:
        return None
    goal = np.array([float(here[q]) for q in block.coordinates])
    moves = np.array([[[float(c) for c in row] for row in generator] for generator in block.generators])
    moves = np.concatenate([moves, np.zeros((len(moves), 1, len(goal) + 1))], axis=1) / 2
    start = np.array([*(float(value) for value in block.origin), 1.0])
    xi = _newton(moves, start, goal)
    if xi is None:
        return None
    weights = [Fraction(value).limit_denominator(10**16) for value in xi]
    n = range(len(goal))
    half = [
        [sum(w * g[i][j] for w, g in zip(weights, block.generators, strict=True)) / 2 for j in (*n, len(n))] for i in n
    ]
    column = flint.fmpq_mat(len(goal) + 1, 1, [*(flint.fmpq(int(v.p), int(v.q)) for v in block.origin), 1])
    column = cayley(half, cayley(half, column))
    found = {q: symengine.Rational(int(column[k, 0].p), int(column[k, 0].q)) for k, q in enumerate(block.coordinates)}
    close = all(abs(float(found[q] - here[q])) <= 10 * GATHERED * max(1.0, abs(float(here[q]))) for q in found)
    return found if close else None


def _newton(moves: np.ndarray, start: np.ndarray, goal: np.ndarray) -> np.ndarray | None:
    """The parameters of a point, by Gauss and Newton with steps that are halved until they help."""
    one = np.eye(len(start))

    def point(xi: np.ndarray) -> np.ndarray:
        half = np.tensordot(xi, moves, 1)
        step = np.linalg.solve(one - half, one + half)
        return np.asarray((step @ step @ start)[:-1])

    xi, small = np.zeros(len(moves)), 1e-7
    gap = point(xi) - goal
    for _ in range(_STEPS):
        slopes = np.array([(point(xi + small * e) - point(xi - small * e)) / (2 * small) for e in np.eye(len(xi))]).T
        move = np.linalg.lstsq(slopes, -gap, rcond=None)[0]
        for factor in (1.0, 0.5, 0.25, 0.1, 0.01):
            try:
                tried = point(xi + factor * move) - goal
            except np.linalg.LinAlgError:
                continue
            if np.linalg.norm(tried) < np.linalg.norm(gap):
                xi, gap = xi + factor * move, tried
                break
        else:
            break
    return xi if np.linalg.norm(gap) < GATHERED * max(1.0, float(abs(goal).max())) else None
