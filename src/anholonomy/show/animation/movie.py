"""A film as a moving picture: Matplotlib draws, Pillow writes GIF and ffmpeg MP4.

ffmpeg is the one that is installed, or else the one that the package imageio-ffmpeg carries.
"""

from __future__ import annotations

import math
import shutil
from collections.abc import Iterator
from pathlib import Path
from subprocess import CalledProcessError
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from anholonomy.refusals import BrokenFile, NotCovered
from anholonomy.show.animation.film import Film
from anholonomy.show.animation.picture import draw_frame, fitting_camera
from anholonomy.show.animation.sampling import MOST_PICTURES
from anholonomy.show.style import INK, caption

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["find_ffmpeg", "write_movie"]

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
        raise NotCovered(
            f"a moving picture of {seconds} s at {rate} pictures a second is empty; give positive numbers."
        )
    if kind == ".gif" and rate > _FASTEST_GIF:
        raise NotCovered(f"a GIF shows at most {_FASTEST_GIF} pictures a second, not {rate}; save as .mp4.")
    lasting = seconds or min(_LONGEST, float(film.times[-1] - film.times[0]) / film.playback)
    if lasting * rate > MOST_PICTURES:
        raise NotCovered(
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
        raise NotCovered(f"{path.name} needs ffmpeg; `pip install imageio-ffmpeg` brings one.")
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
        raise BrokenFile(
            f"ffmpeg could not write {path.name} (it ended with {problem.returncode}); save as .gif."
        ) from None
