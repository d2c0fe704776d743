"""Route: conserved quantities that are polynomials in the speeds, one class of coefficient functions after the other.

The search for integrals: stages of growing classes, each gone through exactly.

Residues at many points find the candidates (`anholonomy.laws.ansatz.candidates`), their constants are lifted to numbers and parameters
(`anholonomy.laws.ansatz.lifting`), the zero test proves them, and what follows from others is left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import combinations, product
from types import MappingProxyType
from typing import final

import numpy as np
import symengine

from anholonomy.algebra.calculus import gradient
from anholonomy.algebra.expressions import Expr, Symbol, Vector, dot, time, zero
from anholonomy.algebra.linear_algebra.symbolic import solve
from anholonomy.algebra.normal_forms.canonical import NoNormalForm
from anholonomy.algebra.relations import constant_factor
from anholonomy.algebra.residues.arrays import combined
from anholonomy.algebra.residues.functions import function_nodes
from anholonomy.algebra.residues.linear_algebra import independent_columns, residue_kernel
from anholonomy.algebra.simplification.simplify import READABLE, simplify
from anholonomy.algebra.steps.definitions import Assign, inline
from anholonomy.algebra.zero_test import is_zero
from anholonomy.base.deadlines import GLANCE, check, effort
from anholonomy.base.errors import GaveUp
from anholonomy.base.verdict import Verdict
from anholonomy.findings import Finding, Reason, Scope
from anholonomy.language.writing import brief
from anholonomy.laws.ansatz.candidates import (
    MAX_COLUMNS,
    Ansatz,
    Column,
    Letters,
    degree_at_rest,
    degree_classes,
    functions_at_rest,
    letters_of,
)
from anholonomy.laws.ansatz.functions import FunctionSpace, Generator, automatic_functions
from anholonomy.laws.ansatz.independence import consequences, directions_at_rest, independent_functions
from anholonomy.laws.ansatz.lifting import Constants, lifted
from anholonomy.laws.ansatz.random_points import SPARE, Values, are_roots_independent, draw_points
from anholonomy.laws.first_integrals.cyclic_coordinates import cyclic_ansatze
from anholonomy.laws.first_integrals.linear_odes import SolvedLaws, solved_laws
from anholonomy.laws.generic_scope import off_levels, where_positive
from anholonomy.laws.group_functions import in_names
from anholonomy.laws.law import Law, Laws
from anholonomy.laws.momentum import lift
from anholonomy.laws.moving_energy import surviving_energy
from anholonomy.laws.prolongation.completeness import falls_short, none_missing
from anholonomy.laws.proofs import constant, energy_is_constant, on_submanifold
from anholonomy.laws.reduced_motion import ReducedMotion
from anholonomy.system.momenta import momenta
from anholonomy.system.solved_constraints import positions_of

__all__ = ["kind_of", "Search"]


# What an integral is: by its degree, and a linear one by the field whose momentum it is.
#
# .. math:: F = \langle p, \xi\rangle, \qquad \xi = (M^{-1}\partial_uF)^bX_b \in D
#
# It is the momentum of a symmetry where the flow of $\xi$ preserves the Lagrangian, and a gauge momentum where it preserves it along the
# admissible directions only.


_NAMES = {0: "leaf", 1: "linear", 2: "quadratic", 3: "cubic", 4: "quartic"}
_LONG = 1_500
"""Operations of a mass matrix up to which the field of a momentum is looked for."""


def kind_of(motion: ReducedMotion, F: Expr, steps: Sequence[Assign], degree: int) -> tuple[str, dict[str, Expr]]:
    """A word for the kind of an integral, and the field whose momentum it is, by direction; the degree alone where the field is not soon known."""
    try:
        with effort(GLANCE):
            return _known(motion, F, steps, degree)
    except GaveUp:
        check()
        return _by_degree(degree), {}


def _by_degree(degree: int) -> str:
    return _NAMES.get(degree, f"of degree {degree}")


def _known(motion: ReducedMotion, F: Expr, steps: Sequence[Assign], degree: int) -> tuple[str, dict[str, Expr]]:
    xi = _field(motion, inline([F], steps)[0]) if degree == 1 and not motion.levels else None
    if xi is None:
        return _by_degree(degree), {}
    symmetry = is_zero(lift(motion.model, xi), motion.model.frame.orbit)
    short = {name: simplify(value) for name, value in zip(motion.model.directions, xi, strict=True)}
    return "momentum" if symmetry else "gauge momentum", {name: value for name, value in short.items() if value != 0}


def _field(motion: ReducedMotion, F: Expr) -> Vector | None:
    """The field of a linear integral; None where there is none, or it is long."""
    entries = [e for row in motion.mass_ab for e in row] if motion.has_frame else []
    if not entries or symengine.count_ops(*entries) > _LONG or motion.model.momenta_a is not None:
        return None
    own = on_submanifold(motion, F)
    if not is_zero(own.xreplace(dict.fromkeys(motion.speeds, zero)), motion.model.frame.orbit):
        return None
    (v,) = solve(motion.mass_ab, [gradient(own, motion.speeds)])
    return tuple(dot(column, v) for column in zip(*motion.span_ba, strict=True))


# The search for integrals: stages of growing classes, each gone through exactly.


MAX_WEIGHT, MOST_WEIGHT = 3, 6
"""The degree of functions of the configuration that are tried, and that of a potential which they may have."""

MIXED = 2
"""The degree up to which products of all functions on a group are few enough."""
_CORNERS = 3
"""Functions whose absolute values are tried at once."""

ENERGIES = ("energy", "moving energy")
"""Laws that stand before others of their degree."""


@final
@dataclass
class Search:
    """One search: what was found so far, and over which functions nothing else was."""

    motion: ReducedMotion
    degree: int
    found: list[Law] = field(default_factory=list)
    raw: list[tuple[Expr, int]] = field(default_factory=list)
    open: list[str] = field(default_factory=list)
    finished: str = ""
    counted: list[tuple[int, int]] = field(default_factory=list)
    exact: bool = True
    gave_up: str = ""
    evidence: tuple[int, int] = (0, 0)
    letters: Letters = field(default_factory=lambda: Letters((), ()))
    space: FunctionSpace = field(default_factory=lambda: FunctionSpace(()))
    beyond: tuple[Finding, ...] = ()
    solved: SolvedLaws | None = None

    def run(self, given: FunctionSpace | None) -> None:
        """Search in growing classes, then ask whether anything is missing whatever the class."""
        self.search(given)
        if self.motion.levels:
            return
        if self.degree and given is None and not positions_of(self.motion.model):
            self.solved = solved_laws(self.motion)
        self.beyond = self._missing()
        if given is None and falls_short(self.beyond) and self._search_cyclic():
            self.beyond = self._missing()

    def _missing(self) -> tuple[Finding, ...]:
        functions = (*self.space.values, *self._nodes)
        more = len(self._new(self.raw)), len(self._new([each for each in self.raw if each[1] <= 1]))
        return none_missing(self.motion, self.raw, functions, self.letters.steps, self.degree, more)

    def _search_cyclic(self) -> bool:
        """Whether functions of what does not occur bring another integral."""
        before, classes = len(self.raw), degree_classes(self.motion, self.degree)
        if any({1, 2} <= set(degrees) for degrees in classes):  # where degrees mix, low ones first
            classes = [tuple(range(top + 1)) for top in range(1, self.degree + 1)]
        for ansatz in cyclic_ansatze(self.motion, self.space, self.letters, classes):
            if self._is_full:
                break
            self._solve(ansatz)
        return len(self.raw) > before

    def _new(self, known: Sequence[tuple[Expr, int]]) -> list[Law]:
        """Laws by equations of their coefficients that are independent of known integrals."""
        return self.solved.independent_of(inline([F for F, _ in known], self.letters.steps)) if self.solved else []

    @property
    def _nodes(self) -> tuple[Expr, ...]:
        """The functions in what was found: products of exponentials are exponentials that may occur nowhere else."""
        return tuple(sorted(function_nodes(F for F, _ in self.raw), key=str))

    def search(self, given: FunctionSpace | None) -> None:
        """Search in growing classes."""
        motion = self.motion
        self.letters = letters_of(motion, draw_points(motion, (), 30))
        if not self.motion.levels:  # where what is conserved in general is known already
            self._leaves()
            self._energy()
            self._momenta_in_space()
        self.space = automatic_functions(motion) if given is None else given
        if not motion.levels:
            self._moving_energy(given)
        classes = degree_classes(motion, self.degree)
        at_rest = min(degree_at_rest(motion.model), MOST_WEIGHT)
        self._stages(classes, range(1 if given is not None else max(MAX_WEIGHT, at_rest) + 1))
        for degrees in classes if given is None else ():
            for make in (self.polynomials, self._directions):
                if not self._is_full and (ansatz := make(degrees, MAX_COLUMNS)) is not None:
                    self._solve(ansatz)

    def _stages(self, classes: Sequence[Sequence[int]], weights: Sequence[int]) -> None:
        self._low_degrees_first(classes, weights)
        for weight in weights:
            self.counted.clear()
            for degrees in classes:
                if not self._stage(weight, degrees):
                    return
            self.finished = self.space.words(weight, {v: k for k, v in self.motion.model.named.items()})
            self.evidence = (sum(n for n, _ in self.counted), sum(k for _, k in self.counted))
            if self._is_full:
                return

    def _low_degrees_first(self, classes: Sequence[Sequence[int]], weights: Sequence[int]) -> None:
        """Where degrees mix, a linear integral over long functions would be met as a part of a quadratic one over short ones."""
        mixed = [degrees for degrees in classes if {1, 2} <= set(degrees)]
        for top, weight in product(range(1, self.degree) if mixed else (), weights):
            if self._is_full or not self._stage(weight, range(top + 1)):
                return

    @property
    def _is_full(self) -> bool:
        """Whether a motion leaves no room for another integral."""
        motion = self.motion
        lost = 0 if motion.has_frame else len(motion.model.constraints)
        lost += len(motion.levels)
        room = motion.model.frame.size + len(motion.speeds) - lost - 1 + int(motion.mentions_time)
        return len(self.raw) >= room and len(self.independent()) >= room

    def _leaves(self) -> None:
        """Sums of coordinates that constraints keep. Angles stand bare in them, which only here is worth while: round a circle they grow."""
        model = self.motion.model
        tied = set(model.frame.orbit.tied) if model.frame.orbit is not None else set()
        plain = FunctionSpace(tuple(Generator(q) for q in model.coordinates if q not in tied))
        ansatz = self.ansatz(plain, 1, (0,), MAX_COLUMNS) if model.constraints else None
        if ansatz is not None:
            self._solve(ansatz)

    def _momenta_in_space(self) -> None:
        r"""Combinations of the momenta $\langle p, Y\rangle$ of right-invariant fields, whose coefficients are long functions of the entries of matrices."""
        frame, p = self.motion.model.frame, momenta(self.motion.model)
        if frame.right_invariant is None or frame.is_chart or frame.named or self.degree < 1:
            return
        letters = Letters(tuple(dot(row, p.momentum_a) for row in frame.right_invariant()), p.definitions)
        self._solve(Ansatz(FunctionSpace(()), letters, tuple(letters.powers(1))))

    def _energy(self) -> None:
        motion, p = self.motion, momenta(self.motion.model)
        if not p.energy or self.degree < 2:
            return
        points, proof = draw_points(motion, (), 20, values=motion.model.values), None
        try:
            if points.at(p.energy, p.definitions)[0][1].any():
                return
        except KeyError:  # a function without residues, such as a logarithm that the motion does not know
            if not (proof := energy_is_constant(motion)):
                return
        shown = self._shown(p.energy[0])
        proof = proof or energy_is_constant(motion) or constant(motion, p.energy[0], p.definitions, motion.on, shown)
        self._admit("energy", 2, p.energy[0], shown, in_names(shown, motion.model.frame), proof)

    def _moving_energy(self, given: FunctionSpace | None) -> None:
        """What survives of an energy that is not constant."""
        p = momenta(self.motion.model)
        if not p.energy or self.degree < 2 or any(law.kind == "energy" for law in self.found):
            return
        found = surviving_energy(self.motion, given)
        if found.law is not None:
            F = symengine.Add(p.energy[0], found.potential, -dot(tuple(found.field.values()), p.momentum_a))
            self._admit("moving energy", 2, F, found.law.expression, found.law.named, found.law.finding)

    def _stage(self, weight: int, degrees: Sequence[int]) -> bool:
        """Whether a stage was small enough to be gone through."""
        ansatz = self.ansatz(self.space, weight, degrees, MAX_COLUMNS)
        if ansatz is None:
            return False
        self._solve(ansatz)
        return True

    def ansatz(self, space: FunctionSpace, weight: int, degrees: Sequence[int], most: int) -> Ansatz | None:
        """Independent functions of a weight times letters to some degrees; None where there are more than so many."""
        check()
        functions = Ansatz.of(space, self.letters, weight, (0,))
        powers = [each for d in sorted(degrees) for each in self.letters.powers(d)]
        if len(functions.columns) * len(powers) > 4 * most:
            return None
        some = draw_points(self.motion, space.values, len(functions.columns) + SPARE)
        kept = independent_columns(functions.matrices(some, functions.columns)[0], some.prime)
        if len(kept) * len(powers) > most:
            return None
        split = len(space.generators)
        columns = tuple((*functions.columns[k][:split], *each) for each in powers for k in kept)
        return Ansatz(space, self.letters, columns)

    def polynomials(self, degrees: Sequence[int], most: int) -> Ansatz | None:
        """Polynomials in the coordinates as the potential asks for, each before its power of the speeds; None where there are none, or too many."""
        model = self.motion.model
        ansatz = Ansatz.graded(self.space, self.letters, degrees, degree_at_rest(model), functions_at_rest(model))
        return ansatz if ansatz is not None and len(ansatz.columns) <= most else None

    def _directions(self, degrees: Sequence[int], most: int) -> Ansatz | None:
        """Polynomials in the few functions on a group of which the potential is one, where degrees mix."""
        if max(degrees) <= MIXED or not (seen := directions_at_rest(self.motion)):
            return None
        ansatz = Ansatz.weighted(FunctionSpace(tuple(map(Generator, seen))), self.letters, degrees)
        return ansatz if len(ansatz.columns) <= most else None

    def _solve(self, ansatz: Ansatz) -> None:
        """Find, lift and prove what is new over an ansatz: with the parameters at their values, but free where that is as good."""
        values = self.motion.model.values
        new = self._candidates(ansatz, values, count=True)
        if new and values:
            for support in self._candidates(ansatz, {}):
                self._lift(ansatz, support, {})
            new = self._candidates(ansatz, values)
        for support in new:
            if not self._lift(ansatz, support, values):
                self.open.append("a candidate was met whose constants were not recognised, or that is not proven")

    def _candidates(self, ansatz: Ansatz, values: Values, count: bool = False) -> list[list[Column]]:
        """The products in each kernel vector that is no combination of products of known integrals, nor of others."""
        functions = (*ansatz.space.values, *self._nodes)
        points = draw_points(self.motion, functions, len(ansatz.columns) + SPARE, values=values)
        self.exact = self.exact and points.exact and are_roots_independent(self.motion, functions, True)
        V, R = ansatz.matrices(points, ansatz.columns)
        letters = len(ansatz.space.generators)
        degrees = [sum(column[letters:]) for column in ansatz.columns]
        # A column is written by those before it: what a low degree can say is not said by a higher one.
        order = sorted(independent_columns(V, points.prime), key=lambda k: (degrees[k], -k))
        vectors = sorted(
            residue_kernel(R[:, order], points.prime), key=lambda v: (degrees[order[max(v)]], len(v), -max(v))
        )
        if count:
            self.counted.append((len(order), len(vectors)))
        # What only products of higher degrees say is new here: a linear law may be an energy less squares of others.
        known = consequences(self.raw, points, self.letters.steps, max(degrees))
        matrix = np.stack([*known, *(combined(V[:, order], v, points.prime) for v in vectors)], axis=1)
        new = [k - len(known) for k in independent_columns(matrix, points.prime) if k >= len(known)]
        return [[ansatz.columns[order[u]] for u in sorted(vectors[k])] for k in new]

    def _lift(self, ansatz: Ansatz, support: list[Column], values: Values) -> bool:
        motion = self.motion
        constants = lifted(motion, ansatz, support, values)
        if constants is None:
            return False
        for space in self._sides(ansatz.space):
            side = replace(ansatz, space=space)
            tidied, named = self._tidied(side, constants)
            F = side.sum_of(tidied)
            shown = self._shown(F)
            on = motion.on if values else motion.model.frame.orbit
            if proof := constant(motion, F, self.letters.steps, on, named):
                break
        degree = max(sum(column[len(ansatz.space.generators) :]) for column in constants)
        kind, xi = kind_of(motion, F, self.letters.steps, degree) if proof else ("", {})
        xi = {} if motion.levels else xi
        return self._admit(kind, degree, F, shown, named, proof, xi)

    def _sides(self, space: FunctionSpace) -> Iterator[FunctionSpace]:
        """The functions as they are, and by their absolute values where these occur: residues know only where both are the same."""
        yield space
        sources = (self.motion.model.lagrangian, *self.motion.model.forces_a)
        inside = {node.args[0] for e in sources for node in e.atoms(symengine.Abs)}
        signed = [value for value in space.values if value in inside or -value in inside]
        for some in (s for n in range(1, min(len(signed), _CORNERS) + 1) for s in combinations(signed, n)):
            generators = tuple(replace(g, value=abs(g.value)) if g.value in some else g for g in space.generators)
            yield replace(space, generators=generators)

    def _admit(
        self,
        kind: str,
        degree: int,
        F: Expr,
        shown: Expr,
        named: Expr,
        proof: Finding,
        xi: Mapping[str, Expr] = MappingProxyType({}),
    ) -> bool:
        if proof:
            self.raw.append((F, degree))
            self.found.append(Law(self.motion.model, kind, degree, shown, proof, named, xi))
        return bool(proof)

    def independent(self) -> list[int]:
        """Integrals that are functionally independent: linear ones first, then the energy, then the others."""
        levels, every = self.motion.level_functions, list(range(len(self.raw)))
        if len(every) + len(levels) < 2:
            return every
        order = sorted(every, key=lambda k: (self.raw[k][1], self.found[k].kind not in ENERGIES))
        functions = (*self.space.values, *self._nodes)
        points = draw_points(self.motion, functions, 2, values=self.motion.model.values)
        ranked = [*levels, *(self.raw[k][0] for k in order)]
        kept = independent_functions(self.motion, points, ranked, self.letters.steps)
        return [order[k - len(levels)] for k in kept if k >= len(levels)]

    def _tidied(self, ansatz: Ansatz, constants: Constants) -> tuple[Constants, Expr]:
        """The same without what is constant anyway, a common factor or a minus in front, and how it reads."""
        names = {value: name for name, value in self.motion.model.named.items()}
        constants = self._without_factor(ansatz, self._without_constant(ansatz, constants), names)
        named = self._shown(ansatz.sum_of(constants, names))
        if brief(named).startswith("-"):
            return {column: -c for column, c in constants.items()}, -named
        return constants, named

    def _without_constant(self, ansatz: Ansatz, constants: Constants) -> Constants:
        flat = inline([ansatz.sum_of(constants)], self.letters.steps)[0]
        if symengine.count_ops(flat) > READABLE:
            return constants
        whole = symengine.expand(flat)
        terms = whole.args if isinstance(whole, symengine.Add) else (whole,)
        still = symengine.Add(*(term for term in terms if term.free_symbols.isdisjoint(self._moving)))
        plain = (0,) * len(ansatz.columns[0])
        return constants if still == 0 else constants | {plain: constants.get(plain, 0) - still}

    def _without_factor(self, ansatz: Ansatz, constants: Constants, names: dict[Expr, Expr]) -> Constants:
        """Primitive as it reads: with the entries of a rotation matrix for what they are made of."""
        F = ansatz.sum_of(constants, names)
        flat = inline([F], self.letters.steps)[0]
        if symengine.count_ops(flat) > READABLE or F in self.letters.values:
            return constants
        with suppress(NoNormalForm):
            factor = constant_factor([flat], (*self._moving, *names.values()))
            return {column: c / factor for column, c in constants.items()}
        return constants

    @property
    def _moving(self) -> tuple[Symbol, ...]:
        return (*self.motion.coordinates, *self.motion.model.velocities, *self.motion.speeds, time)

    def _shown(self, F: Expr) -> Expr:
        """The quantity in the user's velocities, short where it is not long."""
        motion = self.motion
        flat = inline([F], self.letters.steps)[0]
        flat = flat.xreplace(motion.speeds_of_velocities) if motion.has_frame else flat
        if symengine.count_ops(flat) > READABLE:
            return flat
        return min(simplify(flat), simplify(symengine.expand(flat)), key=symengine.count_ops)

    def answer(self) -> Laws:
        kept = self.independent()
        laws = sorted((self.found[k] for k in kept), key=lambda law: law.kind not in ENERGIES)
        rest = [law for k, law in enumerate(self.found) if k not in kept and not self._is_level(self.raw[k][0])]
        where = self.motion.level_words
        new = self._new(self.raw)
        covers = self.solved is not None and self.solved.on_cover
        laws += [] if covers else new
        return Laws(
            self.motion.model.name,
            tuple(laws),
            tuple(self._completeness()),
            tuple(rest),
            self.gave_up,
            level=where,
            on_cover=tuple(new) if covers else (),
        )

    def _is_level(self, F: Expr) -> bool:
        """Whether a quantity has one value on the level."""
        if not self.motion.levels:
            return False
        points = draw_points(self.motion, (*self.space.values, *self._nodes), 3, values=self.motion.model.values)
        ((value, _),) = points.at([F], self.letters.steps)
        return bool((value == value[0]).all())

    def _completeness(self) -> list[Finding]:
        words = f"polynomial of degree at most {self.degree} in the speeds with coefficients among {self.finished}"
        found = []
        if self.finished:
            doubt = self.open[0] if self.open else "" if self.exact else "functions occur whose relations are not known"
            unknowns, kernel = self.evidence
            ranks = f"{unknowns} constants obey {unknowns - kernel} independent conditions, and the {kernel} solutions follow from these"
            why = (Reason(doubt or ranks),)
            where = f" where {self.motion.level_words}" if self.motion.levels else ""
            claim = f"every integral{where} that is {words} is a function of these"
            scope = Scope(points=off_levels(self.motion.model))
            found.append(Finding(claim, Verdict.of(None if doubt else True), why, scope))
        found = [*(each for each in self.beyond if not each), *found, *(each for each in self.beyond if each)]
        if self._is_full:
            why = (Reason("a motion leaves no room for another"),)
            still = "" if self.motion.mentions_time else " that does not depend on time"
            claim = f"every integral{still} is a function of these"
            found.append(Finding(claim, Verdict.PROVEN, why, Scope(points="locally")))
        return [self._where(each) for each in found]

    def _where(self, finding: Finding) -> Finding:
        """A claim of completeness with the part of all states that random residues stand for."""
        side = where_positive(self.motion)
        if not finding or (side == "" and not positions_of(self.motion.model)):
            return finding
        if side is None:
            why = "no point was met at which the arguments of all absolute values are positive"
            return Finding.unknown(finding.claim, why)
        points = finding.scope.points.replace("at generic points", off_levels(self.motion.model))
        if points == "locally":
            points = f"locally, {off_levels(self.motion.model)}"
        return replace(finding, scope=replace(finding.scope, points=", ".join(filter(None, (points, side)))))
