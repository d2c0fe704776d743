r"""The question "What is conserved?" and the order of its routes, also on a level set and with explicit time.

What is conserved: all integrals that are polynomials in the speeds, over a space of functions of the configuration.

.. math:: F = \sum_{k,\alpha} c_{k\alpha}\,\varphi_k(q, t)\,\ell^\alpha, \qquad \dot F = 0

The space of functions grows in stages until there is no room for another integral, or the problem grows large, or the time is over
(`anholonomy.laws.first_integrals.polynomial`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import symengine

from anholonomy.algebra.calculus import partial
from anholonomy.algebra.expressions import Expr, Symbol
from anholonomy.algebra.steps.definitions import inline
from anholonomy.algebra.zero_test import zero_test
from anholonomy.base.deadlines import LIMIT, patience
from anholonomy.base.errors import GaveUp, IllPosedSystem, NotCovered, UnknownName
from anholonomy.language.arguments import expect_list, expression, name_of
from anholonomy.language.writing import brief
from anholonomy.laws.ansatz.functions import given_functions, read_functions
from anholonomy.laws.first_integrals.polynomial import ENERGIES, Search
from anholonomy.laws.first_integrals.special_parameters import SpecialSearch
from anholonomy.laws.law import Laws
from anholonomy.laws.position_constraints import laws_on_level, levels_there
from anholonomy.laws.proofs import energy_is_constant, on_submanifold, rate_times_inertia, root_of
from anholonomy.laws.reduced_motion import ReducedMotion, reduced_motion
from anholonomy.system.checks.redundant_constraints import revalued
from anholonomy.system.model import Model
from anholonomy.system.momenta import momenta
from anholonomy.system.solved_constraints import solved_positions

__all__ = ["on_levels", "conserved", "read_unknown"]


# The motion on a level of what it keeps: there more may be conserved.
#
# .. math:: I(q, u) = c, \qquad \dot I|_{I = c} = 0, \qquad u^k = \frac{c - I_0}{I_k} \quad\text{or a root, where } I \text{ is quadratic in } u^k
#
# A level is solved for a speed. Points are drawn on it, and an identity holds on it when it does with that speed replaced: modulo the ideal of the level.


def on_levels(motion: ReducedMotion, levels: Any) -> ReducedMotion:
    """The motion where functions have their values, proven to stay there: a dict from texts, or the word energy, to numbers."""
    if not isinstance(levels, Mapping) or not levels:
        raise IllPosedSystem(
            f"{motion.model.name}: the levels are {levels!r:.60}; give a dict from conserved quantities to values."
        )
    if not motion.has_frame:
        raise NotCovered(f"{motion.model.name}: levels are asked of systems with constraints linear in the velocities.")
    solved: dict[Symbol, Expr] = {}
    words, functions = [], []
    for text, value in levels.items():
        shown, I = _function(motion, text)
        functions.append(I - _read(motion, value, "the value of a level", speeds=False))
        words.append(f"{shown} = {value}")
    # Linear ones first: a root that another level brings would stand in them.
    for word, I in sorted(zip(words, functions, strict=True), key=lambda each: not _is_linear(motion, each[1])):
        speed, root = _solved(motion, word, I.xreplace(solved), set(solved))
        solved = {u: e.xreplace({speed: root}) for u, e in solved.items()} | {speed: root}
    for word, I in zip(words, functions, strict=True):
        rate = rate_times_inertia(motion, I).xreplace(solved)
        if not zero_test(rate, motion.on).is_proven:
            raise NotCovered(
                f"{motion.model.name}: it is not proven that the motion stays where {word}; give conserved quantities, such as those that "
                "`conserved()` finds."
            )
    return replace(
        motion, levels=tuple(solved.items()), level_words=" and ".join(words), level_functions=tuple(functions)
    )


def _function(motion: ReducedMotion, text: Any) -> tuple[str, Expr]:
    """A conserved quantity in the speeds, and how it is called."""
    if text == "energy":
        p = momenta(motion.model)
        if not p.energy:
            raise NotCovered(f"{motion.model.name} has no energy: it has no Lagrangian.")
        return "energy", on_submanifold(motion, inline([p.energy[0]], p.definitions)[0])
    own = getattr(text, "expression", None)  # a law
    read = _read(motion, text if own is None else own, "the quantity of a level")
    return brief(own if own is not None else expression(text, "the quantity of a level")), on_submanifold(motion, read)


def _read(motion: ReducedMotion, given: Any, what: str, speeds: bool = True) -> Expr:
    model = motion.model
    names = [q.name for q in model.coordinates]
    found = model.frame.in_coordinates(expression(given, what, coordinates=names))
    known = {*model.parameter_symbols, *((*model.coordinates, *model.velocities, *motion.speeds) if speeds else ())}
    if strange := sorted(s.name for s in found.free_symbols - known):
        raise UnknownName(
            f"{model.name}: {strange[0]!r} in {what} is nothing of this system; there are {', '.join(sorted(s.name for s in known)) or 'numbers'}."
        )
    return found


def _is_linear(motion: ReducedMotion, I: Expr) -> bool:
    return all(partial(I, u).free_symbols.isdisjoint(motion.speeds) for u in motion.speeds)


def _solved(motion: ReducedMotion, word: str, I: Expr, taken: set[Symbol]) -> tuple[Symbol, Expr]:
    """A speed from the level: one that it is linear in, constant coefficients first, or quadratic."""
    free = [u for u in motion.speeds if u not in taken and u in I.free_symbols]
    slopes = {u: symengine.expand(partial(I, u)) for u in free}
    linear = [u for u in free if u not in slopes[u].free_symbols and not zero_test(slopes[u], motion.on).is_proven]
    linear.sort(
        key=lambda u: (
            bool(slopes[u].free_symbols & {*motion.coordinates, *motion.speeds}),
            symengine.count_ops(slopes[u]),
        )
    )
    for u in (*linear, *(u for u in free if u not in linear)):
        found = root_of(I, u)
        if found is not None:
            return found
    raise NotCovered(
        f"{motion.model.name}: {word} is no polynomial of degree one or two in a speed that is left, so that it cannot be solved for one."
    )


# What is conserved: all integrals that are polynomials in the speeds, over a space of functions of the configuration.


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
