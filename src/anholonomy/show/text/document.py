r"""The equations of motion as a LaTeX document that compiles as it stands."""

from __future__ import annotations

from collections.abc import Sequence

from anholonomy.displays.typeset import aligned
from anholonomy.formulations.equations.equations_of_motion import EquationsOfMotion
from anholonomy.formulations.principles import formulation
from anholonomy.language.brevity import brief_parts, leaves_out
from anholonomy.show.text.groups import group_lines
from anholonomy.symbolic.display.latex import latex, latex_name
from anholonomy.symbolic.expressions import symbol
from anholonomy.system.constraints import Constraint
from anholonomy.system.model import Model

__all__ = ["declaration_latex", "latex_document", "plain_latex"]

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


def declaration_latex(model: Model) -> str:
    """The Lagrangian, the constraints and the forces as aligned lines; nothing where they are longer than anybody reads."""
    said = [model.lagrangian, *(model.momenta_a or ()), *(c.declared for c in model.constraints), *model.forces_a]
    if any(map(leaves_out, brief_parts(said))):
        return ""
    lines = [line.replace(" = ", " &= ", 1) for line in (*_dynamics(model), *_conditions(model), *_forces(model))]
    return aligned(lines)


def _named(model: Model, constraint: Constraint) -> str:
    return plain_latex(constraint.label) + (", one-sided" if constraint.label in model.one_sided else "")


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
