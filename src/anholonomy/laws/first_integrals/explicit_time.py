r"""Route: conserved quantities that contain time although the equations do not, as drag makes them.

.. math:: F = e^{ct}\,G(q, u), \qquad \dot G = -c\,G

Where forces take the energy, time is counted as a coordinate that does not occur, and the other routes search again.
"""

from __future__ import annotations

from dataclasses import replace

from anholonomy.laws.known_laws import ENERGIES, KnownLaws
from anholonomy.laws.proofs import energy_is_constant

__all__ = ["counting_time"]


def counting_time(known: KnownLaws) -> KnownLaws | None:
    """The same motion with time, nothing being known yet; None where no force takes the energy, or time counts already."""
    motion = known.motion
    drags = any(Q != 0 for Q in motion.model.forces_a) and energy_is_constant(motion) is None
    if motion.mentions_time or not drags or any(law.kind in ENERGIES for law in known.laws):
        return None
    return KnownLaws(replace(motion, has_clock=True), known.degree)
