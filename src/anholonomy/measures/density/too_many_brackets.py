r"""Route to a refutation: brackets with the values of the divergence have a larger rank than there are directions.

Ranks are taken modulo a prime, for systems of any length.

.. math:: \hat X_A = X_A - \theta_A\,\partial_z, \qquad \operatorname{rank}\langle\hat X_A, [\hat X_A, \hat X_B], \dots\rangle >
   \operatorname{rank}\langle X_A, [X_A, X_B], \dots\rangle

A function with $X_A(\ln N) = -\theta_A$ is a graph $z = \ln N(q)$ that the fields $\hat X_A$ are tangent to, and so are their brackets: then these have the rank of those
of the $X_A$. That rank is known exactly; the other is bounded from below by a rank modulo a prime at a point, where the motion is a power series made
from the steps of its equations. So nothing is written out. The divergence is that of the motion in coordinates and speeds,

.. math:: \theta_a = \partial_iX_a^i + \frac{\partial^2\dot u^b}{\partial u^a\,\partial u^b}\Big|_{u = 0}, \qquad
   \theta_0 = \partial_iX_0^i + \frac{\partial\dot u^b}{\partial u^b}\Big|_{u = 0} .
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import comb
from typing import final

import numpy as np

from anholonomy.algebra.residues.arrays import Array
from anholonomy.algebra.residues.linear_algebra import residue_rank
from anholonomy.algebra.residues.series import ResidueSeries
from anholonomy.base.deadlines import check
from anholonomy.base.errors import NotSupportedError
from anholonomy.base.verdict import Verdict
from anholonomy.findings import AbstractEvidence
from anholonomy.language.answers import Part
from anholonomy.laws.generic_scope import generic
from anholonomy.laws.prolongation.completeness import MAX_JETS, growth_of
from anholonomy.laws.prolongation.series_at_point import LocalMotion, is_quadratic
from anholonomy.laws.reduced_motion import ReducedMotion
from anholonomy.measures.density.problem import Decision, DensityProblem
from anholonomy.system.constraints import Kind

__all__ = ["POINTS", "Crowded", "crowded", "too_many_brackets"]

POINTS = 3
"""Points at each of which the rank must be too large; one would do, but for the signs of roots."""
_DEEPER = 2
"""Lengths of brackets without a new direction after which no longer ones are looked at."""


def too_many_brackets(problem: DensityProblem) -> Decision | None:
    """Refuted, if there is a contradiction of ranks."""
    found = crowded(problem.motion)
    return None if found is None else problem.refuted(found, generic(problem.motion.model))


def crowded(motion: ReducedMotion) -> Crowded | None:
    """A contradiction; None where none is met, or where the reach of brackets is not proven."""
    if not motion.speeds or not is_quadratic(motion):
        return None
    try:
        names, length = _longest(motion)
        most = motion.model.frame.size + int(motion.mentions_time) - _on_positions(motion)
        if len(names) <= most:
            growth = growth_of(motion)
            most = most if growth is None else growth[-1]
    except (NotSupportedError, KeyError):  # no point modulo a prime, or a function that has no residues
        return None
    if len(names) <= most:
        return None
    found = Crowded(motion, length, most, names[most])
    return found if found.check() else None


@final
@dataclass(frozen=True, repr=False)
class Crowded(AbstractEvidence):
    """Evidence that brackets up to a length have a larger rank with the values of the divergence than there are directions.

    ``reach`` is how many directions brackets of the fields have at generic points, ``bracket`` the first that has no room.
    """

    motion: ReducedMotion
    length: int
    reach: int
    bracket: str

    def check(self) -> Verdict:
        ranks = (len(BracketClosureModuloPrime(self.motion, self.length, seed).independent()) for seed in range(POINTS))
        return Verdict.PROVEN if all(rank > self.reach for rank in ranks) else Verdict.UNKNOWN

    def as_rows(self) -> Iterable[Part]:
        yield (
            f"brackets of the admissible fields have {self.reach} independent directions, but with the values that the derivatives of ln N "
            f"must have {self.bracket} is one more, by ranks modulo a prime at {POINTS} points"
        )


def _longest(motion: ReducedMotion) -> tuple[list[str], int]:
    """Independent brackets, longer and longer ones until there are no more."""
    names: list[str] = []
    steady, length, best = 0, 2, 2
    while steady < _DEEPER:
        here = BracketClosureModuloPrime(motion, length, 0)
        if comb(len(here.local.variables) + length, length) > MAX_JETS:
            break
        found = here.independent()
        steady = steady + 1 if len(found) <= len(names) else 0
        names, best = (found, length) if len(found) > len(names) else (names, best)
        length += 1
    return names, best


def _on_positions(motion: ReducedMotion) -> int:
    """The number of constraints that were declared on positions, each of which keeps a function constant."""
    return sum(Kind.POSITION in c.kind for c in motion.model.constraints)


@final
class BracketClosureModuloPrime:
    """Fields with the values of a function's derivatives along them, as series around a point, and their brackets up to a length."""

    def __init__(self, motion: ReducedMotion, length: int, seed: int) -> None:
        self.length, self.local = length, LocalMotion(motion, length, 1_000 * seed, on_level=True)

    @property
    def do(self) -> ResidueSeries:
        return self.local.do

    def given(self) -> list[tuple[str, list[Array]]]:
        r"""$X_a$ with $-\theta_a$ last, and the drift where there is one."""
        local, do = self.local, self.do
        m, zero = len(local.motion.speeds), np.zeros((1, len(do.table)), dtype=np.int64)
        found = []
        for a, (u, field) in enumerate(zip(local.motion.speeds, local.fields, strict=True)):
            own = [component[None] for component in field]
            bent = [
                (1 + (a == b)) * local.pushes[b].get(tuple(int(c == a) + int(c == b) for c in range(m)), zero[0])[None]
                for b in range(m)
            ]
            found.append((f"X({u.name})", [*own, self._value(own, bent)]))
        drift = [component[None] for component in local.drift or [zero[0]] * len(local.variables)]
        drag = [local.pushes[b].get(tuple(int(c == b) for c in range(m)), zero[0])[None] for b in range(m)]
        value = self._value(drift, drag)
        return [*found, ("the drift", [*drift, value])] if value.any() or local.drift is not None else found

    def _value(self, field: list[Array], bent: list[Array]) -> Array:
        spread = [self.do.partial(component, i) for i, component in enumerate(field)]
        return np.asarray(-sum([*spread, *bent]) % self.do.prime)

    def independent(self) -> list[str]:
        """The names of independent brackets, short ones first; none where the point is no good."""
        if not self.local.respects_relations or not self.local.exists:
            return []
        given, names, rows = self.given(), list[str](), list[list[int]]()
        level = given
        for deep in range(self.length):
            for name, field in level:
                check()
                rows.append(self._at(field))
                if residue_rank(np.array(rows), self.do.prime) == len(rows):
                    names.append(name)
                else:
                    rows.pop()
            if deep + 1 < self.length:
                level = [self.bracket(x, y) for i, x in enumerate(given) for y in level[0 if deep else i + 1 :]]
        return names

    def _at(self, field: list[Array]) -> list[int]:
        return [int(component[0, 0]) for component in field]

    def bracket(self, x: tuple[str, list[Array]], y: tuple[str, list[Array]]) -> tuple[str, list[Array]]:
        """$[X, Y]$, and the value that it must have; one order is lost."""
        prime = self.do.prime
        parts = zip(self._along(x[1], y[1]), self._along(y[1], x[1]), strict=True)
        return f"[{x[0]}, {y[0]}]", [(a - b) % prime for a, b in parts]

    def _along(self, field: list[Array], of: list[Array]) -> list[Array]:
        do = self.do
        return [
            do.add([do.multiply([v, do.partial(f, i)]) for i, v in enumerate(field[:-1])])
            for f in of
        ]  # fmt: skip
