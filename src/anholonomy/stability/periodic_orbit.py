r"""The closed orbit near a motion, up to a displacement by symmetries, with its Floquet multipliers.

.. math:: \varphi_T(z_0) = G\,z_0, \qquad DG^{-1}\,D\varphi_T(z_0)\,v = \mu\,v

The search begins where a motion nearly closes; what depends on time closes after a multiple of the period of its declaration. The directions of
the symmetries and of the motion itself are divided out one after the other, so that the multipliers 1 that belong to them do not spoil the
digits of the others.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, final

import numpy as np

from anholonomy.algebra.calculus import partial
from anholonomy.algebra.expressions import Expr, Symbol, free_symbols, time
from anholonomy.algebra.numbers.doubles import split
from anholonomy.base.caching import cached_property
from anholonomy.base.errors import ArgumentError, IntegrationError
from anholonomy.base.notebook import Shown
from anholonomy.base.tolerances import CLEAR, GATHERED, NOTHING, is_same, snapped
from anholonomy.language.arguments import expect_number
from anholonomy.motion.problem.one_motion import check_tolerance
from anholonomy.motion.trajectory import Trajectory
from anholonomy.motion.vector_field import CarriedVectors, VectorField, field_at, is_timed, refuse_driven
from anholonomy.programs.backends.base import Array
from anholonomy.show.picture_files import kept_in_file
from anholonomy.stability.affine_symmetries import Symmetry, symmetries
from anholonomy.stability.linear_part import independent_rows, velocities_of_symmetries
from anholonomy.stability.multiple_shooting import Aliases, Shift, Shots, closed, first_shots, logarithm, nearest_shift
from anholonomy.stability.states_by_name import admissible_state, numbers_by_name, refuse_another_system
from anholonomy.system.model import Model
from anholonomy.system.states.complete_state import finite_number

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.figure import Figure

__all__ = ["Orbit", "periodic"]

_GROUPS = 300
"""Samples that are compared with the first one where symmetries must be found for each."""
_STILL = 1e-3
"""An orbit this much smaller than the motion it was looked for near is a steady motion."""
_CLEARLY = 0.1
"""A motion that closes so much better after several periods of the drive takes them."""
_OFTEN = 8
"""Up to so many periods of what drives it may a motion take to repeat itself."""
_LEFT = 0.5
"""A motion has left its beginning when it was this part of its extent away from it."""
_NEAR = 0.3
"""It has returned when it is nearer than this part of it."""
_ALIKE = 2.0
"""An earlier return is preferred to a later one that is closer by less than this factor."""
_RATIO = 60
"""Frequencies have a common period where their ratios have denominators up to this."""


def periodic(
    model: Model,
    near: Trajectory | Mapping[str, object],
    period: float | None,
    given: Mapping[str, object],
    by_symmetries: bool,
    tolerance: float,
    make: Callable[[Model], Any],
) -> Orbit:
    """The closed orbit near a motion or a state."""
    check_tolerance(model, tolerance)
    if period is not None:
        period = expect_number(period, f"{model.name}: `period`", "a positive number", above=0, refusal=ArgumentError)
    values = numbers_by_name(model, given)
    if isinstance(near, Trajectory):
        refuse_another_system(model, near)
        run = near
    else:
        if period is None:
            raise IntegrationError(
                f"{model.name}: the period cannot be seen from one state; give a motion that nearly closes, or the `period`."
            )
        begin = float(finite_number(near.get("t", 0.0)) or 0.0) if "t" in near else 0.0
        run = make(model).simulate(near, times=np.linspace(begin, begin + 1.001 * float(period), 101))
    refuse_driven(run.model)
    return _closed_orbit(
        model.independent,
        run,
        None if period is None else float(period),
        values,
        by_symmetries,
        tolerance,
        make(model).simulate,
    )


def _closed_orbit(
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
        raise IntegrationError(f"{model.name}: the motion goes backward in time; give one that goes forward.")
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
        except IntegrationError:
            if free == ways[-1]:
                raise
            continue
        if left <= NOTHING and (timed or _moves(shots, best)) and (free or timed or _is_near(shots, best, extent)):
            return Orbit(best, tuple(ends), left, timed, simulate, not free)
    raise IntegrationError(_none(model, best, left, given))


@final
@dataclass(frozen=True, eq=False)
class Orbit(Shown):
    """A motion that repeats itself after a period, up to a displacement by symmetries.

    Attributes
    ----------
    shots
        The states found, the period and the displacement.
    residual
        What is left of the equations beside the states.
    timed
        Whether the system itself depends on time, so that the phase is not free.
    simulate
        How the motion from a start is computed.
    """

    shots: Shots
    ends: tuple[CarriedVectors, ...]
    residual: float
    timed: bool
    simulate: Callable[..., Any]
    held: bool = False

    @property
    def system(self) -> str:
        """The system's name."""
        return self.shots.nodes[0].field.model.name

    @property
    def period(self) -> float:
        """The time after which the motion repeats itself."""
        return self.shots.period

    @cached_property
    def start(self) -> dict[str, float]:
        """A state on the orbit, by name: a start for `simulate`."""
        node = self.shots.nodes[0]
        return admissible_state(node.field, node.z, node.p, node.t) | ({"t": node.t} if self.timed else {})

    @cached_property
    def run(self) -> Any:
        """The motion over one period."""
        begin = self.shots.begin
        return self.simulate(self.start, times=np.linspace(begin, begin + self.period, 401), project=True)

    @cached_property
    def shift(self) -> dict[str, float]:
        """By how much each coordinate is displaced after a period: the drift of what symmetries carry along."""
        names, z = self.shots.nodes[0].field.names, self.shots.nodes[0].z
        n, moved = len(self.shots.nodes[0].field.model.coordinates), self.shots.shift(z) - z
        return {name: float(c) for name, c in zip(names[:n], moved[:n], strict=True) if abs(c) > 1e-9}

    @cached_property
    def drift(self) -> dict[str, float] | None:
        r"""The displacement $G = \exp(\xi^k\,\Xi_k)$ by symmetries: $\xi^k$ by the field; None where it is no exponential of one."""
        symmetries, n = self.shots.symmetries, len(self.shots.nodes[0].field.model.coordinates)
        moved = self.shots.shift.matrix[:n, -1]
        shifts = np.array([each.shift[:n] for each in symmetries]).reshape(len(symmetries), n)
        guess = np.linalg.lstsq(shifts.T, moved, rcond=None)[0] if len(symmetries) else np.empty(0)
        found = logarithm(symmetries, self.shots.shift, guess)
        if found is None:
            return None
        return {str(each): float(c) for each, c in zip(symmetries, found, strict=True) if abs(c) > 1e-9}

    @cached_property
    def _return(self) -> tuple[Array, Array]:
        return self.shots.monodromy(self.ends)

    @cached_property
    def monodromy(self) -> xr.DataArray:
        """The linear part of the return, in independent coordinates and velocities."""
        import xarray as xr

        matrix, basis = self._return
        rows = independent_rows(basis, basis.shape[1])
        labels = [self.shots.nodes[0].field.names[k] for k in rows]
        values = basis[rows] @ matrix @ np.linalg.inv(basis[rows])
        return xr.DataArray(values, dims=("after", "of"), coords={"after": labels, "of": labels}, name="monodromy")

    @cached_property
    def _spectrum(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The multipliers of symmetries, of the motion itself, and the matrix of what is left."""
        matrix, basis = self._return
        node = self.shots.nodes[0]
        groups = [[each.at(node.z) for each in self.shots.symmetries]]
        if not self.timed:
            groups.append([node.field.at(node.x[None], node.p, node.t).rate[0]])
        found, frame = list[np.ndarray](), np.eye(len(matrix))
        for group in groups:
            own = frame.T @ basis.T @ np.stack(group, axis=1) if group else np.empty((frame.shape[1], 0))
            inside, outside = split(own, 1.0)
            here = frame.T @ matrix @ frame
            found.append(np.linalg.eigvals(inside.T @ here @ inside))
            frame = frame @ outside
        return found[0], found[1] if len(found) > 1 else np.empty(0), frame.T @ matrix @ frame

    @property
    def _transverse(self) -> np.ndarray:
        return self._spectrum[2]

    @cached_property
    def multipliers(self) -> np.ndarray:
        """The Floquet multipliers, largest first, with the 1 of the motion's own direction and without those of symmetries."""
        both = np.concatenate([self._spectrum[1], self.transverse])
        return np.asarray(both[np.argsort(-np.abs(both), kind="stable")])

    @cached_property
    def transverse(self) -> np.ndarray:
        """The multipliers without the one of the motion's own direction: those of a section."""
        found = np.linalg.eigvals(self._transverse)
        return np.asarray(found[np.argsort(-np.abs(found))])

    @property
    def symmetry_multipliers(self) -> np.ndarray:
        """Those of the directions of the symmetries, which say nothing of stability."""
        return self._spectrum[0]

    @property
    def exponents(self) -> np.ndarray:
        r"""The Floquet exponents $\ln\mu/T$."""
        return np.asarray(np.log(self.multipliers.astype(complex)) / self.period)

    @property
    def verdict(self) -> str:
        """``"unstable"``, ``"stable"`` (everything decays but families of orbits) or ``"marginal"``: by multipliers alone."""
        return _verdict_of(self._transverse, self.shots.tolerance)

    @kept_in_file
    def plot(self, figure: Any = None) -> Figure:
        """The orbit, and its multipliers beside the unit circle."""
        from anholonomy.show.figures.closed_orbit import orbit_figure

        pair = _telling(self.run, self.shots.nodes[0].field.names, self.shift)
        return orbit_figure(self.run, pair, self.multipliers, self.verdict, figure)

    def __str__(self) -> str:
        head = f"{self.system}: closed orbit, period {self.period:.12g}"
        drift = self.drift
        moved = (
            ["  displaced by " + ", ".join(f"{c:.6g} ({name})" for name, c in drift.items())]
            if drift
            else ["  displaced by " + ", ".join(f"{name} {c:+.6g}" for name, c in self.shift.items())]
            if self.shift
            else []
        )
        rows = [f"    {_written(v)}" for v in self.multipliers]
        return "\n".join([head, *moved, f"  {self.verdict}", "  multipliers", *rows])

    def __repr__(self) -> str:
        return f"Orbit({self.system!r}, period {self.period:.12g}, {self.verdict})"


def _verdict_of(matrix: Array, tolerance: float) -> str:
    """By the sizes of the multipliers; ones belong to families of orbits as long as nothing grows along with them.

    A double multiplier is known to half the digits.
    """
    near = max(CLEAR, 10 * float(np.sqrt(tolerance * np.linalg.norm(matrix))))
    found = np.linalg.eigvals(matrix)
    sizes, idle = np.abs(found), np.abs(found - 1) <= near
    if (sizes > 1 + near).any():
        return "unstable"
    families = int((np.linalg.svd(matrix - np.eye(len(matrix)), compute_uv=False) <= near).sum())
    decays = bool((~idle).any() and (sizes[~idle] < 1 - near).all())
    return "stable" if (decays or not len(found)) and families == idle.sum() else "marginal"


def _telling(run: Any, names: tuple[str, ...], shift: dict[str, float]) -> tuple[str, str]:
    """Two variables that come back and vary most: a coordinate with its velocity where there is one."""
    spread = {name: float(np.ptp(run[name].values)) for name in names if name not in shift}
    order = sorted(spread, key=lambda name: -spread[name])
    first = next((name for name in order if not name.endswith("'")), order[0])
    second = f"{first}'" if spread.get(f"{first}'", 0.0) > 0 else next(name for name in order if name != first)
    return first, second


def _written(value: complex) -> str:
    real, imaginary = float(np.real(value)), float(np.imag(value))
    imaginary = imaginary if abs(imaginary) > 1e-9 * abs(real) else 0.0
    said = f"{real: .12g}" + (f" {'-' if imaginary < 0 else '+'} {abs(imaginary):.12g}i" if imaginary else "")
    return said + (f"   (size {abs(value):.9g})" if imaginary else "")


# Where the search begins: at a motion that nearly closes, up to its symmetries.


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
    return field_at(model, point, timed=True)


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
    (first, apart), (last, behind) = _first_return(found, kept, z), _first_return(found, kept[::-1], z[::-1])
    if first < 0 or last < 0:
        raise IntegrationError(
            f"{model.name}: the motion is steady, at rest or carried by symmetries, which `stability.steady_motion` finds; give another motion, or ask "
            "with symmetries=False for one that closes without them."
        )
    if not first and not last:
        raise IntegrationError(
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
        period = float(tried[np.argmin(_distances(found, alias.folded(_states(motion(tried))))[1:])])
    return period


def _gap(run: Any, begin: float, end: float, found: tuple[Symmetry, ...], alias: Aliases) -> float:
    a, b = _states(run.at([begin, end]))
    return nearest_shift(found, a, b, alias.nearest(a, b))[1]


def _first_return(symmetries: Sequence[Symmetry], times: Array, z: Array) -> tuple[float, float]:
    """When the first state is nearly met again up to symmetry, and how far from it beside the extent; 0 where it never is, less where nothing but symmetries moves."""
    away = _distances(symmetries, z)
    extent = float(away.max())
    if extent <= 1e-9 * (1.0 + float(np.abs(z[0]).max())):
        return -1.0, np.inf
    gone = int(np.argmax(away > _LEFT * extent))
    dips = [k for k in range(max(gone, 1), len(away) - 1) if away[k - 1] >= away[k] <= away[k + 1]]
    near = {k: _between(away, k) for k in dips if away[k] < _NEAR * extent}
    if not near:
        return 0.0, np.inf
    closest = min(gap for gap, _ in near.values())
    place, (gap, share) = next((k, found) for k, found in near.items() if found[0] <= _ALIKE * closest + 0.05 * extent)
    step = times[place + 1] - times[place] if share > 0 else times[place] - times[place - 1]
    return float(abs(times[place] - times[0] + share * step)), gap / extent


def _distances(symmetries: Sequence[Symmetry], z: Array) -> Array:
    """How far each state is from the first, up to symmetry."""
    if not symmetries:
        return np.asarray(np.linalg.norm(z - z[0], axis=1))
    found, guess = [], Shift.none(z.shape[1])
    for row in z:
        guess, away = nearest_shift(symmetries, z[0], row, guess)
        found.append(away)
    return np.array(found)


def _between(away: Array, k: int) -> tuple[float, float]:
    """How near the motion comes between samples and where, as a part of a step: by the parabola through three squares."""
    a, b, c = (float(away[j]) ** 2 for j in (k - 1, k, k + 1))
    bend = a - 2 * b + c
    if bend <= 0:
        return float(away[k]), 0.0
    return float(np.sqrt(max(b - (a - c) ** 2 / (8 * bend), 0.0))), (a - c) / (2 * bend)


# What depends on time: the period of the declaration, and its multiples.


def _driven(
    model: Model, field: VectorField, run: Any, period: float | None, found: tuple[Symmetry, ...], alias: Aliases
) -> tuple[Any, float]:
    """The same for what is driven: a multiple of the period of the declaration, at a time when that begins."""
    times, drive = run.time.values, _forcing_period(run.model)
    _, x, p = _posed(model, run, 0)
    if period is None and drive is None:
        raise IntegrationError(
            f"{model.name} depends on time, and not by sines and cosines with a common period; give its `period`."
        )
    if period is not None and not _repeats(field, x, p, float(times[0]), period):
        known = f" such as {drive:.12g}" if drive is not None else ""
        raise IntegrationError(
            f"{model.name} does not repeat itself after period={period:.12g}; give a multiple of the period of what drives it{known}."
        )
    if period is not None or drive is None:
        assert period is not None
        return run.at([_beat(times, period, period)]), period
    lasts, scale = float(times[-1] - times[0]), float(np.abs(times).max())
    counts = [k for k in range(1, _OFTEN + 1) if k * drive <= lasts or is_same(k * drive, lasts, scale)]
    gaps = {}
    for k in counts:
        begin = _beat(times, drive, k * drive)
        end = snapped(begin + k * drive, float(times[0]), float(times[-1]), GATHERED)
        gaps[k] = _gap(run, begin, end, found, alias)
    best = next((k for k in counts if gaps[k] <= _CLEARLY * gaps[1] and gaps[k] <= 2 * min(gaps.values())), 1)
    return run.at([_beat(times, drive, best * drive)]), best * drive


def _forcing_period(model: Model) -> float | None:
    """After which time the declaration repeats itself, by the sines and cosines in it; None where it is not seen to."""
    values = dict(zip(model.parameter_symbols, (value for _, value in model.parameter_items), strict=True))
    said = [model.lagrangian, *model.forces_a, *(model.momenta_a or ()), *(c.expression for c in model.constraints)]
    found: set[float] = set()
    if not all(_frequencies(each.xreplace(values), found) for each in said) or not found:
        return None
    first = min(found)
    ratios = [Fraction(each / first).limit_denominator(_RATIO) for each in found]
    if any(abs(float(r) * first - each) > 1e-12 * each for r, each in zip(ratios, found, strict=True)):
        return None
    common = int(np.lcm.reduce([r.denominator for r in ratios]))
    shared = int(np.gcd.reduce([int(r * common) for r in ratios]))
    return 2 * np.pi / first * common / shared


def _frequencies(said: Expr, found: set[float]) -> bool:
    """Collect them; False where time appears otherwise."""
    if time not in free_symbols([said]):
        return True
    if type(said).__name__.lower() in ("sin", "cos", "tan"):
        rate = partial(said.args[0], time)
        if free_symbols([rate]):
            return False
        found.add(abs(float(rate)))
        return True
    return bool(said.args) and all(_frequencies(part, found) for part in said.args)


def _repeats(field: VectorField, x: Array, p: Array, t: float, period: float) -> bool:
    """Whether the motion does not notice that a period has gone by, at a few states and times."""
    rng = np.random.default_rng(3)
    times = t + period * rng.uniform(size=8)
    states = x + 0.2 * rng.normal(size=(8, x.size))
    states = field.on_positions(states, p, t=times)
    now, later = field.at(states, p, times), field.at(states, p, times + period)
    size = 1.0 + float(np.nanmax(np.abs(now.rate)))
    pairs = ((now.rate, later.rate), (now.z, later.z), (now.held, later.held))
    apart = max(float(np.nanmax(np.abs(a - b), initial=0.0)) for a, b in pairs)
    return bool(apart <= 1e-8 * size)


def _beat(times: Array, drive: float, period: float) -> float:
    """The last time from which a period fits and at which the drive begins anew; the start where there is none."""
    late = np.floor((times[-1] - period + 1e-12 * period) / drive) * drive
    return float(late) if late >= times[0] else float(times[0])


def _phase(t: float, period: float) -> float:
    """The same time within the first period."""
    phase = t - period * np.floor(t / period + 1e-9)
    return float(phase) if abs(phase) > 1e-9 * period else 0.0


# What is found, and why nothing is.


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
        return f"{model.name}: near this motion only a steady one closes, which `stability.steady_motion` finds; give a motion farther from it."
    held = f" with {', '.join(f'{name} = {value:g}' for name, value in given.items())}" if given else ""
    return (
        f"{model.name}: no closed orbit was found near this motion{held}; the nearest approach, after t = {best.period:.6g}, leaves a gap of "
        f"{left:.3g} beside the state, so give a motion that nearly closes, or another `period`."
    )
