"""The initial-value problem of many motions, checked before anything is computed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np

from anholonomy.base.errors import ArgumentError, DeclarationError, Error, IntegrationError, quoted
from anholonomy.base.tolerances import is_same
from anholonomy.equations.derivation import Derivation
from anholonomy.language.arguments import expression, finite
from anholonomy.language.writing import to_text
from anholonomy.motion.events.one_motion import Watchlist
from anholonomy.motion.integrators.base import Limits
from anholonomy.motion.integrators.choice import integrator_name
from anholonomy.motion.problem.one_motion import beginning_at, check_tolerance, given_times, integrated, step_limits
from anholonomy.motion.signals.driven_system import Driven
from anholonomy.motion.starts.many_motions import Columns, read_starts
from anholonomy.programs.backends.base import Array
from anholonomy.system.checks.redundant_constraints import revalued
from anholonomy.system.checks.well_posed import check_values
from anholonomy.system.declaration.unspecified_functions import refuse_unspecified
from anholonomy.system.model import Model
from anholonomy.system.warnings import warn_of_negative_masses

__all__ = ["TOLERANCE", "Question", "asked"]

TOLERANCE = 1e-12
"""The error of a step that is allowed unless another is asked for: a motion of many turns keeps nine digits and more."""


@final
@dataclass(frozen=True, eq=False)
class Question:
    """Members and what is wanted of them.

    Attributes
    ----------
    declared, model
        The system as declared, and what is integrated.
    columns
        The starts as given.
    grid
        The times to report, the first being that of the start.
    options
        What `simulate` takes besides, for members that go alone.
    derivation_is_usual
        Whether the principle is what `simulate` would choose by itself.
    driven
        The inputs that are data over time, if there are any.
    members
        How many there are in all, of which a part may have been cut out.
    """

    declared: Model
    model: Model
    derivation: Derivation
    columns: Columns
    grid: Array
    tolerance: float
    watchlist: Watchlist
    limits: Limits
    project: bool
    options: Mapping[str, Any]
    derivation_is_usual: bool
    driven: Driven
    members: int

    @property
    def whole(self) -> Model:
        """The declared model with its inputs written out."""
        return self.driven.model(self.declared)

    @property
    def forward(self) -> float:
        """The sign of time."""
        return 1.0 if self.grid[-1] >= self.grid[0] else -1.0

    def part(self, begin: int, end: int) -> Question:
        """The same of some of the members."""
        return replace(self, columns=self.columns.part(begin, end))

    @property
    def words(self) -> dict[str, Any]:
        """What decides the numbers, apart from the members, in words that can be compared."""
        events = {name: to_text(expression(value, name)) for name, value in (self.options["events"] or {}).items()}
        return {
            "principle": self.derivation.principle.name,
            "speeds": self.derivation.asked_speeds,
            "tolerance": self.tolerance,
            "events": events,
            "stop": sorted(self.watchlist.stopping),
            "integrator": self.options["integrator"],
            "max_step": None if np.isinf(self.limits.longest) else self.limits.longest,
            "breaks": self.limits.breaks.tolist(),
            "project": self.project,
            **({"inputs": self.driven.words()} if self.driven else {}),
        }


def asked(
    declared: Model,
    derivation: Derivation,
    starts: Any,
    until: float | None,
    times: Sequence[float] | Array | None,
    *,
    parameters: Mapping[str, Any] | None = None,
    tolerance: float = TOLERANCE,
    integrator: str | None = None,
    project: bool = False,
    events: Mapping[str, Any] | None = None,
    stop: str | Sequence[str] = (),
    max_step: float | None = None,
    breaks: Sequence[float] | Array = (),
    usual: bool = True,
    driven: Driven | None = None,
) -> Question:
    """The question, or a refusal."""
    driven = Driven(declared, {}, {}) if driven is None else driven
    whole = driven.model(declared)
    model = integrated(whole, derivation)
    refuse_unspecified(model, "an ensemble")
    check_tolerance(model, tolerance)
    if not isinstance(project, bool):
        raise IntegrationError(f"{model.name}: project={quoted(project)} says nothing; say True or False.")
    if type(derivation.principle).costates(model):
        raise IntegrationError(
            f"{model.name}: the multipliers of {derivation.principle.name} motions have no columns; simulate them one by one."
        )
    if (until is None) == (times is None):
        raise IntegrationError(f"{model.name}: give either `until` or `times`, to say how long the motions last.")
    grid = None if times is None else given_times(model, times)
    columns = read_starts(model, starts, parameters, None if grid is None else float(grid[0]))
    grid = _grid(model, columns.t, until, grid)
    _check_values(whole, derivation, columns)
    return Question(
        declared,
        model,
        derivation,
        columns,
        grid,
        float(tolerance),
        Watchlist.of(whole, model, events, stop, True, driven.written),
        step_limits(model, max_step, breaks),
        project,
        {
            "integrator": None if integrator is None else integrator_name(integrator),
            "events": events,
            "stop": stop,
            "max_step": max_step,
            "breaks": breaks,
        },
        usual,
        driven,
        columns.count,
    )


def _grid(model: Model, t0: float, until: float | None, given: Array | None) -> Array:
    """The start and the end, unless times are given."""
    if given is None:
        end = _end(model, until)
        if is_same(end, t0, t0):
            raise IntegrationError(
                f"{model.name}: until={until!r} is the time of the start, t={t0:g}; give another end."
            )
        return np.array([t0, end])
    if not is_same(t0, given[0], max(abs(given[0]), abs(given[-1]))):
        raise IntegrationError(
            f"{model.name}: the starts are at t={t0:g} but `times` begins at {given[0]:g}; make them equal."
        )
    return beginning_at(model, t0, given)


def _end(model: Model, until: object) -> float:
    if (end := finite(until)) is None:
        raise IntegrationError(f"{model.name}: until={quoted(until)} is not a finite number; give one, or `times`.")
    return end


def _check_values(declared: Model, derivation: Derivation, columns: Columns) -> None:
    """Values that make a sound system degenerate, or a mass negative, are looked for where they are extreme."""
    places = dict.fromkeys(
        int(place)
        for values in columns.parameters.values()
        for place in (np.argmin(values), np.argmax(values), np.argmin(np.abs(values)))
    )
    for i in places:
        values = columns.values(i)
        items = tuple((name, values.get(name, value)) for name, value in declared.parameter_items)
        if items == declared.parameter_items:
            continue
        try:
            model = integrated(revalued(declared, items), derivation)
            check_values(model)
            warn_of_negative_masses(model)
        except DeclarationError as problem:
            said = ", ".join(f"{name} = {value:g}" for name, value in values.items())
            raise ArgumentError(f"member {i} ({said}): {problem}") from None
        except Error:
            continue
