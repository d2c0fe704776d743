"""A report in a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from anholonomy.disk import place_for, write_whole
from anholonomy.refusals import BrokenFile
from anholonomy.reports.contents import contents_of
from anholonomy.reports.page import page

__all__ = ["write_report"]


def write_report(
    system: Any,
    path: str | Path,
    start: Mapping[str, Any] | None,
    until: float | None,
    limit: float | None,
    facts: Sequence[str] = (),
    references: Sequence[str] = (),
    description: str = "",
) -> Path:
    """Ask, and write; the place is looked at first."""
    place_for(path)
    if Path(path).suffix.lower() not in (".html", ".htm"):
        raise BrokenFile(f"{path} is no page; give a name that ends in .html.")
    write_whole(path, page(contents_of(system, start, until, limit, facts, references, description)))
    return Path(path)
