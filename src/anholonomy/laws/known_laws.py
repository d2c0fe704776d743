"""The conserved quantities of a motion that are known while the routes of `anholonomy.laws.conserved` search for more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, final

from anholonomy.algebra.expressions import Expr
from anholonomy.algebra.residues.functions import function_nodes
from anholonomy.algebra.steps.definitions import Assign, inline
from anholonomy.base.caching import cached_property
from anholonomy.findings import Finding
from anholonomy.laws.ansatz.candidates import Letters, letters_of
from anholonomy.laws.ansatz.functions import FunctionSpace
from anholonomy.laws.ansatz.independence import independent_functions
from anholonomy.laws.ansatz.random_points import Points, draw_points
from anholonomy.laws.law import Law
from anholonomy.laws.proofs import short_form
from anholonomy.laws.reduced_motion import ReducedMotion
from anholonomy.system.momenta import momenta

if TYPE_CHECKING:
    from anholonomy.laws.first_integrals.linear_odes import SolvedLaws

__all__ = ["ENERGIES", "KnownLaws", "Searched"]

ENERGIES = ("energy", "moving energy")
"""Laws that stand before others of their degree."""


@final
class Searched(NamedTuple):
    """The largest class of functions that was gone through, in words, with its numbers of constants and of solutions."""

    among: str
    constants: int
    solutions: int


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
        """Add a law if it is proven."""
        if proof:
            self.functions.append((F, degree))
            self.laws.append(Law(self.motion.model, kind, degree, shown, proof, named, xi))
        return bool(proof)

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
        kept = independent_functions(self.motion, self.draw(2), ranked, self.steps)
        return [order[k - len(levels)] for k in kept if k >= len(levels)]

    def solved_beside(self, known: Sequence[tuple[Expr, int]]) -> list[Law]:
        """Laws by equations of their coefficients that are independent of known ones."""
        return self.solved.independent_of(inline([F for F, _ in known], self.steps)) if self.solved else []

    @property
    def full(self) -> bool:
        """True if a motion leaves no room for another law."""
        motion = self.motion
        lost = 0 if motion.has_frame else len(motion.model.constraints)
        lost += len(motion.levels)
        room = motion.model.frame.size + len(motion.speeds) - lost - 1 + int(motion.mentions_time)
        return len(self.functions) >= room and len(self.independent()) >= room

    def has_one_value(self, F: Expr) -> bool:
        """True if a quantity has one value on the level."""
        if not self.motion.levels:
            return False
        ((value, _),) = self.draw(3).at([F], self.steps)
        return bool((value == value[0]).all())
