"""Equations of motion as a textbook would print them: short, one line each, zeros left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from anholonomy.language import to_text
from anholonomy.symbolic.expressions import Expr, Symbol, dot
from anholonomy.symbolic.latex import latex, latex_name
from anholonomy.symbolic.simplify import simplify
from anholonomy.symbolic.steps import inline

if TYPE_CHECKING:
    from anholonomy.formulations.equations import EquationsOfMotion

__all__ = ["as_latex", "as_text", "readable_rows"]

_LONG = 4000
"""Beyond this many operations nobody reads an equation, and simplifying it takes too long."""


def readable_rows(equations: EquationsOfMotion) -> list[tuple[Expr, Expr]]:
    """Left and right sides: unknown rates on the left, everything else on the right."""
    tidy = equations.tidied
    unknowns = (*equations.rates, *equations.multipliers)
    moving = len(equations.rates)
    rows = []
    for entries, value in zip(tidy.K, tidy.right, strict=True):
        left = dot(entries[:moving], unknowns[:moving])
        # Multipliers belong with the forces, as in every textbook.
        reaction = dot(entries[moving:], unknowns[moving:])
        rows.append((left, value - reaction) if left != 0 else (reaction, value))
    return rows


def as_text(equations: EquationsOfMotion) -> str:
    """A heading, the frame where there is one, the kinematics, and one line for each equation."""
    model = equations.model
    lines = [f"{model.name}: equations of motion by {equations.principle}"]
    if equations.frame is not None and equations.speeds != model.velocities:
        lines += [f"  {line}" for line in _frame_lines(equations)]
    if equations.size > _LONG:
        count = len(equations.right)
        lines.append(
            f"  ({count} linear equations for {', '.join(u.name for u in equations.rates[:4])}, …; too long to print)"
        )
        return "\n".join(lines)
    lines += [f"  {to_text(left)} = {to_text(right)}" for left, right in readable_rows(equations)]
    return "\n".join(lines)


def as_latex(equations: EquationsOfMotion) -> str:
    """The same lines inside an ``aligned`` environment."""
    rows = [f"{latex_name(w)} &= {latex(value)}" for w, value in _kinematics(equations)]
    rows += [f"{latex(left)} &= {latex(right)}" for left, right in readable_rows(equations)]
    return "\\begin{aligned}\n" + " \\\\\n".join(rows) + "\n\\end{aligned}"


def _kinematics(equations: EquationsOfMotion) -> list[tuple[Symbol, Expr]]:
    """How the velocities follow from the speeds, where they differ."""
    frame = equations.frame
    if frame is None or equations.speeds == equations.model.velocities:
        return []
    values = inline(frame.velocities, frame.definitions)
    pairs = zip(equations.model.velocities, values, strict=True)
    return [(w, simplify(value)) for w, value in pairs if w != value]


def _frame_lines(equations: EquationsOfMotion) -> list[str]:
    lines = [f"{w.name} = {to_text(value)}" for w, value in _kinematics(equations)]
    frame = equations.frame
    if frame is not None and frame.pivots:
        pivots = inline(frame.pivots, frame.definitions)
        lines.append(f"(singular where {' or '.join(f'{to_text(simplify(p))} = 0' for p in pivots)})")
    return lines
