r"""Brackets of fields around a place, from their exact Taylor polynomials.

.. math:: [X, Y]^d = X(Y^d) - Y(X^d) + c_{ab}{}^d X^a Y^b, \qquad
   e_a(f) = \sum_v e_a(v)\,\frac{\partial f}{\partial v}

A field is a polynomial in the steps $\xi$ that leave the place, its coefficients are polynomials in the generators $g$ of what stays
generic ($\sin\theta_0$ where $\theta_0$ is free). Directions are derivations of both, $v \in \{\xi, g\}$, so that nothing is
expanded along the place itself. Denominators are functions on the place, and are left out: a field may be multiplied by them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias, final

from anholonomy.geometry.frames.frame import Frame
from anholonomy.symbolic.calculus import along
from anholonomy.symbolic.expressions import Expr, Matrix, Symbol
from anholonomy.symbolic.normal_forms.quotients import Polynomial
from anholonomy.symbolic.normal_forms.taylor import Parts, TaylorArithmetic, shortened_product

__all__ = ["Jet", "JetBrackets"]

Jet: TypeAlias = tuple[Parts, ...]
"""A field's components, each by degree in the steps."""


@final
class JetBrackets:
    """The jets of some fields at a place, up to a degree, and their brackets, up to factors without zeros.

    >>> import symengine
    >>> y, o, i = symengine.Symbol("y"), symengine.Integer(0), symengine.Integer(1)
    >>> martinet = JetBrackets(Frame(["x", "y", "z"]), ((i, o, y**2), (o, i, o)), {y: o}, degree=2)
    >>> X, Y = martinet.fields
    >>> [[str(part) for part in component] for component in martinet.bracket(X, Y, 1)][2]       # -2 y d/dz
    ['0', '-2*g0']
    """

    def __init__(self, frame: Frame, vectors_ai: Matrix, place: Mapping[Symbol, Expr], degree: int) -> None:
        structure = [] if frame.is_chart else [c for each in frame.structure_abd for row in each for c in row]
        fields = [entry for row in vectors_ai for entry in row]
        self.taylor, moved = _with_derivations(frame, [*fields, *structure], place, degree)
        self.ring, self.size = self.taylor.ring, frame.size
        self.fields = [self._jet(row) for row in vectors_ai]
        # One common factor for all of them, so that the terms of a bracket have the same.
        tables = iter(self._jet([rate for each in moved for rate in each.values()] + structure))
        self._rates = [{self.ring.index[v]: next(tables) for v in each} for each in moved]
        self._structure = list(tables)

    def bracket(self, X: Jet, Y: Jet, degree: int) -> Jet:
        """The bracket up to a degree."""
        forward, back = self._direction(X, degree), self._direction(Y, degree)
        found = []
        for d in range(self.size):
            total = self._nothing(degree)
            self._add_slopes(total, forward, Y[d], 1)
            self._add_slopes(total, back, X[d], -1)
            if self._structure:
                self._add_structure(total, X, Y, d)
            found.append(tuple(total))
        return tuple(found)

    def _jet(self, row: Sequence[Expr]) -> Jet:
        """Components without their common denominator."""
        series = [self.taylor.series(entry) for entry in row]
        common = self.ring.context.constant(1)
        for each in series:
            common = each.den * (common / common.gcd(each.den))
        return tuple(tuple(self.ring.reduce(part * (common / each.den)) for part in each.parts) for each in series)

    def _nothing(self, degree: int) -> list[Polynomial]:
        return [self.ring.context.constant(0)] * (degree + 1)

    def _direction(self, X: Jet, degree: int) -> dict[int, Parts]:
        """How fast a field moves steps and generators."""
        rates: dict[int, list[Polynomial]] = {}
        for component, each in zip(X, self._rates, strict=True):
            for v, rate in each.items():
                self._add(rates.setdefault(v, self._nothing(degree)), component, rate, 1)
        return {v: tuple(rate) for v, rate in rates.items() if any(rate)}

    def _add_slopes(self, total: list[Polynomial], rates: Mapping[int, Parts], f: Parts, sign: int) -> None:
        for v, rate in rates.items():
            slope = tuple(part.derivative(v) for part in f)
            self._add(total, rate, slope[1:] if v in self.taylor.steps else slope, sign)

    def _add(self, total: list[Polynomial], a: Parts, b: Parts, sign: int) -> None:
        if any(a) and any(b):
            for k, part in enumerate(shortened_product(self.ring, a, b, len(total) - 1)):
                total[k] += sign * part

    def _add_structure(self, total: list[Polynomial], X: Jet, Y: Jet, d: int) -> None:
        n = self.size
        for a in range(n):
            for b in range(n):
                constant = self._structure[(a * n + b) * n + d]
                if any(constant) and any(X[a]) and any(Y[b]):
                    self._add(total, constant, shortened_product(self.ring, X[a], Y[b], len(total) - 1), 1)


def _with_derivations(
    frame: Frame, entries: Sequence[Expr], place: Mapping[Symbol, Expr], degree: int
) -> tuple[TaylorArithmetic, list[dict[Expr, Expr]]]:
    """Taylor polynomials of the entries, and how each direction moves the variables they have.

    Derivatives of generators may need new ones; those of a function nobody specified never end, but only as many as brackets count.
    """
    placed = [q for q in frame.coordinates if q in place]
    known: list[dict[Expr, Expr]] = [{} for _ in frame.anchor_ai]
    for last in (*(False,) * (degree + 1), True):
        rates = [rate for each in known for rate in each.values()]
        taylor = TaylorArithmetic([*entries, *rates, *placed], place, placed, degree)
        found = [_moved(taylor, frame, row, place) for row in frame.anchor_ai]
        if last or found == known:
            break
        known = found
    return taylor, known


def _moved(
    taylor: TaylorArithmetic, frame: Frame, direction: Sequence[Expr], place: Mapping[Symbol, Expr]
) -> dict[Expr, Expr]:
    """How a direction moves steps, measured from the place as it moves along, and generators."""
    own = dict(zip(frame.coordinates, direction, strict=True))
    free = {q: rate for q, rate in own.items() if q not in place}
    meaning = taylor.ring.meaning
    rates = {meaning[step]: own[q] - along(place[q], free) for q, step in taylor.step_of.items()}
    rates |= {g: along(g, free) for g in meaning if g not in rates}
    return {v: rate for v, rate in rates.items() if rate != 0}
