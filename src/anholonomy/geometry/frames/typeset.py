r"""Fields as a notebook shows them: $e_1 = \cos\theta\,\partial_x + \sin\theta\,\partial_y$, one a line."""

from __future__ import annotations

from collections.abc import Sequence

from anholonomy.displays.typeset import aligned
from anholonomy.language.brevity import brief_parts, leaves_out
from anholonomy.symbolic.display.latex import latex
from anholonomy.symbolic.expressions import Expr, Matrix, Symbol, symbol

__all__ = ["along_coordinates", "along_directions", "fields_latex"]


def along_coordinates(coordinates: Sequence[Symbol]) -> list[str]:
    r"""$\partial_q$ for each coordinate."""
    return [rf"\partial_{{{latex(q)}}}" for q in coordinates]


def along_directions(labels: Sequence[str]) -> list[str]:
    """$e_a$ for each direction of a frame."""
    return [rf"e_{{{latex(symbol(label)) if label.isidentifier() else label}}}" for label in labels]


def fields_latex(names: Sequence[str], rows: Matrix, basis: Sequence[str]) -> str | None:
    r"""The fields as aligned equations between dollars; None, which notebooks take for a no, where nobody would read them.

    >>> from anholonomy.symbolic.expressions import symbol
    >>> x, y = symbol("x"), symbol("y")
    >>> print(fields_latex(["X_1"], [[y, -x]], along_coordinates([x, y])))
    $$\begin{aligned}
    X_1 &= y\,\partial_{x} - x\,\partial_{y}
    \end{aligned}$$
    """
    if any(map(leaves_out, brief_parts([entry for row in rows for entry in row]))):
        return None
    lines = (f"{name} &= {_sum(row, basis)}" for name, row in zip(names, rows, strict=True))
    return f"$${aligned(lines)}$$"


def _sum(row: Sequence[Expr], basis: Sequence[str]) -> str:
    terms = ""
    for entry, direction in zip(row, basis, strict=True):
        if entry == 0:
            continue
        text = "" if entry == 1 else "-" if entry == -1 else latex(entry)
        text = rf"\left({text}\right)" if entry.is_Add else text
        sign = "" if not terms else " - " if text.startswith("-") else " + "
        factor = text.lstrip("- ") if sign == " - " else text
        terms += f"{sign}{factor}" + (r"\," if factor not in ("", "-") else "") + direction
    return terms or "0"
