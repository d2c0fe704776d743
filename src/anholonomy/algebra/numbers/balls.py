r"""Ball arithmetic: values with proven error bounds, of expressions and lists of steps, at random points, and elimination.

.. math:: x \in [m - r,\, m + r]

A ball that excludes zero proves that an expression is not identically zero, and $r$ pivots that exclude zero prove
$\operatorname{rank} A \ge r$. Where an expression is not real (logarithm of a negative number, division by a ball around zero) the
result is a ball that is not finite, never an exception. The arithmetic is Arb's, through python-flint.
"""

from __future__ import annotations

import operator
import random
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, MutableMapping, Sequence
from contextlib import contextmanager
from fractions import Fraction
from functools import reduce
from threading import RLock
from typing import Any, Protocol, TypeAlias, final

import flint

from anholonomy.algebra import elimination
from anholonomy.algebra.arithmetic import evaluate
from anholonomy.algebra.elimination import PivotRow
from anholonomy.algebra.expressions import Expr, Symbol, free_symbols
from anholonomy.algebra.steps.definitions import Assign, Step
from anholonomy.base.deadlines import check

__all__ = [
    "Ball", "BallArithmetic", "Ground", "ball", "digits_carried", "draw", "echelon", "evaluate_ball",
    "evaluate_balls", "excludes_zero", "finite_point", "full_pivots", "is_real", "kernel", "pivot_rows",
    "precision", "pseudo_solve", "random_point", "run_steps",
]  # fmt: skip


Ball: TypeAlias = flint.arb
Value: TypeAlias = "flint.arb | Fraction | int | float | str"

FEW_DIGITS = 30
"""Digits of a value whose sign or size is asked for, or that becomes a double."""
DIGITS = 40
"""Digits in which ranks are decided at random points."""
MANY_DIGITS = 120
"""Far from where a system lives its terms may differ by many orders of magnitude, and series lose digits with every term."""
RAISED_DIGITS = 200
"""At which a deficiency must show again: masses may differ by the powers of ten that doubles have."""
GUARD_DIGITS = 10
"""Digits carried beyond those asked for, so that rounding in short expressions stays below them."""


_TURN = RLock()
"""Held by the thread whose precision is in force; flint has one for the whole process."""


@contextmanager
def precision(digits: int) -> Iterator[None]:
    """Work at ``digits`` decimal digits plus a guard, one thread at a time; the precision before is put back.

    >>> with precision(30):
    ...     third = ball(Fraction(1, 3))
    >>> bool(third.rad() < 1e-30)
    True
    """
    with _TURN:
        before = flint.ctx.prec
        flint.ctx.dps = digits + GUARD_DIGITS
        try:
            yield
        finally:
            flint.ctx.prec = before


def digits_carried() -> int:
    """The digits that the `precision` in force was asked for; a handful outside of any."""
    return int(flint.ctx.dps) - GUARD_DIGITS


def ball(value: Value) -> Ball:
    """A tight ball around a number at the current precision; text is read as decimal digits.

    >>> ball("0.1").overlaps(ball(Fraction(1, 10)))
    True
    """
    if isinstance(value, Fraction):
        return flint.arb(flint.fmpq(value.numerator, value.denominator))
    return flint.arb(value)


def _atan2(y: Ball, x: Ball) -> Ball:
    # Arb defines atan2(0, 0) = 0; the angle of the origin is not a number.
    if y.contains(0) and x.contains(0):
        return flint.arb.nan()
    return flint.arb.atan2(y, x)


def _if(u: Ball, a: Ball, b: Ball) -> Ball:
    """One of two balls, or what contains both where the condition is not decided."""
    if u > 0:
        return a
    if u <= 0:
        return b
    return a.union(b) if u.is_finite() else flint.arb.nan()


_FUNCTIONS: dict[str, Callable[..., Ball]] = {
    **{name: getattr(flint.arb, name) for name in ("sin", "cos", "tan", "asin", "acos", "atan", "exp", "log", "sqrt")},
    **{name: getattr(flint.arb, name) for name in ("sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "erf")},
    "if": _if,
    "atan2": _atan2,
    "abs": abs,
    "sign": flint.arb.sgn,
}


@final
class BallArithmetic:
    """Every node of an expression as a ball at the current precision of flint."""

    def number(self, value: Fraction | float) -> Ball:
        return ball(value)

    def pi(self) -> Ball:
        return flint.arb.pi()

    def add(self, terms: Sequence[Ball]) -> Ball:
        return sum(terms, start=flint.arb(0))

    def multiply(self, factors: Sequence[Ball]) -> Ball:
        product = flint.arb(1)
        for factor in factors:
            product = product * factor
        return product

    def power(self, base: Ball, exponent: int | Fraction) -> Ball:
        if exponent.denominator == 1:
            return _whole_power(base, int(exponent))
        root = base.sqrt() if exponent.denominator == 2 else base.root(exponent.denominator)
        return _whole_power(root, exponent.numerator)

    def general_power(self, base: Ball, exponent: Ball) -> Ball:
        return base**exponent

    def function(self, name: str, arguments: Sequence[Ball]) -> Ball:
        return _FUNCTIONS[name](*arguments)


def _whole_power(base: Ball, exponent: int) -> Ball:
    """FLINT's power, which is not a number for a ball around an inexact zero, and products there."""
    if exponent > 0 and base.mid() == 0:
        return reduce(operator.mul, [base] * exponent)
    return base**exponent


def evaluate_balls(expressions: Iterable[Expr], values: Mapping[Symbol, Value], digits: int) -> tuple[Ball, ...]:
    """Several expressions at one point; what they share is evaluated once. See `evaluate_ball`."""
    check()
    with precision(digits):
        known: MutableMapping[Expr, Ball] = {name: ball(value) for name, value in values.items()}
        return tuple(evaluate(expression, BallArithmetic(), known) for expression in expressions)


def evaluate_ball(expression: Expr, values: Mapping[Symbol, Value], digits: int) -> Ball:
    """A ball that contains the value of ``expression``, not finite where that value is not real.

    ``digits`` sets the working precision, not the accuracy: cancellation shows as a wider ball. A symbol
    without a value raises `KeyError`.

    >>> import symengine
    >>> x = symengine.Symbol("x")
    >>> one = evaluate_ball(symengine.sin(x) ** 2 + symengine.cos(x) ** 2, {x: Fraction(1, 3)}, 30)
    >>> one.contains(1), bool(one.rad() < 1e-30)
    (True, True)
    >>> evaluate_ball(symengine.log(x), {x: -1}, 30).is_finite()
    False
    """
    return evaluate_balls((expression,), values, digits)[0]


def excludes_zero(value: Ball) -> bool:
    """Whether the ball proves its number different from zero."""
    return bool(value.is_finite()) and not value.contains(0)


_REGIONS = ((True, 0.2, 2.0), (False, 0.2, 2.0), (True, 0.02, 0.5), (False, 1.0, 8.0))
"""Whether either sign is drawn, and between which sizes."""


def is_real(value: Expr) -> bool:
    """Whether a constant is a finite real number; what has symbols left in it may be one.

    >>> import symengine
    >>> [is_real(symengine.sympify(text)) for text in ("sqrt(2)", "sqrt(-2)", "asin(2)", "zoo", "sqrt(x)")]
    [True, False, False, False, True]
    """
    if value.free_symbols:
        return True
    try:
        return bool(evaluate_ball(value, {}, 30).is_finite())
    except KeyError:  # an infinity, or an imaginary number
        return False


def random_point(symbols: Iterable[Symbol], rng: random.Random, kind: int = 0) -> dict[Symbol, Fraction]:
    """Random rationals of modest size, away from zero; symbols are drawn in order of their names.

    ``kind`` cycles through regions: either sign around 1, positive around 1, small, positive and larger, and
    last a region of its own for every symbol.

    >>> import symengine
    >>> point = random_point(symengine.symbols("x y"), random.Random(1))
    >>> all(0.1 < abs(value) < 3 for value in point.values())
    True
    """
    point = {}
    kind %= len(_REGIONS) + 1
    for name in sorted(symbols, key=str):
        signed, low, high = _REGIONS[kind] if kind < len(_REGIONS) else rng.choice(_REGIONS)
        size = Fraction(round(rng.uniform(low, high) * 10_007), 10_007)
        point[name] = -size if signed and rng.random() < 0.5 else size
    return point


class Ground(Protocol):
    """Where symbols take their values, if not everywhere."""

    def __hash__(self) -> int: ...

    def point(self, symbols: Iterable[Symbol], rng: random.Random, attempt: int, digits: int) -> dict[Symbol, Any]:
        """Random values, exact or as balls of some digits."""

    def touches(self, expressions: Iterable[Expr]) -> bool:
        """Whether symbols occur that are not free."""

    def confines(self, expressions: Iterable[Expr]) -> bool:
        """Whether symbols occur that are not free, or free without taking every value."""

    def vanishes(self, expression: Expr) -> bool:
        """Whether a normal form proves that the expression is zero there, wherever it is defined."""


def draw(
    symbols: Iterable[Symbol], rng: random.Random, attempt: int, digits: int, on: Ground | None = None
) -> dict[Symbol, Any]:
    """A random point: anywhere, or where the ground lets it be."""
    return dict(random_point(symbols, rng, attempt)) if on is None else on.point(symbols, rng, attempt, digits)


def finite_point(
    expressions: Collection[Expr],
    rng: random.Random,
    digits: int = 30,
    tries: int = 24,
    symbols: Iterable[Symbol] = (),
    on: Ground | None = None,
) -> dict[Symbol, Any] | None:
    """A random point where every expression is a finite real number, or None if none was met.

    >>> import symengine
    >>> x = symengine.Symbol("x")
    >>> point = finite_point([symengine.log(-x)], random.Random(0))
    >>> bool(point[x] < 0)
    True
    """
    names = free_symbols(expressions) | set(symbols)
    for attempt in range(tries):
        point = draw(names, rng, attempt, digits, on)
        if all(value.is_finite() for value in evaluate_balls(expressions, point, digits)):
            return point
    return None


# Elimination in ball arithmetic: $\operatorname{rank} A \ge r$ is proven by $r$ pivots that exclude zero.
#
# Where a rank has to be decided all the same, midpoints are eliminated, and what is below a given size is nothing.


def pivot_rows(rows: Sequence[Sequence[Ball]]) -> list[PivotRow]:
    """Rows that are proven independent, and the entries that prove it: largest ones, which exclude zero."""
    return elimination.pivot_rows(rows, _certain_size)


def echelon(rows: Sequence[Sequence[Ball]]) -> dict[int, list[Ball]]:
    """Reduced rows by their pivots' columns, pivots made 1 and the other entries of these columns 0.

    >>> list(echelon([[flint.arb(1), flint.arb(2)], [flint.arb(2), flint.arb(4)]]))
    [1]
    """
    return elimination.echelon(rows, _certain_size)


def _certain_size(value: Ball) -> float:
    return float(abs(value).lower()) if excludes_zero(value) else 0.0


def kernel(rows: Sequence[Sequence[Ball]]) -> list[list[Ball]]:
    r"""Vectors that span $\{v : A v = 0\}$, as far as the pivots go."""
    return elimination.kernel_of_echelon(echelon(rows), len(rows[0]), rows[0][0] * 0 + 1)


def full_pivots(rows: list[list[Ball]], tiny: Ball, *, above: bool = False) -> list[tuple[int, int]]:
    """Rows and columns that span the others, the largest entry first; the columns are cleared in place, with ``above`` in all rows.

    >>> rows = [[flint.arb(1), flint.arb(2)], [flint.arb(2), flint.arb(4)]]
    >>> full_pivots(rows, flint.arb("1e-9"))
    [(1, 1)]
    """
    left, found = list(range(len(rows))), list[tuple[int, int]]()
    while left:
        i, j = max(((i, j) for i in left for j in range(len(rows[i]))), key=lambda ij: abs(rows[ij[0]][ij[1]]))
        if not abs(rows[i][j]) > tiny:
            break
        left.remove(i)
        found.append((i, j))
        others: Collection[int] = range(len(rows)) if above else left
        for k in others:
            if k != i and not rows[k][j].is_zero():
                factor = rows[k][j] / rows[i][j]
                rows[k] = [(a - factor * b).mid() for a, b in zip(rows[k], rows[i], strict=True)]
                rows[k][j] = flint.arb(0)
    return found


# Steps run in ball arithmetic: every number comes with a proven error bound.


def run_steps(steps: Iterable[Step], values: Mapping[Symbol, Ball]) -> dict[Expr, Ball]:
    """Everything the steps define, at the current precision, added to ``values``.

    Raises `ZeroDivisionError` where a matrix cannot be proven invertible. For least squares the bounds are those of a
    matrix of the rank that shows at this precision.
    """
    known: dict[Expr, Ball] = dict(values)
    arithmetic = BallArithmetic()
    for step in steps:
        if isinstance(step, Assign):
            known[step.target] = evaluate(step.value, arithmetic, known)
            continue
        matrix = flint.arb_mat([[evaluate(entry, arithmetic, known) for entry in row] for row in step.matrix])
        right = flint.arb_mat(len(step.right), 1, [evaluate(entry, arithmetic, known) for entry in step.right])
        solution = pseudo_solve(matrix, right) if step.least else matrix.solve(right)
        known |= {unknown: solution[i, 0] for i, unknown in enumerate(step.unknowns)}
    return known


def pseudo_solve(matrix: flint.arb_mat, right: flint.arb_mat) -> flint.arb_mat:
    r"""$M^+ b = G^{\mathsf T}(G G^{\mathsf T})^{-1} y$ with $M = F G$, $F$ independent columns of $M$, and $F y$ nearest to $b$.

    Where the equations agree with one another, $y$ and $G$ follow from independent ones among them, which does not square
    the condition as least squares do.
    """
    pivots = _pivots(matrix)
    if not pivots:
        return flint.arb_mat(matrix.ncols(), 1)
    rows, columns = sorted(i for i, _ in pivots), sorted(j for _, j in pivots)
    F = _part(matrix, range(matrix.nrows()), columns)
    square = _part(matrix, rows, columns)
    y = square.solve(_part(right, rows, [0]))
    gap = F * y - right
    if all(gap[i, 0].contains(0) for i in range(matrix.nrows())):
        G = square.solve(_part(matrix, rows, range(matrix.ncols())))
    else:
        normal = F.transpose() * F
        G, y = normal.solve(F.transpose() * matrix), normal.solve(F.transpose() * right)
    return G.transpose() * (G * G.transpose()).solve(y)


def _part(matrix: flint.arb_mat, rows: Iterable[int], columns: Iterable[int]) -> flint.arb_mat:
    columns = list(columns)
    return flint.arb_mat([[matrix[i, j] for j in columns] for i in rows])


def _pivots(matrix: flint.arb_mat) -> list[tuple[int, int]]:
    """Rows and columns that span the others.

    Rows and columns are first brought to one size, so that neither units nor a factor before an equation matter; what is
    then below the root of the precision counts as zero.
    """
    rows = [[matrix[i, j].mid() for j in range(matrix.ncols())] for i in range(matrix.nrows())]
    for _ in range(6):
        sizes = [max((abs(value) for value in row), default=flint.arb(0)) for row in rows]
        rows = [[(v / size).mid() for v in row] if size > 0 else row for row, size in zip(rows, sizes, strict=True)]
        rows = [list(column) for column in zip(*rows, strict=True)]
    return full_pivots(rows, flint.arb(2) ** (-flint.ctx.prec // 2))
