r"""The result of a fit: values with their errors, the motion, and the directions that the data leave open.

.. math:: J\,D = U\,\Sigma\,V^{\mathsf T}, \qquad \mathrm{cov} = s^2\,(J^{\mathsf T}J)^{-1}

$J$ are the sensitivities of what was measured by the unknowns, and $D$ makes its columns comparable; where a singular value is rounding beside
the largest, its direction is not identifiable.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar, final

import numpy as np

from anholonomy.base.notebook import Shown
from anholonomy.base.tolerances import CLEAR, NOTHING
from anholonomy.fitting.data import Measured
from anholonomy.programs.backends.base import Array

if TYPE_CHECKING:
    import xarray as xr

__all__ = ["Fit", "identified"]

S = TypeVar("S")
M = TypeVar("M")


@final
@dataclass(frozen=True, eq=False, repr=False)
class Fit(Shown, Generic[S, M]):
    """Parameters and starts by least squares.

    Attributes
    ----------
    system, run
        The system with the values found, and its motion at the times of the data.
    start
        The whole start of that motion.
    values
        What was unknown, by name.
    converged
        Whether the search came to its end; otherwise ``ending`` says why not.
    follow
        Entries of the start that were given, but follow from the constraints where the unknown ones change.
    """

    system: S
    run: M
    start: dict[str, float]
    values: dict[str, float]
    measured: Measured
    computed: Array
    slopes: Array
    found: Identified
    converged: bool
    ending: str
    follow: tuple[str, ...] = ()

    @property
    def unknown(self) -> tuple[str, ...]:
        """The names of what was unknown."""
        return tuple(self.values)

    @property
    def rank(self) -> int:
        """How many combinations of the unknowns the data determine."""
        return self.found.rank

    @property
    def identifiable(self) -> bool:
        """Whether the data determine every unknown, near the values found."""
        return self.rank == len(self.values)

    @property
    def covariance(self) -> xr.DataArray:
        r"""$s^2(J^{\mathsf T}J)^{-1}$ by names; infinite on the diagonal where the data determine nothing."""
        import xarray as xr

        names = list(self.values)
        return xr.DataArray(
            self.found.covariance,
            coords={"unknown": names, "other": names},
            dims=("unknown", "other"),
            name="covariance",
        )

    @property
    def errors(self) -> dict[str, float]:
        """The standard errors by name."""
        return dict(zip(self.values, np.sqrt(np.diag(self.found.covariance)).tolist(), strict=True))

    @property
    def undetermined(self) -> list[dict[str, float]]:
        """Directions in which nothing that was measured changes: relative changes by name (absolute ones of what is zero)."""
        return [
            {name: float(part) for name, part in zip(self.values, row, strict=True) if part} for row in self.found.null
        ]

    @property
    def residual(self) -> xr.DataArray:
        """Measured minus computed, (row, quantity) with the time of each row; NaN where nothing was measured."""
        import xarray as xr

        values = self.measured.apart(self.computed[self.measured.places])
        coords: dict[str, Any] = {
            "time": ("row", self.measured.times[self.measured.places]),
            "quantity": list(self.measured.names),
        }
        return xr.DataArray(values, coords=coords, dims=("row", "quantity"), name="residual")

    @property
    def rms(self) -> float:
        """The root of the mean square of the residuals, each beside its ``sigma`` where that was given."""
        left = self.residual.values / (1.0 if self.measured.sigma is None else self.measured.sigma)
        return float(np.sqrt(np.nanmean(left**2)))

    @property
    def sensitivity(self) -> xr.DataArray:
        """The derivatives of what was measured by the unknowns, (time, quantity, unknown)."""
        import xarray as xr

        coords = {"time": self.measured.times, "quantity": list(self.measured.names), "unknown": list(self.values)}
        return xr.DataArray(self.slopes, coords=coords, dims=("time", "quantity", "unknown"), name="sensitivity")

    @property
    def verdict(self) -> str:
        """Whether the unknowns are identifiable, or which combinations are not."""
        if self.identifiable:
            return f"identifiable: the data determine {', '.join(self.values)} near these values"
        along = "; ".join(self._direction(row) for row in self.undetermined)
        return f"not identifiable: {self.rank} of {len(self.values)} combinations are determined; nothing that was measured changes along {along}"

    def _direction(self, row: dict[str, float]) -> str:
        kinds = dict(zip(self.values, self.found.relative, strict=True))
        said = (f"{part:+.4g} {'d ' if not kinds[name] else 'd ln '}{name}" for name, part in row.items())
        return " ".join(said)

    def plot(self, ax: Any = None) -> Any:
        """What was measured as points, and the motion found as a line, a panel for each quantity; a path keeps the picture."""
        from anholonomy.show.figures.fit import plot_fit

        fine = np.linspace(self.measured.times[0], self.measured.times[-1], 400)
        run: Any = self.run
        motion = run.at(fine) if fine[0] < fine[-1] else run
        lines = {name: (motion.time.values, motion[name].values) for name in self.measured.names}
        times = self.measured.times[self.measured.places]
        points = {
            name: (times, column) for name, column in zip(self.measured.names, self.measured.values.T, strict=True)
        }
        return plot_fit(motion, points, lines, str(getattr(self.system, "name", "")), ax)

    def __str__(self) -> str:
        errors, system = self.errors, getattr(self.system, "name", "system")
        width = max(map(len, self.values))
        rows = [f"  {name:{width}} = {value:.9g} ± {errors[name]:.2g}" for name, value in self.values.items()]
        said = f"{self.measured.count} measured values, root mean square of what is left {self.rms:.3g}"
        more = [f"  {', '.join(self.follow)} at the start follows from the constraints"] if self.follow else []
        ending = [] if self.converged else [f"  not converged: {self.ending}"]
        return "\n".join([f"{system}: {said}", *rows, f"  {self.verdict}", *more, *ending])

    def __repr__(self) -> str:
        return f"Fit({', '.join(f'{name} = {value:.6g}' for name, value in self.values.items())})"


def identified(J: Array, values: Array, variance: float) -> Identified:
    """From weighted sensitivities at values of the unknowns, and the variance of one measurement."""
    count = values.size
    relative = tuple(bool(v != 0) for v in values)
    scale = np.where(np.array(relative), np.abs(values), 1.0)
    columns = np.linalg.norm(J * scale, axis=0)
    columns = np.where(columns > 0, columns, 1.0)
    _, sizes, rows = np.linalg.svd(J * (scale / columns), full_matrices=True)
    sizes = np.concatenate([sizes, np.zeros(count - sizes.size)])
    good = sizes > NOTHING * max(float(sizes.max(initial=0.0)), 1e-300)
    inverse = (rows[good].T / sizes[good] ** 2) @ rows[good]
    unit = scale / columns
    covariance = variance * inverse * np.outer(unit, unit)
    null = rows[~good] / columns * np.sign(np.where(values == 0, 1.0, values))
    null = _reduced(null)
    lost = (np.abs(null) > CLEAR).any(axis=0)
    covariance[lost, :] = np.nan
    covariance[:, lost] = np.nan
    covariance[lost, lost] = np.inf
    return Identified(int(good.sum()), covariance, null, relative)


@final
@dataclass(frozen=True, eq=False)
class Identified:
    """The rank, the covariance (infinite where nothing is determined), and a basis of the directions that change nothing.

    Attributes
    ----------
    null
        A row for each such direction, in relative changes of the unknowns (absolute ones of those that are zero).
    relative
        Which of the unknowns changes relatively.
    """

    rank: int
    covariance: Array
    null: Array
    relative: tuple[bool, ...]


def _reduced(null: Array) -> Array:
    """The same directions with as many zeros as elimination makes, the largest entry of each 1."""
    rows = null.copy()
    used: list[int] = []
    for k in range(len(rows)):
        free = [j for j in range(rows.shape[1]) if j not in used]
        pivot = max(free, key=lambda j: abs(rows[k, j]))
        used.append(pivot)
        rows[k] /= rows[k, pivot]
        for i in range(len(rows)):
            if i != k:
                rows[i] -= rows[i, pivot] * rows[k]
    rows[np.abs(rows) < CLEAR] = 0.0
    return np.asarray(rows)
