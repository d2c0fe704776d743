r"""Corners and jumps that derivatives know nothing of, roots of squares among them: $\sqrt{x^2} = |x|$.

A derivative of $\operatorname{sign}x$ or of $x/\sqrt{x^2}$ is zero wherever it exists, and yet the function is not constant. So what is concluded from
derivatives alone holds on either side, and a motion may change sides.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import symengine

from anholonomy.symbolic.corners import corner_name, corners
from anholonomy.symbolic.expressions import Expr, Symbol
from anholonomy.symbolic.normal_forms.canonical import Canonical, NoNormalForm

__all__ = ["has_corners", "has_jumps", "without_squares"]

_KINKS = ("abs", "max", "min")
"""Corners at which a function does not jump."""


def has_corners(expression: Expr, symbols: Iterable[Symbol]) -> bool:
    """Whether something in the symbols stands in a function that jumps or kinks, or is squared under a root.

    >>> x, y = symengine.symbols("x y")
    >>> has_corners(y * abs(x), [x]), has_corners(y * abs(x), [y]), has_corners(symengine.sqrt(x**2 * (1 + y**2)), [x])
    (True, False, True)
    """
    own = set(symbols)
    return any(node.free_symbols & own for node in corners(expression)) or any(True for _ in _roots(expression, own))


def has_jumps(expression: Expr, symbols: Iterable[Symbol]) -> bool:
    """Whether it may jump with the symbols: by a sign or a condition, or by a quotient of what kinks.

    >>> x = symengine.Symbol("x")
    >>> has_jumps(x * abs(x), [x]), has_jumps(x / abs(x), [x]), has_jumps(x / symengine.sqrt(x**2), [x])
    (False, True, True)
    """
    own = set(symbols)
    signs = (node for node in corners(expression) if corner_name(node) not in _KINKS)
    below = (node.args[0] for node in expression.atoms(symengine.Pow) if _is_negative(node.args[1]))
    roots = (node for node in _roots(expression, own) if _is_negative(node.args[1]))
    return (
        any(node.free_symbols & own for node in signs)
        or any(has_corners(base, own) for base in below)
        or any(True for _ in roots)
    )


def without_squares(base: Expr) -> Expr:
    """What is left under a root: the factors of odd powers, each once; as it is where no power is more than one.

    >>> x, y = symengine.symbols("x y")
    >>> without_squares(x**2 + x**2 * y), without_squares(x**2 + 2 * x * y + y**2)
    (1 + y, 1)
    """
    try:
        forms = Canonical([base])
        value = forms.quotient(base)
        split = [forms.ring.lift(part).factor() for part in value]
        powers = [(f, int(power)) for _, factors in split for f, power in factors]
    except NoNormalForm:
        return base
    if all(power == 1 for _, power in powers):
        return base
    sign = -1 if sum(unit < 0 for unit, _ in split) % 2 else 1
    return sign * symengine.Mul(*(forms.ring.expanded(f) for f, power in powers if power % 2))


def _is_negative(exponent: Expr) -> bool:
    return isinstance(exponent, symengine.Number) and bool(exponent < 0)


def _roots(expression: Expr, own: set[Symbol]) -> Iterator[Expr]:
    """Even roots in which something in the symbols is squared."""
    for node in expression.atoms(symengine.Pow):
        base, exponent = node.args
        even = isinstance(exponent, symengine.Rational) and int(exponent.q) % 2 == 0
        if even and base.free_symbols & own:
            left = without_squares(base)
            if left != base and (base.free_symbols - left.free_symbols) & own:
                yield node
