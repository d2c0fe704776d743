"""What one may ask about parameters and starts: which fit measured data, and how a motion changes with them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from anholonomy.simulate.trajectories.trajectory import Trajectory
from anholonomy.system.model import Model

if TYPE_CHECKING:
    import xarray as xr

    from anholonomy.fitting.fit import Fit

__all__ = ["FitQuestions", "Sensitive"]


class FitQuestions(Model):
    """A model that can be fitted."""

    def fit(
        self,
        data: Any,
        unknown: Sequence[str],
        start: Mapping[str, object] | None = None,
        *,
        observed: Sequence[str] | None = None,
        sigma: Any = None,
        bounds: Mapping[str, tuple[float | None, float | None]] | None = None,
        inputs: Any = None,
        modulo: str | Sequence[str] = (),
        progress: Callable[[float], None] | None = None,
    ) -> Fit[Any, Any]:
        """Parameters and starts from measured motion, by least squares with exact sensitivities; their covariance; what is identifiable.

        ``data`` has times in ``time`` and columns named by coordinates, velocities or expressions of what a motion has: an xarray
        Dataset or DataArray, a DataFrame, a dict of lists, a motion, or the path of a CSV file; NaN is a gap, and ``observed`` chooses
        columns. ``unknown`` names parameters, and coordinates and velocities at the start. ``start`` is the start of the motion at
        the first of the times, with guesses for what is unknown; parameters begin at their declared values unless it gives others.
        ``sigma`` are errors of the measurements: a number, or numbers or columns by name. ``bounds`` are pairs by name. ``inputs`` has
        a signal for every input of the system, as `simulate` takes it, but for Python functions; those of a motion are its own, and columns with
        their names are signals. Angles in ``modulo`` are measured but for full turns.

        >>> import numpy as np
        >>> from anholonomy import System
        >>> swing = System(name="swing", coordinates=["a"], lagrangian="a'^2/2 - k*a^2/2", parameters={"k": 3.0})
        >>> t = np.linspace(0, 5, 50)
        >>> fit = swing.fit({"time": t, "a": 0.3 * np.cos(2 * t)}, unknown=["k", "a"], start={"a": 0.2, "a'": 0})
        >>> {name: round(value, 9) for name, value in fit.values.items()}
        {'k': 4.0, 'a': 0.3}
        """
        from anholonomy.fitting.searching import fitted
        from anholonomy.show.progress import watching

        with watching(progress, "fitting") as report:
            return fitted(self, data, unknown, start, observed, sigma, bounds, inputs, modulo, report)


class Sensitive(Trajectory):
    """A motion that can be differentiated."""

    def sensitivity(self, unknown: Sequence[str], of: Sequence[str] | None = None) -> xr.DataArray:
        """The derivatives of the motion by parameters and by coordinates and velocities at its start, (time, quantity, unknown).

        Exact to the accuracy of the motion: they are carried along it. ``of`` names what is differentiated, as `run[…]` takes it; by
        default coordinates and velocities. A start moves on the constraints: what of it can, first coordinates, then velocities, stays.

        >>> from anholonomy import System
        >>> fall = System(name="fall", coordinates=["z"], lagrangian="z'^2/2 - g*z", parameters={"g": 9.81})
        >>> run = fall.simulate({"z": 0, "z'": 4}, times=[0, 1, 2])
        >>> run.sensitivity(["g", "z'"], of=["z"]).values[:, 0].round(9).tolist()
        [[0.0, 0.0], [-0.5, 1.0], [-2.0, 2.0]]
        """
        from anholonomy.fitting.sensitivity import sensitivity_of

        return sensitivity_of(self, unknown, of)
