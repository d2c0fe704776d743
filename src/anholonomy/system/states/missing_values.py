r"""Coordinates and velocities that a state leaves out and the constraints determine: $f(u) = 0$ for the missing ones $u$.

.. math:: u \leftarrow u - \theta\,J^{+} f, \qquad J = \partial f/\partial u

by Gauss and Newton with a pseudo-inverse, because the rows may outnumber the unknowns or be short of them, and shorter
steps $\theta$ where a whole one leads away. An equation for one unknown alone is solved for all its zeros first; what is
left and nonlinear, from many starts. Where the equations leave a choice, it is the user's. What only rounding in the given
numbers determines, such as $\dot y = \dot x\tan\theta$ at a right angle in doubles, is not determined.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import NoReturn, final

import flint
import numpy as np

from anholonomy.algebra.calculus import jacobian, partial
from anholonomy.algebra.expressions import Expr, Matrix, Symbol
from anholonomy.algebra.numbers.balls import Ball, ball, digits_carried, excludes_zero
from anholonomy.base.caching import cached_property
from anholonomy.base.errors import StateError
from anholonomy.base.tolerances import APART, NOTHING, VANISHES
from anholonomy.system.constraints import Constraint
from anholonomy.system.states.newton import NEWTON_STEPS, Point, distance, evaluate_at, largest, nearest, onto
from anholonomy.system.states.rounding import blurred_at, certain_rows, excess, sizes_at, violated

__all__ = ["Completion", "listed", "names_of", "or_project"]

_SMALL = 1e-25
"""A value this small beside the others may be what a search leaves of zero."""
_HALF = 1e-5
"""A value this small may be what is left of a double zero."""
_TRIALS = 12
"""Starts at random."""
_NAMED = 4
"""Solutions after which no more are looked for."""


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
        solutions = self._solutions(values)
        found = solutions[0] if solutions else self._descended(next(self._starts(values, self.missing)))
        # Where a nonlinear function is nearest to zero, its gradient vanishes and says nothing.
        kernel = self._kernel(found) if solutions or not self._is_nonlinear else np.zeros((0, len(self.missing)))
        loose = [
            u for u, size in zip(self.missing, np.abs(kernel).max(axis=0, initial=0.0), strict=True) if size > NOTHING
        ]
        if solutions and loose:
            self._refuse_undetermined(loose, len(kernel))
        if loose or (solutions and (loose := self._hanging(found))):
            return self._moved_to_nearest(found, loose, project)
        if len(solutions) > 1:
            self._refuse_choice(solutions)
        if not solutions and not project:
            raise StateError(
                f"{self.name}: with the {self._what} given no {names_of(self.missing)} was found that satisfies the constraint "
                f"{self._most_violated(found)}; change them{or_project(project)}."
            )
        # To all digits carried, so that what was given need not change.
        return onto(self.functions, self.missing, found, digits_carried()) or found

    def violated(self, point: Point) -> Constraint | None:
        """The constraint that is violated most; None where all hold."""
        return violated(self.constraints, self.functions, point, self.family_in(point))

    def family_in(self, point: Point) -> tuple[Symbol, ...]:
        return tuple(u for u in self.family if u in point)

    @property
    def _what(self) -> str:
        return "velocities" if self.missing[0].name.endswith("'") else "values"

    @cached_property
    def _rows(self) -> Matrix:
        return jacobian(self.functions, self.missing)

    @cached_property
    def _is_nonlinear(self) -> bool:
        return any(set(self.missing) & entry.free_symbols for row in self._rows for entry in row)

    def _solutions(self, values: Point) -> list[Point]:
        """Different completions that satisfy the constraints, up to a handful."""
        found: list[Point] = []
        for start in self._starts(values, self.missing):
            self._collect(found, start)
            if len(found) == _NAMED:
                return found
        for point in found[:1] if self._is_nonlinear and len(self.missing) > 1 else ():
            for turned in (self.missing, *((u,) for u in self.missing)):
                self._collect(found, {**point, **{u: -point[u] for u in turned}})
        return found

    def _collect(self, found: list[Point], start: Point) -> None:
        point = self._descended(start)
        if self.violated(point) is None and all(self._differ(point, other) for other in found):
            found.append(point)

    def _differ(self, point: Point, other: Point) -> bool:
        size = largest(other[u] for u in self.family_in(other))
        return bool(largest(point[u] - other[u] for u in self.missing) > APART * size)

    def _starts(self, values: Point, missing: Sequence[Symbol]) -> Iterator[Point]:
        """Where to search from: at every zero of an equation that has one of the unknowns left, and at random for the rest."""
        if not missing or not self._is_nonlinear:
            yield self._at(values, missing, [0] * len(missing))
            return
        for f in self.functions:
            if len(unknown := f.free_symbols & set(missing)) == 1:
                (u,) = unknown
                others, started = [v for v in missing if v != u], False
                for root in self._zeros(f, u, values):
                    started = True
                    yield from self._starts({**values, u: root}, others)
                if started:
                    return
        # Away from zero, where |v| = c has no gradient.
        for value in (Fraction(1, 3), Fraction(-1, 3), 3, -3):
            yield self._at(values, missing, [value] * len(missing))
        known = [float(abs(values[u]).mid()) for u in self.family_in(values) if u not in missing]
        rng, size = np.random.default_rng(7), max([1.0, *known])
        for _ in range(_TRIALS):
            yield self._at(values, missing, (size * rng.normal(size=len(missing))).tolist())

    def _zeros(self, f: Expr, u: Symbol, values: Point) -> Iterator[Ball]:
        slope = partial(f, u)
        if u in slope.free_symbols:
            yield from candidates(f, u, values)
            return
        (at_zero,), ((rise,),) = evaluate_at([f], {**values, u: flint.arb(0)}), certain_rows([[slope]], values)
        if rise != 0:
            yield (-at_zero / rise).mid()

    def _at(self, values: Point, missing: Sequence[Symbol], numbers: Sequence[int | float | Fraction]) -> Point:
        return {**values, **{u: ball(value) for u, value in zip(missing, numbers, strict=True)}}

    def _descended(self, point: Point) -> Point:
        point = dict(point)
        for _ in range(NEWTON_STEPS):
            value, inverse, scales = self._scaled(point)
            if inverse is None or not np.isfinite(value).all():
                return point
            step, before = inverse @ value, np.linalg.norm(value)
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

    def _scaled(self, point: Point) -> tuple[np.ndarray, np.ndarray | None, list[flint.arb]]:
        """Residuals, each by the largest entry of its row, the pseudo-inverse of rows so scaled, and these scales."""
        J = certain_rows(self._rows, point)
        scales = [size if (size := largest(row)) > 0 else flint.arb(1) for row in J]
        matrix = np.array([[float(e / scale) for e in row] for row, scale in zip(J, scales, strict=True)])
        if not np.isfinite(matrix).all():
            return self._values(point, scales), None, scales
        widths = np.abs(matrix).max(axis=0)
        widths[widths == 0] = 1.0  # units of the unknowns change nothing
        inverse = np.linalg.pinv(matrix / widths, rcond=VANISHES) / widths[:, None]
        return self._values(point, scales), inverse, scales

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

    def _kernel(self, found: Point) -> np.ndarray:
        """The directions of the unknowns that the constraints leave open there, one a row."""
        J = np.array([[float(entry) for entry in row] for row in certain_rows(self._rows, found)])
        if not (np.isfinite(J).all() and all(value.is_finite() for value in evaluate_at(self.functions, found))):
            raise StateError(f"{self.name}: the constraints are not finite at this configuration; start elsewhere.")
        J /= np.maximum(np.abs(J).max(axis=1, keepdims=True), 1e-300)
        J /= np.maximum(np.abs(J).max(axis=0, keepdims=True), 1e-300)
        _, sizes, directions = np.linalg.svd(J)
        rank = int((sizes > VANISHES * max(1e-300, sizes.max(initial=0.0))).sum())
        return directions[rank:]

    def _hanging(self, found: Point) -> list[Symbol]:
        r"""The unknowns that rounding in what was given can change by half: $|J^+|\,\delta f > |u|/2$.

        What is zero but for rounding may change by all of itself, if that is little beside what the terms would make it in
        another direction.
        """
        _, inverse, scales = self._scaled(found)
        assert inverse is not None  # it was found by one
        doubts = blurred_at(self.functions, found, exact=self.missing)
        radii = [
            float((f.rad() / scale).mid()) if f.is_finite() else np.inf for f, scale in zip(doubts, scales, strict=True)
        ]
        with np.errstate(invalid="ignore"):
            spread = np.abs(inverse) @ radii
        allowed = np.maximum([abs(float(found[u])) / 2 for u in self.missing], APART * self._natural_sizes(found))
        return [u for u, each, most in zip(self.missing, spread, allowed, strict=True) if not each <= most]

    def _natural_sizes(self, found: Point) -> np.ndarray:
        """How large the unknowns are, each in its unit, where no term cancels another and no angle is special."""
        slopes = np.array([[float(s) for s in sizes_at(row, found, amplitude=True)] for row in self._rows])
        terms = np.array([float(s) for s in sizes_at(self.functions, found, amplitude=True)])
        rows = np.maximum(slopes.max(axis=1), 1e-300)
        natural: np.ndarray = np.max(terms / rows) / np.maximum((slopes / rows[:, None]).max(axis=0), 1e-300)
        return natural

    def _refuse_undetermined(self, loose: Sequence[Symbol], need: int) -> NoReturn:
        raise StateError(
            f"{self.name}: the constraints do not determine {names_of(loose)}; give "
            + ("it." if len(loose) == 1 else f"{'one' if need == 1 else need} of them.")
        )

    def _moved_to_nearest(self, values: Point, loose: Sequence[Symbol], project: bool | None) -> Point:
        """The given values beside zeros for the missing, to be projected; refused if nobody asked for that."""
        point = {**values, **dict.fromkeys(self.missing, flint.arb(0))}
        if project:
            return point
        family = self.family_in(point)
        # Rows that are independent by rounding only have a solution far off, or none; without rounding there may be another.
        found = (
            nearest(self.functions, family, point, digits_carried()),
            replace(self, missing=family)._descended(point),
        )
        near = [each for each in found if each is not None and self.violated(each) is None]
        closest = min(near, key=lambda each: distance(each, point, family), default=None)
        closest = closest and self._without_rounding(closest, point)
        cure = "change them" if closest is None else f"the nearest start has {listed(closest, family)}; use it"
        raise StateError(
            f"{self.name}: with the {self._what} given no {names_of(loose)} satisfies the constraint {self._most_violated(point)}, "
            f"but for rounding; {cure}{or_project(project)}."
        )

    def _without_rounding(self, found: Point, given: Point) -> Point:
        """The same with zeros for what is rounding beside what was given, where that is admissible too."""
        top = largest(given[u] for u in self.family_in(given))
        zeros = {u: flint.arb(0) for u in self.family_in(found) if abs(found[u]) <= VANISHES * top}
        return {**found, **zeros} if self.violated({**found, **zeros}) is None else found

    def _refuse_choice(self, solutions: Sequence[Point]) -> NoReturn:
        """Nonlinear equations may leave several values to choose from, and the choice is the user's."""
        first, second, *_ = solutions
        telling = max(self.missing, key=lambda u: float(abs(first[u] - second[u]).mid()))
        one, *others = (listed(point, self.missing) for point in solutions)
        more = " …" if len(solutions) == _NAMED else ""
        raise StateError(
            f"{self.name}: the constraints allow {one} as well as {' or '.join(others)}{more}; give {telling.name}."
        )

    def _most_violated(self, point: Point) -> str:
        return (self.violated(point) or self.constraints[0]).label


def or_project(project: bool | None) -> str:
    """The offer to project, for a sentence; nothing where one cannot choose."""
    return "" if project is None else ", or pass project=True"


def listed(values: Point, unknowns: Sequence[Symbol]) -> str:
    """Names with their values, to the digits at which a state counts as admissible; what is left of a zero is 0."""
    top = float(largest(values[u] for u in unknowns).mid())
    numbers = {u.name: float(values[u].mid()) for u in unknowns}
    return ", ".join(f"{name}={x if abs(x) > VANISHES * top else 0.0:.12g}" for name, x in numbers.items())


def names_of(unknowns: Iterable[Symbol]) -> str:
    return ", ".join(u.name for u in unknowns)


# Every real zero of a function of one unknown, $f(u) = 0$, by bisection in ball arithmetic.
#
# Where the ball of $f$ over an interval excludes 0 there is no zero; where that of $f'$ does, there is one if $f$ changes its
# sign and none otherwise. Whatever stays open when an interval is small, such as a double zero, is a candidate too.


_DECADES = range(-18, 15)
"""The powers of ten between which zeros are looked for."""
_PATIENCE, _STUCK = 400, 25
"""Intervals looked at in one decade, and those in a row that stay open, as where an exponential is beyond measure."""
_HALVINGS = 60
"""Bisections: an interval becomes as narrow as a double."""
_PROBES = (-0.7, 1.3, 31.0)
"""Where a function that vanishes everywhere vanishes, and another does not."""


def candidates(f: Expr, u: Symbol, point: Point) -> Iterator[Ball]:
    """Where ``f`` may vanish as a function of ``u``, from 0 outwards; a function that vanishes everywhere has no candidate.

    >>> import symengine
    >>> v = symengine.Symbol("v")
    >>> sorted(round(float(root), 6) for root in candidates(v**3 - 100 * v - 1, v, {}))
    [-9.994996, -0.01, 10.004996]
    """
    slope = partial(f, u)

    def over(interval: Ball) -> tuple[Ball, Ball]:
        value, rise = evaluate_at([f, slope], {**point, u: interval})
        return value, rise

    if all(over(flint.arb(probe))[0].contains(0) for probe in _PROBES):
        return
    if over(flint.arb(0))[0] == 0:
        yield flint.arb(0)
    for k in _DECADES:
        low, high = (flint.arb(10) ** k).mid(), (flint.arb(10) ** (k + 1)).mid()
        yield from _between(low, high, over)
        yield from _between(-high, -low, over)


def _between(low: Ball, high: Ball, over: Callable[[Ball], tuple[Ball, Ball]]) -> Iterator[Ball]:
    intervals, open_ones = [(low, high)], 0
    for _ in range(_PATIENCE):
        if not intervals or open_ones > _STUCK:
            return
        low, high = intervals.pop()
        middle = ((low + high) / 2).mid()
        value, rise = over(flint.arb(middle, (high - low).mid() / 2))
        open_ones = 0 if excludes_zero(value) else open_ones + 1
        if not open_ones:
            continue
        if value.is_finite() and excludes_zero(rise):
            if not _same_sign(over(low)[0], over(high)[0]):
                yield _bisected(over, low, high)
        elif high - low < APART * abs(middle):
            if _dips(over, low, high):
                yield middle
        elif value.is_finite() or any(over(at)[0].is_finite() for at in (low, middle, high)):  # else outside the domain
            intervals += [(low, middle), (middle, high)]


def _dips(over: Callable[[Ball], tuple[Ball, Ball]], low: Ball, high: Ball) -> bool:
    """Whether a small interval may hold a multiple zero: a change of sign, or much less than farther off on either side."""
    middle, far = ((low + high) / 2).mid(), 100 * (high - low)
    if not _same_sign(over(low)[0], over(high)[0]):
        return True
    return bool(100 * abs(over(middle)[0]) < min(abs(over((middle + each).mid())[0]) for each in (-far, far)))


def _same_sign(a: Ball, b: Ball) -> bool:
    """Whether both are positive or both negative; what is not finite has no sign to change."""
    return bool((a > 0 and b > 0) or (a < 0 and b < 0)) or not (a.is_finite() and b.is_finite())


def _bisected(over: Callable[[Ball], tuple[Ball, Ball]], low: Ball, high: Ball) -> Ball:
    at_low = over(low)[0]
    for _ in range(_HALVINGS):
        middle = ((low + high) / 2).mid()
        low, high = (middle, high) if _same_sign(over(middle)[0], at_low) else (low, middle)
    return ((low + high) / 2).mid()
