"""The initial-value problem of one motion, checked: the start, the times, the tolerance, the events; and the principle integrated by default."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, final

import numpy as np

from anholonomy.algebra.expressions import Symbol, time
from anholonomy.algebra.numbers.balls import precision
from anholonomy.base.caching import cached_property
from anholonomy.base.errors import IntegrationError, StateError, UnknownNameError, quoted
from anholonomy.base.tolerances import MACHINE, is_same
from anholonomy.equations.derivation import Derivation
from anholonomy.equations.principles import formulation, suited
from anholonomy.equations.principles.base import AbstractPrinciple
from anholonomy.language.arguments import expect_mapping, expression, finite
from anholonomy.language.writing import to_text
from anholonomy.motion.events.one_motion import Watchlist
from anholonomy.motion.integrators.base import FREE, Limits
from anholonomy.motion.integrators.choice import integrator_name
from anholonomy.motion.signals.driven_system import Driven
from anholonomy.motion.signals.reading import read_signals
from anholonomy.motion.starts.one_motion import quick_state
from anholonomy.programs.backends.base import Array
from anholonomy.programs.of_equations import Compiled
from anholonomy.system.checks.redundant_constraints import revalued
from anholonomy.system.checks.well_posed import check_values
from anholonomy.system.constraints import Kind
from anholonomy.system.declaration.unspecified_functions import refuse_unspecified
from anholonomy.system.model import Model
from anholonomy.system.states.complete_state import complete_state, finite_number, state_name
from anholonomy.system.warnings import warn_of_negative_masses

__all__ = [
    "FEW_SAMPLES",
    "SAMPLES",
    "Problem",
    "beginning_at",
    "check_tolerance",
    "given_times",
    "integrable",
    "integrated",
    "pose",
    "start_point",
    "step_limits",
    "derivation_for",
    "smallest",
]


SAMPLES = 1001
"""How many times a motion is reported at when only its end is given."""
FEW_SAMPLES = 201
"""The same of paths and fields, whose samples are dear."""


@final
@dataclass(frozen=True)
class Problem:
    """An initial-value problem on the constraints.

    Attributes
    ----------
    model, declared
        What is integrated, and what the user declared: constraints that follow from others may be in the latter only.
    derivation
        How its equations are derived.
    point
        The start: coordinates, velocities, parameters and time.
    grid
        The times to report, the first being that of the start.
    driven
        The signals of its inputs, which are written out in the model.
    asked
        What else the user asked for, in words that can be asked again: events, an integrator, limits.
    """

    model: Model
    declared: Model
    derivation: Derivation
    point: dict[Symbol, float]
    grid: Array
    tolerance: float
    integrator: str | None
    watchlist: Watchlist
    driven: Driven
    limits: Limits = FREE
    asked: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def parameters(self) -> Array:
        return np.array([self.point[s] for s in self.model.parameter_symbols])


def pose(
    declared: Model,
    derivation: Derivation,
    start: Mapping[str, object] | None,
    until: float | None = None,
    times: Sequence[float] | Array | None = None,
    *,
    parameters: Mapping[str, float] | None = None,
    tolerance: float = MACHINE,
    integrator: str | None = None,
    project: bool = False,
    events: Mapping[str, object] | None = None,
    stop: str | Sequence[str] = (),
    max_step: float | None = None,
    breaks: Sequence[float] | Array = (),
    inputs: Any = None,
    sampling: float | None = None,
) -> Problem:
    """Put the start on the constraints, or refuse it; check everything else that was asked."""
    refuse_unspecified(declared, "a motion")
    start = _declared_start(declared) if start is None else start
    driven = _driven(declared, derivation, start, until, times, inputs, sampling)
    whole, derivation = driven.model(declared), driven.derivation(derivation)
    model = integrated(whole, derivation)
    check_tolerance(model, tolerance)
    limits = step_limits(model, max_step, breaks)
    if not isinstance(project, bool):
        raise IntegrationError(f"{model.name}: project={quoted(project)} says nothing; say True or False.")
    integrator = driven.integrator(None if integrator is None else integrator_name(integrator))
    if isinstance(start, Mapping):
        start = {state_name(model, key): value for key, value in start.items()}
    values = {**overriding(model, parameters), **start} if isinstance(start, Mapping) else start
    if times is not None and until is None and isinstance(values, dict):
        # The constraints may depend on time, so the start is completed at its own.
        values.setdefault(time.name, float(given_times(model, times)[0]))
    costates = type(derivation.principle).costates
    point = start_point(model, costates(model), values, project)
    grid = _grid(model, point[time], until, times)
    used = tuple((name, point[s]) for (name, _), s in zip(model.parameter_items, model.parameter_symbols, strict=True))
    if used != model.parameter_items:
        declared = revalued(declared, driven.declared_items(used) if driven else used)
        whole = driven.model(declared)
        changed = integrated(whole, derivation)
        check_values(changed)
        warn_of_negative_masses(changed)
        if changed.velocity_constraints != model.velocity_constraints:  # other values may make another constraint count
            point = start_point(changed, costates(changed), values, project)
        model, derivation = changed, derivation.of_values(changed)
    watchlist = Watchlist.of(whole, model, events, stop, not costates(model), driven.written)
    asked = {
        "events": {name: to_text(expression(value, name)) for name, value in (events or {}).items()},
        "stop": sorted(watchlist.stopping),
        "integrator": integrator,
        "max_step": max_step if max_step is None else float(max_step),
        "breaks": limits.breaks.tolist(),
        "speeds": derivation.asked_speeds,
    }
    how = float(tolerance), integrator, watchlist, driven, limits, _without_empty(asked)
    return Problem(model, declared, derivation, point, grid, *how)


def _without_empty(asked: Mapping[str, Any]) -> dict[str, Any]:
    return {word: value for word, value in asked.items() if value}


def _declared_start(declared: Model) -> Mapping[str, object]:
    if not declared.start:
        raise StateError(f"{declared.name} declares no start; give one, a dict from names to numbers.")
    return declared.start


def _driven(
    declared: Model, derivation: Derivation, start: Any, until: Any, times: Any, inputs: Any, sampling: float | None
) -> Driven:
    """The signals of the inputs; numbers that are none are refused later."""
    if not declared.inputs and inputs is None and sampling is None:
        return Driven(declared, {}, {})
    begin, end = start.get(time.name, 0.0) if isinstance(start, Mapping) else 0.0, until
    if times is not None and until is None:
        begin, end = given_times(declared, times)[[0, -1]]
    ends = [float(number.mid()) if (number := finite_number(t)) is not None else np.nan for t in (begin, end)]
    speeds = derivation.asked_speeds
    chosen = speeds if isinstance(speeds, dict) else {}
    return Driven(declared, read_signals(declared, inputs, sampling, ends[0], ends[1], chosen), chosen)


def integrated(declared: Model, derivation: Derivation) -> Model:
    """What is integrated, with its values: the declared model, or its independent constraints where those were derived from."""
    return declared if derivation.model.redundant_rows else declared.independent


def start_point(model: Model, costates: tuple[Symbol, ...], values: Any, project: bool) -> dict[Symbol, float]:
    """The full admissible state that a start describes, in doubles."""
    if not costates and isinstance(values, dict) and (quick := quick_state(model, values)) is not None:
        return quick
    with precision(30):
        found = complete_state(model, values, project, costates)
        return {s: float(v.mid()) for s, v in found.items()}


def integrable(model: Model) -> Model:
    """What is integrated unless a principle is named: the model without constraints that follow from others: unless some are on accelerations, which may contradict each other."""
    clashing = any(Kind.ACCELERATION in model.constraints[k].kind for k in model.redundant_rows)
    return model if clashing else model.independent


def _grid(model: Model, t0: float, until: float | None, times: Any) -> Array:
    """The times to report, the first being the time of the start."""
    if (until is None) == (times is None):
        raise IntegrationError(f"{model.name}: give either `until` or `times`, to say how long the motion lasts.")
    if until is None:
        grid = given_times(model, times)
        if not is_same(t0, grid[0], max(abs(grid[0]), abs(grid[-1]))):
            raise IntegrationError(
                f"{model.name}: the start is at t={t0:g} but `times` begins at {grid[0]:g}; make them equal."
            )
        return beginning_at(model, t0, grid)
    if (end := finite(until)) is None:
        raise IntegrationError(
            f"{model.name}: until={quoted(until)} is not a finite number; give one, or `times` for a list."
        )
    if is_same(end, t0, t0):
        raise IntegrationError(f"{model.name}: until={until!r} is the time of the start, t={t0:g}; give another end.")
    return np.linspace(t0, end, SAMPLES)


def beginning_at(model: Model, t0: float, grid: Array) -> Array:
    """Times whose first is that of the start, from which it may differ by rounding."""
    return grid if grid[0] == t0 else given_times(model, [t0, *grid[1:]])


def given_times(model: Model, times: Any) -> Array:
    """The times that a user gives, which go one way."""
    try:
        grid = np.asarray(times, dtype=float)
    except (TypeError, ValueError, OverflowError):
        raise IntegrationError(f"{model.name}: `times` must be a list of numbers.") from None
    if grid.ndim != 1 or grid.size == 0 or not np.isfinite(grid).all():
        raise IntegrationError(f"{model.name}: `times` must be a list of finite numbers, at least one.")
    gaps = np.diff(grid)
    if not ((gaps > 0).all() or (gaps < 0).all()):
        raise IntegrationError(f"{model.name}: `times` must increase, or decrease, from each to the next; sort them.")
    return grid


def step_limits(model: Model, max_step: object, breaks: Any) -> Limits:
    """The bounds of steps that a user gives."""
    if max_step is None and isinstance(breaks, tuple) and not breaks:
        return FREE
    longest = np.inf if max_step is None else finite(max_step)
    if longest is None or not longest > 0:
        raise IntegrationError(
            f"{model.name}: max_step={quoted(max_step)} is not a positive number; give one in units of t."
        )
    try:
        found = np.atleast_1d(np.asarray(breaks, dtype=float))
    except (TypeError, ValueError, OverflowError):
        found = np.array([np.nan])
    if found.ndim != 1 or not np.isfinite(found).all():
        raise IntegrationError(f"{model.name}: `breaks` must be a list of finite times, such as [1, 2.5].")
    return Limits(longest, found)


def check_tolerance(model: Model, tolerance: object) -> None:
    """Refuse what is no relative error."""
    if (size := finite(tolerance)) is None or not 0 < size < 1:
        raise IntegrationError(
            f"{model.name}: tolerance={quoted(tolerance)} is not a number between 0 and 1; 1e-9 is one."
        )


def overriding(model: Model, parameters: object) -> Mapping[str, object]:
    """Values that replace those of the system for one run."""
    if parameters is None:
        return {}
    what = f"{model.name}: `parameters`"
    given = expect_mapping(parameters, what, "a dict from names to numbers", verb="is", refusal=IntegrationError)
    if unknown := [p for p in given if p not in model.parameters]:
        known = ", ".join(model.parameters) or "none"
        raise UnknownNameError(f"{model.name} has no parameter {unknown[0]!r}; its parameters are {known}.")
    return given


# The principle whose equations are integrated unless one is named: of the reduced ones, that with the smallest program.


_REDUCED = ("kane", "hamel")
"""Principles in the same speeds; of a large system, the first has made the smaller program whenever it was tried."""
_LARGE = 1000
"""Operations from which on the second is not derived for comparison."""


def derivation_for(declared: Model, by: str | AbstractPrinciple | None) -> Derivation:
    """How the equations of a motion are derived: by a principle, or by the smallest without constraints that follow from others."""
    model = integrable(declared) if by is None else declared
    return Derivation.for_all_values(model, smallest(model) if by is None else formulation(by))


@lru_cache(maxsize=256)
def smallest(model: Model) -> AbstractPrinciple:
    """Of the principles with reduced equations the one with fewest operations; where none covers the system, the one that suits it.

    >>> from anholonomy.catalogue import chaplygin_ball, free_particle
    >>> smallest(chaplygin_ball().model).name
    'kane'
    """
    covering = tuple(name for name in _REDUCED if formulation(name).covers(model))
    return _least(model.with_free_parameters, covering) if covering else suited(model)


@lru_cache(maxsize=256)
def _least(model: Model, names: tuple[str, ...]) -> AbstractPrinciple:
    sizes: dict[AbstractPrinciple, int] = {}
    for principle in map(formulation, names):
        sizes[principle] = Compiled(Derivation.for_all_values(model, principle).equations).rates.operations
        if sizes[principle] > _LARGE:
            break
    return min(sizes, key=sizes.__getitem__)
