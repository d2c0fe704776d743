r"""A negative mass: $\partial^2L/\partial w^a\partial w^b$ is positive with the sizes of the parameters and not with their signs.

An impossible body: of the moments of inertia of a solid none exceeds the sum of the others, $I_1 + I_2 - I_3 = 2\int x_3^2\,dm$.
"""

from __future__ import annotations

from itertools import islice

import numpy as np
from numpy.typing import NDArray

from anholonomy.geometry.groups import SO3, Product
from anholonomy.symbolic.calculus import gradient, jacobian
from anholonomy.symbolic.expressions import free_symbols, symbol
from anholonomy.symbolic.numbers.balls import precision
from anholonomy.system.checks.sampled import sampled
from anholonomy.system.model import Model
from anholonomy.system.states.newton import rows_at
from anholonomy.system.states.sampling import admissible_points
from anholonomy.system.warnings.user_line import Doubt, unless, warn_the_user
from anholonomy.tolerances import NOTHING, VANISHES

__all__ = ["UnlikelyMass", "doubt_moments", "warn_of_impossible_moments", "warn_of_negative_masses"]


class UnlikelyMass(Doubt):
    """A parameter makes the kinetic energy negative, or moments of inertia are those of no body."""


def warn_of_negative_masses(model: Model) -> None:
    """Say which negative parameters make the kinetic energy negative; a metric that is meant so has no such parameter."""
    below = {symbol(name) for name, value in model.parameter_items if value is not None and value < 0}
    if not below or model.momenta_a is not None or not below & model.lagrangian.free_symbols:
        return
    if not _is_negative_somewhere(model):
        return
    mass = jacobian(gradient(model.lagrangian, model.velocities), model.velocities)
    guilty = sorted(s.name for s in below & free_symbols(entry for row in mass for entry in row))
    positive = model.with_values(tuple((name, v if v is None else abs(v)) for name, v in model.parameter_items))
    if guilty and not _is_negative_somewhere(positive):
        warn_the_user(
            f"{model.name}: the kinetic energy can be negative because {' and '.join(guilty)} "
            f"{'is' if len(guilty) == 1 else 'are'} negative; give masses and moments of inertia positive values "
            f"{unless('that is meant', UnlikelyMass)}.",
            UnlikelyMass,
        )


def warn_of_impossible_moments(model: Model) -> None:
    """Say so where rotations that nothing restrains have the moments of no solid."""
    if not model.group or model.momenta_a is not None:
        return
    group = model.group
    restrained = free_symbols(c.expression for c in model.constraints)
    values = {symbol(name): value for name, value in model.parameter_items if value is not None}
    for factor in group.factors if isinstance(group, Product) else (group,):
        if not isinstance(factor, SO3) or restrained & {*factor.speeds}:
            continue
        speeds = factor.speeds
        mass = jacobian(gradient(model.lagrangian, speeds), speeds)
        entries = [[entry.xreplace(values) for entry in row] for row in mass]
        if not any(entry.free_symbols for row in entries for entry in row):
            doubt_moments(model.name, "", np.array(entries, dtype=float))


def doubt_moments(name: str, of: str, inertia: NDArray[np.float64]) -> None:
    """Say of three moments that they are no solid's, if so; a 0 says that a moment does not matter. ``of`` names the body."""
    small, middle, large = np.linalg.eigvalsh(inertia)
    if small > 0 and large > (1 + NOTHING) * (small + middle):
        warn_the_user(
            f"{name}: the moments of inertia{of} are {small:.4g}, {middle:.4g} and {large:.4g}, and of a solid body none exceeds "
            f"the sum of the others; correct them {unless('it is no solid', UnlikelyMass)}.",
            UnlikelyMass,
        )


def _is_negative_somewhere(model: Model) -> bool:
    if (found := sampled(model)) is not None and np.ptp(found.inertia, axis=1).max() < VANISHES * np.abs(
        found.inertia
    ).max():
        return any(_is_negative(state[0]) for state in found.inertia)
    mass = jacobian(gradient(model.lagrangian, model.velocities), model.velocities)
    with precision(30):
        points = islice(admissible_points(model, 20, seed=5), 2)
        return any(_is_negative(np.array(rows_at(mass, point), dtype=float)) for point in points)


def _is_negative(M: NDArray[np.float64]) -> bool:
    size = np.sqrt(np.maximum(np.abs(np.diag(M)), 1e-300))  # units change nothing
    return bool(np.linalg.eigvalsh(M / np.outer(size, size)).min() < -1e-9)
