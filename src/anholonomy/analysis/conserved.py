r"""What is conserved: all integrals that are polynomials in the speeds, over a space of functions of the configuration.

.. math:: F = \sum_{k,\alpha} c_{k\alpha}\,\varphi_k(q, t)\,\ell^\alpha, \qquad \dot F = 0

The space of functions grows in stages until there is no room for another integral, or the problem grows large, or the time is over
(`anholonomy.analysis.integrals.search`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from anholonomy.analysis.integrals.function_space import given_functions, read_functions
from anholonomy.analysis.integrals.levels import on_levels
from anholonomy.analysis.integrals.on_level import laws_on_level, levels_there
from anholonomy.analysis.integrals.proofs import energy_is_constant
from anholonomy.analysis.integrals.search import ENERGIES, Search
from anholonomy.analysis.laws import Laws
from anholonomy.analysis.reduced_motion import reduced_motion
from anholonomy.analysis.special.search import SpecialSearch
from anholonomy.geometry.expected import expect_list
from anholonomy.language.given import name_of
from anholonomy.refusals import GaveUp, IllPosedSystem, UnknownName
from anholonomy.symbolic.expressions import Symbol
from anholonomy.symbolic.patience import LIMIT, patience
from anholonomy.system.checks.redundancy import revalued
from anholonomy.system.declaration.solved import solved_positions
from anholonomy.system.model import Model

__all__ = ["conserved", "read_unknown"]


def conserved(
    model: Model,
    degree: int = 2,
    functions: Sequence[Any] | None = None,
    limit: float | None = LIMIT,
    unknown: Sequence[Any] | None = None,
    on: Mapping[Any, Any] | None = None,
    has_clock: bool = False,
) -> Laws:
    """The independent integrals of a system up to a degree in the speeds, with proofs and what is known about others.

    Parameters that are ``unknown`` are free, and the values for which more is conserved are looked for. On the levels ``on``, what is
    conserved there alone is added to what is conserved in general. With ``has_clock`` time counts though no equation has it.
    """
    if not isinstance(degree, int) or isinstance(degree, bool) or not 0 <= degree <= 6:
        raise IllPosedSystem(f"the degree is {degree!r:.40}; give a whole number from 0 to 6.")
    names = () if unknown is None else read_unknown(model, unknown)
    read = None if functions is None else read_functions(model, functions)
    if (solved := solved_positions(model)) is not None:
        own = None if read is None else list(map(solved.here, read))
        level = None if on is None else levels_there(on, solved)
        left = conserved(solved.model, degree, own, limit, unknown, level, has_clock=solved.moves)
        return laws_on_level(left, solved)
    given = None if read is None else given_functions(read)
    motion = replace(reduced_motion(_freed(model, names)), has_clock=has_clock)
    search = Search(motion, degree)
    special = SpecialSearch(names, degree, given)
    there = None if on is None else on_levels(motion, on)
    try:
        with patience(limit):
            if there is None:
                search.run(given)
            else:
                search.search(given)
                search = Search(there, degree, list(search.found), list(search.raw))
                search.run(given)
            if names:
                special.run(search)
            elif given is None and there is None:
                search = _with_clock(search)
    except GaveUp as trouble:
        search.gave_up = str(trouble)
    except KeyboardInterrupt:
        search.gave_up = "it was interrupted."
    found = search.answer()
    if not names:
        return found
    return replace(found, conditions=tuple(special.conditions), completeness=(special.finding, *found.completeness))


def _with_clock(search: Search) -> Search:
    r"""What drag makes of integrals, $e^{ct}(\dots)$: the search again with time, where forces take the energy; the same where that brings nothing."""
    motion = search.motion
    drags = any(Q != 0 for Q in motion.model.forces_a) and energy_is_constant(motion) is None
    if motion.mentions_time or not drags or any(law.kind in ENERGIES for law in search.found):
        return search
    timed = Search(replace(motion, has_clock=True), search.degree)
    try:
        timed.run(None)
    except GaveUp:
        return search
    return timed if len(timed.raw) > len(search.raw) else search


def _freed(model: Model, names: Sequence[Symbol]) -> Model:
    free = {s.name for s in names}
    return revalued(model, tuple((p, None if p in free else value) for p, value in model.parameter_items))


def read_unknown(model: Model, unknown: Sequence[Any]) -> tuple[Symbol, ...]:
    """The parameters of a user that are unknown."""
    known = {s.name: s for s in model.parameter_symbols}
    names = [name_of(each, "an unknown parameter") for each in expect_list(unknown, "the unknown parameters")]
    for name in names:
        if name not in known:
            raise UnknownName(
                f"{model.name} has no parameter {name!r} to be unknown; its parameters are {', '.join(known) or 'none'}."
            )
    return tuple(known[name] for name in dict.fromkeys(names))
