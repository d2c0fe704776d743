r"""Where the stability of a family changes, to rounding.

.. math:: \prod_{\lambda\neq 0}\lambda = 0, \qquad \mathrm{Re}\,\lambda = 0, \qquad (\lambda_i - \lambda_j)^2 = 0

An eigenvalue passes through zero, a pair crosses the imaginary axis (Hopf), or two pairs collide on it, as in systems that keep their
energy. The first and the last are zeros of polynomials in the entries of the matrix, and so smooth where eigenvalues are not. Families
of steady motions have eigenvalues that are zero throughout; these are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise

import numpy as np

from anholonomy.stability.branch import Branch, Critical
from anholonomy.stability.linear_part import linear_part
from anholonomy.stability.linearization import GROWTH, verdict_of

__all__ = ["crossings"]


def crossings(branch: Branch) -> tuple[Critical, ...]:
    """The changes, in order of the values."""
    rows = branch.eigenvalues
    zeros = [int((np.abs(row) <= _small(row)).sum()) for row in rows]
    idle = min(zeros)
    telling = [i for i, count in enumerate(zeros) if count == idle]  # a value may be critical itself
    return tuple(each for i, j in pairwise(telling) for each in _between(branch, i, j, idle))


def _between(branch: Branch, i: int, j: int, idle: int) -> Iterator[Critical]:
    """Changes between two neighbours."""
    low, high = branch.eigenvalues[i], branch.eigenvalues[j]
    changed = _growing(high) - _growing(low)

    def located(function: Callable[[np.ndarray], float], kind: str) -> Critical:
        value, there = _zero(branch, i, j, function)
        nearest = there[np.lexsort((np.abs(there.imag), np.abs(there.real)))]
        telling = [v for v in nearest if abs(v) > _small(there)] if kind != "real" else [0j]
        return Critical(value, kind, complex(telling[0]), verdict_of(low), verdict_of(high))

    found = list[Critical]()
    if _product(low, idle) * _product(high, idle) < 0:
        found.append(located(lambda row: _product(row, idle), "real"))
        changed -= int(np.sign(changed))
    one, other = _nearest_pair(low), _nearest_pair(high)
    if abs(changed) >= 2 and one * other < 0 and abs(one) > _small(low) and abs(other) > _small(high):
        found.append(located(_nearest_pair, "Hopf"))
    elif changed and not found and _gap(low) * _gap(high) < 0:
        found.append(located(_gap, "collision"))
    yield from sorted(found, key=lambda each: abs(each.value - branch.values[i]))


def _small(row: np.ndarray) -> float:
    return GROWTH * max(float(np.abs(row).max(initial=0.0)), 1e-300)


def _growing(row: np.ndarray) -> int:
    return int((row.real > _small(row)).sum())


def _product(row: np.ndarray, idle: int) -> float:
    """The product of the eigenvalues that are not idle: a coefficient of the characteristic polynomial."""
    return float(np.poly(row)[len(row) - idle].real)


def _nearest_pair(row: np.ndarray) -> float:
    """The real part of the complex pair that is nearest to the imaginary axis."""
    pairs = row[np.abs(row.imag) > _small(row)]
    return float(pairs.real[np.argmin(np.abs(pairs.real))]) if pairs.size else np.inf


def _gap(row: np.ndarray) -> float:
    r"""$(\lambda_1 - \lambda_2)^2$ of the pair above the real axis that is nearest to meeting on the imaginary one.

    It is smooth where they meet: less than zero on the axis, more beside it.
    """
    small = _small(row)
    upper = row[row.imag > small]
    pairs = [(a, b) for k, a in enumerate(upper) for b in upper[k + 1 :] if abs((a + b).real) <= 1e3 * small]
    a, b = min(pairs, key=lambda pair: abs(pair[0] - pair[1]), default=(np.inf, 0.0))
    return float(((a - b) ** 2).real)


def _zero(branch: Branch, i: int, j: int, function: Callable[[np.ndarray], float]) -> tuple[float, np.ndarray]:
    """Between two neighbours, with the eigenvalues there."""
    from scipy.optimize import brentq

    def there(share: float) -> tuple[float, np.ndarray]:
        y, p, value = branch.between(i, j, share)
        width = branch.origin.x.size
        jet = branch.origin.field.jet(y[None, :width], p)
        return value, np.asarray(np.linalg.eigvals(linear_part(jet, 0, width, branch.origin.symmetries).A))

    share = float(brentq(lambda s: function(there(s)[1]), 0.0, 1.0, xtol=1e-15, rtol=1e-15))
    return there(share)
