"""Tables on the terminal: Rich decides about colour, a pipe gets plain unwrapped lines."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["console", "print_sections", "print_table"]

_ENDLESS = 10_000
"""Columns of a pipe: whoever reads it wraps as they like."""


def console(stderr: bool = False) -> Console:
    """A console that takes every text literally: no markup, no emoji, no guessed highlights."""
    from rich.console import Console

    stream = sys.stderr if stderr else sys.stdout
    width = None if stream.isatty() else _ENDLESS
    return Console(file=stream, width=width, markup=False, emoji=False, highlight=False)


def print_table(head: Sequence[str], rows: Sequence[Sequence[str]], title: str | None = None) -> None:
    """Aligned columns, wrapped only where a terminal is too narrow."""
    from rich.table import Table

    table = Table(*head, box=None, header_style="bold", title_style="bold", title_justify="left", pad_edge=False)
    table.show_header = any(head)
    for column in table.columns:
        column.overflow = "fold"
    for row in rows:
        table.add_row(*row)
    out = console()
    if title:
        out.print(title, style="bold", soft_wrap=True)
    with out.capture() as drawn:
        out.print(table)
    # Rich fills the last column with blanks; they would end up in files.
    print("\n".join(line.rstrip() for line in drawn.get().splitlines()))


def print_sections(title: str, sections: dict[str, list[str]]) -> None:
    """Headings with indented lines under them; lines are never wrapped, so that they can be copied."""
    out = console()
    out.print(title, style="bold", soft_wrap=True)
    for heading, lines in sections.items():
        out.print(f"  {heading}", style="cyan", soft_wrap=True)
        for line in lines:
            out.print(f"    {line}", soft_wrap=True)
