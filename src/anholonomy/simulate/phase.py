r"""The geometric phase: how far a fibre has moved when the base has gone round a loop.

.. math:: \dot g = g\,\xi, \qquad \xi^A = a^A{}_i\bigl(r(t), t\bigr)\,w^i(t) + a^A\bigl(r(t), t\bigr), \qquad g(0) = e

For a loop round a small area $\sigma$ it is $\xi^D \approx -B^D{}_{12}\,\sigma$, with $B^D{}_{12} = -\theta^D([h_1, h_2])$ the curvature.
"""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Real
from typing import Any

import numpy as np
import symengine

from anholonomy.compile.program import lower
from anholonomy.formulations.bundle import identity_of, moved, restricted_frame
from anholonomy.formulations.reduction import Reduction
from anholonomy.geometry.frame import Frame
from anholonomy.language.door import expression, name_of
from anholonomy.refusals import IllPosedSystem, IntegrationProblem
from anholonomy.simulate.integrators.base import Flow
from anholonomy.simulate.integrators.choose import choose_integrator
from anholonomy.symbolic.calculus import partial
from anholonomy.symbolic.expressions import Expr, Symbol, Vector, dot, free_symbols, symbol, time
from anholonomy.system.model import Model

__all__ = ["phase"]


def phase(
    reduction: Reduction,
    loop: Mapping[str, Any],
    until: float,
    *,
    parameters: Mapping[str, float] | None = None,
    tolerance: float = 1e-13,
) -> dict[str, float]:
    """The fibre's coordinates after the base has followed ``loop`` from 0 to ``until``, from the neutral element."""
    model = reduction.model
    base, fibre = (restricted_frame(model.frame, sorted(part)) for part in (reduction.base, reduction.fibre))
    if isinstance(until, bool) or not isinstance(until, Real) or not np.isfinite(float(until)):
        raise IntegrationProblem(f"{model.name}: until={until!r} is not a finite number; give the time of one round.")
    place = _place(model.name, base, loop)
    _refuse_open(model, place, float(until), {**model.parameters, **(parameters or {})})
    directions = sorted(reduction.base)
    known = dict(zip((model.velocities[a] for a in directions), _velocities(base, place), strict=True)) | place
    order = sorted(range(len(reduction.fibre)), key=reduction.fibre.__getitem__)
    xi = [reduction.written[2][k].xreplace(known) for k in order]
    rates = fibre.coordinate_rates(xi)
    values = {p: v for p, v in {**model.parameters, **(parameters or {})}.items() if v is not None}
    if free := sorted(
        s.name for s in free_symbols(rates.values()) - {time, *fibre.coordinates} if s.name not in values
    ):
        raise IllPosedSystem(f"{model.name}: {free[0]} has no value; give it in `parameters`.")
    names = tuple(map(symbol, values))
    flow = Flow(
        lower(fibre.coordinates, names, (), list(rates.values())), np.array([float(v) for v in values.values()])
    )
    neutral = identity_of(model)
    start = np.array([float(neutral.get(q, 0)) for q in fibre.coordinates])
    times = np.array([0.0, float(until)])
    solution = choose_integrator(flow.program, tolerance, None).integrate(flow, start, times, tolerance=tolerance)
    if len(solution.times) < 2:
        raise IntegrationProblem(
            f"{model.name}: the lift of the loop ends early ({solution.outcome}); take another loop."
        )
    return {q.name: float(value) for q, value in zip(moved(fibre, range(fibre.size)), solution.states[-1], strict=True)}


def _place(name: str, base: Frame, loop: Mapping[str, Any]) -> dict[Symbol, Expr]:
    given = {name_of(q, "a coordinate of the loop"): value for q, value in loop.items()}
    names = [q.name for q in base.coordinates]
    if sorted(given) != sorted(names):
        raise IllPosedSystem(f"{name}: the loop must give each of {', '.join(names)} as a function of t, nothing else.")
    return {symbol(q): expression(given[q], f"the loop's {q}") for q in names}


def _refuse_open(model: Model, place: Mapping[Symbol, Expr], until: float, values: Mapping[str, float | None]) -> None:
    """A loop ends where it begins: angles may have gone round, and a quaternion and its negative are one rotation."""
    known = {symbol(p): symengine.RealDouble(v) for p, v in values.items() if v is not None}
    kinds = dict(zip(model.coordinates, model.coordinate_kinds, strict=True))
    redundant = model.redundant_coordinates
    ends = {q: [_number(model.name, q, value, known, t) for t in (0.0, until)] for q, value in place.items()}
    flips = all(abs(start + end) < 1e-9 for q, (start, end) in ends.items() if q in redundant)
    for q, (start, end) in ends.items():
        turns = (end - start) / (2 * np.pi)
        round_again = kinds[q] != "length" and q not in redundant and abs(turns - round(turns)) < 1e-9
        if abs(end - start) > 1e-9 and not round_again and not (flips and q in redundant):
            raise IllPosedSystem(
                f"{model.name}: the loop does not close, {q} goes from {start:g} to {end:g}; close it."
            )
    for held in model.invariants:
        if held.declared.free_symbols <= set(place):
            for t in np.linspace(0, until, 7):
                gap = _number(model.name, symbol(held.label), held.declared.xreplace(place), known, float(t))
                if abs(gap) > 1e-9:
                    raise IllPosedSystem(
                        f"{model.name}: the loop leaves the group at t = {t:g} ({held.label}); stay on it."
                    )


def _number(name: str, q: Symbol, value: Expr, known: Mapping[Symbol, Expr], t: float) -> float:
    there = value.xreplace({**known, time: symengine.RealDouble(t)})
    if strange := sorted(s.name for s in there.free_symbols):
        raise IllPosedSystem(f"{name}: {strange[0]} in the loop has no value; give it in `parameters`.")
    try:
        found = float(there.n(real=True))
    except (OverflowError, RuntimeError, ValueError, TypeError):
        found = np.nan
    if not np.isfinite(found):
        raise IllPosedSystem(f"{name}: the loop is not finite at t = {t:g} ({q}); give another.")
    return found


def _velocities(frame: Frame, place: Mapping[Symbol, Expr]) -> Vector:
    r"""$w = (e e^{\mathsf T})^{-1} e\,\dot q$ along a curve, which needs no square anchor."""
    from anholonomy.symbolic.linear import inverse

    velocity = [partial(place[q], time) for q in frame.coordinates]
    if frame.is_chart:
        return tuple(velocity)
    rows = [[entry.xreplace(place) for entry in row] for row in frame.anchor_ai]
    gram = inverse([[dot(left, right) for right in rows] for left in rows])
    pushed = [dot(row, velocity) for row in rows]
    return tuple(dot(row, pushed) for row in gram)
