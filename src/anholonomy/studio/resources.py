"""The files of the page, read once and served by their names; there are no others."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files

__all__ = ["resources"]

_KINDS = {
    ".html": "text/html",
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".webp": "image/webp",
}


@cache
def resources() -> Mapping[str, tuple[bytes, str]]:
    """Content and type by name; the player is the one that reports and notebooks have."""
    found = {}
    web = files("anholonomy.studio") / "web"
    rooms = {"": web, "thumbs/": web / "thumbs", "player/": files("anholonomy.show.animation") / "web"}
    for prefix, room in rooms.items():
        for each in room.iterdir() if room.is_dir() else ():
            ending = each.name[each.name.rfind(".") :]
            if ending in _KINDS:
                found[prefix + each.name] = (each.read_bytes(), _KINDS[ending])
    return found
