r"""The conserved quantities over an ansatz that are new: found modulo a prime, lifted to numbers and proven.

.. math:: F = \sum_ic_if_i, \qquad \sum_ic_i\dot f_i = 0 \quad\text{at random points modulo a prime}

Each kernel vector that is no combination of products of known laws gives a candidate (`anholonomy.laws.ansatz.candidates`). Its constants are
lifted to numbers and parameters (`anholonomy.laws.ansatz.lifting`), and the zero test proves it. A linear one is the momentum of a field,

.. math:: F = \langle p, \xi\rangle, \qquad \xi = (M^{-1}\partial_uF)^bX_b \in D ,

of a symmetry where the flow of $\xi$ preserves the Lagrangian, and a gauge momentum where it preserves it along the admissible directions only.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import final

import numpy as np
import symengine

from anholonomy.algebra.calculus import gradient, partial
from anholonomy.algebra.constant_relations import constant_factor
from anholonomy.algebra.expressions import Expr, Symbol, Vector, dot, symbol, time, zero
from anholonomy.algebra.linear_algebra.symbolic import solve as solve_linear
from anholonomy.algebra.normal_forms.canonical import Canonical, NoNormalForm
from anholonomy.algebra.residues.arrays import combined
from anholonomy.algebra.residues.functions import function_nodes
from anholonomy.algebra.residues.linear_algebra import independent_columns, residue_kernel
from anholonomy.algebra.simplification.simplify import READABLE, simplify
from anholonomy.algebra.steps.definitions import inline
from anholonomy.algebra.zero_test import is_zero
from anholonomy.base.deadlines import GLANCE, check, effort
from anholonomy.base.errors import TimeLimitError
from anholonomy.base.verdict import Verdict
from anholonomy.findings import AbstractEvidence
from anholonomy.language.answers import Part, Row
from anholonomy.language.writing import brief
from anholonomy.laws.ansatz.candidates import Ansatz, Column
from anholonomy.laws.ansatz.functions import FunctionSpace
from anholonomy.laws.ansatz.independence import consequences
from anholonomy.laws.ansatz.lifting import Constants, lifted
from anholonomy.laws.ansatz.random_points import AGAIN, SPARE, Values, are_roots_independent, draw_points
from anholonomy.laws.known_laws import KnownLaws
from anholonomy.laws.momentum import lift
from anholonomy.laws.proofs import constant, on_submanifold
from anholonomy.laws.reduced_motion import ReducedMotion

__all__ = ["Spanned", "solve"]

_CORNERS = 3
"""Functions whose absolute values are tried at once."""
_NAMES = {0: "leaf", 1: "linear", 2: "quadratic", 3: "cubic", 4: "quartic"}
_LONG = 1_500
"""Operations of a mass matrix up to which the field of a momentum is looked for."""


def solve(known: KnownLaws, ansatz: Ansatz) -> tuple[int, int]:
    """Add what is new over an ansatz, with the parameters at their values but free where that is as good.

    Returns the numbers of independent products and of solutions.
    """
    values = known.motion.model.values
    new, counted = _candidates(known, ansatz, values)
    if new and values:
        for support in _candidates(known, ansatz, {})[0]:
            _lift(known, ansatz, support, {})
        new, _ = _candidates(known, ansatz, values)
    if new and len(least := _least(known, ansatz, values, counted[1])) < len(values):
        for support in _candidates(known, ansatz, least)[0]:
            _lift(known, ansatz, support, least)
        new, _ = _candidates(known, ansatz, values)
    lifted = [support for support in new if _lift(known, ansatz, support, values)]
    if lifted:  # a law that was lifted need not be the one that was met
        new, _ = _candidates(known, ansatz, values)
    if new:
        known.open.append("a candidate was met whose constants were not recognised, or that is not proven")
    return counted


def _least(known: KnownLaws, ansatz: Ansatz, values: Values, solutions: int) -> Values:
    """The fewest of the values with which there are as many solutions: the other parameters stay letters."""
    least = dict(values)
    for name in values:
        others = {s: value for s, value in least.items() if s != name}
        if _candidates(known, ansatz, others)[1][1] == solutions:
            least = others
    return least


@final
@dataclass(frozen=True, repr=False)
class Spanned(AbstractEvidence):
    """Evidence that at random points all solutions among some products are combinations of products of known laws."""

    motion: ReducedMotion = field(compare=False)
    ansatze: tuple[Ansatz, ...]
    functions: tuple[tuple[Expr, int], ...]
    constants: int
    solutions: int

    def check(self) -> Verdict:
        known = KnownLaws(self.motion, 0, functions=list(self.functions))
        values = self.motion.model.values
        spanned = not any(_candidates(known, each, values, AGAIN)[0] for each in self.ansatze)
        return Verdict.of(True if spanned and known.exact else None)

    def as_rows(self) -> Iterable[Part]:
        conditions = f"{self.constants} constants obey {self.constants - self.solutions} independent conditions"
        yield Row(f"{conditions}, and the {self.solutions} solutions follow from these")


def _candidates(
    known: KnownLaws, ansatz: Ansatz, values: Values, seed: int = 0
) -> tuple[list[list[Column]], tuple[int, int]]:
    """The products in each kernel vector that is no combination of products of known laws, nor of others."""
    functions = (*ansatz.space.values, *known.nodes)
    points = draw_points(known.motion, functions, len(ansatz.columns) + SPARE, values=values, seed=seed)
    known.exact = known.exact and points.exact and are_roots_independent(known.motion, functions, True)
    V, R = ansatz.matrices(points, ansatz.columns)
    letters = len(ansatz.space.generators)
    degrees = [sum(column[letters:]) for column in ansatz.columns]
    # A column is written by those before it: what a low degree can say is not said by a higher one.
    order = sorted(independent_columns(V, points.prime), key=lambda k: (degrees[k], -k))
    vectors = sorted(residue_kernel(R[:, order], points.prime), key=lambda v: (degrees[order[max(v)]], len(v), -max(v)))
    # What only products of higher degrees say is new here: a linear law may be an energy less squares of others.
    old = consequences(known.functions, points, ansatz.letters.steps, max(degrees, default=0))
    matrix = np.stack([*old, *(combined(V[:, order], v, points.prime) for v in vectors)], axis=1)
    new = [k - len(old) for k in independent_columns(matrix, points.prime) if k >= len(old)]
    return [[ansatz.columns[order[u]] for u in sorted(vectors[k])] for k in new], (len(order), len(vectors))


def _lift(known: KnownLaws, ansatz: Ansatz, support: list[Column], values: Values) -> bool:
    """True if the candidate has constants that are recognised, and is proven; then it is a law."""
    motion, steps = known.motion, known.steps
    constants = lifted(motion, ansatz, support, values)
    if constants is None:
        return False
    for space in _sides(motion, ansatz.space):
        side = replace(ansatz, space=space)
        tidied, named = _tidied(known, side, constants)
        F = side.sum_of(tidied)
        shown = known.shown(F)
        on = motion.on if values else motion.model.frame.orbit
        if proof := constant(motion, F, steps, on, named):
            break
    degree = _degree(known, F, max(sum(column[len(ansatz.space.generators) :]) for column in constants))
    kind, xi = _kind_of(known, F, degree) if proof else ("", {})
    xi = {} if motion.levels else xi
    return known.admit(kind, degree, F, shown, named, proof, xi)


def _sides(motion: ReducedMotion, space: FunctionSpace) -> Iterator[FunctionSpace]:
    """The functions as they are, and by their absolute values where these occur: residues know only where both are the same."""
    yield space
    sources = (motion.model.lagrangian, *motion.model.forces_a)
    inside = {node.args[0] for e in sources for node in e.atoms(symengine.Abs)}
    signed = [value for value in space.values if value in inside or -value in inside]
    for some in (s for n in range(1, min(len(signed), _CORNERS) + 1) for s in combinations(signed, n)):
        generators = tuple(replace(g, value=abs(g.value)) if g.value in some else g for g in space.generators)
        yield replace(space, generators=generators)


def _tidied(known: KnownLaws, ansatz: Ansatz, constants: Constants) -> tuple[Constants, Expr]:
    """The same without what is constant anyway, a common factor or a minus in front, and how it reads."""
    names = {value: name for name, value in known.motion.model.named.items()}
    constants = _without_factor(known, ansatz, _without_constant(known, ansatz, constants), names)
    named = known.shown(ansatz.sum_of(constants, names))
    if brief(named).startswith("-"):
        return {column: -c for column, c in constants.items()}, -named
    return constants, named


def _without_constant(known: KnownLaws, ansatz: Ansatz, constants: Constants) -> Constants:
    flat = inline([ansatz.sum_of(constants)], known.steps)[0]
    if symengine.count_ops(flat) > READABLE:
        return constants
    whole = symengine.expand(flat)
    terms = whole.args if isinstance(whole, symengine.Add) else (whole,)
    still = symengine.Add(*(term for term in terms if term.free_symbols.isdisjoint(_moving(known.motion))))
    plain = (0,) * len(ansatz.columns[0])
    return constants if still == 0 else constants | {plain: constants.get(plain, 0) - still}


def _without_factor(known: KnownLaws, ansatz: Ansatz, constants: Constants, names: dict[Expr, Expr]) -> Constants:
    """Primitive as it reads: with the entries of a rotation matrix for what they are made of."""
    F = ansatz.sum_of(constants, names)
    flat = inline([F], known.steps)[0]
    if symengine.count_ops(flat) > READABLE:
        return constants
    with suppress(NoNormalForm):
        factor = constant_factor([flat], (*_moving(known.motion), *names.values()))
        if F in known.letters.values and not _has_both_signs(factor):
            return constants  # a momentum as it is known
        if not function_nodes([factor]):
            return {column: c / factor for column, c in constants.items()}
        divided = {column: simplify(c / factor) for column, c in constants.items()}
        # With exponentials of parameters a factor may be longer than what it leaves.
        longer = symengine.count_ops(*divided.values()) > symengine.count_ops(*constants.values())
        return constants if longer else divided
    return constants


def _has_both_signs(factor: Expr) -> bool:
    """True if a factor may change its sign for positive parameters, as $ml^2 + I_2 - I_3$ does."""
    forms = Canonical([factor])
    parts = forms.quotient(factor).num.factor()[1]
    odd = [symengine.expand(forms.ring.expanded(f)) for f, power in parts if power % 2]
    sums = [f.args for f in odd if isinstance(f, symengine.Add)]
    return any(len(set(map(_is_negative, terms))) > 1 for terms in sums)


def _is_negative(term: Expr) -> bool:
    numbers = (f for f in (term.args if isinstance(term, symengine.Mul) else (term,)) if f.is_Number)
    return any(f.is_negative for f in numbers)


def _degree(known: KnownLaws, F: Expr, most: int) -> int:
    """The degree in the speeds of what is left on the constraint submanifold: products of momenta may say less than each of them."""
    motion = known.motion
    own = inline([F], known.steps)[0]
    own = on_submanifold(motion, own) if motion.has_frame else own
    if not most or not motion.has_frame or symengine.count_ops(own) > READABLE:
        return most
    scale = symbol("_scale")
    whole = symengine.expand(own.xreplace({u: scale * u for u in motion.speeds}))
    for degree in range(most, 0, -1):
        if not is_zero(_coefficient(whole, scale, degree), motion.on):
            return degree
    return 0


def _coefficient(e: Expr, s: Symbol, power: int) -> Expr:
    for k in range(power):
        e = partial(e, s) / (k + 1)
    return e.xreplace({s: zero})


def _moving(motion: ReducedMotion) -> tuple[Symbol, ...]:
    return (*motion.coordinates, *motion.model.velocities, *motion.speeds, time)


def _kind_of(known: KnownLaws, F: Expr, degree: int) -> tuple[str, dict[str, Expr]]:
    """A word for the kind of a law, and the field whose momentum it is, by direction; the degree alone where the field is not soon known."""
    motion = known.motion
    try:
        with effort(GLANCE):
            xi = _field(motion, inline([F], known.steps)[0]) if degree == 1 and not motion.levels else None
            if xi is not None:
                symmetry = is_zero(lift(motion.model, xi), motion.model.frame.orbit)
                short = {name: simplify(value) for name, value in zip(motion.model.directions, xi, strict=True)}
                kind = "momentum" if symmetry else "gauge momentum"
                return kind, {name: value for name, value in short.items() if value != 0}
    except TimeLimitError:
        check()
    return _NAMES.get(degree, f"of degree {degree}"), {}


def _field(motion: ReducedMotion, F: Expr) -> Vector | None:
    """The field of a linear law; None where there is none, or it is long."""
    entries = [e for row in motion.mass_ab for e in row] if motion.has_frame else []
    if not entries or symengine.count_ops(*entries) > _LONG or motion.model.momenta_a is not None:
        return None
    own = on_submanifold(motion, F)
    if not is_zero(own.xreplace(dict.fromkeys(motion.speeds, zero)), motion.model.frame.orbit):
        return None
    (v,) = solve_linear(motion.mass_ab, [gradient(own, motion.speeds)])
    return tuple(dot(column, v) for column in zip(*motion.span_ba, strict=True))
