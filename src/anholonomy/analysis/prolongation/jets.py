r"""Functionals on jets at a point: what products of fields do to a function, and a multiplication before them.

.. math:: \ell \mapsto \ell\circ X, \quad (Xf)_\delta = \sum_{i,\gamma}\gamma_i\,X^i_{\delta-\gamma+e_i}\,f_\gamma, \qquad
   S_0 = \langle\mathrm{ev}\rangle, \quad S_{s+1} = \langle\mathrm{ev}\rangle + \sum_aS_s\circ X_a

$S_s$ is spanned by $f \mapsto (X_{a_1}\cdots X_{a_r}f)(q)$ with $r \le s$. Where brackets of the fields have the growth vector $(n_1, n_2, \dots)$
at generic points, its dimension is that of polynomials of weight at most $s$, in $n_w - n_{w-1}$ variables of weight $w$.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from anholonomy.analysis.residues.arrays import Array
from anholonomy.analysis.residues.series import Monomials

__all__ = ["along", "multiplied", "weighted_dimension"]


def along(table: Monomials, rows: Array, field: Sequence[Array], prime: int) -> Array:
    r"""$\ell \circ X$ for functionals on jets of one order less than that of the table, a row each."""
    found = np.zeros((len(rows), len(table)), dtype=np.int64)
    for i, component in enumerate(field):
        for left in np.flatnonzero(component[: rows.shape[1]]):
            right, target = table.shifted(int(left), table.order - 1)
            raised = table.raised(i)[right]
            factor = component[left] * table.exponents[raised, i] % prime
            found[:, raised] += rows[:, target] * factor % prime
    return found % prime


def multiplied(table: Monomials, rows: Array, factor: Array, prime: int) -> Array:
    r"""$\ell \circ h$ for the same functionals."""
    found = np.zeros_like(rows)
    for left in np.flatnonzero(factor[: rows.shape[1]]):
        right, target = table.shifted(int(left), table.order - 1)
        found[:, right] += rows[:, target] * factor[left] % prime
    return found % prime


def weighted_dimension(growth: Sequence[int], weight: int) -> int:
    """How many monomials have at most a weight.

    >>> weighted_dimension((2, 3), 2), weighted_dimension((3,), 2)
    (7, 10)
    """
    variables = [w for w, (before, after) in enumerate(pairwise((0, *growth)), 1) for _ in range(after - before)]
    count = [1] + [0] * weight
    for w in variables:
        for k in range(w, weight + 1):
            count[k] += count[k - w]
    return sum(count)
