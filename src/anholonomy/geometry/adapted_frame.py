r"""Frames adapted to constraints: every admissible velocity, and only those; chosen, named, and how far they are from failing.

The constraints $A_{\nu a}(q,t)\,w^a + a_\nu(q,t) = 0$ on the quasi-velocities $w$ of a base frame are solved by

.. math:: w^a = u^b\, S_b{}^a + s^a, \qquad A S^{\mathsf T} = 0, \qquad A s + a = 0 .

A basis $S$ may be given; then it may lose rank where the constraints do not, unless that is excluded by a proof. Otherwise it is
chosen at a reference point, block by block: one that leaves exactly one direction free
gets the vector of its minors, which is regular wherever the constraints are independent; one that can be solved by
dividing by constants is solved for dependent velocities; in others, axes are turned first
(`anholonomy.geometry.free_directions`). What had to be divided by all the same is in ``pivots``.

The quality of a frame is $\min(\sigma_{\min}(S), 1/\sigma_{\max}(S))$ of its vectors; the constants in capitals say at which
quality motions take a frame, keep it and leave it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from itertools import combinations, islice
from typing import NamedTuple, final

import numpy as np
import symengine

from anholonomy.algebra.calculus import partial
from anholonomy.algebra.expressions import Expr, Matrix, Symbol, Vector, dot, is_naught, time, unused, zero
from anholonomy.algebra.poles import has_poles, without_denominators
from anholonomy.algebra.simplification.simplify import simplify
from anholonomy.algebra.steps.definitions import Assign, Recorder, inline
from anholonomy.algebra.steps.derivatives import rates_of_steps
from anholonomy.algebra.steps.linear_systems import choose_pivots, small_determinant, solve_steps
from anholonomy.algebra.zero_test import zero_test
from anholonomy.base.caching import cached_property
from anholonomy.base.notebook import Shown
from anholonomy.base.verdict import Verdict
from anholonomy.geometry.brackets import bracket
from anholonomy.geometry.frame import Frame
from anholonomy.geometry.free_directions import PAIRED, FreeDirections

__all__ = [
    "AS_GOOD",
    "FAIR",
    "REGULAR",
    "SHRUNK",
    "WORSE",
    "AdaptedFrame",
    "adapt",
    "contracted",
    "keeps_rank",
    "name_speeds",
    "particular_solution",
]

FAIR = 0.05
"""A frame of at least this quality is used at a place without looking for a better one, which may take seconds."""
AS_GOOD = 0.3
"""One chosen elsewhere is used where it has at least this part of the best quality."""
WORSE = 0.2
"""It is left when it is this much closer to singular than it was on entry."""
SHRUNK = 0.02
"""Pivots are chosen anew when one of them is this much smaller than it was: the digits lost by dividing are the square."""
REGULAR = 0.01
"""Singular values of vectors between this and its inverse lose two digits at most."""
_AT_ONCE = 3
"""So many dependent velocities are solved for together, so that only their determinant is divided by."""
_HUGE = np.finfo(float).max
"""The largest double."""
_FEW = 4
"""Up to this many velocities the one direction that is free among them is written with minors."""
_INLINE_STEPS = 12
"""Up to this many steps a chosen basis is written out, so that equations print as in a textbook."""


@final
@dataclass(frozen=True, repr=False)
class AdaptedFrame(Shown):
    r"""Admissible velocities $w^a = u^b S_b{}^a + s^a$ over a base frame.

    Attributes
    ----------
    span_ba, offset_a
        $S_b{}^a$ and $s^a$, in coordinates, time, parameters and the targets of ``definitions``.
    speeds
        The symbols $u^b$; one that equals a velocity carries that velocity's name.
    pivots
        What the choice divides by: the frame is singular where one of these vanishes. Empty for a frame
        that is regular wherever the constraints are.
    is_given
        Whether a user gave the vectors, which may become dependent where the constraints do not.
    """

    base: Frame
    span_ba: Matrix
    offset_a: Vector
    speeds: tuple[Symbol, ...]
    definitions: tuple[Assign, ...] = ()
    pivots: Vector = ()
    is_given: bool = False

    @cached_property
    def _hash(self) -> int:
        return hash((self.base, self.span_ba, self.offset_a, self.speeds, self.definitions, self.pivots, self.is_given))

    def __hash__(self) -> int:
        return self._hash  # asked for by every motion that looks for its chart

    def __repr__(self) -> str:
        divided = f", dividing by {len(self.pivots)} expressions" if self.pivots else ""
        return f"adapted frame of the speeds {', '.join(u.name for u in self.speeds)} in the {self.base!r}{divided}"

    @property
    def velocities(self) -> Vector:
        r"""$w^a = u^b S_b{}^a + s^a$."""
        columns = zip(*self.span_ba, strict=True) if self.span_ba else ((),) * self.base.size
        return tuple(dot(column, self.speeds) + s for column, s in zip(columns, self.offset_a, strict=True))

    @cached_property
    def may_fail(self) -> bool:
        """Whether there are configurations where the frame blows up or loses a direction, as far as one can see."""
        moving = {*self.base.coordinates, time}
        for step in self.definitions:
            if has_poles(step.value, moving):
                return True
            moving |= {step.target} if step.value.free_symbols & moving else set()
        entries = (*(entry for row in self.span_ba for entry in row), *self.offset_a)
        poles = bool(self.pivots) or any(has_poles(entry, moving) for entry in entries)
        return poles or (self.is_given and not keeps_rank(self.span_ba, moving))

    def flow(self, record: Recorder) -> dict[Symbol, Expr]:
        r"""The rates of coordinates, time and definitions along a motion, speeds held fixed."""
        return rates_of_steps(self.definitions, self.base.drift_direction(self.velocities), record)

    def fields(self, record: Recorder) -> list[dict[Symbol, Expr]]:
        r"""The fields $e_b = S_b{}^a E_a$, each as rates of coordinates and definitions."""
        return [rates_of_steps(self.definitions, self.base.direction(row), record) for row in self.span_ba]

    def transport(self, flow: dict[Symbol, Expr], fields: Sequence[dict[Symbol, Expr]]) -> list[Vector]:
        r"""$[\,u^b e_b + e_0 + \partial_t,\ e_a] = (u^b c_{ba}{}^d + c_{0a}{}^d)\,E_d$, components in the base frame.

        The speeds are constants here, so this is the structure term of Hamel's equations: contracted
        with the momenta of the base frame it needs no coframe and no inverse.
        """
        velocities = self.velocities
        result = []
        for row, field in zip(self.span_ba, fields, strict=True):
            moving = (dot(column, row) for column in zip(*self.base.drift_structure_ad, strict=True))
            result.append(tuple(map(symengine.Add, bracket(self.base, velocities, row, flow, field), moving)))
        return result


def adapt(
    base: Frame,
    matrix_na: Matrix,
    offset_n: Vector,
    at: Callable[[Expr], float],
    velocities: Sequence[Symbol],
    taken: Callable[[str], bool],
    strict: bool = False,
    dependent: Collection[int] | None = None,
) -> AdaptedFrame:
    """Choose an adapted frame at a reference point.

    ``at`` evaluates an expression there; ``velocities`` are the base frame's quasi-velocities and
    ``taken`` says which names a new speed must not have. ``strict`` takes the largest pivots instead of the most
    convenient ones, for a choice that must last as long as possible from there. With ``dependent``, the constraints are
    solved for velocities among these (by position), and the speeds are the other velocities. Raises
    `ZeroDivisionError` where the constraints are dependent, or cannot be solved for those.
    """
    matrix_na, offset_n = _finite_rows(base, tuple(map(contracted, matrix_na)), offset_n)
    moving = {*base.coordinates, time, *velocities}
    choice = _Choice(base, matrix_na, offset_n, at, moving, strict, dependent)
    span, offset = choice.solve()
    pivots, record = tuple(choice.pivots), choice.record
    definitions = tuple(record.assignments)
    if len(definitions) <= _INLINE_STEPS:
        span = tuple(inline(row, definitions) for row in span)
        offset, pivots = inline(offset, definitions), inline(pivots, definitions)
        definitions = ()
    speeds = name_speeds(span, offset, velocities, taken)
    return AdaptedFrame(base, span, offset, speeds, definitions, pivots)


def _finite_rows(base: Frame, matrix_na: Matrix, offset_n: Vector) -> tuple[Matrix, Vector]:
    r"""The same constraints, each multiplied by its denominators: $\dot y = \tan\theta\,\dot x$ is special at no heading."""
    variables = {*base.coordinates, time}
    rows = []
    for row, offset in zip(matrix_na, offset_n, strict=True):
        whole = (*row, offset)
        rows.append(without_denominators(whole) if any(has_poles(e, variables) for e in whole) else whole)
    return tuple(row[:-1] for row in rows), tuple(row[-1] for row in rows)


def contracted(row: Sequence[Expr]) -> Vector:
    r"""A row whose angles are put together: in $d\sin^2\theta + d\cos^2\theta$ nothing varies, and nothing else is rewritten."""
    return tuple(
        simplify(entry)
        if symengine.count_ops(entry) <= PAIRED and len(entry.atoms(symengine.sin, symengine.cos)) > 1
        else entry
        for entry in row
    )


def name_speeds(
    span_ba: Sequence[Sequence[Expr]],
    offset_a: Sequence[Expr],
    velocities: Sequence[Symbol],
    taken: Callable[[str], bool],
) -> tuple[Symbol, ...]:
    """A speed that is a velocity keeps its name; the others are u1, u2, …"""
    names: list[Symbol] = []
    for b, row in enumerate(span_ba):
        for a, velocity in enumerate(velocities):
            others = (span_ba[c][a] for c in range(len(span_ba)) if c != b)
            if row[a] == 1 and offset_a[a] == 0 and all(entry == 0 for entry in others):
                names.append(velocity)
                break
        else:
            names.append(unused(f"u{b + 1}", taken))
    return tuple(names)


def particular_solution(matrix: Matrix, offset: Vector, record: Recorder) -> Vector:
    r"""The shortest $s$ with $A s + a = 0$: $s = -A^{\mathsf T}(A A^{\mathsf T})^{-1} a$, regular where $A$ has full rank."""
    width = len(matrix[0]) if matrix else 0
    if all(entry == 0 for entry in offset):
        return (zero,) * width
    gram = [[dot(left, right) for right in matrix] for left in matrix]
    order = [(k, k) for k in range(len(matrix))]
    (weights,), _ = solve_steps(gram, [[-entry for entry in offset]], order, record)
    return tuple(dot(column, weights) for column in zip(*matrix, strict=True))


@final
class _Choice:
    """One run of the choice: which velocities depend on which, block by block."""

    def __init__(
        self,
        base: Frame,
        matrix: Matrix,
        offset: Vector,
        at: Callable[[Expr], float],
        moving: set[Symbol],
        strict: bool,
        dependent: Collection[int] | None,
    ) -> None:
        self.matrix, self.offset, self.width, self.at = matrix, offset, base.size, at
        # Redundant coordinates are not free to be zero or a right angle, each by itself.
        self.coordinates, self.moving = () if base.invariants else base.coordinates, moving
        self.is_solved = dependent is not None
        self.eligible = np.array([dependent is None or j in dependent for j in range(base.size)])
        self.record = Recorder("$s")
        self.pivots: list[Expr] = []
        self.strict, self.threshold = strict, 0.9 if strict else 0.1
        self.occupied = np.array([[not is_naught(entry) for entry in row] for row in matrix], dtype=bool).reshape(
            -1, self.width
        )
        self.constant = np.array([[_is_constant(entry, moving) for entry in row] for row in matrix]).reshape(
            -1, self.width
        )
        values = np.array([[0.0 if is_naught(entry) else at(entry) for entry in row] for row in matrix]).reshape(
            -1, self.width
        )
        values = np.clip(values, -_HUGE, _HUGE)  # a high power may be more than a double holds
        # What a row is multiplied by says nothing about which of its entries to divide by.
        sizes = np.abs(values).max(axis=1, keepdims=True, initial=0.0)
        self.values = values / np.where(sizes > 0, sizes, 1.0)

    def solve(self) -> tuple[Matrix, Vector]:
        span: list[tuple[int, Vector]] = []
        offset = [zero] * self.width
        for rows, columns in self.blocks():
            order = choose_pivots(
                self.values[np.ix_(rows, columns)],
                self.occupied[np.ix_(rows, columns)] & self.eligible[columns],
                preferred=self.constant[np.ix_(rows, columns)],
                threshold=self.threshold,
            )
            if len(order) < len(rows):
                solved = " or cannot be solved for those velocities" if not self.eligible.all() else ""
                raise ZeroDivisionError(f"the constraints are dependent{solved} at the reference point")
            matrix = [[self.matrix[i][j] for j in columns] for i in rows]
            right = [self.offset[i] for i in rows]
            chosen = self.by_elimination(matrix, right, order)
            if self.is_solved or not chosen.pivots:
                vectors, particular = self.take(chosen)
            elif len(columns) == len(rows) + 1 <= _FEW:
                vectors, particular = self.by_minors(matrix, right, self.at)
            else:
                vectors, particular = self.by_turning(matrix, right)
            for lead, vector in vectors:
                wide = [zero] * self.width
                for j, entry in zip(columns, vector, strict=True):
                    wide[j] = entry
                span.append((columns[lead], tuple(wide)))
            for j, entry in zip(columns, particular, strict=True):
                offset[j] = entry
        return tuple(vector for _, vector in sorted(span, key=lambda item: item[0])), tuple(offset)

    def blocks(self) -> list[tuple[list[int], list[int]]]:
        """Rows and columns in connected groups; a column that no constraint touches is a group of its own."""
        rows_left, groups = set(range(len(self.matrix))), []
        columns_left = set(range(self.width))
        while columns_left:
            rows: set[int] = set()
            columns, border = set(), {min(columns_left)}
            while border:
                columns |= border
                new = {i for i in rows_left - rows if self.occupied[i, list(border)].any()}
                rows |= new
                touched = {int(j) for i in new for j in np.flatnonzero(self.occupied[i])}
                border = touched - columns
            rows_left -= rows
            columns_left -= columns
            groups.append((sorted(rows), sorted(columns)))
        if rows_left:  # a row without any velocity
            raise ZeroDivisionError("a constraint does not involve any velocity")
        return groups

    def by_minors(
        self, matrix: list[list[Expr]], right: list[Expr], at: Callable[[Expr], float]
    ) -> tuple[list[tuple[int, Vector]], Vector]:
        r"""The one free direction as signed minors, $v^j = (-1)^j \det A_{\hat\jmath}$."""
        size = len(matrix[0])
        minors = [
            (-1) ** j * small_determinant([[row[c] for c in range(size) if c != j] for row in matrix])
            for j in range(size)
        ]
        # Orient the direction so that its largest component at the reference point is positive.
        at_point = [at(minor) for minor in minors]
        lead = int(np.argmax(np.abs(at_point)))
        sign = -1 if at_point[lead] < 0 else 1
        vector = tuple(_times_sign(minor, sign) for minor in minors)
        particular = particular_solution(tuple(map(tuple, matrix)), tuple(right), self.record)
        return [(0, vector)], particular

    def by_turning(self, matrix: list[list[Expr]], right: list[Expr]) -> tuple[list[tuple[int, Vector]], Vector]:
        """Directions that last, or what is farthest from singular at the reference point."""
        free = FreeDirections.of(matrix, right, self.at, self.moving, self.record, self.coordinates, self.strict)
        free.turn()
        if not self.finish(free, by_constants=True):
            free.solve()
            self.pivots += free.pivots
            self.finish(free)
        width = range(len(matrix[0]))
        vectors = [(k, tuple(row.get(j, zero) for j in width)) for k, row in free.directions.items()]
        return vectors, tuple(free.particular.get(j, zero) for j in width)

    def finish(self, free: FreeDirections, by_constants: bool = False) -> bool:
        """Solve the rows that are left by dividing, if that can be done by constants alone or is asked for anyhow."""
        if not free.rows:
            return True
        touched = sorted({k for row in free.rows for k in row})
        matrix = [[row.get(k, zero) for k in touched] for row in free.rows]
        values = np.array([[free.number(entry) for entry in row] for row in matrix])
        occupied = np.array([[not is_naught(entry) for entry in row] for row in matrix])
        # A velocity is solved for rather than a speed along turned axes, which is the one a reader wants to keep.
        own = np.array([len(free.directions[k]) == 1 for k in touched])
        constant = np.array([[not free.varies(entry) for entry in row] for row in matrix]) & occupied & own
        order = choose_pivots(values, occupied, constant, self.threshold)
        if len(order) < len(matrix):
            raise ZeroDivisionError("the constraints are dependent at the reference point")
        chosen = self.by_elimination(matrix, free.right, order)
        if by_constants and chosen.pivots:
            return False
        if chosen.pivots and len(touched) == len(matrix) + 1 <= _FEW:
            vectors, particular = self.by_minors(matrix, free.right, free.number)
        else:
            vectors, particular = self.take(chosen)
        one = symengine.Integer(1)
        kept = [(k, {k: one}) for k in free.directions if k not in touched]
        found = [(touched[lead], dict(zip(touched, vector, strict=True))) for lead, vector in vectors]
        free.compose([*kept, *found], dict(zip(touched, particular, strict=True)))
        return True

    def take(self, chosen: _Elimination) -> tuple[list[tuple[int, Vector]], Vector]:
        """Decide for an elimination: its steps and pivots are those of the frame."""
        self.record.steps[:] = chosen.steps
        self.pivots += chosen.pivots
        return chosen.vectors, chosen.particular

    def by_elimination(self, matrix: list[list[Expr]], right: list[Expr], order: list[tuple[int, int]]) -> _Elimination:
        """Dependent velocities in terms of free ones, solved in the given order."""
        dependent = [j for _, j in order]
        free = [j for j in range(len(matrix[0]) if matrix else 1) if j not in dependent]
        square = [[row[j] for j in dependent] for row in matrix]
        place = {j: k for k, j in enumerate(dependent)}
        sides = [[-row[j] for row in matrix] for j in free] + [[-entry for entry in right]]
        record = Recorder("$s", list(self.record.assignments))
        solutions, pivots = solve_steps(square, sides, [(i, place[j]) for i, j in order], record, _AT_ONCE)
        moving = set(self.moving)
        for step in record.assignments:
            moving |= {step.target} if step.value.free_symbols & moving else set()

        def widen(solution: Vector, lead: int | None) -> Vector:
            entries = dict(zip(dependent, solution, strict=True))
            return tuple(entries.get(j, symengine.Integer(int(j == lead))) for j in range(len(dependent) + len(free)))

        vectors = [(j, widen(solution, j)) for j, solution in zip(free, solutions, strict=False)]
        varying = tuple(pivot for pivot in pivots if pivot.free_symbols & moving)
        return _Elimination(vectors, widen(solutions[-1], None), varying, record.assignments)


@final
class _Elimination(NamedTuple):
    """What solving for dependent velocities gives: vectors by free velocity, a particular solution, and what was divided by that varies."""

    vectors: list[tuple[int, Vector]]
    particular: Vector
    pivots: Vector
    steps: list[Assign]


def _is_constant(entry: Expr, moving: Collection[Symbol]) -> bool:
    """True for a pivot that cannot vanish along a motion: a number or a function of parameters."""
    return bool(entry != 0 and entry.free_symbols.isdisjoint(moving))


def _times_sign(value: Expr, sign: int) -> Expr:
    """A sum with the sign in every term; nothing else is multiplied out, because powers of differences would lose digits."""
    if sign > 0:
        return value
    return symengine.Add(*(-term for term in value.args)) if isinstance(value, symengine.Add) else -value


_ROWS, _LARGE = 4, 150
"""The vectors and the operations up to which the determinant is worth a proof."""
_TRIED = 40
"""The choices of columns that are tried."""


def keeps_rank(vectors: Matrix, moving: Collection[Symbol]) -> bool:
    r"""Whether the vectors are independent at every value of ``moving`` where they are so at one, as far as one can prove.

    .. math:: S = \begin{pmatrix} C & * & * \\ 0 & S' & * \end{pmatrix}, \qquad \det\left(S' S'^{\mathsf T}\right) = \text{const} \ne 0

    with $C$ diagonal and constant, in some order of the columns, proves it; that no such $S'$ is found proves nothing.

    >>> theta, zero, one = symengine.Symbol("theta"), symengine.Integer(0), symengine.Integer(1)
    >>> blade = symengine.cos(theta), symengine.sin(theta), zero
    >>> turn = zero, zero, one
    >>> keeps_rank((blade, turn), {theta}), keeps_rank((tuple(theta * entry for entry in blade), turn), {theta})
    (True, False)
    """
    rows = _without_constant_columns([list(row) for row in vectors], set(moving))
    if not rows:
        return True
    entries = [entry for row in rows for entry in row]
    if len(rows) > _ROWS or symengine.count_ops(*entries) > _LARGE:
        return False
    # By Cauchy and Binet the determinant of all columns is that of some plus squares.
    sizes = range(len(rows), min(2 * len(rows), len(rows[0])) + 1)
    choices = (columns for size in sizes for columns in combinations(range(len(rows[0])), size))
    return any(
        _has_constant_volume([[row[j] for j in chosen] for row in rows], set(moving))
        for chosen in islice(choices, _TRIED)
    )


def _has_constant_volume(rows: list[list[Expr]], moving: set[Symbol]) -> bool:
    """Whether the determinant of the products of the vectors is a constant other than 0."""
    gram = small_determinant([[dot(left, right) for right in rows] for left in rows])
    slopes = (partial(gram, s) for s in sorted(gram.free_symbols & moving, key=str))
    return all(zero_test(slope) is Verdict.PROVEN for slope in slopes) and zero_test(gram) is Verdict.REFUTED


def _without_constant_columns(rows: list[list[Expr]], moving: set[Symbol]) -> list[list[Expr]]:
    """Drop a vector and a direction that it alone has, in constant measure, as long as there is one."""
    columns = list(zip(*rows, strict=True)) if rows else []
    for j, column in enumerate(columns):
        inside = [i for i, entry in enumerate(column) if entry != 0]
        if len(inside) == 1 and not column[inside[0]].free_symbols & moving:
            rest = [[*row[:j], *row[j + 1 :]] for i, row in enumerate(rows) if i != inside[0]]
            return _without_constant_columns(rest, moving)
    return rows
