r"""Lyapunov exponents: how fast neighbours part, $\lambda_k = \lim \frac1t\sum\ln R_{kk}$, by vectors carried along and made orthonormal again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, final

import numpy as np

from anholonomy.compile.backends.base import Array
from anholonomy.displays.shown import Shown
from anholonomy.refusals import IntegrationProblem
from anholonomy.show.pictures import kept_in_file
from anholonomy.stability.orbits.tangent_flow import CarriedVectors, carried_along

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.axes import Axes

__all__ = ["Exponents", "exponents"]

_SETTLED = 0.5
"""The part of the time over which the spread of the averages is taken."""
_BEGUN = 0.25
"""The part of the time after which growth has the form of its trend: vectors have turned to where they grow."""


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
        from anholonomy.show.figures.stability.exponents import plot_exponents

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
                raise IntegrationProblem(
                    f"{now.field.model.name}: the linear part ceased to be finite at t = {now.t:g}."
                )
            grown = grown + np.log(factors)
            times.append(now.t)
            history.append(grown / (now.t - start.t))
            if progress is not None:
                progress(k / steps)
    except (KeyboardInterrupt, IntegrationProblem):  # what was averaged so far is worth keeping
        if not times:
            raise
    model = now.field.model
    return Exponents(model.name, np.array(times), np.array(history), start.t, bool(model.units))
