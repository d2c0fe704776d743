r"""The classic mistake: a constraint put into the Lagrangian before varying it.

What is substituted leaves a trace: velocities that the constraints determine and that the Lagrangian no longer contains,
or a direction that they exclude in which it has neither inertia nor momentum. A coordinate may lack inertia of its own for
good reason, so this is a warning and not a refusal.
"""

from __future__ import annotations

from itertools import islice

import numpy as np

from anholonomy.symbolic.calculus import gradient, partial
from anholonomy.symbolic.numbers.balls import MANY_DIGITS, precision
from anholonomy.symbolic.zero import zero_test
from anholonomy.system.checks.in_doubles import has_surely_inertia
from anholonomy.system.checks.well_posed import is_nonsingular
from anholonomy.system.kinds import Kind
from anholonomy.system.model import Model
from anholonomy.system.momenta import inertia_at
from anholonomy.system.states.newton import evaluate_at, rows_at
from anholonomy.system.states.sampling import admissible_points
from anholonomy.system.warnings.user_line import Doubt, warn_the_user
from anholonomy.verdict import Verdict

__all__ = ["SubstitutedConstraint", "missing_velocities", "warn_if_substituted"]


class SubstitutedConstraint(Doubt):
    """The Lagrangian looks as if a constraint had been put into it."""


def missing_velocities(model: Model) -> tuple[str, ...]:
    """Velocities that occur in a constraint on velocities but not in the Lagrangian.

    >>> from anholonomy.catalogue import skate
    >>> missing_velocities(skate())
    ()
    """
    if model.momenta_a is not None:
        return ()
    rows = [c for c in model.velocity_constraints if Kind.POSITION not in c.kind]
    used = [any(c.coefficients[a] != 0 for c in rows) for a in range(model.frame.size)]
    return tuple(
        w.name
        for w, occurs in zip(model.velocities, used, strict=True)
        if occurs and zero_test(partial(model.lagrangian, w)) is Verdict.PROVEN
    )


def flat_direction(model: Model) -> tuple[str, ...]:
    r"""The velocities in a direction $n$ with $Mn = 0$, $n\cdot\partial L/\partial w = 0$ and $An \ne 0$, at sampled states; none if none."""
    rows_na = tuple(c.coefficients for c in model.velocity_constraints if Kind.POSITION not in c.kind)
    if model.momenta_a is not None or not rows_na or has_surely_inertia(model):
        return ()
    model = model.with_free_parameters  # a parameter that happens to be zero is no trace of anything
    names: tuple[str, ...] = ()
    with precision(MANY_DIGITS + 10):
        for point in islice(admissible_points(model, MANY_DIGITS, seed=8), 2):
            inertia = inertia_at(model, point)
            if is_nonsingular(inertia, MANY_DIGITS):
                return ()
            inertia = [[value.mid() for value in row] for row in inertia]
            M, A = (np.array(rows, dtype=float) for rows in (inertia, rows_at(rows_na, point)))
            momentum = np.array(
                [float(v.mid()) for v in evaluate_at(gradient(model.lagrangian, model.velocities), point)]
            )
            _, sizes, directions = np.linalg.svd(M)
            kernel = directions[sizes <= 1e-12 * max(sizes.max(initial=0.0), 1e-300)]
            flat = [n for n in kernel if abs(n @ momentum) <= 1e-12 * np.abs(momentum).max(initial=1e-300)]
            excluded = [n for n in flat if np.abs(A @ n).max() > 1e-9 * np.abs(A).max()]
            if not excluded:
                return ()
            names = tuple(w.name for w, size in zip(model.velocities, np.abs(excluded[0]), strict=True) if size > 1e-9)
    return names


def warn_if_substituted(model: Model) -> None:
    """Say so when the constraints determine velocities, or exclude a direction, that have no part in the Lagrangian."""
    flat = flat_direction(model)
    if not flat:  # a velocity that is missing is such a direction, too
        return
    if missing := missing_velocities(model):
        seen = (
            f"{', '.join(missing)} occur{'s' if len(missing) == 1 else ''} in the constraints but not in the Lagrangian"
        )
    else:
        seen = f"the constraints exclude a direction of {', '.join(flat)} in which the Lagrangian has no inertia"
    warn_the_user(
        f"{model.name}: {seen}. If a constraint was put into it, the equations will be wrong unless that constraint is "
        "integrable: give the Lagrangian of the unconstrained system. (A coordinate without inertia of its own is no mistake.)",
        SubstitutedConstraint,
    )
