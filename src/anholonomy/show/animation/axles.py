r"""Blades and axles that constraints speak of: a row $n(\alpha)\cdot\dot P = 0$ lets $P$ move along the heading $\alpha$ only.

With $n = (\sin\alpha, -\cos\alpha)$ and a place that hangs on the point $(x, y)$ by rods of fixed lengths,

.. math:: P = (x, y) + \sum_j \ell_j(\cos\theta_j, \sin\theta_j), \qquad
   n\cdot\dot P = \sin\alpha\,\dot x - \cos\alpha\,\dot y - \sum_j \ell_j\cos(\alpha - \theta_j)\,\dot\theta_j ,

so heading and lengths are read from the coefficients, and proven: what does not fit is not drawn.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import final

import symengine

from anholonomy.symbolic.expressions import Expr, Symbol, Vector, time, zero
from anholonomy.symbolic.zero import zero_test
from anholonomy.system.constraints import Constraint
from anholonomy.system.kinds import Kind
from anholonomy.system.model import Model
from anholonomy.verdict import Verdict

__all__ = ["Axle", "axles"]


@final
@dataclass(frozen=True)
class Axle:
    """A place that moves along ``heading`` only: the point, and ``rods`` from it, each a length and an angle."""

    heading: Expr
    rods: tuple[tuple[Expr, Symbol], ...]

    def place(self, point: Vector) -> Vector:
        """Where it is, when the point is there."""
        x, y, z = point
        x += symengine.Add(*(length * symengine.cos(angle) for length, angle in self.rods))
        y += symengine.Add(*(length * symengine.sin(angle) for length, angle in self.rods))
        return x, y, z


def axles(model: Model, point: Vector) -> list[Axle]:
    """The axles that the constraints say of a point of the plane, each once, nearest first.

    >>> from anholonomy import System
    >>> car = System(coordinates=["x", "y", "theta", "steer"], lagrangian="x'^2 + y'^2 + theta'^2 + steer'^2", constraints=[
    ...     "x'*sin(theta) = y'*cos(theta)", "x'*sin(theta + steer) - y'*cos(theta + steer) = L*cos(steer)*theta'"], parameters=["L"])
    >>> [(axle.heading, axle.rods) for axle in axles(car, (*car.coordinates[:2], 0))]
    [(theta, ()), (steer + theta, ((L, theta),))]
    """
    if model.group or point[0] == 0 or point[1] == 0:
        return []
    found = [axle for c in model.constraints if (axle := _axle(model, c, point[0], point[1])) is not None]
    return sorted(dict.fromkeys(found), key=lambda axle: len(axle.rods))


def _axle(model: Model, constraint: Constraint, x: Symbol, y: Symbol) -> Axle | None:
    if not constraint.kind & (Kind.LINEAR | Kind.AFFINE):
        return None
    row = dict(zip(model.coordinates, constraint.coefficients, strict=True))
    a, b = row.pop(x), row.pop(y)
    for heading in _angles_in((a, b)):
        sine, cosine = symengine.sin(heading), symengine.cos(heading)
        factor = _constant(model, a * sine - b * cosine)
        if factor is None or not _vanishes(a * cosine + b * sine):
            continue
        rods = []
        for angle, entry in row.items():
            if entry == 0:
                continue
            away = symengine.cos(heading - angle)
            length = _at_zero(model, -entry / (factor * away))
            if length is None or not _vanishes(entry / factor + length * away):
                break
            rods.append((length, angle))
        else:
            return Axle(heading, tuple(rods))
    return None


def _angles_in(entries: Sequence[Expr]) -> Iterator[Expr]:
    """The arguments of sines and cosines, simple ones first."""
    found: set[Expr] = set()
    todo = list(entries)
    while todo:
        each = todo.pop()
        if isinstance(each, symengine.sin | symengine.cos):
            found.add(each.args[0])
        todo.extend(each.args)
    yield from sorted(found, key=lambda each: (len(each.free_symbols), str(each)))


def _constant(model: Model, entry: Expr) -> Expr | None:
    """The value of an entry that depends on no coordinate and is not zero; None for any other."""
    value = _at_zero(model, entry)
    return value if value is not None and value != 0 and _vanishes(entry - value) else None


def _at_zero(model: Model, entry: Expr) -> Expr | None:
    value = entry.xreplace(dict.fromkeys((*model.coordinates, time), zero))
    return None if value.has(symengine.zoo, symengine.nan, symengine.oo) else value


def _vanishes(entry: Expr) -> bool:
    return zero_test(entry) is Verdict.PROVEN
