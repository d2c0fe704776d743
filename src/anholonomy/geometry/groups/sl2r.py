r"""SL(2,R), the real matrices of determinant 1.

.. math:: g = \begin{pmatrix} g_{11} & g_{12}\\ g_{21} & g_{22}\end{pmatrix}, \qquad [H, E] = 2E, \quad [H, F] = -2F, \quad [E, F] = H
"""

from __future__ import annotations

from typing import final

from anholonomy.geometry.algebras.structure_constants import matrices
from anholonomy.geometry.groups.base import titled
from anholonomy.geometry.groups.matrix_group import AbstractMatrixGroup

__all__ = ["SL2R"]


@final
class SL2R(AbstractMatrixGroup):
    """Real matrices of determinant 1; coordinates ``g11 … g22``, speeds ``w1, w2, w3`` along $H$, $E$ and $F$.

    >>> SL2R().algebra.name, SL2R().invariants
    ('sl(2,R)', {'form 1 (1, 2)': -1 + g11*g22 - g12*g21})
    """

    examples = ("SL2R",)
    elements = "SL(2,R) by the entries of matrices"
    motion = "velocities along H, E and F"

    def __init__(self, prefix: str = "") -> None:
        basis = [[[1, 0], [0, -1]], [[0, 1], [0, 0]], [[0, 0], [1, 0]]]
        super().__init__(titled("SL2R", prefix), matrices(basis), prefix)
