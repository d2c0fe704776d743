r"""Meshes of unit shapes, of the part of a surface $F(x, y, z) = 0$ inside a box, and of a convex body by its support function.

Where $F$ is linear in $z$ the surface is a graph, $z = -F(x, y, 0)/\partial_zF$, over a grid of the box's floor, and ends where it
passes through the floor or the lid. Elsewhere the box is cut into cells; every cell that the surface passes through has a vertex, moved onto the surface along the gradient,

.. math:: X \leftarrow X - F\,\frac{\nabla F}{|\nabla F|^2},

and the four cells around an edge whose ends have different signs make a face. Vertices of the outermost cells are moved within the
side of the box, so that the part ends there. Faces look to where $F$ grows. A convex body is the image of a sphere of normals,
$x(u) = \partial h/\partial u$.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import pairwise
from typing import NamedTuple, TypeAlias, final

import numpy as np
from numpy.typing import NDArray

from anholonomy.algebra.calculus import gradient, partial
from anholonomy.algebra.expressions import Expr, Symbol
from anholonomy.programs.backends.numpy import NumpyBackend
from anholonomy.programs.program import lower
from anholonomy.system.scene import NORMAL, PLACE

__all__ = ["Mesh", "mesh", "stretch", "convex", "has_points", "patch"]


# Unit meshes: convex polygons in body axes, stretched by three sizes, $X = (s_x\xi, s_y\eta, s_z\zeta)$.
#
# Faces run counterclockwise seen from outside. Large faces are divided, so that painting from back to front needs no depth
# buffer, and some are toned darker, so that a rotation about an axis of symmetry is seen.


Point: TypeAlias = tuple[float, float, float]

DARK, LIGHT = 0.78, 1.0
"""How bright the fields of a surface are, so that one sees it turn."""


@final
class Mesh(NamedTuple):
    """``vertices`` (vertex, xyz); ``faces`` as indices; ``tones``, one for each face, multiply its brightness."""

    vertices: NDArray[np.float64]
    faces: tuple[tuple[int, ...], ...]
    tones: tuple[float, ...]


@final
class _Builder:
    def __init__(self) -> None:
        self.index: dict[Point, int] = {}
        self.faces: list[tuple[int, ...]] = []
        self.tones: list[float] = []

    def add(self, points: Sequence[Sequence[float]], tone: float = LIGHT) -> None:
        corners = [self._corner(point) for point in points]
        kept = tuple(c for k, c in enumerate(corners) if c != corners[k - 1])
        if len(kept) > 2:
            self.faces.append(kept)
            self.tones.append(tone)

    def _corner(self, point: Sequence[float]) -> int:
        x, y, z = (round(float(c), 4) + 0.0 for c in point)
        return self.index.setdefault((x, y, z), len(self.index))

    def mesh(self) -> Mesh:
        return Mesh(np.array(list(self.index)), tuple(self.faces), tuple(self.tones))


@cache
def mesh(kind: str) -> Mesh | None:
    """The unit mesh of a shape; None for what is drawn with lines."""
    make = _MESHES.get(kind)
    if make is None:
        return None
    builder = _Builder()
    make(builder)
    return builder.mesh()


def stretch(kind: str, sizes: dict[str, NDArray[np.float64]]) -> tuple[NDArray[np.float64], ...]:
    """The three factors of a unit mesh, from the sizes of its shape."""
    s = sizes
    if kind in ("sphere", "point"):
        return s["radius"], s["radius"], s["radius"]
    if kind in ("disc", "wheel"):
        axle = (s["radius"], s["radius"], s["thickness"])
        return axle if kind == "disc" else (axle[0], axle[2], axle[1])
    if kind == "cylinder":
        return s["radius"], s["radius"], s["length"]
    if kind == "ellipsoid":
        return s["length"] / 2, s["width"] / 2, s["height"] / 2
    if kind in ("box", "surface"):
        return s["length"], s["width"], s["height"]
    if kind == "blade":
        return s["length"], 0.09 * s["length"], s["height"]
    if kind in ("rod", "arrow"):
        return s["length"], s["radius"], s["radius"]
    return s["length"], s["width"], np.ones_like(s["length"])


def _ring(n: int) -> list[tuple[float, float]]:
    return [(float(np.cos(a)), float(np.sin(a))) for a in np.arange(n + 1) * 2 * np.pi / n]


def _sphere(b: _Builder, across: int = 24, up: int = 12) -> None:
    """Darker and lighter octants."""
    lat = [(float(np.cos(a)), float(np.sin(a))) for a in np.linspace(-np.pi / 2, np.pi / 2, up + 1)]
    ring = _ring(across)
    for i, ((c0, z0), (c1, z1)) in enumerate(pairwise(lat)):
        for j, ((x0, y0), (x1, y1)) in enumerate(pairwise(ring)):
            tone = DARK if (4 * j // across + 2 * i // up) % 2 else LIGHT
            corners = [(c0 * x0, c0 * y0, z0), (c0 * x1, c0 * y1, z0), (c1 * x1, c1 * y1, z1), (c1 * x0, c1 * y0, z1)]
            b.add(corners, tone)


@cache
def _globe(across: int = 32, up: int = 20) -> Mesh:
    """Unit vectors in all directions, with the faces of a sphere; the poles are rings of next to no size, each with a lid.

    What maps directions to points may be singular at a pole and spread it over a lid.
    """
    angles = np.linspace(-np.pi / 2, np.pi / 2, up + 1)
    angles[[0, -1]] = angles[[0, -1]] * (1 - 1e-6)
    turns = np.arange(across) * 2 * np.pi / across
    vertices = [(np.cos(a) * np.cos(b), np.cos(a) * np.sin(b), np.sin(a)) for a in angles for b in turns]
    faces: list[tuple[int, ...]] = [tuple(range(across))[::-1], tuple(up * across + j for j in range(across))]
    tones = [LIGHT, LIGHT]
    for i in range(up):
        for j in range(across):
            left, right = i * across + j, i * across + (j + 1) % across
            faces.append((left, right, right + across, left + across))
            tones.append(DARK if (4 * j // across + 2 * i // up) % 2 else LIGHT)
    return Mesh(np.array(vertices), tuple(faces), tuple(tones))


def _round(b: _Builder, n: int, spokes: int, rim: float, place: Callable[[float, float, float], Point]) -> None:
    """A solid of revolution of height 1 about an axis; ``place`` takes radius components and height to axes."""
    ring = _ring(n)
    for j, ((x0, y0), (x1, y1)) in enumerate(pairwise(ring)):
        tone = DARK if spokes and (2 * spokes * j // n) % 2 else LIGHT
        b.add([place(x0, y0, -0.5), place(x1, y1, -0.5), place(x1, y1, 0.5), place(x0, y0, 0.5)], rim)
        for side, order in ((0.5, 1), (-0.5, -1)):
            inner, wide = 0.84, [place(x0, y0, side), place(x1, y1, side)]
            near = [place(inner * x1, inner * y1, side), place(inner * x0, inner * y0, side)]
            b.add(([*wide, *near])[::order], rim if spokes else tone)
            b.add(([place(0, 0, side), near[1], near[0]])[::order], tone)


def _disc(b: _Builder) -> None:
    _round(b, 36, 2, 0.85, lambda x, y, z: (x, y, z))


def _cylinder(b: _Builder) -> None:
    _round(b, 24, 2, LIGHT, lambda x, y, z: (x, y, z))


def _wheel(b: _Builder) -> None:
    # (x, y, axle) of the disc become (z, x, y): a cyclic change keeps the faces outward.
    _round(b, 36, 3, 0.62, lambda x, y, z: (y, z, x))


def _prism(b: _Builder, profile: Sequence[tuple[float, float]], low: float, high: float) -> None:
    """A convex profile, counterclockwise from above, extruded along z."""
    closed = [*profile, profile[0]]
    for (x0, y0), (x1, y1) in pairwise(closed):
        b.add([(x0, y0, low), (x1, y1, low), (x1, y1, high), (x0, y0, high)])
    b.add([(x, y, high) for x, y in profile])
    b.add([(x, y, low) for x, y in reversed(profile)])


def _box(b: _Builder, parts: int = 4) -> None:
    cuts = np.linspace(-0.5, 0.5, parts + 1)
    for axis in range(3):
        for side in (0.5, -0.5):
            for u0, u1 in pairwise(cuts):
                for v0, v1 in pairwise(cuts):
                    square = [(side, u0, v0), (side, u1, v0), (side, u1, v1), (side, u0, v1)]
                    b.add([np.roll(point, axis).tolist() for point in (square if side > 0 else square[::-1])])


def _blade(b: _Builder) -> None:
    _prism(b, [(-0.5, 0), (-0.36, -0.5), (0.36, -0.5), (0.5, 0), (0.36, 0.5), (-0.36, 0.5)], 0.0, 1.0)


def _tube(b: _Builder, x0: float, x1: float, r0: float, r1: float, parts: int = 1, n: int = 10) -> None:
    """Part of a cone along x, in pieces, closed at both ends."""
    ring, cuts = _ring(n), np.linspace(0, 1, parts + 1)
    steps = [(x0 + c * (x1 - x0), r0 + c * (r1 - r0)) for c in cuts]
    for (p, r), (q, s) in pairwise(steps):
        for (y0, z0), (y1, z1) in pairwise(ring):
            b.add([(p, r * y0, r * z0), (q, s * y0, s * z0), (q, s * y1, s * z1), (p, r * y1, r * z1)][::-1])
    b.add([(x0, r0 * y, r0 * z) for y, z in ring[:-1]][::-1])
    b.add([(x1, r1 * y, r1 * z) for y, z in ring[:-1]])


def _rod(b: _Builder) -> None:
    _tube(b, 0.0, 1.0, 1.0, 1.0, parts=6)


def _arrow(b: _Builder) -> None:
    _tube(b, 0.0, 0.72, 1.0, 1.0, parts=4)
    _tube(b, 0.72, 1.0, 2.6, 0.0)


_MESHES: dict[str, Callable[[_Builder], None]] = {
    "sphere": _sphere,
    "ellipsoid": _sphere,
    "point": lambda b: _sphere(b, 12, 6),
    "disc": _disc,
    "cylinder": _cylinder,
    "wheel": _wheel,
    "box": _box,
    "blade": _blade,
    "rod": _rod,
    "arrow": _arrow,
}


# Surfaces and convex bodies, which expressions give.


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
    shells = (radii[:, None, None] * _globe().vertices[::5]).reshape(-1, 3)
    with np.errstate(all="ignore"):
        (values,) = _fields([equation], PLACE, parameters)(np.vstack([shells, shells + about]).T)
    return bool((values == 0).any() or ((values > 0).any() and (values < 0).any()))


def convex(support: Expr, parameters: Mapping[Symbol, float]) -> Mesh:
    """The convex body with a support function of its normal."""
    normals = _globe()
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
