r"""Switching functions: where an expression jumps or kinks, also by a root of a square.

``abs(u)``, ``sign(u)``, ``heaviside(u)`` and ``if(u > 0, a, b)`` switch where $u$ changes its sign, and so does $\sqrt{u^2} = |u|$;
``max(a, b)`` and ``min(a, b)`` where $a - b$ does. The angle ``atan2(y, x)`` jumps by
$2\pi$ where $y$ does while $x < 0$. A root of a sum of squares, $\sqrt{u^2 + v^2}$, kinks where the sum touches zero, which it
does without changing its sign.

With its signs held, $|u| = su$, an expression is smooth: what an integrator can follow up to the switch and a little beyond.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations

import symengine

from anholonomy.algebra.arithmetic import function_name
from anholonomy.algebra.expressions import Expr, Symbol
from anholonomy.algebra.normal_forms.canonical import Canonical, NoNormalForm
from anholonomy.algebra.piecewise import angle, choose, corner_name, corners
from anholonomy.algebra.poles import is_pole, without_removable_poles

__all__ = ["has_corners", "has_jumps", "held", "is_positive", "switches", "touches", "without_squares"]


def switches(expression: Expr) -> tuple[Expr, ...]:
    """Functions such that ``expression`` is smooth, inside its domain, wherever none of them changes sign.

    A change of sign need not be a jump: the product ``x*abs(x)`` has a slope at zero, and ``atan2(x, 1)`` no cut.

    >>> x, y, v = symengine.symbols("x y v")
    >>> from anholonomy.algebra.piecewise import sign
    >>> sorted(switches(y * sign(x) + symengine.Abs(v)), key=str)
    [v, x]
    >>> switches(v / symengine.sqrt(v**2)), switches(symengine.atan2(y, x)), switches(symengine.sqrt(x))
    ((v,), (y,), ())
    """
    return _collected(expression, _switching)


def touches(expression: Expr) -> tuple[Expr, ...]:
    """Radicands in ``expression`` that may touch zero: functions, nowhere negative on a motion, where a root kinks or ends.

    >>> x, y = symengine.symbols("x y")
    >>> touches(x / symengine.sqrt(x**2 + y**2)), touches(symengine.sqrt(1 + x**2)), touches(symengine.sqrt(x**2))
    ((x**2 + y**2,), (), ())
    """
    return _collected(expression, _touching)


def held(expression: Expr, signs: Mapping[Expr, Expr]) -> Expr:
    r"""The expression with the signs of switching functions given, $\operatorname{sign}u = s$: equal where these signs are theirs.

    >>> from anholonomy.algebra.piecewise import angle, maximum
    >>> x, y, s = symengine.symbols("x y s")
    >>> held(symengine.Abs(x) + 1 / symengine.sqrt(x**2 * y), {x: s})
    s*x + s/(x*sqrt(y))
    >>> held(angle(x, y), {x: s}), held(maximum(x, y), {x - y: s})
    ((1/2)*s*pi + atan2(-s*y, s*x), if(s, x, y))
    """
    if not signs:
        return expression
    rewritten: dict[Expr, Expr] = {}
    for node in reversed(_nodes(expression)):  # the inner ones first
        if any(u in signs for u in _switching(node)):
            rewritten[node] = _held(node, signs, rewritten)
    return _regular(expression.xreplace(rewritten), signs) if rewritten else expression


def _regular(expression: Expr, signs: Mapping[Expr, Expr]) -> Expr:
    r"""Without poles that are none, as of $(u + |u|)/|u| = s + 1$: a sign is its own reciprocal, and 0 at rest."""
    functions = [function for u in signs for function in (u, -u)]
    regular: dict[Expr, Expr] = {}
    for node in reversed(_nodes(expression)):
        if isinstance(node, symengine.Mul):
            regular[node] = without_removable_poles(node.xreplace(regular), functions)
            for s in signs.values():
                regular[node] = _spread(regular[node], s)
    expression = expression.xreplace(regular) if regular else expression
    poles = [(node, s) for s in signs.values() for node in _nodes(expression) if is_pole(node, s)]
    return expression.xreplace({node: s if int(node.args[1]) % 2 else 1 for node, s in poles}) if poles else expression


def _spread(product: Expr, s: Expr) -> Expr:
    """A sum over a sign as the sum of its terms over it, so that the sign stands only below what has none."""
    sums = [f for f in product.args if isinstance(f, symengine.Add) and s in f.free_symbols]
    if not sums or not any(is_pole(factor, s) for factor in product.args):
        return product
    outside = product / sums[0]
    return symengine.Add(*(outside * term for term in sums[0].args))


def _held(node: Expr, signs: Mapping[Expr, Expr], known: Mapping[Expr, Expr]) -> Expr:
    """One switching node, with what was rewritten inside it."""
    name = function_name(node)
    if name in ("max", "min"):
        return _held_extreme(name, node.args, signs, known)
    if not isinstance(node, symengine.Pow):
        s, (u, *others) = signs[node.args[0]], (part.xreplace(known) for part in node.args)
        match name:
            case "atan2":
                return s * symengine.pi / 2 + angle(-s * others[0], s * u)
            case "if":
                return choose(s, *others)
            case "heaviside":
                return (1 + s) / 2
        return s if name == "sign" else s * u
    result = symengine.Integer(1)
    for base, exponent in _factors(node.args[0]):
        power, inner = exponent * node.args[1], base.xreplace(known)
        if base not in signs or not _is_even(exponent):
            result *= inner**power
        elif isinstance(power, symengine.Integer):
            result *= inner**power * (signs[base] ** (1 if power > 0 else -1) if int(power) % 2 else 1)
        else:
            result *= (signs[base] * inner) ** power
    return result


def _held_extreme(name: str, values: Sequence[Expr], signs: Mapping[Expr, Expr], known: Mapping[Expr, Expr]) -> Expr:
    """The extreme of several values by the signs of their differences, as far as these are given."""
    first, *others = values
    if not others:
        return first.xreplace(known)
    second, *rest = others
    gap = first - second
    winners = [_held_extreme(name, (value, *rest), signs, known) for value in (first, second)]
    return choose(signs.get(gap, gap.xreplace(known)), *(winners if name == "max" else reversed(winners)))


def _nodes(expression: Expr) -> list[Expr]:
    """Every node once, each before those inside it."""
    order: dict[Expr, None] = {}
    stack = [(expression, False)]
    while stack:
        node, done = stack.pop()
        if done:
            order[node] = None
        elif node not in order:
            stack.append((node, True))
            stack += [(part, False) for part in node.args]
    return list(reversed(order))


def _collected(expression: Expr, of_node: Callable[[Expr], Iterable[Expr]]) -> tuple[Expr, ...]:
    found: dict[Expr, None] = {}
    seen: set[Expr] = set()
    stack = [expression]
    while stack:
        node = stack.pop()
        if node in seen:
            continue
        seen.add(node)
        found.update((u, None) for u in of_node(node) if u.free_symbols)
        stack += reversed(node.args)
    return tuple(found)


def _switching(node: Expr) -> Iterator[Expr]:
    name = function_name(node)
    if name in ("abs", "sign", "heaviside", "if", "atan2"):
        yield node.args[0]
    elif name in ("max", "min"):
        yield from (a - b for a, b in combinations(node.args, 2))
    elif _is_root(node):
        for base, exponent in _factors(node.args[0]):
            if _is_even(exponent) and not is_positive(base):
                yield base


def _touching(node: Expr) -> Iterator[Expr]:
    if _is_root(node):
        for base, exponent in _factors(node.args[0]):
            if not _is_even(exponent) and not isinstance(base, symengine.Number) and not is_positive(base):
                yield base


def _is_root(node: Expr) -> bool:
    return (
        isinstance(node, symengine.Pow)
        and isinstance(node.args[1], symengine.Rational)
        and not isinstance(node.args[1], symengine.Integer)
    )


def _factors(base: Expr) -> list[tuple[Expr, Expr]]:
    """The factors of a radicand with their powers."""
    factors = base.args if isinstance(base, symengine.Mul) else (base,)
    return [f.args if isinstance(f, symengine.Pow) else (f, symengine.Integer(1)) for f in factors]


def _is_even(exponent: Expr) -> bool:
    return isinstance(exponent, symengine.Integer) and int(exponent) % 2 == 0


def is_positive(base: Expr) -> bool:
    """Whether a sum of even powers keeps above a positive number, as 1 + x² does."""
    terms = base.args if isinstance(base, symengine.Add) else (base,)
    numbers = [term for term in terms if isinstance(term, symengine.Number)]
    return any(n.is_positive for n in numbers) and all(map(_is_not_negative, terms))


def _is_not_negative(term: Expr) -> bool:
    return all(
        base.is_positive if isinstance(base, symengine.Number) else _is_even(exponent)
        for base, exponent in _factors(term)
    )


# Corners and jumps that derivatives know nothing of, roots of squares among them: $\sqrt{x^2} = |x|$.
#
# A derivative of $\operatorname{sign}x$ or of $x/\sqrt{x^2}$ is zero wherever it exists, and yet the function is not constant. So what is concluded from
# derivatives alone holds on either side, and a motion may change sides.


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
    factors = list(_factors(base))
    if any(_is_even(power) for _, power in factors):
        # A sine is squared here and is none in a normal form, which has 1 - cos^2 for it.
        return without_squares(symengine.Mul(*(f**power for f, power in factors if not _is_even(power))))
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
