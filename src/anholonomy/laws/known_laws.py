"""The conserved quantities of a motion that are known while the routes of `anholonomy.laws.conserved` search for more."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, final

import symengine

from anholonomy.algebra.expressions import Expr, Vector
from anholonomy.algebra.residues.functions import function_nodes
from anholonomy.algebra.steps.definitions import Assign, inline
from anholonomy.base.caching import cached_property
from anholonomy.base.verdict import Verdict
from anholonomy.findings import AbstractEvidence, Finding
from anholonomy.language.answers import Part, Row
from anholonomy.laws.ansatz.candidates import Ansatz, Letters, letters_of
from anholonomy.laws.ansatz.functions import FunctionSpace
from anholonomy.laws.ansatz.independence import differentials, independent_at_real_points, independent_functions
from anholonomy.laws.ansatz.random_points import AGAIN, Points, are_roots_independent, draw_points
from anholonomy.laws.law import Law
from anholonomy.laws.proofs import short_form
from anholonomy.laws.reduced_motion import ReducedMotion
from anholonomy.system.momenta import momenta

if TYPE_CHECKING:
    from anholonomy.laws.first_integrals.linear_odes import SolvedLaws

__all__ = ["ENERGIES", "KnownLaws", "Searched"]

_FEW = 4
"""Points at which it is seen that a quantity has a slope."""
ENERGIES = ("energy", "moving energy")
"""Laws that stand before others of their degree."""


def _room(motion: ReducedMotion) -> int:
    """The number of independent functions of a state, and of time where it occurs, that a motion can keep."""
    lost = 0 if motion.has_frame else len(motion.model.constraints)
    lost += len(motion.levels)
    return motion.model.frame.size + len(motion.speeds) - lost - 1 + int(motion.mentions_time)


def _independent(
    motion: ReducedMotion, points: Points, functions: Sequence[Expr], steps: Sequence[Assign]
) -> tuple[list[int], bool]:
    """The functions that are independent of those before, and whether that is proven: at residues that respect every relation, otherwise at real points."""
    flat = inline(functions, steps)
    roots = {node for F in flat for node in F.atoms(symengine.Pow) if not node.args[1].is_Integer}
    nodes = tuple(sorted(function_nodes(flat) | roots, key=str))
    if not (points.exact and are_roots_independent(motion, nodes, True)):
        kept = independent_at_real_points(motion, functions, steps)
        if kept is not None:
            return kept, True
        return independent_functions(motion, points, functions, steps), False
    return independent_functions(motion, points, functions, steps), True


@final
@dataclass(frozen=True, repr=False)
class Crowded(AbstractEvidence):
    """Evidence that a motion keeps as many independent functions as it can."""

    motion: ReducedMotion = field(compare=False)
    functions: Vector
    steps: tuple[Assign, ...]

    def check(self) -> Verdict:
        motion, levels = self.motion, self.motion.level_functions
        nodes = tuple(function_nodes(inline(self.functions, self.steps)))
        points = draw_points(motion, nodes, _FEW, values=motion.model.values, seed=AGAIN)
        kept, sure = _independent(motion, points, [*levels, *self.functions], self.steps)
        return Verdict.of(True if sure and len(kept) - len(levels) >= _room(motion) else None)

    def as_rows(self) -> Iterable[Part]:
        yield Row("a motion leaves no room for another")


@final
class Searched(NamedTuple):
    """The largest class of functions that was gone through, in words, with its numbers of constants and of solutions, and its products."""

    among: str
    constants: int
    solutions: int
    ansatze: tuple[Ansatz, ...]


@final
@dataclass
class KnownLaws:
    """The laws that routes share and add to.

    Attributes
    ----------
    motion, degree
        The motion, and the highest degree in the speeds.
    given
        The functions of a user, to which the search is bound; None for those that occur in the system.
    laws, functions
        The laws that were found, and the same with their degrees in coordinates, speeds and `steps`.
    space, searched
        The functions of the configuration that are combined, and how far that was gone through.
    open
        Why something that was met is not among the laws.
    exact
        Whether the relations of all functions are known, so that nothing can have been missed.
    solved
        Laws whose coefficients solve differential equations.
    completeness
        What is proven about laws with any functions for coefficients.
    """

    motion: ReducedMotion
    degree: int
    given: FunctionSpace | None = None
    laws: list[Law] = field(default_factory=list)
    functions: list[tuple[Expr, int]] = field(default_factory=list)
    space: FunctionSpace = field(default_factory=lambda: FunctionSpace(()))
    searched: Searched | None = None
    open: list[str] = field(default_factory=list)
    exact: bool = True
    solved: SolvedLaws | None = None
    completeness: tuple[Finding, ...] = ()

    @property
    def steps(self) -> tuple[Assign, ...]:
        """The steps with which the momenta and the energy are written."""
        return momenta(self.motion.model).definitions

    @cached_property
    def letters(self) -> Letters:
        """Momenta and speeds, in which laws are polynomials."""
        return letters_of(self.motion, draw_points(self.motion, (), 30))

    @property
    def nodes(self) -> tuple[Expr, ...]:
        """The functions in what was found: products of exponentials are exponentials that may occur nowhere else."""
        return tuple(sorted(function_nodes(F for F, _ in self.functions), key=str))

    def draw(self, count: int) -> Points:
        """Random points at which every law has values, for the declared parameters."""
        return draw_points(self.motion, (*self.space.values, *self.nodes), count, values=self.motion.model.values)

    def admit(
        self,
        kind: str,
        degree: int,
        F: Expr,
        shown: Expr,
        named: Expr,
        proof: Finding,
        xi: Mapping[str, Expr] = MappingProxyType({}),
    ) -> bool:
        """Add a law if it is proven, and no number: a quantity has a slope somewhere on the constraint submanifold."""
        kinetic = kind == "energy" and self.motion.has_frame and bool(self.motion.speeds)  # it has a slope
        if not proof or not (kinetic or self._has_slope(F)):
            return False
        self.functions.append((F, degree))
        self.laws.append(Law(self.motion.model, kind, degree, shown, proof, named, xi))
        return True

    def _has_slope(self, F: Expr) -> bool:
        """True if a quantity is proven to change on the constraint submanifold, or on the level; constants and signs do not."""
        levels, flat = self.motion.level_functions, inline([F], self.steps)
        points = draw_points(self.motion, tuple(function_nodes(flat)), _FEW, values=self.motion.model.values)
        return len(levels) in independent_functions(self.motion, points, [*levels, F], self.steps)

    def shown(self, F: Expr) -> Expr:
        """The quantity in the user's velocities, short where it is not long."""
        flat = inline([F], self.steps)[0]
        return short_form(flat.xreplace(self.motion.speeds_of_velocities) if self.motion.has_frame else flat)

    def independent(self) -> list[int]:
        """Laws that are functionally independent: linear ones first, then the energy, then the others."""
        levels, every = self.motion.level_functions, list(range(len(self.functions)))
        if len(every) + len(levels) < 2:
            return every
        order = sorted(every, key=lambda k: (self.functions[k][1], self.laws[k].kind not in ENERGIES))
        ranked = [*levels, *(self.functions[k][0] for k in order)]
        kept, _ = _independent(self.motion, self.draw(2), ranked, self.steps)
        return [order[k - len(levels)] for k in kept if k >= len(levels)]

    def solved_beside(self, known: Sequence[tuple[Expr, int]]) -> list[Law]:
        """Laws by equations of their coefficients that are independent of known ones."""
        return self.solved.independent_of(inline([F for F, _ in known], self.steps)) if self.solved else []

    @property
    def full(self) -> bool:
        """True if a motion leaves no room for another law."""
        if len(self.functions) < _room(self.motion):
            return False
        ranked = [*self.motion.level_functions, *(F for F, _ in self.functions)]
        kept, sure = _independent(self.motion, self.draw(2), ranked, self.steps)
        return sure and len(kept) - len(self.motion.level_functions) >= _room(self.motion)

    @property
    def no_room(self) -> Crowded:
        """The evidence for that."""
        return Crowded(self.motion, tuple(F for F, _ in self.functions), self.steps)

    def copies_another(self, k: int, kept: Sequence[int]) -> bool:
        r"""True if a law has one value on the level, or is one that is kept, or was found before, but for a factor without slope, as a sign is: $F\,dG = G\,dF$."""
        F, degree = self.functions[k]
        others = [self.functions[j][0] for j in {*kept, *range(k)} - {k} if self.functions[j][1] == degree]
        points = self.draw(3)
        own, *values = (value for value, _ in points.at([F, *others], self.steps))
        if self.motion.levels:
            return bool((own == own[0]).all())
        slopes, *rest = differentials(self.motion, points, [F, *others], self.steps)
        prime = points.prime
        return any(not ((G * slopes - own * dG) % prime).any() for G, dG in zip(values, rest, strict=True))
