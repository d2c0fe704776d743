r"""The classic mistake: a constraint put into the Lagrangian before varying it.

What is substituted leaves a trace: velocities that the constraints determine and that the Lagrangian no longer contains.
A coordinate may lack inertia of its own for good reason, so this is a warning and not a refusal.
"""

from __future__ import annotations

import warnings

from anholonomy.symbolic.calculus import partial
from anholonomy.symbolic.zero import Verdict, zero_test
from anholonomy.system.kinds import Kind
from anholonomy.system.model import Model

__all__ = ["SubstitutedConstraint", "missing_velocities", "warn_if_substituted"]


class SubstitutedConstraint(UserWarning):
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
        if occurs and zero_test(partial(model.lagrangian, w)) is Verdict.ZERO
    )


def warn_if_substituted(model: Model) -> None:
    """Say so when the constraints determine velocities that have no part in the Lagrangian."""
    if missing := missing_velocities(model):
        warnings.warn(
            f"{model.name}: {', '.join(missing)} occur{'s' if len(missing) == 1 else ''} in the constraints but not in the "
            "Lagrangian. If a constraint was put into it, the equations will be wrong: give the Lagrangian of the "
            "unconstrained system. (A coordinate without inertia of its own is no mistake.)",
            SubstitutedConstraint,
            stacklevel=3,
        )
