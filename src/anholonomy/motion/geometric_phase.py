r"""The geometric phase: how far a fibre has moved when the base has gone round a loop.

.. math:: \dot g = g\,\xi, \qquad \xi^A = a^A{}_i\bigl(r(t), t\bigr)\,w^i(t) + a^A\bigl(r(t), t\bigr), \qquad g(0) = e

For a loop round a small area $\sigma$ it is $\xi^D \approx -B^D{}_{12}\,\sigma$, with $B^D{}_{12} = -\theta^D([h_1, h_2])$ the curvature.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import symengine

from anholonomy.algebra.calculus import partial
from anholonomy.algebra.expressions import Expr, Symbol, free_symbols, symbol, time
from anholonomy.base.errors import ArgumentError, IntegrationError, StateError
from anholonomy.base.tolerances import NOTHING
from anholonomy.equations.reduction.bundle import group_factors, identity_of, moved, restricted_frame
from anholonomy.equations.reduction.cyclic import Reduction
from anholonomy.geometry.frame import Frame
from anholonomy.geometry.groups import AbstractGroup
from anholonomy.geometry.quasi_velocities import velocities_along
from anholonomy.language.arguments import expect_mapping, expression, finite, name_of, value_of
from anholonomy.motion.integrators.base import Flow
from anholonomy.motion.integrators.choice import choose_integrator
from anholonomy.motion.problem.one_motion import check_tolerance, overriding
from anholonomy.programs.backends.base import Array
from anholonomy.programs.program import lower
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
    if (end := finite(until)) is None:
        raise IntegrationError(f"{model.name}: until={until!r} is not a finite number; give the time of one round.")
    check_tolerance(model, tolerance)
    values = _values(model, parameters)
    place = _place(model.name, base, loop)
    _refuse_open(model, place, end, values)
    directions = sorted(reduction.base)
    moving = velocities_along(base, place, [partial(place[q], time) for q in base.coordinates])
    known = dict(zip((model.velocities[a] for a in directions), moving, strict=True)) | place
    order = sorted(range(len(reduction.fibre)), key=reduction.fibre.__getitem__)
    xi = [reduction.written[2][k].xreplace(known) for k in order]
    rates = fibre.coordinate_rates(xi)
    if free := sorted(
        s.name for s in free_symbols(rates.values()) - {time, *fibre.coordinates} if s.name not in values
    ):
        raise ArgumentError(f"{model.name}: {free[0]} has no value; give it in `parameters`.")
    names = tuple(map(symbol, values))
    flow = Flow(lower(fibre.coordinates, names, (), list(rates.values())), np.array(list(values.values())))
    neutral = identity_of(model)
    start = np.array([float(neutral.get(q, 0)) for q in fibre.coordinates])
    times = np.array([0.0, end])
    solution = choose_integrator(flow.program, tolerance, None).integrate(flow, start, times, tolerance=tolerance)
    if len(solution.times) < 2:
        raise IntegrationError(
            f"{model.name}: the lift of the loop ends early ({solution.outcome}); take another loop."
        )
    return {q.name: float(value) for q, value in zip(moved(fibre, range(fibre.size)), solution.states[-1], strict=True)}


def _values(model: Model, parameters: object) -> dict[str, float]:
    """The parameters that have a value, those of this loop before those of the system."""
    given = {p: value_of(v, f"{model.name}: the parameter {p}") for p, v in overriding(model, parameters).items()}
    return {p: float(v) for p, v in {**model.parameters, **given}.items() if v is not None}


def _place(name: str, base: Frame, loop: object) -> dict[Symbol, Expr]:
    names = [q.name for q in base.coordinates]
    give = f"a dict from {', '.join(names)} to functions of t"
    sides = expect_mapping(loop, f"{name}: the loop", give, verb="is", refusal=ArgumentError)
    given = {name_of(q, "a coordinate of the loop"): value for q, value in sides.items()}
    if sorted(given) != sorted(names):
        raise ArgumentError(f"{name}: the loop must give each of {', '.join(names)} as a function of t, nothing else.")
    return {symbol(q): expression(given[q], f"the loop's {q}") for q in names}


def _refuse_open(model: Model, place: Mapping[Symbol, Expr], until: float, values: Mapping[str, float]) -> None:
    """A loop ends where it begins: angles may have gone round, and of a group it is the element that counts."""
    known = {symbol(p): symengine.RealDouble(v) for p, v in values.items()}
    ends = {q: [_number(model, q, value, known, t) for t in (0.0, until)] for q, value in place.items()}
    for q in _open(model, ends):
        start, end = ends[q]
        raise ArgumentError(f"{model.name}: the loop does not close, {q} goes from {start:g} to {end:g}; close it.")
    for held in model.invariants:
        if held.declared.free_symbols <= set(place):
            for t in np.linspace(0, until, 7):
                gap = _number(model, symbol(held.label), held.declared.xreplace(place), known, float(t))
                if abs(gap) > 1e-9:
                    raise ArgumentError(
                        f"{model.name}: the loop leaves the group at t = {t:g} ({held.label}); stay on it."
                    )


def _number(model: Model, q: Symbol, value: Expr, known: Mapping[Symbol, Expr], t: float) -> float:
    there = value.xreplace({**known, time: symengine.RealDouble(t)})
    if strange := sorted(s.name for s in there.free_symbols):
        cure = (
            "give it in `parameters`"
            if strange[0] in model.parameters
            else "write a number, or a parameter of the system"
        )
        raise ArgumentError(f"{model.name}: {strange[0]} in the loop has no value; {cure}.")
    try:
        found = float(there.n(real=True))
    except (OverflowError, RuntimeError, ValueError, TypeError):
        found = np.nan
    if not np.isfinite(found):
        raise ArgumentError(f"{model.name}: the loop is not finite at t = {t:g} ({q}); give another.")
    return found


def _open(model: Model, ends: Mapping[Symbol, Sequence[float]]) -> Iterator[Symbol]:
    """The coordinates that do not come back."""
    kinds = dict(zip(model.coordinates, model.coordinate_kinds, strict=True))
    apart = [q for q, (start, end) in ends.items() if abs(end - start) > NOTHING]
    for group in group_factors(model):
        first, last = (np.array(group.identity) for _ in "ab")
        for k, q in enumerate(group.coordinates):
            first[k], last[k] = ends.get(q, (first[k], last[k]))
        if not _is_one(group, first, last):
            yield from (q for q in apart if q in group.coordinates)
        apart = [q for q in apart if q not in group.coordinates]
    for q in apart:
        start, end = ends[q]
        turns = (end - start) / (2 * np.pi)
        if kinds[q] == "length" or abs(turns - round(turns)) > NOTHING:
            yield q


def _is_one(group: AbstractGroup, first: Array, last: Array) -> bool:
    r"""Whether $\log(g^{-1}h) = 0$: a quaternion and its negative are one rotation, but two elements of SU(2)."""
    try:
        return float(abs(group.log(group.multiply(group.inverse(first), last))).max()) <= NOTHING
    except (StateError, np.linalg.LinAlgError):  # far from the identity there may be no logarithm
        return False
