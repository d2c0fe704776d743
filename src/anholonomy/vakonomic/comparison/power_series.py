r"""One motion as a power series, and whether a multiplier satisfies its vakonomic equations to some order.

.. math:: A(t)^{\mathsf T}(\dot\mu + \lambda(t)) + E(\varphi)(t)^{\mathsf T}\mu = 0, \qquad \mu = \sum_j \mu_j t^j

The motion comes from the equations of motion as the steps they are, so that the size of a system does not matter. Coefficients are
balls: where the linear equations for all $\mu_j$ have as many independent rows as unknowns and one more contradicts them, no multiplier
exists, and that is a proof at this state.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import final

import flint

from anholonomy.algebra.arithmetic import evaluate
from anholonomy.algebra.expressions import Expr, Symbol, Vector, dot, time
from anholonomy.algebra.numbers.balls import MANY_DIGITS, Ball, excludes_zero
from anholonomy.algebra.numbers.power_series import Series, SeriesArithmetic, coefficients, run_series, truncated
from anholonomy.base.deadlines import check
from anholonomy.base.verdict import Verdict
from anholonomy.equations.equations_of_motion import EquationsOfMotion
from anholonomy.equations.principles import formulation
from anholonomy.findings import AbstractEvidence
from anholonomy.language.answers import EQUALS, Part, Row, joined
from anholonomy.system.model import Model
from anholonomy.system.states.newton import Point
from anholonomy.vakonomic.comparison.multiplier_equations import of_constraint

__all__ = ["contradiction"]


def contradiction(model: Model, state: Point, order: int | None = None) -> SeriesContradiction | None:
    """The contradiction that the motion from a state meets, by rising orders; None where none is met."""
    plain = model.independent
    most = 2 * len(plain.constraints) + 3 if order is None else order
    first = 2 if order is None else order
    for terms in sorted({*range(first, most, 3), most}):
        check()
        with truncated(terms + 1, MANY_DIGITS):
            misfit = _misfit(plain, state, terms)
        if misfit is not None:
            return SeriesContradiction(
                model, tuple(sorted(state.items(), key=lambda item: str(item[0]))), terms, misfit
            )
    return None


@final
@dataclass(frozen=True, repr=False)
class SeriesContradiction(AbstractEvidence):
    """A state from which no multiplier satisfies the vakonomic equations to some order in time.

    ``misfit`` is the ball of what is left of an equation when all multipliers are eliminated.
    """

    model: Model
    state: tuple[tuple[Symbol, Ball], ...]
    order: int
    misfit: Ball

    def check(self) -> Verdict:
        found = contradiction(self.model, dict(self.state), self.order)
        return Verdict.UNKNOWN if found is None else Verdict.PROVEN

    def as_rows(self) -> Iterable[Part]:
        values = dict(self.state)
        shown = (s for s in values if s in (*self.model.coordinates, *self.model.velocities))
        at = joined((s, EQUALS, f"{float(values[s].mid()):.6g}") for s in shown)
        left = f"{float(self.misfit.mid()):.3g}"
        yield Row(f"the vakonomic equations to order {self.order} in time leave 0 = {left} at ", at)


def _misfit(model: Model, state: Point, terms: int) -> Ball | None:
    """What the first coefficients of the equations leave when as many multipliers as they have are eliminated."""
    try:
        known = _motion(formulation("lagrange-dalembert").derive(model), state, terms)
    except ZeroDivisionError:
        return None
    do = SeriesArithmetic()

    def series(e: Expr) -> list[Ball]:
        return coefficients(evaluate(e, do, known), terms)

    seen = model.accelerations
    A = [[series(e) for e in row] for row in model.matrix_na]
    bends = [[series(e) for e in row] for row in _bends(model, seen)]
    lam = [coefficients(known[s], terms) for s in model.multipliers]
    rows = []
    for a in range(model.frame.size):
        for j in range(terms):
            rows.append(_row([row[a] for row in A], [row[a] for row in bends], lam, j, terms))
    still = {k * (terms + 1) for k, c in enumerate(model.constraints) if c.position is not None}
    return _left(rows, still)


def _motion(equations: EquationsOfMotion, state: Point, terms: int) -> dict[Expr, Series]:
    """Coordinates and velocities as series, one more coefficient at a time, with rates and multipliers."""
    moving = (*equations.model.coordinates, *equations.speeds)
    start: Mapping[Expr, Ball] = {time: flint.arb(0), **state}
    known = {s: flint.arb_series([value]) for s, value in start.items()}
    known[time] = flint.arb_series([start[time], 1])
    rates: Sequence[Expr] = (*equations.coordinate_rates, *equations.rates)
    for _ in range(terms + 1):
        check()
        after = run_series(equations.unknown_steps, known)
        slopes = [evaluate(e, SeriesArithmetic(), after) for e in rates]
        for s, slope in zip(moving, slopes, strict=True):
            known[s] = flint.arb_series([start[s]]) + slope.integral()
    return run_series(equations.unknown_steps, known)


def _bends(model: Model, accelerations: Vector) -> list[list[Expr]]:
    r"""$E_a(\varphi^\nu)$ with the accelerations in it, a row for each constraint."""
    found = []
    for c in model.constraints:
        E = of_constraint(model, c.expression)
        found.append([dot(row, accelerations) + h for row, h in zip(E.mass_ab, E.bias_a, strict=True)])
    return found


def _row(A: list[list[Ball]], bend: list[list[Ball]], lam: list[list[Ball]], j: int, terms: int) -> list[Ball]:
    r"""The coefficient of $t^j$ in $A_\nu(\dot\mu_\nu + \lambda_\nu) + \mu_\nu E_\nu$: one entry for each $\mu_{\nu i}$, then the right side."""
    row = []
    for a, e in zip(A, bend, strict=True):
        entries = [flint.arb(0)] * (terms + 1)
        for i in range(j + 1):
            entries[i + 1] = entries[i + 1] + (i + 1) * a[j - i]
            entries[i] = entries[i] + e[j - i]
        row += entries
    right = sum((a[j - i] * x[i] for a, x in zip(A, lam, strict=True) for i in range(j + 1)), start=flint.arb(0))
    return [*row, -right]


def _left(rows: list[list[Ball]], still: set[int]) -> Ball | None:
    r"""The right side of a row whose unknowns are all eliminated, where it excludes zero.

    ``still`` are unknowns that no equation has: for $\varphi = \dot g$ the variational derivative vanishes, and $\mu_0$ is free.
    """
    columns = {j for j in range(len(rows[0]) - 1) if j not in still and not all(row[j].is_zero() for row in rows)}
    rows = [row for row in rows if all(value.is_finite() for value in row)]
    while columns:
        check()
        places = ((abs(row[j]).lower(), i, j) for i, row in enumerate(rows) for j in columns)
        best = max(places, key=lambda place: float(place[0]), default=None)
        if best is None or not best[0] > 0:
            return None
        _, i, j = best
        pivot = rows.pop(i)
        columns.remove(j)
        for k, row in enumerate(rows):
            if not row[j].is_zero():
                factor = row[j] / pivot[j]
                rows[k] = [a - factor * b for a, b in zip(row, pivot, strict=True)]
                rows[k][j] = flint.arb(0)
    wrong = [row[-1] for row in rows if excludes_zero(row[-1])]
    return max(wrong, key=lambda value: float(abs(value).lower()), default=None)
