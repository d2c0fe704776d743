r"""The question "What is conserved?", the order of its routes and its answer, also on a level set.

.. math:: F = \sum_{k,\alpha} c_{k\alpha}\,\varphi_k(q, t)\,\ell^\alpha, \qquad \dot F = 0

Laws are polynomials in the speeds, with functions of the configuration for coefficients. Each route is a file in
`anholonomy.laws.first_integrals`: it adds to `KnownLaws` what it proves, and what follows from known laws is left out.
`anholonomy.laws.prolongation.completeness` says whether one is missing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import symengine

from anholonomy.algebra.calculus import partial
from anholonomy.algebra.expressions import Expr, Symbol
from anholonomy.algebra.steps.definitions import inline
from anholonomy.algebra.zero_test import zero_test
from anholonomy.base.deadlines import LIMIT, patience
from anholonomy.base.errors import ArgumentError, NotSupportedError, TimeLimitError, UnknownNameError, quoted
from anholonomy.base.verdict import Verdict
from anholonomy.findings import Finding, Reason, Scope
from anholonomy.language.arguments import expect_list, expect_whole, expression, name_of
from anholonomy.language.writing import brief
from anholonomy.laws.ansatz.functions import given_functions, read_functions
from anholonomy.laws.ansatz.solutions import Spanned
from anholonomy.laws.first_integrals.cyclic_coordinates import functions_of_cyclic_coordinates
from anholonomy.laws.first_integrals.energy import energy, energy_that_survives
from anholonomy.laws.first_integrals.explicit_time import counting_time
from anholonomy.laws.first_integrals.invariant_fields import momenta_of_invariant_fields
from anholonomy.laws.first_integrals.leaves import leaves
from anholonomy.laws.first_integrals.linear_odes import coefficients_by_equations, in_closed_form
from anholonomy.laws.first_integrals.polynomial import polynomials
from anholonomy.laws.first_integrals.special_parameters import SpecialSearch
from anholonomy.laws.generic_scope import off_levels, where_positive
from anholonomy.laws.known_laws import ENERGIES, KnownLaws
from anholonomy.laws.law import Laws
from anholonomy.laws.position_constraints import laws_on_level, levels_there
from anholonomy.laws.prolongation.completeness import falls_short, is_of_lower_degree, none_missing
from anholonomy.laws.proofs import on_submanifold, rate_times_inertia, root_of
from anholonomy.laws.reduced_motion import ReducedMotion, reduced_motion
from anholonomy.system.checks.redundant_constraints import revalued
from anholonomy.system.model import Model
from anholonomy.system.momenta import momenta
from anholonomy.system.phases import without_phases
from anholonomy.system.solved_constraints import positions_of, solved_positions
from anholonomy.system.total_derivatives import without_total_derivatives

__all__ = ["IN_GENERAL", "conserved", "read_unknown", "search"]

Route = Callable[[KnownLaws], None]

IN_GENERAL: tuple[Route, ...] = (
    energy,  # one identity, before any number is drawn; what follows from the energy is left out by all later routes
    leaves,  # one small class, the only one with angles as such
    momenta_of_invariant_fields,  # short in their own letters, long in every class of products
    energy_that_survives,  # where the energy does not, and before classes in which it is one term of many
)
"""The routes that look at no class of functions, in their order; on a level what they find is known already."""


def conserved(
    model: Model,
    degree: int = 2,
    functions: Sequence[Any] | None = None,
    time_limit: float | None = LIMIT,
    unknown: Sequence[Any] | None = None,
    on: Mapping[Any, Any] | None = None,
    has_clock: bool = False,
) -> Laws:
    """The independent integrals of a system up to a degree in the speeds, with proofs and what is known about others.

    Parameters that are ``unknown`` are free, and the values for which more is conserved are looked for. On the levels ``on``, what is
    conserved there alone is added to what is conserved in general. With ``has_clock`` time counts though no equation has it.
    """
    model = without_phases(without_total_derivatives(model))
    degree = expect_whole(degree, "the degree", 0, 6, refusal=ArgumentError)
    names = () if unknown is None else read_unknown(model, unknown)
    read = None if functions is None else read_functions(model, functions)
    if (solved := solved_positions(model)) is not None:
        own = None if read is None else list(map(solved.here, read))
        level = None if on is None else levels_there(on, solved)
        left = conserved(solved.model, degree, own, time_limit, unknown, level, has_clock=solved.moves)
        return laws_on_level(left, solved)
    given = None if read is None else given_functions(read)
    special = SpecialSearch(names, degree, given, search)
    known, gave_up = None, ""
    try:
        with patience(time_limit):
            motion = replace(reduced_motion(_freed(model, names)), has_clock=has_clock)
            known = KnownLaws(motion, degree, given)
            there = None if on is None else _on_levels(motion, on)
            search(known)
            if there is not None:
                known = KnownLaws(there, degree, given, list(known.laws), list(known.functions))
                search(known)
            else:
                _search_beyond(known)
            if names:
                special.run(known)
            elif given is None and there is None:
                known, gave_up = _with_explicit_time(known)
    except TimeLimitError as trouble:
        gave_up = str(trouble)
    except KeyboardInterrupt:
        gave_up = "it was interrupted."
    found = Laws(model.name, (), (), gave_up=gave_up) if known is None else _answer(known, gave_up)
    if not names:
        return found
    return replace(found, conditions=tuple(special.conditions), completeness=(special.finding, *found.completeness))


def search(known: KnownLaws) -> None:
    """Go through the routes in general, and then class after class of functions."""
    for route in IN_GENERAL if not known.motion.levels else ():
        route(known)
    polynomials(known)


def _search_beyond(known: KnownLaws) -> None:
    """Laws beyond any class: by differential equations; and with cyclic coordinates, which takes longest, while one is missing."""
    coefficients_by_equations(known)
    known.completeness = _missing(known)
    if known.given is None and falls_short(known.completeness):
        before = len(known.functions)
        functions_of_cyclic_coordinates(known)
        if len(known.functions) > before:
            known.completeness = _missing(known)


def _missing(known: KnownLaws) -> tuple[Finding, ...]:
    """Bound the number of laws, whatever functions their coefficients are."""
    linear = [each for each in known.functions if each[1] <= 1]
    more = len(known.solved_beside(known.functions)), len(known.solved_beside(linear))
    functions = (*known.space.values, *known.nodes)
    return none_missing(known.motion, known.functions, functions, known.steps, known.degree, more)


def _with_explicit_time(known: KnownLaws) -> tuple[KnownLaws, str]:
    """Search again with time as a coordinate; the result is what is known then, if that is more, and why that search ended early, if it did."""
    timed, gave_up = counting_time(known), ""
    if timed is None:
        return known, ""
    try:
        search(timed)
        _search_beyond(timed)
    except TimeLimitError as trouble:
        gave_up = str(trouble)
    return (timed if len(timed.functions) > len(known.functions) else known), gave_up


def _freed(model: Model, names: Sequence[Symbol]) -> Model:
    free = {s.name for s in names}
    return revalued(model, tuple((p, None if p in free else value) for p, value in model.parameter_items))


def read_unknown(model: Model, unknown: Sequence[Any]) -> tuple[Symbol, ...]:
    """The parameters of a user that are unknown."""
    known = {s.name: s for s in model.parameter_symbols}
    names = [name_of(each, "an unknown parameter") for each in expect_list(unknown, "the unknown parameters")]
    for name in names:
        if name not in known:
            raise UnknownNameError(
                f"{model.name} has no parameter {name!r} to be unknown; its parameters are {', '.join(known) or 'none'}."
            )
    return tuple(known[name] for name in dict.fromkeys(names))


# The answer: independent laws, the energy first, and what is known about others.


def _answer(known: KnownLaws, gave_up: str) -> Laws:
    kept = known.independent()
    laws = sorted((known.laws[k] for k in kept), key=lambda law: law.kind not in ENERGIES)
    rest = [law for k, law in enumerate(known.laws) if k not in kept and not known.copies_another(k, kept)]
    new = list(map(in_closed_form, known.solved_beside(known.functions)))
    covers = known.solved is not None and known.solved.on_cover
    return Laws(
        known.motion.model.name,
        tuple(laws if covers else [*laws, *new]),
        tuple(_where_proven(known.motion, each) for each in _completeness(known)),
        tuple(rest),
        gave_up,
        level=known.motion.level_words,
        on_cover=tuple(new) if covers else (),
    )


def _completeness(known: KnownLaws) -> Iterator[Finding]:
    """Findings about other laws: what is open, for lower degrees than were asked, then in a class of functions, beyond any class, and where a motion is full."""
    unsettled = [each for each in known.completeness if not each]
    lower = [each for each in known.completeness if each and is_of_lower_degree(each)]
    strong = [*_in_class(known), *(each for each in known.completeness if each and each not in lower), *_full(known)]
    # The last one is the strongest about what was asked.
    yield from ([*unsettled, *lower, *strong] if strong else [*lower, *unsettled])


def _in_class(known: KnownLaws) -> Iterator[Finding]:
    if known.searched is not None:
        motion = known.motion
        among, constants, solutions, ansatze = known.searched
        doubt = known.open[0] if known.open else "" if known.exact else "functions occur whose relations are not known"
        where = f" where {motion.level_words}" if motion.levels else ""
        claim = f"every integral{where} that is polynomial of degree at most {known.degree} in the speeds with coefficients among {among} is a function of these"
        scope = Scope(points=off_levels(motion.model))
        spanned = Spanned(motion, ansatze, tuple(known.functions), constants, solutions)
        yield Finding(claim, Verdict.of(None if doubt else True), (Reason(doubt) if doubt else spanned,), scope)


def _full(known: KnownLaws) -> Iterator[Finding]:
    if known.full:
        still = "" if known.motion.mentions_time else " that does not depend on time"
        claim = f"every integral{still} is a function of these"
        yield Finding(claim, Verdict.PROVEN, (known.no_room,), Scope(points="locally"))


def _where_proven(motion: ReducedMotion, finding: Finding) -> Finding:
    """A claim of completeness with the part of all states that random residues stand for."""
    side = where_positive(motion)
    if not finding or (side == "" and not positions_of(motion.model)):
        return finding
    if side is None:
        why = "no point was met at which the arguments of all absolute values are positive"
        return Finding.unknown(finding.claim, why)
    points = finding.scope.points.replace("at generic points", off_levels(motion.model))
    if points == "locally":
        points = f"locally, {off_levels(motion.model)}"
    return replace(finding, scope=replace(finding.scope, points=", ".join(filter(None, (points, side)))))


# The motion on a level of what it keeps: there more may be conserved.
#
# .. math:: I(q, u) = c, \qquad \dot I|_{I = c} = 0, \qquad u^k = \frac{c - I_0}{I_k} \quad\text{or a root, where } I \text{ is quadratic in } u^k
#
# A level is solved for a speed. Points are drawn on it, and an identity holds on it when it does with that speed replaced: modulo the ideal of the level.


def _on_levels(motion: ReducedMotion, levels: Any) -> ReducedMotion:
    """The motion where functions have their values, proven to stay there: a dict from texts, or the word energy, to numbers."""
    if not isinstance(levels, Mapping) or not levels:
        raise ArgumentError(
            f"{motion.model.name}: the levels are {quoted(levels)}; give a dict from conserved quantities to values."
        )
    if not motion.has_frame:
        raise NotSupportedError(
            f"{motion.model.name}: levels are asked of systems with constraints linear in the velocities."
        )
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
            raise NotSupportedError(
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
            raise NotSupportedError(f"{motion.model.name} has no energy: it has no Lagrangian.")
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
        raise UnknownNameError(
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
    raise NotSupportedError(
        f"{motion.model.name}: {word} is no polynomial of degree one or two in a speed that is left, so that it cannot be solved for one."
    )
