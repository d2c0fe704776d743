"""The reference backend: walk the steps with arrays for numbers.

Nothing is generated, so there is nothing to distrust: the other backends are tested against this one,
and this one against fifty digits. A batch costs little more than a single state.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, final

import numpy as np

from anholonomy.compile.backends.base import AbstractBackend, Array, Kernel
from anholonomy.compile.program import Program
from anholonomy.symbolic.arithmetic import AbstractOperators, evaluate
from anholonomy.symbolic.expressions import Expr, time
from anholonomy.symbolic.steps import Assign, Solve

__all__ = ["NumpyArithmetic", "NumpyBackend"]

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
}


@final
class NumpyArithmetic(AbstractOperators):
    """Expressions over arrays of doubles; outside a function's domain the value is NaN.

    >>> from anholonomy.symbolic.arithmetic import AbstractOperators, evaluate
    >>> from anholonomy.symbolic.expressions import symbol
    >>> x = symbol("x")
    >>> evaluate(x**2 + x / 2, NumpyArithmetic(), {x: np.array([1.0, 2.0])})
    array([1.5, 5. ])
    """

    def number(self, value: Fraction | float) -> Any:
        # A NumPy scalar, because a Python float raises where an array would say inf.
        return np.float64(float(value))

    def function(self, name: str, arguments: Sequence[Any]) -> Any:
        return _FUNCTIONS[name](*arguments)


@final
class NumpyBackend(AbstractBackend):
    """Interpret the program step by step.

    >>> from anholonomy.compile.program import lower
    >>> from anholonomy.symbolic.expressions import symbol
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
    """The shortest best solution; singular values beside which the largest is 1e12 times as large count as zero."""
    finite = np.isfinite(matrix).all(axis=(1, 2))
    inverse = np.full_like(matrix.transpose(0, 2, 1), np.nan)
    inverse[finite] = np.linalg.pinv(matrix[finite], rcond=1e-12)
    solution: Array = inverse @ right
    return solution
