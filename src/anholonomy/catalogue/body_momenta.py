r"""Momenta of a turning body in space, as texts in its rates $w$ and the entries of its rotation matrix $R$.

.. math:: \omega_z = \gamma\cdot w, \qquad (RM)_i, \qquad M = Iw + D\,\gamma\times(w\times\gamma), \qquad \gamma = R^{\mathsf T}e_3, \quad D = mr^2
"""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["VOLUME", "about_contact", "in_space", "of_the_vertical"]

VOLUME = "dg(q0, q1, q2, q3) dx dy dw1 dw2 dw3"
"""The volume of a body that rolls with all of its rates."""


def in_space(row: int, entries: Sequence[str]) -> str:
    """A component in space of a vector given in the body.

    >>> in_space(3, ("w1", "w2", "w3"))
    'R31*(w1) + R32*(w2) + R33*(w3)'
    """
    return " + ".join(f"R{row}{k}*({entry})" for k, entry in enumerate(entries, start=1))


def about_contact(row: int) -> str:
    """A component in space of the angular momentum about the contact point of a ball with the moments I1, I2, I3."""
    spin = in_space(3, ("w1", "w2", "w3"))
    return in_space(row, [f"I{k}*w{k} + m*r^2*(w{k} - R3{k}*({spin}))" for k in (1, 2, 3)])


def of_the_vertical(moments: Sequence[str]) -> str:
    r"""$\gamma\cdot A^{-1}\gamma$ for the diagonal A.

    >>> of_the_vertical(("I1", "I2", "I3"))
    'R31^2/(I1) + R32^2/(I2) + R33^2/(I3)'
    """
    return " + ".join(f"R3{k}^2/({moment})" for k, moment in enumerate(moments, start=1))
