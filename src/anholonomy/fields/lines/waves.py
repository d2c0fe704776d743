"""Short waves: whether those of some direction grow without bound."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["directions", "grows"]

Values = NDArray[Any]


def directions(size: int) -> list[tuple[float, ...]]:
    """Unit vectors of which every other is near, up to its sign; the axes first."""
    axes = [tuple(map(float, row)) for row in np.eye(size)]
    between = [tuple(v / np.linalg.norm(v)) for v in map(np.array, product((-2, -1, 0, 1, 2), repeat=size)) if v.any()]
    return [*axes, *(v for v in between if next(x for x in v if x) > 0)]


def grows(K: Values, B: Values, twice: Values) -> bool:
    r"""Whether $u_{tt} = B u_{ts} + K u_{ss}$, or $u_t = K u_{ss}$ for fields of first order, has waves that grow."""
    once = K[np.ix_(np.arange(len(K)), ~twice, ~twice)]
    scale = np.abs(once).max(initial=0.0)
    if scale and (np.linalg.eigvals(once).real < -1e-9 * scale).any():
        return True
    K, B = (part[np.ix_(np.arange(len(part)), twice, twice)] for part in (K, B))
    speed = max(np.sqrt(np.abs(K).max(initial=0.0)), np.abs(B).max(initial=0.0))
    if not speed:
        return False
    # exp(i k s + m k t): m^2 = i B m - K; speeds are measured by the largest.
    size = K.shape[1]
    matrix = np.zeros((len(K), 2 * size, 2 * size), complex)
    matrix[:, :size, size:] = np.eye(size)
    matrix[:, size:, :size], matrix[:, size:, size:] = -K / speed**2, 1j * B / speed
    # Double roots are known to half the digits.
    return bool((np.linalg.eigvals(matrix).real > 1e-6).any())
