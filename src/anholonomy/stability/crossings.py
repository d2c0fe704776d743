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

_NODES = (1 - np.cos(np.pi * np.arange(9) / 8)) / 2
"""Where between two neighbours members are looked at."""
_LOOKS, _NARROWER, _NARROW = 40, 1e-4, 1e-7
"""How often, how much narrower each time, and where the last look is: smooth functions are straight lines there."""


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
    neutral = min(_neutral(low), _neutral(high))
    few, many = sorted(int((_pairs(row, neutral) > _small(row)).sum()) for row in (low, high))
    for k in range(few, many):
        if all(len(pairs := _pairs(row, neutral)) > k and abs(pairs[k]) > _small(row) for row in (low, high)):
            found.append(located(lambda row, k=k: _entry(_pairs(row, neutral), k), "Hopf"))  # type: ignore[misc]
            changed -= 2 * int(np.sign(changed))
    if changed and not found and _gap(low) * _gap(high) < 0:
        found.append(located(_gap, "collision"))
    yield from sorted(found, key=lambda each: abs(each.value - branch.values[i]))


def _small(row: np.ndarray) -> float:
    return GROWTH * max(float(np.abs(row).max(initial=0.0)), 1e-300)


def _growing(row: np.ndarray) -> int:
    return int((row.real > _small(row)).sum())


def _product(row: np.ndarray, idle: int) -> float:
    """The product of the eigenvalues that are not idle: a coefficient of the characteristic polynomial."""
    return float(np.poly(row)[len(row) - idle].real)


def _pairs(row: np.ndarray, neutral: int) -> np.ndarray:
    """The real parts of complex pairs, the largest first, without as many as stay on the imaginary axis."""
    real = row.real[row.imag > _small(row)]
    return np.sort(real[np.argsort(np.abs(real))[neutral:]])[::-1]


def _neutral(row: np.ndarray) -> int:
    """How many pairs are on the imaginary axis."""
    return int((np.abs(_pairs(row, 0)) <= _small(row)).sum())


def _entry(values: np.ndarray, k: int) -> float:
    return float(values[k]) if len(values) > k else np.inf


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
    """Between two neighbours, with the eigenvalues there: several members at once, and narrower about the zero of their interpolant."""
    low, high, zero, aside = 0.0, 1.0, 0.5, (0.0, 1.0)
    for _ in range(_LOOKS):
        shares = low + (high - low) * _NODES
        f = np.array([function(row) for row in _spectra(branch, i, j, shares)[1]])
        changes = np.flatnonzero(np.sign(f[:-1]) != np.sign(f[1:]))
        if not changes.size:  # the interpolant led astray
            low, high = aside
            continue
        k = int(changes[0])
        aside, zero = (float(shares[k]), float(shares[k + 1])), _zero_of_interpolant(shares, f, k)
        if high - low <= _NARROW:
            break
        reach = _NARROWER * (high - low)
        low, high = max(aside[0], zero - reach), min(aside[1], zero + reach)
    values, rows = _spectra(branch, i, j, np.array([zero]))
    return float(values[0]), rows[0]


def _spectra(branch: Branch, i: int, j: int, shares: np.ndarray) -> tuple[np.ndarray, list[np.ndarray]]:
    """The values and the eigenvalues of members between two neighbours."""
    y, p, values = branch.between(i, j, shares)
    width = branch.origin.x.size
    jet = branch.origin.field.jet(y[:, :width], p)
    parts = (linear_part(jet, k, width, branch.origin.symmetries) for k in range(len(y)))
    return values, [np.asarray(np.linalg.eigvals(part.A)) for part in parts]


def _zero_of_interpolant(shares: np.ndarray, f: np.ndarray, k: int) -> float:
    """The zero between node ``k`` and the next of the polynomial through all, by bisection; their middle where one is not finite."""
    weights = np.where(np.arange(len(f)) % 2, -1.0, 1.0)
    weights[[0, -1]] /= 2  # those of Chebyshev's points of the second kind
    low, high = float(shares[k]), float(shares[k + 1])
    middle = (low + high) / 2
    while np.isfinite(f).all() and low < middle < high:
        c = weights / (middle - shares)
        low, high = (low, middle) if ((c @ f) / c.sum() > 0) == (f[k + 1] > f[k]) else (middle, high)
        middle = (low + high) / 2
    return middle
