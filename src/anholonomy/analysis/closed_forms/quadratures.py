r"""Equations solved one after the other: each for what it determines once the others are functions of time.

.. math:: \dot y = a(t)\,y + b(t) \ \Longrightarrow\ y = e^{A}\Bigl(y_0 + \int_0^t e^{-A}b\,ds\Bigr), \quad A = \int_0^t a\,ds, \qquad
   \dot z = Mz \ \Longrightarrow\ z = e^{\mu t}\Bigl(\cos\nu t + \frac{\sin\nu t}{\nu}(M - \mu)\Bigr)z_0

with $2\mu = \operatorname{tr}M$ and $\nu^2 = \det M - \mu^2$ for two equations with constant coefficients, hyperbolic functions of $\sqrt{-\nu^2}\,t$ where that is negative for the
declared values, and $1$ and $t$ where it is zero. Integrals are those of SymPy's rules, in that function of
time which alone occurs where there is one; what they are is proven by differentiation later. Where no rule knows an integral and nothing else is left to be
solved, it stays one: a symbol $J_k = \int_0^t f_k\,ds$, whose integrand may contain those before it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from typing import final

import symengine

from anholonomy.analysis.closed_forms.signs import seems_positive
from anholonomy.refusals import GaveUp
from anholonomy.symbolic.arithmetic import unknown_functions
from anholonomy.symbolic.calculus import partial
from anholonomy.symbolic.display.readable import readable
from anholonomy.symbolic.expressions import Expr, Symbol, free_symbols, from_sympy, time, to_sympy, unused, zero
from anholonomy.symbolic.patience import check, watched
from anholonomy.symbolic.zero import is_zero

__all__ = ["solved_in_turn"]

_LONG = 300
"""Operations of an integrand up to which it is looked at."""
_RULES = 5.0
"""Seconds of the processor after which rules that have found no integral are given up."""


def solved_in_turn(
    rates: Mapping[Symbol, Expr], begins: Mapping[Symbol, Symbol], values: Mapping[Symbol, Expr] | None = None
) -> tuple[dict[Symbol, Expr], dict[Symbol, Expr]]:
    """As many variables as can be found as functions of time, from their values at time zero, and the integrands of what stays an integral.

    ``values`` are those of parameters, which say what is an oscillation.
    """
    names = {s.name for s in (*begins, *begins.values(), *free_symbols(rates.values()))}
    way = _Way(begins, {}, {}, frozenset(names), dict(values or {}))
    found: dict[Symbol, Expr] = {}
    left = dict(rates)
    while left:
        check()
        now = {v: readable(rate.xreplace(found)) for v, rate in left.items()}
        more = _one(now, way) or _two(now, way) or _one(now, replace(way, leaves=True))
        if not more:
            break
        found |= {v: value for v, value in more.items() if v not in way.slopes}
        left = {v: rate for v, rate in left.items() if v not in found and v not in way.slopes}
    even = {v: begins[v] + slope * time for v, slope in way.slopes.items()}
    kept = {J: readable(f.xreplace(even)) for J, f in way.integrals.items()}
    return even | {v: readable(value.xreplace(even)) for v, value in found.items()}, kept


@final
@dataclass(frozen=True)
class _Way:
    """Variables that grow evenly, with their rates: integrals are taken over one of them rather than over time.

    ``integrals`` are those that no rule knows, by their symbols; where nothing ``leaves`` one, none is added.
    """

    begins: Mapping[Symbol, Symbol]
    slopes: dict[Symbol, Expr]
    integrals: dict[Symbol, Expr]
    names: frozenset[str]
    values: dict[Symbol, Expr]
    leaves: bool = False

    def stands(self, f: Expr) -> bool:
        """Whether nothing in a function changes with time."""
        return not self.moving(f) and f.free_symbols.isdisjoint({time, *self.integrals})

    def moving(self, f: Expr) -> list[Symbol]:
        return sorted((s for s in f.free_symbols if s in self.slopes and self.slopes[s] != 0), key=str)

    def integral(self, f: Expr) -> Expr | None:
        """From time zero on; None where none is found by rules."""
        f = f.xreplace({s: self.begins[s] for s in f.free_symbols if self.slopes.get(s) == 0})
        if self.stands(f):
            return f * time
        value = self._ruled(f)
        return self._left(f) if value is None and self.leaves else value

    def _left(self, f: Expr) -> Symbol:
        """An integral that stays one; an equal one has its symbol already."""
        known = {value: J for J, value in self.integrals.items()}
        taken = self.names | {J.name for J in self.integrals}
        J = known.get(f) or unused(f"J{len(self.integrals) + 1}", taken.__contains__)
        self.integrals[J] = f
        return J

    def _ruled(self, f: Expr) -> Expr | None:
        even = self.moving(f)
        if symengine.count_ops(f) > _LONG or not f.free_symbols.isdisjoint(self.integrals):
            return None
        for q in even or [time]:
            slope, start = (self.slopes[q], self.begins[q]) if even else (symengine.Integer(1), zero)
            others = {s: self.begins[s] + self.slopes[s] / slope * (q - start) for s in even if s != q}
            if q != time:
                others[time] = (q - start) / slope
            value = _by_rules(readable(f.xreplace(others)), q)
            if value is not None:
                return (value - value.xreplace({q: start})) / slope
        return None


def _one(rates: Mapping[Symbol, Expr], way: _Way) -> dict[Symbol, Expr]:
    """A variable whose rate contains no other that is unknown, and itself at most linearly."""
    for v, rate in rates.items():
        if not rate.free_symbols & rates.keys() <= {v}:
            continue
        a = symengine.expand(partial(rate, v)) if v in rate.free_symbols else zero
        if v in a.free_symbols:
            continue
        if a == 0 and way.stands(rate):
            way.slopes[v] = rate.xreplace(way.begins)
            return {v: zero}
        value = _linear(way, readable(a), readable(rate.xreplace({v: zero})), way.begins[v])
        if value is not None:
            return {v: value}
    return {}


def _linear(way: _Way, a: Expr, b: Expr, start: Expr) -> Expr | None:
    A = way.integral(a)
    if A is None:
        return None
    growth = _exponential(A, {time, *way.slopes, *way.integrals})
    rest = way.integral(readable(b / growth))
    return None if rest is None else readable(growth * (start + rest))


def _exponential(A: Expr, moving: set[Symbol]) -> Expr:
    """Its exponential, logarithms with constant factors as powers."""
    total: Expr = symengine.Integer(1)
    rest = zero
    expanded = symengine.expand(A)
    for term in expanded.args if isinstance(expanded, symengine.Add) else (expanded,):
        logs = [f for f in (term.args if isinstance(term, symengine.Mul) else (term,)) if isinstance(f, symengine.log)]
        factor = term / logs[0] if len(logs) == 1 else None
        if factor is not None and factor.free_symbols.isdisjoint(moving):
            total = total * logs[0].args[0] ** factor
        else:
            rest = rest + term
    return total * symengine.exp(rest) if rest != 0 else total


def _two(rates: Mapping[Symbol, Expr], way: _Way) -> dict[Symbol, Expr]:
    """Two variables with constant coefficients among themselves."""
    begins = way.begins
    for v, w in combinations(rates, 2):
        pair = rates[v], rates[w]
        if any(not r.free_symbols & {*rates, time, *way.integrals} <= {v, w} for r in pair):
            continue
        M = [[symengine.expand(partial(r, s)) for s in (v, w)] for r in pair]
        b = [readable(r.xreplace({v: zero, w: zero})) for r in pair]
        det = readable(M[0][0] * M[1][1] - M[0][1] * M[1][0])
        if any(e.free_symbols & {v, w} for row in M for e in row) or (any(e != 0 for e in b) and is_zero(det)):
            continue
        mu = (M[0][0] + M[1][1]) / 2
        square = readable(det - mu**2)
        c, s = _turning(square, way.values)
        growth = symengine.exp(mu * time)
        rest = [zero, zero]
        if any(e != 0 for e in b):
            rest = [(M[0][1] * b[1] - M[1][1] * b[0]) / det, (M[1][0] * b[0] - M[0][0] * b[1]) / det]
        z = [begins[v] - rest[0], begins[w] - rest[1]]
        turned = [(M[0][0] - mu) * z[0] + M[0][1] * z[1], M[1][0] * z[0] + (M[1][1] - mu) * z[1]]
        return {k: readable(rest[i] + growth * (c * z[i] + s * turned[i])) for i, k in enumerate((v, w))}
    return {}


def _turning(square: Expr, values: Mapping[Symbol, Expr]) -> tuple[Expr, Expr]:
    r"""$\cos\nu t$ and $\sin(\nu t)/\nu$ of a given $\nu^2$, in functions that are real for the values of parameters."""
    given = square.xreplace(dict(values))
    if is_zero(given):
        return symengine.Integer(1), time
    if not given.free_symbols and seems_positive(-given, None):
        nu = _root(-square)
        return symengine.cosh(nu * time), symengine.sinh(nu * time) / nu
    nu = _root(square)
    return symengine.cos(nu * time), symengine.sin(nu * time) / nu


def _root(square: Expr) -> Expr:
    """A root of a product, even powers halved: which of the two does not matter."""
    outside, inside = symengine.Integer(1), symengine.Integer(1)
    for factor in square.args if isinstance(square, symengine.Mul) else (square,):
        base, power = factor.args if isinstance(factor, symengine.Pow) else (factor, symengine.Integer(1))
        if isinstance(power, symengine.Integer) and int(power) % 2 == 0:
            outside = outside * base ** (int(power) // 2)
        else:
            inside = inside * factor
    return outside * symengine.sqrt(inside)


def _by_rules(f: Expr, variable: Symbol) -> Expr | None:
    """An antiderivative by SymPy's rules, which mostly end soon; parameters count as positive, which differentiation checks."""
    import sympy
    from sympy.integrals.manualintegrate import manualintegrate

    plain = to_sympy(f)
    own = sympy.Symbol(variable.name)
    kinds = {s: sympy.Symbol(s.name, positive=True) for s in plain.free_symbols if s != own}
    for way in (sympy.together, sympy.expand, lambda e: e):
        check()
        try:
            with watched(_RULES):
                value = manualintegrate(way(plain.xreplace(kinds)), own)
            if value.has(sympy.Integral, sympy.Piecewise):
                continue
            found = from_sympy(value.xreplace({new: old for old, new in kinds.items()}))
        except (NotImplementedError, ValueError, TypeError, KeyError, RecursionError, AttributeError):
            continue
        except GaveUp:
            check()
            return None
        if not unknown_functions(found) and is_zero(partial(found, variable) - f):
            return found
    return None
