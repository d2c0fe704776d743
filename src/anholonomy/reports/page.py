"""The report as one HTML text: nothing is fetched, and whatever a user named is escaped."""

from __future__ import annotations

import html
from collections.abc import Sequence
from importlib.resources import files
from math import isfinite
from typing import Any

from anholonomy.reports.contents import Contents
from anholonomy.reports.sections import sections_of
from anholonomy.show.animation.page import embeddable, player_module, player_style

__all__ = ["page", "plots_module"]


def page(found: Contents) -> str:
    """All sections."""
    sections = sections_of(found)
    parts = {
        "@title@": html.escape(found.title),
        "@about@": f'<p class="about">{html.escape(found.description)}</p>' if found.description else "",
        "@style@": _resource("report.css") + player_style(),
        "@contents@": "".join(f'<li><a href="#{key}">{key.capitalize()}</a></li>' for key in sections),
        "@body@": "\n".join(sections.values()),
        "@numbers@": embeddable(_numbers(found)),
        "@program@": "\n".join([player_module(), plots_module(), _resource("report.js")]),
    }
    text = _resource("report.html")
    for mark in sorted(parts, key=text.rindex, reverse=True):
        text = parts[mark].join(text.split(mark)) if mark == "@title@" else _put(text, mark, parts[mark])
    return text


def plots_module() -> str:
    """The linked plots as the text of an ES module, which exports ``plotsOn``."""
    return _resource("plots.js")


def _numbers(found: Contents) -> dict[str, Any]:
    panels = [
        {"title": p.title, "curves": {name: _drawn(c) for name, c in p.curves.items()}}
        | ({"units": dict(p.units)} if any(p.units.values()) else {})
        | ({"least": _short(p.least)} if p.least else {})
        for p in found.panels
    ]
    return {"time": found.clock, "times": [_short(t) for t in found.times], "panels": panels, "film": found.film}


def _drawn(values: Sequence[float]) -> list[float | None]:
    """Values with gaps where they are not finite."""
    return [_short(value) if isfinite(value) else None for value in values]


def _short(value: float) -> float:
    """A number with the digits that a plot shows, however close one looks."""
    return float(f"{value:.12g}")


def _put(text: str, mark: str, part: str) -> str:
    before, _, after = text.rpartition(mark)
    return before + part + after


def _resource(name: str) -> str:
    return (files("anholonomy.reports") / "web" / name).read_text(encoding="utf-8")
