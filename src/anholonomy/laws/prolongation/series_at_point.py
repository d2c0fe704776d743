r"""The motion around a random point as power series modulo a prime.

.. math:: \dot z = X_a(z)\,u^a + X_0(z), \qquad \dot u^b = c^b(z) + c^b_a(z)\,u^a + c^b_{ac}(z)\,u^au^c

The coefficients are read off at the speeds $0$, $\pm e_a$ and $e_a + e_b$. Functions that no arithmetic knows, such as sines, are integrated
along rays from the point, $z^i\partial_iN = \sum_s(\partial N/\partial s)\,z^i\partial_is$, one order after the other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TypeAlias, final

import numpy as np
import symengine

from anholonomy.algebra.arithmetic import evaluate
from anholonomy.algebra.calculus import partial
from anholonomy.algebra.expressions import Expr, Symbol, free_symbols, time
from anholonomy.algebra.piecewise import corners
from anholonomy.algebra.residues.arrays import Array, ResidueArrays
from anholonomy.algebra.residues.linear_algebra import independent_columns
from anholonomy.algebra.residues.series import ResidueSeries, monomials
from anholonomy.algebra.steps.definitions import Assign
from anholonomy.base.caching import cached_property
from anholonomy.base.deadlines import check
from anholonomy.laws.ansatz.random_points import (
    Points,
    are_roots_independent,
    draw_point_where_zero,
    draw_points,
)
from anholonomy.laws.generic_scope import residue_level, residue_level_and_rest
from anholonomy.laws.reduced_motion import ReducedMotion

__all__ = ["LocalMotion", "Powers", "is_quadratic"]

Powers: TypeAlias = tuple[int, ...]
"""The exponents of the speeds."""


def is_quadratic(motion: ReducedMotion) -> bool:
    """True if the rates are polynomials of degree two in the speeds: those of the Lagrangian and of the forces are."""
    model, w = motion.model, motion.model.velocities
    if not motion.has_frame or model.momenta_a is not None:
        return False
    sources = (model.lagrangian, *model.forces_a)
    if not free_symbols(node for f in sources for node in corners(f)).isdisjoint(w):
        return False  # dry friction has no slope and jumps
    return all(_is_polynomial(f, w, 2) for f in sources)


def _is_polynomial(f: Expr, w: Sequence[Symbol], degree: int) -> bool:
    expanded = symengine.expand(f, deep=False)
    slopes = [partial(expanded, s) for s in w if s in expanded.free_symbols]
    if not slopes:
        return True
    return degree > 0 and all(_is_polynomial(slope, w, degree - 1) for slope in slopes)


@final
@dataclass(frozen=True)
class LocalMotion:
    """The motion up to an order around a point, which is the same for every order.

    ``on_level`` asks for a point of the declared level of constraints on positions also where these are solved for no coordinate.
    """

    motion: ReducedMotion
    order: int
    seed: int = 0
    on_level: bool = False

    @cached_property
    def variables(self) -> tuple[Symbol, ...]:
        """Coordinates without redundancy, and time where it occurs."""
        on, own = self.motion.model.frame.orbit, self.motion.coordinates
        free = own if on is None or not on.tied else (*on.parameters, *(q for q in own if q not in on.tied))
        return (*free, time) if self.motion.mentions_time else free

    @cached_property
    def speeds(self) -> list[Powers]:
        """At which speeds the rates are read off."""
        m = range(len(self.motion.speeds))
        unit = [tuple(int(i == a) for i in m) for a in m]
        pairs = [tuple(map(sum, zip(unit[a], unit[b], strict=True))) for a, b in combinations(m, 2)]
        return [(0,) * len(m), *unit, *(tuple(-e for e in each) for each in unit), *pairs]

    @cached_property
    def point(self) -> Points:
        model, level = self.motion.model, residue_level(self.motion.model)
        if level is None and self.on_level and (found := residue_level_and_rest(model)) is not None:
            level, left = found
            if left is not None:
                return draw_point_where_zero(self.motion, left, model.values, level, self.seed)
        return draw_points(self.motion, (), 1, values=model.values, level=level, seed=self.seed)

    @cached_property
    def respects_relations(self) -> bool:
        """True if the point respects every relation of the functions that occur, roots included."""
        return self.point.exact and are_roots_independent(self.motion)

    @cached_property
    def do(self) -> ResidueSeries:
        table = monomials(len(self.variables), self.order)
        return ResidueSeries(table, ResidueArrays(self.point.prime, len(self.speeds)))

    @cached_property
    def known(self) -> dict[Expr, Array]:
        """Every symbol and every function that occurs, as a series."""
        do, given, motion = self.do, {s: int(value[0]) for s, value in self.point.given.items()}, self.motion
        found: dict[Expr, Array] = {s: do.constant(np.array(v)) for s, v in given.items()}
        for a, u in enumerate(motion.speeds):
            found[u] = do.constant(np.array([each[a] % do.prime for each in self.speeds]))
        for i, q in enumerate(self.variables):
            found[q] = do.variable(np.array(given[q]), i)
        on = motion.model.frame.orbit
        for q, value in (on.chart or {}).items() if on is not None and on.tied else ():
            found[q] = evaluate(value, do, dict(found))
        return self._integrated(found, [node for node in given if not isinstance(node, symengine.Symbol)])

    def _integrated(self, found: dict[Expr, Array], nodes: Sequence[Expr]) -> dict[Expr, Array]:
        do = self.do
        slopes = {node: {s: partial(node, s) for s in node.free_symbols if found[s][:, 1:].any()} for node in nodes}
        for _ in range(self.order if any(slopes.values()) else 0):
            memo = dict(found)
            for node, each in slopes.items():
                terms = [do.multiply([evaluate(e, do, memo), do.radial(found[s])]) for s, e in each.items()]
                if terms:
                    found[node] = do.from_radial(found[node][:, 0], do.add(terms))
        return found

    @cached_property
    def after_steps(self) -> dict[Expr, Array]:
        do, known = self.do, dict(self.known)
        for step in self.motion.equations.unknown_steps:
            check()
            found = [evaluate(e, do, known) for e in step.sources]
            if isinstance(step, Assign):
                known[step.target] = found[0]
                continue
            size = len(step.unknowns)
            rows = [found[i * size : (i + 1) * size] for i in range(size)]
            known |= dict(zip(step.unknowns, do.solve(rows, found[size * size :]), strict=True))
        return known

    @cached_property
    def _rates(self) -> list[Array]:
        """The rates of the variables at the speeds."""
        do, known, motion = self.do, self.after_steps, self.motion
        q, rates = motion.coordinates, [evaluate(e, do, known) for e in motion.equations.coordinate_rates]
        own = [s for s in self.variables if s != time]
        if own != list(q):
            slopes = [[do.partial(known[s], i) for i in range(len(own))] for s in q]
            rows = independent_columns(np.array([[e[0, 0] for e in row] for row in slopes]).T, do.prime)
            rates = do.solve([slopes[j] for j in rows], [rates[j] for j in rows])
        return [*rates, do.number(1)] if self.motion.mentions_time else rates

    @cached_property
    def fields(self) -> list[list[Array]]:
        """The components of the fields $X_a$ on the variables."""
        prime = self.do.prime
        return [[(rate[1 + a] - rate[0]) % prime for rate in self._rates] for a in range(len(self.motion.speeds))]

    @cached_property
    def drift(self) -> list[Array] | None:
        """$X_0$, with the rate of time where that occurs; None where there is none."""
        found = [rate[0] for rate in self._rates]
        return found if any(each.any() for each in found) else None

    @cached_property
    def pushes(self) -> list[Mapping[Powers, Array]]:
        """The rate of each speed, by monomials of the speeds."""
        known = self.after_steps
        return [self._polynomial(known[z]) for z in self.motion.equations.rates]

    def _polynomial(self, at: Array) -> dict[Powers, Array]:
        do, m = self.do, len(self.motion.speeds)
        prime, half = do.prime, pow(2, -1, do.prime)
        still, unit = at[0], self.speeds[1 : m + 1]
        found = {self.speeds[0]: still}
        for a, e in enumerate(unit):
            up, down = at[1 + a], at[1 + m + a]
            found[e] = (up - down) * half % prime
            found[tuple(2 * k for k in e)] = ((up + down) * half - still) % prime
        for k, (a, b) in enumerate(combinations(range(m), 2)):
            found[self.speeds[1 + 2 * m + k]] = (at[1 + 2 * m + k] - at[1 + a] - at[1 + b] + still) % prime
        return {e: value for e, value in found.items() if value.any()}

    @property
    def exists(self) -> bool:
        """True if every root and every quotient exists at the point."""
        _ = self.fields, self.pushes
        return bool(self.do.do.good.all())
