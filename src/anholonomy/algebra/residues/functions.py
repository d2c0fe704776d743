r"""Values modulo a prime of sines, exponentials and other functions that are not algebraic, by the relations they obey.

.. math:: (\cos\vartheta, \sin\vartheta) = \Bigl(\frac{1 - \tau^2}{1 + \tau^2}, \frac{2\tau}{1 + \tau^2}\Bigr), \qquad
   \cos\textstyle\sum_jn_j\vartheta_j + i\sin\sum_jn_j\vartheta_j = \prod_j(\cos\vartheta_j + i\sin\vartheta_j)^{n_j}, \qquad
   e^{\sum_jn_j\eta_j} = \prod_j(e^{\eta_j})^{n_j}

Coordinates, sines, cosines and exponentials of independent arguments obey no algebraic relations but these, so that such a point is
one of the functions' own, reduced: a rank there is a proven lower bound of the generic one. Of other functions, such as
arcs and logarithms, relations may be missed; then ``exact`` is false, and nothing is said about completeness.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm
from typing import final

import numpy as np
import symengine

from anholonomy.algebra.arithmetic import FUNCTIONS, evaluate, function_name
from anholonomy.algebra.expressions import Expr, Symbol
from anholonomy.algebra.residues.arrays import Array, ResidueArrays
from anholonomy.algebra.residues.linear_algebra import residue_rank

__all__ = ["Transcendentals", "function_nodes"]

_CIRCULAR = ("sin", "cos", "tan", "cot", "sec", "csc")
_HYPERBOLIC = ("sinh", "cosh", "tanh")
_TWELFTHS = 12
"""Multiples of a twelfth of pi have sines by square roots of 2 and 3."""
_ALGEBRAIC = ("abs", "sign", "sqrt")


def function_nodes(expressions: Iterable[Expr]) -> set[Expr]:
    """The outermost calls, exponentials, derivatives and constants such as pi that arithmetic cannot give a value."""
    found: set[Expr] = set()
    seen: set[Expr] = set()
    stack = list(expressions)
    while stack:
        node = stack.pop()
        if node in seen:
            continue
        seen.add(node)
        if _is_opaque(node):
            found.add(node)
        else:
            stack += node.args
    return found


def _is_opaque(node: Expr) -> bool:
    if isinstance(node, symengine.Pow):
        return node.args[0] == symengine.E or not isinstance(node.args[1], symengine.Rational)
    if isinstance(node, symengine.Symbol | symengine.Number | symengine.Add | symengine.Mul):
        return False
    return function_name(node) not in _ALGEBRAIC


@final
@dataclass
class Transcendentals:
    """The nodes of some expressions; ``moving`` are the symbols that differ from point to point, ``given`` those with a value.

    ``known`` are the residues of all symbols.
    """

    nodes: set[Expr]
    moving: set[Symbol]
    given: Mapping[Symbol, Expr] = field(default_factory=dict)
    known: Mapping[Expr, Array] = field(default_factory=dict)
    exact: bool = field(default=True, init=False)

    def values(self, do: ResidueArrays, rng: random.Random) -> dict[Expr, Array]:
        """A value for each node at every point."""
        numbers = self._numbers(do)
        nodes = sorted(self.nodes - numbers.keys(), key=str)
        circular = {node: self._present(node.args[0]) for node in nodes if function_name(node) in _CIRCULAR}
        exponents = {node: self._present(e) for node in nodes if (e := _exponent(node)) is not None}
        rest = [node for node in nodes if node not in circular and node not in exponents]
        known_calls = [node for node in rest if function_name(node) in FUNCTIONS]
        self.exact = len(known_calls) <= 1 and all(map(_is_log_of_algebraic, known_calls))
        self.exact = self.exact and all(self._are_independent(each, do) for each in (circular, exponents))
        found = numbers | {node: self._draw(node, do, rng) for node in rest}
        found |= self._circles(circular, do, rng)
        return found | self._exponentials(exponents, do, rng)

    def _numbers(self, do: ResidueArrays) -> dict[Expr, Array]:
        """The functions that are algebraic numbers for the given values, as the sine of an inclination that is zero."""
        here = {n: n.xreplace(dict(self.given)) for n in self.nodes if n.free_symbols and self._is_given(n)}
        return {n: evaluate(e, do, {}) for n, e in here.items() if not e.free_symbols and not function_nodes([e])}

    def _is_given(self, e: Expr) -> bool:
        return self.moving.isdisjoint(e.free_symbols) and e.free_symbols <= self.given.keys()

    def _present(self, argument: Expr) -> dict[Expr, Fraction]:
        """The terms of an argument without those that are zero for the given values."""
        given = dict(self.given)
        return {t: q for t, q in _terms(argument).items() if not (self._is_given(t) and t.xreplace(given) == 0)}

    def _are_independent(self, arguments: Mapping[Expr, Mapping[Expr, Fraction]], do: ResidueArrays) -> bool:
        """Whether no combination of the terms is rational for the given values, and none is a function that the others may undo."""
        met: set[Expr] = set()
        logs: set[Expr] = set()
        whole = lcm(*(q.denominator for each in arguments.values() for q in each.values()))
        known = (
            {symengine.pi}
            if _TWELFTHS % whole == 0 and all(function_name(n) in _CIRCULAR for n in arguments)
            else set()
        )
        for term in {term for each in arguments.values() for term in each} - known:
            own = term.atoms(symengine.log)
            plain = term.xreplace({log: symengine.Integer(1) for log in own})
            logs |= own
            if function_nodes([plain, *(log.args[0] for log in own)]):
                return False
            here = _terms(term.xreplace(dict(self.given)))
            if len(here) != 1 or not met.isdisjoint(here) or (own and not set(here).isdisjoint(own)):
                return False
            met |= set(here)
        return len(logs) <= 1 and self._are_apart(met, do)

    def _are_apart(self, terms: set[Expr], do: ResidueArrays) -> bool:
        """Whether no term that is more than a product of powers is a combination of the others and a constant, as $1/(1 + x)$ is of $x/(1 + x)$.

        Roots in the terms are remembered, so that what their signs may hide is asked with the others.
        """
        longer = {term for term in terms if not _is_monomial(term)}
        if not longer:
            return True
        beside, memo = ResidueArrays(do.prime, len(do.good)), dict(self.known)
        try:
            rows = [
                evaluate(term, beside, memo) for term in sorted(terms, key=lambda term: (term in longer, str(term)))
            ]
        except KeyError:  # a function without residues
            return False
        do.has_corners = do.has_corners or beside.has_corners
        do.radicands += beside.radicands
        table = np.array([np.broadcast_to(row, do.good.shape) for row in [beside.number(1), *rows]])
        short = residue_rank(table[: len(table) - len(longer)], do.prime)
        return bool(residue_rank(table, do.prime) == short + len(longer))

    def _draw(self, term: Expr, do: ResidueArrays, rng: random.Random) -> Array:
        """Random residues; the same at all points where nothing in the term moves."""
        if term.free_symbols.isdisjoint(self.moving):
            return do.number(rng.randrange(2, do.prime))
        return np.array([rng.randrange(2, do.prime) for _ in do.good], dtype=np.int64)

    def _circles(
        self, angles: Mapping[Expr, Mapping[Expr, Fraction]], do: ResidueArrays, rng: random.Random
    ) -> dict[Expr, Array]:
        whole = lcm(*(q.denominator for each in angles.values() for q in each.values()))
        circle = {}
        for term in sorted({term for each in angles.values() for term in each}, key=str):
            if term == symengine.pi and _TWELFTHS % whole == 0:  # square roots of numbers, which have residues
                turn = symengine.pi / whole
                circle[term] = (evaluate(symengine.cos(turn), do, {}), evaluate(symengine.sin(turn), do, {}))
                continue
            tau = self._draw(term, do, rng)
            below = do.inverse((1 + tau * tau) % do.prime)
            circle[term] = ((1 - tau * tau) % do.prime * below % do.prime, 2 * tau * below % do.prime)
        found = {}
        for node, angle in angles.items():
            c, s = do.number(1), do.number(0)
            for term, q in angle.items():
                a, b = circle[term]
                b = b if q > 0 else -b % do.prime
                for _ in range(abs(int(q * whole))):
                    c, s = (c * a - s * b % do.prime) % do.prime, (c * b + s * a % do.prime) % do.prime
            found[node] = _circular_value(function_name(node), c, s, do)
        return found

    def _exponentials(
        self, exponents: Mapping[Expr, Mapping[Expr, Fraction]], do: ResidueArrays, rng: random.Random
    ) -> dict[Expr, Array]:
        whole = lcm(*(q.denominator for each in exponents.values() for q in each.values()))
        terms = sorted({term for each in exponents.values() for term in each}, key=str)
        bases = {term: self._draw(term, do, rng) for term in terms}
        found = {}
        for node, exponent in exponents.items():
            up = do.number(1)
            for term, q in exponent.items():
                up = do.multiply([up, do.power(bases[term], int(q * whole))])
            found[node] = _exponential_value(function_name(node), up, do)
        return found


def _is_log_of_algebraic(node: Expr) -> bool:
    r"""Of exponentials, sines and cosines a logarithm may be a function that occurs: $\log e^w = w$."""
    return function_name(node) == "log" and not function_nodes(node.args)


def _is_monomial(term: Expr) -> bool:
    """Whether a term is a product of powers of symbols, numbers and a logarithm."""
    factors = term.args if isinstance(term, symengine.Mul) else (term,)
    bases = (
        f.args[0] if isinstance(f, symengine.Pow) and isinstance(f.args[1], symengine.Rational) else f for f in factors
    )
    return all(isinstance(base, symengine.Symbol | symengine.Number | symengine.log) or not base.args for base in bases)


def _exponent(node: Expr) -> Expr | None:
    if isinstance(node, symengine.Pow):
        base, exponent = node.args
        return exponent if base == symengine.E else exponent * symengine.log(base)
    return node.args[0] if function_name(node) in _HYPERBOLIC else None


def _terms(argument: Expr) -> dict[Expr, Fraction]:
    """An argument as a combination of terms with rational coefficients."""
    found: dict[Expr, Fraction] = {}
    expanded = symengine.expand(argument)
    for term in expanded.args if isinstance(expanded, symengine.Add) else (expanded,):
        factors = term.args if isinstance(term, symengine.Mul) else (term,)
        numbers = [Fraction(str(f)) for f in factors if isinstance(f, symengine.Rational)]
        rest = symengine.Mul(*(f for f in factors if not isinstance(f, symengine.Rational)))
        scale = Fraction(1)
        for each in numbers:
            scale *= each
        found[rest] = found.get(rest, Fraction(0)) + scale
    return {term: q for term, q in found.items() if q}


def _circular_value(name: str, c: Array, s: Array, do: ResidueArrays) -> Array:
    if name in ("sin", "cos"):
        return s if name == "sin" else c
    over, under = {"tan": (s, c), "cot": (c, s), "sec": (do.number(1), c), "csc": (do.number(1), s)}[name]
    return do.multiply([over, do.inverse(under)])


def _exponential_value(name: str, up: Array, do: ResidueArrays) -> Array:
    if name not in _HYPERBOLIC:
        return up
    down, half = do.inverse(up), do.number(Fraction(1, 2))
    minus, plus = (up - down) % do.prime, (up + down) % do.prime
    if name == "tanh":
        return do.multiply([minus, do.inverse(plus)])
    return do.multiply([half, plus if name == "cosh" else minus])
