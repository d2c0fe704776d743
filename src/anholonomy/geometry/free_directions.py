r"""Directions that constraints leave free, chosen so that they last: by turning axes where dividing would fail.

A row $g\,(a\,y_1 + b\,y_2) + \dots = 0$ with $a^2 + b^2 = c$ constant is solved in turned axes,

.. math:: y_1 = a\,p - b\,s, \qquad y_2 = b\,p + a\,s, \qquad g\,c\,p + \dots = 0,

so that a heading needs no pivot: $-\sin\theta\,\dot x + \cos\theta\,\dot y = 0$ leaves the speed along the body free. Variables that rows
know only together are replaced by what the rows know: $a\,(y_1 + \kappa y_2)$, the rate of an angle from the ground, or what lies along
turned axes where $g$ varies. A row of two
entries $a\,y_1 + b\,y_2 = 0$ leaves $(b, -a)$ free, which is regular wherever the row is. Where more are left and all of them
vary, an entry or a pair is divided by (by $a^2 + b^2$) that does not vanish at the places where systems live, zeros and right angles;
what no such choice solves is left to somebody else.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations, permutations
from math import isfinite
from typing import NamedTuple, TypeAlias, final

import symengine

from anholonomy.algebra.expressions import Expr, Symbol, Vector, zero
from anholonomy.algebra.simplification.simplify import simplify
from anholonomy.algebra.steps.definitions import Recorder
from anholonomy.algebra.zero_test import zero_test
from anholonomy.base.deadlines import check
from anholonomy.base.verdict import Verdict

__all__ = ["PAIRED", "FreeDirections"]

_SAFE, _USABLE = 0.1, 1e-3
"""A constant is divided by first when it is this large beside its row, and before anything that varies when it is that large."""
_LONG = 20
"""Operations above which an expression gets a name."""
_FEW = 6
"""The entries up to which a row is looked at for a pair."""
_NATURAL = 0.05
"""What is divided by is at least so large beside its row, squares compared, at every natural place."""
_STRICT = 0.3
"""The same at the reference point, where a choice must last as long as possible from there."""
_CHANGES = 5
"""So many steps for each variable are more than any solution takes."""
Row: TypeAlias = dict[int, Expr]
"""Coefficients by variable, zeros left out."""


@final
@dataclass
class FreeDirections:
    r"""Rows $\sum_k A_k y_k + a = 0$ on their way to being solved: velocities are $v = \sum_k y_k S_k + s$.

    Attributes
    ----------
    rows, right
        $A$ and $a$ of the rows that are left.
    directions, particular
        $S$ by variable, and $s$, over the columns of the matrix.
    pivots
        What was divided by and varies.
    enough
        How large that must be at the reference point beside its row, squares compared.
    """

    rows: list[Row]
    right: list[Expr]
    at: Callable[[Expr], float]
    moving: set[Symbol]
    record: Recorder
    places: Sequence[dict[Symbol, Expr]]
    directions: dict[int, Row] = field(default_factory=dict)
    particular: Row = field(default_factory=dict)
    numbers: dict[Symbol, Expr] = field(default_factory=dict)
    pivots: list[Expr] = field(default_factory=list)
    enough: float = _NATURAL

    @classmethod
    def of(
        cls,
        matrix: Sequence[Sequence[Expr]],
        right: Sequence[Expr],
        at: Callable[[Expr], float],
        moving: Collection[Symbol],
        record: Recorder,
        coordinates: Sequence[Symbol],
        strict: bool = False,
    ) -> FreeDirections:
        """The rows of a matrix, nothing solved yet; ``at`` evaluates at a reference point and ``moving`` varies along a motion.

        ``coordinates`` may take any values; where there are none, the reference point is the only place to look at. With
        ``strict`` nothing is divided by that is not nearly the largest there.
        """
        rows = [{j: entry for j, entry in enumerate(row) if entry != 0} for row in matrix]
        enough = _STRICT if strict else _NATURAL
        found = cls(rows, list(right), cache(at), set(moving), record, natural_places(coordinates), enough=enough)
        found.directions = {j: {j: symengine.Integer(1)} for j in range(len(matrix[0]))}
        return found

    def turn(self) -> None:
        """Turn axes for the rows that have nothing constant to divide by, as far as they allow it."""
        while self._turn():
            pass

    def solve(self) -> None:
        """Solve rows as long as that needs no division by anything that vanishes at natural places."""
        steps = (
            self._merge, self._turn, self._merge_turned, self._divide, self._divide_by_less, self._take_pair,
            self._divide_by_what_lasts,
        )  # fmt: skip
        # Changes of variables might undo one another for ever: each removes something from one row and may add to others.
        for _ in range(_CHANGES * len(self.directions)):
            if not self.rows or not any(step() for step in steps):
                break

    def compose(self, vectors: Sequence[tuple[int, Row]], particular: Row) -> None:
        """Finish with what somebody else found for the variables that are left: one vector over them for each that stays."""
        self.rows, self.right = [], []
        self.particular = self._sum(self.particular, self._combined(particular))
        self.directions = {lead: self._combined(vector) for lead, vector in vectors}

    def _combined(self, vector: Row) -> Row:
        total: Row = {}
        for k, weight in vector.items():
            total = self._sum(total, self._scaled(self.directions[k], weight))
        return total

    # One row at a time.

    def _turn(self) -> bool:
        """Turn two axes by a row that has nothing constant to divide by, along the simplest heading that any row has for them."""
        for i in sorted(range(len(self.rows)), key=lambda i: len(self.rows[i])):
            if any(self._is_lasting(i, k, _USABLE) for k in self.rows[i]):
                continue
            for j, k in combinations(sorted(self.rows[i]), 2):
                if (circle := self._circle(self.rows[i][j], self.rows[i][k])) is not None:
                    self._eliminate_turned(*self._simplest(i, j, k, circle))
                    return True
        return False

    def _simplest(self, i: int, j: int, k: int, circle: CosineSinePair) -> tuple[int, int, int, CosineSinePair]:
        """Row ``i``, or one by which the axes ``j`` and ``k`` are turned with fewer angles."""
        best = i, circle
        for other in self._core():
            row = self.rows[other]
            found = self._circle(row[j], row[k]) if j in row and k in row else None
            if found is not None and len(found.angles & self.moving) < len(best[1].angles & self.moving):
                best = other, found
        return best[0], j, k, best[1]

    def _divide(self, enough: float = _SAFE) -> bool:
        """Solve a row for a variable with a constant coefficient, the one that touches fewest others."""
        choices = [
            (len(self.rows[i]) * self._uses(k), len(self.directions[k]), -abs(self._value(i, k)), i, k)
            for i, k in self._entries()
            if self._is_lasting(i, k, enough)
        ]
        if choices:
            *_, i, k = min(choices)
            self._eliminate(i, k)
        return bool(choices)

    def _divide_by_less(self) -> bool:
        return self._divide(_USABLE)

    def _merge(self) -> bool:
        r"""Put $z = y_j + \kappa y_k$ in the place of $y_j$ where that leaves fewer terms, as an angle from the ground does."""
        for row in self.rows:
            if any(not self.varies(entry) for entry in row.values()) or len(row) > _FEW:
                continue
            for j, k in permutations(sorted(row), 2):
                for ratio in self._ratios(row[j], row[k]):
                    if self._terms_saved(j, k, ratio) > 0:
                        one = symengine.Integer(1)
                        self._replace({j, k}, {j: {j: one}, k: {k: one, j: -ratio}}, tidy=True)
                        return True
        return False

    def _merge_turned(self) -> bool:
        r"""Turn two axes where a row knows only what lies along them, $g\,(a\,y_j + b\,y_k) = g c\,p$, though $g$ may vanish."""
        for i, row in enumerate(self.rows):
            if len(row) < 3 or any(not self.varies(entry) for entry in row.values()):
                continue
            for j, k in combinations(sorted(row), 2):
                a, b, _ = without_common_factors(row[j], row[k])
                if self._stand_together(j, k) and (circle := self._circle(a, b)) is not None:
                    self._turn_axes(i, j, k, circle)
                    return True
        return False

    def _take_pair(self) -> bool:
        """Replace the two variables of a row by the one that it leaves free."""
        i = next((i for i, row in enumerate(self.rows) if len(row) == 2), None)
        if i is None:
            return False
        (j, a), (k, b) = sorted(self.rows[i].items())
        a, b = without_common_factors(a, b)[:2]
        rest = self.right[i]
        if rest != 0:
            g = self.rows[i][j] / a
            size = self.name(-rest / (g * (a**2 + b**2)))
            self._shift({j: size * a, k: size * b})
        sign = self._orientation({j: b, k: -a})
        del self.rows[i], self.right[i]
        self._replace({j, k}, {j: {j: sign * b, k: -sign * a}})
        return True

    def _divide_by_what_lasts(self) -> bool:
        """Solve a row for one or two variables whose coefficients do not vanish together at any natural place."""
        for i in sorted(range(len(self.rows)), key=lambda i: len(self.rows[i])):
            for count in (1, 2):
                chosen = self._lasting_choice(self.rows[i], count)
                if chosen is not None:
                    self.pivots.append(self._solved_for(i, chosen))
                    return True
        return False

    def _solved_for(self, i: int, chosen: tuple[int, ...]) -> Expr:
        """Solve row ``i`` for one or two variables; two leave the direction across free. Returns what was divided by."""
        k = chosen[-1]
        a, b = (self.rows[i][each] for each in (chosen[0], k))
        if len(chosen) == 2:
            size = self.name(a**2 + b**2)
            self._replace({chosen[0], k}, {chosen[0]: {chosen[0]: b, k: -a}, k: {chosen[0]: a, k: b}})
            self.rows[i] = {j: entry for j, entry in self.rows[i].items() if j != chosen[0]} | {k: size}
        pivot = self.rows[i][k]
        self._eliminate(i, k)
        return pivot

    def _eliminate(self, i: int, k: int) -> None:
        """Solve row ``i`` for the variable ``k``."""
        row, rest = self.rows.pop(i), self.right.pop(i)
        inverse = -1 / row[k]
        if rest != 0:
            self._shift({k: self.name(inverse * rest)})
        others = {j: {j: symengine.Integer(1), k: self.name(inverse * entry)} for j, entry in row.items() if j != k}
        self._replace({*others, k}, others)

    def _eliminate_turned(self, i: int, j: int, k: int, circle: CosineSinePair) -> None:
        """Turn the axes ``j`` and ``k`` along and across ``(a, b)``, and solve row ``i`` for what lies along."""
        self._turn_axes(i, j, k, circle)
        self._eliminate(i, k)

    def _turn_axes(self, i: int, j: int, k: int, circle: CosineSinePair) -> None:
        """Let ``k`` stand for what lies along ``(a, b)`` and ``j`` for what lies across, which row ``i`` does not know."""
        a, b, m, n = circle
        sign = self._orientation({j: -n * b, k: m * a})
        self._replace({j, k}, {j: {j: -sign * n * b, k: sign * m * a}, k: {j: n * a, k: m * b}}, tidy=True)
        self.rows[i].pop(j, None)

    # What to look for.

    def _entries(self) -> Iterator[tuple[int, int]]:
        return ((i, k) for i, row in enumerate(self.rows) for k in row)

    def _core(self) -> list[int]:
        """The rows without those that can wait, because each has a constant before a variable that no row of the core has."""
        core = list(range(len(self.rows)))

        def can_wait(i: int) -> bool:
            others = set().union(*(self.rows[j] for j in core if j != i))
            return any(k not in others and self._is_lasting(i, k, _USABLE) for k in self.rows[i])

        while (waiting := next(filter(can_wait, core), None)) is not None:
            core.remove(waiting)
        return core

    def _uses(self, k: int) -> int:
        return sum(k in row for row in self.rows) - 1

    def _value(self, i: int, k: int) -> float:
        """A coefficient at the reference point, beside the largest of its row."""
        sizes = [abs(self.number(entry)) for entry in self.rows[i].values()]
        return self.number(self.rows[i][k]) / max(max(sizes), 1e-300)

    def number(self, value: Expr) -> float:
        """An expression at the reference point."""
        return self.at(value.xreplace(self.numbers) if self.numbers else value)

    def _is_lasting(self, i: int, k: int, enough: float) -> bool:
        return not self.varies(self.rows[i][k]) and abs(self._value(i, k)) >= enough

    def varies(self, value: Expr) -> bool:
        """Whether an expression may vanish along a motion."""
        return not value.free_symbols.isdisjoint(self.moving)

    def _circle(self, a: Expr, b: Expr) -> CosineSinePair | None:
        return find_circle(a, b, self.moving, self.number)

    def _stand_together(self, j: int, k: int) -> bool:
        """Whether every row that cannot wait has both variables or none, so that turning their axes adds to no row."""
        return all((j in self.rows[i]) == (k in self.rows[i]) for i in self._core())

    def _ratios(self, a: Expr, b: Expr) -> list[Expr]:
        """Constant ratios of a term of the second to one of the first."""
        if not self.varies(a) or symengine.count_ops(a, b) > PAIRED:
            return []
        return [ratio for s in _terms(a)[:1] for t in _terms(b) if not self.varies(ratio := t / s)]

    def _terms_saved(self, j: int, k: int, ratio: Expr) -> int:
        """How many terms fewer the rows have in which ``k`` stands beside ``j``."""
        touched = [row for i in self._core() if j in (row := self.rows[i])]
        after = (_simplify_row({k: row.get(k, zero) - ratio * row[j]})[k] for row in touched)
        return sum(_count(row.get(k, zero)) - _count(entry) for row, entry in zip(touched, after, strict=True))

    def _lasting_choice(self, row: Row, count: int) -> tuple[int, ...] | None:
        """So many variables whose coefficients are largest at the worst of the natural places; None if they vanish at one."""
        if len(row) > _FEW:
            return None
        squares = [{k: _square(self._at_place(entry, place)) for k, entry in row.items()} for place in self.places]
        squares = [each for each in squares if 1e-12 < sum(each.values()) < float("inf")]
        if not squares:
            return None

        def worst(chosen: tuple[int, ...]) -> float:
            return min(sum(each[k] for k in chosen) / sum(each.values()) for each in squares)

        best = max(combinations(sorted(row), count), key=worst)
        here = {k: _square(self.number(entry)) for k, entry in row.items()}
        is_fair = sum(here[k] for k in best) > self.enough * sum(here.values())
        return best if is_fair and worst(best) > _NATURAL else None

    def _at_place(self, entry: Expr, place: Mapping[Symbol, Expr]) -> float:
        """A coefficient at a place; 0 where it has a pole."""
        try:
            value = self.at(entry.xreplace(place))
        except (ArithmeticError, KeyError, RuntimeError):  # SymEngine puts nan or zoo, or raises
            return 0.0
        return value if isfinite(value) else 0.0

    def _orientation(self, mixed: Row) -> int:
        """The sign that makes the largest component of a direction positive where all coordinates are 0."""
        origin = self.places[0]
        values = [self._at_place(entry.xreplace(self.numbers), origin) for entry in self._combined(mixed).values()]
        return -1 if values and max(values, key=abs) < 0 else 1

    # Changes of variables.

    def _replace(self, old: Collection[int], new: Mapping[int, Row], tidy: bool = False) -> None:
        """Put new variables in the place of old ones: each is a direction in these."""
        directions = {k: self._combined(mixed) for k, mixed in new.items()}
        self.directions = {k: row for k, row in self.directions.items() if k not in old} | directions
        for i, row in enumerate(self.rows):
            if row.keys().isdisjoint(old):
                continue
            kept = {k: entry for k, entry in row.items() if k not in old}
            mixed = {k: symengine.Add(*(w * row[j] for j, w in mixed.items() if j in row)) for k, mixed in new.items()}
            # Of a row that has a constant left nobody asks more; short forms of many angles take long to find.
            short = _simplify_row(mixed) if tidy or all(map(self.varies, kept.values())) else mixed
            self.rows[i] = kept | {k: self.name(entry) for k, entry in short.items() if entry != 0}

    def _shift(self, amount: Row) -> None:
        """Move the origin of some variables."""
        self.particular = self._sum(self.particular, self._combined(amount))
        for i, row in enumerate(self.rows):
            moved = symengine.Add(*(row[k] * value for k, value in amount.items() if k in row))
            self.right[i] = self.name(self.right[i] + moved)

    def _sum(self, left: Row, right: Row) -> Row:
        total = {k: self.name(symengine.Add(left.get(k, zero), right.get(k, zero))) for k in {**left, **right}}
        return {k: value for k, value in total.items() if value != 0}

    def _scaled(self, row: Row, by: Expr) -> Row:
        return row if by == 1 else {k: by * entry for k, entry in row.items()}

    def name(self, value: Expr) -> Expr:
        """An expression, or a name for it where it is long."""
        if symengine.count_ops(value) <= _LONG:
            return value
        named = self.record(value)
        if self.rows:  # otherwise nobody asks any more
            self.numbers[named] = symengine.RealDouble(self.number(value))
            for place in self.places:
                place[named] = symengine.RealDouble(self._at_place(value, place))
            self.moving |= {named} if self.varies(value) else set()
        return named


def _square(value: float) -> float:
    """The square; infinite, and no error, where it is beyond doubles."""
    return value * value


def _simplify_row(row: Row) -> Row:
    """The coefficients in their short forms, where they are not long."""
    return {k: simplify(entry) if symengine.count_ops(entry) <= PAIRED else entry for k, entry in row.items()}


def _terms(value: Expr) -> Vector:
    return tuple(value.args) if isinstance(value, symengine.Add) else (value,)


def _count(value: Expr) -> int:
    return len(_terms(value)) if value != 0 else 0


PAIRED = 60
"""Operations up to which a pair is looked at and a coefficient is made short."""
_ALIKE = 1e-3
"""How far apart the constants of a pair may be."""


@final
class CosineSinePair(NamedTuple):
    r"""The pair $(m\,a, n\,b)$ of coefficients with $a^2 + b^2$, $m$ and $n$ constant."""

    a: Expr
    b: Expr
    m: Expr
    n: Expr

    @property
    def angles(self) -> set[Symbol]:
        return {*self.a.free_symbols, *self.b.free_symbols}


def find_circle(a: Expr, b: Expr, moving: Collection[Symbol], at: Callable[[Expr], float]) -> CosineSinePair | None:
    """The circle of two coefficients, or None; ``moving`` symbols vary, and ``at`` evaluates at a reference point.

    >>> theta, r, l = symengine.symbols("theta r l")
    >>> find_circle(r * symengine.cos(theta), -l * symengine.sin(theta), {theta}, lambda value: 1.0)
    CosineSinePair(a=cos(theta), b=sin(theta), m=r, n=-l)
    """
    check()
    varying = frozenset(moving)
    a, b, common = without_common_factors(a, b)
    if common.free_symbols & varying or not a.free_symbols & varying or symengine.count_ops(a, b) > PAIRED:
        return None
    if a.free_symbols & varying != b.free_symbols & varying or not a.atoms(symengine.Function):
        return None
    one = symengine.Integer(1)
    (m, a0), (n, b0) = (_without_constants(value, varying) for value in (a, b))
    sizes = sorted(abs(at(each)) for each in (m, n))
    choices = [
        CosineSinePair(a, b, one, one),
        *([CosineSinePair(a0, b0, m, n)] if sizes[0] > _ALIKE * sizes[1] else []),
    ]
    return next((circle for circle in choices if _closes(circle, varying)), None)


def _closes(circle: CosineSinePair, moving: frozenset[Symbol]) -> bool:
    size = simplify(circle.a**2 + circle.b**2)
    return not size.free_symbols & moving and zero_test(size) is Verdict.REFUTED


def _without_constants(value: Expr, moving: frozenset[Symbol]) -> tuple[Expr, Expr]:
    """The product of the factors that are constant, and that of the others."""
    constant = symengine.Mul(*(factor for factor in _factors(value) if not factor.free_symbols & moving))
    return constant, value / constant


def without_common_factors(a: Expr, b: Expr) -> tuple[Expr, Expr, Expr]:
    """Two expressions without the factors that both are written with, and these.

    >>> r, theta = symengine.symbols("r theta")
    >>> without_common_factors(r * symengine.cos(theta), -r * symengine.sin(theta))
    (cos(theta), -sin(theta), r)
    """
    common = symengine.Mul(*(f for f in _factors(a) if f in _factors(b)))
    return a / common, b / common, common


def _factors(value: Expr) -> Vector:
    return tuple(value.args) if isinstance(value, symengine.Mul) else (value,)


def natural_places(coordinates: Sequence[Symbol]) -> list[dict[Symbol, Expr]]:
    """Configurations of zeros and right angles, and some between, the same every time."""
    corners = [symengine.pi * symengine.Rational(k, 2) for k in (0, 0, 1, -1, 2)]
    between = [symengine.Rational(k, 7) for k in (2, 5, -3, 9)]
    draw = random.Random(2)
    every = [dict.fromkeys(coordinates, value) for value in corners[1:]]
    mixed = [{q: draw.choice(corners) for q in coordinates} for _ in range(16)]
    loose = [{q: draw.choice([*corners, *between]) for q in coordinates} for _ in range(8)]
    return [*every, *mixed, *loose]
