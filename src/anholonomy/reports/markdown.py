"""The study of a system as one Markdown page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from anholonomy.algebra.latex import shown
from anholonomy.equations.equations_of_motion import EquationsOfMotion
from anholonomy.equations.evaluation import KINDS
from anholonomy.equations.principles import formulation
from anholonomy.equations.verification import Verification
from anholonomy.show.style import DrawnMotion
from anholonomy.show.text.declaration import is_shortened, sections, start_text
from anholonomy.show.text.summary import summary
from anholonomy.system.model import Model

__all__ = ["report"]


def report(
    model: Model,
    equations: Sequence[EquationsOfMotion],
    verification: Verification,
    start: Mapping[str, float | str],
    motion: DrawnMotion,
    *,
    facts: Sequence[str] = (),
    references: Sequence[str] = (),
) -> str:
    """Declaration, equations by every principle, their agreement, and a motion; ``motion.png`` lies beside it."""
    blocks = [f"# {model.name}", "## Declaration", *_declaration(model)]
    blocks += _bullets("## Facts", facts) + _bullets("## References", references)
    blocks.append("## Equations of motion")
    for each in equations:
        blocks += [f"### {formulation(each.principle).title}", f"```math\n{each.latex()}\n```"]
    blocks += ["## Verification", *_verification(verification), "## Motion"]
    blocks += [f"Start: {', '.join(f'`{line}`' for line in start_text(start))}.", "![the motion](motion.png)"]
    blocks.append(_table(("", "value"), summary(motion)))
    return "\n\n".join(blocks) + "\n"


def _declaration(model: Model) -> list[str]:
    blocks = [
        f"**{heading}**\n\n" + "\n".join(f"- `{line}`" for line in lines) for heading, lines in sections(model).items()
    ]
    if is_shortened(model):
        blocks.append("Expressions longer than a paragraph are left out; `anholonomy show --all` prints them.")
    return blocks


def _bullets(heading: str, lines: Sequence[str]) -> list[str]:
    return [heading, "\n".join(f"- {line}" for line in lines)] if lines else []


def _verification(found: Verification) -> list[str]:
    blocks = [f"{found.finding}. Every disagreement below is a proven upper bound."]
    rows = [(row.left, *(shown(getattr(row, kind)) for kind in KINDS)) for row in found.by_principle]
    if rows:
        blocks.append(_table(("principle, against any other", *KINDS), rows))
    if found.not_covering:
        blocks.append(f"Not covering this system: {', '.join(found.not_covering)}.")
    return blocks


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    # A bar inside a cell would end it.
    return "\n".join("| " + " | ".join(cell.replace("|", r"\|") for cell in cells) + " |" for cells in lines)
