"""The door: text, SymPy, SymEngine and plain numbers come in; SymEngine expressions go on.

Text is parsed, never evaluated. SymPy is recognised by its module so that it need not be imported for
users who never touch it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from numbers import Rational, Real
from typing import TYPE_CHECKING, Any

import symengine

from anholonomy.language import parse_equation, parse_expression
from anholonomy.refusals import IllPosedSystem
from anholonomy.symbolic.expressions import Expr, from_sympy, number

if TYPE_CHECKING:
    import sympy

__all__ = ["equation", "expression", "name_of", "value_of", "velocity"]


def expression(value: object, what: str) -> Expr:
    """An expression from text, SymPy, SymEngine or a number."""
    return _admit(value, what, parse_expression)


def equation(value: object, what: str) -> Expr:
    """Left side minus right side, from text with ``=``, a SymPy ``Eq``, or an expression meant to vanish."""
    if _is_sympy(value) and getattr(value, "is_Equality", False):
        left, right = value.args  # type: ignore[attr-defined]
        return from_sympy(left) - from_sympy(right)
    return _admit(value, what, parse_equation)


def _admit(value: object, what: str, parse: Callable[..., Expr]) -> Expr:
    if isinstance(value, str):
        return parse(value, what=what)
    if isinstance(value, symengine.Basic):
        return value
    if _is_sympy(value):
        return from_sympy(value)
    if isinstance(value, Rational) and not isinstance(value, bool):
        return symengine.Rational(int(value.numerator), int(value.denominator))
    if isinstance(value, Real) and not isinstance(value, bool) and math.isfinite(value):
        return number(float(value))
    raise IllPosedSystem(f"{what} is {value!r}; give text, a SymPy expression or a number.")


def value_of(value: object, what: str) -> float | None:
    """A parameter's value: a finite number, or None for a symbol that stays free."""
    if value is None:
        return None
    if isinstance(value, Real | Fraction) and not isinstance(value, bool) and math.isfinite(value):
        return float(value)
    if _is_sympy(value) and getattr(value, "is_number", False) and getattr(value, "is_finite", False):
        return float(value)  # type: ignore[arg-type]
    raise IllPosedSystem(f"{what} has the value {value!r}; give a finite number, or None to leave it free.")


def name_of(thing: object, what: str) -> str:
    """A name from text, a symbol, or a SymPy ``dynamicsymbols`` function."""
    if isinstance(thing, str):
        return thing
    if isinstance(thing, symengine.Symbol):
        return str(thing.name)
    if _is_sympy(thing):
        if getattr(thing, "is_Symbol", False):
            return str(thing.name)  # type: ignore[attr-defined]
        if getattr(thing, "is_Function", False):
            return str(thing.func.__name__)  # type: ignore[attr-defined]
    raise IllPosedSystem(f"{what} is {thing!r}; give its name as text or as a symbol.")


def velocity(coordinate: str | sympy.Symbol) -> sympy.Symbol:
    """The SymPy symbol that stands for the velocity of a coordinate.

    >>> velocity("x")
    x'
    """
    import sympy

    return sympy.Symbol(name_of(coordinate, "the coordinate") + "'")


def _is_sympy(value: Any) -> bool:
    return type(value).__module__.split(".")[0] == "sympy" or any(
        base.__module__.startswith("sympy.") for base in type(value).__mro__
    )
