"""The small pictures of the catalogue: ``python -m anholonomy.studio.thumbnails`` draws them again, all or those that are named."""

from __future__ import annotations

import io
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from anholonomy.base.files import write_whole
from anholonomy.catalogue import ENTRIES
from anholonomy.show.animation.animate import animate
from anholonomy.show.animation.film import Film
from anholonomy.show.animation.movie import draw_frame, fitting_camera

__all__ = ["draw", "place"]

_SIZE, _DPI = (6.4, 4.0), 60
"""Inches, and points in an inch: what fills a card on a screen of twice the density."""
_MOMENT = 0.45
"""The share of the motion at which it is shown."""
_SMALL = 0.1
"""Bodies that are smaller beside their way are shown from near by."""
_NEARER = 0.72
"""How much nearer than a camera that goes along."""


def place(key: str) -> Path:
    """The file of a picture."""
    return Path(__file__).with_name("web") / "thumbs" / f"{key}.webp"


def draw(key: str) -> bytes:
    """The picture of an entry in the middle of its motion."""
    entry = ENTRIES[key]
    run = entry.make().simulate(entry.start, until=entry.until, tolerance=1e-9, project=True)
    film = animate(run, frames=300).film
    way = float(np.linalg.norm(np.ptp(film.keys[:, :3], axis=0)))
    near = film.follow or 0 < film.reach < _SMALL * way
    return _written(replace(film, follow=near))


def _written(film: Film) -> bytes:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from PIL import Image

    figure = Figure(figsize=_SIZE, dpi=_DPI, facecolor="#f8fafc")
    ax = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    camera, half = fitting_camera(film, _SIZE[0] / _SIZE[1])
    if film.follow:
        camera = replace(camera, distance=_NEARER * camera.distance)
    ax.set_axis_off()
    ax.set_xlim(-half * _SIZE[0] / _SIZE[1], half * _SIZE[0] / _SIZE[1])
    ax.set_ylim(-half, half)
    ax.autoscale(False)
    draw_frame(ax, film, camera, int(_MOMENT * len(film.times)))
    for clock in ax.texts:
        clock.remove()
    canvas: Any = FigureCanvasAgg(figure)
    canvas.draw()
    out = io.BytesIO()
    Image.fromarray(np.asarray(canvas.buffer_rgba())).convert("RGB").save(out, "WEBP", quality=82, method=6)
    return out.getvalue()


if __name__ == "__main__":
    for name in sys.argv[1:] or ENTRIES:
        place(name).parent.mkdir(exist_ok=True)
        write_whole(place(name), draw(name))
        print(name, place(name).stat().st_size)
