"""A film as a moving picture: Matplotlib draws, Pillow writes GIF, and ffmpeg, where it is installed, MP4."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from anholonomy.refusals import NotCovered
from anholonomy.show.animation.film import Film
from anholonomy.show.animation.picture import draw_frame, fitting_camera
from anholonomy.show.style import INK, caption

__all__ = ["write_movie"]

_LONGEST = 12.0
"""Seconds, unless asked for more: a GIF grows with every picture."""
_SIZE = (6.4, 4.8)


def write_movie(film: Film, path: Path, seconds: float | None, rate: int) -> None:
    """Write a ``.gif`` or ``.mp4``, as ``path`` ends."""
    from matplotlib.animation import FFMpegWriter, FuncAnimation, PillowWriter
    from matplotlib.figure import Figure

    if rate < 1 or (seconds is not None and not seconds > 0):
        raise NotCovered(
            f"a moving picture of {seconds} s at {rate} pictures a second is empty; give positive numbers."
        )
    lasting = seconds or min(_LONGEST, float(film.times[-1] - film.times[0]) / film.speed)
    chosen = (
        np.linspace(0, len(film.times) - 1, max(2, min(len(film.times), round(lasting * rate)))).round().astype(int)
    )
    figure = Figure(figsize=_SIZE)
    ax = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    camera, half = fitting_camera(film, _SIZE[0] / _SIZE[1])
    ax.set_axis_off()
    ax.set_xlim(-half * _SIZE[0] / _SIZE[1], half * _SIZE[0] / _SIZE[1])
    ax.set_ylim(-half, half)
    ax.autoscale(False)
    figure.text(0.02, 0.97, caption(film.title), ha="left", va="top", color=INK, weight="bold")
    play = FuncAnimation(
        figure, lambda k: draw_frame(ax, film, camera, int(chosen[k])), frames=len(chosen), init_func=lambda: None
    )
    fps = max(1, round(len(chosen) / lasting))
    writer = PillowWriter(fps=fps) if path.suffix == ".gif" else FFMpegWriter(fps=fps)
    play.save(path, writer=writer, dpi=100)
