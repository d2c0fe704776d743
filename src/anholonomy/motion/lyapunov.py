r"""Lyapunov exponents: the mean growth of vectors that the linearised flow transports, $\dot v = Df(x)\,v$.

Of one motion, vectors are made orthonormal again after every interval, and the diagonals of the factors $R$ are averaged,
$\lambda_k = \lim \frac1t\sum\ln R_{kk}$. Of many at once, each carries one vector side by side with its motion, which is made as long as
before after every interval: $\lambda = \frac1T\sum\ln|v|$, the largest exponent.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, final

import numpy as np
from numpy.typing import NDArray

from anholonomy.algebra.expressions import time
from anholonomy.base.errors import ArgumentError, Error, IntegrationError, quoted
from anholonomy.base.notebook import Shown
from anholonomy.language.arguments import expect_number
from anholonomy.motion.charts.many_motions import Flight, flight_at
from anholonomy.motion.charts.one_motion import RunnableEquations
from anholonomy.motion.charts.projection import projector
from anholonomy.motion.driver.many_motions import Answer
from anholonomy.motion.driver.step_limits import between, bounds
from anholonomy.motion.integrators.lanes import Halt, Kernel, kernel_of
from anholonomy.motion.integrators.lanes_layout import ARRIVED
from anholonomy.motion.problem.many_motions import Question
from anholonomy.motion.problem.one_motion import check_tolerance, start_point
from anholonomy.motion.starts.many_motions import Points
from anholonomy.motion.vector_field import CarriedVectors, carried_along, field_at
from anholonomy.programs.backends.base import Array
from anholonomy.programs.derivatives import along_direction
from anholonomy.programs.program import Program
from anholonomy.show.picture_files import kept_in_file
from anholonomy.system.model import Model

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.axes import Axes

__all__ = ["Exponents", "exponents", "largest_exponents", "lyapunov"]


_SETTLED = 0.5
"""The part of the time over which the spread of the averages is taken."""
_BEGUN = 0.25
"""The part of the time after which growth has the form of its trend: vectors have turned to where they grow."""


_GROWN = 10.0
"""Vectors are made orthonormal again before they can have grown by more than the exponential of this."""


@final
@dataclass(frozen=True, eq=False)
class Exponents(Shown):
    """The averages of growth over time, a column for each exponent, largest first.

    Attributes
    ----------
    times, history
        When, and the averages up to then.
    began
        The time of the start.
    has_units
        Whether times are seconds, and not whatever they are.
    """

    system: str
    times: Array
    history: Array
    began: float = 0.0
    has_units: bool = False

    @property
    def values(self) -> Array:
        """The exponents at the end."""
        return np.asarray(self.history[-1])

    @property
    def spread(self) -> Array:
        """How much the averages still moved in the last half of the time: what is less than this is zero for all one knows."""
        late = self.history[self.times - self.began >= _SETTLED * (self.times[-1] - self.began)]
        return np.asarray(np.ptp(late, axis=0))

    @property
    def rates(self) -> Array:
        r"""The exponents with what grows as a power of time taken apart: $\lambda$ of $G = \lambda t + n\ln t + c$, the logarithm of the growth.

        Neighbours of a regular motion part in proportion to time, so that averages go to zero no faster than $\ln t/t$, and these do.
        """
        return np.asarray(self._trend[0])

    @property
    def powers(self) -> Array:
        """The powers of time, $n$: 1 where neighbours move on another torus at another pace, 0 where they neither part nor come nearer."""
        return np.asarray(self._trend[1])

    @property
    def _trend(self) -> Array:
        """By least squares, after the first quarter of the time."""
        t = self.times - self.began
        late = t >= _BEGUN * t[-1]
        columns = np.column_stack([t, np.log(t), np.ones(t.size)])[late]
        return np.asarray(np.linalg.lstsq(columns, self.history[late] * t[late, None], rcond=None)[0])

    @property
    def data(self) -> xr.Dataset:
        """The convergence as a table."""
        import xarray as xr

        names = np.arange(1, self.history.shape[1] + 1)
        return xr.Dataset(
            {"exponent": (("time", "number"), self.history)},
            coords={"time": self.times, "number": names},
            attrs={"system": self.system},
        )

    @kept_in_file
    def plot(self, ax: Any = None) -> Axes:
        """The averages over time."""
        from anholonomy.show.figures.lyapunov_exponents import plot_exponents

        return plot_exponents(self.data, ax, ("s", "1/s") if self.has_units else ("", ""))

    def __str__(self) -> str:
        rows = [f"  {value: .6g} ± {spread:.2g}" for value, spread in zip(self.values, self.spread, strict=True)]
        return "\n".join([f"{self.system}: Lyapunov exponents after t = {self.times[-1]:g}", *rows])


def exponents(
    start: CarriedVectors,
    until: float,
    count: int,
    interval: float,
    tolerance: float,
    progress: Callable[[float], None] | None,
) -> Exponents:
    """Carried along and made orthonormal after every interval."""
    # Directions of coordinates may be carried into themselves, and never see what grows: those of chance are not.
    mixed = np.linalg.qr(np.random.default_rng(5).normal(size=(start.vectors.shape[1],) * 2))[0]
    now, grown, times, history = start.orthonormal()[0], np.zeros(count), list[float](), list[Array]()
    now = CarriedVectors(now.field, now.x, now.vectors @ mixed[:, :count], now.p, now.t)
    steps = max(int(np.ceil(until / interval - 1e-9)), 1)
    try:
        for k in range(1, steps + 1):
            now, factors = carried_along(now.in_good_frame(), start.t + until * k / steps, tolerance).orthonormal()
            if not np.isfinite(factors).all():
                raise IntegrationError(f"{now.field.model.name}: the linear part ceased to be finite at t = {now.t:g}.")
            grown = grown + np.log(factors)
            times.append(now.t)
            history.append(grown / (now.t - start.t))
            if progress is not None:
                progress(k / steps)
    except (KeyboardInterrupt, IntegrationError):  # what was averaged so far is worth keeping
        if not times:
            raise
    model = now.field.model
    return Exponents(model.name, np.array(times), np.array(history), start.t, bool(model.units))


def lyapunov(
    model: Model,
    start: Mapping[str, object],
    until: float,
    count: int | None,
    interval: float | None,
    tolerance: float,
    progress: Callable[[float], None] | None,
) -> Exponents:
    """The exponents of the motion from a start."""
    until = expect_number(until, f"{model.name}: `until`", "a positive number", above=0, refusal=ArgumentError)
    if interval is not None:
        interval = expect_number(
            interval, f"{model.name}: `interval`", "a positive number", above=0, refusal=ArgumentError
        )
    check_tolerance(model, tolerance)
    point = start_point(model.independent, (), dict(start), False)
    field, x, p = field_at(model, point, timed=True)
    begin = CarriedVectors.at(field, x, p, t=point[time])
    size = begin.vectors.shape[1]
    if count is not None and not (isinstance(count, int) and 1 <= count <= size):
        raise IntegrationError(f"{model.name}: count={quoted(count)} exponents cannot be had; give 1 to {size}.")
    pace = float(np.linalg.norm(field.jet(x[None], p, t=begin.t).slopes.rate[0] @ begin.vectors, 2))
    usual = min(until / 50, _GROWN / max(pace, 1e-300))
    return exponents(begin, until, count or size, interval or usual, tolerance, progress)


# The largest exponents of many members at once.


_INTERVALS = 100
"""After as many parts of the time the vectors of members that go alone are made as long as before."""
_FEW, _GROWTH = 20, 50.0
"""Side by side each part begins with a step of unknown length, so that there are fewer, but no vector grows by more than $e^{50}$ in one."""


def largest_exponents(question: Question, points: Points, answer: Answer, halt: Halt) -> Array:
    """The exponent of each member up to its end or the event that stopped it; by itself where its frame wears out, NaN where its motion ends early."""
    found = np.full(len(points.t), np.nan)
    pending = answer.complete & (answer.stop_times != points.t)
    with suppress(Error):
        if (ready := flight_at(question.derivation, question.model, points, 0)) is not None:
            pending = _side_by_side(question, ready, points, (pending, answer.stop_times), found, halt)
    for i in map(int, np.flatnonzero(pending)):
        if not halt[0]:
            found[i] = _alone(question, points, i, float(answer.stop_times[i]))
    return found


def _side_by_side(
    question: Question, ready: Flight, points: Points, wanted: tuple[NDArray[np.bool_], Array], found: Array, halt: Halt
) -> NDArray[np.bool_]:
    """Fill in the exponents of wanted members, up to their last times, that the chart serves till then; which of the others are still to be found.

    Each has intervals of its own, so that no exponent depends on who goes beside it.
    """
    x, quality = ready.states(points)
    goes, (pending, last) = ready.serves(quality), wanted
    n, count, forward = x.shape[1], len(points.t), question.forward
    kernel = _tangent_kernel(ready.runnable, x[0], points.p[0], float(points.t[0]), ready.kernel)
    v = np.broadcast_to(_direction(n), (count, n)).copy()
    model, p = ready.runnable.equations.model, np.ascontiguousarray(points.p)
    held = projector(model, p.T, False)
    if held is not None:  # a vector along the group: where a point moved along it is, once it is put back
        v = (held(points.t, x + 1e-4 * v) - held(points.t, x - 1e-4 * v)) / 2e-4
    v /= np.linalg.norm(v, axis=1)[:, None]
    z = np.hstack([x, v])
    grown, alive = np.zeros(count), pending & goes
    ended = np.zeros(count, dtype=bool)
    longest, stops = bounds(question, p)
    begin, whole = points.t.copy(), abs(last - points.t)
    length = whole / _INTERVALS
    while not halt[0] and (who := np.flatnonzero(alive & (begin != last))).size:
        left = abs(last - begin)[who]
        parts = np.ceil(left / length[who])
        end = np.where(parts <= 1, last[who], begin[who] + forward * left / np.maximum(parts, 1))
        block = kernel.integrate(
            begin[who],
            z[who],
            p[who],
            end[:, None],
            question.tolerance,
            halt,
            ends=between(stops if len(stops) == 1 else stops[who], begin[who], end, forward),
            longest=longest if longest.size == 1 else longest[who],
            duration=abs(float(question.grid[-1] - question.grid[0])),
            forward=forward > 0,
        )
        arrived = block.status == ARRIVED
        ended[who[(block.status > 2)]] = True
        alive[who[~arrived]] = False
        z[who] = block.stop_states
        on, size = who[arrived], np.linalg.norm(block.stop_states[arrived, n:], axis=1)
        more = np.log(size)
        grown[on] += more
        z[on, n:] /= size[:, None]
        if held is not None:
            now = begin.copy()
            now[who] = end
            z[on, :n] = held(now, z[:, :n])[on]
        most = np.maximum(abs(more) / _GROWTH, 1e-9)
        length[on] = np.minimum(whole[on] / _FEW, abs(end - begin[who])[arrived] / most)
        begin[who] = end
    done = alive & (begin == last)
    found[done] = grown[done] / whole[done]
    return np.asarray(pending & ~done & ~ended)


def _direction(n: int) -> Array:
    """A direction that is none of a system's own, always the same."""
    return np.random.default_rng(n).normal(size=n)


def _tangent_kernel(runnable: RunnableEquations, x: Array, p: Array, t: float, plain: Kernel) -> Kernel:
    program = _tangent(runnable)
    padded = np.concatenate([x, np.zeros(len(program.states) - x.size)])
    straight = runnable.straight(t, padded, p, program)
    watching = plain.watching
    if watching is not None:
        wider = Program(straight.states, straight.parameters, watching.program.steps, watching.program.outputs)
        watching = type(watching)(
            wider, watching.vectors, watching.width, watching.shrinking, watching.frame_share, watching.share
        )
    return kernel_of(straight, watching)


@lru_cache(maxsize=16)
def _tangent(runnable: RunnableEquations) -> Program:
    return along_direction(runnable.compiled.rates, count=1)


def _alone(question: Question, points: Points, i: int, end: float) -> float:
    """As `system.stability.lyapunov_exponents` finds it."""
    model = question.model
    point = points.point(model, i)
    names = (*model.coordinates, *model.velocities, *model.parameter_symbols, time)
    until = end - float(points.t[i])
    try:
        start = {s.name: point[s] for s in names}
        return float(lyapunov(model, start, until, 1, until / _INTERVALS, question.tolerance, None).values[0])
    except Error:
        return float("nan")
