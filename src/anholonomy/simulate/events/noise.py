r"""What rounding leaves of a function along a motion: a value counts as zero when it is no larger than that.

Every input is off by a share $\rho$ of itself and every operation by the unit roundoff $\varepsilon$; errors add up,

.. math:: \delta(u + v) = \delta u + \delta v + \varepsilon|u + v|, \qquad \delta f(u) = \max_\pm|f(u \pm \delta u) - f(u)| + \varepsilon|f(u)|

so that the energy less its own value is zero all along, and a coordinate never is because it is small.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeAlias, final

import numpy as np

from anholonomy.compile.backends.base import Array
from anholonomy.compile.backends.numpy import NumpyArithmetic
from anholonomy.symbolic.arithmetic import evaluate
from anholonomy.symbolic.expressions import Expr, Symbol

__all__ = ["noise"]

_EPS = float(np.finfo(float).eps)
_Blurred: TypeAlias = tuple[Any, Any]
"""A value and what it may be off by."""


def noise(function: Expr, values: Mapping[Symbol, Array | float], share: float) -> Array:
    """What ``function`` may be off by where its symbols, each off by a ``share`` of itself, have the given values.

    >>> from anholonomy.symbolic.expressions import symbol
    >>> x = symbol("x")
    >>> noise(x - 2, {x: np.array([2.0, 20.0])}, 1e-10).round(12)
    array([2.e-10, 2.e-09])
    """
    known: dict[Expr, _Blurred] = {s: (np.asarray(v), share * np.abs(v)) for s, v in values.items()}
    with np.errstate(all="ignore"):
        return np.asarray(evaluate(function, _BlurredArithmetic(), known)[1])


@final
class _BlurredArithmetic:
    """Every node of an expression with what it may be off by."""

    def __init__(self) -> None:
        self.plain = NumpyArithmetic()

    def number(self, value: Fraction | float) -> _Blurred:
        return self.plain.number(value), 0.0

    def pi(self) -> _Blurred:
        return self.plain.pi(), 0.0

    def add(self, terms: Sequence[_Blurred]) -> _Blurred:
        return _rounded(self.plain.add([v for v, _ in terms]), sum(e for _, e in terms))

    def multiply(self, factors: Sequence[_Blurred]) -> _Blurred:
        largest = self.plain.multiply([np.abs(v) + e for v, e in factors])
        product = self.plain.multiply([v for v, _ in factors])
        return _rounded(product, largest - np.abs(product))

    def power(self, base: _Blurred, exponent: int | Fraction) -> _Blurred:
        return _moved(lambda u: self.plain.power(u, exponent), [base])

    def general_power(self, base: _Blurred, exponent: _Blurred) -> _Blurred:
        return _moved(self.plain.general_power, [base, exponent])

    def function(self, name: str, arguments: Sequence[_Blurred]) -> _Blurred:
        return _moved(lambda *u: self.plain.function(name, u), arguments)


def _rounded(value: Any, error: Any) -> _Blurred:
    return value, error + _EPS * np.abs(value)


def _moved(f: Callable[..., Any], arguments: Sequence[_Blurred]) -> _Blurred:
    """A function and how far it moves with each of its arguments."""
    here = [v for v, _ in arguments]
    value, error = f(*here), 0.0
    for k, (v, e) in enumerate(arguments):
        moved = [f(*here[:k], v + step, *here[k + 1 :]) for step in (e, -e)]
        error = error + np.maximum(*(np.nan_to_num(np.abs(m - value)) for m in moved))
    return _rounded(value, error)
