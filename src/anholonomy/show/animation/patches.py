r"""Meshes of what an expression gives: the part of a surface $F(x, y, z) = 0$ inside a box, a body by its support function.

Where $F$ is linear in $z$ the surface is a graph, $z = -F(x, y, 0)/\partial_zF$, over a grid of the box's floor, and ends where it
passes through the floor or the lid. Elsewhere the box is cut into cells; every cell that the surface passes through has a vertex, moved onto the surface along the gradient,

.. math:: X \leftarrow X - F\,\frac{\nabla F}{|\nabla F|^2},

and the four cells around an edge whose ends have different signs make a face. Vertices of the outermost cells are moved within the
side of the box, so that the part ends there. Faces look to where $F$ grows. A convex body is the image of a sphere of normals,
$x(u) = \partial h/\partial u$.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from anholonomy.compile.backends.numpy import NumpyBackend
from anholonomy.compile.program import lower
from anholonomy.show.animation.meshes import DARK, LIGHT, Mesh, globe
from anholonomy.symbolic.calculus import gradient, partial
from anholonomy.symbolic.expressions import Expr, Symbol
from anholonomy.system.scene import NORMAL, PLACE

__all__ = ["convex", "has_points", "patch"]

Points: TypeAlias = NDArray[np.float64]
Field: TypeAlias = Callable[[Points], Points]
"""Values (value, point) of expressions at points (xyz, point)."""

_ACROSS = 24
"""Cells along the longest side of the box."""
_RINGS = (0.75, 0.5, 0.25)
"""Where a flat end of a body is divided, as a share of its radius."""
_NEAR = 1e-6
"""How far from its height a cut may be; beyond, the graph jumps over it."""


def patch(
    equation: Expr, parameters: Mapping[Symbol, float], low: Points, high: Points, offset: float = 0.0
) -> Mesh | None:
    """The mesh of a surface between two corners, moved by ``offset`` against its normal; None where there is nothing."""
    sides = np.maximum(high - low, 1e-3 * (high - low).max())
    counts = np.maximum(4, np.ceil(_ACROSS * sides / sides.max())).astype(int)
    ticks = [np.linspace(middle - side / 2, middle + side / 2, n + 1)
             for middle, side, n in zip((low + high) / 2, sides, counts, strict=True)]  # fmt: skip
    slope = gradient(equation, PLACE)
    fields = _fields([equation, *slope], PLACE, parameters)
    with np.errstate(all="ignore"):
        found = _graph(fields, ticks) if partial(slope[2], PLACE[2]) == 0 and slope[2] != 0 else _net(fields, ticks)
        if found is None:
            return None
        vertices, faces, tones = found
        _, *normal = fields(vertices.T)
        n = np.array(normal)
        vertices = vertices - offset * (n / np.linalg.norm(n, axis=0)).T
    sound = np.isfinite(vertices).all(axis=1)
    kept = [k for k, face in enumerate(faces) if all(sound[c] for c in face)]
    if not kept:
        return None
    faces, tones = [tuple(int(c) for c in faces[k]) for k in kept], [tones[k] for k in kept]
    return _used(vertices, faces, tones)


def has_points(equation: Expr, parameters: Mapping[Symbol, float], about: Points, size: float) -> bool:
    """Whether an equation changes its sign anywhere near or far: on spheres of many sizes about a place and the origin."""
    radii = size * np.concatenate([[0.0], 10 ** np.linspace(-2, 6, 33)])
    shells = (radii[:, None, None] * globe().vertices[::5]).reshape(-1, 3)
    with np.errstate(all="ignore"):
        (values,) = _fields([equation], PLACE, parameters)(np.vstack([shells, shells + about]).T)
    return bool((values == 0).any() or ((values > 0).any() and (values < 0).any()))


def convex(support: Expr, parameters: Mapping[Symbol, float]) -> Mesh:
    """The convex body with a support function of its normal."""
    normals = globe()
    with np.errstate(all="ignore"):
        points = _fields(list(gradient(support, NORMAL)), NORMAL, parameters)(normals.vertices.T)
    return _with_parted_lids(normals._replace(vertices=points.T))


def _with_parted_lids(body: Mesh) -> Mesh:
    """Where a pole is spread over a flat end, that is divided into rings, because large faces are painted in the wrong order."""
    vertices, faces, tones = [*body.vertices], [*body.faces[2:]], [*body.tones[2:]]
    for lid in body.faces[:2]:
        outer, ring = body.vertices[list(lid)], list(lid)
        middle = outer.mean(axis=0)
        wide = np.ptp(outer, axis=0).max() > 1e-3 * np.ptp(body.vertices, axis=0).max()
        for share in _RINGS if wide else ():
            inner = [len(vertices) + k for k in range(len(ring))]
            vertices += [*(middle + share * (outer - middle))]
            around = zip(ring, ring[1:] + ring[:1], inner[1:] + inner[:1], inner, strict=True)
            faces += around
            tones += [LIGHT if 2 * k // len(ring) else DARK for k in range(len(ring))]
            ring = inner
        faces.append(tuple(ring))
        tones.append(LIGHT)
    return Mesh(np.array(vertices), tuple(faces), tuple(tones))


def _fields(expressions: list[Expr], own: Sequence[Symbol], parameters: Mapping[Symbol, float]) -> Field:
    # A parameter of the same name is hidden by the point's.
    values = {s: value for s, value in parameters.items() if s not in own}
    compiled = NumpyBackend().compile(lower(tuple(own), tuple(values), [], expressions))
    return lambda points: np.asarray(compiled(np.zeros(points.shape[1]), points, list(values.values())))


Found: TypeAlias = tuple[Points, list[tuple[int, ...]], list[float]]


def _graph(fields: Field, ticks: list[Points]) -> Found | None:
    """A sheet over the floor of the box, cut where it leaves the box through its lid or its floor."""
    x, y = (each.ravel() for each in np.meshgrid(ticks[0], ticks[1], indexing="ij"))
    F, _, _, rise = fields(np.array([x, y, np.zeros_like(x)]))
    vertices = np.column_stack([x, y, -F / rise])
    z, (low, high) = vertices[:, 2], ticks[2][[0, -1]]
    columns = len(ticks[1])
    places = np.arange(len(x)).reshape(-1, columns)
    edges = np.vstack([np.column_stack([places[:-1].ravel(), places[1:].ravel()]),
                       np.column_stack([places[:, :-1].ravel(), places[:, 1:].ravel()])])  # fmt: skip
    cuts: dict[tuple[int, int, float], int] = {}
    for level in (low, high):
        crossing = edges[(z[edges[:, 0]] < level) != (z[edges[:, 1]] < level)]
        if not len(crossing):
            continue
        found = _cut(fields, vertices[crossing[:, 0]], vertices[crossing[:, 1]], level)
        cuts |= {(int(a), int(b), level): len(vertices) + k for k, (a, b) in enumerate(crossing)}
        vertices = np.vstack([vertices, found])
    faces, tones = [], []
    for i in range(len(ticks[0]) - 1):
        for j in range(columns - 1):
            corners = [i * columns + j, (i + 1) * columns + j, (i + 1) * columns + j + 1, i * columns + j + 1]
            kept = _between(corners, z, low, high, cuts)
            if len(kept) > 2:
                faces.append(tuple(kept if rise[corners[0]] > 0 else kept[::-1]))
                tones.append(_tone(i, j, 0))
    return (vertices, faces, tones) if faces else None


def _cut(fields: Field, first: Points, second: Points, level: float) -> Points:
    """Where a graph passes through a height, between points (·, xyz) on either side of it; nowhere at a pole."""
    below, above = first[:, :2].T, second[:, :2].T
    turned = first[:, 2] >= level
    below, above = np.where(turned, above, below), np.where(turned, below, above)
    for _ in range(60):
        middle = (below + above) / 2
        F, _, _, rise = fields(np.vstack([middle, np.zeros(middle.shape[1])]))
        z = -F / rise
        below, above = np.where(z < level, middle, below), np.where(z < level, above, middle)
    z[abs(z - level) > _NEAR * (1 + abs(level))] = np.nan
    return np.column_stack([middle.T, z])


def _between(
    corners: Sequence[int], z: Points, low: float, high: float, cuts: Mapping[tuple[int, int, float], int]
) -> list[int]:
    """The part of a face between two heights: its corners there, and the cuts of its edges in passing order."""
    kept: list[int] = []
    if not np.isfinite(z[list(corners)]).all():
        return kept
    for a, b in zip(corners, [*corners[1:], corners[0]], strict=True):
        if low <= z[a] <= high:
            kept.append(a)
        levels = (low, high) if z[a] < z[b] else (high, low)
        ends = (min(a, b), max(a, b))
        kept += [cuts[*ends, level] for level in levels if (*ends, level) in cuts]
    return kept


def _net(fields: Field, ticks: list[Points]) -> Found | None:
    """A vertex in every cell with a change of sign, a face around every such edge."""
    grid = np.array([each.ravel() for each in np.meshgrid(*ticks, indexing="ij")])
    shape = tuple(len(each) for each in ticks)
    # A value of exactly zero would count for neither side.
    above = (fields(grid)[0] > 0).reshape(shape)
    corners = np.stack([above[tuple(slice(d, n - 1 + d) for d, n in zip(c, shape, strict=True))]
                        for c in np.ndindex(2, 2, 2)])  # fmt: skip
    mixed = corners.any(axis=0) & ~corners.all(axis=0)
    cells = np.argwhere(mixed)
    if not len(cells):
        return None
    number = np.full(mixed.shape, -1)
    number[tuple(cells.T)] = np.arange(len(cells))
    steps = np.array([each[1] - each[0] for each in ticks])
    lowest, highest = (np.array([each[k] for each in ticks]) for k in (0, -1))
    middles = lowest + (cells + 0.5) * steps
    last = np.array(mixed.shape) - 1
    free = _onto(fields, middles, steps, np.ones_like(cells))
    rim = _onto(fields, np.where(cells == 0, lowest, np.where(cells == last, highest, middles)), steps,
                (cells != 0) & (cells != last))  # fmt: skip
    F, *slope = fields(rim.T)
    close = abs(F) < 1e-6 * steps.max() * np.linalg.norm(slope, axis=0)
    # A surface that runs along a side of the box has no rim there.
    vertices = np.where(close[:, None], rim, free)
    sides = close[:, None] * ((cells == last).astype(int) - (cells == 0))
    faces: list[tuple[int, ...]] = []
    tones: list[float] = []
    for axis in range(3):
        places, rings = _rings(above, number, axis)
        flat = (abs(sides[rings].sum(axis=1)) == 4).any(axis=1)  # in a side of the box
        places, rings = places[~flat], rings[~flat]
        falls = above[tuple(places.T)]
        rings[falls] = rings[falls, ::-1]
        faces += [tuple(ring) for ring in rings.tolist()]
        tones += [_tone(*place) for place in places.tolist()]
    return (vertices, faces, tones) if faces else None


def _rings(above: NDArray[np.bool_], number: NDArray[np.intp], axis: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The edges along an axis with a change of sign, and the four cells around each."""
    first, second = (axis + 1) % 3, (axis + 2) % 3
    places = np.argwhere(np.roll(above, -1, axis) != above)
    last = np.array(above.shape) - 1
    inner = places[:, axis] < last[axis]
    for k in (first, second):
        inner &= (places[:, k] > 0) & (places[:, k] < last[k])
    places = places[inner]
    shifts = np.zeros((4, 3), dtype=np.intp)
    shifts[:, first], shifts[:, second] = (-1, 0, 0, -1), (-1, -1, 0, 0)
    cells = places[:, None] + shifts
    return places, number[cells[..., 0], cells[..., 1], cells[..., 2]]


def _onto(fields: Field, points: Points, steps: Points, loose: NDArray[np.generic]) -> Points:
    """A few steps of Newton's along the gradient, in the ``loose`` directions; none leads beyond the neighbouring cell."""
    moved = points.copy()
    for _ in range(6):
        F, *slope = fields(moved.T)
        g = np.array(slope) * loose.T
        moved = moved - np.nan_to_num((F * g / (g * g).sum(axis=0)).T)
        moved = np.clip(moved, points - 1.5 * steps, points + 1.5 * steps)
    return moved


def _tone(i: int, j: int, k: int) -> float:
    """Blocks of two cells, as on a board, so that a turning surface is seen to turn."""
    return DARK + 0.1 if (i // 2 + j // 2 + k // 2) % 2 else LIGHT


def _used(vertices: Points, faces: list[tuple[int, ...]], tones: list[float]) -> Mesh:
    """Without the vertices that no face has."""
    kept = sorted({c for face in faces for c in face})
    place = {c: k for k, c in enumerate(kept)}
    return Mesh(vertices[kept], tuple(tuple(place[c] for c in face) for face in faces), tuple(tones))
