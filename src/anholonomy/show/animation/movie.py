r"""A film as frames drawn by Matplotlib, in a GIF (by Pillow) or an MP4 (by ffmpeg).

A frame shows polygons on paper in perspective, painted from back to front,

.. math:: (u, v) = \frac{(r\cdot(X - c),\; u_p\cdot(X - c))}{d - b\cdot(X - c)}

with the camera at distance $d$ from the target $c$, looking against $b$, with $r$ to its right and $u_p$ up. The ffmpeg is the one
that is installed, or else the one that the package imageio-ffmpeg carries.
"""

from __future__ import annotations

import math
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from subprocess import CalledProcessError
from typing import TYPE_CHECKING, Any, final

import numpy as np
from numpy.typing import NDArray

from anholonomy.base.errors import FileError, NotSupportedError
from anholonomy.show.animation.film import MOST_PICTURES, Actor, Film
from anholonomy.show.animation.rotations import matrix_of
from anholonomy.show.style import INK, LIGHT, caption, colour_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["Camera", "draw_frame", "fitting_camera", "find_ffmpeg", "write_movie"]

# One frame.


_LIGHT = np.array([-0.35, 0.7, 0.55]) / np.linalg.norm([-0.35, 0.7, 0.55])
"""From the left, above and behind the camera, in its axes."""


@final
@dataclass(frozen=True)
class Camera:
    """``axes`` are right, up and back, a row each."""

    axes: NDArray[np.float64]
    target: NDArray[np.float64]
    distance: float

    def seen(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Right, up and depth of points (·, 3)."""
        moved = (points - self.target) @ self.axes.T
        return np.column_stack([moved[:, :2], self.distance - moved[:, 2]])

    def on_paper(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Two coordinates each; what is behind the camera is far off the paper."""
        seen = self.seen(points)
        return seen[:, :2] / np.maximum(seen[:, 2:], 0.02 * self.distance)


def fitting_camera(film: Film, aspect: float, azimuth: float = -60.0, elevation: float = 32.0) -> tuple[Camera, float]:
    """The nearest camera that has all keys in the picture, and the half height of that picture."""
    a, e, half = np.radians(azimuth), np.radians(elevation), np.tan(np.radians(17))
    back = np.array([np.cos(e) * np.cos(a), np.cos(e) * np.sin(a), np.sin(e)])
    right = np.array([-np.sin(a), np.cos(a), 0.0])
    axes = np.array([right, np.cross(back, right), back])
    keys = np.array([[0.0, 0.0, 0.0, film.room]]) if film.follow else film.keys
    places, radii = keys[:, :3], keys[:, 3]
    target = ((places - radii[:, None]).min(axis=0) + (places + radii[:, None]).max(axis=0)) / 2
    distance = 1.0
    for _ in range(6):
        x, y, depth = ((places - target) @ axes.T).T
        distance = float(
            np.max(
                depth + radii + np.maximum((abs(x) + radii) / (0.92 * half * aspect), (abs(y) + radii) / (0.9 * half))
            )
        )
        for axis, along in ((right, x), (axes[1], y)):
            spread = np.concatenate([along - radii, along + radii]) / np.tile(distance - depth, 2)
            target = target + axis * distance * (spread.min() + spread.max()) / 2
    return Camera(axes, target, distance), float(half)


def draw_frame(ax: Axes, film: Film, camera: Camera, frame: int) -> None:
    """Draw one frame on axes that are cleared first."""
    from matplotlib.collections import PolyCollection

    for artist in [*ax.collections, *ax.lines, *ax.patches, *ax.texts]:
        artist.remove()
    if film.follow:
        camera = Camera(camera.axes, _row(film.actors[film.lead].position, frame), camera.distance)
    for actor in film.actors:
        if actor.kind == "plane":
            _draw_plane(ax, actor, camera, frame)
    for actor in film.actors:
        if actor.trail and len(actor.position) > 1:
            on_paper = camera.on_paper(actor.position)
            ax.plot(*on_paper.T, color=LIGHT["trail"], alpha=0.2, linewidth=1.0)
            ax.plot(*on_paper[: frame + 1].T, color=LIGHT["trail"], linewidth=1.6)
        if actor.kind == "polyline":
            points = _in_space(actor, _row(actor.points, frame), frame)
            ax.plot(*camera.on_paper(points).T, color=colour_of(actor.colour), linewidth=2.0)
    faces = sorted((face for actor in film.actors for face in _faces(actor, camera, frame)), key=lambda face: -face[0])
    colours = [colour for _, _, colour in faces]
    edges = [(*rgb, alpha if alpha == 1 else alpha / 2) for *rgb, alpha in colours]
    ax.add_collection(
        PolyCollection([p for _, p, _ in faces], facecolors=colours, edgecolors=edges, linewidths=0.3, zorder=3)
    )
    ax.text(
        0.98, 0.98, f"t = {film.times[frame]:.2f}", transform=ax.transAxes, ha="right", va="top", color=LIGHT["ink"]
    )


def _row(series: NDArray[np.float64], frame: int) -> NDArray[np.float64]:
    return np.asarray(series[min(frame, len(series) - 1)])


def _in_space(actor: Actor, points: NDArray[np.float64], frame: int) -> NDArray[np.float64]:
    return np.asarray(_row(actor.position, frame) + points @ matrix_of(_row(actor.turn, frame).tolist()).T)


def _draw_plane(ax: Axes, actor: Actor, camera: Camera, frame: int) -> None:
    from matplotlib.collections import LineCollection
    from matplotlib.patches import Polygon

    a, b = _row(actor.scale, frame)[:2] / 2

    def at(points: Sequence[tuple[float, float]]) -> NDArray[np.float64]:
        return camera.on_paper(_in_space(actor, np.array([(x, y, 0.0) for x, y in points]), frame))

    ax.add_patch(Polygon(at([(-a, -b), (a, -b), (a, b), (-a, b)]), color=colour_of(actor.colour), zorder=0))
    across, up = (np.arange(-np.floor(c / actor.step), np.floor(c / actor.step) + 1) * actor.step for c in (a, b))
    lines = [at([(x, -b), (x, b)]) for x in across] + [at([(-a, y), (a, y)]) for y in up]
    ax.add_collection(LineCollection(lines, colors=LIGHT["grid"], linewidths=0.6, zorder=1))


def _faces(actor: Actor, camera: Camera, frame: int) -> list[tuple[float, Any, tuple[float, ...]]]:
    """Depth, polygon and colour of the faces that look at the camera."""
    from matplotlib.colors import to_rgb

    found = actor.mesh
    if found is None or not found.faces:
        return []
    vertices = _in_space(actor, found.vertices * _row(actor.scale, frame), frame)
    on_paper, depths = camera.on_paper(vertices), camera.seen(vertices)[:, 2]
    eye, rgb = camera.target + camera.distance * camera.axes[2], np.array(to_rgb(colour_of(actor.colour)))
    # By the diagonals, which have a length even where an edge has none; of a triangle, the fourth corner is the first.
    corners = vertices[np.array([(*face, face[0])[:4] for face in found.faces])]
    normals = np.cross(corners[:, 2] - corners[:, 0], corners[:, 3] - corners[:, 1])
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-300)
    facing = ((eye - corners[:, 0]) * normals).sum(axis=1) > 0
    if actor.clear or actor.kind == "surface":  # the inside is seen, too
        normals, facing = np.where(facing[:, None], normals, -normals), np.ones_like(facing)
    alpha = 0.22 if actor.clear else 1.0
    bright = (0.7 + 0.42 * np.maximum(0, normals @ camera.axes.T @ _LIGHT)) * found.tones
    return [
        (float(depths[list(face)].mean()), on_paper[list(face)], (*_shaded(rgb, bright[k]), alpha))
        for k, face in enumerate(found.faces)
        if facing[k]
    ]


def _shaded(rgb: NDArray[np.float64], s: float) -> NDArray[np.float64]:
    return np.asarray(rgb * s if s <= 1 else rgb + (1 - rgb) * (s - 1))


# The frames in a file.


_LONGEST = 12.0
"""Seconds, unless asked for more: a GIF grows with every picture."""
_FASTEST_GIF = 50
"""Pictures a second; programs that show GIFs slow down anything faster."""
_SIZE = (6.4, 4.8)
_SOME = 6
"""Pictures that tell the colours of all."""


def find_ffmpeg() -> str | None:
    """Where ffmpeg is: on the path (or where Matplotlib was told), or inside imageio-ffmpeg; None where it is not."""
    from matplotlib import rcParams

    found = shutil.which(str(rcParams["animation.ffmpeg_path"]))
    if found is not None:
        return found
    try:
        from imageio_ffmpeg import get_ffmpeg_exe

        return str(get_ffmpeg_exe())
    except (ImportError, RuntimeError):  # not installed, or installed without a binary for this machine
        return None


def write_movie(film: Film, path: Path, seconds: float | None, rate: int) -> int:
    """Write a ``.gif`` or ``.mp4``, as ``path`` ends; the number of pictures in it."""
    lasting, chosen = _pictures(film, seconds, rate, path.suffix)
    if path.suffix == ".gif":
        _write_gif(film, chosen, lasting, path)
    else:
        _write_mp4(film, chosen, lasting, path)
    return len(chosen)


def _pictures(film: Film, seconds: float | None, rate: int, kind: str) -> tuple[float, NDArray[np.int_]]:
    """How long the picture lasts, and the frames of the film that it shows, evenly spaced."""
    numbers = (rate, 1.0 if seconds is None else seconds)
    if any(isinstance(n, bool) or not isinstance(n, int | float) or not 0 < n < math.inf for n in numbers):
        raise NotSupportedError(
            f"a moving picture of {seconds} s at {rate} pictures a second is empty; give positive numbers."
        )
    if kind == ".gif" and rate > _FASTEST_GIF:
        raise NotSupportedError(f"a GIF shows at most {_FASTEST_GIF} pictures a second, not {rate}; save as .mp4.")
    lasting = seconds or min(_LONGEST, float(film.times[-1] - film.times[0]) / film.playback)
    if lasting * rate > MOST_PICTURES:
        raise NotSupportedError(
            f"{lasting:g} s at {rate} pictures a second are more than {MOST_PICTURES} pictures; give fewer."
        )
    count = max(2, min(len(film.times), round(lasting * rate)))
    return lasting, np.linspace(0, len(film.times) - 1, count).round().astype(int)


def _drawn(film: Film, chosen: NDArray[np.int_]) -> Iterator[Figure]:
    """The figure with one picture after the other on it."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=_SIZE, dpi=100)
    ax = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    camera, half = fitting_camera(film, _SIZE[0] / _SIZE[1])
    ax.set_axis_off()
    ax.set_xlim(-half * _SIZE[0] / _SIZE[1], half * _SIZE[0] / _SIZE[1])
    ax.set_ylim(-half, half)
    ax.autoscale(False)
    figure.text(0.02, 0.97, caption(film.title), ha="left", va="top", color=INK, weight="bold")
    for frame in chosen.tolist():
        draw_frame(ax, film, camera, frame)
        yield figure


def _write_gif(film: Film, chosen: NDArray[np.int_], lasting: float, path: Path) -> None:
    from PIL import Image

    # One choice of colours for all: choosing takes longer than drawing, and what stands still has no flicker then.
    some = chosen[np.linspace(0, len(chosen) - 1, min(_SOME, len(chosen))).astype(int)]
    colours = Image.fromarray(np.vstack(list(_pixels(film, some)))).quantize()
    kept = Image.Dither.NONE
    pictures = [Image.fromarray(each).quantize(palette=colours, dither=kept) for each in _pixels(film, chosen)]
    # A GIF counts in hundredths of a second; differences of rounded times add up to the whole.
    ends = np.rint(np.linspace(0, 100 * lasting, len(chosen) + 1))
    shown = (10 * np.maximum(1, np.diff(ends))).astype(int).tolist()
    pictures[0].save(path, save_all=True, append_images=pictures[1:], duration=shown, loop=0)


def _pixels(film: Film, chosen: NDArray[np.int_]) -> Iterator[NDArray[np.uint8]]:
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    for figure in _drawn(film, chosen):
        canvas: Any = FigureCanvasAgg(figure)
        canvas.draw()
        yield np.asarray(canvas.buffer_rgba())[..., :3].copy()


def _write_mp4(film: Film, chosen: NDArray[np.int_], lasting: float, path: Path) -> None:
    from matplotlib import rc_context
    from matplotlib.animation import FFMpegWriter

    program = find_ffmpeg()
    if program is None:
        raise NotSupportedError(f"{path.name} needs ffmpeg; `pip install imageio-ffmpeg` brings one.")
    pictures = _drawn(film, chosen)
    figure = next(pictures)
    try:
        with rc_context({"animation.ffmpeg_path": program}):
            writer = FFMpegWriter(fps=len(chosen) / lasting)  # type: ignore[arg-type]  # a rate need not be whole
            with writer.saving(figure, str(path), 100):
                writer.grab_frame()
                for _ in pictures:
                    writer.grab_frame()
    except CalledProcessError as problem:
        raise FileError(
            f"ffmpeg could not write {path.name} (it ended with {problem.returncode}); save as .gif."
        ) from None
