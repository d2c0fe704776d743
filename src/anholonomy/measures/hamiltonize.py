r"""The question "Is the system Hamiltonian in a new time?" and the order of its routes: a base, other bases, modulo symmetries.

.. math:: d\tau = f\,dt, \qquad l^* = \tfrac12f^2G_{ij}w'^iw'^j - V \quad\text{over a base, or}\quad \{\,,\}_\tau = f^{-1}\{\,,\} \quad\text{modulo symmetries}

The first that is proven is the answer; where none is, what the first route says (`anholonomy.measures.new_time`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations, islice
from typing import Any

from anholonomy.algebra.expressions import free_symbols
from anholonomy.algebra.normal_forms.canonical import NoNormalForm
from anholonomy.base.deadlines import check, effort
from anholonomy.base.errors import NotSupportedError, TimeLimitError
from anholonomy.equations.principles import formulation
from anholonomy.equations.reduction.bundle import factors
from anholonomy.equations.reduction.cyclic import Reduction, depends_on, frame_over_fibre
from anholonomy.equations.reduction.quotient import quotient
from anholonomy.equations.reduction.spatial import seen_from_space
from anholonomy.findings import Scope
from anholonomy.language.arguments import name_of
from anholonomy.laws.generic_scope import on_declared_level
from anholonomy.laws.position_constraints import told
from anholonomy.laws.reduced_motion import reduced_motion
from anholonomy.measures.new_time.modulo_symmetries import bracket_over_orbits
from anholonomy.measures.new_time.over_base import Hamiltonization, hamiltonized
from anholonomy.measures.new_time.reduced_bracket import (
    ReducedBracket,
    bracket_in_new_time,
    has_bracket,
    modulo_all_symmetries,
    rank_of,
)
from anholonomy.system.model import Model
from anholonomy.system.solved_constraints import Solved, solved_positions
from anholonomy.system.total_derivatives import without_total_derivatives

__all__ = ["changed_time"]


_FIBRES = 6
"""Other fibres that are tried."""
_LONGEST = 60_000
"""Operations in the equations of motion, written out, up to which a system is divided by its symmetries."""
_MORE = 20.0
"""Seconds of the processor for a second opinion where the first says no."""

Answer = Hamiltonization | ReducedBracket


def changed_time(model: Model, fibre: Sequence[Any] | None, make: Callable[[Model], Any]) -> Answer:
    """The answer for a model, of which ``make`` makes a system that can be reduced."""
    model = without_total_derivatives(model)
    if (solved := solved_positions(model)) is not None:
        return _on_level(solved, fibre, make)
    plain = model.without_zero_parameters
    base = None
    try:
        base = model if not model.constraints and fibre is None else _base_of(plain, fibre)
    except NotSupportedError:
        if fibre is not None or not has_bracket(plain):
            raise
    if base is not None and fibre is not None:
        return _at_values(hamiltonized(model, base, make), model, base)
    return _at_values(_strongest(model, plain, base, make), model, base)


def _strongest(model: Model, plain: Model, base: Model | None, make: Callable[[Model], Any]) -> Answer:
    """The answer that is proven over a base, any other, or modulo symmetries; otherwise the first of these.

    ``plain`` is the system without constraints that vanish, and ``base`` its base, None where it has none.
    """
    if base is None:
        below = _modulo_symmetries(model, plain)
        if below is not None:
            below = modulo_all_symmetries(below, below.symmetries, model.directions)
        return bracket_in_new_time(plain, None) if below is None or below.finding.is_unknown else below
    first = hamiltonized(model, base, make)
    if first or not model.constraints or not has_bracket(plain):
        return first
    try:
        for other in islice(_other_bases(plain, base), _FIBRES):
            if found := hamiltonized(model, other, make):
                return found
        with effort(_MORE):
            for from_space in (True, False):
                below = _modulo_symmetries(model, plain, from_space)
                # Of rank two nearly every motion with an integral has such a bracket: that is no answer to the question.
                if below and below.form is not None and rank_of(below.form) > 2:
                    return replace(below, besides=(first.finding,))
    except TimeLimitError:
        pass
    return first


def _other_bases(model: Model, base: Model) -> Iterator[Model]:
    """The bases over other fibres of coordinates that appear nowhere."""
    count, blame = len(model.constraints), depends_on(model)
    free = [block[0] for block in factors(model.frame) if len(block) == 1 and block not in blame]
    for chosen in combinations(free, count):
        check()
        names = [model.velocities[a].name for a in chosen]
        if {w.name for w in base.velocities}.isdisjoint(names):
            continue  # the base that was asked
        try:
            yield Reduction.of(model, frame_over_fibre(model, fibre=names)).base_model()
        except NotSupportedError:
            continue


def _modulo_symmetries(model: Model, plain: Model, from_space: bool = True) -> ReducedBracket | None:
    """The answer modulo symmetries, as one about the system; None where there are none that are found."""
    try:
        if seen_from_space(plain)[0] == plain and reduced_motion(plain).equations.expanded_operation_count > _LONGEST:
            return None
        below = quotient(plain, from_space=from_space)
        found = bracket_over_orbits(below, None)
    except (NotSupportedError, NoNormalForm):
        return None
    finding = on_declared_level(found.finding, plain, below.space.named)
    return replace(found, finding=finding, model=model, symmetries=below.symmetries, quotient=below)


def _base_of(model: Model, fibre: Sequence[Any] | None) -> Model:
    """The system on a base; refused if the constraints are no connection."""
    if why := formulation("chaplygin").obstacle(model):
        raise NotSupportedError(f"{model.name}: the reduction to a base {why}; reduced_by_group() needs no connection.")
    return Reduction.of(model, frame_over_fibre(model, fibre=fibre)).base_model()


def _at_values(found: Answer, model: Model, base: Model | None) -> Answer:
    """The answer with the parameters that were left out because they are zero: it is one for these values."""
    if not found or base is model:
        return found
    every, plain = (
        {*each.lagrangian.free_symbols, *free_symbols(each.forces_a)} for each in (model, model.without_zero_parameters)
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
