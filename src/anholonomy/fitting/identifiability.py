r"""What data determine: the rank of the sensitivities, and the directions in which nothing that was measured changes.

.. math:: J\,D = U\,\Sigma\,V^{\mathsf T}, \qquad \mathrm{cov} = s^2\,(J^{\mathsf T}J)^{-1}

$D$ makes the columns of $J$ comparable; where a singular value is rounding beside the largest, its direction is not identifiable.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from anholonomy.compile.backends.base import Array
from anholonomy.tolerances import CLEAR, NOTHING

__all__ = ["Identified", "identified"]


@final
@dataclass(frozen=True, eq=False)
class Identified:
    """The rank, the covariance (infinite where nothing is determined), and a basis of the directions that change nothing.

    Attributes
    ----------
    null
        A row for each such direction, in relative changes of the unknowns (absolute ones of those that are zero).
    relative
        Which of the unknowns changes relatively.
    """

    rank: int
    covariance: Array
    null: Array
    relative: tuple[bool, ...]


def identified(J: Array, values: Array, variance: float) -> Identified:
    """From weighted sensitivities at values of the unknowns, and the variance of one measurement."""
    count = values.size
    relative = tuple(bool(v != 0) for v in values)
    scale = np.where(np.array(relative), np.abs(values), 1.0)
    columns = np.linalg.norm(J * scale, axis=0)
    columns = np.where(columns > 0, columns, 1.0)
    _, sizes, rows = np.linalg.svd(J * (scale / columns), full_matrices=True)
    sizes = np.concatenate([sizes, np.zeros(count - sizes.size)])
    good = sizes > NOTHING * max(float(sizes.max(initial=0.0)), 1e-300)
    inverse = (rows[good].T / sizes[good] ** 2) @ rows[good]
    unit = scale / columns
    covariance = variance * inverse * np.outer(unit, unit)
    null = rows[~good] / columns * np.sign(np.where(values == 0, 1.0, values))
    null = _reduced(null)
    lost = (np.abs(null) > CLEAR).any(axis=0)
    covariance[lost, :] = np.nan
    covariance[:, lost] = np.nan
    covariance[lost, lost] = np.inf
    return Identified(int(good.sum()), covariance, null, relative)


def _reduced(null: Array) -> Array:
    """The same directions with as many zeros as elimination makes, the largest entry of each 1."""
    rows = null.copy()
    used: list[int] = []
    for k in range(len(rows)):
        free = [j for j in range(rows.shape[1]) if j not in used]
        pivot = max(free, key=lambda j: abs(rows[k, j]))
        used.append(pivot)
        rows[k] /= rows[k, pivot]
        for i in range(len(rows)):
            if i != k:
                rows[i] -= rows[i, pivot] * rows[k]
    rows[np.abs(rows) < CLEAR] = 0.0
    return np.asarray(rows)
