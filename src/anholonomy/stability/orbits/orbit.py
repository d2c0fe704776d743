r"""A closed orbit up to symmetry, with its Floquet multipliers.

.. math:: \varphi_T(z_0) = G\,z_0, \qquad DG^{-1}\,D\varphi_T(z_0)\,v = \mu\,v

The directions of the symmetries and of the motion itself are divided out one after the other, so that the multipliers 1 that belong to them
do not spoil the digits of the others.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, final

import numpy as np

from anholonomy.compile.backends.base import Array
from anholonomy.displays.shown import Shown
from anholonomy.lazy import cached_property
from anholonomy.show.pictures import kept_in_file
from anholonomy.stability.linear_part import independent_rows
from anholonomy.stability.orbits.shifts import logarithm
from anholonomy.stability.orbits.shooting import Shots
from anholonomy.stability.orbits.tangent_flow import CarriedVectors
from anholonomy.symbolic.numbers.subspaces import split
from anholonomy.tolerances import CLEAR

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.figure import Figure

__all__ = ["Orbit", "multipliers_verdict"]


@final
@dataclass(frozen=True, eq=False)
class Orbit(Shown):
    """A motion that repeats itself after a period, up to a displacement by symmetries.

    Attributes
    ----------
    shots
        The states found, the period and the displacement.
    residual
        What is left of the equations beside the states.
    timed
        Whether the system itself depends on time, so that the phase is not free.
    simulate
        How the motion from a start is computed.
    """

    shots: Shots
    ends: tuple[CarriedVectors, ...]
    residual: float
    timed: bool
    simulate: Callable[..., Any]
    held: bool = False

    @property
    def system(self) -> str:
        """The system's name."""
        return self.shots.nodes[0].field.model.name

    @property
    def period(self) -> float:
        """The time after which the motion repeats itself."""
        return self.shots.period

    @cached_property
    def start(self) -> dict[str, float]:
        """A state on the orbit, by name: a start for `simulate`."""
        node = self.shots.nodes[0]
        return dict(zip(node.field.names, map(float, node.z), strict=True)) | ({"t": node.t} if self.timed else {})

    @cached_property
    def run(self) -> Any:
        """The motion over one period."""
        begin = self.shots.begin
        return self.simulate(self.start, times=np.linspace(begin, begin + self.period, 401), project=True)

    @cached_property
    def shift(self) -> dict[str, float]:
        """By how much each coordinate is displaced after a period: the drift of what symmetries carry along."""
        names, z = self.shots.nodes[0].field.names, self.shots.nodes[0].z
        n, moved = len(self.shots.nodes[0].field.model.coordinates), self.shots.shift(z) - z
        return {name: float(c) for name, c in zip(names[:n], moved[:n], strict=True) if abs(c) > 1e-9}

    @cached_property
    def drift(self) -> dict[str, float] | None:
        r"""The displacement $G = \exp(\xi^k\,\Xi_k)$ by symmetries: $\xi^k$ by the field; None where it is no exponential of one."""
        symmetries, n = self.shots.symmetries, len(self.shots.nodes[0].field.model.coordinates)
        moved = self.shots.shift.matrix[:n, -1]
        shifts = np.array([each.shift[:n] for each in symmetries]).reshape(len(symmetries), n)
        guess = np.linalg.lstsq(shifts.T, moved, rcond=None)[0] if len(symmetries) else np.empty(0)
        found = logarithm(symmetries, self.shots.shift, guess)
        if found is None:
            return None
        return {str(each): float(c) for each, c in zip(symmetries, found, strict=True) if abs(c) > 1e-9}

    @cached_property
    def _return(self) -> tuple[Array, Array]:
        return self.shots.monodromy(self.ends)

    @cached_property
    def monodromy(self) -> xr.DataArray:
        """The linear part of the return, in independent coordinates and velocities."""
        import xarray as xr

        matrix, basis = self._return
        rows = independent_rows(basis, basis.shape[1])
        labels = [self.shots.nodes[0].field.names[k] for k in rows]
        values = basis[rows] @ matrix @ np.linalg.inv(basis[rows])
        return xr.DataArray(values, dims=("after", "of"), coords={"after": labels, "of": labels}, name="monodromy")

    @cached_property
    def _spectrum(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The multipliers of symmetries, of the motion itself, and the matrix of what is left."""
        matrix, basis = self._return
        node = self.shots.nodes[0]
        groups = [[each.at(node.z) for each in self.shots.symmetries]]
        if not self.timed:
            groups.append([node.field.at(node.x[None], node.p, node.t).rate[0]])
        found, frame = list[np.ndarray](), np.eye(len(matrix))
        for group in groups:
            own = frame.T @ basis.T @ np.stack(group, axis=1) if group else np.empty((frame.shape[1], 0))
            inside, outside = split(own, 1.0)
            here = frame.T @ matrix @ frame
            found.append(np.linalg.eigvals(inside.T @ here @ inside))
            frame = frame @ outside
        return found[0], found[1] if len(found) > 1 else np.empty(0), frame.T @ matrix @ frame

    @property
    def _transverse(self) -> np.ndarray:
        return self._spectrum[2]

    @cached_property
    def multipliers(self) -> np.ndarray:
        """The Floquet multipliers, largest first, with the 1 of the motion's own direction and without those of symmetries."""
        both = np.concatenate([self._spectrum[1], self.transverse])
        return np.asarray(both[np.argsort(-np.abs(both), kind="stable")])

    @cached_property
    def transverse(self) -> np.ndarray:
        """The multipliers without the one of the motion's own direction: those of a section."""
        found = np.linalg.eigvals(self._transverse)
        return np.asarray(found[np.argsort(-np.abs(found))])

    @property
    def symmetry_multipliers(self) -> np.ndarray:
        """Those of the directions of the symmetries, which say nothing of stability."""
        return self._spectrum[0]

    @property
    def exponents(self) -> np.ndarray:
        r"""The Floquet exponents $\ln\mu/T$."""
        return np.asarray(np.log(self.multipliers.astype(complex)) / self.period)

    @property
    def verdict(self) -> str:
        """``"unstable"``, ``"stable"`` (everything decays but families of orbits) or ``"marginal"``: by multipliers alone."""
        return multipliers_verdict(self._transverse, self.shots.tolerance)

    @kept_in_file
    def plot(self, figure: Any = None) -> Figure:
        """The orbit, and its multipliers beside the unit circle."""
        from anholonomy.show.figures.stability.orbit import orbit_figure

        pair = _telling(self.run, self.shots.nodes[0].field.names, self.shift)
        return orbit_figure(self.run.data, pair, self.multipliers, self.verdict, figure)

    def __str__(self) -> str:
        head = f"{self.system}: closed orbit, period {self.period:.12g}"
        drift = self.drift
        moved = (
            ["  displaced by " + ", ".join(f"{c:.6g} ({name})" for name, c in drift.items())]
            if drift
            else ["  displaced by " + ", ".join(f"{name} {c:+.6g}" for name, c in self.shift.items())]
            if self.shift
            else []
        )
        rows = [f"    {_written(v)}" for v in self.multipliers]
        return "\n".join([head, *moved, f"  {self.verdict}", "  multipliers", *rows])

    def __repr__(self) -> str:
        return f"Orbit({self.system!r}, period {self.period:.12g}, {self.verdict})"


def multipliers_verdict(matrix: Array, tolerance: float) -> str:
    """By the sizes of the multipliers; ones belong to families of orbits as long as nothing grows along with them.

    A double multiplier is known to half the digits.
    """
    near = max(CLEAR, 10 * float(np.sqrt(tolerance * np.linalg.norm(matrix))))
    found = np.linalg.eigvals(matrix)
    sizes, idle = np.abs(found), np.abs(found - 1) <= near
    if (sizes > 1 + near).any():
        return "unstable"
    families = int((np.linalg.svd(matrix - np.eye(len(matrix)), compute_uv=False) <= near).sum())
    decays = bool((~idle).any() and (sizes[~idle] < 1 - near).all())
    return "stable" if (decays or not len(found)) and families == idle.sum() else "marginal"


def _telling(run: Any, names: tuple[str, ...], shift: dict[str, float]) -> tuple[str, str]:
    """Two variables that come back and vary most: a coordinate with its velocity where there is one."""
    spread = {name: float(np.ptp(run[name].values)) for name in names if name not in shift}
    order = sorted(spread, key=lambda name: -spread[name])
    first = next((name for name in order if not name.endswith("'")), order[0])
    second = f"{first}'" if spread.get(f"{first}'", 0.0) > 0 else next(name for name in order if name != first)
    return first, second


def _written(value: complex) -> str:
    real, imaginary = float(np.real(value)), float(np.imag(value))
    imaginary = imaginary if abs(imaginary) > 1e-9 * abs(real) else 0.0
    said = f"{real: .12g}" + (f" {'-' if imaginary < 0 else '+'} {abs(imaginary):.12g}i" if imaginary else "")
    return said + (f"   (size {abs(value):.9g})" if imaginary else "")
