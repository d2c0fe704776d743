r"""Where a body would leave its support: the normal force $\lambda_g$ of a motion changes from pushing to pulling.

.. math:: \lambda_g(t^*) = 0, \qquad \lambda_g > 0 \text{ before } t^*

Contact is kept from both sides, so a motion goes on beyond; from $t^*$ on it is that of a body on rails. Each loss is an
event of the motion, named after the constraint: ``"height lost"``.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from anholonomy.refusals import IntegrationProblem, UnknownName

if TYPE_CHECKING:
    import xarray as xr

    from anholonomy.simulate.trajectories.trajectory import Trajectory

__all__ = ["contact_losses", "normal_forces"]


def normal_forces(motion: Trajectory) -> xr.DataArray:
    """The force of every one-sided constraint along a motion, by its label; positive when it pushes.

    For a contact this is the normal force.
    """
    labels = _labels(motion)
    return motion.multipliers.sel(constraint=labels)


def contact_losses(motion: Trajectory) -> dict[str, list[float]]:
    """The times at which the force of each one-sided constraint passes from pushing to pulling, in order of time.

    A force that pulls from the earliest time of the motion on is lost there.
    """
    from anholonomy.simulate.events.contact_losses import EVENT

    labels = _labels(motion)
    names, times = motion.events["event"].values if motion.events.size else (), motion.events.values
    return {
        label: sorted(float(t) for name, t in zip(names, times, strict=True) if name == EVENT.format(label))
        for label in labels
    }


def _labels(motion: Trajectory) -> list[str]:
    """The one-sided constraints whose forces the motion determines."""
    from anholonomy.simulate.trajectories.trajectory import Trajectory

    if not isinstance(motion, Trajectory):
        raise IntegrationProblem(f"{motion!r:.60} is no motion; give what `simulate` returned.")
    labels: list[str] = json.loads(str(motion.data.attrs.get("one_sided", "[]")))
    if not labels:
        raise UnknownName(
            f"{motion.data.attrs['system']}: no constraint is one-sided with a force that the motion determines; declare contacts "
            "with Rolling(…), or name constraints in `one_sided`."
        )
    return labels
