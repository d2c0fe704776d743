r"""Does a rewriting keep the digits of doubles? $(x - 1000)^2$ multiplied out is the same function, and noise in doubles.

Both forms are run in balls of a double's precision where the sums in the declaration nearly cancel, $x \approx 1000$: there, and
perhaps nowhere else, an expression that was given factored is better than its expansion. The radii tell.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction

import symengine

from anholonomy.algebra.calculus import partial
from anholonomy.algebra.expressions import Expr, Symbol, free_symbols
from anholonomy.algebra.numbers.balls import Ball, ball, evaluate_ball, excludes_zero, precision
from anholonomy.algebra.numbers.random_points import random_point
from anholonomy.algebra.steps.definitions import Step
from anholonomy.algebra.steps.in_balls import run_steps

__all__ = ["keeps_digits"]

_DOUBLE = 6
"""Digits beside the guard that make the precision of a double."""
_POINTS, _WORSE, _NEAR = 4, 30.0, 1e-3
"""Points looked at, how much wider a ball may become, and how near to cancelling the sums are brought."""


def keeps_digits(
    given: Sequence[Step],
    rewritten: Sequence[Step],
    targets: Sequence[Symbol],
    declared: Iterable[Expr],
    moving: Sequence[Symbol],
    fixed: Mapping[Symbol, Fraction],
) -> bool:
    """Whether ``targets`` are as well determined by the ``rewritten`` steps as by the ``given`` ones.

    ``declared`` are the expressions whose sums are made to cancel, by values of the symbols in ``moving``.

    >>> from anholonomy.algebra.expressions import symbol
    >>> from anholonomy.algebra.steps.definitions import Assign
    >>> x, y = symbol("x"), symbol("y")
    >>> square, trinomial = [Assign(y, (x - 1000) ** 2)], [Assign(y, x**2 - 2000 * x + 1000000)]
    >>> keeps_digits(square, trinomial, [y], [square[0].value], [x], {}), keeps_digits(
    ...     trinomial, square, [y], [square[0].value], [x], {}
    ... )
    (False, True)
    """
    known = free_symbols(source for steps in (given, rewritten) for step in steps for source in step.sources)
    known -= {target for step in (*given, *rewritten) for target in step.targets}
    decided = False
    for point in _close_calls(sorted(_sums(declared), key=_simplest), moving, known, fixed):
        before, after = _radii(given, point, targets), _radii(rewritten, point, targets)
        if before is None:
            continue
        if after is None or any(new > _WORSE * old for new, old in zip(after, before, strict=True)):
            return False
        decided = True
    return decided


def _simplest(expression: Expr) -> tuple[int, str]:
    return len(expression.free_symbols), str(expression)


def _sums(expressions: Iterable[Expr]) -> set[Expr]:
    """The sums inside, none of which is the expression itself."""
    found: set[Expr] = set()
    for expression in expressions:
        for part in expression.args:
            found |= {part} if isinstance(part, symengine.Add) else set()
            found |= _sums([part])
    return found


def _close_calls(
    sums: Sequence[Expr], moving: Sequence[Symbol], known: Iterable[Symbol], fixed: Mapping[Symbol, Fraction]
) -> Iterator[dict[Symbol, Ball | Fraction]]:
    """Points where as many of the sums as possible nearly vanish, each by a symbol in which it is linear."""
    rng = random.Random(11)
    for kind in range(_POINTS):
        symbols = free_symbols(sums) | {*moving, *known}
        point: dict[Symbol, Ball | Fraction] = {**random_point(symbols, rng, kind % 2), **fixed}
        free = set(moving) - set(fixed)
        for total in sums if kind % 2 == 0 else reversed(sums):
            choices = [s for s in sorted(total.free_symbols & free, key=str) if s not in partial(total, s).free_symbols]
            if not choices:
                continue
            s = rng.choice(choices)
            slope = evaluate_ball(partial(total, s), point, 30)
            rest = evaluate_ball(total.xreplace({s: symengine.Integer(0)}), point, 30)
            if excludes_zero(slope) and excludes_zero(rest):
                with precision(30):
                    point[s] = (-rest / slope * (1 + ball(_NEAR * rng.uniform(0.3, 1)))).mid()
                free.discard(s)
        yield point


def _radii(
    steps: Sequence[Step], point: Mapping[Symbol, Ball | Fraction], targets: Sequence[Symbol]
) -> list[Ball] | None:
    """The widths of the targets in balls of a double's precision, relative to the largest; None where they are not finite."""
    with precision(_DOUBLE):
        try:
            found = run_steps(steps, {s: ball(value) for s, value in point.items()})
        except ZeroDivisionError:
            return None
        values = [found[target] for target in targets]
        if not all(value.is_finite() for value in values):
            return None
        top = max((value.abs_upper() for value in values), default=ball(0))
        return [value.rad() / top + ball(2) ** -50 if top > 0 else top for value in values]
