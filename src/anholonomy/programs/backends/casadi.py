"""Programs as CasADi functions: SX graphs that CasADi differentiates, sparsifies and hands to its solvers.

A `Solve` becomes an elimination with partial pivoting whose exchanges of rows are switches of the graph, so that it is
good wherever the matrix is regular. CasADi's own symbolic solver is orthogonal and loses digits where the matrix is
ill-conditioned.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, final

import numpy as np

from anholonomy.algebra.arithmetic import AbstractOperators, evaluate
from anholonomy.algebra.expressions import Expr, time
from anholonomy.algebra.steps.definitions import Assign
from anholonomy.programs.backends.base import AbstractBackend, Array, Kernel
from anholonomy.programs.program import Program

__all__ = ["CasadiBackend"]

_SPELLED = {"abs": "fabs"}


@final
class CasadiArithmetic(AbstractOperators):
    """Expressions as CasADi's SX."""

    def __init__(self) -> None:
        import casadi

        self._casadi = casadi

    def number(self, value: Fraction | float) -> Any:
        return self._casadi.SX(float(value))

    def function(self, name: str, arguments: Sequence[Any]) -> Any:
        if name == "if":
            u, a, b = arguments
            return self._casadi.if_else(u > 0.0, a, b)
        return getattr(self._casadi, _SPELLED.get(name, name))(*arguments)


def casadi_function(program: Program, name: str = "program", output: str = "out") -> Any:
    """``casadi.Function`` from ``t``, ``x`` and ``p`` to a column called ``output``.

    >>> from anholonomy.programs.program import lower
    >>> from anholonomy.algebra.expressions import symbol
    >>> x, v, k = (symbol(name) for name in "xvk")
    >>> casadi_function(lower([x, v], [k], [], [v, -k * x]), "spring", "dx")
    Function(spring:(t,x[2],p)->(dx[2]) SXFunction)
    """
    import casadi

    t = casadi.SX.sym("t")
    x, p = (casadi.SX.sym(letter, len(s)) for letter, s in (("x", program.states), ("p", program.parameters)))
    known: dict[Expr, Any] = {time: t}
    known.update((s, x[i]) for i, s in enumerate(program.states))
    known.update((s, p[i]) for i, s in enumerate(program.parameters))
    arithmetic = CasadiArithmetic()

    def value(expression: Expr) -> Any:
        return evaluate(expression, arithmetic, known)

    for step in program.steps:
        if isinstance(step, Assign):
            known[step.target] = value(step.value)
            continue
        rows = [[*map(value, row), value(right)] for row, right in zip(step.matrix, step.right, strict=True)]
        known.update(zip(step.unknowns, _solved(rows), strict=True))
    outputs = casadi.densify(casadi.vertcat(*(value(each) for each in program.outputs)))
    return casadi.Function(name, [t, x, p], [outputs], ["t", "x", "p"], [output])


def _solved(rows: list[list[Any]]) -> list[Any]:
    """The solution of a linear system given as rows of coefficients followed by the right-hand side."""
    size = len(rows)
    for k in range(size):
        for i in range(k + 1, size):
            if not rows[i][k].is_zero():
                rows[k], rows[i] = _larger_first(rows[k], rows[i], k)
        for i in range(k + 1, size):
            if not rows[i][k].is_zero():
                factor = rows[i][k] / rows[k][k]
                rows[i] = [a - factor * b for a, b in zip(rows[i], rows[k], strict=True)]
    solution: list[Any] = []
    for k in reversed(range(size)):
        known = sum((a * z for a, z in zip(rows[k][k + 1 : size], solution, strict=True)), 0)
        solution.insert(0, (rows[k][size] - known) / rows[k][k])
    return solution


def _larger_first(upper: list[Any], lower: list[Any], column: int) -> tuple[list[Any], list[Any]]:
    import casadi

    if upper[column].is_zero():
        return lower, upper
    swap = casadi.fabs(lower[column]) > casadi.fabs(upper[column])
    pairs = list(zip(upper, lower, strict=True))
    return [casadi.if_else(swap, b, a) for a, b in pairs], [casadi.if_else(swap, a, b) for a, b in pairs]


@final
class CasadiBackend(AbstractBackend):
    """The program as a CasADi function, called with arrays.

    >>> from anholonomy.programs.program import lower
    >>> from anholonomy.algebra.expressions import symbol
    >>> x, v, k = (symbol(name) for name in "xvk")
    >>> f = CasadiBackend().compile(lower([x, v], [k], [], [v, -k * x]))
    >>> f(0.0, [1.0, 2.0], [9.0])
    array([ 2., -9.])
    """

    name = "casadi"
    handles_solves = True

    def _compile(self, program: Program) -> Kernel:
        compiled, rows = casadi_function(program), len(program.outputs)

        def kernel(t: Array, x: Array, p: Array) -> Array:
            batch = x.shape[1]
            # CasADi maps a function over columns by itself, given the same number of them everywhere.
            columns = (np.broadcast_to(a, (len(a), batch)) for a in (t[None, :], x, p))
            result: Array = compiled(*columns).full().reshape(rows, batch)
            return result

        return kernel
