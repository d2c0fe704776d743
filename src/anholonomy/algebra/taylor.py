r"""Exact Taylor polynomials of expressions at a point.

.. math:: f(q_0 + \xi) = \sum_{k \le r} f_k(\xi), \qquad
   h(u) = \sum_{|\alpha| \le r} \frac{\partial^\alpha h(u_0)}{\alpha!}\,(u - u_0)^\alpha

$f_k$ is homogeneous of degree $k$ in the steps $\xi$. Its coefficients are normal forms: numbers at a point such as a right angle,
functions of what stays generic elsewhere. Sums, products and functions are taken of the polynomials; nothing is
differentiated but single functions in their own arguments.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import combinations_with_replacement
from math import factorial, prod
from typing import NamedTuple, TypeAlias, final

import symengine

from anholonomy.algebra.calculus import partial
from anholonomy.algebra.expressions import Expr, Symbol, symbol
from anholonomy.algebra.normal_forms.angles import Terms, occurring_bases
from anholonomy.algebra.normal_forms.canonical import Canonical, NoNormalForm
from anholonomy.algebra.normal_forms.ring import Polynomial, Ring
from anholonomy.algebra.piecewise import by_signs, corner_name
from anholonomy.algebra.zero_test import zero_test
from anholonomy.base.errors import DeclarationError
from anholonomy.base.verdict import Verdict

__all__ = ["Parts", "TaylorArithmetic", "shortened_product"]

Parts: TypeAlias = tuple[Polynomial, ...]
"""Homogeneous parts of degree 0, 1, … in the steps from the place."""
Powers: TypeAlias = tuple[int, ...]
MAX_WORK = 10**10
"""Term products: more than anybody waits for, so that patience decides."""


@final
class TaylorPolynomial(NamedTuple):
    """Parts over a denominator that is free of steps."""

    parts: Parts
    den: Polynomial


@final
class TaylorArithmetic:
    """Taylor polynomials of some expressions in the coordinates that leave their place, up to a degree.

    Raises `NoNormalForm` where a coefficient has none, and `DeclarationError` at a corner.

    >>> x, y = symengine.symbols("x y")
    >>> at = TaylorArithmetic([symengine.cos(x) * y], {x: symengine.pi / 2}, [x], degree=3)
    >>> [str(at.ring.expanded(part)) for part in at.series(symengine.cos(x) * y).parts]
    ['0', '-y*_step_x', '0', '(1/6)*y*_step_x**3']
    """

    def __init__(
        self, expressions: Iterable[Expr], place: Mapping[Symbol, Expr], coordinates: Sequence[Symbol], degree: int
    ) -> None:
        self._place, self._coordinates, self._degree = dict(place), frozenset(coordinates), degree
        self._calls: dict[Expr, tuple[Sequence[Expr], dict[Powers, Expr]]] = {}
        self._fixed: dict[Expr, Expr] = {}
        self._made: dict[Expr, TaylorPolynomial] = {}
        for f in expressions:
            self._visit(f)
        constants = [*self._fixed.values(), *(c for _, values in self._calls.values() for c in values.values())]
        self._forms = _normal_forms(constants)
        self.ring = self._forms.ring
        self.step_of = {q: self.ring.generator(symbol(f"_step_{q}")) for q in coordinates}
        self.steps = frozenset(self.step_of.values())

    def series(self, f: Expr) -> TaylorPolynomial:
        """The Taylor polynomial of one of the expressions, by degree."""
        if f not in self._made:
            self._made[f] = self._compute(f)
        return self._made[f]

    def _at(self, f: Expr) -> Expr:
        try:
            return symengine.expand(f.xreplace(self._place))
        except RuntimeError:  # SymEngine refuses to divide by zero
            raise NoNormalForm from None

    def _moves(self, f: Expr) -> bool:
        return not f.free_symbols.isdisjoint(self._coordinates)

    def _visit(self, f: Expr) -> None:
        """Find the values at the place that an expression needs."""
        if f in self._calls or f in self._fixed:
            return
        if not self._moves(f) or isinstance(f, symengine.Symbol):
            self._fixed[f] = self._at(f)
            return
        arguments: Sequence[Expr] = f.args
        if (plain := by_signs(f)) != f:
            arguments = [plain]
        elif not isinstance(f, symengine.Add | symengine.Mul) and not _is_whole_power(f):
            self._calls[f] = arguments, _ = self._call(f)
        for argument in arguments:
            self._visit(argument)

    def _call(self, f: Expr) -> tuple[Sequence[Expr], dict[Powers, Expr]]:
        """The arguments of a function that move, and its Taylor coefficients in them."""
        if isinstance(f, symengine.Derivative | symengine.Subs):
            arguments: Sequence[Expr] = sorted(f.free_symbols & self._coordinates, key=str)
            slots, bare = list(arguments), f
        else:
            arguments = [a for a in dict.fromkeys(f.args) if self._moves(a)]
            slots = [symbol(f"_slot{k}") for k in range(len(arguments))]
            names = dict(zip(arguments, slots, strict=True))
            bare = f.func(*(names.get(a, a) for a in f.args))
        centre = list(map(self._at, arguments))
        if corner_name(f) in ("abs", "sign"):
            _refuse_corner(f, centre[0])
        place = self._place | dict(zip(slots, centre, strict=True))
        known, values = {(0,) * len(slots): bare}, {}
        for powers in _all_powers(len(slots), self._degree):
            if powers not in known:
                k = next(k for k, count in enumerate(powers) if count)
                lower = (*powers[:k], powers[k] - 1, *powers[k + 1 :])
                known[powers] = partial(known[lower], slots[k])
            values[powers] = _substituted(known[powers], place) / prod(map(factorial, powers))
        return arguments, values

    def _compute(self, f: Expr) -> TaylorPolynomial:
        if not self._moves(f):
            return self._constant(self._at(f))
        if isinstance(f, symengine.Symbol):
            value = self._constant(self._at(f))
            step = self.ring.gen(self.step_of[f]) * value.den
            return TaylorPolynomial((value.parts[0], step, *value.parts[2:])[: self._degree + 1], value.den)
        if (plain := by_signs(f)) != f:
            return self.series(plain)
        if isinstance(f, symengine.Add):
            return self._sum([self.series(term) for term in f.args])
        if isinstance(f, symengine.Mul):
            return reduce(self._product, map(self.series, f.args))
        if _is_whole_power(f):
            return self._power(self.series(f.args[0]), int(f.args[1]))
        return self._composed(*self._calls[f])

    def _constant(self, value: Expr) -> TaylorPolynomial:
        num, den = self.ring.lifted(self._forms.quotient(value))
        nothing = self.ring.context.constant(0)
        return TaylorPolynomial((num, *(nothing for _ in range(self._degree))), den)

    def _composed(self, arguments: Sequence[Expr], values: Mapping[Powers, Expr]) -> TaylorPolynomial:
        one = self._constant(symengine.Integer(1))
        powers = []
        for u in map(self.series, arguments):
            rest = TaylorPolynomial((u.parts[0] * 0, *u.parts[1:]), u.den)
            known = [one]
            while len(known) <= self._degree:
                known.append(self._product(known[-1], rest))
            powers.append(known)
        terms = []
        for counts, value in values.items():
            factors = [known[count] for known, count in zip(powers, counts, strict=True) if count]
            terms.append(reduce(self._product, factors, self._constant(value)))
        return self._sum(terms)

    def _power(self, base: TaylorPolynomial, exponent: int) -> TaylorPolynomial:
        if exponent == 1:
            return base
        half = self._power(base, exponent // 2)
        square = self._product(half, half)
        return self._product(square, base) if exponent % 2 else square

    def _sum(self, terms: Sequence[TaylorPolynomial]) -> TaylorPolynomial:
        """Over the least common denominator."""
        ring = self.ring
        den = reduce(lambda a, b: b * (a / a.gcd(b)), (term.den for term in terms))
        total = [ring.context.constant(0)] * (self._degree + 1)
        for term in terms:
            factor = den / term.den
            for k, part in enumerate(term.parts):
                if part:
                    total[k] += ring.reduce(part * factor)
        return TaylorPolynomial(tuple(total), den)

    def _product(self, left: TaylorPolynomial, right: TaylorPolynomial) -> TaylorPolynomial:
        parts = shortened_product(self.ring, left.parts, right.parts, self._degree)
        return TaylorPolynomial(parts, self.ring.reduce(left.den * right.den))


def shortened_product(ring: Ring, left: Parts, right: Parts, degree: int) -> Parts:
    """The product without what is of a higher degree."""
    total = [ring.context.constant(0)] * (degree + 1)
    for i, a in enumerate(left[: degree + 1]):
        if a:
            for j, b in enumerate(right[: degree + 1 - i], i):
                if b:
                    total[j] += ring.times(a, b)
    return tuple(total)


def _normal_forms(constants: Sequence[Expr]) -> Canonical:
    """Normal forms of the constants, in the angles that occur in them where these suffice: the differences of headings stay short."""
    marked = symengine.Add(*(symbol(f"_mark{k}") * value for k, value in enumerate(constants)))
    tries: list[Sequence[Terms]] = [occurring_bases(marked), ()]
    for angles in tries:
        forms = Canonical(constants, work=MAX_WORK, angles=angles)
        if len(forms.angles.bases) == len(angles) or not angles:
            break
    for value in constants:
        forms.quotient(value)
    return forms


def _substituted(f: Expr, place: dict[Symbol, Expr]) -> Expr:
    try:
        return f.xreplace(place)
    except RuntimeError:  # SymEngine refuses to divide by zero
        raise NoNormalForm from None


def _refuse_corner(f: Expr, edge: Expr) -> None:
    verdict = zero_test(edge)
    if verdict is Verdict.PROVEN:
        raise DeclarationError(f"{f} has a corner at this place, so that brackets are not defined there; take another.")
    if verdict is Verdict.UNKNOWN:
        raise NoNormalForm


def _is_whole_power(f: Expr) -> bool:
    return isinstance(f, symengine.Pow) and isinstance(f.args[1], symengine.Integer) and f.args[1] > 0


def _all_powers(letters: int, degree: int) -> Iterator[Powers]:
    """Lists of so many exponents, the lowest total first."""
    for total in range(degree + 1):
        for chosen in combinations_with_replacement(range(letters), total):
            yield tuple(chosen.count(k) for k in range(letters))
