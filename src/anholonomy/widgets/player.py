"""The player as a widget of Jupyter, VS Code and marimo."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

from anholonomy.show.animation.film import Film
from anholonomy.show.animation.page import page_data, player_module, player_style
from anholonomy.widgets.needed import anywidget_for

__all__ = ["front_end", "player_widget", "style_of"]


def player_widget(film: Film, height: int = 420) -> Any:
    """A widget with the traits ``film`` (data of a film, which may be replaced), ``time``, ``playing`` and ``height``."""
    base: Any = anywidget_for("a player that can be steered").AnyWidget
    import traitlets

    class Player(base):  # type: ignore[misc]
        """A film that plays; set ``film`` to ``page_data`` of another, ``time`` to go there."""

        _esm = front_end("widget")
        _css = player_style()
        film = traitlets.Dict().tag(sync=True)
        time = traitlets.Float(0.0).tag(sync=True)
        playing = traitlets.Bool(True).tag(sync=True)
        height = traitlets.Int(420).tag(sync=True)

    return Player(film=page_data(film), time=float(film.times[0]), height=height)


def front_end(name: str) -> str:
    """The module of a widget: the player, and what connects it with a model."""
    return f"{player_module()}\n{_resource(f'{name}.js')}"


def style_of(name: str) -> str:
    """The styles of a widget and of its player."""
    return player_style() + _resource(f"{name}.css")


def _resource(name: str) -> str:
    return (files("anholonomy.widgets") / "web" / name).read_text(encoding="utf-8")
