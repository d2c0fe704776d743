r"""Motions in closed form: the equations solved one after the other, where they can be, and proven by putting them in.

.. math:: q = q(t; q_0, u_0), \qquad \dot q - X_a(q, t)\,u^a - X_0 = 0, \quad \dot u - F(q, u, t) = 0, \quad q(0) = q_0, \ u(0) = u_0
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, final

import numpy as np
import symengine

from anholonomy.analysis.along_motions import ABSOLUTE, RELATIVE, distance, expect_motion, within
from anholonomy.analysis.closed_forms.quadratures import solved_in_turn
from anholonomy.analysis.closed_forms.signs import seems_positive
from anholonomy.analysis.reduced_motion import ReducedMotion, reduced_motion
from anholonomy.analysis.residues.declared_level import told
from anholonomy.displays.typeset import Typeset, aligned
from anholonomy.findings import CarriesFinding, Finding, Quantity, vanishing
from anholonomy.language.brevity import Readable, brief
from anholonomy.language.writing import to_text
from anholonomy.refusals import GaveUp, InadmissibleState, NotCovered, UnknownName
from anholonomy.simulate.trajectories.from_dataset import parameters_of
from anholonomy.symbolic.calculus import along
from anholonomy.symbolic.display.latex import latex
from anholonomy.symbolic.display.signs import oriented
from anholonomy.symbolic.expressions import Expr, Symbol, nodes_of, time, unused, zero
from anholonomy.symbolic.numbers.balls import precision
from anholonomy.symbolic.numbers.doubles import in_doubles
from anholonomy.symbolic.patience import patience
from anholonomy.system.declaration.solved import Solved, solved_positions
from anholonomy.system.model import Model
from anholonomy.system.states.states import complete_state
from anholonomy.tolerances import GATHERED

__all__ = ["ClosedMotion", "closed_motion"]


@final
@dataclass(frozen=True, repr=False)
class ClosedMotion(CarriesFinding, Typeset, Readable):
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
    >>> print(skate().solve())
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
            raise UnknownName(f"{self.model.name}: {name} was not found in closed form; there are {', '.join(known)}.")
        return known[str(name)]

    @property
    def exceptions(self) -> tuple[Expr, ...]:
        """What the closed form divides by: where one of these vanishes, it is a limit."""
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
        """What the closed form takes roots of, where that need not be positive for positive parameters or for their values: elsewhere it is not real."""
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
        >>> there = skate().solve()({"x": 0, "y": 0, "theta": 0, "x'": 1, "theta'": 2}, 1.5)
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
            raise NotCovered(f"the motion is asked for, but {self.finding}.")
        given = {self.begins[v]: value for v, value in own.items()}
        given |= {s: parameters[s.name] for s in self.model.parameter_symbols if parameters.get(s.name) is not None}
        if singular := [s for s in self.exceptions if given[s] == 0]:
            raise InadmissibleState(
                f"{self.model.name}: the closed form divides by {singular[0]}, which is 0 here; begin elsewhere, or integrate with `simulate`."
            )
        roots = {each: each.xreplace(given) for each in self.radicands}
        if unreal := [e for e, value in roots.items() if not value.free_symbols and not float(value) > 0]:
            raise InadmissibleState(
                f"{self.model.name}: the closed form holds where {brief(unreal[0])} is positive, which it is not here; declare the values of parameters."
            )
        times, names = np.atleast_1d(t).ravel(), [time, *self.integrals]
        f = in_doubles(names, [value.xreplace(given) for value in self.found.values()])
        kept = in_doubles(names, [value.xreplace(given) for value in self.integrals.values()])
        if f is None or kept is None:
            raise NotCovered(f"{self.model.name}: the closed form has no numbers that are doubles.")
        own_values = _integrated(kept, len(self.integrals), times)
        table = np.array(
            [np.asarray(f([float(s), *row]), dtype=float).ravel() for s, row in zip(times, own_values, strict=True)]
        )
        return {v.name: table[:, k].reshape(np.shape(t)) for k, v in enumerate(self.found)}

    def check(self, run: Any) -> Finding:
        """Whether a computed motion is the closed form from where it begins."""
        expect_motion(run, self.model)
        times = np.asarray(run.time.values, dtype=float)
        if self.motion.mentions_time and times[0] != 0:
            raise NotCovered(
                f"{self.model.name}: time occurs, and the closed form begins at t = 0; give a motion that does."
            )
        speeds = self.motion.speeds_of_velocities
        own = {v: float(np.ravel(run[speeds.get(v, v)].values)[0]) for v in self.begins}
        there = self._at(own, parameters_of(run.data), times - times[0])
        apart = distance(run, {q.name: there[q.name] for q in self.model.coordinates})
        return within("the motion is the one in closed form", "the largest distance", apart, GATHERED)

    def lines(self, whole: bool = False) -> list[str]:
        """The claim, and every variable that was found."""
        rows = [self.finding.text(whole), *(f"  {v} = {brief(value, whole)}" for v, value in self.found.items())]
        rows += [f"  {J} = the integral of {brief(f, whole)} over t from 0" for J, f in self.integrals.items()]
        return [*rows, *(f"  where {each}" for each in self._conditions)]

    @property
    def _conditions(self) -> list[str]:
        roots = [f"{brief(oriented(each))} is positive" for each in self.radicands]
        return [*(f"{each} is not 0" for each in self.exceptions), *roots]

    def latex(self) -> str:
        """The same in LaTeX."""
        rows = [f"& {self.finding.latex()}", *(f"{latex(v)} &= {latex(value)}" for v, value in self.found.items())]
        rows += [rf"{latex(J)} &= \int_0^t {latex(f)}\,\mathrm{{d}}t" for J, f in self.integrals.items()]
        return aligned(rows)

    def to_dict(self) -> dict[str, Any]:
        """Plain data: the claim with its verdict, and the variables as texts."""
        return self.finding.to_dict() | {
            "found": {v.name: to_text(value) for v, value in self.found.items()},
            "integrals": {J.name: to_text(f) for J, f in self.integrals.items()},
            "where": self._conditions,
        }


def _is_positive(value: Expr, values: Mapping[Symbol, Expr], free: Collection[Symbol]) -> bool:
    """Whether an expression is positive for the values of parameters, or as a sum of products of positive parameters and of squares, one without."""
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


def closed_motion(model: Model, limit: float | None) -> ClosedMotion:
    """The motion in closed form as far as the equations can be solved one after the other, within a time."""
    if (solved := solved_positions(model)) is not None:
        return _on_level(closed_motion(solved.model, limit), solved)
    motion, claim = reduced_motion(model), f"every motion of {model.name} is known in closed form"
    if not motion.has_frame:
        raise NotCovered(f"{model.name}: constraints nonlinear in the velocities are not solved in closed form.")
    begins = _begins(motion)
    found: dict[Symbol, Expr] = {}
    integrals: dict[Symbol, Expr] = {}
    try:
        with patience(limit):
            # What is declared to be zero is, so that terms which would stand in the way are gone.
            still = {s: value for s, value in model.values.items() if value == 0}
            rates = {v: rate.xreplace(still) for v, rate in motion.rates.items() if v != time}
            if all(map(_is_finite_at_first, rates.values())):
                found, integrals = solved_in_turn({v: rates[v] for v in begins}, begins, motion.model.values)
            missing = [v.name for v in begins if v not in found]
            if not all(map(_is_finite_at_first, rates.values())):
                finding = Finding.unknown(claim, "the equations are singular at t = 0, where closed forms begin")
            elif missing:
                finding = Finding.unknown(claim, f"no quadrature was found for {', '.join(missing)}")
            else:
                claim = f"every motion of {model.name} is known by quadratures" if integrals else claim
                misfits = _misfits(found, rates, begins, integrals)
                finding = vanishing(claim, "rates and values at t = 0", misfits, motion.on, r"\dot x - X(x)")
    except (GaveUp, KeyboardInterrupt) as trouble:
        finding = Finding.unknown(claim, trouble)
    return ClosedMotion(finding, model, motion, found, begins, integrals)


def _is_finite_at_first(rate: Expr) -> bool:
    """Whether a rate has a value at time zero, for all values of the variables but some."""
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


def _integrated(f: Callable[[list[float]], Any], count: int, times: np.ndarray) -> np.ndarray:
    """Integrals over time from zero on at given times, a row for each."""
    if not count:
        return np.zeros((len(times), 0))
    from scipy.integrate import solve_ivp

    values = np.zeros((len(times), count))
    for sign in (1.0, -1.0):
        there = np.unique(sign * times[sign * times > 0])  # ascending, without repetitions
        if len(there):
            rate = lambda s, J, sign=sign: sign * np.asarray(f([sign * s, *J]), dtype=float).ravel()
            found = solve_ivp(rate, (0.0, there[-1]), np.zeros(count), "DOP853", there, rtol=RELATIVE, atol=ABSOLUTE)
            if not found.success or not np.isfinite(found.y).all():
                raise InadmissibleState(
                    "an integral of the closed form does not exist until this time; ask for earlier ones."
                )
            at = np.searchsorted(there, sign * times[sign * times > 0])
            values[sign * times > 0] = found.y.T[at]
    return values


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
    """What the equations leave of the closed form, and what it misses at time zero."""
    passing: dict[Symbol, Expr] = {time: symengine.Integer(1), **integrals}
    at_first: dict[Symbol, Expr] = dict.fromkeys(passing, zero)
    for v, value in found.items():
        yield Quantity(f"the rate of {v.name}", along(value, passing) - rates[v].xreplace(dict(found)))
        yield Quantity(f"{v.name} at t = 0", value.xreplace(at_first) - begins[v])
