r"""The motion on a level of what it keeps: there more may be conserved.

.. math:: I(q, u) = c, \qquad \dot I|_{I = c} = 0, \qquad u^k = \frac{c - I_0}{I_k} \quad\text{or a root, where } I \text{ is quadratic in } u^k

A level is solved for a speed. Points are drawn on it, and an identity holds on it when it does with that speed replaced: modulo the ideal of the level.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import symengine

from anholonomy.analysis.integrals.proofs import on_submanifold, rate_times_inertia, root_of
from anholonomy.analysis.reduced_motion import ReducedMotion
from anholonomy.language.brevity import brief
from anholonomy.language.given import expression
from anholonomy.refusals import IllPosedSystem, NotCovered, UnknownName
from anholonomy.symbolic.calculus import partial
from anholonomy.symbolic.expressions import Expr, Symbol
from anholonomy.symbolic.steps.straight_line import inline
from anholonomy.symbolic.zero import zero_test
from anholonomy.system.momenta import momenta

__all__ = ["on_levels"]


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
