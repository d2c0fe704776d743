r"""The question "What is the motion in closed form?": equations are solved one after the other by quadratures and proven by substitution.

.. math:: q = q(t; q_0, u_0), \qquad \dot q - X_a(q, t)\,u^a - X_0 = 0, \quad \dot u - F(q, u, t) = 0, \quad q(0) = q_0, \ u(0) = u_0

Each equation is solved for what it determines once the others are functions of time:

.. math:: \dot y = a(t)\,y + b(t) \ \Longrightarrow\ y = e^{A}\Bigl(y_0 + \int_0^t e^{-A}b\,ds\Bigr), \quad A = \int_0^t a\,ds, \qquad
   \dot z = Mz \ \Longrightarrow\ z = e^{\mu t}\Bigl(\cos\nu t + \frac{\sin\nu t}{\nu}(M - \mu)\Bigr)z_0

with $2\mu = \operatorname{tr}M$ and $\nu^2 = \det M - \mu^2$ for two equations with constant coefficients, hyperbolic functions of $\sqrt{-\nu^2}\,t$ where that is negative for the
declared values, and $1$ and $t$ where it is zero. Integrals are those of SymPy's rules, in that function of
time which alone occurs where there is one; what they are is proven by differentiation later. Where no rule knows an integral and nothing else is left to be
solved, it stays one: a symbol $J_k = \int_0^t f_k\,ds$, whose integrand may contain those before it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import combinations, count
from typing import Any, final

import numpy as np
import symengine

from anholonomy.algebra.calculus import along, partial
from anholonomy.algebra.expressions import (
    Expr,
    Symbol,
    free_symbols,
    from_sympy,
    nodes_of,
    time,
    to_sympy,
    unused,
    zero,
)
from anholonomy.algebra.numbers.balls import precision
from anholonomy.algebra.numbers.doubles import in_doubles
from anholonomy.algebra.simplification.simplify import readable
from anholonomy.algebra.simplification.sums import oriented
from anholonomy.algebra.unknown_functions import unknown_functions
from anholonomy.algebra.zero_test import is_zero
from anholonomy.base.deadlines import check, effort, patience
from anholonomy.base.errors import NotSupportedError, StateError, TimeLimitError, UnknownNameError
from anholonomy.base.tolerances import GATHERED, is_same
from anholonomy.findings import CarriesFinding, Finding, Quantity, vanishing
from anholonomy.language.answers import EQUALS, Mark, Part, Readable, Row, below, equations
from anholonomy.language.writing import brief
from anholonomy.laws.evaluation import distance, expect_motion, solution_at, within
from anholonomy.laws.position_constraints import told
from anholonomy.laws.primitives import seems_positive
from anholonomy.laws.reduced_motion import ReducedMotion, reduced_motion
from anholonomy.motion.dataset.one_motion import parameters_of
from anholonomy.system.model import Model
from anholonomy.system.solved_constraints import Solved, solved_positions
from anholonomy.system.states.complete_state import complete_state

__all__ = ["ClosedMotion", "closed_motion"]

_LONG = 300
"""Operations of an integrand up to which it is looked at."""
_RULES = 5.0
"""Seconds of the processor after which rules that have found no integral are given up."""
_LOOKS = 200
"""Times that a symbol is looked up between two looks at the clock: some milliseconds."""


def closed_motion(model: Model, time_limit: float | None) -> ClosedMotion:
    """The motion in closed form as far as the equations can be solved one after the other, within a time."""
    if (solved := solved_positions(model)) is not None:
        return _on_level(closed_motion(solved.model, time_limit), solved)
    motion, claim = reduced_motion(model), f"every motion of {model.name} is known in closed form"
    if not motion.has_frame:
        raise NotSupportedError(f"{model.name}: constraints nonlinear in the velocities are not solved in closed form.")
    begins = _begins(motion)
    found: dict[Symbol, Expr] = {}
    integrals: dict[Symbol, Expr] = {}
    try:
        with patience(time_limit):
            # What is declared to be zero is, so that terms which would stand in the way are gone.
            still = {s: value for s, value in model.values.items() if value == 0}
            rates = {v: rate.xreplace(still) for v, rate in motion.rates.items() if v != time}
            if all(map(_is_finite_at_first, rates.values())):
                found, integrals = _solved_in_turn({v: rates[v] for v in begins}, begins, motion.model.values)
            missing = [v.name for v in begins if v not in found]
            if not all(map(_is_finite_at_first, rates.values())):
                finding = Finding.unknown(claim, "the equations are singular at t = 0, where closed forms begin")
            elif missing:
                finding = Finding.unknown(claim, f"no quadrature was found for {', '.join(missing)}")
            else:
                claim = f"every motion of {model.name} is known by quadratures" if integrals else claim
                misfits = _misfits(found, rates, begins, integrals)
                finding = vanishing(claim, "rates and values at t = 0", misfits, motion.on, r"\dot x - X(x)")
    except (TimeLimitError, KeyboardInterrupt) as trouble:
        finding = Finding.unknown(claim, trouble)
    return ClosedMotion(finding, model, motion, found, begins, integrals)


def _is_finite_at_first(rate: Expr) -> bool:
    """True if a rate has a value at time zero, for all values of the variables but some."""
    try:
        return not nodes_of(rate.xreplace({time: zero}), type(symengine.zoo), type(symengine.nan), type(symengine.oo))
    except RuntimeError:  # SymEngine refuses some functions of what is infinite
        return False


def _on_level(there: ClosedMotion, solved: Solved) -> ClosedMotion:
    """The motion on the declared level of constraints on positions: the coordinates that they give follow the others."""
    found = dict(there.found)
    known = {**found, **{s: s for s in solved.model.parameter_symbols}, time: time}
    found |= {q: f.xreplace(found) for q, f in solved.values.items() if f.free_symbols <= known.keys()}
    return replace(there, finding=told(there.finding, solved), model=solved.declared, found=found)


def _begins(motion: ReducedMotion) -> dict[Symbol, Symbol]:
    """A symbol for the value at time zero of every speed and coordinate: x0, and v_x0 for what is called x'."""
    taken = set(motion.model.names) | {u.name for u in motion.speeds}
    found = {}
    for v in (*motion.speeds, *motion.coordinates):
        name = f"v_{v.name.rstrip(chr(39))}0" if v.name.endswith("'") else f"{v.name}0"
        found[v] = unused(name, taken.__contains__)
        taken.add(found[v].name)
    return found


def _misfits(
    found: Mapping[Symbol, Expr],
    rates: Mapping[Symbol, Expr],
    begins: Mapping[Symbol, Symbol],
    integrals: Mapping[Symbol, Expr],
) -> Iterator[Quantity]:
    """The misfits of the closed form, in the equations and at time zero."""
    passing: dict[Symbol, Expr] = {time: symengine.Integer(1), **integrals}
    at_first: dict[Symbol, Expr] = dict.fromkeys(passing, zero)
    for v, value in found.items():
        yield Quantity(f"the rate of {v.name}", along(value, passing) - rates[v].xreplace(dict(found)))
        yield Quantity(f"{v.name} at t = 0", value.xreplace(at_first) - begins[v])


@final
@dataclass(frozen=True, repr=False)
class ClosedMotion(CarriesFinding, Readable):
    """Coordinates and speeds as functions of time and of their values at time zero.

    Attributes
    ----------
    finding
        That these are the motions, proven by differentiation; unknown where some variable was not found.
    found
        The variables that were found.
    begins
        The symbol for the value at time zero of each variable.
    integrals
        The integrands of what stays an integral over time from zero on, by its symbol; each may contain those before it.

    Examples
    --------
    >>> from anholonomy.catalogue import skate
    >>> print(skate().closed_form())
    every motion of skate is known in closed form: proven, rates and values at t = 0 = 0
      u = u0
      omega = omega0
      theta = omega0*t + theta0
      x = x0 + u0*(sin(omega0*t + theta0) - sin(theta0))/omega0
      y = y0 + u0*(cos(theta0) - cos(omega0*t + theta0))/omega0
      where omega0 is not 0
    """

    finding: Finding
    model: Model
    motion: ReducedMotion
    found: Mapping[Symbol, Expr]
    begins: Mapping[Symbol, Symbol]
    integrals: Mapping[Symbol, Expr] = field(default_factory=dict)

    def __getitem__(self, name: str) -> Expr:
        known = {v.name: value for v, value in self.found.items()}
        if str(name) not in known:
            raise UnknownNameError(
                f"{self.model.name}: {name} was not found in closed form; there are {', '.join(known)}."
            )
        return known[str(name)]

    @property
    def exceptions(self) -> tuple[Expr, ...]:
        """The divisors of the closed form: where one of these vanishes, it is a limit."""
        still = {*self.begins.values(), *self.model.parameter_symbols}
        found: dict[Expr, None] = {}
        for value in (*self.found.values(), *self.integrals.values()):
            for node in nodes_of(value, symengine.Pow):
                base, exponent = node.args
                if base in self.begins.values() and base.free_symbols <= still and exponent.is_negative:
                    found[base] = None
        return tuple(sorted(found, key=str))

    @property
    def radicands(self) -> tuple[Expr, ...]:
        """The radicands that need not be positive for positive parameters or for their values: the closed form is not real where one is negative."""
        still, values = {*self.begins.values(), *self.model.parameter_symbols}, self.model.values
        powers = [
            node
            for value in (*self.found.values(), *self.integrals.values())
            for node in nodes_of(value, symengine.Pow)
        ]
        bases = [
            base
            for base, k in (each.args for each in powers)
            if isinstance(k, symengine.Rational) and not isinstance(k, symengine.Integer)
        ]
        own = dict.fromkeys(base for base in bases if base.free_symbols and base.free_symbols <= still)
        return tuple(sorted((b for b in own if not _is_positive(b, values, self.begins.values())), key=str))

    def __call__(self, state: Mapping[str, object], t: Any) -> dict[str, Any]:
        """The variables at times, from an admissible state at time zero.

        >>> from anholonomy.catalogue import skate
        >>> there = skate().closed_form()({"x": 0, "y": 0, "theta": 0, "x'": 1, "theta'": 2}, 1.5)
        >>> round(float(there["theta"]), 12), round(float(there["x"]), 12)
        (3.0, 0.07056000403)
        """
        with precision(30):
            point = {s: float(v.mid()) for s, v in complete_state(self.model, state).items()}
        speeds = self.motion.speeds_of_velocities
        own = {v: float(speeds[v].xreplace(point)) if v in speeds else point[v] for v in self.begins}
        values = {s.name: point.get(s) for s in self.model.parameter_symbols}
        return self._at(own, values, np.asarray(t, dtype=float))

    def _at(self, own: Mapping[Symbol, float], parameters: Mapping[str, Any], t: np.ndarray) -> dict[str, Any]:
        if not self:
            raise NotSupportedError(f"the motion is asked for, but {self.finding}.")
        given = {self.begins[v]: value for v, value in own.items()}
        given |= {s: parameters[s.name] for s in self.model.parameter_symbols if parameters.get(s.name) is not None}
        if singular := [s for s in self.exceptions if given[s] == 0]:
            raise StateError(
                f"{self.model.name}: the closed form divides by {singular[0]}, which is 0 here; begin elsewhere, or integrate with `simulate`."
            )
        roots = {each: each.xreplace(given) for each in self.radicands}
        if unreal := [e for e, value in roots.items() if not value.free_symbols and not float(value) > 0]:
            raise StateError(
                f"{self.model.name}: the closed form holds where {brief(unreal[0])} is positive, which it is not here; declare the values of parameters."
            )
        times, names = np.atleast_1d(t).ravel(), [time, *self.integrals]
        f = in_doubles(names, [value.xreplace(given) for value in self.found.values()])
        kept = in_doubles(names, [value.xreplace(given) for value in self.integrals.values()])
        if f is None or kept is None:
            raise NotSupportedError(f"{self.model.name}: the closed form has no numbers that are doubles.")
        own_values = _integrated(kept, len(self.integrals), times)
        table = np.array(
            [np.asarray(f([float(s), *row]), dtype=float).ravel() for s, row in zip(times, own_values, strict=True)]
        )
        return {v.name: table[:, k].reshape(np.shape(t)) for k, v in enumerate(self.found)}

    def check(self, run: Any) -> Finding:
        """Compare a computed motion with the closed form from its start."""
        expect_motion(run, self.model)
        times = np.asarray(run.time.values, dtype=float)
        if self.motion.mentions_time and not is_same(times[0], 0.0, np.abs(times).max()):
            raise NotSupportedError(
                f"{self.model.name}: time occurs, and the closed form begins at t = 0; give a motion that does."
            )
        speeds = self.motion.speeds_of_velocities
        own = {v: float(np.ravel(run[speeds.get(v, v)].values)[0]) for v in self.begins}
        there = self._at(own, parameters_of(run.data), times - times[0])
        apart = distance(run, {q.name: there[q.name] for q in self.model.coordinates})
        return within("the motion is the one in closed form", "the largest distance", apart, GATHERED)

    def as_rows(self) -> Iterable[Part]:
        yield self.finding
        yield from equations(self.found)
        integral = Mark("the integral of ", r"\int_0^t"), Mark(" over t from 0", r"\,\mathrm{d}t")
        yield from (Row(J, EQUALS, integral[0], f, integral[1], depth=1) for J, f in self.integrals.items())
        yield from below(*(("where ", each) for each in self._conditions))

    @property
    def _conditions(self) -> list[Row]:
        roots = (Row(oriented(each), " is positive") for each in self.radicands)
        return [*(Row(each, " is not 0") for each in self.exceptions), *roots]

    def _data(self) -> dict[str, Any]:
        more = {"found": self.found, "integrals": self.integrals, "where": self._conditions}
        return self.finding.to_dict() | more


def _integrated(f: Callable[[list[float]], Any], count: int, times: np.ndarray) -> np.ndarray:
    """Integrals over time from zero on at given times, a row for each."""
    values = np.zeros((len(times), count))
    for sign in (1.0, -1.0) if count else ():
        there = np.unique(sign * times[sign * times > 0])  # ascending, without repetitions
        if len(there):
            rate = lambda s, J, sign=sign: sign * np.asarray(f([sign * s, *J]), dtype=float).ravel()
            found = solution_at(there, rate, 0.0, np.zeros(count))
            if found is None:
                raise StateError("an integral of the closed form does not exist until this time; ask for earlier ones.")
            values[sign * times > 0] = found[np.searchsorted(there, sign * times[sign * times > 0])]
    return values


def _is_positive(value: Expr, values: Mapping[Symbol, Expr], free: Collection[Symbol]) -> bool:
    """True if an expression is positive for the values of parameters, or as a sum of products of positive parameters and of squares, one without."""
    given = value.xreplace(dict(values))
    if not given.free_symbols:
        return seems_positive(given, None)
    top = symengine.expand(given)
    terms = [_without_even_powers(term, free) for term in (top.args if isinstance(top, symengine.Add) else (top,))]
    signs = [rest.free_symbols.isdisjoint(free) and seems_positive(rest, None) for rest, _ in terms]
    return all(signs) and not all(squared for _, squared in terms)


def _without_even_powers(term: Expr, free: Collection[Symbol]) -> tuple[Expr, bool]:
    """A product without the even powers of ``free`` symbols, and whether it had any."""
    factors = term.args if isinstance(term, symengine.Mul) else (term,)
    even = [f for f in factors if isinstance(f, symengine.Pow) and f.args[0] in free and (f.args[1] / 2).is_Integer]
    return symengine.Mul(*(f for f in factors if f not in even)), bool(even)


def _solved_in_turn(
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
        """True if nothing in a function changes with time."""
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

    plain, watchful = to_sympy(f), _watchful_symbol()
    own = watchful(variable.name)
    kinds = {s: watchful(s.name, positive=True) for s in plain.free_symbols if s.name != variable.name}
    kinds[sympy.Symbol(variable.name)] = own
    for way in (sympy.together, sympy.expand, lambda e: e):
        check()
        try:
            with effort(_RULES):
                value = manualintegrate(way(plain.xreplace(kinds)), own)
            if value.has(sympy.Integral, sympy.Piecewise):
                continue
            found = from_sympy(value.xreplace({new: old for old, new in kinds.items()}))
        except (NotImplementedError, ValueError, TypeError, KeyError, RecursionError, AttributeError):
            continue
        except TimeLimitError:
            check()
            return None
        if not unknown_functions(found) and is_zero(partial(found, variable) - f):
            return found
    return None


@cache
def _watchful_symbol() -> Any:
    """SymPy's symbol, which looks at the time when it is looked up: rules do that some thousand times in a hundredth of a second.

    So the deadline ends SymPy's rules without a word of SymPy's. A single operation on numbers alone, such as the division of long
    polynomials, does not look a symbol up, and may overrun.
    """
    import sympy

    looked_up = count(1)

    @final
    class Symbol(sympy.Symbol):  # type: ignore[misc]  # called as SymPy's own, which orders by the names of classes
        __slots__ = ()

        def __hash__(self) -> int:
            if next(looked_up) % _LOOKS == 0:
                check()
            return int(super().__hash__())

    return Symbol
