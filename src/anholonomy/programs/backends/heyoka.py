"""Programs in heyoka's expressions: what the Taylor integrator differentiates, and a SIMD batch function.

heyoka's own import from SymPy refuses 1/3, so the expressions are folded here; a rational becomes the
nearest double, as it does in every other backend.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, final

import numpy as np

from anholonomy.algebra.arithmetic import evaluate
from anholonomy.algebra.expressions import Expr, time
from anholonomy.algebra.steps.definitions import Assign
from anholonomy.programs.backends.base import AbstractBackend, Array, Kernel, Unsupported
from anholonomy.programs.program import Program

__all__ = ["HeyokaBackend"]

COMPACT_ABOVE = 300
"""Operations above which a batch function is compiled in heyoka's compact mode.

Straight code runs up to twice as fast, but the time to compile it grows faster than its length."""


@final
class HeyokaArithmetic:
    """Expressions as heyoka expressions."""

    def __init__(self) -> None:
        import heyoka

        self._heyoka = heyoka

    def number(self, value: Fraction | float) -> Any:
        return self._heyoka.expression(float(value))

    def pi(self) -> Any:
        return self._heyoka.expression(float(np.pi))

    def add(self, terms: Sequence[Any]) -> Any:
        return self._heyoka.sum(list(terms))

    def multiply(self, factors: Sequence[Any]) -> Any:
        return self._heyoka.prod(list(factors))

    def power(self, base: Any, exponent: int | Fraction) -> Any:
        if Fraction(exponent).denominator == 2:
            return self.power(self._heyoka.sqrt(base), Fraction(exponent).numerator)
        if Fraction(exponent).denominator == 1:
            return self._whole_power(base, int(exponent))
        return base ** self._heyoka.expression(float(exponent))

    def _whole_power(self, base: Any, exponent: int) -> Any:
        """By squaring: the series of a general power divides by the base, and is lost where that is zero."""
        if exponent < 0:
            return self.number(1.0) / self._whole_power(base, -exponent)
        if exponent == 1:
            return base
        half = self._whole_power(base, exponent // 2)
        square = half ** self.number(2.0)
        return square if exponent % 2 == 0 else square * base

    def general_power(self, base: Any, exponent: Any) -> Any:
        return base**exponent

    def function(self, name: str, arguments: Sequence[Any]) -> Any:
        if name in ("abs", "sign"):
            return self._switch(name, *arguments)
        if name == "if":
            u, a, b = arguments
            return self._heyoka.select(self._heyoka.gt(u, self.number(0.0)), a, b)
        return getattr(self._heyoka, name)(*arguments)

    def _switch(self, name: str, argument: Any) -> Any:
        hk, zero = self._heyoka, self.number(0.0)
        if name == "abs":
            return hk.select(hk.lt(argument, zero), -argument, argument)
        ones = self.number(1.0), self.number(-1.0)
        return hk.select(hk.gt(argument, zero), ones[0], hk.select(hk.lt(argument, zero), ones[1], zero))


def variables_and_outputs(program: Program) -> tuple[list[Any], list[Any]]:
    """The states as heyoka variables and the outputs as heyoka expressions of them.

    Parameters become ``heyoka.par[i]`` and time ``heyoka.time``. Raises `Unsupported` unless the program
    is straight.

    >>> from anholonomy.programs.program import lower
    >>> from anholonomy.algebra.expressions import symbol
    >>> x, v, k = (symbol(name) for name in "xvk")
    >>> variables_and_outputs(lower([x, v], [k], [], [v, k * x]))
    ([x0, x1], [x1, (p0 * x0)])
    """
    import heyoka

    variables = [heyoka.expression(s.name) for s in program.states]
    known: dict[Expr, Any] = {time: heyoka.time}
    known.update(zip(program.states, variables, strict=True))
    known.update((s, heyoka.par[i]) for i, s in enumerate(program.parameters))
    arithmetic = HeyokaArithmetic()
    for step in program.steps:
        if not isinstance(step, Assign):
            raise Unsupported("heyoka needs a program without linear systems; unroll it first")
        known[step.target] = evaluate(step.value, arithmetic, known)
    return variables, [evaluate(output, arithmetic, known) for output in program.outputs]


@final
class HeyokaBackend(AbstractBackend):
    """The program compiled by LLVM for several states at a time.

    >>> from anholonomy.programs.program import lower
    >>> from anholonomy.algebra.expressions import symbol
    >>> x, v, k = (symbol(name) for name in "xvk")
    >>> f = HeyokaBackend().compile(lower([x, v], [k], [], [v, -k * x]))
    >>> f(0.0, [[1.0, 2.0, 3.0], [0.0, 0.0, 1.0]], [2.0])
    array([[ 0.,  0.,  1.],
           [-2., -4., -6.]])
    """

    name = "heyoka"
    handles_solves = False

    def _compile(self, program: Program) -> Kernel:
        import heyoka

        variables, outputs = variables_and_outputs(program)
        compiled = heyoka.cfunc(outputs, variables, compact_mode=program.operations > COMPACT_ABOVE)
        # heyoka counts only the inputs that occur and refuses to be handed others.
        needed, timed = compiled.nparams, compiled.is_time_dependent

        def kernel(t: Array, x: Array, p: Array) -> Array:
            extra: dict[str, Array] = {}
            if needed:
                extra["pars"] = np.ascontiguousarray(np.broadcast_to(p[:needed], (needed, x.shape[1])))
            if timed:
                extra["time"] = np.ascontiguousarray(np.broadcast_to(t, x.shape[1:]))
            result: Array = compiled(x, **extra)
            return result

        return kernel
