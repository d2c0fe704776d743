"""The reference backend: steps interpreted with arrays for numbers.

Nothing is generated, so there is nothing to distrust: the other backends are tested against this one,
and this one against fifty digits. A batch costs little more than a single state.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, final

import numpy as np

from anholonomy.algebra.arithmetic import AbstractOperators, evaluate
from anholonomy.algebra.expressions import Expr, time
from anholonomy.algebra.steps.definitions import Assign, Solve
from anholonomy.programs.backends.base import AbstractBackend, Array, Kernel
from anholonomy.programs.program import Program

__all__ = ["NumpyBackend"]

_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "sin": np.sin,
    "cos": np.cos,
    "tan": np.tan,
    "asin": np.arcsin,
    "acos": np.arccos,
    "atan": np.arctan,
    "atan2": np.arctan2,
    "sinh": np.sinh,
    "cosh": np.cosh,
    "tanh": np.tanh,
    "asinh": np.arcsinh,
    "acosh": np.arccosh,
    "atanh": np.arctanh,
    "exp": np.exp,
    "log": np.log,
    "sqrt": np.sqrt,
    "abs": np.abs,
    "sign": np.sign,
    "if": lambda u, a, b: np.where(u > 0.0, a, b),
}


_RANK = 1e-10
"""Below this part of the largest, a column of a scaled matrix depends on the others."""


@final
class NumpyArithmetic(AbstractOperators):
    """Expressions over arrays of doubles; outside a function's domain the value is NaN.

    >>> from anholonomy.algebra.arithmetic import AbstractOperators, evaluate
    >>> from anholonomy.algebra.expressions import symbol
    >>> x = symbol("x")
    >>> evaluate(x**2 + x / 2, NumpyArithmetic(), {x: np.array([1.0, 2.0])})
    array([1.5, 5. ])
    """

    def number(self, value: Fraction | float) -> Any:
        # A NumPy scalar, because a Python float raises where an array would say inf.
        return np.float64(float(value))

    def function(self, name: str, arguments: Sequence[Any]) -> Any:
        if name == "erf":
            from scipy.special import erf

            return erf(*arguments)
        return _FUNCTIONS[name](*arguments)


@final
class NumpyBackend(AbstractBackend):
    """Interpret the program step by step.

    >>> from anholonomy.programs.program import lower
    >>> from anholonomy.algebra.expressions import symbol
    >>> x, v, k = (symbol(name) for name in "xvk")
    >>> f = NumpyBackend().compile(lower([x, v], [k], [], [v, -k * x]))
    >>> f(0.0, [1.0, 2.0], [9.0])
    array([ 2., -9.])
    """

    name = "numpy"
    handles_solves = True
    handles_least_squares = True

    def _compile(self, program: Program) -> Kernel:
        def kernel(t: Array, x: Array, p: Array) -> Array:
            with np.errstate(all="ignore"):
                return _interpret(program, t, x, p)

        return kernel


def _interpret(program: Program, t: Array, x: Array, p: Array) -> Array:
    known: dict[Expr, Any] = {time: t}
    batch = x.shape[1]
    known.update(zip(program.states, x, strict=True))
    known.update(zip(program.parameters, p, strict=True))
    arithmetic = NumpyArithmetic()

    def value(expression: Expr) -> Any:
        return evaluate(expression, arithmetic, known)

    for step in program.steps:
        if isinstance(step, Assign):
            known[step.target] = value(step.value)
        else:
            known.update(zip(step.unknowns, _solve(step, value, batch), strict=True))
    out = np.empty((len(program.outputs), batch))
    for row, output in zip(out, program.outputs, strict=True):
        row[:] = value(output)
    return out


def _solve(step: Solve, value: Callable[[Expr], Any], batch: int) -> Array:
    """The unknowns, shape (unknowns, batch); NaN for the members whose matrix is singular."""
    rows, size = len(step.right), len(step.unknowns)
    matrix, right = np.empty((batch, rows, size)), np.empty((batch, rows, 1))
    for i, (row, entry) in enumerate(zip(step.matrix, step.right, strict=True)):
        right[:, i, 0] = value(entry)
        for j, entry_ij in enumerate(row):
            matrix[:, i, j] = value(entry_ij)
    if step.least:
        return _least_squares(matrix, right)[:, :, 0].T
    try:
        solution: Array = np.linalg.solve(matrix, right).astype(float, copy=False)
    except np.linalg.LinAlgError:
        # One singular member must not take the others with it.
        solution = np.full_like(right, np.nan)
        for member in range(batch):
            if np.linalg.matrix_rank(matrix[member]) == size:
                solution[member] = np.linalg.solve(matrix[member], right[member])
    return solution[:, :, 0].T


def _least_squares(matrix: Array, right: Array) -> Array:
    """The shortest best solution for every member of a batch."""
    result = np.full((matrix.shape[0], matrix.shape[2], 1), np.nan)
    for member, (M, b) in enumerate(zip(matrix, right, strict=True)):
        if np.isfinite(M).all() and np.isfinite(b).all():
            result[member] = pseudo_solution(M, b)
    return result


def pseudo_solution(M: Array, b: Array) -> Array:
    r"""$M^+ b$ by the factors $M = F G$, $F$ independent columns of $M$.

    Which columns are independent is decided once rows and columns are of one size, so that neither units nor a factor
    before an equation matter; what is then below 1e-10 counts as zero.
    """
    from scipy.linalg import qr

    scaled = np.array(M)
    for _ in range(3):
        for axis in (1, 0):
            sizes = np.abs(scaled).max(axis=axis, keepdims=True)
            scaled = scaled / np.where(sizes > 0, sizes, 1.0)
    _, R, order = qr(scaled, mode="economic", pivoting=True)
    diagonal = np.abs(np.diag(R))
    columns = np.sort(order[: int((diagonal > _RANK * max(diagonal.max(initial=0.0), 1e-300)).sum())])
    if not columns.size:
        return np.zeros((M.shape[1], 1))
    F, whole = M[:, columns], np.hstack([M, b])
    # Where the equations agree with one another, independent ones among them do not square the condition.
    rows = qr(scaled[:, columns].T, mode="economic", pivoting=True)[2][: columns.size]
    both = np.linalg.solve(F[rows], whole[rows])
    gap = np.abs(F @ both[:, -1:] - b)
    if (gap > _RANK * (np.abs(F) @ np.abs(both[:, -1:]) + np.abs(b))).any():
        sizes = np.linalg.norm(F, axis=0)
        both = np.linalg.lstsq(F / sizes, whole, rcond=None)[0] / sizes[:, None]
    G, y = both[:, :-1], both[:, -1:]
    solution: Array = np.linalg.lstsq(G, y, rcond=None)[0]
    return solution
