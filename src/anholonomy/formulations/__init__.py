"""The principles. A new one is one new file and one new line here."""

from __future__ import annotations

from anholonomy.formulations.base import AbstractFormulation
from anholonomy.formulations.equations import EquationsOfMotion
from anholonomy.formulations.hamel import Hamel
from anholonomy.formulations.lagrange_dalembert import LagrangeDAlembert
from anholonomy.formulations.maggi import Maggi
from anholonomy.refusals import UnknownName
from anholonomy.system.kinds import Kind

__all__ = [
    "ALL",
    "AbstractFormulation",
    "EquationsOfMotion",
    "Hamel",
    "LagrangeDAlembert",
    "Maggi",
    "coverage",
    "formulation",
]

ALL: tuple[AbstractFormulation, ...] = (LagrangeDAlembert(), Maggi(), Hamel())


def formulation(by: str | AbstractFormulation) -> AbstractFormulation:
    """The principle of that name; a principle itself is returned as it is."""
    if isinstance(by, AbstractFormulation):
        return by
    for candidate in ALL:
        if candidate.name == by:
            return candidate
    raise UnknownName(f"there is no principle {by!r}; choose from {', '.join(f.name for f in ALL)}.")


def coverage() -> str:
    """Markdown table: which principle covers which kind of constraint.

    >>> print(coverage().splitlines()[0])
    | principle | linear | affine | time-dependent | nonlinear | position | acceleration | redundant | force-momentum | needs |
    """
    rows = [["principle", *(kind.label for kind in Kind), "needs"], ["---"] * (2 + len(Kind))]
    for f in ALL:
        marks = ("✓" if kind in f.handles else "" for kind in Kind)
        rows.append([f.name, *marks, ", ".join(need.label for need in f.needs)])
    return "\n".join("| " + " | ".join(cells) + " |" for cells in rows)
