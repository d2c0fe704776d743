"""Is it zero? Proven yes, proven no, or unknown, never a guess; and is it homogeneous?

*No* is a ball at a real point that excludes zero. *Yes* is a normal form whose numerator is 0, for an
expression that is real and finite somewhere. Everything else is unknown. "Zero" means zero at every real
point where the expression is defined; floats are the exact binary numbers they are. Given an orbit
(`anholonomy.algebra.redundant_coordinates`), redundant coordinates take the values they have on the group, and no others.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

import symengine

from anholonomy.algebra.arithmetic import tape
from anholonomy.algebra.calculus import gradient
from anholonomy.algebra.expressions import ATOMS, Expr, Symbol, as_expression, dot, free_symbols, is_naught
from anholonomy.algebra.normal_forms.canonical import Canonical, NoNormalForm
from anholonomy.algebra.numbers.balls import Ball, BallArithmetic, ball, evaluate_balls, excludes_zero, precision
from anholonomy.algebra.numbers.doubles import at_point
from anholonomy.algebra.numbers.random_points import Ground, draw, random_point
from anholonomy.algebra.piecewise import is_smooth
from anholonomy.algebra.unknown_functions import Jets, with_jets
from anholonomy.base.tolerances import CLEAR
from anholonomy.base.verdict import Verdict

__all__ = [
    "are_all_zero", "decide", "homogeneity", "is_zero", "not_seen_to_differ", "verdict_of", "witness", "zero_test",
]  # fmt: skip


QUICK = (30, 3, 30)
THOROUGH = (120, 8, 40)
"""Digits, finite values wanted, points tried at most."""
_NUDGES, _LARGE = (1e-10, 1e-10), 1e-4
"""By how much a point is moved, relatively, to see what rounding makes of a value; and what is large beside that, at a point of modest numbers."""
_TURNS = (symengine.sin, symengine.cos)
_ROUNDED = 20
"""Digits of a point of a group that has no rational points at hand."""


def zero_test(expression: Expr, on: Ground | None = None) -> Verdict:
    """Decide whether an expression vanishes identically, or on a group: the verdict on the claim that it is zero.

    >>> import symengine
    >>> x, y = symengine.symbols("x y")
    >>> zero_test(symengine.sin(2 * x) - 2 * symengine.sin(x) * symengine.cos(x))
    <Verdict.PROVEN: 'proven'>
    >>> zero_test(symengine.sqrt(x**2) - x)
    <Verdict.REFUTED: 'refuted'>
    >>> from anholonomy.algebra.piecewise import sign
    >>> zero_test(symengine.atan(x) + symengine.atan(1 / x) - symengine.pi / 2 * sign(x))
    <Verdict.UNKNOWN: 'unknown'>
    >>> from anholonomy.geometry.groups import SO3
    >>> unit = symengine.Add(*(q**2 for q in SO3().coordinates)) - 1
    >>> zero_test(unit).name, zero_test(unit, SO3().frame.orbit).name
    ('REFUTED', 'PROVEN')
    """
    expression = as_expression(expression)
    return _remembered(expression, _where(expression, on))


def not_seen_to_differ(expressions: Sequence[Expr]) -> list[Expr]:
    """The expressions that one random point, the same for all, does not prove different from zero.

    >>> import symengine
    >>> x = symengine.Symbol("x")
    >>> not_seen_to_differ([x - 1, symengine.sin(x) ** 2 + symengine.cos(x) ** 2 - 1])
    [-1 + sin(x)**2 + cos(x)**2]
    """
    expressions = [e for e in expressions if not _is_plainly_something(e)]
    point = random_point(free_symbols(expressions), random.Random(QUICK[0]))
    expressions = _not_seen_in_doubles(expressions, point)
    try:
        with precision(QUICK[0]):
            values = tape(tuple(expressions)).run(BallArithmetic(), {s: ball(value) for s, value in point.items()})
    except (KeyError, ValueError, OverflowError):  # something outside of arithmetic
        return list(expressions)
    return [expression for expression, value in zip(expressions, values, strict=True) if not excludes_zero(value)]


def _is_plainly_something(expression: Expr) -> bool:
    """Whether it is a product of symbols, numbers, and sines and cosines of linear sums, none of which is zero everywhere."""
    factors = expression.args if type(expression) is symengine.Mul else (expression,)
    return all(
        (type(factor) in ATOMS and not is_naught(factor)) or (type(factor) in _TURNS and _is_linear(factor.args[0]))
        for factor in factors
    )


def _is_linear(angle: Expr) -> bool:
    """Whether it is a sum of symbols with numbers before them, in which SymEngine has cancelled what cancels."""
    terms = angle.args if type(angle) is symengine.Add else (angle,)
    parts = [term.args if type(term) is symengine.Mul else (term,) for term in terms]
    symbols = [sum(type(part) is symengine.Symbol for part in each) for each in parts]
    return max(symbols) == 1 and all(type(part) in ATOMS for each in parts for part in each)


def _not_seen_in_doubles(expressions: Sequence[Expr], point: Mapping[Symbol, Fraction]) -> list[Expr]:
    """Those that are not clearly away from zero in doubles, whichever way the point is moved a little."""
    smooth = [e for e in expressions if is_smooth(e)]
    rng = random.Random(1)
    nudged = [{s: float(v) * (1 + n * rng.uniform(-1, 1)) for s, v in point.items()} for n in (0.0, *_NUDGES)]
    here, *others = (at_point(smooth, values) for values in nudged)
    is_clear = [
        abs(v) > _LARGE and all(abs(v - w) < CLEAR * abs(v) for w in rest)
        for v, *rest in zip(here, *others, strict=True)
    ]
    differ = {e for e, clear in zip(smooth, is_clear, strict=True) if clear}
    return [e for e in expressions if e not in differ]


def decide(expression: Expr, on: Ground | None = None, seed: int = 0) -> Verdict:
    """The zero test without memory; another ``seed`` looks at other points."""
    return _decided(expression, _where(expression, on), seed)


def _where(expression: Expr, on: Ground | None) -> Ground | None:
    return on if on is not None and on.confines([expression]) else None


def _decided(expression: Expr, on: Ground | None, seed: int = 0) -> Verdict:
    if expression == 0:
        return Verdict.PROVEN
    point, defined = _search(expression, on, *QUICK, seed)
    if point is not None:
        return Verdict.REFUTED
    if _normal_form_vanishes(expression) if on is None else on.vanishes(expression):
        return Verdict.PROVEN if defined else Verdict.UNKNOWN
    point, _ = _search(expression, on, *THOROUGH, seed)
    return Verdict.UNKNOWN if point is None else Verdict.REFUTED


_remembered = lru_cache(maxsize=4096)(_decided)


def verdict_of(expressions: Iterable[Expr], on: Ground | None = None) -> Verdict:
    """One verdict on expressions that should all vanish.

    >>> import symengine
    >>> verdict_of(symengine.symbols("x y"))
    <Verdict.REFUTED: 'refuted'>
    """
    return Verdict.on_all(zero_test(expression, on) for expression in expressions)


def witness(expression: Expr, on: Ground | None = None) -> dict[Symbol, Fraction] | None:
    """A point where the expression is proven not to vanish, or None if none was met.

    Values of unknown functions appear in the point as symbols ``_jet0``, ``_jet1``, … A point of a group is exact
    where the group has rational points at hand; otherwise its redundant coordinates are rounded.

    >>> import symengine
    >>> x = symengine.Symbol("x")
    >>> bool(witness(symengine.sqrt(x**2) - x)[x] < 0)
    True
    >>> witness(symengine.sqrt(x) ** 2 - x) is None
    True
    """
    found = (_search(as_expression(expression), on, *how)[0] for how in (QUICK, THOROUGH))
    point = next((point for point in found if point is not None), None)
    return None if point is None else {name: _shown(value) for name, value in point.items()}


def _shown(value: Fraction | Ball) -> Fraction:
    return value if isinstance(value, Fraction) else Fraction(value.mid().str(_ROUNDED, radius=False))


def is_zero(expression: Expr, on: Ground | None = None) -> bool:
    """True only if the expression is proven to vanish."""
    return zero_test(expression, on) is Verdict.PROVEN


def are_all_zero(expressions: Iterable[Expr], on: Ground | None = None) -> bool:
    """True only if every expression is proven to vanish."""
    return all(is_zero(expression, on) for expression in expressions)


def _normal_form_vanishes(expression: Expr) -> bool:
    try:
        return bool(Canonical([expression]).quotient(expression).num.is_zero())
    except NoNormalForm:
        return False


def _search(
    expression: Expr, on: Ground | None, digits: int, wanted: int, tries: int, seed: int = 0
) -> tuple[dict[Symbol, Any] | None, bool]:
    """A point where a ball excludes zero, if one is met, and whether any ball was finite.

    The same points are drawn every time, so that a verdict never depends on what was asked before.
    """
    jets = with_jets(expression)
    if jets is None:
        return None, False
    rng, finite = random.Random(digits + seed), 0
    for attempt in range(tries):
        point, value = _value(jets, on, rng, attempt, digits)
        if value is None:
            break
        if excludes_zero(value):
            return point, True
        finite += bool(value.is_finite())
        if finite == wanted:
            break
    return None, finite > 0


def _value(
    jets: Jets, on: Ground | None, rng: random.Random, attempt: int, digits: int
) -> tuple[dict[Symbol, Any], Ball | None]:
    """One ball, not finite where unknown functions may depend on each other; None without an arithmetic."""
    expressions = [jets.expression, *(d for group in jets.differences for d in group)]
    point = draw(set().union(*(e.free_symbols for e in expressions)), rng, attempt, digits, on)
    try:
        value, *rest = evaluate_balls(expressions, point, digits)
    except (KeyError, ValueError, OverflowError):
        # A function outside the language, an imaginary number or an infinity.
        return point, None
    for group in jets.differences:
        apart, rest = rest[: len(group)], rest[len(group) :]
        if not any(map(excludes_zero, apart)):
            return point, ball("nan")
    return point, value


# Homogeneous functions, by Euler's identity.
#
# .. math:: h(ku) = k^n h(u) \;(k > 0) \quad\Longleftrightarrow\quad u\cdot\frac{\partial h}{\partial u} = n\,h


def homogeneity(value: Expr, of: Sequence[Symbol], degree: int = 1) -> Verdict:
    """Whether a function is homogeneous of a degree: `Verdict.PROVEN` for yes, `Verdict.REFUTED` for no.

    >>> from anholonomy.algebra.expressions import symbol
    >>> x, y = symbol("x"), symbol("y")
    >>> homogeneity(x**2 - x * y, (x, y), 2).name, homogeneity(x**2 - x * y, (x, y)).name
    ('PROVEN', 'REFUTED')
    """
    return zero_test(dot(of, gradient(value, of)) - degree * value)
