r"""The linear part along a motion that need not be steady, $\delta\dot z = A(t)\,\delta z$, in coordinates of the constraint that serve all the way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, final

import numpy as np

from anholonomy.compile.backends.base import Array
from anholonomy.displays.shown import Shown
from anholonomy.lazy import cached_property
from anholonomy.stability.linear_part import independent_rows
from anholonomy.stability.symmetries import tangent
from anholonomy.stability.vector_field import VectorField, vector_field
from anholonomy.symbolic.expressions import Symbol, time
from anholonomy.system.model import Model

if TYPE_CHECKING:
    import xarray as xr

__all__ = ["LinearAlong", "linear_along"]

_POOR = 1e8
"""A frame in which directions are so nearly dependent is exchanged."""


@final
@dataclass(frozen=True, eq=False)
class LinearAlong(Shown):
    """A matrix for each time of a motion.

    Attributes
    ----------
    labels
        The independent coordinates and velocities that rows and columns belong to.
    matrices
        One for each time.
    condition
        How well these coordinates describe the others, for each time.
    """

    system: str
    times: Array
    labels: tuple[str, ...]
    matrices: Array
    condition: Array

    @cached_property
    def A(self) -> xr.DataArray:
        """The matrices, a row for the rate of each coordinate."""
        import xarray as xr

        names = list(self.labels)
        return xr.DataArray(
            self.matrices,
            dims=("time", "rate", "of"),
            coords={"time": self.times, "rate": names, "of": names},
            name="A",
            attrs={"system": self.system},
        )

    @property
    def eigenvalues(self) -> np.ndarray:
        """Of each matrix by itself; where it changes with time they do not decide stability."""
        return np.asarray(np.linalg.eigvals(self.matrices))

    def __str__(self) -> str:
        return (
            f"{self.system}: linear part along a motion, {len(self.times)} times from {self.times[0]:g} to {self.times[-1]:g}, in "
            f"{', '.join(self.labels)} (condition at most {self.condition.max():.3g})"
        )

    def __repr__(self) -> str:
        return f"LinearAlong({self.system!r}, {len(self.times)} times, {len(self.labels)} coordinates)"


def linear_along(model: Model, run: Any, places: Sequence[int] | None) -> LinearAlong:
    """The matrices at all times of a motion; ``places`` are coordinates and velocities to use."""
    model, data, times = model.independent, run.data, run.time.values
    values = dict(run.model.parameter_items)
    p = np.array([float(values[name] or 0.0) for name, _ in model.parameter_items])
    z = np.hstack([data["q"].values, data["velocity"].values])
    bases, rates = _all_slopes(model, z, p, np.asarray(times, dtype=float))
    rows = list(places) if places is not None else _serving(bases)
    inverses = [np.linalg.inv(H[rows]) for H in bases]
    names = [s.name for s in (*model.coordinates, *model.velocities)]
    return LinearAlong(
        model.name,
        np.asarray(times, dtype=float),
        tuple(names[k] for k in rows),
        np.array([R[rows] @ inverse for R, inverse in zip(rates, inverses, strict=True)]),
        np.array([float(np.linalg.cond(H @ inverse)) for H, inverse in zip(bases, inverses, strict=True)]),
    )


def _all_slopes(model: Model, z: Array, p: Array, times: Array) -> tuple[list[Array], list[Array]]:
    """Directions of the constraint as changes of coordinates and velocities, and what the rates make of them, in frames that serve."""
    bases, rates, names = list[Array](), list[Array](), (*model.coordinates, *model.velocities)
    while len(bases) < len(z):
        k = len(bases)
        point: dict[Symbol, float] = dict(zip(names, map(float, z[k]), strict=True)) | {time: float(times[k])}
        point |= dict(zip(model.parameter_symbols, map(float, p), strict=True))
        field = vector_field(model, point, timed=True)
        x, known = _states(field, z[k:], p, times[k:])
        x[0], known[0] = field.state(point), True
        slopes = field.jet(x, p, t=times[k:]).slopes
        for each, held, rate, is_known in zip(slopes.z, slopes.held, slopes.rate, known, strict=True):
            if len(bases) > k and not (is_known and np.isfinite(each).all()):
                break
            V = tangent(held)
            if len(bases) > k and np.linalg.cond(each @ V) > _POOR:
                break
            bases.append(each @ V)
            rates.append(rate @ V)
    return bases, rates


def _states(field: VectorField, z: Array, p: Array, times: Array) -> tuple[Array, np.ndarray]:
    """Coordinates and speeds of states, and for which of these they are right: velocities are affine in the speeds but for nonlinear constraints."""
    n, width = len(field.model.coordinates), len(field.equations.state)
    still = np.hstack([z[:, :n], np.zeros((len(z), width - n))])
    jet = field.jet(still, p, t=times)
    with np.errstate(all="ignore"):
        finite = np.asarray(np.isfinite(jet.slopes.z).all(axis=(1, 2)) & np.isfinite(jet.z).all(axis=1))
    W = np.where(finite[:, None, None], jet.slopes.z[:, n:, n:], 0.0)
    off = np.where(finite[:, None], z[:, n:] - jet.z[:, n:], 0.0)
    x = np.hstack([z[:, :n], np.einsum("kij,kj->ki", np.linalg.pinv(W), off)])
    return x, np.abs(field.at(x, p, times).z - z).max(axis=1) <= 1e-9 * (1 + np.abs(z).max(axis=1))


def _serving(bases: Sequence[Array]) -> list[int]:
    """Rows that are independent at all times: of the choices at a few of them, the one that is never worst."""
    some = bases[:: max(len(bases) // 12, 1)]
    choices: set[tuple[int, ...]] = {tuple(independent_rows(H, H.shape[1])) for H in some}
    orthonormal = [np.linalg.qr(H)[0] for H in bases]

    def worst(rows: tuple[int, ...]) -> float:
        return min(float(np.linalg.svd(Q[list(rows)], compute_uv=False)[-1]) for Q in orthonormal)

    best: tuple[int, ...] = max(sorted(choices), key=worst)
    return list(best)
