"""The package that widgets need."""

from __future__ import annotations

from typing import Any

from anholonomy.refusals import NotCovered

__all__ = ["anywidget_for"]


def anywidget_for(what: str) -> Any:
    """The module, or a sentence that says how to get it."""
    try:
        import anywidget
    except ImportError:
        raise NotCovered(
            f"{what} needs anywidget, which is not installed; `pip install anywidget` (the extra `notebook`) brings it, and "
            "`run.animate()` shows a film without it."
        ) from None
    return anywidget
