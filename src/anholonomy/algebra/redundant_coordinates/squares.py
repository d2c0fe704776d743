r"""Normal forms of functions on spheres and other quadrics: one coordinate occurs at most to the first power.

.. math:: q_0^2 = 1 - q_1^2 - q_2^2 - q_3^2

Polynomials in unit quaternions are thereby as short as they can be, and so are the products that a linear system is solved with.
"""

from __future__ import annotations

from collections.abc import Sequence

import symengine

from anholonomy.algebra.expressions import Expr, Symbol
from anholonomy.algebra.normal_forms.canonical import Canonical, NoNormalForm

__all__ = ["square_in", "vanishes_with_squares", "without_square"]


def square_in(invariant: Expr, coordinates: Sequence[Symbol]) -> tuple[Symbol, Expr] | None:
    """A coordinate and what its square is where an invariant vanishes; None where it is no polynomial of that kind.

    >>> x, y = symengine.symbols("x y")
    >>> square_in(2 * x**2 + y**4 - 1, [x, y])
    (x, 1/2 + (-1/2)*y**4)
    """
    for q in coordinates:
        half = symengine.expand(invariant.diff(q)).diff(q) / 2
        rest = symengine.expand(invariant - half * q**2)
        if isinstance(half, symengine.Rational) and half != 0 and q not in rest.free_symbols:
            return q, symengine.expand(-rest / half)
    return None


def without_square(value: Expr, s: Symbol, square: Expr) -> Expr:
    """A polynomial with the even powers of a symbol replaced, multiplied out.

    >>> x, y = symengine.symbols("x y")
    >>> without_square(x**3 + y, x, 1 - y)
    x + y - x*y
    """
    total = symengine.expand(value)
    while high := [n for n in total.atoms(symengine.Pow) if n.args[0] == s and int(n.args[1]) >= 2]:
        lower = {n: square ** (int(n.args[1]) // 2) * s ** (int(n.args[1]) % 2) for n in high}
        total = symengine.expand(total.xreplace(lower))
    return total


def vanishes_with_squares(expression: Expr, squares: Sequence[tuple[Symbol, Expr]]) -> bool:
    """Whether a normal form in which these squares are replaced is zero.

    >>> x, y = symengine.symbols("x y")
    >>> vanishes_with_squares(1 / (x**2 + y) - 1 / (1 + y - y**2), [(x, 1 - y**2)])
    True
    """
    if not squares:
        return False
    try:
        forms = Canonical([expression])
        for q, value in squares:
            known = forms.quotient(value)
            generator = forms.ring.generator(q)
            if any(forms.ring.index[s] > generator for s in value.free_symbols):
                return False  # met before its square was known, inside some function
            forms.ring.relate(generator, 2, forms.ring.lifted(known).num)
        return bool(forms.quotient(expression).num.is_zero())
    except NoNormalForm:
        return False
