"""The strongest answer about a change of time: over a base, over another fibre, then modulo all symmetries."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import combinations, islice
from typing import Any

from anholonomy.analysis.hamiltonization import Hamiltonization, hamiltonized
from anholonomy.analysis.multipliers.in_bracket import rank_of
from anholonomy.analysis.multipliers.over_orbits import bracket_over_orbits
from anholonomy.analysis.reduced_bracket import ReducedBracket, bracket_in_new_time, has_bracket
from anholonomy.analysis.reduced_motion import reduced_motion
from anholonomy.analysis.residues.levels import on_declared_level
from anholonomy.formulations.reduction.bundle import factors
from anholonomy.formulations.reduction.cyclic_directions import (
    Reduction,
    depends_on,
    frame_over_fibre,
)
from anholonomy.formulations.reduction.from_space import seen_from_space
from anholonomy.formulations.reduction.quotient import quotient
from anholonomy.refusals import GaveUp, NotCovered
from anholonomy.symbolic.normal_forms.canonical import NoNormalForm
from anholonomy.symbolic.patience import check, effort
from anholonomy.system.model import Model

__all__ = ["strongest"]

_FIBRES = 6
"""Other fibres that are tried."""
_LONGEST = 60_000
"""Operations in the equations of motion, written out, up to which a system is divided by its symmetries."""

_MORE = 20.0
"""Seconds of the processor for a second opinion where the first says no."""

Answer = Hamiltonization | ReducedBracket


def strongest(model: Model, plain: Model, base: Model | None, make: Callable[[Model], Any]) -> Answer:
    """What is proven over a base, any other, or modulo symmetries; otherwise what the first of these says.

    ``plain`` is the system without constraints that vanish, and ``base`` its base, None where it has none.
    """
    if base is None:
        below = _modulo_symmetries(model, plain)
        return bracket_in_new_time(plain, None) if below is None or below.finding.is_unknown else below
    first = hamiltonized(model, base, None, make)
    if first or not model.constraints or not has_bracket(plain):
        return first
    try:
        for other in islice(_other_bases(plain, base), _FIBRES):
            if found := hamiltonized(model, other, None, make):
                return found
        with effort(_MORE):
            for from_space in (True, False):
                below = _modulo_symmetries(model, plain, from_space)
                # Of rank two nearly every motion with an integral has such a bracket: that is no answer to the question.
                if below and below.form is not None and rank_of(below.form) > 2:
                    return replace(below, besides=(first.finding,))
    except GaveUp:
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
        except NotCovered:
            continue


def _modulo_symmetries(model: Model, plain: Model, from_space: bool = True) -> ReducedBracket | None:
    """The answer modulo symmetries, as one about the system; None where there are none that are found."""
    try:
        if seen_from_space(plain)[0] is plain and reduced_motion(plain).equations.written_size > _LONGEST:
            return None
        below = quotient(plain, from_space=from_space)
        found = bracket_over_orbits(below, None)
    except (NotCovered, NoNormalForm):
        return None
    finding = on_declared_level(found.finding, plain, below.space.named)
    return replace(found, finding=finding, model=model, symmetries=below.symmetries, quotient=below)
