"""Equations of motion by several principles: side by side as text, or as a LaTeX document that compiles as it stands."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from anholonomy.algebra.expressions import symbol
from anholonomy.algebra.latex import aligned, latex, latex_name
from anholonomy.equations.equations_of_motion import EquationsOfMotion
from anholonomy.equations.principles import formulation
from anholonomy.language.writing import brief_parts, leaves_out
from anholonomy.show.text.declaration import group_lines
from anholonomy.system.constraints import Constraint
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
        *(rf"\[ {line} \]" for line in (*_dynamics(model), *_conditions(model), *_forces(model))),
    ]
    for each in equations:
        lines += [rf"\section*{{{plain_latex(formulation(each.principle).title)}}}", r"\[", each.latex(), r"\]"]
    return "\n".join([*lines, r"\end{document}", ""])


def declaration_latex(model: Model) -> str:
    """The Lagrangian, the constraints and the forces as aligned lines; nothing where they are longer than anybody reads."""
    said = [model.lagrangian, *(model.momenta_a or ()), *(c.declared for c in model.constraints), *model.forces_a]
    if any(map(leaves_out, brief_parts(said))):
        return ""
    lines = [line.replace(" = ", " &= ", 1) for line in (*_dynamics(model), *_conditions(model), *_forces(model))]
    return aligned(lines)


def _dynamics(model: Model) -> list[str]:
    """The Lagrangian, or the momenta where there is none."""
    if model.momenta_a is None:
        return [f"L = {latex(model.lagrangian)}"]
    named = zip(model.coordinates, model.momenta_a, strict=True)
    return [rf"\Pi_{{{latex(q)}}} = {latex(p)}" for q, p in named]


def _conditions(model: Model) -> list[str]:
    return [rf"{latex(c.declared)} = 0 \quad \text{{({_named(model, c)})}}" for c in model.constraints]


def _forces(model: Model) -> list[str]:
    """What acts along each direction, where something does."""
    named = zip(model.directions, model.forces_a, strict=True)
    return [rf"Q_{{{latex_name(symbol(a))}}} = {latex(force)}" for a, force in named if force != 0]


def _named(model: Model, constraint: Constraint) -> str:
    return plain_latex(constraint.label) + (", one-sided" if constraint.label in model.one_sided else "")


_SPECIAL = {c: "\\" + c for c in "&%$#_{}"} | {
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "\\": r"\textbackslash{}",
}


def plain_latex(text: str) -> str:
    r"""Any text as LaTeX that prints as that text.

    >>> plain_latex("50% of x_1")
    '50\\% of x\\_1'
    """
    return "".join(_SPECIAL.get(character, character) for character in text)
