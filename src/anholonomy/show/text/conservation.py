r"""Whether a motion must keep its energy $E = w^a\,\partial L/\partial w^a - L$, so that a change of it is an error.

.. math:: \dot E = -\frac{\partial L}{\partial t} + Q_a w^a + \lambda_\nu\,w^a\frac{\partial\varphi^\nu}{\partial w^a}

Nothing is left where no time stands in the Lagrangian, no force acts, and every constraint is homogeneous in the velocities, so
that its reaction does no work: $w\cdot\partial\varphi/\partial w = n\varphi = 0$.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from anholonomy.simulate.trajectories.from_dataset import model_of
from anholonomy.simulate.trajectories.schema import PLANNED
from anholonomy.symbolic.expressions import time
from anholonomy.symbolic.homogeneity import homogeneity
from anholonomy.system.constraints import Constraint
from anholonomy.system.kinds import Kind
from anholonomy.system.model import Model
from anholonomy.verdict import Verdict

if TYPE_CHECKING:
    import xarray as xr

__all__ = ["keeps_energy", "must_keep_energy"]

_DEGREES = (1, 2, 3, 4)


def must_keep_energy(data: xr.Dataset) -> bool:
    """Whether the system of a motion keeps its energy, and nothing drives it."""
    return data.attrs["principle"] != PLANNED and keeps_energy(model_of(data))


def keeps_energy(model: Model) -> bool:
    """Whether every motion of a system provably keeps its energy.

    >>> from anholonomy.catalogue import affine_particle, benenti, suslov
    >>> keeps_energy(suslov()), keeps_energy(benenti()), keeps_energy(affine_particle())
    (True, True, False)
    """
    if model.momenta_a is not None or time in model.lagrangian.free_symbols or any(q != 0 for q in model.forces_a):
        return False
    return all(_does_no_work(model, constraint) for constraint in model.constraints)


def _does_no_work(model: Model, constraint: Constraint) -> bool:
    if Kind.NONLINEAR in constraint.kind:
        verdicts = (homogeneity(constraint.expression, model.velocities, degree) for degree in _DEGREES)
        return any(verdict is Verdict.PROVEN for verdict in verdicts)
    return Kind.LINEAR in constraint.kind
