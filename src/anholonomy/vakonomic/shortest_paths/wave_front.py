r"""Wave fronts and spheres in three dimensions: where all extremals of unit speed from one start are after one length.

.. math:: p(\alpha, s) = M\,u(\alpha) + s\,\theta, \qquad u(\alpha) = u_1\cos\alpha + u_2\sin\alpha

Here $u_1, u_2$ are orthonormal admissible directions at the start and $\theta$ is the form of the constraint. The front folds where neighbours
have met; what has not met any is the sphere, or a little more than it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, final

import numpy as np

from anholonomy.base.errors import ArgumentError, NotSupportedError
from anholonomy.language.answers import Part, Readable
from anholonomy.language.arguments import expect_number
from anholonomy.motion.integrators.runge_kutta import step
from anholonomy.programs.backends.base import Array
from anholonomy.programs.program import lower
from anholonomy.system.model import Model
from anholonomy.vakonomic.shortest_paths.hamiltonian_flow import HamiltonianFlow, configuration, flow_of, has_length

if TYPE_CHECKING:
    import xarray as xr

__all__ = ["WaveFront", "wave_front"]

_STEPS = 32
"""Steps of a front."""
_DOUBLINGS, _HALVINGS = 10, 8
"""Of a multiplier, until the front has folded, and between the last two of them."""
_ANGLES, _SHARES = 61, 41
"""Directions of the front, and multipliers of each."""


def wave_front(model: Model, start: object, radius: object, most: object = None) -> WaveFront:
    """The front; ``most`` is the largest multiplier, by default that with which every extremal has met its neighbours."""
    flow = flow_of(model)
    _refuse(flow)
    length = expect_number(
        radius,
        f"{model.name}: `radius`",
        "the length of the extremals, a positive number",
        above=0,
        refusal=ArgumentError,
    )
    top = None
    if most is not None:
        top = expect_number(
            most, f"{model.name}: `most`", "the largest multiplier, a positive number", above=0, refusal=ArgumentError
        )
    fan = _Fan(flow, configuration(model, start, "the start"), length)
    angles, shares = np.linspace(0, 2 * np.pi, _ANGLES), np.linspace(-1, 1, _SHARES)
    tops = fan.folding(angles) if top is None else float(top) * np.array([[-1.0, 1.0]] * _ANGLES)
    multipliers = _spaced(tops, shares)
    grid = np.stack([np.repeat(angles, _SHARES), multipliers.ravel()], axis=1)
    return WaveFront(float(length), _dataset(model, angles, shares, multipliers, *fan.ends(grid)))


def _refuse(flow: HamiltonianFlow) -> None:
    model = flow.model
    if not (len(model.coordinates) == model.frame.size == 3 and len(model.constraints) == 1):
        raise NotSupportedError(
            f"{model.name} has {len(model.coordinates)} coordinates and {len(model.constraints)} constraints, and wave fronts are drawn for "
            "three and one; ask `exponential` for single extremals."
        )
    if not has_length(flow):
        raise NotSupportedError(
            f"{model.name} has a potential, time or affine constraints, and its paths no length; ask `exponential`."
        )


def _spaced(tops: Array, shares: Array) -> Array:
    """Multipliers up to those of each angle; where these are far above the others, as near an abnormal direction, most of them stay small."""
    top = np.where(shares[None, :] < 0, -tops[:, :1], tops[:, 1:])
    bend = 1.0 + np.log(np.maximum(top / np.median(np.abs(tops)), 1.0))
    return np.asarray(top * np.sinh(bend * shares) / np.sinh(bend))


def _dataset(
    model: Model, angles: Array, shares: Array, multipliers: Array, q: Array, p: Array, first: Array
) -> xr.Dataset:
    import xarray as xr

    sizes = multipliers.shape
    variables = {
        "q": (("angle", "share", "coordinate"), q.reshape(*sizes, 3)),
        "covector": (("angle", "share", "direction"), p.reshape(*sizes, 3)),
        "multiplier": (("angle", "share"), multipliers),
        "first": (("angle", "share"), first.reshape(sizes).astype(float)),
    }
    labels = {"coordinate": [s.name for s in model.coordinates], "direction": list(model.directions)}
    return xr.Dataset(variables, coords={"angle": angles, "share": shares, **labels}, attrs={"system": model.name})


@final
@dataclass(frozen=True, repr=False, eq=False)
class WaveFront(Readable):
    """The ends of extremals of one length from one start.

    Attributes
    ----------
    radius
        The length.
    data
        Over ``angle`` and ``share`` of the largest multiplier: the ``multiplier``, the ends ``q``, the momenta ``covector`` at the start, and ``first`` (1 or 0), whether no
        neighbours have met before.
    """

    radius: float
    data: xr.Dataset

    def plot(self, ax: Any = None, whole: bool = False) -> Any:
        """The sphere in space or, with ``whole``, the front with its folds; into axes of three dimensions, or a file such as ``"front.png"``."""
        from anholonomy.show.figures.wave_front import plot_front

        return plot_front(self.data, ax=ax, whole=whole)

    def as_rows(self) -> Iterable[Part]:
        first = self.data["first"].values
        return [
            f"{self.data.attrs['system']}: {first.size} ends at the length {self.radius:g}, {int(first.sum())} of them before neighbours meet"
        ]


@final
class _Fan:
    """The extremals of unit speed from one start, many at a time."""

    def __init__(self, flow: HamiltonianFlow, first: Array, length: float) -> None:
        self.flow, self.first, self.length = flow, first, length
        entries = (*(x for row in flow.parts.mass_ab for x in row), *flow.model.matrix_na[0])
        values = flow.value(lower(flow.model.coordinates, flow.model.parameter_symbols, [], entries), 0.0, first)
        self.metric, self.form = values[:9].reshape(3, 3), values[9:]
        across = np.linalg.svd(self.form[None, :])[2][1:]
        root = np.linalg.cholesky(across @ self.metric @ across.T)
        self.directions = np.linalg.solve(root, across)

    def momenta(self, grid: Array) -> Array:
        """Rows of momenta for rows of an angle and a multiplier."""
        u = np.stack([np.cos(grid[:, 0]), np.sin(grid[:, 0])], axis=1) @ self.directions
        return np.asarray(u @ self.metric + grid[:, 1:] * self.form)

    def ends(self, grid: Array) -> tuple[Array, Array, Array]:
        """Where extremals end, with which momenta they began, and whether they have met no neighbours before."""
        p = self.momenta(grid)
        start = np.concatenate([np.broadcast_to(self.first, p.shape), p], axis=1)
        columns = np.broadcast_to(np.eye(6)[3:].ravel(), (len(p), 18))  # the derivatives by each momentum
        states = np.concatenate([start, columns], axis=1).T.copy()
        signs, alone = np.zeros(len(p)), np.ones(len(p), dtype=bool)
        h = self.length / _STEPS
        for k in range(_STEPS):
            states = step(lambda t, x: self.flow.value(self.flow.opened, t, x), k * h, h, states)
            spread = np.sign(np.linalg.det(states[6:].T.reshape(-1, 3, 6)[:, :, :3]))
            alone &= (signs == 0) | (spread == signs)
            signs = np.where(signs == 0, spread, signs)
        return states[:3].T, p, alone

    def folding(self, angles: Array) -> Array:
        """For every angle the multiplier, negative and positive, with which the extremal meets its neighbours just before it ends.

        Where none is found, as along an abnormal direction, it is the largest that was looked at.
        """
        signs = np.repeat([-1.0, 1.0], len(angles))
        low, high = np.zeros(len(signs)), np.full(len(signs), 1.0 / self.length / float(np.linalg.norm(self.form)))

        def alone(sizes: Array) -> Array:
            return self.ends(np.stack([np.tile(angles, 2), signs * sizes], axis=1))[2]

        for _ in range(_DOUBLINGS):
            if not (free := alone(high)).any():
                break
            low, high = np.where(free, high, low), np.where(free, 2 * high, high)
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            free = alone(middle)
            low, high = np.where(free, middle, low), np.where(free, high, middle)
        return np.asarray((signs * high).reshape(2, -1).T)
