r"""The display pass: the shortest of a few provably equal forms.

Nothing else in the toolkit simplifies; expressions are computed with as they come and made short only for
people. The candidates are the normal form and its rewritings (`anholonomy.symbolic.presentation`), in
several choices of base angles; the winner has the fewest operations and is proven equal to the input
before it is returned. If nothing shorter is proven, the input comes back.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations

import symengine

from anholonomy.symbolic.canonical import Canonical, NoNormalForm
from anholonomy.symbolic.expressions import Expr, Vector, as_expression
from anholonomy.symbolic.lattice import Terms
from anholonomy.symbolic.presentation import doubled, fractions_of, is_even, presentations, tangents
from anholonomy.symbolic.quotients import Quotient, TooLarge
from anholonomy.symbolic.zero import is_zero

__all__ = ["simplify", "simplify_vector"]

MAX_OPERATIONS = 5_000
MAX_TERMS_FOR_ANGLES = 60
MAX_ANGLES = 4
MAX_DOUBLED_TERMS = 60
MAX_WORK = 1_000_000
"""Term products a candidate may cost; a tenth of a second or so."""


def simplify(expression: Expr) -> Expr:
    """A short expression proven equal to the given one, never longer by count of operations.

    >>> x, y, a = symengine.symbols("x y a")
    >>> simplify(a * symengine.sin(x) ** 2 + a * symengine.cos(x) ** 2)
    a
    >>> simplify((1 - symengine.cos(x) ** 2) / symengine.sin(x))
    sin(x)
    >>> simplify(symengine.sin(x) * symengine.cos(y) + symengine.cos(x) * symengine.sin(y))
    sin(x + y)
    """
    expression = as_expression(expression)
    size = _operations(expression)
    if size <= 1 or size > MAX_OPERATIONS:
        return expression
    candidates = dict.fromkeys(_candidates(_inside_out(expression)))
    for candidate in sorted(candidates, key=_length):
        if _length(candidate) >= _length(expression):
            break
        if is_zero(candidate - expression):
            return candidate
    return expression


def simplify_vector(expressions: Iterable[Expr]) -> Vector:
    """Each expression simplified.

    >>> x = symengine.Symbol("x")
    >>> simplify_vector([x + x * symengine.tan(x) ** 2, 2 * x - x])
    (x/cos(x)**2, x)
    """
    return tuple(simplify(expression) for expression in expressions)


def _operations(expression: Expr) -> int:
    return int(symengine.count_ops(expression))


def _length(expression: Expr) -> tuple[int, int]:
    """Operations first; of two equally long, the one that prints shorter."""
    return _operations(expression), len(str(expression))


def _inside_out(expression: Expr) -> Expr:
    """The expression with the arguments of its functions and the radicands of its roots simplified."""
    if not expression.args or isinstance(expression, symengine.Derivative | symengine.Subs):
        return expression
    if isinstance(expression, symengine.Add | symengine.Mul):
        return expression.func(*map(_inside_out, expression.args))
    if isinstance(expression, symengine.Pow):
        base, exponent = expression.args
        if isinstance(exponent, symengine.Integer):
            return _inside_out(base) ** exponent
        return (base if base == symengine.E else simplify(base)) ** simplify(exponent)
    return expression.func(*map(simplify, expression.args))


def _candidates(expression: Expr) -> Iterator[Expr]:
    yield expression
    try:
        forms = Canonical([expression], work=MAX_WORK)
        yield from _shapes(forms, expression)
    except (NoNormalForm, TooLarge):
        return
    value = forms.quotient(expression)
    angles = forms.angles.bases
    # An angle such as atan(tan(x)) needs the base angles inside it first, so it is no place to start from.
    plain = not any(term.atoms(symengine.Function) for base in angles for term in base)
    small = len(value.num) + len(value.den) <= MAX_TERMS_FOR_ANGLES
    if not (plain and small and 2 <= len(angles) <= MAX_ANGLES):
        return
    for bases in _other_bases(angles):
        try:
            yield from _shapes(Canonical([expression], work=MAX_WORK, angles=bases), expression)
        except (NoNormalForm, TooLarge):
            continue


def _shapes(forms: Canonical, expression: Expr) -> Iterator[Expr]:
    """Every presentation of the numerator over the shortest of the denominator, tangents apart."""
    ring, pairs = forms.ring, forms.radicals.pairs
    value = forms.quotient(expression)
    quotients = [*fractions_of(ring, value, pairs), *_double_angles(forms, value)]
    for quotient in quotients:
        tangent, (num, den) = tangents(ring, ring.lifted(quotient), pairs)
        below = min(presentations(ring, den, pairs), key=_length)
        for above in presentations(ring, num, pairs):
            yield tangent * above / below


def _double_angles(forms: Canonical, value: Quotient) -> Iterator[Quotient]:
    for cosine, sine in list(forms.radicals.pairs.items()):
        if max(len(value.num), len(value.den)) <= MAX_DOUBLED_TERMS and is_even(value, cosine, sine):
            angle = forms.ring.meaning[cosine].args[0]
            double = forms.new_pair(2 * angle)
            yield doubled(forms.ring, value, (cosine, sine), double)


def _other_bases(bases: Sequence[Terms]) -> Iterator[Sequence[Terms]]:
    """One base angle replaced by its sum with another or its difference from it."""
    for i, j in combinations(range(len(bases)), 2):
        for sign in (1, -1):
            terms = bases[i].keys() | bases[j].keys()
            sums = {t: bases[i].get(t, Fraction(0)) + sign * bases[j].get(t, Fraction(0)) for t in terms}
            combined = {t: q for t, q in sums.items() if q}
            yield [*bases[:i], combined, *bases[i + 1 :]]
