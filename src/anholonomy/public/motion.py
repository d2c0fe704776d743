"""`Motion`: a computed motion that can be read, drawn, continued and saved.

How a motion is drawn: figures and films. `Motion` has these verbs, beside those that ask and go on.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from anholonomy.base.errors import Refusal, UnknownName
from anholonomy.base.notebook import folded, framed, picture, table
from anholonomy.motion.trajectory import Trajectory

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from anholonomy.show.animation import Animation

__all__ = ["Drawn"]

_FIGURES = ("phase", "momenta", "reactions", "velocities", "energy", "path")
"""Words for figures; the first three are the names of nothing that is drawn over time."""


class Drawn(Trajectory):
    """A motion that can be drawn."""

    def plot(self, of: Any = None, ax: Axes | Iterable[Axes] | str | Path | None = None) -> Any:
        """The usual picture: the path, the coordinates by kind and size, and the errors in a small panel; returns the axes.

        It is drawn into so many axes, or one (which gets the path), or kept in a file, ``run.plot("motion.png")``.

        A list of names and expressions chooses what is drawn over time instead, as in
        ``run.plot(["theta", "x'*cos(theta)"], "speed.png")``: those of similar size in one panel, or all into one axes. A word chooses a figure:
        ``"phase"`` velocities against coordinates, ``"momenta"``, ``"reactions"``, ``"velocities"`` and ``"energy"`` over time, ``"path"``.
        """
        from anholonomy.show.figures import plot_chosen, plot_motion

        if (word := self._figure(of)) is not None:
            return self._drawn(word, ax)

        if isinstance(of, list | tuple) and any(isinstance(each, str) for each in of):
            return plot_chosen(self, {str(each): self[each] for each in of}, ax=ax)
        if of is not None and ax is not None:
            raise UnknownName(f"{of!r:.60} chooses nothing to draw; give a list of names, such as ['energy'].")
        if isinstance(of, str) and of and not Path(of).suffix:
            raise UnknownName(
                f"cannot draw {of:.60}: the figures are {', '.join(_FIGURES)}; to draw a quantity over time, put it in a list, as in "
                f"run.plot([{of[:60]!r}]), and a file has an ending, as in 'motion.png'."
            )
        return plot_motion(self, ax=of if ax is None else ax)

    def _figure(self, of: Any) -> str | None:
        """The word for a figure; in a list, as the command line gives it, one that names nothing else."""
        if isinstance(of, list | tuple) and len(of) == 1 and of[0] in _FIGURES[:3]:
            of = None if of[0] in self.model.names else of[0]
        return of if isinstance(of, str) and of in _FIGURES else None

    def _drawn(self, word: str, ax: Any) -> Any:
        from anholonomy.show.figures import plot_chosen, plot_energy, plot_path, plot_phase, plot_velocities
        from anholonomy.show.labels import declared_kinds
        from anholonomy.show.panels import momenta, reactions

        if word == "phase":
            return plot_phase(self, ax=ax)
        if word in ("momenta", "reactions"):
            curves, units = (momenta if word == "momenta" else reactions)(self)
            kinds = declared_kinds(self.model)
            return plot_chosen(self, curves, ax, units, word, {name: kinds.get(name[2:], "") for name in curves})
        draw = {"velocities": plot_velocities, "energy": plot_energy, "path": plot_path}[word]
        return draw(self, ax=ax)

    def _repr_html_(self) -> str:
        """What a notebook shows: the picture, the film where the system can be drawn, and how it went."""
        from anholonomy.show.text.summary import summary

        try:
            film = self.animate()._repr_html_() if self.data["time"].size > 1 else ""
        except Refusal:  # it needs a scene
            film = ""
        told = folded("how it went", table(summary(self)))
        return framed(picture(self), film, told, folded("the data", str(self.data._repr_html_())))

    def player(self, *, height: int = 420, **words: Any) -> Any:
        """The film as a widget of a notebook (Jupyter, VS Code, marimo), whose ``time`` and ``film`` can be set; words are those of `animate`.

        It needs anywidget, which the extra ``notebook`` brings.
        """
        from anholonomy.reports.widgets import player_widget

        return player_widget(self.animate(**words).film, height)

    def animate(
        self,
        path: str | Path | None = None,
        *,
        scene: Sequence[Mapping[str, Any]] | None = None,
        frames: int | None = None,
        follow: bool | None = None,
        playback: float | None = None,
    ) -> Animation:
        """The motion as a film, which a notebook shows and ``path`` (.html, .gif, .mp4) keeps.

        It draws ``scene``, by default the system's own; a system with coordinates x and y needs none. ``frames`` are evenly
        spaced, ``playback`` is the motion's time in a second, and with ``follow`` the camera goes along.

        >>> from anholonomy.catalogue import skate
        >>> run = skate().simulate({"x": 0, "y": 0, "theta": 0, "x'": 1, "theta'": 0.5}, until=12)
        >>> run.animate()
        Animation('skate', 361 frames, t = 0 … 12)
        """
        from anholonomy.show.animation import animate

        film = animate(self, scene=scene, frames=frames, follow=follow, playback=playback)
        if path is not None:
            film.save(path)
        return film
