"""A table with its footnotes, for the terminal and for a file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.console import Console
from rich.table import Table as RichTable

__all__ = ["Table"]


@dataclass(frozen=True)
class Table:
    """``rows`` of words under ``columns``; each note is a sentence below."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    notes: Sequence[str] = ()

    def markdown(self) -> str:
        lines = [self.columns, ["---"] + ["---:"] * (len(self.columns) - 1), *self.rows]
        body = "\n".join("| " + " | ".join(cells) + " |" for cells in lines)
        return "\n\n".join([f"## {self.title}", body, *self.notes]) + "\n"

    def show(self, console: Console) -> None:
        drawn = RichTable(title=self.title, title_justify="left", title_style="bold")
        for i, column in enumerate(self.columns):
            drawn.add_column(column, justify="right" if i else "left")
        for row in self.rows:
            drawn.add_row(*row)
        console.print(drawn)
        for note in self.notes:
            console.print(note, style="dim")
