r"""Route: sums of coordinates that the constraints keep constant.

.. math:: F = \sum_ic_iq^i, \qquad X_a(F) = 0

Angles stand bare in them, which only here is worth while: round a circle they grow.
"""

from __future__ import annotations

from anholonomy.laws.ansatz.candidates import Ansatz
from anholonomy.laws.ansatz.functions import FunctionSpace, Generator
from anholonomy.laws.ansatz.solutions import solve
from anholonomy.laws.known_laws import KnownLaws

__all__ = ["leaves"]


def leaves(known: KnownLaws) -> None:
    """Add what the constraints keep constant, if there are any."""
    model = known.motion.model
    tied = set(model.frame.orbit.tied) if model.frame.orbit is not None else set()
    plain = FunctionSpace(tuple(Generator(q) for q in model.coordinates if q not in tied))
    if not model.constraints:
        return
    if (ansatz := Ansatz.independent(known.motion, plain, known.letters, 1, (0,))) is not None:
        solve(known, ansatz)
