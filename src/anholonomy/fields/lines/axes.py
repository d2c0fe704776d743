"""Points along one parameter of space, and what differentiates and integrates there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, final

import numpy as np
from numpy.typing import NDArray

from anholonomy.language.given import finite
from anholonomy.refusals import IllPosedSystem, UnknownName

if TYPE_CHECKING:
    from anholonomy.fields.field import Field

__all__ = ["Axis", "SCHEMES", "axes_of"]

SCHEMES = ("differences", "spectral")
ORDERS = (2, 4, 6)


@final
@dataclass(frozen=True, eq=False)
class Axis:
    """The points of a parameter with matrices for its first and second derivative, and weights for integrals."""

    name: str
    points: NDArray[Any]
    first: Any
    second: Any
    weights: NDArray[Any]
    periodic: bool

    @property
    def size(self) -> int:
        return self.points.size

    def derivative(self, order: int) -> Any:
        return (None, self.first, self.second)[order]


def axes_of(field: Field, grid: Any, boundary: Any, scheme: str | None, order: int) -> tuple[Axis, ...]:
    """An axis for each parameter of the grid."""
    names = [p.name for p in field.jets.parameters]
    if not isinstance(grid, Mapping) or not grid:
        raise IllPosedSystem(f"{field.name}: the grid is {grid!r:.60}; give a dict such as {{'s': (0, 1, 400)}}.")
    if unknown := [each for each in grid if each not in names]:
        raise UnknownName(
            f"{field.name}: the grid has {unknown[0]!r}, which is no parameter; they are {', '.join(names)}."
        )
    if scheme is not None and scheme not in SCHEMES:
        raise UnknownName(f"{field.name}: there is no scheme {scheme!r:.40}; take {' or '.join(SCHEMES)}.")
    if order not in ORDERS:
        raise IllPosedSystem(f"{field.name}: differences have the order 2, 4 or 6, not {order!r:.40}.")
    return tuple(
        _axis(field, name, grid[name], boundary.get(name) == "periodic", scheme, order)
        for name in names
        if name in grid
    )


def _axis(field: Field, name: str, given: Any, periodic: bool, scheme: str | None, order: int) -> Axis:
    try:
        low, high, count = given
    except (TypeError, ValueError):
        raise IllPosedSystem(
            f"{field.name}: grid[{name!r}] is {given!r:.60}; give (from, to, number of points)."
        ) from None
    ends = finite(low), finite(high)
    if None in ends or not ends[0] < ends[1] or not isinstance(count, int | np.integer):  # type: ignore[operator]
        raise IllPosedSystem(
            f"{field.name}: grid[{name!r}] is {given!r:.60}; give (from, to, number of points), rising."
        )
    if order > 4 and scheme != "spectral" and not periodic:
        raise IllPosedSystem(
            f"{field.name}: differences of order {order} are unstable at ends; take order=4 or scheme='spectral' along {name}."
        )
    least = order + 3 if scheme != "spectral" else 4
    if count < least:
        raise IllPosedSystem(
            f"{field.name}: {count} points along {name} are too few for this stencil, which reaches over {least}; give more."
        )
    build: Callable[..., Axis] = {
        (False, False): _differences,
        (False, True): _periodic_differences,
        (True, False): _chebyshev,
        (True, True): _fourier,
    }[scheme == "spectral", periodic]
    return build(name, float(ends[0]), float(ends[1]), int(count), order)  # type: ignore[arg-type]


@lru_cache(maxsize=256)
def _stencil(derivative: int, offsets: tuple[int, ...]) -> NDArray[Any]:
    """Weights at whole offsets, exact until the last moment."""
    from sympy import finite_diff_weights

    return np.array([float(w) for w in finite_diff_weights(derivative, list(offsets), 0)[derivative][-1]])


def _periodic_differences(name: str, low: float, high: float, count: int, order: int) -> Axis:
    import scipy.sparse as sparse

    h = (high - low) / count
    offsets = tuple(range(-order // 2, order // 2 + 1))
    matrices = []
    for k in (1, 2):
        rows = np.repeat(np.arange(count), len(offsets))
        columns = (rows + np.tile(offsets, count)) % count
        values = np.tile(_stencil(k, offsets) / h**k, count)
        matrices.append(sparse.csr_array((values, (rows, columns)), shape=(count, count)))
    first, second = matrices
    return Axis(name, low + h * np.arange(count), first, second, np.full(count, h), True)


def _differences(name: str, low: float, high: float, count: int, order: int) -> Axis:
    """Central differences inside; near the ends as many points as the order needs, all on one side."""
    import scipy.sparse as sparse

    h, half = (high - low) / (count - 1), order // 2
    matrices = []
    for k in (1, 2):
        matrix = sparse.lil_array((count, count))
        for i in range(count):
            if half <= i < count - half:
                offsets = tuple(range(-half, half + 1))
            else:
                reach = order + k
                first = 0 if i < half else count - reach
                offsets = tuple(range(first - i, first - i + reach))
            matrix[[i], [i + j for j in offsets]] = _stencil(k, offsets) / h**k
        matrices.append(matrix.tocsr())
    first, second = matrices
    return Axis(name, np.linspace(low, high, count), first, second, _gregory(count, h), False)


def _gregory(count: int, h: float) -> NDArray[Any]:
    """Weights of order four: the trapezoidal rule with corrected ends."""
    weights = np.full(count, h)
    for k, w in enumerate((3 / 8, 7 / 6, 23 / 24)):
        weights[k], weights[-1 - k] = w * h, w * h
    return weights


def _fourier(name: str, low: float, high: float, count: int, order: int) -> Axis:
    length = high - low
    k = 2j * np.pi / length * np.fft.fftfreq(count, 1 / count)
    odd = np.where(np.arange(count) == count / 2, 0.0, k)  # the highest wave has no first derivative on an even grid
    unit = np.fft.fft(np.eye(count), axis=0)
    first, second = (np.fft.ifft(factor[:, None] * unit, axis=0).real for factor in (odd, k**2))
    points = low + length / count * np.arange(count)
    return Axis(name, points, first, second, np.full(count, length / count), True)


def _chebyshev(name: str, low: float, high: float, count: int, order: int) -> Axis:
    """Points that crowd at the ends, in rising order."""
    n = count - 1
    x = -np.cos(np.pi * np.arange(count) / n)
    c = np.r_[2.0, np.ones(n - 1), 2.0] * (-1.0) ** np.arange(count)
    with np.errstate(divide="ignore", invalid="ignore"):
        D = np.outer(c, 1 / c) / (x[:, None] - x[None, :])
    np.fill_diagonal(D, 0.0)
    np.fill_diagonal(D, -D.sum(axis=1))
    scale = 2 / (high - low)
    # Clenshaw and Curtis: the integrals of the polynomials that pass through the points.
    moments = np.array([2 / (1 - k * k) if k % 2 == 0 else 0.0 for k in range(count)])
    values = np.cos(np.outer(np.arange(count), np.arccos(x)))
    weights = np.linalg.solve(values, moments) / scale
    return Axis(name, low + (x + 1) / scale, D * scale, D @ D * scale**2, weights, False)
