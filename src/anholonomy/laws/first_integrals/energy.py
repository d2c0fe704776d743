r"""Routes: the energy, and where it is not constant what survives of it.

.. math:: E = w^ap_a - L, \qquad J = E - \langle p, Y\rangle + W

The second is the moving energy (`anholonomy.laws.moving_energy`), of a field $Y$ and a potential $W$.
"""

from __future__ import annotations

import symengine

from anholonomy.algebra.expressions import dot
from anholonomy.laws.ansatz.random_points import draw_points
from anholonomy.laws.group_functions import in_names
from anholonomy.laws.known_laws import KnownLaws
from anholonomy.laws.moving_energy import surviving_energy
from anholonomy.laws.proofs import constant, energy_is_constant
from anholonomy.system.momenta import momenta

__all__ = ["energy", "energy_that_survives"]


def energy(known: KnownLaws) -> None:
    """Add the energy if it is constant: because nothing does work, or at random points first and then proven."""
    motion, p = known.motion, momenta(known.motion.model)
    if not p.energy or known.degree < 2:
        return
    if (proof := energy_is_constant(motion)) is None:
        points = draw_points(motion, (), 20, values=motion.model.values)
        try:
            if points.at(p.energy, p.definitions)[0][1].any():
                return
        except KeyError:  # a function without residues, such as a logarithm that the motion does not know
            return
    shown = known.shown(p.energy[0])
    proof = proof or constant(motion, p.energy[0], p.definitions, motion.on, shown)
    known.admit("energy", 2, p.energy[0], shown, in_names(shown, motion.model.frame), proof)


def energy_that_survives(known: KnownLaws) -> None:
    """Add the moving energy, if there is one and the energy is not constant."""
    p = momenta(known.motion.model)
    if not p.energy or known.degree < 2 or any(law.kind == "energy" for law in known.laws):
        return
    found = surviving_energy(known.motion, known.given)
    if found.law is not None:
        F = symengine.Add(p.energy[0], found.potential, -dot(tuple(found.field.values()), p.momentum_a))
        known.admit("moving energy", 2, F, found.law.expression, found.law.named, found.law.finding)
