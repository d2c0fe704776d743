r"""The momenta of a Lagrangian, their rates, and the inertia at a point: what equations of motion need of a Lagrangian.

.. math::
   p_a = \frac{\partial L}{\partial w^a}, \qquad
   X^aE_a = X^a\dot p_a - X(L) - X^a\,(w^b c_{ba}{}^d + c_{0a}{}^d)\,p_d, \qquad M_{ab} = \frac{\partial p_a}{\partial w^b}

A long Lagrangian is a list of steps: one sweep backward gives all momenta and $\partial L/\partial q^i$, and sweeps forward give $\dot p$
along the few directions that matter. So the equations are a constant times as long as the Lagrangian with its common parts
shared, where its derivatives as a tree grow with the square. A short one stays a tree, as a person would write it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple, final

import flint
import symengine

from anholonomy.algebra.arithmetic import evaluate
from anholonomy.algebra.calculus import along, gradient, has_corner, jacobian
from anholonomy.algebra.expressions import Expr, Symbol, Vector, dot, is_naught, symbol, zero
from anholonomy.algebra.numbers.balls import Ball, BallArithmetic
from anholonomy.algebra.steps.definitions import Assign, Recorder, Step, assignments_to
from anholonomy.algebra.steps.derivatives import backward, forward, single_operations
from anholonomy.geometry.brackets import contract
from anholonomy.system.model import Model
from anholonomy.system.states.newton import evaluate_at

__all__ = ["Momenta", "inertia_at", "momenta"]

_LONG = 250
"""Operations from which on a Lagrangian is differentiated in steps; below, the equations can be read."""


def momenta(model: Model) -> Momenta:
    """Differentiate the Lagrangian, or take the momenta that are given instead."""
    w, q, L = model.velocities, model.coordinates, model.lagrangian
    given = (L,) if model.momenta_a is None else model.momenta_a
    if symengine.count_ops(*given) > _LONG and not model.functions and not any(map(has_corner, given)):
        return Momenta(model, *_in_steps(given, w, q, model.momenta_a is None))
    p = gradient(L, w) if model.momenta_a is None else model.momenta_a
    return Momenta(model, (), p, _nonzero(q, gradient(L, q)), L)


@final
@dataclass(frozen=True)
class Momenta:
    r"""Momenta $p_a$ with ``steps`` that lead to them from coordinates, velocities, time and parameters.

    ``slopes`` are $\partial L/\partial q^i$ where these do not vanish, and ``lagrangian`` is $L$ after these steps.
    """

    model: Model
    steps: tuple[Step, ...]
    momentum_a: Vector
    slopes: Mapping[Symbol, Expr]
    lagrangian: Expr

    def rates(self, directions: Sequence[Mapping[Symbol, Expr]], prefix: str) -> Rates:
        r"""$\dot p_a$ along directions, each given by the rates of coordinates, velocities and time; steps are called ``prefix``."""
        if not self.steps:
            return Rates((), tuple(tuple(along(p, d) for p in self.momentum_a) for d in directions))
        write = Recorder(prefix)
        named = [{s: write(rate) for s, rate in direction.items()} for direction in directions]
        found = forward(self.steps, named, write)
        momentum_ka = tuple(tuple(known.get(p, zero) for p in self.momentum_a) for known in found)
        return Rates(_assignments(write.steps), momentum_ka)

    def pull(self, row: Sequence[Expr]) -> Expr:
        r"""$X(L) + X^a\,(w^b c_{ba}{}^d + c_{0a}{}^d)\,p_d$ for the direction $X^a$."""
        frame = self.model.frame
        along_row = frame.direction(row)
        slope = symengine.Add(*(along_row[q] * slope for q, slope in self.slopes.items()))
        if frame.is_chart:
            return slope
        inherited = contract(frame.structure_abd, self.model.velocities, row)
        moving = (dot(column, row) for column in zip(*frame.drift_structure_ad, strict=True))
        return slope + dot(tuple(map(symengine.Add, inherited, moving)), self.momentum_a)

    @property
    def energy(self) -> Vector:
        r"""$w^ap_a - L$; empty where there is no Lagrangian."""
        if self.model.momenta_a is not None:
            return ()
        return (dot(self.model.velocities, self.momentum_a) - self.lagrangian,)

    @property
    def definitions(self) -> tuple[Assign, ...]:
        """The steps, as equations of motion hold them."""
        return _assignments(self.steps)


@final
class Rates(NamedTuple):
    """The rates of the momenta along several directions, and the steps that lead to them."""

    steps: tuple[Assign, ...]
    momentum_ka: tuple[Vector, ...]


@lru_cache(maxsize=64)
def _in_steps(
    given: Vector, w: tuple[Symbol, ...], q: tuple[Symbol, ...], is_lagrangian: bool
) -> tuple[tuple[Step, ...], Vector, Mapping[Symbol, Expr], Expr]:
    """The steps to the momenta, their names, the slopes of a Lagrangian and itself."""
    names = tuple(symbol(f"$p{a}") for a, _ in enumerate(w))
    steps, values = single_operations((), given, "$L")
    if not is_lagrangian:
        return (*steps, *map(Assign, names, values)), names, {}, zero
    whole, write = symbol("$L"), Recorder("$dL")
    steps.append(Assign(whole, values[0]))
    found = backward(steps, {whole: symengine.Integer(1)}, (*w, *q), write)
    steps += [*write.steps, *map(Assign, names, found[: len(w)])]
    return tuple(steps), names, _nonzero(q, found[len(w) :]), whole


def inertia_at(model: Model, point: Mapping[Symbol, Ball]) -> list[list[Ball]]:
    r"""$\partial p_a/\partial w^b$ at one state, at the current precision."""
    p, w = momenta(model), model.velocities
    if not p.steps:
        entries = iter(evaluate_at([entry for row in jacobian(p.momentum_a, w) for entry in row], point))
        return [[next(entries) for _ in w] for _ in w]
    known: dict[Expr, Ball] = dict(point)
    slopes = {velocity: {b: flint.arb(1)} for b, velocity in enumerate(w)}
    for step in assignments_to(p.momentum_a, p.definitions):
        known[step.target] = evaluate(step.value, BallArithmetic(), known)
        total: dict[int, Ball] = {}
        moving = [s for s in step.value.free_symbols if s in slopes]
        for s, slope in zip(moving, gradient(step.value, moving), strict=True):
            factor = evaluate(slope, BallArithmetic(), known)
            for b, rate in slopes[s].items():
                total[b] = total.get(b, 0) + factor * rate
        if total:
            slopes[step.target] = total
    rows = [slopes.get(p_a, {}) for p_a in p.momentum_a]
    return [[row.get(b, flint.arb(0)) for b, _ in enumerate(w)] for row in rows]


def _nonzero(symbols: Sequence[Symbol], values: Sequence[Expr]) -> dict[Symbol, Expr]:
    return {s: value for s, value in zip(symbols, values, strict=True) if not is_naught(value)}


def _assignments(steps: Sequence[Step]) -> tuple[Assign, ...]:
    return tuple(step for step in steps if isinstance(step, Assign))
