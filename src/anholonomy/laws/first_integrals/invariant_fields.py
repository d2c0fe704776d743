r"""Route: momenta of right-invariant fields on a group.

.. math:: F = \sum_kc_k\,\langle p, Y_k\rangle

On a group of matrices without named functions the coefficients of $Y_k$ in the frame are long functions of the entries, which no class of products
reaches.
"""

from __future__ import annotations

from anholonomy.algebra.expressions import dot
from anholonomy.laws.ansatz.candidates import Ansatz, Letters
from anholonomy.laws.ansatz.functions import FunctionSpace
from anholonomy.laws.ansatz.solutions import solve
from anholonomy.laws.known_laws import KnownLaws
from anholonomy.system.momenta import momenta

__all__ = ["momenta_of_invariant_fields"]


def momenta_of_invariant_fields(known: KnownLaws) -> None:
    """Add the combinations that are constant."""
    frame, p = known.motion.model.frame, momenta(known.motion.model)
    if frame.right_invariant is None or frame.is_chart or frame.named or known.degree < 1:
        return
    letters = Letters(tuple(dot(row, p.momentum_a) for row in frame.right_invariant()), p.definitions)
    solve(known, Ansatz(FunctionSpace(()), letters, tuple(letters.powers(1))))
