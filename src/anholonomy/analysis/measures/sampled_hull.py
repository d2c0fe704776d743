r"""A contradiction between fields and the values of a function along them, found and proven at a point.

.. math:: Z = f^CX_C \ \text{ at } q_*, \qquad \theta(Z) - f^C\theta_C \ne 0

Fields of any length are kept as steps, and so are their derivatives, of which only those are made that are needed; numbers are
balls. Where the basis has as many fields as there are directions, the next bracket is a combination of it, whatever its
length, and a misfit that excludes zero is a proof.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias, final

import symengine

from anholonomy.analysis.measures.lie_hull import ValuedField, width_of
from anholonomy.findings import AbstractEvidence
from anholonomy.findings.words import in_words
from anholonomy.geometry.frames.frame import Frame
from anholonomy.symbolic.calculus import along
from anholonomy.symbolic.expressions import Expr, Symbol, Vector, as_expression, dot, free_symbols, time
from anholonomy.symbolic.matrices.elimination_in_steps import Recorder
from anholonomy.symbolic.numbers.balls import Ball, ball, draw, excludes_zero, precision
from anholonomy.symbolic.numbers.certified import run_steps
from anholonomy.symbolic.orbits.orbit import Orbit
from anholonomy.symbolic.patience import check
from anholonomy.symbolic.steps.sharing import share
from anholonomy.symbolic.steps.straight_line import Assign
from anholonomy.verdict import Verdict

__all__ = ["Contradiction", "contradiction"]

Point: TypeAlias = tuple[tuple[Symbol, Any], ...]

_DIGITS, _POINTS = 80, 3
"""Digits of a contradiction that is proven, and points at which one is looked for."""


@final
@dataclass(frozen=True, repr=False)
class Contradiction(AbstractEvidence):
    """A point where the last row is a combination of the others, but for its last entry.

    ``names`` are those of the fields, ``rows`` their components and values in terms of ``steps``.
    """

    names: tuple[str, ...]
    rows: tuple[Vector, ...]
    steps: tuple[Assign, ...]
    point: Point

    def misfit(self) -> Ball | None:
        """By how much the last value differs from the combination; None where the others are dependent at the point."""
        with precision(_DIGITS):
            known = _values(self.steps, self.point)
            return _misfit([_row(row, known) for row in self.rows])

    def check(self) -> Verdict:
        found = self.misfit()
        return Verdict.PROVEN if found is not None and excludes_zero(found) else Verdict.UNKNOWN

    def lines(self, whole: bool = False) -> list[str]:
        """The bracket, its misfit, and where."""
        found = self.misfit()
        at = ", ".join(f"{s} = {_shown(value)}" for s, value in self.point)
        gap = "" if found is None else f" (by {float(found.mid()):.3g})"
        return [
            f"{self.names[-1]} is a combination of {', '.join(self.names[:-1])}, but its value is another{gap}, at {at}"
        ]

    def latex(self) -> str:
        return in_words(self.text())


def contradiction(frame: Frame, fields: Sequence[ValuedField], on: Orbit | None) -> Contradiction | None:
    """A bracket whose value is proven not to be what its components say; None where none was met."""
    if not fields:
        return None
    search = _Search(frame, fields)
    names = free_symbols(step.value for step in search.record.steps) | free_symbols(
        e for field in fields for e in (*field.components, field.value)
    )
    names = {s for s in names if not s.name.startswith("$")}
    rng = random.Random(len(names))
    for attempt in range(_POINTS):
        point = draw(names, rng, attempt, _DIGITS, on)
        found = search.at(tuple(sorted(point.items(), key=lambda item: str(item[0]))))
        if found is not None:
            return found
    return None


class _Search:
    """Fields in steps; their brackets with the given ones are made when they are asked for."""

    def __init__(self, frame: Frame, fields: Sequence[ValuedField]) -> None:
        self.frame, self.width, self.count = frame, width_of(frame, fields), len(fields)
        entries = [e for field in fields for e in (*field.components, field.value)]
        shared, reduced = share(entries, "$c")
        self.record = Recorder("$h", [Assign(target, value) for target, value in shared])
        self.place = {step.target: k for k, step in enumerate(self.record.steps)}
        size = len(fields[0].components) + 1
        self.names = [field.name for field in fields]
        self.rows = [tuple(reduced[k : k + size]) for k in range(0, len(reduced), size)]
        self.axes: list[dict[Symbol, Expr]] = [*frame.fields, {time: symengine.Integer(1)}]
        self.given: list[dict[Symbol, Expr]] = [dict(field.rates) for field in fields]
        self.made: dict[tuple[int, int], int] = {}

    def slope(self, f: Expr, rates: dict[Symbol, Expr]) -> Expr:
        """The derivative of an expression in steps along a field, whose rates of steps are remembered in ``rates``."""
        for step in self._needed(f.free_symbols, rates):
            rates[step.target] = self._recorded(along(step.value, rates))
        return along(f, rates)

    def _needed(self, symbols: Iterable[Symbol], rates: dict[Symbol, Expr]) -> list[Assign]:
        check()
        stack, found = list(symbols), set[int]()
        while stack:
            s = stack.pop()
            if s in self.place and s not in rates and self.place[s] not in found:
                found.add(self.place[s])
                stack += self.record.steps[self.place[s]].value.free_symbols
        return [self.record.steps[k] for k in sorted(found)]

    def _recorded(self, value: Expr) -> Expr:
        before = len(self.record.steps)
        target = self.record(value)
        if len(self.record.steps) > before:
            self.place[target] = before
        return target

    def bracket(self, a: int, b: int) -> int:
        """The place of the bracket of a given field with any: $X_a(Y) - Y(X_a)$ and the structure, and the value likewise."""
        if (a, b) in self.made:
            return self.made[a, b]
        check()
        X, Y, structure, n = self.rows[a], self.rows[b], self.frame.structure_abd, self.frame.size
        row = []
        for d, (x, y) in enumerate(zip(X, Y, strict=True)):
            back = dot(Y[: n + 1], [self.slope(x, axis) for axis in self.axes])
            bent = [dot(structure[i][j], [int(d == k) for k in range(n)]) * X[i] * Y[j] for i in range(n) for j in range(n)] if d < n else []  # fmt: skip
            row.append(self._recorded(self.slope(y, self.given[a]) - back + symengine.Add(*bent)))
        self.rows.append(tuple(row))
        self.names.append(f"[{self.names[a]}, {self.names[b]}]")
        self.made[a, b] = len(self.rows) - 1
        return self.made[a, b]

    def at(self, point: Point) -> Contradiction | None:
        """Brackets at a point until they span everything, and then until one does not fit."""
        with precision(_DIGITS):
            done, known = 0, _values((), point)
            basis: list[int] = []
            for place in self._walk(basis):
                known, done = run_steps(self.record.steps[done:], known), len(self.record.steps)
                rows = [_row(self.rows[k], known) for k in (*basis, place)]
                reduced = _reduced(rows, self.width)
                if reduced is None:
                    return None  # not finite here
                left, misfit = reduced
                if any(map(excludes_zero, left)):
                    basis.append(place)
                elif len(basis) == self.width and excludes_zero(misfit):
                    return self._proven([*basis, place], point)
                elif place < self.count:
                    return None  # given fields that are dependent here
        return None

    def _walk(self, basis: list[int]) -> Iterator[int]:
        """The given fields, then their brackets with the basis as it grows."""
        yield from range(self.count)
        k = 1
        while k < len(basis):
            b = basis[k]
            for a in range(min(k, self.count) if b < self.count else self.count):
                yield self.bracket(a, b)
            k += 1

    def _proven(self, places: Sequence[int], point: Point) -> Contradiction | None:
        rows = tuple((*self.rows[k][: self.width], self.rows[k][-1]) for k in places)
        found = Contradiction(tuple(self.names[k] for k in places), rows, self._used(rows), point)
        return found if found.check() else None

    def _used(self, rows: Sequence[Vector]) -> tuple[Assign, ...]:
        return tuple(self._needed(free_symbols(e for row in rows for e in row), {}))


def _values(steps: Sequence[Assign], point: Point) -> dict[Expr, Ball]:
    return run_steps(steps, {s: ball(value) if isinstance(value, Fraction) else value for s, value in point})


def _row(row: Vector, known: dict[Expr, Ball]) -> list[Ball]:
    marks = [Assign(symengine.Symbol(f"$row{k}"), as_expression(entry)) for k, entry in enumerate(row)]
    found = run_steps(marks, known)
    return [found[mark.target] for mark in marks]


def _reduced(rows: Sequence[list[Ball]], width: int) -> tuple[list[Ball], Ball] | None:
    """What the rows before leave of the last one: its components, and its value."""
    if not all(value.is_finite() for row in rows for value in row):
        return None
    *known, last = [[*row[:width], row[-1]] for row in rows]
    free = list(range(width))
    for k, row in enumerate(known):
        j = max(free, key=lambda i: float(abs(row[i]).lower()))
        if not excludes_zero(row[j]):
            return None
        free.remove(j)
        for other in (*known[k + 1 :], last):
            factor = other[j] / row[j]
            for i in (*free, width):
                other[i] = other[i] - factor * row[i]
            other[j] = other[j] * 0
    return [last[i] for i in free], last[width]


def _misfit(rows: Sequence[list[Ball]]) -> Ball | None:
    found = _reduced([list(row) for row in rows], len(rows[0]) - 1)
    return None if found is None or found[0] else found[1]


def _shown(value: object) -> str:
    return str(value) if isinstance(value, Fraction) else f"{float(value.mid()):.6g}"  # type: ignore[attr-defined]
