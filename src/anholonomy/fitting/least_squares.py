r"""Least squares for the unknowns of a motion, with derivatives that are integrated along it.

.. math:: \min_\theta \sum \bigl((y - h(z(t;\theta)))/\sigma\bigr)^2

Gauss and Newton's steps in a region of trust, by SciPy. Where a trial has no motion, or one that ends too early, the region shrinks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from anholonomy.algebra.expressions import symbol, time
from anholonomy.base.errors import Error, IntegrationError, StateError, quoted
from anholonomy.base.tolerances import EXACT, MACHINE, is_same
from anholonomy.equations.derivation import Derivation
from anholonomy.fitting.data import Measured, measured
from anholonomy.fitting.fit import Fit, identified
from anholonomy.fitting.sensitivity import Beginning, bounds_of, names_of, unknown_names, varied
from anholonomy.motion.further_times import driving, state_at
from anholonomy.motion.problem.one_motion import integrable, pose, smallest
from anholonomy.motion.simulate import simulate
from anholonomy.motion.trajectory import Trajectory
from anholonomy.programs.backends.base import Array
from anholonomy.system.checks.redundant_constraints import revalued
from anholonomy.system.declaration.unspecified_functions import refuse_unspecified
from anholonomy.system.model import Model
from anholonomy.system.states.complete_state import finite_number, state_name

__all__ = ["fitted"]

_POOR = 0.1
"""A fit is poor where it leaves more than this part of how the data vary."""
_PARTS = (1 / 16, 1 / 8, 1 / 4, 1 / 2, 1)
"""The parts of the data, from the first on, that a second search goes through."""


def fitted(
    system: Model,
    data: Any,
    unknown: Sequence[str],
    start: Mapping[str, object] | None,
    observed: Sequence[str] | None,
    sigma: Any,
    bounds: Mapping[str, tuple[float | None, float | None]] | None,
    inputs: Any,
    modulo: str | Sequence[str],
    progress: Callable[[float], None] | None,
    make: Callable[[Model], Any],
) -> Fit[Any, Any]:
    """Values of the unknowns that fit the data best."""
    names = unknown_names(system, unknown, "estimate")
    refuse_unspecified(system, "a fit")
    seen = measured(system, data, observed, sigma, modulo)
    if seen.count < len(names):
        raise IntegrationError(
            f"{system.name}: the data have {seen.count} values and there are {len(names)} unknowns; measure more, or leave some out."
        )
    question = _posed(system, seen, names, data, start, inputs)
    search = _Search(question, bounds_of(system, names, bounds), progress)
    return _answer(search, search.run(), make)


def _posed(system: Model, data: Measured, unknown: tuple[str, ...], source: Any, start: Any, inputs: Any) -> _Question:
    """Guesses and what is known, from ``start``, the declaration and the data."""
    if start is not None and not isinstance(start, Mapping):
        raise StateError(f"{system.name}: the start is {quoted(start)}; give a dict from names to numbers.")
    usual = state_at(source, 0) if isinstance(source, Trajectory) else system.start
    given = {state_name(system, key): value for key, value in (usual if start is None else start).items()}
    project = isinstance(source, Trajectory)
    for name in unknown:
        if name not in given and name not in system.parameters and (first := data.first(name)) is not None:
            given[name], project = first, True
    parameters = dict[str, float]()
    for name, value in system.parameters.items():
        guess = given.pop(name, value)
        number = None if guess is None else finite_number(guess)
        if number is None:
            what = "no value" if guess is None else f"the value {quoted(guess)}, which is no finite number"
            raise IntegrationError(
                f"{system.name}: the parameter {name} has {what}; give a guess in `start`, as {{{name!r}: 1.0}}."
            )
        parameters[name] = float(number.mid())
    t = given.pop(time.name, float(data.times[0]))
    began = np.nan if (number := finite_number(t)) is None else float(number.mid())
    if is_same(began, data.times[0], np.abs(data.times).max()):
        began = float(data.times[0])
    if not began <= data.times[0]:
        raise IntegrationError(
            f"{system.name}: the start at t = {quoted(t)} is later than the first measurement; give a time up to {data.times[0]:g}."
        )
    for name in unknown:
        if name not in given and name not in parameters:
            raise StateError(
                f"{system.name}: the unknown start of {name} has no guess; give one in `start`, as {{{name!r}: 0.5}}."
            )
    model = integrable(system)
    if system.inputs and (inputs is None or isinstance(inputs, Mapping)):
        own = driving(source) if isinstance(source, Trajectory) else data.signals
        inputs = {**own, **(inputs or {})}
    if not given:
        raise StateError(f"{system.name}: no start is declared; give one in `start`, with guesses for what is unknown.")
    grid = data.times if data.times[0] == began else np.concatenate([[began], data.times])
    derivation = Derivation.for_all_values(model, smallest(model))
    begin = {**given, time.name: began}
    problem = pose(system, derivation, begin, times=grid, parameters=parameters, project=project, inputs=inputs)
    names = names_of(problem.model)
    beginning = Beginning.of(
        problem.model, problem.point, [n for n in given if n in names], [n for n in unknown if n not in parameters]
    )
    guess = np.array([parameters.get(name, problem.point.get(symbol(name), 0.0)) for name in unknown])
    how = beginning, parameters, grid, inputs, derivation
    return _Question(system, data, unknown, guess, *how)


@final
@dataclass(eq=False)
class _Question:
    """The motion as a function of the unknowns."""

    system: Model
    data: Measured
    unknown: tuple[str, ...]
    guess: Array
    beginning: Beginning
    parameters: dict[str, float]
    grid: Array
    inputs: Any
    derivation: Derivation

    def numbers(self, parameters: Mapping[str, float]) -> Array:
        """Those of the model that is integrated; it may have more than the declared one, on which no start depends."""
        return np.array([parameters.get(s.name, 0.0) for s in self.beginning.model.parameter_symbols])

    def placed(self, theta: Array) -> tuple[dict[str, float], Beginning]:
        """The parameters and the start that the unknowns mean."""
        values = dict(zip(self.unknown, map(float, theta), strict=True))
        parameters = {name: values.get(name, old) for name, old in self.parameters.items()}
        moved = {name: value for name, value in values.items() if name not in parameters}
        return parameters, self.beginning.moved(moved, self.numbers(parameters))

    def at(self, theta: Array, count: int) -> tuple[Array, Array]:
        """What would be measured at the first ``count`` times, (time, quantity), and its derivatives by the unknowns."""
        parameters, beginning = self.placed(theta)
        problem = pose(
            self.system,
            self.derivation,
            beginning.state,
            times=self.grid[: self.grid.size - self.data.times.size + count],
            parameters=parameters,
            tolerance=MACHINE,
            project=True,
            inputs=self.inputs,
        )
        record = simulate(problem)
        if not record.run.is_complete:
            raise IntegrationError(
                f"{self.system.name}: the motion from the guesses ends before the last measurement ({record.run.ending}); give better ones."
            )
        directions = beginning.directions(self.unknown, self.numbers(parameters))
        found = varied(record, directions).values(self.data.functions)
        return found[0][-count:], found[1][-count:]


@final
class _Search:
    """A run of the search, with the best that it has seen."""

    def __init__(
        self, question: _Question, bounds: tuple[Array, Array], progress: Callable[[float], None] | None
    ) -> None:
        self.question, self.bounds, self.progress = question, bounds, progress
        self.last: tuple[Array, Array, Array] | None = None
        self.best: tuple[float, Array, Array, Array] | None = None
        self.tried, self.count = 0, question.data.times.size
        data = question.data
        self.weight = np.ones_like(data.values) if data.sigma is None else 1 / data.sigma

    def looked(self, theta: Array) -> tuple[Array, Array]:
        """The question at a place, asked once; rows of data, those beyond the last time that counts not meant."""
        if self.last is None or not np.array_equal(self.last[0], theta):
            values, slopes = self.question.at(theta, self.count)
            self.last = theta.copy(), values, slopes
            cost = float((self.left(values) ** 2).sum())
            if self.is_whole and np.isfinite(cost) and (self.best is None or cost < self.best[0]):
                self.best = cost, theta.copy(), values, slopes
            self.tried += 1
            if self.progress is not None:
                self.progress(1 - 0.8**self.tried)
        return self.last[1], self.last[2]

    @property
    def is_whole(self) -> bool:
        return self.count == self.question.data.times.size

    @property
    def counts(self) -> Any:
        """Which of the data count."""
        data = self.question.data
        return data.known & (data.places < self.count)[:, None]

    def left(self, values: Array) -> Array:
        data = self.question.data
        rows = np.minimum(data.places, self.count - 1)
        return np.asarray((-data.apart(values[rows]) * self.weight)[self.counts])

    def residuals(self, theta: Array) -> Array:
        try:
            with np.errstate(all="ignore"):
                return self.left(self.looked(theta)[0])
        except Error:
            if self.tried == 0:
                raise
            return np.full(int(self.counts.sum()), np.inf)

    def slopes(self, theta: Array) -> Array:
        rows = np.minimum(self.question.data.places, self.count - 1)
        return np.asarray((self.looked(theta)[1][rows] * self.weight[:, :, None])[self.counts])

    def run(self) -> Any:
        """SciPy's result; None where it was interrupted and the best so far counts.

        Where what is left is no noise, the search is begun again on the first part of the data and goes on to more and more of them: over a
        long time a motion that oscillates fits at many places, none of which is right.
        """
        begin = np.clip(self.question.guess, *self.bounds)
        try:
            self._refuse_idle(self.slopes(begin), self.residuals(begin))
            result, theta, whole = self._least(begin), begin, self.count
            for part in _PARTS if self.is_poor else ():
                self.count, self.last = max(int(np.ceil(part * whole)), 1), None
                if not self.is_whole and self.counts.sum() <= theta.size:
                    continue
                found = self._least(theta)
                theta = theta if found is None else found.x
                result = (
                    found if found is not None and self.is_whole and np.array_equal(self._best(), theta) else result
                )
            self.count = whole
            return result
        except KeyboardInterrupt:
            if self.best is None:
                raise
            return None

    def _best(self) -> Array:
        assert self.best is not None
        return self.best[1]

    def _least(self, begin: Array) -> Any:
        """SciPy's result from a place; None where there is no motion from it."""
        from scipy.optimize import least_squares

        how = {"x_scale": "jac", "ftol": 1e-15, "xtol": 1e-13, "gtol": 1e-15, "max_nfev": 300}
        if not np.isfinite(self.residuals(begin)).all():
            return None
        return least_squares(self.residuals, begin, jac=self.slopes, bounds=self.bounds, **how)

    @property
    def is_poor(self) -> bool:
        """Whether the best leaves more of the data than noise would."""
        data = self.question.data
        spread = np.where(data.known, data.values - np.nanmean(data.values, axis=0), 0.0) * self.weight
        assert self.best is not None
        return self.best[0] > _POOR**2 * float((spread**2).sum())

    def _refuse_idle(self, J: Array, left: Array) -> None:
        size = max(
            float(np.abs(left).max(initial=0.0)), float(np.nanmax(np.abs(self.question.data.values * self.weight)))
        )
        for name, value, column in zip(self.question.unknown, self.question.guess, J.T, strict=True):
            if not np.isfinite(column).all():
                raise IntegrationError(
                    f"{self.question.system.name}: the derivatives by {name} are not finite along the motion from the guesses; give other ones."
                )
            if float(np.abs(column).max()) * (abs(float(value)) or 1.0) <= EXACT * size:
                raise IntegrationError(
                    f"{self.question.system.name}: {name} does not act on what was measured; leave it out of `estimate`, or measure something else."
                )


def _answer(search: _Search, result: Any, make: Callable[[Model], Any]) -> Fit[Any, Any]:
    """The best place as a fit."""
    assert search.best is not None
    question, (cost, theta, values, slopes) = search.question, search.best
    data = question.data
    J = (slopes[data.places] * search.weight[:, :, None])[data.known]
    spare = data.count - theta.size
    variance = 1.0 if data.sigma is not None else cost / spare if spare > 0 else np.nan
    parameters, beginning = question.placed(theta)
    changed = {
        name: value for name, value in zip(question.unknown, map(float, theta), strict=True) if name in parameters
    }
    items = tuple((name, changed.get(name, old)) for name, old in question.system.parameter_items)
    system = make(revalued(question.system, items) if changed else question.system)
    converged = result is not None and result.status > 0
    ending = "interrupted" if result is None else "the search used up its steps; give better guesses or bounds"
    return Fit(
        system,
        system.simulate(
            beginning.state, times=question.grid, parameters=parameters, project=True, inputs=question.inputs
        ),
        beginning.state,
        dict(zip(question.unknown, map(float, theta), strict=True)),
        data,
        values,
        slopes,
        identified(J, theta, float(variance)),
        converged,
        "" if converged else ending,
        _moved(question, beginning, parameters),
    )


def _moved(question: _Question, beginning: Beginning, parameters: Mapping[str, float]) -> tuple[str, ...]:
    """Those that were given and follow from the constraints, if the unknowns move them."""
    changes = beginning.directions(question.unknown, question.numbers(parameters)).start
    names = names_of(beginning.model)
    return tuple(name for name in beginning.follow if np.abs(changes[names.index(name)]).max() > EXACT)
