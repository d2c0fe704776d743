r"""A film as one HTML page that needs nothing else: style, program and numbers are inside it.

Positions and sizes travel as 32-bit floats and quaternions as 16-bit integers $\operatorname{round}(32767\,q)$, in base 64: 27
bytes a shape and frame. Whatever a system is called, its name is text: escaped in HTML, and in JSON without ``<``.
"""

from __future__ import annotations

import base64
import html
import json
import re
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anholonomy.show.animation.film import Actor, Film
from anholonomy.show.animation.meshes import Mesh
from anholonomy.show.style import DARK, LIGHT

__all__ = ["embeddable", "embedded", "filled", "packed", "page", "page_data", "player_module", "player_style"]

_IMPORT = re.compile(r"^import .*;\n", re.MULTILINE)
_EXPORT = re.compile(r"^export ", re.MULTILINE)


def page(film: Film) -> str:
    """The page as a text."""
    parts = {
        "title": html.escape(film.title),
        "style": _resource("page.css") + player_style(),
        "program": f"{player_module()}\n{_resource('page.js')}",
        "numbers": embeddable(page_data(film)),
    }
    return filled(_resource("page.html"), parts)


def filled(template: str, parts: Mapping[str, str]) -> str:
    """A template with its parts in the places of their marks; nothing that was put in is looked at again.

    >>> filled("<title>@title@</title>@body@", {"title": "a @body@", "body": "text"})
    '<title>a @body@</title>text'
    """
    return re.sub(r"@(\w+)@", lambda mark: parts[mark[1]], template)


def embeddable(data: Any) -> str:
    """Data as JSON that may stand inside a ``<script>``.

    >>> embeddable({"name": "</script>"})
    '{"name":"\\\\u003c/script\\\\u003e"}'
    """
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=True, allow_nan=False)
    for character in "<>&":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def embedded(film: Film, height: int = 480) -> str:
    """The page in a frame, for notebooks."""
    content = html.escape(page(film), quote=True)
    title = html.escape(film.title, quote=True)
    style = f"width:100%;height:{height}px;border:0"
    return f'<iframe title="{title}" srcdoc="{content}" style="{style}" sandbox="allow-scripts"></iframe>'


def page_data(film: Film) -> dict[str, Any]:
    """What the page's program reads."""
    names = [f"{actor.kind} {k}" if actor.own else actor.kind for k, actor in enumerate(film.actors)]
    meshes = {name: found for name, actor in zip(names, film.actors, strict=True) if (found := actor.mesh) is not None}
    return {
        "title": film.title,
        "start": float(film.times[0]),
        "end": float(film.times[-1]),
        "frames": len(film.times),
        "playback": film.playback,
        "follow": film.follow,
        "lead": film.lead,
        "room": _short(film.room),
        "keys": [[_short(v) for v in row] for row in film.keys.tolist()],
        "actors": [_actor(actor, name) for actor, name in zip(film.actors, names, strict=True)],
        "meshes": {name: _mesh(found) for name, found in sorted(meshes.items())},
        "palette": {"light": LIGHT, "dark": DARK},
    }


def _mesh(m: Mesh) -> dict[str, Any]:
    return {"vertices": [[_short(c) for c in v] for v in m.vertices.tolist()], "faces": m.faces, "tones": m.tones}


def _actor(actor: Actor, mesh: str) -> dict[str, Any]:
    return {
        "kind": actor.kind,
        "mesh": mesh,
        "clear": actor.clear,
        "colour": actor.colour,
        "trail": actor.trail,
        "step": actor.step,
        "count": actor.points.shape[1],
        "position": packed(actor.position),
        "turn": packed(np.rint(32767 * actor.turn), "<i2"),
        "scale": packed(actor.scale),
        "points": packed(actor.points),
    }


def packed(values: NDArray[np.float64], kind: str = "<f4") -> str:
    """Numbers in base 64, by default as 32-bit floats: more digits than a plot can show, and nothing to be read letter by letter."""
    return base64.b64encode(values.astype(kind).tobytes()).decode("ascii")


def _short(value: float) -> float:
    return float(f"{value:.5g}")


def player_module() -> str:
    """The player as the text of one ES module, which exports ``play``: its files joined, without what they ask of one another."""
    parts = [_IMPORT.sub("", _resource(f"{name}.js")) for name in ("numbers", "camera", "painter", "player")]
    return "\n".join([*(_EXPORT.sub("", part) for part in parts[:-1]), parts[-1]])


def player_style() -> str:
    """The style of a player's element, which touches nothing outside it."""
    return _resource("player.css")


def _resource(name: str) -> str:
    return files(__package__ or "anholonomy.show.animation").joinpath("web", name).read_text(encoding="utf-8")
