"""From a system and a start to a discrete motion: nodes at equal times, with everything that one may ask of a motion."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from anholonomy.compile.backends import fast_function
from anholonomy.compile.backends.base import Function
from anholonomy.compile.program import Program
from anholonomy.formulations.equations.derivation import Derivation
from anholonomy.language.given import finite
from anholonomy.language.mistakes.nearest import did_you_mean, same_name
from anholonomy.refusals import IntegrationProblem, NotCovered, UnknownName
from anholonomy.simulate.discrete import METHODS
from anholonomy.simulate.discrete.base import AbstractMethod
from anholonomy.simulate.discrete.marching import marched
from anholonomy.simulate.integrators.base import Progress, Solution
from anholonomy.simulate.outcome import Outcome
from anholonomy.simulate.pieces.integrate import Run
from anholonomy.simulate.pieces.piece import Piece
from anholonomy.simulate.pieces.runnable_equations import runnable_at, runnable_at_start
from anholonomy.simulate.problem import Problem, pose
from anholonomy.simulate.simulation import Record
from anholonomy.simulate.trajectories.schema import DISCRETE
from anholonomy.symbolic.expressions import time
from anholonomy.system.model import Model

if TYPE_CHECKING:
    import xarray as xr

__all__ = ["discrete_motion", "method_called"]

_MOST = 20_000_000
"""Steps that are not begun: their nodes would fill the memory."""


def method_called(name: object) -> type[AbstractMethod]:
    """The discrete method that a word names."""
    if known := same_name(name, METHODS):
        return METHODS[known]
    raise UnknownName(
        f"there is no discrete method {name!r:.60}; {did_you_mean(name, METHODS)}there are {', '.join(METHODS)}."
    )


def discrete_motion(
    declared: Model,
    method: object,
    start: Mapping[str, object] | None,
    until: object,
    step: object,
    every: object,
    parameters: Mapping[str, float] | None,
    progress: Progress | None,
) -> tuple[Problem, xr.Dataset]:
    """The problem and the nodes, ``every`` so many of them."""
    kind, model = method_called(method), declared.independent
    if why := kind.obstacle(model):
        raise NotCovered(f"{model.name} {why}: the discrete method {kind.name} does not cover it.")
    derivation = Derivation.for_all_values(model, kind.principle(model))
    problem = pose(declared, derivation, start, until=until, parameters=parameters)  # type: ignore[arg-type]
    begin, end = problem.point[time], float(problem.grid[-1])
    length = finite(step)
    if length is None or not length > 0:
        raise IntegrationProblem(
            f"{model.name}: step={step!r:.60} is no length of steps; give a positive number, such as 0.01."
        )
    count = int(np.ceil(min(abs(end - begin) / length, 1e18) - 1e-9))
    if count > _MOST:
        raise IntegrationProblem(f"{model.name}: {count} steps are too many; give longer ones, or an earlier end.")
    if not isinstance(every, int) or not 1 <= every <= count:
        raise IntegrationProblem(
            f"{model.name}: every={every!r:.60} is no number of steps; give a whole one from 1 to {count}."
        )
    with np.errstate(all="ignore"):
        run, pieces = _marched(problem, kind(), (end - begin) / count, count, every, progress)
    data = Record(problem, run, tuple(pieces)).dataset
    said = {
        "principle": DISCRETE,
        "integrator": kind.name,
        "integrator_reason": "asked for by name",
        "step": (end - begin) / count,
    }
    return problem, data.assign_attrs(said)


def _marched(
    problem: Problem, method: AbstractMethod, h: float, count: int, every: int, progress: Progress | None
) -> tuple[Run, list[Piece]]:
    """The motion in one chart after the other; the nodes of the last step of a piece begin the next."""
    run, p, pieces = Run(problem, None), problem.parameters, list[Piece]()
    point, begin = problem.point, problem.point[time]
    runnable, made = runnable_at_start(problem.derivation, point, p), 0
    span = h * count
    report = None if progress is None else lambda t: progress((t - begin) / span)
    while True:
        t, x = begin + made * h, runnable.state(point)
        scheme = method.scheme(runnable)
        found = marched(
            scheme,
            method.node(runnable, t, x, p, h),
            _rate(runnable.compiled.rates)(t, x, p),
            p,
            t,
            h,
            count - made,
            runnable.watch(t, x, p),
            report,
        )
        numbers = made + np.arange(len(found.nodes))
        kept = (numbers % every == 0) & ((numbers > made) | (made == 0))
        kept[-1] |= not found.worn and bool(found.ending or numbers[-1] == count)
        made = int(numbers[-1])
        states, stop = found.nodes[:, : scheme.state], found.nodes[-1, : scheme.state]
        outcome = Outcome.STOPPED if found.ending else Outcome.REACHED_END
        times = np.asarray(begin + h * numbers, dtype=float)
        pieces.append(
            Piece(
                runnable, Solution(times[kept], states[kept], outcome, float(times[-1]), stop, len(states) - 1), (), p
            )
        )
        if not found.worn or made >= count:
            run.ending, run.is_complete = found.ending, not found.ending
            return run, pieces
        point = run.point_from(runnable, float(times[-1]), stop)
        runnable = runnable_at(problem.derivation, point)


@lru_cache(maxsize=32)
def _rate(program: Program) -> Function:
    return fast_function(program)
