r"""Whether vectors of expressions span, and whether another is a combination of them, decided exactly.

.. math:: \operatorname{rank}(v_1, \dots, v_r) = r \Leftarrow \text{a minor is not zero}, \qquad
   v \in \langle v_1, \dots, v_r\rangle \Leftrightarrow \text{all bordered minors vanish}
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, final

import numpy as np

from anholonomy.compile.backends.base import Array
from anholonomy.findings.deciding import vanishing, witness_of
from anholonomy.findings.evidence import AbstractEvidence, Quantity
from anholonomy.findings.finding import Finding
from anholonomy.symbolic.expressions import Expr, Symbol, Vector
from anholonomy.symbolic.matrices.linear import determinant
from anholonomy.symbolic.numbers.balls import evaluate_ball
from anholonomy.symbolic.orbits.orbit import Orbit
from anholonomy.symbolic.zero import zero_test
from anholonomy.tolerances import TYPED
from anholonomy.verdict import Verdict

__all__ = ["SpanPlace"]

_TRIED = 3
"""Choices of columns whose determinant is looked at."""


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
