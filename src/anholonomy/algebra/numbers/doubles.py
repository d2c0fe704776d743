r"""Expressions and steps in doubles, at one point or at many, and rank and kernel by singular values.

.. math:: A = U\,\Sigma\,V^{\mathsf T}, \qquad \ker A = \langle v_k : \sigma_k \le \varepsilon\,\sigma_1\rangle

Doubles decide what needs no more digits, at a handful of points, where compiling a function would take longer. Of singular values,
what is at most `NOTHING` of the largest is zero.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from math import nan
from typing import Any, TypeAlias, final

import numpy as np
import symengine
from numpy.typing import NDArray

from anholonomy.algebra.arithmetic import AbstractOperators, tape
from anholonomy.algebra.expressions import Expr, Symbol, Vector
from anholonomy.algebra.steps.definitions import Assign
from anholonomy.base.tolerances import NOTHING

__all__ = [
    "Array", "at_point", "at_points", "in_doubles", "kernel", "rank_of", "split",
]  # fmt: skip


Array: TypeAlias = NDArray[np.float64]

_REAL = (symengine.Integer, symengine.Rational, symengine.RealDouble)


def in_doubles(inputs: Sequence[Symbol], entries: Sequence[Expr]) -> Callable[..., Any] | None:
    """The entries as a function of the inputs, common parts computed once; None where SymEngine knows no doubles for them.

    >>> x = symengine.Symbol("x")
    >>> f = in_doubles([x], [x * x, x + 1])
    >>> [float(value) for value in f([3.0])]
    [9.0, 4.0]
    >>> in_doubles([x], [symengine.Function("f")(x)]) is None
    True
    """
    try:
        # Closures, not machine code, which takes milliseconds to make and is called a few times.
        return symengine.Lambdify(list(inputs), list(entries), cse=True, backend="lambda")  # type: ignore[no-any-return]
    except (NotImplementedError, RuntimeError):
        return None


def at_point(entries: Sequence[Expr], values: Mapping[Symbol, float]) -> list[float]:
    """The entries at one point, NaN where one is no real number; of smooth ones only, because SymEngine may not survive others.

    All are one call to SymEngine, which then visits common parts once.

    >>> x = symengine.Symbol("x")
    >>> at_point([x**2, symengine.log(x)], {x: -3.0})
    [9.0, nan]
    """
    doubles = {s: symengine.RealDouble(value) for s, value in values.items()}
    try:
        found = symengine.Function("together")(*entries).xreplace(doubles).args
    except (RuntimeError, NotImplementedError):  # a quotient by zero
        return [nan] * len(entries)
    return [float(value) if isinstance(value, _REAL) else nan for value in found]


# At many points at once.


_FUNCTIONS: dict[str, Callable[..., Any]] = {
    **{
        name: getattr(np, name)
        for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh", "exp", "log", "sqrt", "abs", "sign")
    },
    **{name: getattr(np, f"arc{name[1:]}") for name in ("asin", "acos", "atan", "asinh", "acosh", "atanh", "atan2")},
    "if": lambda u, a, b: np.where(u > 0, a, b),
}


@final
class _Arrays(AbstractOperators):
    """Every node of an expression as an array, a value for each point."""

    def number(self, value: Fraction | float) -> Any:
        return np.float64(value)

    def function(self, name: str, arguments: Sequence[Any]) -> Any:
        return _FUNCTIONS[name](*arguments)


_ARRAYS = _Arrays()


@lru_cache(maxsize=256)
def at_points(inputs: Vector, entries: Vector, steps: tuple[Assign, ...] = ()) -> Callable[[Array], Array]:
    """The entries, by way of the ``steps``, as a function of points: a row for each input, then a row for each entry.

    `KeyError` where a function is unspecified, or has no doubles here.

    >>> x = symengine.Symbol("x")
    >>> at_points((x,), (x**2, 1 + x))(np.array([[1.0, 2.0]]))
    array([[1., 4.],
           [2., 3.]])
    """
    quick = None if steps or not entries else in_doubles(inputs, entries)
    if quick is not None:
        return lambda points: np.asarray(quick(points.T)).reshape(-1, len(entries)).T
    operations = tape(entries, steps)

    def values(points: Array) -> Array:
        found = np.empty((len(entries), points.shape[1]))
        for row, value in zip(found, operations.run(_ARRAYS, dict(zip(inputs, points, strict=True))), strict=True):
            row[:] = value
        return found

    return values


# Subspaces by singular values.


def rank_of(sizes: Array, least: float = 0.0, tolerance: float = NOTHING) -> int:
    """How many singular values are not zero beside the largest, or beside ``least`` where that is larger."""
    return int((sizes > tolerance * max(float(sizes.max(initial=0.0)), least)).sum())


def kernel(matrix: Array, least: float = 0.0, tolerance: float = NOTHING) -> Array:
    """An orthonormal basis of what a matrix annihilates, as columns.

    >>> kernel(np.array([[1.0, 0.0, 0.0], [2.0, 0.0, 0.0]])).shape
    (3, 2)
    """
    if not matrix.size:
        return np.eye(matrix.shape[1])
    # Of a tall matrix the left side would be a square of its height, and is not needed.
    _, sizes, rows = np.linalg.svd(matrix, full_matrices=len(matrix) < matrix.shape[1])
    return np.asarray(rows[rank_of(sizes, least, tolerance) :].T)


def split(matrix: Array, least: float = 0.0, tolerance: float = NOTHING) -> tuple[Array, Array]:
    """Orthonormal bases, as columns, of what the columns of a matrix span and of what is left."""
    if not matrix.size:
        return np.empty((len(matrix), 0)), np.eye(len(matrix))
    left, sizes, _ = np.linalg.svd(matrix)
    rank = rank_of(sizes, least, tolerance)
    return np.asarray(left[:, :rank]), np.asarray(left[:, rank:])
