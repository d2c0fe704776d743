"""Blocks of text beside each other, as many in a row as the page is wide."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from anholonomy.formulations.equations.equations_of_motion import EquationsOfMotion

__all__ = ["forms", "latex_forms", "side_by_side"]

_GAP = 4
"""Blanks between two columns."""


def side_by_side(blocks: Sequence[str], width: int = 100) -> str:
    """Blocks in rows; one that is wider than the page has a row to itself.

    >>> print(side_by_side(["a\\nbbb", "c", "d"], width=10))
    a      c
    bbb
    <BLANKLINE>
    d
    """
    rows: list[list[list[str]]] = []
    used = width + 1
    for block in blocks:
        lines = block.splitlines()
        size = max(map(len, lines))
        if used + _GAP + size > width:
            rows.append([])
            used = -_GAP
        rows[-1].append(lines)
        used += _GAP + size
    return "\n\n".join(_row(row) for row in rows)


def forms(equations: Sequence[EquationsOfMotion], width: int = 100, whole: bool = False) -> str:
    """The equations of motion by several principles; those that read the same stand under one heading."""
    bodies: dict[str, list[str]] = {}
    for each in equations:
        _, _, body = each.text(whole).partition("\n")
        bodies.setdefault(body, []).append(each.principle)
    blocks = [f"{', '.join(names)}\n{body}" for body, names in bodies.items()]
    return f"{equations[0].model.name}: equations of motion\n\n{side_by_side(blocks, width)}"


def latex_forms(equations: Sequence[EquationsOfMotion]) -> str:
    """The same for LaTeX: displays one after the other, each under a comment with its names."""
    bodies: dict[str, list[str]] = {}
    for each in equations:
        bodies.setdefault(each.latex(), []).append(each.principle)
    return "\n\n".join(f"% {', '.join(names)}\n\\[\n{body}\n\\]" for body, names in bodies.items())


def _row(blocks: Sequence[Sequence[str]]) -> str:
    sizes = [max(map(len, lines)) + _GAP for lines in blocks]
    together = zip_longest(*blocks, fillvalue="")
    return "\n".join("".join(f"{part:{n}}" for part, n in zip(line, sizes, strict=True)).rstrip() for line in together)
