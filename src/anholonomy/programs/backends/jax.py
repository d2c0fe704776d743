"""Programs as pure functions of JAX arrays.

Programs as pure functions of JAX arrays: to be jitted, mapped over batches and differentiated.

Everything is in double precision, which JAX has to be told. The pure function refuses to compute in single
precision; the backend, whose arguments and results are NumPy arrays, asks for doubles around its own call only.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, final

import numpy as np

from anholonomy.algebra.arithmetic import AbstractOperators, evaluate
from anholonomy.algebra.expressions import Expr, time
from anholonomy.algebra.steps.definitions import Assign
from anholonomy.base.errors import Error
from anholonomy.programs.backends.base import AbstractBackend, Array, Kernel
from anholonomy.programs.program import Program

__all__ = ["JaxBackend"]

_SPELLED = {name: f"arc{name[1:]}" for name in ("asin", "acos", "atan", "atan2", "asinh", "acosh", "atanh")}


@final
class JaxArithmetic(AbstractOperators):
    """Expressions over JAX arrays."""

    def __init__(self) -> None:
        import jax.numpy

        self._numpy = jax.numpy

    def number(self, value: Fraction | float) -> Any:
        # A NumPy double, so that constants among themselves are computed once and for all.
        return np.float64(float(value))

    def function(self, name: str, arguments: Sequence[Any]) -> Any:
        if name == "if":
            u, a, b = arguments
            return self._numpy.where(u > 0.0, a, b)
        if name == "erf":
            import jax.scipy.special

            return jax.scipy.special.erf(*arguments)
        return getattr(self._numpy, _SPELLED.get(name, name))(*arguments)


def jax_function(program: Program) -> Callable[[Any, Any, Any], Any]:
    """``f(t, x, p)`` with a number and arrays of shapes (states,), (parameters,); gives an array of shape (outputs,).

    >>> import jax
    >>> from anholonomy.programs.program import lower
    >>> from anholonomy.algebra.expressions import symbol
    >>> x, v, k = (symbol(name) for name in "xvk")
    >>> f = jax_function(lower([x, v], [k], [], [v, k * x]))
    >>> with jax.enable_x64(True):
    ...     print(jax.jacfwd(f, argnums=1)(0.0, jax.numpy.array([1.0, 2.0]), jax.numpy.array([9.0])))
    [[0. 1.]
     [9. 0.]]
    """
    import jax.numpy

    arithmetic = JaxArithmetic()

    def function(t: Any, x: Any, p: Any) -> Any:
        t, x, p = (jax.numpy.asarray(values, dtype=float) for values in (t, x, p))
        if x.dtype != np.float64:
            raise Error(
                "JAX computes in single precision; call jax.config.update('jax_enable_x64', True) before anything else, "
                "or work inside `with jax.enable_x64(True):`."
            )
        for given, wanted, what in ((x, program.states, "x"), (p, program.parameters, "p")):
            # JAX clamps an index that is out of range, which would give a wrong number without a word.
            if given.ndim < 1 or given.shape[0] != len(wanted):
                raise Error(f"{what} has the shape {given.shape}; give {len(wanted)} values.")
        known: dict[Expr, Any] = {time: t}
        known.update((s, x[i]) for i, s in enumerate(program.states))
        known.update((s, p[i]) for i, s in enumerate(program.parameters))

        def array(expressions: Sequence[Expr]) -> Any:
            values = [evaluate(expression, arithmetic, known) for expression in expressions]
            return jax.numpy.stack([jax.numpy.asarray(value, dtype=float) for value in values]) if values else x[:0]

        for step in program.steps:
            if isinstance(step, Assign):
                known[step.target] = evaluate(step.value, arithmetic, known)
            else:
                entries = [entry for row in step.matrix for entry in row]
                matrix = array(entries).reshape(len(step.right), len(step.unknowns))
                right = array(step.right)
                if step.least:
                    solution = jax.numpy.linalg.pinv(matrix, rtol=1e-12) @ right
                else:
                    solution = jax.numpy.linalg.solve(matrix, right)
                known.update((u, solution[i]) for i, u in enumerate(step.unknowns))
        return array(program.outputs)

    return function


@final
class JaxBackend(AbstractBackend):
    """The program jitted and mapped over the batch, in double precision whatever JAX is set to.

    >>> from anholonomy.programs.program import lower
    >>> from anholonomy.algebra.expressions import symbol
    >>> x, v, k = (symbol(name) for name in "xvk")
    >>> f = JaxBackend().compile(lower([x, v], [k], [], [v, -k * x]))
    >>> f(0.0, [1.0, 2.0], [9.0])
    array([ 2., -9.])
    """

    name = "jax"
    handles_solves = True
    handles_least_squares = True

    def _compile(self, program: Program) -> Kernel:
        import jax

        mapped = jax.jit(jax.vmap(jax_function(program), in_axes=(0, 1, 1), out_axes=1))

        def kernel(t: Array, x: Array, p: Array) -> Array:
            batch = x.shape[1]
            columns = (np.broadcast_to(a, (*a.shape[:-1], batch)) for a in (t, x, p))
            with jax.enable_x64(True):
                return np.array(mapped(*columns), dtype=float)

        return kernel
