"""From a motion to an animation: choose the scene, sample it, and hand it to a page or to a moving picture."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from numbers import Integral
from pathlib import Path
from typing import TYPE_CHECKING, Any, final

import numpy as np

from anholonomy.base.errors import FileError, NotSupportedError, quoted
from anholonomy.base.files import path_of, write_whole, writing
from anholonomy.base.tolerances import snapped
from anholonomy.language.arguments import finite
from anholonomy.show.animation.default_scene import usual_scene
from anholonomy.show.animation.film import MOST_PICTURES, SUPPORTS, Actor, Film, film_of, instants
from anholonomy.show.animation.rotations import matrix_of
from anholonomy.show.style import DrawnMotion, colour_of, refuse_unless_motion
from anholonomy.system.declaration.declare import scene_for

if TYPE_CHECKING:
    import xarray as xr

    from anholonomy.system.model import Model

__all__ = ["KINDS", "Animation", "animate", "animate_both", "both_films", "check_kind"]

KINDS = (".html", ".gif", ".mp4")

_PER_SECOND = 30
"""Pictures a second that look smooth."""
_FEWEST, _MOST = 150, 1000
"""Pictures of an animation, unless more are asked for."""
_LIGHTER = 0.55
"""How much white is in the colours of a second motion."""


@final
@dataclass(frozen=True)
class Animation:
    """A film of a motion. In a notebook it shows itself; `save` writes it as a page or as a moving picture."""

    film: Film

    def html(self) -> str:
        """A page that needs no network: drag to turn, wheel to zoom, a slider for the time."""
        from anholonomy.show.animation.page import page

        return page(self.film)

    def save(self, path: str | Path, *, seconds: float | None = None, rate: int = 20) -> int:
        """Write ``.html``, ``.gif`` or ``.mp4`` and return how many frames it has.

        ``seconds`` is how long a moving picture lasts, by default as long as the page plays, at most 12; ``rate`` its
        pictures in a second, of which there are no more than frames. An existing file is replaced only when the new one is
        complete.
        """
        target = check_kind(path)
        if target.suffix.lower() == ".html":
            write_whole(target, self.html())
            return len(self.film.times)
        from anholonomy.show.animation.movie import write_movie

        with writing(target) as partial:
            return write_movie(self.film, partial, seconds, rate)

    def _repr_html_(self) -> str:
        from anholonomy.show.animation.page import embedded

        return embedded(self.film)

    def __repr__(self) -> str:
        first, last = self.film.times[0], self.film.times[-1]
        return f"Animation({self.film.title!r}, {len(self.film.times)} frames, t = {first:g} … {last:g})"


def check_kind(path: str | Path) -> Path:
    """Refuse a name that says no kind of animation, or one that nothing here can write."""
    target = path_of(path)
    if target.suffix.lower() not in KINDS:
        raise FileError(f"cannot animate to {target}: the name of an animation ends in {', '.join(KINDS)}.")
    if target.suffix.lower() == ".mp4":
        from anholonomy.show.animation.movie import find_ffmpeg

        if find_ffmpeg() is None:
            raise NotSupportedError(
                f"{target} needs ffmpeg, which is not installed; `pip install imageio-ffmpeg` (the extra `video`) brings one, or "
                "save as .gif or .html."
            )
    return target


def animate(
    motion: DrawnMotion,
    *,
    scene: Sequence[Mapping[str, Any]] | None = None,
    frames: int | None = None,
    follow: bool | None = None,
    playback: float | None = None,
) -> Animation:
    """The film of a motion, from the scene given, or that of its declaration, or the usual one.

    ``frames`` are spaced evenly in time; ``playback`` is how much motion time passes in a second; ``follow`` lets the camera go along.
    """
    refuse_unless_motion(motion)
    return Animation(_film(motion.model, motion.data, scene, frames, follow, playback))


def _film(
    model: Model,
    data: xr.Dataset,
    scene: Sequence[Mapping[str, Any]] | None = None,
    frames: int | None = None,
    follow: bool | None = None,
    playback: float | None = None,
) -> Film:
    if follow is not None and not isinstance(follow, bool):
        raise NotSupportedError(
            f"{model.name}: follow={quoted(follow)} says nothing; say True, False, or None to let it be chosen."
        )
    shapes = (model.scene if scene is None else scene_for(model, scene)) or usual_scene(model)
    grid, _ = instants(model.name, data)
    duration = float(grid[-1] - grid[0])
    playback = _playback(model.name, playback, duration)
    if frames is None:
        frames = int(min(_MOST, max(_FEWEST, math.ceil(_PER_SECOND * duration / playback) + 1)))
    if isinstance(frames, bool) or not isinstance(frames, Integral) or not 2 <= frames <= MOST_PICTURES:
        raise NotSupportedError(
            f"{model.name}: frames={frames!r} will not do; give a whole number from 2 to {MOST_PICTURES}."
        )
    return film_of(model, data, shapes, int(frames), follow, playback)


def _playback(name: str, playback: float | None, duration: float) -> float:
    """One unit of time a second, unless the motion would be over at once or take more than half a minute."""
    if playback is None:
        return 1.0 if 3 <= duration <= 30 or not duration else duration / 15
    if (rate := finite(playback)) is None or not rate > 0:
        raise NotSupportedError(
            f"{name}: an animation cannot play with playback={quoted(playback)}; give a positive number."
        )
    return rate


def both_films(first: DrawnMotion, second: DrawnMotion, **words: Any) -> tuple[Film, Film]:
    """A film of each of two motions, over the times that both have and on one ground; words are those of `animate`."""
    last = min(float(each.data["time"].values[-1]) for each in (first, second))
    one, other = (each.data.sel(time=snapped(each.data["time"].values, last, last) <= last) for each in (first, second))
    begun = _film(first.model, one, **words)
    films = begun, _film(second.model, other, **{**words, "frames": len(begun.times)})
    planes = [[actor for actor in film.actors if actor.kind == "plane"] for film in films]
    grounds = [_around(*pair) for pair in zip(*planes, strict=True)]
    return _grounded(films[0], grounds), _grounded(films[1], grounds)


def animate_both(first: DrawnMotion, second: DrawnMotion, **words: Any) -> Animation:
    """The film of two motions over the times that both have; words are those of `animate`."""
    one, other = both_films(first, second, **words)
    # What they stand on is drawn once.
    others = [_lighter(actor) for actor in other.actors if actor.kind not in SUPPORTS]
    return Animation(replace(one, actors=(*one.actors, *others), keys=np.vstack([one.keys, other.keys])))


def _grounded(film: Film, grounds: Sequence[Actor]) -> Film:
    left = list(grounds)
    return replace(film, actors=tuple(left.pop(0) if actor.kind == "plane" else actor for actor in film.actors))


def _lighter(actor: Actor) -> Actor:
    code = colour_of(actor.colour).lstrip("#")
    parts = (int(code[k : k + 2], 16) for k in (0, 2, 4))
    mixed = "".join(f"{round(part + _LIGHTER * (255 - part)):02x}" for part in parts)
    return replace(actor, colour=f"#{mixed}")


def _around(first: Actor, second: Actor) -> Actor:
    """A plane as large as two motions need: the rectangle around theirs, where both lie still and alike."""
    if first.framed or any(len(each.position) > 1 or len(each.turn) > 1 for each in (first, second)):
        return first if first.framed or first.scale.max() >= second.scale.max() else second
    axes = matrix_of(first.turn[0].tolist())
    places = [each.position[0] @ axes for each in (first, second)]
    halves = [each.scale[0] / 2 * [1, 1, 0] for each in (first, second)]
    low = np.minimum(*(place - half for place, half in zip(places, halves, strict=True)))
    high = np.maximum(*(place + half for place, half in zip(places, halves, strict=True)))
    middle = np.array([*(low + high)[:2] / 2, low[2]])
    scale = np.array([[*(high - low)[:2], first.scale[0, 2]]])
    return replace(first, position=(axes @ middle)[None, :], scale=scale, step=max(first.step, second.step))
