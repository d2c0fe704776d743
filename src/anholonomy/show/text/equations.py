"""Equations of motion by several principles: side by side as text, or as a LaTeX document that compiles as it stands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from anholonomy.algebra.expressions import symbol, zero
from anholonomy.algebra.latex import aligned, in_words, latex, latex_name
from anholonomy.equations.equations_of_motion import EquationsOfMotion
from anholonomy.equations.principles import formulation
from anholonomy.language.answers import EQUALS, Mark, Row
from anholonomy.language.writing import brief_parts, leaves_out
from anholonomy.show.text.groups import group_lines
from anholonomy.system.model import Model

__all__ = ["declaration_latex", "forms", "latex_document", "latex_forms", "plain_latex"]


# Text: the forms beside each other, as many in a row as the page is wide.


def forms(equations: Sequence[EquationsOfMotion], width: int = 100, whole: bool = False) -> str:
    """The equations of motion by several principles; those that read the same stand under one heading."""
    bodies: dict[str, list[str]] = {}
    for each in equations:
        _, _, body = each.text(whole).partition("\n")
        bodies.setdefault(body, []).append(each.principle)
    blocks = [f"{', '.join(names)}\n{body}" for body, names in bodies.items()]
    return f"{equations[0].model.name}: equations of motion\n\n{_side_by_side(blocks, width)}"


def latex_forms(equations: Sequence[EquationsOfMotion]) -> str:
    """The same for LaTeX: displays one after the other, each under a comment with its names."""
    bodies: dict[str, list[str]] = {}
    for each in equations:
        bodies.setdefault(each.latex(), []).append(each.principle)
    return "\n\n".join(f"% {', '.join(names)}\n\\[\n{body}\n\\]" for body, names in bodies.items())


_GAP = 4
"""Blanks between two columns."""


def _side_by_side(blocks: Sequence[str], width: int = 100) -> str:
    """Blocks in rows; one that is wider than the page has a row to itself.

    >>> print(_side_by_side(["a\\nbbb", "c", "d"], width=10))
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


def _row(blocks: Sequence[Sequence[str]]) -> str:
    sizes = [max(map(len, lines)) + _GAP for lines in blocks]
    together = zip_longest(*blocks, fillvalue="")
    return "\n".join("".join(f"{part:{n}}" for part, n in zip(line, sizes, strict=True)).rstrip() for line in together)


# LaTeX.


def latex_document(model: Model, equations: Sequence[EquationsOfMotion]) -> str:
    """The group, if there is one, the Lagrangian, constraints, forces, and a section of equations for every principle."""
    lines = [
        r"\documentclass{article}",
        r"\usepackage{amsmath}",
        r"\allowdisplaybreaks",
        rf"\title{{{plain_latex(model.name)}}}",
        r"\date{}",
        r"\begin{document}",
        r"\maketitle",
        r"\section*{Declaration}",
        *(plain_latex(f"{line}.") + r"\par" for line in (group_lines(model.group.name) if model.group else ())),
        *(rf"\[ {row.latex()} \]" for row in _declared(model)),
    ]
    for each in equations:
        lines += [rf"\section*{{{plain_latex(formulation(each.principle).title)}}}", r"\[", each.latex(), r"\]"]
    return "\n".join([*lines, r"\end{document}", ""])


def declaration_latex(model: Model) -> str:
    """The Lagrangian, the constraints and the forces as aligned lines; nothing where they are longer than anybody reads."""
    said = [model.lagrangian, *(model.momenta_a or ()), *(c.declared for c in model.constraints), *model.forces_a]
    return "" if any(map(leaves_out, brief_parts(said))) else aligned(row.aligned(0) for row in _declared(model))


def _declared(model: Model) -> Iterator[Row]:
    """The Lagrangian, or the momenta if there is none; the constraints; and the forces that are not zero."""
    if model.momenta_a is None:
        yield Row(symbol("L"), EQUALS, model.lagrangian)
    for q, p in zip(model.coordinates, model.momenta_a or (), strict=model.momenta_a is not None):
        yield Row(Mark("", rf"\Pi_{{{latex(q)}}}"), EQUALS, p)
    for c in model.constraints:
        sided = ", one-sided" if c.label in model.one_sided else ""
        yield Row(c.declared, EQUALS, zero, Mark(" ", r"\quad"), f"({c.label}{sided})")
    for direction, force in zip(model.directions, model.forces_a, strict=True):
        if force != 0:
            yield Row(Mark("", rf"Q_{{{latex_name(symbol(direction))}}}"), EQUALS, force)


def plain_latex(text: str) -> str:
    r"""Any text as LaTeX that prints as that text.

    >>> plain_latex("50% of x_1")
    '50\\% of x\\_1'
    """
    return in_words(text).removeprefix(r"\text{").removesuffix("}")
