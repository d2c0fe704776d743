r"""Is it zero? Proven yes, proven no, or unknown; never a guess.

*No* is a ball at a real point that excludes zero. *Yes* is a normal form whose numerator is 0, for an
expression that is real and finite somewhere. Everything else is unknown. "Zero" means zero at every real
point where the expression is defined; floats are the exact binary numbers they are.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from enum import Enum
from functools import lru_cache

import symengine

from anholonomy.symbolic.balls import Ball, ball, evaluate_balls, excludes_zero, random_point
from anholonomy.symbolic.canonical import Canonical, NoNormalForm
from anholonomy.symbolic.expressions import Expr
from anholonomy.symbolic.jets import Jets, with_jets

__all__ = ["Verdict", "are_all_zero", "is_zero", "zero_test"]


class Verdict(Enum):
    """What is proven about an expression."""

    ZERO = "zero wherever it is defined"
    NONZERO = "different from zero at some point"
    UNKNOWN = "neither proven"


@lru_cache(maxsize=4096)
def zero_test(expression: Expr) -> Verdict:
    """Decide whether an expression vanishes identically.

    >>> x, y = symengine.symbols("x y")
    >>> zero_test(symengine.sin(2 * x) - 2 * symengine.sin(x) * symengine.cos(x))
    <Verdict.ZERO: 'zero wherever it is defined'>
    >>> zero_test(symengine.sqrt(x**2) - x)
    <Verdict.NONZERO: 'different from zero at some point'>
    >>> zero_test(symengine.atan(x) + symengine.atan(1 / x) - symengine.pi / 2 * symengine.sign(x))
    <Verdict.UNKNOWN: 'neither proven'>
    """
    expression = symengine.sympify(expression)
    if expression == 0:
        return Verdict.ZERO
    # Each search draws the same points every time, so that a verdict never depends on what was asked before.
    defined = False
    for value in _values(expression, digits=30, wanted=3, tries=30):
        defined = True
        if excludes_zero(value):
            return Verdict.NONZERO
    if _normal_form_vanishes(expression):
        return Verdict.ZERO if defined else Verdict.UNKNOWN
    for value in _values(expression, digits=120, wanted=8, tries=40):
        if excludes_zero(value):
            return Verdict.NONZERO
    return Verdict.UNKNOWN


def is_zero(expression: Expr) -> bool:
    """True only if the expression is proven to vanish."""
    return zero_test(expression) is Verdict.ZERO


def are_all_zero(expressions: Iterable[Expr]) -> bool:
    """True only if every expression is proven to vanish."""
    return all(is_zero(expression) for expression in expressions)


def _normal_form_vanishes(expression: Expr) -> bool:
    try:
        return bool(Canonical([expression]).quotient(expression).num.is_zero())
    except NoNormalForm:
        return False


def _values(expression: Expr, *, digits: int, wanted: int, tries: int) -> Iterator[Ball]:
    """Finite balls of the expression at random points where its unknown functions are independent."""
    jets = with_jets(expression)
    if jets is None:
        return
    rng = random.Random(digits)
    for attempt in range(tries):
        value = _value(jets, rng, attempt, digits)
        if value is None:
            return
        if value.is_finite():
            yield value
            wanted -= 1
        if not wanted:
            return


def _value(jets: Jets, rng: random.Random, attempt: int, digits: int) -> Ball | None:
    """One ball, not finite where unknown functions may depend on each other; None if there is no arithmetic."""
    expressions = [jets.expression, *(d for group in jets.differences for d in group)]
    point = random_point(set().union(*(e.free_symbols for e in expressions)), rng, attempt)
    try:
        value, *rest = evaluate_balls(expressions, point, digits)
    except (KeyError, ValueError, OverflowError):
        # A function outside the language, an imaginary number or an infinity.
        return None
    for group in jets.differences:
        apart, rest = rest[: len(group)], rest[len(group) :]
        if not any(map(excludes_zero, apart)):
            return ball("nan")
    return value
