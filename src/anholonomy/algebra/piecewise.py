r"""Functions that jump or kink: ``abs``, ``sign``, ``heaviside``, ``max``, ``min``, ``if`` and, at its cut, ``atan2``.

.. math:: \mathrm{if}(u, a, b) = a \text{ where } u > 0, \text{ else } b; \qquad
          \mathrm{heaviside}(u) = \tfrac12(1 + \operatorname{sign} u)

All but the modulus are functions that SymEngine knows by name only. Its own sign exhausts the stack at ``sign(sqrt(-x))``,
``atan2(x, x)`` calls that, and a substitution inside SymEngine can make one of these out of any sign or angle.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache, reduce

import symengine

from anholonomy.algebra.expressions import ATOMS, Expr, as_expression, walked

__all__ = [
    "CORNERS", "angle", "by_signs", "choose", "corner_name", "corners", "heaviside", "is_smooth", "maximum",
    "minimum", "modulus", "renewed", "sign", "slope",
]  # fmt: skip

_HALF = symengine.Rational(1, 2)
_REMEMBERED = 20_000
"""Nodes of which it is remembered whether they have a corner."""
_NATIVE = {
    symengine.Abs: "abs",
    symengine.sign: "sign",
    symengine.Max: "max",
    symengine.Min: "min",
    type(symengine.atan2(*symengine.symbols("y x"))): "atan2",
}
_SMOOTH = frozenset((symengine.Add, symengine.Mul, symengine.Pow, symengine.sin, symengine.cos))
"""What most nodes are; that they have no corner is told by their type alone."""


def modulus(u: Expr) -> Expr:
    """The modulus; ``abs(-abs(x))`` comes back from SymEngine as ``abs(abs(x))``, so it is taken twice."""
    once = symengine.Abs(u)
    return symengine.Abs(*once.args) if isinstance(once, symengine.Abs) else once


def sign(u: Expr) -> Expr:
    """1 where ``u`` is positive, -1 where it is negative, 0 where it is zero.

    >>> x = symengine.Symbol("x")
    >>> sign(-2 * x), sign(sign(x)), sign(symengine.sqrt(-x)).args
    (-sign(x), sign(x), (sqrt(-x),))
    """
    u = as_expression(u)
    if isinstance(u, symengine.Rational | symengine.RealDouble):
        return symengine.Integer(int(u.is_positive) - int(u.is_negative))
    if u == symengine.pi or (isinstance(u, symengine.Pow) and u.args[0] == symengine.E) or u == symengine.E:
        return symengine.Integer(1)
    if corner_name(u) == "sign":
        return u
    if isinstance(u, symengine.Mul) and isinstance(u.args[0], symengine.Rational):
        return sign(u.args[0]) * _named("sign", symengine.Mul(*u.args[1:]))
    return _named("sign", u)


def heaviside(u: Expr) -> Expr:
    """0 where ``u`` is negative, 1 where it is positive, 1/2 where it is zero.

    >>> heaviside(symengine.Integer(-3)), heaviside(symengine.Symbol("x"))
    (0, heaviside(x))
    """
    u = as_expression(u)
    return (1 + sign(u)) * _HALF if isinstance(u, symengine.Number) else _named("heaviside", u)


def maximum(*values: Expr) -> Expr:
    """The largest of some values.

    >>> maximum(symengine.Symbol("x"), 1, 2)
    max(x, 2)
    """
    return _extreme("max", values, 1)


def minimum(*values: Expr) -> Expr:
    """The smallest of some values."""
    return _extreme("min", values, -1)


def _extreme(name: str, values: Sequence[Expr], direction: int) -> Expr:
    distinct = list(dict.fromkeys(map(as_expression, values)))
    numbers = [v for v in distinct if isinstance(v, symengine.Rational)]
    if len(numbers) > 1:
        best = max(numbers, key=lambda n: direction * n)
        distinct = [v for v in distinct if v == best or v not in numbers]
    return distinct[0] if len(distinct) == 1 else _named(name, *distinct)


def choose(u: Expr, a: Expr, b: Expr) -> Expr:
    """``a`` where ``u`` is positive, else ``b``.

    >>> x = symengine.Symbol("x")
    >>> choose(symengine.Integer(0), 1, x), choose(x, 2, 2)
    (x, 2)
    """
    u, a, b = _without_inner_sums(as_expression(u)), as_expression(a), as_expression(b)
    if isinstance(u, symengine.Rational | symengine.RealDouble):
        return a if u.is_positive else b
    return a if a == b else _named("if", u, a, b)


def _without_inner_sums(u: Expr) -> Expr:
    """``x - (y + 1)`` as ``x - y - 1``, so that a condition is the same however its terms are spread over its sides."""
    terms = u.args if isinstance(u, symengine.Add) else (u,)
    flat = ([-part for part in (-term).args] if isinstance(-term, symengine.Add) else [term] for term in terms)
    return symengine.Add(*(part for parts in flat for part in parts))


def angle(y: Expr, x: Expr) -> Expr:
    """The angle of the vector (x, y), ``atan2(y, x)``.

    >>> angle(*symengine.symbols("y x"))
    atan2(y, x)
    """
    y, x = as_expression(y), as_expression(x)
    return symengine.nan if x == 0 == y else _named("atan2", y, x)


def _named(name: str, *arguments: Expr) -> Expr:
    return symengine.Function(name)(*arguments)


CORNERS: dict[str, Callable[..., Expr]] = {
    "abs": modulus,
    "sign": sign,
    "heaviside": heaviside,
    "max": maximum,
    "min": minimum,
    "if": choose,
    "atan2": angle,
}
"""Their names, and how each is built."""


def corner_name(node: Expr) -> str | None:
    """The name of a function that jumps or kinks; None for everything else."""
    if isinstance(node, symengine.FunctionSymbol):
        name = str(node.get_name())
        return name if name in CORNERS else None
    return _NATIVE.get(type(node))


def corners(expression: Expr) -> list[Expr]:
    """All nodes that jump or kink, inner ones first.

    >>> x = symengine.Symbol("x")
    >>> corners(sign(symengine.Abs(x) - 1) * x)
    [abs(x), sign(-1 + abs(x))]
    """
    found = [
        node for node, arguments in walked(expression) if arguments and type(node) not in _SMOOTH and corner_name(node)
    ]
    return sorted(found, key=lambda node: (len(str(node)), str(node))) if found else found


def is_smooth(expression: Expr) -> bool:
    """Whether no node jumps or kinks; sooner said than which do."""
    known = _smooth_lately()
    if len(known) > _REMEMBERED:
        known.clear()
    seen, waiting = set(), [expression]
    while waiting:
        node = waiting.pop()
        if type(node) in ATOMS or node in known or node in seen:
            continue
        if type(node) not in _SMOOTH and corner_name(node):
            return False
        seen.add(node)
        waiting += node.args
    known |= seen
    return True


@lru_cache(maxsize=1)
def _smooth_lately() -> set[Expr]:
    """Nodes that were found smooth lately: a declaration asks for the slopes of the same ones again and again."""
    return set()


def slope(node: Expr, partial: Callable[[Expr], Expr]) -> Expr:
    r"""The derivative on either side of the corner, $\mathrm{d}|u| = \operatorname{sign}(u)\,\mathrm{d}u$, from those of the arguments."""
    match corner_name(node), node.args:
        case "abs", (u,):
            return sign(u) * partial(u)
        case "if", (u, a, b):
            return choose(u, partial(a), partial(b))
        case "atan2", (y, x):
            return (x * partial(y) - y * partial(x)) / (x**2 + y**2)
        case ("max" | "min") as name, (first, *others):
            other = CORNERS[name](*others)
            return choose(first - other if name == "max" else other - first, partial(first), partial(other))
    return symengine.Integer(0)


def by_signs(node: Expr) -> Expr:
    r"""The same by moduli and signs alone, $\max(a, b) = \frac{a + b + |a - b|}{2}$, for proofs: digits may cancel in it.

    >>> a, b = symengine.symbols("a b")
    >>> by_signs(minimum(a, b))
    (1/2)*a + (1/2)*b + (-1/2)*abs(a - b)
    """
    match corner_name(node), node.args:
        case "heaviside", (u,):
            return (1 + sign(u)) * _HALF
        case "if", (u, a, b):
            return (a + b) * _HALF + sign(u) * (a - b) * _HALF
        case ("max" | "min") as name, values:
            half = _HALF if name == "max" else -_HALF
            return reduce(lambda a, b: a * _HALF + b * _HALF + half * symengine.Abs(a - b), values)
    return node


def renewed(expression: Expr) -> Expr:
    """The expression with its corners built again, so that numbers which came in by substitution are decided.

    >>> x, y = symengine.symbols("x y")
    >>> renewed(sign(x * y).xreplace({x: symengine.Integer(-2)}))
    -sign(y)
    """
    anew: dict[Expr, Expr] = {}
    for node in corners(expression):
        anew[node] = CORNERS[str(corner_name(node))](*(argument.xreplace(anew) for argument in node.args))
    return expression.xreplace(anew) if anew else expression
