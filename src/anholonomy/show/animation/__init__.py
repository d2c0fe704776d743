"""A motion that plays: as a page, inline in a notebook, or as a moving picture."""

from __future__ import annotations

from anholonomy.show.animation.animate import Animation, animate

__all__ = ["Animation", "animate"]
