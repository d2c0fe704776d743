r"""Where a body would leave its support: the normal force $\lambda_g$ of a motion changes from pushing to pulling.

.. math:: \lambda_g(t^*) = 0, \qquad \lambda_g > 0 \text{ before } t^*

Contact is kept from both sides, so a motion goes on beyond; from $t^*$ on it is that of a body on rails. Each zero is
bracketed by the times of the motion and located by integrating again from the time before it.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np

from anholonomy.bodies.contacts import HEIGHT
from anholonomy.refusals import UnknownName
from anholonomy.simulate.problem import pose
from anholonomy.simulate.simulation import simulate
from anholonomy.simulate.trajectory import Trajectory
from anholonomy.system.declare import declare
from anholonomy.system.files import from_toml
from anholonomy.system.model import Model

if TYPE_CHECKING:
    import xarray as xr

__all__ = ["contact_losses", "normal_forces"]

_POINTS = 17
"""Places between two times of a motion where the force is computed anew; more than enough for a smooth function."""


def normal_forces(motion: Trajectory) -> xr.DataArray:
    """The normal force of every contact along a motion, by the label of its constraint; positive when it pushes."""
    labels = [str(c) for c in motion.multipliers["constraint"].values] if "multiplier" in motion.data else []
    contacts = [label for label in labels if label.split()[-1] == HEIGHT]
    if not contacts:
        raise UnknownName(
            f"{motion.data.attrs['system']}: no constraint is the {HEIGHT} of a contact; declare contacts with Rolling(…)."
        )
    return motion.multipliers.sel(constraint=contacts)


def contact_losses(motion: Trajectory) -> dict[str, list[float]]:
    """The times at which each contact's normal force passes from pushing to pulling.

    Sought between neighbouring times of the motion: two changes between the same two are not seen. A force that pulls
    from the start is lost there.
    """
    forces, times = normal_forces(motion), motion.time.values
    return {
        label: _losses(motion, label, forces.sel(constraint=label).values, times)
        for label in forces["constraint"].values.tolist()
    }


def _losses(motion: Trajectory, label: str, force: np.ndarray, times: np.ndarray) -> list[float]:
    found = [float(times[0])] if force[0] < 0 else []
    crossings = np.flatnonzero((force[:-1] >= 0) & (force[1:] < 0))
    return found + [_located(motion, label, int(k)) for k in crossings]


def _located(motion: Trajectory, label: str, k: int) -> float:
    """The zero of the force between two times of the motion, by its polynomial through Chebyshev's points between them."""
    from scipy.interpolate import BarycentricInterpolator
    from scipy.optimize import brentq

    model = declare(**from_toml(motion.data.attrs["declaration"], "the trajectory's declaration"))
    before, after = (float(t) for t in motion.time.values[k : k + 2])
    share = (1 - np.cos(np.linspace(0, np.pi, _POINTS))) / 2
    times = before + (after - before) * share
    times[0], times[-1] = before, after
    data = simulate(pose(model, _state(motion, model, k), times=times, project=True))
    forces = data["multiplier"].sel(constraint=label).values
    if not forces[0] > 0 > forces[-1]:  # the zero is at an end, within rounding
        return before if abs(forces[0]) < abs(forces[-1]) else after
    between = BarycentricInterpolator(share, forces)
    return before + (after - before) * float(brentq(lambda s: float(between(s)), 0.0, 1.0, xtol=1e-15, rtol=1e-15))


def _state(motion: Trajectory, model: Model, k: int) -> dict[str, object]:
    """The state at one time of the motion, with the parameters it was computed with."""
    moving = (*model.coordinates, *model.velocities)
    values = {s.name: float(motion[s.name][k]) for s in moving}
    return {**values, **json.loads(str(motion.data.attrs["parameters"])), "t": float(motion.time[k])}
