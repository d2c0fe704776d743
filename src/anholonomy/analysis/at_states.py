"""A function of the configuration at a state that a user gives by names."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import symengine

from anholonomy.language.given import expression, value_of
from anholonomy.language.mistakes.nearest import near_symbol
from anholonomy.refusals import IllPosedSystem, InadmissibleState, UnknownName
from anholonomy.symbolic.expressions import Expr
from anholonomy.symbolic.numbers.balls import FEW_DIGITS, evaluate_ball
from anholonomy.system.model import Model

__all__ = ["value_at"]


def value_at(model: Model, function: Expr, state: Mapping[str, object], what: str) -> float:
    """The function at a state of the model; what the function does not use may be left out of the state."""
    if not isinstance(state, Mapping):
        raise IllPosedSystem(f"{model.name}: {what} is asked at {state!r:.60}; give a dict from names to numbers.")
    given = {str(name): value for name, value in state.items()}
    known = {*model.names, *(s.name for s in function.free_symbols)}
    if strange := sorted(given.keys() - known):
        near = near_symbol(strange[0], sorted(known))
        hint = f"; did you mean {near}?" if near else f"; there are {', '.join(sorted(known))}."
        raise UnknownName(f"{model.name}: {strange[0]} is no name of this system{hint}")
    values = {name: value for name, value in model.parameters.items() if value is not None} | given
    needed = sorted(function.free_symbols, key=str)
    if missing := [s.name for s in needed if s.name not in values]:
        raise InadmissibleState(f"{model.name}: {what} depends on {missing[0]}, which the state does not give; add it.")
    exact = {s: _number(values[s.name], s.name) for s in needed}
    try:
        found = evaluate_ball(function.xreplace(exact), {}, FEW_DIGITS)
    except (KeyError, ValueError, OverflowError, RuntimeError):  # SymEngine divides by zero in its own way
        found = None
    if found is None or not found.is_finite():
        raise InadmissibleState(f"{model.name}: {what} is not finite at this state; give another.")
    return float(found.mid())


def _number(value: object, name: str) -> Expr:
    """An exact number from a number, or from a text such as ``"pi/2"``."""
    read = expression(value, name) if isinstance(value, str) else None
    if read is not None and not read.free_symbols:
        return read
    number = value_of(value, name)
    if number is None:
        raise InadmissibleState(f"{name} has no value; give a number.")
    exact = Fraction(number)
    return symengine.Rational(exact.numerator, exact.denominator)
