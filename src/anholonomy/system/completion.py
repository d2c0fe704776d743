r"""What a state leaves out and the constraints determine: $f(u) = 0$ for the missing coordinates or velocities $u$.

.. math:: u \leftarrow u - \theta\,J^{+} f, \qquad J = \partial f/\partial u

by Gauss and Newton with a pseudo-inverse, because the rows may outnumber the unknowns or be short of them, and shorter
steps $\theta$ where a whole one leads away. Nonlinear equations are solved from many starts: where they leave a choice,
it is the user's.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import final

import flint
import numpy as np

from anholonomy.lazy import cached_property
from anholonomy.refusals import InadmissibleState
from anholonomy.symbolic.balls import ball
from anholonomy.symbolic.calculus import jacobian
from anholonomy.symbolic.expressions import Expr, Matrix, Symbol
from anholonomy.system.constraints import Constraint
from anholonomy.system.newton import Point, evaluate_at, largest, rows_at
from anholonomy.system.residuals import excess, violated

__all__ = ["Completion", "listed", "or_project"]

_APART = 1e-6
"""Solutions that differ by more than this part of their size are two."""
_SMALL = 1e-25
"""A value this small beside the others may be what a search leaves of zero."""
_HALF = 1e-5
"""A value this small may be what is left of a double zero."""
_TRIALS = 12
"""Starts at random."""
_STEPS = 60


@final
@dataclass(frozen=True)
class Completion:
    """A search for values that were not given.

    Attributes
    ----------
    name
        The system's.
    functions
        What must vanish, one for each constraint.
    missing
        The unknowns, some of the ``family`` of all coordinates or all velocities.
    """

    name: str
    constraints: tuple[Constraint, ...]
    functions: tuple[Expr, ...]
    missing: tuple[Symbol, ...]
    family: tuple[Symbol, ...]

    def of(self, values: Point, project: bool | None = None) -> Point:
        """The values with the missing ones; refused where they are not determined, or several would do.

        With ``project``, what was given may change as well, so the missing ones need not satisfy the constraints; None
        says that whoever asks cannot choose that.
        """
        found = self.best(values)
        self._refuse_undetermined(found)
        contradicted = self.violated(found)
        if contradicted is None and self._is_nonlinear:
            self._refuse_ambiguous(found)
        if contradicted is not None and not project:
            what = "velocities" if self.missing[0].name.endswith("'") else "values"
            names = ", ".join(u.name for u in self.missing)
            raise InadmissibleState(
                f"{self.name}: with the {what} given no {names} was found that satisfies the constraint "
                f"{contradicted.label}; change them{or_project(project)}."
            )
        return found

    def best(self, values: Point) -> Point:
        """The first solution, or what comes closest to one."""
        closest: Point | None = None
        for start in self._starts(values):
            found = self._descended(start)
            if self.violated(found) is None:
                return found
            closest = closest or found
        assert closest is not None  # there is always a start
        return closest

    def violated(self, point: Point) -> Constraint | None:
        """The constraint that is violated most; None where all hold."""
        return violated(self.constraints, self.functions, point, self.family_in(point))

    def family_in(self, point: Point) -> tuple[Symbol, ...]:
        return tuple(u for u in self.family if u in point)

    @cached_property
    def _rows(self) -> Matrix:
        return jacobian(self.functions, self.missing)

    @property
    def _is_nonlinear(self) -> bool:
        return any(set(self.missing) & entry.free_symbols for row in self._rows for entry in row)

    def _starts(self, values: Point) -> Iterator[Point]:
        if not self._is_nonlinear:
            yield self._at(values, [0] * len(self.missing))
            return
        # Away from zero, where |v| = c has no gradient.
        for value in (Fraction(1, 3), Fraction(-1, 3), 3, -3):
            yield self._at(values, [value] * len(self.missing))
        known = [float(abs(values[u]).mid()) for u in self.family_in(values) if u not in self.missing]
        rng, size = np.random.default_rng(7), max([1.0, *known])
        for _ in range(_TRIALS):
            yield self._at(values, (size * rng.normal(size=len(self.missing))).tolist())

    def _at(self, values: Point, numbers: Sequence[int | float | Fraction]) -> Point:
        return {**values, **{u: ball(value) for u, value in zip(self.missing, numbers, strict=True)}}

    def _descended(self, point: Point) -> Point:
        point = dict(point)
        for _ in range(_STEPS):
            value, J, scales = self._scaled(point)
            if not (np.isfinite(value).all() and np.isfinite(J).all()):
                return point
            step, before = np.linalg.pinv(J, rcond=1e-10) @ value, np.linalg.norm(value)
            for halvings in range(9 if self._is_nonlinear else 1):
                trial = self._moved(point, step / 2**halvings)
                after = np.linalg.norm(self._values(trial, scales))
                if after < before:
                    break
            else:
                trial = self._moved(point, step)
            point = trial
            if all(abs(change) <= 1e-25 * abs(point[u]) for u, change in zip(self.missing, step, strict=True)):
                break
        return self._with_zeros(point)

    def _moved(self, point: Point, step: np.ndarray) -> Point:
        moved = {u: (point[u] - ball(float(change))).mid() for u, change in zip(self.missing, step, strict=True)}
        return {**point, **moved}

    def _scaled(self, point: Point) -> tuple[np.ndarray, np.ndarray, list[flint.arb]]:
        """Residuals and their derivatives, each row by its largest entry, and what it was divided by."""
        J = rows_at(self._rows, point)
        sizes = [largest(row) for row in J]
        scales = [size if size > 0 else flint.arb(1) for size in sizes]
        matrix = np.array([[float(e / scale) for e in row] for row, scale in zip(J, scales, strict=True)])
        return self._values(point, scales), matrix, scales

    def _values(self, point: Point, scales: Sequence[flint.arb]) -> np.ndarray:
        values = evaluate_at(self.functions, point)
        return np.array([float(v.mid() / scale) for v, scale in zip(values, scales, strict=True)])

    def _with_zeros(self, point: Point) -> Point:
        """A zero is only ever approached, and what is left of it has no scale of its own: zero is better if it fits.

        A double zero is approached to half the digits; then it fits better.
        """
        size = largest(point[u] for u in self.family_in(point))
        for u in self.missing:
            if not 0 < abs(point[u]) <= _HALF * size:
                continue
            zeroed = {**point, u: flint.arb(0)}
            over, now = (sum(excess(self.functions, each, self.missing)) for each in (zeroed, point))
            left, before = (largest(evaluate_at(self.functions, each)) for each in (zeroed, point))
            if left <= before if abs(point[u]) > _SMALL * size else over <= now:
                point = zeroed
        return point

    def _refuse_undetermined(self, found: Point) -> None:
        J = np.array([[float(entry) for entry in row] for row in rows_at(self._rows, found)])
        if not (np.isfinite(J).all() and all(value.is_finite() for value in evaluate_at(self.functions, found))):
            raise InadmissibleState(
                f"{self.name}: the constraints are not finite at this configuration; start elsewhere."
            )
        J /= np.maximum(np.abs(J).max(axis=1, keepdims=True), 1e-300)
        _, sizes, directions = np.linalg.svd(J)
        rank = int((sizes > 1e-9 * max(1e-300, sizes.max(initial=0.0))).sum())
        if rank == len(self.missing):
            return
        loose = np.abs(directions[rank:]).max(axis=0)
        names = [u.name for u, size in zip(self.missing, loose, strict=True) if size > 1e-9]
        need = len(self.missing) - rank
        raise InadmissibleState(
            f"{self.name}: the constraints do not determine {', '.join(names)}; give "
            + ("it." if len(names) == 1 else f"{'one' if need == 1 else need} of them.")
        )

    def _refuse_ambiguous(self, found: Point) -> None:
        """Nonlinear equations may leave several values to choose from, and the choice is the user's."""
        trials = [
            {**found, **{u: -found[u] for u in self.missing}},
            *({**found, u: -found[u]} for u in self.missing if len(self.missing) > 1),
            *self._starts(found),
        ]
        for trial in trials:
            other = self._descended(trial)
            apart = {u: abs(other[u] - found[u]) for u in self.missing}
            telling = max(self.missing, key=lambda u: float(apart[u].mid()))
            if not apart[telling] > _APART * largest(found[u] for u in self.family_in(found)):
                continue
            if self.violated(other) is None:
                raise InadmissibleState(
                    f"{self.name}: the constraints allow {listed(found, self.missing)} as well as "
                    f"{listed(other, self.missing)}; give {telling.name}."
                )


def or_project(project: bool | None) -> str:
    """The offer to project, for a sentence; nothing where one cannot choose."""
    return "" if project is None else ", or pass project=True"


def listed(values: Point, unknowns: Sequence[Symbol]) -> str:
    """Names with their values, for a sentence."""
    return ", ".join(f"{u.name}={float(values[u].mid()):.6g}" for u in unknowns)
