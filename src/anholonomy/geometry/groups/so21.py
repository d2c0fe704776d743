r"""SO(2,1), the matrices that preserve $x^2 + y^2 - t^2$.

.. math:: g^{\mathsf T}\eta g = \eta, \quad \eta = \operatorname{diag}(1, 1, -1), \qquad [E_1, E_2] = -E_3, \quad [E_2, E_3] = E_1, \quad [E_3, E_1] = E_2

$E_1$ and $E_2$ are boosts along $x$ and $y$, $E_3$ turns the plane.
"""

from __future__ import annotations

from typing import final

from anholonomy.geometry.algebras.structure_constants import matrices
from anholonomy.geometry.groups.base import titled
from anholonomy.geometry.groups.matrix_group import AbstractMatrixGroup

__all__ = ["SO21"]


@final
class SO21(AbstractMatrixGroup):
    """Lorentz transformations of two dimensions and time; coordinates ``g11 … g33``, speeds ``w1, w2`` (boosts), ``w3`` (turn).

    >>> SO21().algebra.name, SO21().algebra.cartan_decomposition()
    ('sl(2,R)', k (1) + p (2) of a Cartan involution)
    """

    examples = ("SO21",)
    elements = "SO(2,1) by the entries of matrices"
    motion = "two boosts and a turn"

    def __init__(self, prefix: str = "") -> None:
        basis = [
            [[0, 0, 1], [0, 0, 0], [1, 0, 0]],
            [[0, 0, 0], [0, 0, 1], [0, 1, 0]],
            [[0, -1, 0], [1, 0, 0], [0, 0, 0]],
        ]
        super().__init__(titled("SO21", prefix), matrices(basis), prefix)
