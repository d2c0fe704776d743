r"""A film: what every shape of a scene does, in numbers, at evenly spaced times.

A series has one row for each frame, or a single row where nothing changes. Sizes that the scene leaves open follow from the
extent of the motion, $|\max_t p - \min_t p|$, and a plane without a place lies below everything and reaches around it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, final

import numpy as np
from numpy.typing import NDArray

from anholonomy.refusals import NotCovered
from anholonomy.show.animation.meshes import stretch
from anholonomy.show.animation.sampling import Samples
from anholonomy.show.animation.turning import along, from_matrix, from_steps, matrix_of, smooth
from anholonomy.symbolic.expressions import zero
from anholonomy.system.model import Model
from anholonomy.system.scene import SIZES, Rotation, Shape

if TYPE_CHECKING:
    import xarray as xr

__all__ = ["Actor", "Film", "film_of"]

_SHARES = {"sphere": 0.05, "disc": 0.05, "wheel": 0.05, "cylinder": 0.04, "point": 0.012, "arrow": 0.1}
"""First sizes as a share of the extent; 0.08 for the others."""
_RATIOS = {
    ("disc", "thickness"): 0.08,
    ("wheel", "thickness"): 0.2,
    ("cylinder", "length"): 2.0,
    ("ellipsoid", "width"): 0.6,
    ("ellipsoid", "height"): 0.6,
    ("box", "width"): 0.6,
    ("box", "height"): 0.3,
    ("blade", "height"): 0.3,
    ("rod", "radius"): 0.03,
    ("arrow", "radius"): 0.04,
}
"""The other sizes as a share of the first."""
_KEYS = 80
"""Places of each actor at which it must be in the picture."""


@final
@dataclass(frozen=True)
class Actor:
    """A shape along the motion: series of places (·, 3), quaternions (·, 4), stretch factors (·, 3), points (·, point, 3)."""

    kind: str
    colour: str
    trail: bool
    position: NDArray[np.float64]
    turn: NDArray[np.float64]
    scale: NDArray[np.float64]
    points: NDArray[np.float64]
    step: float = 0.0
    """The mesh of a plane's grid."""

    @property
    def reach(self) -> float:
        """How far it extends from its position, at most."""
        if self.kind in ("trail", "plane"):
            return 0.0
        if self.kind == "polyline":
            return float(np.linalg.norm(self.points, axis=2).max())
        share = 1.0 if self.kind in ("sphere", "ellipsoid", "point", "rod", "arrow", "disc", "wheel") else 0.6
        return share * float(self.scale.max())


@final
@dataclass(frozen=True)
class Film:
    """Actors at common times. ``keys`` are places with radii (·, 4) that the picture must contain."""

    title: str
    times: NDArray[np.float64]
    actors: tuple[Actor, ...]
    keys: NDArray[np.float64]
    follow: bool
    speed: float

    @property
    def lead(self) -> int:
        """The actor that a following camera looks at: the first with a trail, or else the first that moves."""
        moving = [k for k, a in enumerate(self.actors) if len(a.position) > 1 and a.kind != "plane"]
        return next((k for k in moving if self.actors[k].trail), moving[0] if moving else 0)

    @property
    def reach(self) -> float:
        """The size of the largest thing that moves."""
        return max((a.reach for a in self.actors if len(a.position) > 1), default=0.0)


def film_of(
    model: Model, data: xr.Dataset, shapes: Sequence[Shape], frames: int, follow: bool | None, speed: float
) -> Film:
    """The film of a motion; the software follows the actors where they are small beside their way."""
    samples = Samples(model, data, frames)
    places = [_series(samples.evaluate(shape.position or (zero,) * 3).T) for shape in shapes]
    _refuse_infinite(model, samples, places)
    extent = _extent(shapes, places)
    actors = [_actor(shape, place, samples, extent) for shape, place in zip(shapes, places, strict=True)]
    keys = _keys(actors)
    grounded = tuple(
        _grounded(a, shape, keys) if a.kind == "plane" else a for a, shape in zip(actors, shapes, strict=True)
    )
    film = Film(model.name, samples.times, grounded, keys, False, speed)
    small = film.reach < 0.035 * float(np.linalg.norm(np.ptp(keys[:, :3], axis=0)))
    return replace(film, follow=small and film.reach > 0 if follow is None else follow)


def _series(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """One row where all are the same."""
    return values[:1] if np.ptp(values, axis=0).max(initial=0.0) == 0 else values


def _refuse_infinite(model: Model, samples: Samples, places: Sequence[NDArray[np.float64]]) -> None:
    for k, place in enumerate(places, 1):
        if bad := np.flatnonzero(~np.isfinite(place).all(axis=1)).tolist():
            raise NotCovered(
                f"{model.name}: shape {k} of the scene has no finite position at t = {samples.times[bad[0]]:.6g}; "
                "correct the scene, or end the motion earlier."
            )


def _extent(shapes: Sequence[Shape], places: Sequence[NDArray[np.float64]]) -> float:
    """The diagonal of the box around all positions, 1 where nothing moves."""
    every = [place for shape, place in zip(shapes, places, strict=True) if shape.kind != "plane"]
    return float(np.linalg.norm(np.ptp(np.vstack(every), axis=0))) or 1.0 if every else 1.0


def _actor(shape: Shape, place: NDArray[np.float64], samples: Samples, extent: float) -> Actor:
    sizes, turn = _sizes(shape, samples, extent), _turn(shape.rotation, samples)
    if shape.to is not None:
        ray = samples.evaluate(shape.to).T - place
        sizes["length"] = np.linalg.norm(ray, axis=1)
        if all(word != "radius" for word, _ in shape.sizes):
            sizes["radius"] = np.full(len(ray), _RATIOS[shape.kind, "radius"] * sizes["length"].max())
        turn = along(ray)
    drawn = bool(SIZES[shape.kind])
    scale = np.column_stack(np.broadcast_arrays(*stretch(shape.kind, sizes))) if drawn else np.ones((1, 3))
    flat = _series(samples.evaluate([entry for point in shape.points for entry in point]).T)
    points = flat.reshape(len(flat), len(shape.points), 3)
    for what, values in (("size", scale), ("rotation", turn), ("point", points)):
        if not np.isfinite(values).all() or (what == "rotation" and (np.linalg.norm(values, axis=1) < 1e-9).any()):
            raise NotCovered(
                f"the {shape.kind} of the scene has a {what} that is no number, or zero, at some time; correct it."
            )
    return Actor(shape.kind, shape.colour, shape.trail, place, _series(smooth(turn)), _series(np.abs(scale)), points)


def _turn(rotation: Rotation, samples: Samples) -> NDArray[np.float64]:
    values = samples.evaluate(rotation.entries)
    if rotation.kind == "steps":
        return from_steps(rotation.axes, values)
    return from_matrix(values) if rotation.kind == "matrix" else values.T


def _sizes(shape: Shape, samples: Samples, extent: float) -> dict[str, NDArray[np.float64]]:
    """Every size of a shape, given or chosen."""
    given = dict(zip((word for word, _ in shape.sizes), samples.evaluate([v for _, v in shape.sizes]), strict=True))
    words = SIZES[shape.kind]
    if not words:
        return {}
    first = given.get(words[0], np.array([_SHARES.get(shape.kind, 0.08) * extent]))
    return {word: given.get(word, first * _RATIOS.get((shape.kind, word), 1.0)) for word in words}


def _keys(actors: Sequence[Actor]) -> NDArray[np.float64]:
    rows = []
    for actor in actors:
        if actor.kind == "plane":
            continue
        chosen = actor.position[:: max(1, len(actor.position) // _KEYS)]
        rows.append(np.column_stack([chosen, np.full(len(chosen), actor.reach)]))
    return np.vstack(rows) if rows else np.array([[0.0, 0.0, 0.0, 1.0]])


def _grounded(actor: Actor, shape: Shape, keys: NDArray[np.float64]) -> Actor:
    """A plane with the place and the sizes that it was not given, and the step of its grid."""
    position, scale, turn = actor.position, actor.scale.copy(), matrix_of(actor.turn[0].tolist())
    # In the axes of the plane: along, across and above it.
    centre = np.zeros(3) if shape.position is None else position.mean(axis=0)
    places, radii = (keys[:, :3] - centre) @ turn, keys[:, 3:]
    low, high = (places - radii).min(axis=0), (places + radii).max(axis=0)
    middle = (low + high) / 2
    sides = high - low if shape.position is None else 2 * np.maximum(abs(low), abs(high))
    given = {word for word, _ in shape.sizes}
    sides = np.array([scale[:, k].max() if w in given else 1.1 * sides[k] for k, w in enumerate(SIZES["plane"])])
    step = _round_step(float(sides.max()) or 1.0)
    for k, word in enumerate(SIZES["plane"]):
        if word not in given:
            # An even number of steps, so that a grid line runs through the middle.
            scale[:, k] = 2 * step * math.ceil(sides[k] / (2 * step) + 0.5)
    if shape.position is None:
        foot = min(0.0, float(places[:, 2].min()))
        position = (turn @ [*np.round(middle[:2] / step) * step, foot])[None, :]
    return replace(actor, position=position, scale=scale, step=step)


def _round_step(length: float) -> float:
    """1, 2 or 5 times a power of ten, 8 to 20 times in a length.

    >>> _round_step(30.0)
    2.0
    """
    power = 10.0 ** math.floor(math.log10(length / 8))
    return next(power * k for k in (1, 2, 5, 10) if length / (power * k) <= 20)
