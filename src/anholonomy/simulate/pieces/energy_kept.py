r"""Whether a motion must keep its energy $E = w^a\,\partial L/\partial w^a - L$, so that a change of it is an error, and a jump a pole.

.. math:: \dot E = -\frac{\partial L}{\partial t} + Q_a w^a + \lambda_\nu\,w^a\frac{\partial\varphi^\nu}{\partial w^a}

Nothing is left where no time stands in the Lagrangian, no force acts, and every constraint is homogeneous in the velocities, so
that its reaction does no work: $w\cdot\partial\varphi/\partial w = n\varphi = 0$.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from anholonomy.compile.backends.base import Array
from anholonomy.simulate.pieces.watches import Flag
from anholonomy.symbolic.expressions import Vector, free_symbols, time, zero
from anholonomy.symbolic.homogeneity import homogeneity
from anholonomy.symbolic.normal_forms.denominators import divisors
from anholonomy.system.constraints import Constraint
from anholonomy.system.kinds import Kind
from anholonomy.system.model import Model
from anholonomy.verdict import Verdict

__all__ = ["has_jumped", "keeps_energy", "potential_of"]

_DEGREES = (1, 2, 3, 4)
_JUMP = 0.1
"""A conserved energy that changes by more than this part of what it consists of, and by more than all of it at first, was lost: errors of
steps are smaller at any tolerance that is worth asking for."""


@lru_cache(maxsize=256)
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


@lru_cache(maxsize=256)
def potential_of(model: Model) -> Vector:
    """The potential of a system that keeps its energy and may lose it at a pole, over which a step can go; empty for others."""
    if not keeps_energy(model) or not divisors((model.lagrangian,), {*model.coordinates, time}):
        return ()
    found = -model.lagrangian.xreplace(dict.fromkeys(model.velocities, zero))
    return (found,) if free_symbols((found,)).isdisjoint(model.velocities) else ()


def has_jumped(energy: Array, potential: Array, begun: tuple[Array, Array]) -> Flag:
    r"""Whether $|E - E_0| > |T_0| + |V_0| + (|T| + |V|)/10$, the former of what a conserved energy was where it was ``begun``.

    >>> has_jumped(np.array([1.0, 1e9]), np.array([-1e9, -1.0]), (np.array([1.0]), np.array([-1.0])))
    array([False,  True])
    """
    first, at_first = begun
    sizes = np.abs(energy - potential) + np.abs(potential)
    allowed = np.abs(first - at_first) + np.abs(at_first) + _JUMP * sizes
    return np.asarray(np.abs(energy - first) > allowed)
