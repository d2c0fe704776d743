"""A change of time for the declared level of constraints on positions, decided in the coordinates that are left."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from anholonomy.analysis.declared_level import told
from anholonomy.analysis.hamiltonization import Hamiltonization
from anholonomy.analysis.reduced_bracket import ReducedBracket
from anholonomy.language.given import name_of
from anholonomy.system.declaration.solved import Solved
from anholonomy.system.model import Model

__all__ = ["hamiltonized_on_level"]

Answer = Hamiltonization | ReducedBracket


def hamiltonized_on_level(
    solved: Solved, fibre: Sequence[Any] | None, ask: Callable[[Model, Sequence[Any] | None], Answer]
) -> Answer:
    """The answer about the declared system; of a fibre what the constraints on positions leave of it."""
    gone = {s.name for s in solved.substitution}
    left = [] if fibre is None else [each for each in fibre if name_of(each, "a coordinate of the fibre") not in gone]
    found = ask(solved.model, left or None)
    finding = told(found.finding, solved)
    if isinstance(found, Hamiltonization):
        return replace(found, finding=finding, model=solved.declared)
    besides = tuple(told(each, solved) for each in found.besides)
    return replace(found, finding=finding, besides=besides, declared=solved.declared)
