"""Which change of time is asked for: over a base, a named fibre, modulo symmetries; on the declared level of constraints on positions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from anholonomy.analysis.hamiltonization import Hamiltonization, hamiltonized
from anholonomy.analysis.multipliers.strongest import strongest
from anholonomy.analysis.reduced_bracket import ReducedBracket, has_bracket
from anholonomy.analysis.residues.declared_level import told
from anholonomy.findings import Scope
from anholonomy.language.given import name_of
from anholonomy.refusals import NotCovered
from anholonomy.symbolic.expressions import free_symbols
from anholonomy.system.declaration.solved import Solved, solved_positions
from anholonomy.system.model import Model

__all__ = ["changed_time"]

Answer = Hamiltonization | ReducedBracket


def changed_time(model: Model, fibre: Sequence[Any] | None, make: Callable[[Model], Any]) -> Answer:
    """The answer for a model, of which ``make`` makes a system that can be reduced."""
    if (solved := solved_positions(model)) is not None:
        return _on_level(solved, fibre, make)
    plain = make(model.without_vanishing)
    base = None
    try:
        base = model if not model.constraints and fibre is None else plain.reduced(fibre).base
    except NotCovered:
        if fibre is not None or not has_bracket(plain):
            raise
    if base is not None and fibre is not None:
        return _at_values(hamiltonized(model, base, None, make), model, base)
    return _at_values(strongest(model, plain, base, make), model, base)


def _at_values(found: Answer, model: Model, base: Model | None) -> Answer:
    """The answer with the parameters that were left out because they are zero: it is one for these values."""
    if not found or base is model:
        return found
    every, plain = (
        {*each.lagrangian.free_symbols, *free_symbols(each.forces_a)} for each in (model, model.without_vanishing)
    )
    gone = tuple((s, value) for s, value in model.values.items() if s in every - plain)
    finding = found.finding
    return replace(found, finding=replace(finding, scope=finding.scope.also(Scope(values=gone))))


def _on_level(solved: Solved, fibre: Sequence[Any] | None, make: Callable[[Model], Any]) -> Answer:
    """The answer in the coordinates that are left; of a fibre what the constraints on positions leave of it."""
    gone = {s.name for s in solved.substitution}
    left = [] if fibre is None else [each for each in fibre if name_of(each, "a coordinate of the fibre") not in gone]
    found = changed_time(solved.model, left or None, make)
    finding = told(found.finding, solved)
    if isinstance(found, Hamiltonization):
        return replace(found, finding=finding, model=solved.declared)
    besides = tuple(told(each, solved) for each in found.besides)
    return replace(found, finding=finding, besides=besides, declared=solved.declared)
