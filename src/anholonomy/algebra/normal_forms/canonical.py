r"""The normal form of an expression: a quotient of polynomials in independent generators.

.. math:: s^2 = 1 - c^2, \quad \tan = s/c, \quad
          e^{\sum n_j b_j} = \prod_j (e^{b_j})^{n_j}, \quad
          \cos\textstyle\sum_j n_j b_j = \operatorname{Re} \prod_j (c_j + i s_j)^{n_j}

Symbols, cosines and sines of base angles, base exponentials, roots and logarithms are generators; every
other function is one too, known by the normal form of its arguments. If the numerator is 0, the
expression is zero wherever it is defined. Floats count as the exact binary numbers they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import partial
from math import lcm
from typing import TypeAlias, final

import symengine

from anholonomy.algebra.arithmetic import function_name
from anholonomy.algebra.expressions import Expr
from anholonomy.algebra.normal_forms.angles import Lattice, Terms
from anholonomy.algebra.normal_forms.radicals import NotReal, Radicals
from anholonomy.algebra.normal_forms.ring import MAX_WORK, NoNormalForm, Quotient, Ring, TooLarge
from anholonomy.algebra.piecewise import by_signs

__all__ = ["Canonical", "NoNormalForm"]

Pair: TypeAlias = tuple[Quotient, Quotient]
"""Cosine and sine of one angle."""

_CIRCULAR = ("sin", "cos", "tan", "cot", "sec", "csc")
_INVERSE = ("atan", "atan2", "asin", "acos")
_HYPERBOLIC = ("sinh", "cosh", "tanh")
MAX_ROOT_ORDER = 12
"""Orders of roots, and"""
MAX_EXPONENT = 500
"""powers up to which they are generators; others have no normal form."""


@final
class Canonical:
    """Generators shared by some expressions, and their normal forms.

    ``work`` bounds the term products spent on them; ``angles`` are base angles to start from.

    >>> x = symengine.Symbol("x")
    >>> forms = Canonical([symengine.tan(x), symengine.sin(2 * x)])
    >>> forms.expression(symengine.tan(x) * symengine.sin(2 * x))
    2 - 2*cos(x)**2
    >>> forms.expression(symengine.sin(2 * x) ** 2 + symengine.cos(2 * x) ** 2)
    1
    """

    def __init__(self, expressions: Iterable[Expr], *, work: int = MAX_WORK, angles: Sequence[Terms] = ()) -> None:
        layers, orders = _layers(expressions)
        order = lcm(*orders)
        self.ring = Ring(work)
        self.radicals = Radicals(self.ring, order if order <= MAX_ROOT_ORDER else 2)
        self.angles, self.exponents = Lattice(), Lattice()
        self.pairs: list[Pair] = []
        self.exponentials: list[int] = []
        self.forms: dict[Expr, Quotient] = {}
        try:
            # As they are: `admit` would shorten them again.
            self.angles.bases += angles
            self._name_angles()
            for layer in layers:
                self._prepare(layer)
        except (ZeroDivisionError, RecursionError) as trouble:
            raise NoNormalForm from trouble

    def quotient(self, expression: Expr) -> Quotient:
        """The normal form; raises `NoNormalForm` where there is none within the bounds."""
        try:
            return self.ring.lifted(self.form(expression))
        except (ZeroDivisionError, RecursionError) as trouble:
            raise NoNormalForm from trouble

    def expression(self, expression: Expr) -> Expr:
        """The normal form written out."""
        return self.ring.expression(self.quotient(expression))

    def form(self, expression: Expr) -> Quotient:
        if expression not in self.forms:
            self.forms[expression] = self._compute(expression)
        return self.forms[expression]

    def _compute(self, expression: Expr) -> Quotient:
        ring = self.ring
        match expression:
            case symengine.Integer() | symengine.Rational():
                return ring.constant(Fraction(str(expression)))
            case symengine.RealDouble():
                return ring.constant(_exact(expression))
            case symengine.Number():
                raise NotReal
            case symengine.Add():
                return ring.add([self.form(term) for term in expression.args])
            case symengine.Mul():
                return ring.multiply([self.form(factor) for factor in expression.args])
            case symengine.Pow():
                return self._power(*expression.args)
        if expression == symengine.E:
            return self._exponential(ring.constant(1))
        if not expression.args or isinstance(expression, symengine.Derivative | symengine.Subs):
            return ring.quotient(ring.generator(expression))
        return self._function(expression)

    def _power(self, base: Expr, exponent: Expr) -> Quotient:
        if base == symengine.E:
            return self._exponential(self.form(exponent))
        power = self.form(exponent)
        constant = _rational(power)
        if constant is not None and constant.denominator == 1:
            return self._whole_power(self.form(base), int(constant))
        if constant is not None and _is_modest(constant):
            return self.radicals.root(self.form(base), constant)
        return self._exponential(self.ring.multiply([power, self.radicals.logarithm(self.form(base))]))

    def _whole_power(self, base: Quotient, exponent: int) -> Quotient:
        """Multiplied out while that is small; above, what is raised is a generator of which nothing more is known."""
        ring = self.ring
        try:
            return ring.power(base, exponent)
        except TooLarge:
            return ring.power(ring.quotient(ring.generator(ring.expression(ring.lifted(base)))), exponent)

    def _function(self, expression: Expr) -> Quotient:
        ring, name = self.ring, function_name(expression)
        if name in _CIRCULAR:
            cosine, sine = self._rotation(self.form(expression.args[0]))
            one = ring.constant(1)
            over, under = {
                "sin": (sine, one),
                "cos": (cosine, one),
                "tan": (sine, cosine),
                "cot": (cosine, sine),
                "sec": (one, cosine),
                "csc": (one, sine),
            }[name]
            return ring.multiply([over, ring.invert(under)])
        if name in _HYPERBOLIC:
            up = self._exponential(self.form(expression.args[0]))
            down = ring.invert(up)
            minus = ring.add([up, ring.multiply([ring.constant(-1), down])])
            plus = ring.add([up, down])
            if name == "tanh":
                return ring.multiply([minus, ring.invert(plus)])
            return ring.multiply([ring.constant(Fraction(1, 2)), plus if name == "cosh" else minus])
        if name == "log":
            return self.radicals.logarithm(self.form(expression.args[0]))
        if name in ("abs", "sign"):
            value = self.form(expression.args[0])
            size = self.radicals.absolute(value)
            return size if name == "abs" else ring.multiply([value, ring.invert(size)])
        if (plain := by_signs(expression)) != expression:
            return self.form(plain)
        return self._opaque(expression)

    def _opaque(self, expression: Expr) -> Quotient:
        """A function we know nothing about: equal where its arguments are."""
        arguments = [self.ring.expression(self.ring.lifted(self.form(a))) for a in expression.args]
        rebuilt = expression.func(*arguments)
        if type(rebuilt) is not type(expression) and rebuilt != expression:
            # SymEngine knew a value or pulled out a sign; what it returns is simpler.
            return self.form(rebuilt)
        return self.ring.quotient(self.ring.generator(rebuilt))

    def _terms(self, value: Quotient) -> dict[Expr, Fraction]:
        """``value`` as a combination of terms: monomials over what they do not share with the denominator."""
        ring = self.ring
        num, den = ring.lifted(value)
        found: dict[Expr, Fraction] = {}
        for exponents, coefficient in num.to_dict().items():
            over, under = ring.cancelled(ring.context.from_dict({exponents: coefficient}), den)
            (scale,) = over.coeffs()
            term = ring.expanded(over / scale) / ring.expanded(under)
            found[term] = found.get(term, Fraction(0)) + Fraction(int(scale.p), int(scale.q))
        return {term: q for term, q in found.items() if q}

    def _split_angle(self, value: Quotient) -> tuple[int, Expr | None, dict[Expr, Fraction]]:
        """Quarter turns, a rational part of pi with a closed form, and the remaining vector."""
        vector = self._terms(value)
        turn = vector.pop(symengine.pi, Fraction(0))
        quarters = (2 * turn).__floor__()
        rest = turn - Fraction(quarters, 2)
        if not rest:
            return quarters, None, vector
        angle = symengine.Rational(rest.numerator, rest.denominator) * symengine.pi
        if symengine.cos(angle).has(symengine.pi):
            return quarters, None, {**vector, symengine.pi: rest}
        return quarters, angle, vector

    def _rotation(self, value: Quotient) -> Pair:
        """Cosine and sine of an angle, as a product of the rotations of its parts."""
        ring = self.ring
        quarters, angle, vector = self._split_angle(value)
        pair = (ring.constant((1, 0, -1, 0)[quarters % 4]), ring.constant((0, 1, 0, -1)[quarters % 4]))
        if angle is not None:
            pair = self._turn(pair, (self.form(symengine.cos(angle)), self.form(symengine.sin(angle))))
        multiples = self.angles.coordinates(vector)
        if multiples is None:
            raise TooLarge
        for j, count in multiples.items():
            cosine, sine = self.pairs[j]
            if count < 0:
                sine = ring.multiply([ring.constant(-1), sine])
            for _ in range(abs(count)):
                pair = self._turn(pair, (cosine, sine))
        return pair

    def _turn(self, first: Pair, second: Pair) -> Pair:
        ring = self.ring
        (a, b), (c, d) = first, second
        minus = ring.constant(-1)
        cosine = ring.add([ring.multiply([a, c]), ring.multiply([minus, b, d])])
        return cosine, ring.add([ring.multiply([a, d]), ring.multiply([b, c])])

    def _exponential(self, value: Quotient) -> Quotient:
        """exp of a combination: logarithms give powers, the rest powers of the base exponentials."""
        ring, vector = self.ring, self._terms(value)
        parts = [ring.constant(1)]
        for term in [term for term, q in vector.items() if _is_power(term, q)]:
            parts.append(self.radicals.root(self.form(term.args[0]), vector.pop(term)))
        multiples = self.exponents.coordinates(vector)
        if multiples is None:
            self._admit_exponents([vector])
            multiples = self.exponents.coordinates(vector)
        if multiples is None:
            raise TooLarge
        for j, count in multiples.items():
            parts.append(ring.power(ring.quotient(self.exponentials[j]), count))
        return ring.multiply(parts)

    def _prepare(self, layer: Sequence[Expr]) -> None:
        """Fix signs, base angles and base exponents for functions whose arguments are known by now."""
        for node in layer:
            if isinstance(node, symengine.log):
                self.radicals.learn(self.form(node.args[0]))
            if isinstance(node, symengine.Pow) and node.args[0] != symengine.E:
                exponent = _rational(self.form(node.args[1]))
                if exponent is None or exponent.denominator > 1:
                    self.radicals.learn(self.form(node.args[0]))
        circular = [node for node in layer if function_name(node) in _CIRCULAR]
        self._admit_angles([self._split_angle(self.form(node.args[0]))[2] for node in circular])
        exponents = []
        for node in layer:
            if isinstance(node, symengine.Pow) and node.args[0] == symengine.E:
                exponents.append(self._terms(self.form(node.args[1])))
            elif function_name(node) in _HYPERBOLIC:
                exponents.append(self._terms(self.form(node.args[0])))
            elif isinstance(node, symengine.Pow) and not _is_modest(_rational(power := self.form(node.args[1]))):
                logarithm = self.radicals.logarithm(self.form(node.args[0]))
                exponents.append(self._terms(self.ring.multiply([power, logarithm])))
        without_logs = [{term: q for term, q in vector.items() if not _is_power(term, q)} for vector in exponents]
        self._admit_exponents(without_logs)

    def _admit_angles(self, vectors: Sequence[Terms]) -> None:
        # cos(2 atan u) is rational in u, so atan u itself must be a multiple of a base.
        inverse = [{t: Fraction(1)} for vector in vectors for t in vector if function_name(t) in _INVERSE]
        self.angles.admit([*inverse, *(vector for vector in vectors if vector)])
        self._name_angles()

    def _name_angles(self) -> None:
        for base in self.angles.bases[len(self.pairs) :]:
            self.pairs.append(self._inverse_pair(base) or self.new_pair(_combination(base)))

    def new_pair(self, angle: Expr) -> Pair:
        """Generators for the cosine and sine of an angle."""
        ring = self.ring
        cosine, sine = ring.generator(symengine.cos(angle)), ring.generator(symengine.sin(angle))
        ring.relate(sine, 2, 1 - ring.gen(cosine) ** 2)
        self.radicals.bounded.add(cosine)
        self.radicals.pairs[cosine] = sine
        return ring.quotient(cosine), ring.quotient(sine)

    def _inverse_pair(self, base: Terms) -> Pair | None:
        """Cosine and sine of an inverse function, algebraic in its arguments."""
        (term, count), *others = base.items()
        if others or abs(count) != 1 or function_name(term) not in _INVERSE:
            return None
        ring, name = self.ring, function_name(term)
        value, *more = (self.form(argument) for argument in term.args)
        x = more[0] if more else ring.constant(1)
        if name in ("atan", "atan2"):
            radius = self.radicals.root(ring.add([ring.power(x, 2), ring.power(value, 2)]), Fraction(-1, 2))
            cosine, sine = ring.multiply([x, radius]), ring.multiply([value, radius])
        else:
            rest = ring.add([ring.constant(1), ring.multiply([ring.constant(-1), ring.power(value, 2)])])
            other = self.radicals.root(rest, Fraction(1, 2))
            cosine, sine = (other, value) if name == "asin" else (value, other)
        return cosine, ring.multiply([ring.constant(int(count)), sine])

    def _admit_exponents(self, vectors: Sequence[Terms]) -> None:
        self.exponents.admit([vector for vector in vectors if vector])
        for base in self.exponents.bases[len(self.exponentials) :]:
            exponent = _combination(base)
            generator = self.ring.generator(symengine.exp(exponent))
            self.radicals.positive.add(generator)
            self.radicals.exponent[generator] = partial(self.form, exponent)
            self.exponentials.append(generator)


def _combination(vector: Terms) -> Expr:
    return symengine.Add(*(symengine.Rational(q.numerator, q.denominator) * t for t, q in vector.items()))


def _exact(value: Expr) -> Fraction:
    try:
        return Fraction(float(value))
    except (ValueError, OverflowError) as trouble:
        raise NotReal from trouble


def _rational(value: Quotient) -> Fraction | None:
    """The number a normal form is, if it is one."""
    if not (value.num.is_constant() and value.den.is_constant()):
        return None
    if value.num.is_zero():
        return Fraction(0)
    ratio = value.num.leading_coefficient() / value.den.leading_coefficient()
    return Fraction(int(ratio.p), int(ratio.q))


def _is_modest(exponent: Fraction | None) -> bool:
    """Whether a power is worth algebra; x**0.1, an exact binary fraction, is not."""
    return exponent is not None and exponent.denominator <= MAX_ROOT_ORDER and abs(exponent) <= MAX_EXPONENT


def _is_power(term: Expr, coefficient: Fraction) -> bool:
    """Whether exp(coefficient * term) is a power of what ``term`` is the logarithm of."""
    return isinstance(term, symengine.log) and _is_modest(coefficient)


def _layers(expressions: Iterable[Expr]) -> tuple[list[list[Expr]], set[int]]:
    """Function nodes by how deeply functions nest inside them, and the orders of all roots."""
    heights: dict[Expr, int] = {}
    layers: list[list[Expr]] = []
    orders = {1}

    def height(node: Expr) -> int:
        if node not in heights:
            inner = max((height(argument) for argument in node.args), default=-1)
            plain = isinstance(node, symengine.Add | symengine.Mul) or not node.args
            if isinstance(node, symengine.Pow):
                exponent = node.args[1]
                plain = isinstance(exponent, symengine.Integer)
                if isinstance(exponent, symengine.Rational):
                    orders.add(Fraction(str(exponent)).denominator)
            if not plain:
                inner += 1
                layers.extend([] for _ in range(inner + 1 - len(layers)))
                layers[inner].append(node)
            heights[node] = inner
        return heights[node]

    for expression in expressions:
        height(expression)
    return layers, orders
