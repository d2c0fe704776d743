r"""A film: what every shape of a scene does, in numbers, at evenly spaced times.

A series has one row for each frame, or a single row where nothing changes. Sizes that the scene leaves open follow from the
extent of the motion, $|\max_t p - \min_t p|$, and a plane without a place lies below everything and reaches around it. Of a
surface the part around the motion is drawn.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, final

import numpy as np
from numpy.typing import NDArray

from anholonomy.algebra.calculus import gradient
from anholonomy.algebra.expressions import Expr, Symbol, Vector, zero
from anholonomy.base.errors import NotSupportedError
from anholonomy.programs.backends.numpy import NumpyBackend
from anholonomy.programs.program import lower
from anholonomy.show.animation.meshes import Mesh, convex, has_points, mesh, patch, stretch
from anholonomy.show.animation.rotations import along, from_matrix, from_spin, from_steps, matrix_of, multiply, smooth
from anholonomy.system.model import Model
from anholonomy.system.scene import NORMAL, PLACE, SIZES, Rotation, Shape

if TYPE_CHECKING:
    import xarray as xr

__all__ = ["MOST_PICTURES", "SUPPORTS", "Actor", "Film", "film_of", "hermite", "instants"]


MOST_PICTURES = 20_000
"""Of one animation; beyond, somebody mistook the unit."""
SUPPORTS = ("plane", "surface")
"""Shapes that reach around the others; they are kept in the picture themselves only where they say how large they are."""


@final
@dataclass(frozen=True, eq=False)
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
    clear: bool = False
    """Whether one sees through it."""
    own: Mesh | None = None
    """A mesh that is no other shape's, in body axes."""
    framed: bool = False
    """Whether a support says how large it is."""

    @property
    def mesh(self) -> Mesh | None:
        """Its faces; None where it is drawn with lines."""
        return self.own or mesh(self.kind)

    @property
    def reach(self) -> float:
        """How far it extends from its position, at most."""
        if self.kind == "trail" or (self.kind in SUPPORTS and not self.framed):
            return 0.0
        if self.kind == "plane":
            return float(np.hypot(*self.scale[:, :2].T).max()) / 2
        if self.kind == "polyline":
            return float(np.linalg.norm(self.points, axis=2).max())
        if self.own is not None:
            return float(np.linalg.norm(self.own.vertices, axis=1).max(initial=0.0))
        share = 1.0 if self.kind in ("sphere", "ellipsoid", "point", "rod", "arrow", "disc", "wheel") else 0.6
        return share * float(self.scale.max())


@final
@dataclass(frozen=True, eq=False)
class Film:
    """Actors at common times. ``keys`` are places with radii (·, 4) that the picture must contain."""

    title: str
    times: NDArray[np.float64]
    actors: tuple[Actor, ...]
    keys: NDArray[np.float64]
    follow: bool
    playback: float

    @property
    def lead(self) -> int:
        """The actor that a following camera looks at: the first with a trail, or else the first that moves."""
        moving = [k for k, a in enumerate(self.actors) if len(a.position) > 1 and a.kind not in SUPPORTS]
        return next((k for k in moving if self.actors[k].trail), moving[0] if moving else 0)

    @property
    def reach(self) -> float:
        """The size of the largest thing that moves."""
        return max((a.reach for a in self.actors if len(a.position) > 1), default=0.0)

    @property
    def room(self) -> float:
        """How far around its lead a following camera sees: all that stays with the lead, and something of the way."""
        lead = self.actors[self.lead].position
        way = float(np.linalg.norm(np.ptp(lead, axis=0)))
        away = [
            float(np.linalg.norm(a.position - lead, axis=1).max()) + a.reach
            for a in self.actors
            if a.kind not in SUPPORTS and len(a.position) > 1
        ]
        return max(4 * self.reach, *(2 * each for each in away if each < way / 2), 0.0)


def film_of(
    model: Model, data: xr.Dataset, shapes: Sequence[Shape], frames: int, follow: bool | None, playback: float
) -> Film:
    """The film of a motion; the software follows the actors where they are small beside their way."""
    samples = _Samples(model, data, frames)
    places = [_series(samples.evaluate(shape.position or (zero,) * 3).T) for shape in shapes]
    _refuse_infinite(model, samples, places)
    extent = min(_extent(shapes, places), _BODIES * _stated(shapes, samples))
    actors = [_actor(shape, place, samples, extent) for shape, place in zip(shapes, places, strict=True)]
    keys = _keys(actors)
    grounded = tuple(
        _grounded(a, shape, keys)
        if a.kind == "plane"
        else _surfaced(a, shape, keys, samples)
        if a.kind == "surface"
        else a
        for a, shape in zip(actors, shapes, strict=True)
    )
    framed = [_corners(a) for a in grounded if a.framed]
    film = Film(model.name, samples.times, grounded, np.vstack([keys, *framed]), False, playback)
    small = 0 < film.reach < 0.035 * float(np.linalg.norm(np.ptp(keys[:, :3], axis=0)))
    # A size that was chosen by the extent says nothing about the way, and a support of a size of its own is meant to be seen.
    sized = any(s.sizes or s.to or s.points or s.kind == "convex" for s in shapes if s.kind not in SUPPORTS)
    return replace(film, follow=small and sized and not framed if follow is None else follow)


# The actors: series of places, turns and sizes.


_SHARES = {"sphere": 0.05, "disc": 0.05, "wheel": 0.05, "cylinder": 0.04, "point": 0.012, "arrow": 0.1}
"""First sizes as a share of the extent; 0.08 for the others."""
_BODIES = 10.0
"""The extent beside which such shares look right, as a multiple of the largest size that is given."""
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
    ("surface", "offset"): 0.0,
}
"""The other sizes as a share of the first."""
_EDGES = ("length", "width", "height")
_KEYS = 80
"""Places of each actor at which it must be in the picture."""
_ROUGH = 1e-3
"""How far a matrix may be from a rotation: between the times of a coarse motion its entries are interpolated."""


def _series(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """One row where all are the same."""
    return values[:1] if np.ptp(values, axis=0).max(initial=0.0) == 0 else values


def _refuse_infinite(model: Model, samples: _Samples, places: Sequence[NDArray[np.float64]]) -> None:
    for k, place in enumerate(places, 1):
        if bad := np.flatnonzero(~np.isfinite(place).all(axis=1)).tolist():
            raise NotSupportedError(
                f"{model.name}: shape {k} of the scene has no finite position at t = {samples.times[bad[0]]:.6g}; "
                "correct the scene, or end the motion earlier."
            )


def _extent(shapes: Sequence[Shape], places: Sequence[NDArray[np.float64]]) -> float:
    """The diagonal of the box around all positions, 1 where nothing moves."""
    every = [place for shape, place in zip(shapes, places, strict=True) if shape.kind not in SUPPORTS]
    return float(np.linalg.norm(np.ptp(np.vstack(every), axis=0))) or 1.0 if every else 1.0


def _stated(shapes: Sequence[Shape], samples: _Samples) -> float:
    """The largest size that the scene says, infinite where it says none: what has no size is as large as what has one."""
    values = [value for shape in shapes if shape.kind not in SUPPORTS for _, value in shape.sizes]
    return float(samples.evaluate(values).max(initial=0.0)) or math.inf


def _actor(shape: Shape, place: NDArray[np.float64], samples: _Samples, extent: float) -> Actor:
    sizes, turn = _sizes(shape, samples, extent), _turn(shape.kind, shape.rotation, samples)
    if shape.to is not None:
        ray = samples.evaluate(shape.to).T - place
        sizes["length"] = np.linalg.norm(ray, axis=1)
        if all(word != "radius" for word, _ in shape.sizes):
            sizes["radius"] = np.full(len(ray), _RATIOS[shape.kind, "radius"] * sizes["length"].max())
        turn = along(ray)
    if shape.spin is not None and any(entry != 0 for entry in shape.spin):
        turn = multiply(_spun(shape.spin, samples), turn)
    drawn = bool(SIZES[shape.kind])
    scale = np.column_stack(np.broadcast_arrays(*stretch(shape.kind, sizes))) if drawn else np.ones((1, 3))
    flat = _series(samples.evaluate([entry for point in shape.points for entry in point]).T)
    points = flat.reshape(len(flat), len(shape.points), 3)
    for what, values in (("size", scale), ("rotation", turn), ("point", points)):
        if not np.isfinite(values).all() or (what == "rotation" and (np.linalg.norm(values, axis=1) < 1e-9).any()):
            raise NotSupportedError(
                f"the {shape.kind} of the scene has a {what} that is no number, or zero, at some time; correct it."
            )
    own = convex(_form(shape, samples, NORMAL), samples.values) if shape.kind == "convex" else None
    if own is not None and not np.isfinite(own.vertices).all():
        raise NotSupportedError(
            "the convex body of the scene has a support function without a gradient; round it a little."
        )
    turns = _series(smooth(turn))
    return Actor(
        shape.kind, shape.colour, shape.trail, place, turns, _series(scale), points, clear=shape.clear, own=own
    )


def _form(shape: Shape, samples: _Samples, own: Sequence[Symbol]) -> Expr:
    """The expression of a surface or a convex body, which stays the same along the motion."""
    assert shape.equation is not None  # the scene is not read without
    if strange := sorted(s.name for s in shape.equation.free_symbols - set(own) - set(samples.values)):
        raise NotSupportedError(
            f"{samples.model.name}: the expression of a {shape.kind} in the scene uses {strange[0]}, which changes with the motion; "
            "use parameters, and move it with `position`, `rotation` and `spin`."
        )
    return shape.equation


def _turn(kind: str, rotation: Rotation, samples: _Samples) -> NDArray[np.float64]:
    values = samples.evaluate(rotation.entries)
    if rotation.kind == "steps":
        return from_steps(rotation.axes, values)
    if rotation.kind == "quaternion":
        return values.T
    R = values.T.reshape(-1, 3, 3)
    away = abs(R @ R.transpose(0, 2, 1) - np.eye(3)).max(axis=(1, 2))
    for flaw, what in ((away > _ROUGH, "is not orthonormal"), (np.linalg.det(R) < 0, "reflects")):
        if bad := np.flatnonzero(flaw).tolist():
            raise NotSupportedError(
                f"the {kind} of the scene has a rotation matrix that {what} at t = {samples.times[bad[0]]:.6g}; give a rotation."
            )
    return from_matrix(values)


def _spun(spin: Vector, samples: _Samples) -> NDArray[np.float64]:
    """What an angular velocity adds up to; between frames it is looked at in four steps."""
    fine = samples.finer(4)
    return from_spin(fine.evaluate(spin), float(fine.times[1] - fine.times[0]), 2)


def _sizes(shape: Shape, samples: _Samples, extent: float) -> dict[str, NDArray[np.float64]]:
    """Every size of a shape, given or chosen."""
    given = dict(zip((word for word, _ in shape.sizes), samples.evaluate([v for _, v in shape.sizes]), strict=True))
    for word, values in given.items():
        if word != "offset" and (bad := np.flatnonzero(values < 0).tolist()):
            raise NotSupportedError(
                f"the {shape.kind} of the scene has the {word} {values[bad[0]]:.6g} at t = {samples.times[bad[0]]:.6g}; give "
                "one that is not negative."
            )
    words = SIZES[shape.kind]
    if not words:
        return {}
    first = given.get(words[0], np.array([_SHARES.get(shape.kind, 0.08) * extent]))
    return {word: given.get(word, first * _RATIOS.get((shape.kind, word), 1.0)) for word in words}


def _keys(actors: Sequence[Actor]) -> NDArray[np.float64]:
    rows = []
    for actor in actors:
        if actor.kind in SUPPORTS:
            continue
        chosen = actor.position[:: max(1, len(actor.position) // _KEYS)]
        rows.append(np.column_stack([chosen, np.full(len(chosen), actor.reach)]))
    return np.vstack(rows) if rows else np.array([[0.0, 0.0, 0.0, 1.0]])


def _corners(actor: Actor) -> NDArray[np.float64]:
    """The corners of a support along the motion, as keys."""
    ends = np.array([-actor.scale[0] / 2, actor.scale[0] / 2]) * [1, 1, 0]
    if actor.own is not None:
        inside = actor.own.vertices if len(actor.own.vertices) else np.zeros((1, 3))
        ends = np.array([inside.min(axis=0), inside.max(axis=0)])
    box = np.array([[ends[i, 0], ends[j, 1], ends[k, 2]] for i, j, k in np.ndindex(2, 2, 2)])
    frames = max(len(actor.position), len(actor.turn))
    places = []
    for k in range(0, frames, max(1, frames // _KEYS)):
        place, turn = actor.position[k % len(actor.position)], actor.turn[k % len(actor.turn)]
        places.append(place + box @ matrix_of(turn.tolist()).T)
    found = np.vstack(places)
    return np.column_stack([found, np.zeros(len(found))])


def _grounded(actor: Actor, shape: Shape, keys: NDArray[np.float64]) -> Actor:
    """A plane with the place and the sizes that it was not given, and the step of its grid."""
    position, scale, turn = actor.position, actor.scale.copy(), matrix_of(actor.turn[0].tolist())
    # In the axes of the plane: along, across and above it.
    centre = np.zeros(3) if shape.position is None else position.mean(axis=0)
    places, radii = (keys[:, :3] - centre) @ turn, keys[:, 3:]
    low, high = (places - radii).min(axis=0), (places + radii).max(axis=0)
    middle = (low + high) / 2
    sides = high - low if shape.position is None else 2 * np.maximum(abs(low), abs(high))
    if len(actor.turn) > 1:
        # Whatever turns below a thing must be as wide in all directions.
        sides = np.full(3, 2 * float((np.hypot(*places[:, :2].T) + radii[:, 0]).max()))
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
    return replace(actor, position=position, scale=scale, step=step, framed=bool(given))


def _surfaced(actor: Actor, shape: Shape, keys: NDArray[np.float64], samples: _Samples) -> Actor:
    """A surface as a mesh: the part of it in a box around the motion, or of the sizes that were given."""
    equation = _form(shape, samples, PLACE)
    places = (keys[:, :3] - actor.position.mean(axis=0)) @ matrix_of(actor.turn[0].tolist())
    radii = keys[:, 3:]
    low, high = (places - radii).min(axis=0), (places + radii).max(axis=0)
    if len(actor.turn) > 1:
        wide = float((np.linalg.norm(places, axis=1) + radii[:, 0]).max())
        low, high = np.full(3, -wide), np.full(3, wide)
    margin, middle = 0.08 * (high - low).max() or 1.0, (low + high) / 2
    given, sides = dict(zip(SIZES["surface"], actor.scale[0], strict=False)), high - low + 2 * margin
    chosen = {word for word, _ in shape.sizes}
    sides = np.maximum(sides, 0.4 * sides.max())
    sides = np.array([given[word] if word in chosen else side for word, side in zip(_EDGES, sides, strict=True)])
    offset = float(_sizes(shape, samples, 1.0)["offset"][0])
    found = patch(equation, samples.values, middle - sides / 2, middle + sides / 2, offset)
    if found is None and not has_points(equation, samples.values, middle, float(sides.max())):
        raise NotSupportedError(
            f"{samples.model.name}: the equation of a surface in the scene changes its sign nowhere, so that there is no surface "
            "to draw; correct it."
        )
    # A surface that does not pass near the motion is nowhere in the picture.
    framed = found is not None and bool(chosen & set(_EDGES))
    return replace(actor, scale=np.ones((1, 3)), own=found or Mesh(np.zeros((0, 3)), (), ()), framed=framed)


def _round_step(length: float) -> float:
    """1, 2 or 5 times a power of ten, 8 to 20 times in a length.

    >>> _round_step(30.0)
    2.0
    """
    power = 10.0 ** math.floor(math.log10(length / 8))
    return next(power * k for k in (1, 2, 5, 10) if length / (power * k) <= 20)


# A motion at evenly spaced times, by cubic Hermite interpolation in each step $h$ of the dataset,
#
# .. math:: x(t_k + sh) = h_{00}x_k + h_{10}h\dot x_k + h_{01}x_{k+1} + h_{11}h\dot x_{k+1},
#
# with $h_{00} = (1 + 2s)(1-s)^2$, $h_{10} = s(1-s)^2$, $h_{01} = s^2(3-2s)$, $h_{11} = s^2(s-1)$. Coordinates take their rates from
# the velocities, velocities from the accelerations, so that a coarse grid of times still plays smoothly.


_ROUNDS = 12
"""Enough for the six invariants of a rotation matrix, each of which disturbs the others a little."""


def hermite(
    grid: NDArray[np.float64], values: NDArray[np.float64], rates: NDArray[np.float64], times: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Values (row, time) with their rates on an increasing grid, at other times inside it."""
    k = np.clip(np.searchsorted(grid, times, side="right") - 1, 0, len(grid) - 2)
    h = grid[k + 1] - grid[k]
    s = (times - grid[k]) / h
    left = (1 - s) ** 2 * ((1 + 2 * s) * values[:, k] + s * h * rates[:, k])
    right = s**2 * ((3 - 2 * s) * values[:, k + 1] + (s - 1) * h * rates[:, k + 1])
    return np.asarray(left + right)


def instants(name: str, data: xr.Dataset) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
    """The times of a motion, increasing, and where they are; refused where there is nothing to play."""
    # Pieces of a motion share their ends, and a motion may run backwards.
    grid, first = np.unique(np.asarray(data["time"].values, dtype=float), return_index=True)
    if not np.isfinite(grid).all():
        raise NotSupportedError(f"{name}: a time of the motion is no number; drop it.")
    if len(grid) < 2:
        many = "a single time" if len(grid) else "no time"
        raise NotSupportedError(f"{name}: the motion has {many}; an animation needs at least two.")
    return grid, first


@final
class _Samples:
    """States (coordinates and velocities, frame) of a motion at ``count`` times, and any expression along them."""

    def __init__(self, model: Model, data: xr.Dataset, count: int) -> None:
        self.model, self._data = model, data
        found = json.loads(str(data.attrs.get("parameters", "{}")))
        # No shape depends on inputs.
        self.parameters = [0.0 if s.name in model.inputs else found[s.name] for s in model.parameter_symbols]
        grid, first = instants(model.name, data)
        q, w, a = (np.asarray(data[name].values, dtype=float).T[:, first] for name in ("q", "velocity", "acceleration"))
        if bad := np.flatnonzero(~np.isfinite(np.vstack([q, w, a])).all(axis=0)).tolist():
            raise NotSupportedError(
                f"{model.name}: the motion has a value that is no number at t = {grid[bad[0]]:.6g}; end it earlier."
            )
        self.times = grid
        self.states = np.vstack([q, w])
        rates = model.frame.coordinate_rates(model.velocities)
        q_dot = self.evaluate([rates[c] for c in model.coordinates])
        self.times = np.linspace(grid[0], grid[-1], count)
        self.states = hermite(grid, self.states, np.vstack([q_dot, a]), self.times)
        self._keep_invariants()

    def _keep_invariants(self) -> None:
        r"""Between the times of the dataset a quaternion loses its length: $x \leftarrow x - \Phi\,\nabla\Phi/|\nabla\Phi|^2$ in turn."""
        held = [c.declared if c.position is None else c.position for c in self.model.invariants]
        for _ in range(_ROUNDS if len(held) > 1 else 4):
            for each in held:
                value, *slope = self.evaluate([each, *gradient(each, self.model.coordinates)])
                g = np.array(slope)
                self.states[: len(g)] -= value * g / (g * g).sum(axis=0)

    def finer(self, parts: int) -> _Samples:
        """The same motion with ``parts`` times as many steps."""
        return _Samples(self.model, self._data, parts * (len(self.times) - 1) + 1)

    @property
    def values(self) -> dict[Symbol, float]:
        """The parameters."""
        return dict(zip(self.model.parameter_symbols, self.parameters, strict=True))

    def evaluate(self, expressions: Sequence[Expr]) -> NDArray[np.float64]:
        """Shape (expression, frame)."""
        if not expressions:
            return np.zeros((0, len(self.times)))
        symbols = (*self.model.coordinates, *self.model.velocities)
        program = lower(symbols, self.model.parameter_symbols, [], expressions)
        return NumpyBackend().compile(program)(self.times, self.states, self.parameters)
