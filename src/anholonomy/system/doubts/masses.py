r"""A negative mass: $\partial^2L/\partial w^a\partial w^b$ is positive with the sizes of the parameters and not with their signs."""

from __future__ import annotations

from itertools import islice

import numpy as np

from anholonomy.symbolic.balls import precision
from anholonomy.symbolic.calculus import gradient, jacobian
from anholonomy.symbolic.expressions import Matrix, free_symbols, symbol
from anholonomy.system.model import Model
from anholonomy.system.newton import rows_at
from anholonomy.system.sampling import admissible_points
from anholonomy.system.warning import Doubt, unless, warn_the_user

__all__ = ["UnlikelyMass", "warn_of_negative_masses"]


class UnlikelyMass(Doubt):
    """A parameter makes the kinetic energy negative, or moments of inertia are those of no body."""


def warn_of_negative_masses(model: Model) -> None:
    """Say which negative parameters make the kinetic energy negative; a metric that is meant so has no such parameter."""
    below = {symbol(name) for name, value in model.parameter_items if value is not None and value < 0}
    if model.momenta_a is not None or not below & model.lagrangian.free_symbols:
        return
    mass = jacobian(gradient(model.lagrangian, model.velocities), model.velocities)
    guilty = sorted(s.name for s in below & free_symbols(entry for row in mass for entry in row))
    positive = model.with_values(tuple((name, v if v is None else abs(v)) for name, v in model.parameter_items))
    if guilty and _is_negative_somewhere(model, mass) and not _is_negative_somewhere(positive, mass):
        warn_the_user(
            f"{model.name}: the kinetic energy can be negative because {' and '.join(guilty)} "
            f"{'is' if len(guilty) == 1 else 'are'} negative; give masses and moments of inertia positive values "
            f"{unless('that is meant', UnlikelyMass)}.",
            UnlikelyMass,
        )


def _is_negative_somewhere(model: Model, mass: Matrix) -> bool:
    with precision(30):
        for point in islice(admissible_points(model, 20, seed=5), 2):
            M = np.array([[float(entry) for entry in row] for row in rows_at(mass, point)])
            size = np.sqrt(np.maximum(np.abs(np.diag(M)), 1e-300))  # units change nothing
            if np.linalg.eigvalsh(M / np.outer(size, size)).min() < -1e-9:
                return True
    return False
