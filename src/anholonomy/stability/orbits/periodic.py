"""The closed orbit near a motion: where to begin, what is held, and what to say where there is none."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from anholonomy.compile.backends.base import Array
from anholonomy.refusals import IntegrationProblem
from anholonomy.stability.linear_part import velocities_of_symmetries
from anholonomy.stability.orbits.closing import distances, first_return, forcing_period, repeats
from anholonomy.stability.orbits.orbit import Orbit
from anholonomy.stability.orbits.shifts import Aliases, nearest_shift
from anholonomy.stability.orbits.shooting import Shots, closed, first_shots
from anholonomy.stability.orbits.tangent_flow import CarriedVectors
from anholonomy.stability.symmetries import Symmetry, symmetries
from anholonomy.stability.vector_field import VectorField, is_timed, vector_field
from anholonomy.symbolic.expressions import Symbol, time
from anholonomy.system.model import Model
from anholonomy.tolerances import NOTHING

__all__ = ["closed_orbit"]

_GROUPS = 300
"""Samples that are compared with the first one where symmetries must be found for each."""
_STILL = 1e-3
"""An orbit this much smaller than the motion it was looked for near is a steady motion."""
_CLEARLY = 0.1
"""A motion that closes so much better after several periods of the drive takes them."""
_OFTEN = 8
"""Up to so many periods of what drives it may a motion take to repeat itself."""


def closed_orbit(
    model: Model,
    run: Any,
    period: float | None,
    given: Mapping[str, float],
    by_symmetries: bool,
    tolerance: float,
    simulate: Callable[..., Any],
) -> Orbit:
    """The orbit near a motion, with the period given where there is one, and with its own otherwise."""
    timed = is_timed(model)
    times = run.time.values
    if times[-1] < times[0]:
        raise IntegrationProblem(f"{model.name}: the motion goes backward in time; give one that goes forward.")
    field, x, p = _posed(model, run, 0)
    span = (float(times[0]), float(times[0] + 10.0)) if timed else (0.0, 0.0)
    found = symmetries(field, x, p, span) if by_symmetries else ()
    alias = Aliases.of(field, x, p, found, float(times[0]))
    begin, length = (
        _driven(model, field, run, period, found, alias) if timed else _free(model, run, period, found, alias)
    )
    field, x, p = _posed(model, begin, -1)
    node = CarriedVectors.at(field, x, p, t=_phase(float(begin.time.values[-1]), length) if timed else 0.0)
    shots = first_shots(node, length, found, tolerance)
    shots = replace(shots, given=tuple((field.names.index(name), value) for name, value in given.items()))
    shots = _displaced(shots, alias)
    extent = float(np.ptp(alias.folded(_states(run)), axis=0).max())
    ways = [False] if timed else [True] if period is None else [False, True]
    for free in ways:
        try:
            best, ends, left = closed(shots, free)
        except IntegrationProblem:
            if free == ways[-1]:
                raise
            continue
        if left <= NOTHING and (timed or _moves(shots, best)) and (free or timed or _is_near(shots, best, extent)):
            return Orbit(best, tuple(ends), left, timed, simulate, not free)
    raise IntegrationProblem(_none(model, best, left, given))


def _posed(model: Model, run: Any, k: int) -> tuple[VectorField, Array, Array]:
    data = run.data
    point: dict[Symbol, float] = {}
    for variable, symbols in (("q", model.coordinates), ("velocity", model.velocities)):
        point |= dict(zip(symbols, map(float, data[variable].values[k]), strict=True))
    values = dict(run.model.parameter_items)
    point |= {
        s: float(values[name]) for (name, _), s in zip(model.parameter_items, model.parameter_symbols, strict=True)
    }
    point[time] = float(run.time.values[k])
    field = vector_field(model, point, timed=True)
    x = field.state(point)
    return field, x, np.array([point[s] for s in model.parameter_symbols])


def _states(run: Any) -> Array:
    return np.hstack([run.data["q"].values, run.data["velocity"].values])


def _free(
    model: Model, run: Any, period: float | None, found: tuple[Symmetry, ...], alias: Aliases
) -> tuple[Any, float]:
    """Where to begin and how long the period may be: the motion from its start on, or at its end where it is nearer to closing."""
    times = run.time.values
    if period is not None:
        if times[-1] - times[0] <= period:
            return run.at([float(times[0])]), period
        begins = (float(times[0]), float(times[-1] - period))
        gaps = [_gap(run, t, t + period, found, alias) for t in begins]
        return run.at([begins[0] if gaps[0] <= 2 * gaps[1] else begins[1]]), period
    thin = max(len(times) // _GROUPS, 1) if found else 1
    z, kept = alias.folded(_states(run))[::thin], times[::thin]
    (first, apart), (last, behind) = first_return(found, kept, z), first_return(found, kept[::-1], z[::-1])
    if first < 0 or last < 0:
        raise IntegrationProblem(
            f"{model.name}: the motion is steady, at rest or carried by symmetries, which `steady_motions` finds; give another motion, or ask "
            "with symmetries=False for one that closes without them."
        )
    if not first and not last:
        raise IntegrationProblem(
            f"{model.name}: the motion does not come back near where it was within t = {times[-1] - times[0]:g}; give a motion that "
            "nearly closes, a longer one, or the `period`."
        )
    step = float(np.median(np.diff(kept)))
    if first and apart <= 2 * behind + 0.01:
        begin = float(times[0])
        return run.at([begin]), _closer(
            lambda t: run.at([begin, *(begin + t)]), begin, first, step, times, found, alias
        )
    return run.at([float(kept[-1] - last)]), last


def _closer(
    motion: Callable[[Array], Any],
    begin: float,
    period: float,
    step: float,
    times: Array,
    found: tuple[Symmetry, ...],
    alias: Aliases,
) -> float:
    """The duration after which the motion is closest to its beginning, near one known to a step."""
    for width in (step, step / 8):
        tried = np.linspace(period - width, period + width, 9)
        tried = tried[(tried > 0) & (begin + tried < times[-1])]
        period = float(tried[np.argmin(distances(found, alias.folded(_states(motion(tried))))[1:])])
    return period


def _gap(run: Any, begin: float, end: float, found: tuple[Symmetry, ...], alias: Aliases) -> float:
    a, b = _states(run.at([begin, end]))
    return nearest_shift(found, a, b, alias.nearest(a, b))[1]


def _driven(
    model: Model, field: VectorField, run: Any, period: float | None, found: tuple[Symmetry, ...], alias: Aliases
) -> tuple[Any, float]:
    """The same for what is driven: a multiple of the period of the declaration, at a time when that begins."""
    times, drive = run.time.values, forcing_period(run.model)
    _, x, p = _posed(model, run, 0)
    if period is None and drive is None:
        raise IntegrationProblem(
            f"{model.name} depends on time, and not by sines and cosines with a common period; give its `period`."
        )
    if period is not None and not repeats(field, x, p, float(times[0]), period):
        known = f" such as {drive:.12g}" if drive is not None else ""
        raise IntegrationProblem(
            f"{model.name} does not repeat itself after period={period:.12g}; give a multiple of the period of what drives it{known}."
        )
    if period is not None or drive is None:
        assert period is not None
        return run.at([_beat(times, period, period)]), period
    counts = [k for k in range(1, _OFTEN + 1) if k * drive <= times[-1] - times[0]]
    gaps = {}
    for k in counts:
        begin = _beat(times, drive, k * drive)
        gaps[k] = _gap(run, begin, begin + k * drive, found, alias)
    best = next((k for k in counts if gaps[k] <= _CLEARLY * gaps[1] and gaps[k] <= 2 * min(gaps.values())), 1)
    return run.at([_beat(times, drive, best * drive)]), best * drive


def _beat(times: Array, drive: float, period: float) -> float:
    """The last time from which a period fits and at which the drive begins anew; the start where there is none."""
    late = np.floor((times[-1] - period + 1e-12 * period) / drive) * drive
    return float(late) if late >= times[0] else float(times[0])


def _phase(t: float, period: float) -> float:
    """The same time within the first period."""
    phase = t - period * np.floor(t / period + 1e-9)
    return float(phase) if abs(phase) > 1e-9 * period else 0.0


def _displaced(shots: Shots, alias: Aliases) -> Shots:
    """With the displacement that makes the motion from the first node most nearly close."""
    node, end = shots.nodes[0], shots.ends()[-1]
    return replace(shots, shift=nearest_shift(shots.symmetries, node.z, end.z, alias.nearest(node.z, end.z))[0])


def _unsteady(shots: Shots) -> float:
    """What symmetries leave of the rates, over the nodes."""
    left = []
    for node in shots.nodes:
        jet = node.field.at(node.x[None], node.p, node.t)
        pace, _ = velocities_of_symmetries(jet.z[0], jet.rate[0], shots.symmetries)
        fields = [c * each.at(jet.z[0]) for c, each in zip(pace, shots.symmetries, strict=True)]
        left.append(float(np.linalg.norm(jet.rate[0] - sum(fields, np.zeros(jet.rate.shape[1])))))
    return max(left)


def _moves(first: Shots, found: Shots) -> bool:
    """Whether what was found is more than a steady motion."""
    return _unsteady(found) > _STILL * _unsteady(first)


def _is_near(first: Shots, found: Shots, extent: float) -> bool:
    """Whether the start moved by less than the states differ along the motion."""
    return bool(np.abs(found.nodes[0].z - first.nodes[0].z).max() <= extent)


def _none(model: Model, best: Shots, left: float, given: Mapping[str, float]) -> str:
    if left <= NOTHING:
        return f"{model.name}: near this motion only a steady one closes, which `steady_motions` finds; give a motion farther from it."
    held = f" with {', '.join(f'{name} = {value:g}' for name, value in given.items())}" if given else ""
    return (
        f"{model.name}: no closed orbit was found near this motion{held}; the nearest approach, after t = {best.period:.6g}, leaves a gap of "
        f"{left:.3g} beside the state, so give a motion that nearly closes, or another `period`."
    )
