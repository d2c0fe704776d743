r"""A system with inputs as a drift field and input fields, and exact tests whether vectors span.

.. math:: \dot x = f(x) + \tau^ig_i(x), \qquad \dot q = u^aX_a, \qquad \dot u^c = -\Gamma^c_{ab}(q)\,u^au^b + \tau^iY_i{}^c(q), \qquad
   \langle A : B\rangle = \nabla_AB + \nabla_BA

in coordinates and speeds. Whether vectors of expressions span, and whether another is a combination of them, is decided by minors:

.. math:: \operatorname{rank}(v_1, \dots, v_r) = r \Leftarrow \text{a minor is not zero}, \qquad
   v \in \langle v_1, \dots, v_r\rangle \Leftrightarrow \text{all bordered minors vanish}
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, final

import numpy as np

from anholonomy.algebra.calculus import along, gradient
from anholonomy.algebra.expressions import Expr, Symbol, Vector, dot, free_symbols, symbol, time, zero
from anholonomy.algebra.linear_algebra.symbolic import determinant
from anholonomy.algebra.numbers.balls import evaluate_ball, precision
from anholonomy.algebra.redundant_coordinates import Orbit
from anholonomy.algebra.zero_test import zero_test
from anholonomy.base.caching import cached_property
from anholonomy.base.errors import NotSupportedError
from anholonomy.base.tolerances import TYPED
from anholonomy.base.verdict import Verdict
from anholonomy.equations.equations_of_motion import EquationsOfMotion
from anholonomy.equations.principles import formulation
from anholonomy.findings.evidence import AbstractEvidence, Quantity
from anholonomy.findings.finding import Finding
from anholonomy.findings.zero_claims import vanishing, witness_of
from anholonomy.geometry.adapted_frame import FAIR
from anholonomy.laws.reduced_motion import ReducedMotion, reduced_motion
from anholonomy.motion.charts.one_motion import frame_quality
from anholonomy.programs.backends.base import Array
from anholonomy.system.model import Model

__all__ = ["ControlSystem", "SpanPlace", "held"]

_TRIED = 3
"""Choices of columns whose determinant is looked at."""


@final
@dataclass(frozen=True)
class ControlSystem:
    """The motion of a model whose inputs are symbols."""

    model: Model
    motion: ReducedMotion

    @classmethod
    def of(cls, model: Model, values: Mapping[Symbol, Expr], place: SpanPlace) -> ControlSystem:
        """Refused where time occurs, or a force is no linear function of the inputs."""
        plain = model.replaced(inputs=()).independent
        motion = reduced_motion(plain)
        if values:
            motion = ReducedMotion(plain, _regular(motion, place))
        if motion.mentions_time:
            raise NotSupportedError(
                f"{model.name} depends on time, and what its inputs reach is asked of systems that do not."
            )
        found = cls(model, motion)
        inputs = set(map(symbol, model.inputs))
        for Y in found.fields:
            if free_symbols(Y) & inputs:
                raise NotSupportedError(
                    f"{model.name}: its forces are not linear in the inputs, for which there are no brackets to take."
                )
        return found

    @property
    def inputs(self) -> tuple[Symbol, ...]:
        return tuple(map(symbol, self.model.inputs))

    @cached_property
    def rates(self) -> dict[Symbol, Expr]:
        """Of coordinates and speeds, at the declared values."""
        values = self.model.values
        return {x: rate.xreplace(values) for x, rate in self.motion.rates.items() if x != time}

    @property
    def states(self) -> tuple[Symbol, ...]:
        return (*self.motion.coordinates, *self.motion.speeds)

    @cached_property
    def drift(self) -> dict[Symbol, Expr]:
        """The field $f$."""
        idle = dict.fromkeys(self.inputs, zero)
        return {x: rate.xreplace(idle) for x, rate in self.rates.items()}

    @cached_property
    def fields(self) -> tuple[Vector, ...]:
        """$Y_i$ in the speeds."""
        slopes = [gradient(self.rates[u], self.inputs) for u in self.motion.speeds]
        return tuple(zip(*slopes, strict=True)) if slopes else ((),) * len(self.inputs)

    @cached_property
    def _directions(self) -> tuple[dict[Symbol, Expr], ...]:
        values = self.model.values
        return tuple({q: rate.xreplace(values) for q, rate in X.items() if q != time} for X in self.motion.fields)

    @cached_property
    def only_inertia(self) -> Verdict:
        """Whether the speeds change by inertia alone where no input acts: no potential, no friction, no moving support."""
        u = self.motion.speeds
        rest = dict.fromkeys(u, zero)
        gaps = [self.drift[c] - dot(u, [dot(u, row) for row in self._second(c)]) / 2 for c in u]
        gaps += [self.drift[q].xreplace(rest) for q in self.motion.coordinates]
        return Verdict.on_all(zero_test(gap, self.motion.on) for gap in gaps)

    def _second(self, c: Symbol) -> list[Vector]:
        u = self.motion.speeds
        rest = dict.fromkeys(u, zero)
        return [tuple(e.xreplace(rest) for e in gradient(slope, u)) for slope in gradient(self.drift[c], u)]

    @cached_property
    def _christoffel(self) -> list[list[Vector]]:
        """$-2\\Gamma^c_{ab}$."""
        return [self._second(c) for c in self.motion.speeds]

    def product(self, A: Vector, B: Vector) -> Vector:
        r"""$\langle A : B\rangle$ of fields in the frame of the speeds."""
        along_A, along_B = self._direction(A), self._direction(B)
        return tuple(
            along(b, along_A) + along(a, along_B) - dot(A, [dot(row, B) for row in G])
            for a, b, G in zip(A, B, self._christoffel, strict=True)
        )

    def _direction(self, A: Vector) -> dict[Symbol, Expr]:
        return {
            q: sum((a * X[q] for a, X in zip(A, self._directions, strict=True)), zero) for q in self.motion.coordinates
        }

    def in_coordinates(self, A: Vector) -> Vector:
        """A field on the configurations, in the system's own frame."""
        columns = zip(*self.motion.span_ba, strict=True)
        values = self.model.values
        return tuple(dot(A, [entry.xreplace(values) for entry in column]) for column in columns)


def held(model: Model) -> int:
    """How many directions constraints on positions take away for good."""
    return sum(c.position is not None for c in model.independent.constraints)


def _regular(motion: ReducedMotion, place: SpanPlace) -> EquationsOfMotion:
    """The equations in a frame that is farthest from failing at a place."""
    principle = formulation(motion.equations.principle)
    with precision(20):
        point = {s: float(value) for s, value in place.sample.items()}
        point |= {q: float(evaluate_ball(value, dict(place.sample), 20)) for q, value in place.values.items()}
    frame = principle.frame(motion.model)
    if frame_quality(frame, point) > FAIR:
        return motion.equations
    return principle.derive(motion.model, principle.frame(motion.model, point, strict=True))


@final
@dataclass(frozen=True)
class SpanPlace:
    """Where vectors are looked at: the exact values of some coordinates, and numbers for all."""

    values: Mapping[Symbol, Expr]
    sample: Mapping[Symbol, Any]
    on: Orbit | None

    def here(self, vector: Sequence[Expr]) -> Vector:
        """A vector at the exact values."""
        return tuple(entry.xreplace(dict(self.values)) for entry in vector)

    def independent(self, vectors: Sequence[Vector]) -> list[int]:
        """Those that are independent of the ones before them, as far as numbers tell."""
        basis, kept = list[Array](), list[int]()
        for k, vector in enumerate(vectors):
            own = self._numbers(vector)
            left = own - sum((b * (b @ own) for b in basis), np.zeros(own.size))
            left = left - sum((b * (b @ left) for b in basis), np.zeros(own.size))
            if np.linalg.norm(left) > TYPED * max(float(np.linalg.norm(own)), 1e-300):
                basis.append(left / np.linalg.norm(left))
                kept.append(k)
        return kept

    def minor(self, vectors: Sequence[Vector], name: str) -> tuple[list[int], tuple[AbstractEvidence, ...]] | None:
        """Columns in which vectors have a minor that is proven not to vanish, and the proof."""
        if not vectors:
            return [], ()
        numbers = np.array([self._numbers(v) for v in vectors])
        rows = [self.here(v) for v in vectors]
        every = combinations(range(numbers.shape[1]), len(vectors))
        tried = sorted(every, key=lambda c: -abs(float(np.linalg.det(numbers[:, list(c)]))))
        for columns in tried[:_TRIED]:
            value = determinant([[row[c] for c in columns] for row in rows])
            if zero_test(value, self.on) is Verdict.REFUTED:
                return list(columns), (witness_of(Quantity(f"the determinant of {name}", value), self.on),)
        return None

    def combination(self, vectors: Sequence[Vector], other: Vector, name: str) -> Finding:
        """Whether a vector is a combination of others, which are independent."""
        claim = f"{name} is a combination of what comes before it"
        found = self.minor(vectors, "these")
        if found is None:
            return Finding(claim, Verdict.UNKNOWN)
        rows = [self.here(v) for v in (*vectors, other)]
        others = [k for k in range(len(other)) if k not in found[0]]
        minors = (
            Quantity(f"a minor with {name}", determinant([[row[c] for c in (*found[0], k)] for row in rows]))
            for k in others
        )
        return vanishing(claim, f"what {name} adds", minors, self.on)

    def _numbers(self, vector: Vector) -> Array:
        return np.array([float(evaluate_ball(entry, dict(self.sample), 30)) for entry in self.here(vector)])
