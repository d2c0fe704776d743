r"""Unit meshes: convex polygons in body axes, stretched by three sizes, $X = (s_x\xi, s_y\eta, s_z\zeta)$.

Faces run counterclockwise seen from outside. Large faces are divided, so that painting from back to front needs no depth
buffer, and some are toned darker, so that a rotation about an axis of symmetry is seen.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from itertools import pairwise
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

__all__ = ["Mesh", "globe", "mesh", "stretch"]

Point: TypeAlias = tuple[float, float, float]

DARK, LIGHT = 0.78, 1.0
"""How bright the fields of a surface are, so that one sees it turn."""


class Mesh(NamedTuple):
    """``vertices`` (vertex, xyz); ``faces`` as indices; ``tones``, one for each face, multiply its brightness."""

    vertices: NDArray[np.float64]
    faces: tuple[tuple[int, ...], ...]
    tones: tuple[float, ...]


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
def globe(across: int = 32, up: int = 20) -> Mesh:
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
