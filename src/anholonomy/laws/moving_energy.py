r"""The question "Which moving energy is conserved?": the energy minus the momentum of a field, where the energy is not constant.

.. math:: J = E - \langle p, Y\rangle + W, \qquad \dot J = 0, \qquad Y = c_{ka}\,\varphi_k(q, t)\,E_a, \qquad W = b_k\,\varphi_k(q, t)

$J$ is the energy for an observer who moves with the field $Y$; where this observer sees linear constraints and no time, it is conserved. An accelerated
observer sees a potential $W$ that is not there for others; it is looked for where $W = 0$ does not do.
Whether constants $c$ exist is a linear problem, gone through exactly as for other integrals (`anholonomy.laws.ansatz.candidates`): the
energy is the last of its columns, and it depends on the others or it does not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from typing import TYPE_CHECKING, Any, final

import symengine

from anholonomy.algebra.expressions import Expr, dot, free_symbols, symbol, zero
from anholonomy.algebra.residues.linear_algebra import independent_columns, residue_kernel
from anholonomy.algebra.simplification.simplify import simplify
from anholonomy.algebra.steps.definitions import inline
from anholonomy.base.deadlines import LIMIT, check, patience
from anholonomy.base.errors import NotSupportedError, TimeLimitError
from anholonomy.base.verdict import Verdict
from anholonomy.findings import AbstractEvidence, CarriesFinding, Finding, Quantity, Reason, Scope, vanishing
from anholonomy.language.answers import Mark, Part, Readable, Row, below, joined, title
from anholonomy.laws.ansatz.candidates import MAX_COLUMNS, Ansatz, Column, Letters
from anholonomy.laws.ansatz.functions import FunctionSpace, automatic_functions, given_functions, read_functions
from anholonomy.laws.ansatz.lifting import Constants, lifted
from anholonomy.laws.ansatz.random_points import AGAIN, SPARE, Values, are_roots_independent, draw_points
from anholonomy.laws.generic_scope import generic, residue_level
from anholonomy.laws.law import Law
from anholonomy.laws.position_constraints import law_on_level, told
from anholonomy.laws.proofs import constant, energy_is_constant, short_form
from anholonomy.laws.reduced_motion import ReducedMotion, reduced_motion
from anholonomy.system.constraints import Kind
from anholonomy.system.model import Model
from anholonomy.system.momenta import momenta
from anholonomy.system.phases import without_phases
from anholonomy.system.solved_constraints import Solved, solved_positions
from anholonomy.system.total_derivatives import without_total_derivatives

if TYPE_CHECKING:
    import xarray as xr

__all__ = ["MovingEnergy", "moving_energy", "surviving_energy"]

_MAX_WEIGHT = 2
"""The highest degree of the functions in a field."""
_SEEN = 2
"""How many times as high the degree of a potential is: half the square of a field, as centrifugal forces have it, is one."""


@final
@dataclass(frozen=True, repr=False)
class MovingEnergy(CarriesFinding, Readable):
    r"""The moving energy $E - \langle p, Y\rangle$ with its field $Y$; true in an ``if`` when it is proven constant.

    Attributes
    ----------
    finding
        That there is such a field, in which class, and why.
    law
        The conserved quantity, which can be called with a state; None where there is none.
    field
        The components of $Y$ by direction; all zero where the energy itself is constant.
    potential
        $W$; mostly zero.
    admissible
        Whether $Y$ satisfies the constraints: these are linear in the eyes of who moves with it. None without a field.

    Examples
    --------
    >>> import anholonomy as ah
    >>> bead = ah.System(name="bead on a turning rod", coordinates=["x", "y"], lagrangian="m*(x'^2 + y'^2)/2",
    ...     constraints=["-y*x' + x*y' = w*(x^2 + y^2)"], parameters=["m", "w"])
    >>> print(bead.moving_energy().law)
    m*(x'*(x' + 2*w*y) + y'*(y' - 2*w*x))/2 is constant (moving energy)
    """

    model: Model = field(compare=False)
    finding: Finding
    law: Law | None
    field: Mapping[str, Expr]
    admissible: Finding | None
    potential: Expr = zero

    @property
    def expression(self) -> Expr | None:
        """The conserved quantity in coordinates, velocities, time and parameters."""
        return None if self.law is None else self.law.expression

    def __call__(self, state: Mapping[str, object]) -> float:
        """The value at an admissible state."""
        return self._law(state)

    def along(self, run: Any) -> xr.DataArray:
        """The values along a motion, over time."""
        return self._law.along(run)

    @property
    def _law(self) -> Law:
        if self.law is None:
            raise NotSupportedError(f"{self.model.name}: there is no moving energy to evaluate, {self.finding.text()}.")
        return self.law

    def as_rows(self) -> Iterable[Part]:
        if self.law is None:
            yield title(f"{self.model.name}: no moving energy found")
            yield from below(self.finding)
            return
        seen = " + W" if self.potential != 0 else ""
        yield Row(Mark(f"{self.model.name}: ", rf"E - \langle p, Y\rangle{seen} ="), self.law)
        if along := [(value, " along ", symbol(name)) for name, value in self.field.items() if value != 0]:
            yield Row("Y: ", joined(along), depth=1)
            yield from below(*(each for each in [self.admissible] if each is not None))
        if self.potential != 0:
            yield Row("W: ", self.potential, depth=1)

    def _data(self) -> dict[str, Any]:
        return {
            "claim": self.finding.claim,
            "verdict": self.verdict,
            "law": self.law,
            "field": self.field,
            "potential": self.potential,
        }


def moving_energy(
    model: Model, functions: Sequence[Any] | None = None, time_limit: float | None = LIMIT
) -> MovingEnergy:
    """The energy that survives, or that there is none with a field whose components are among some functions."""
    if model.momenta_a is not None:
        raise NotSupportedError(
            f"{model.name}: a system given by momenta has no energy; declare a Lagrangian, which find_lagrangian may know."
        )
    model = without_phases(without_total_derivatives(model))
    given = None if functions is None else read_functions(model, functions)
    if (solved := solved_positions(model)) is not None:
        there = None if given is None else list(map(solved.here, given))
        return _on_level(moving_energy(solved.model, there, time_limit), solved)
    motion = reduced_motion(model)
    search = _Search(motion)
    try:
        with patience(time_limit):
            space = None if given is None else given_functions(given)
            return search.run(space)
    except TimeLimitError as trouble:
        return search.nothing(str(trouble))
    except KeyboardInterrupt:
        return search.nothing("it was interrupted.")


def surviving_energy(motion: ReducedMotion, given: FunctionSpace | None) -> MovingEnergy:
    """The same within the patience of a question that asks it on its way; an energy without residues is not looked at."""
    search = _Search(motion)
    try:
        return search.run(given)
    except KeyError:
        return search.nothing("the energy has functions that are not known modulo primes")


def _on_level(there: MovingEnergy, solved: Solved) -> MovingEnergy:
    r"""The answer where constraints on positions are solved as one about the declared system: $E - \langle p, Y\rangle$ is the same there."""
    law = None if there.law is None else law_on_level(there.law, solved)
    finding = told(there.finding, solved)
    if law is None:
        finding = replace(finding, claim=f"{finding.claim}, along the level of the constraints on positions")
    Y = {name: simplify(value) for name, value in solved.pushed(there.field, moving=True).items()} if law else {}
    return replace(there, model=solved.declared, finding=finding, law=law, field=Y)


@final
@dataclass(frozen=True, repr=False)
class NoCombination(AbstractEvidence):
    """Evidence that at random points the rate of the energy is no combination of those of some products."""

    motion: ReducedMotion = field(compare=False)
    ansatz: Ansatz
    unknowns: int
    rank: int

    def check(self) -> Verdict:
        again = _Search(self.motion)
        found = again._support(self.ansatz, self.motion.model.values, seed=AGAIN)
        return Verdict.of(True if found is None and not again.doubt else None)

    def as_rows(self) -> Iterable[Part]:
        products = f"the {self.unknowns} products of functions and momenta, of rank {self.rank}"
        yield Row(f"the rate of E does not depend on those of {products}")


@final
@dataclass
class _Search:
    """Fields over growing classes of functions, until one serves."""

    motion: ReducedMotion
    finished: str = ""
    potentials: str = ""
    counted: tuple[int, int] = (0, 0)
    doubt: str = ""
    searched: Ansatz | None = None

    def __post_init__(self) -> None:
        p = momenta(self.motion.model)
        self.energy = p.energy[0]
        self.letters = Letters((*p.momentum_a, self.energy), p.definitions)

    def run(self, given: FunctionSpace | None) -> MovingEnergy:
        motion = self.motion
        if (still := energy_is_constant(motion)) is not None:
            return self._found({}, FunctionSpace(()), still)
        space = automatic_functions(motion) if given is None else given
        choices = (False, True) if self._may_be_accelerated else (False,)
        for accelerated, weight in product(choices, range(1 if given is not None else _MAX_WEIGHT + 1)):
            ansatz = self._ansatz(space, weight, accelerated)
            if len(ansatz.columns) > MAX_COLUMNS or (accelerated and not weight and given is None):
                continue
            if (found := self._solved(ansatz)) is not None:
                return found
            self.searched = ansatz
            short = {v: k for k, v in motion.model.named.items()}
            self.finished = space.words(weight, short)
            self.potentials = space.words(_SEEN * weight, short) if accelerated else ""
        return self.nothing()

    @property
    def _may_be_accelerated(self) -> bool:
        """True if potentials are looked for: not beside drag, whose work is none, nor where E may be a function of the configuration by a constraint."""
        model = self.motion.model
        return Kind.NONLINEAR not in model.kinds and free_symbols(model.forces_a).isdisjoint(model.velocities)

    def _ansatz(self, space: FunctionSpace, weight: int, accelerated: bool = False) -> Ansatz:
        """Functions times momenta, functions alone for who is accelerated, and the energy behind them."""
        check()
        size = len(self.letters.values)
        unit = [tuple(int(i == k) for i in range(size)) for k in range(size)]
        functions = space.powers(weight)
        columns = [(*f, *p) for f in functions for p in unit[:-1]]
        columns += [(*f, *(0,) * size) for f in space.powers(_SEEN * weight)] if accelerated else []
        return Ansatz(space, self.letters, (*columns, (*(0,) * len(space.generators), *unit[-1])))

    def _solved(self, ansatz: Ansatz) -> MovingEnergy | None:
        """With the parameters free where that is as good, otherwise at their values."""
        motion, values = self.motion, self.motion.model.values
        support = self._support(ansatz, values, count=True)
        if support is None:
            return None
        for at in self._choices(ansatz, values):
            support = self._support(ansatz, at)
            constants = None if support is None else lifted(motion, ansatz, support, at)
            if constants is not None:
                J = self._quantity(ansatz, constants)
                on = motion.on if at else motion.model.frame.orbit
                proof = constant(motion, J, self.letters.steps, on, self._shown(J))
                if proof:
                    return self._found(constants, ansatz.space, proof)
        self.doubt = "a candidate was met whose constants were not recognised, or that is not proven"
        return None

    def _choices(self, ansatz: Ansatz, values: Values) -> Iterator[Values]:
        """No values, then the fewest with which there is a solution, then all."""
        yield {}
        if not values:
            return
        least = dict(values)
        for name in values:
            others = {s: value for s, value in least.items() if s != name}
            if self._support(ansatz, others) is not None:
                least = others
        if len(least) < len(values):
            yield least
        yield values

    def _support(
        self, ansatz: Ansatz, values: Values, count: bool = False, level: Values | None = None, seed: int = 0
    ) -> list[Column] | None:
        """The columns on which the energy's rate depends; None where it does not."""
        points = draw_points(
            self.motion, ansatz.space.values, len(ansatz.columns) + SPARE, values=values, level=level, seed=seed
        )
        if not (points.exact and are_roots_independent(self.motion, tuple(ansatz.space.values), True)):
            self.doubt = "functions occur whose relations are not known"
        V, R = ansatz.matrices(points, ansatz.columns)
        kept = independent_columns(V[:, :-1], points.prime)
        order = [*kept, len(ansatz.columns) - 1]
        vectors = [v for v in residue_kernel(R[:, order], points.prime) if len(kept) in v]
        if count:
            self.counted = (len(kept), len(independent_columns(R[:, kept], points.prime)))
        if not vectors and level is None and self._depends_on_level(ansatz, values):
            self.doubt = "it does on the level that the constraints on positions single out; solve them and declare the system without"
        return [ansatz.columns[order[u]] for u in sorted(vectors[0])] if vectors else None

    def _depends_on_level(self, ansatz: Ansatz, values: Values) -> bool:
        declared = residue_level(self.motion.model)
        return bool(declared) and self._support(ansatz, values, level=declared) is not None

    def _quantity(self, ansatz: Ansatz, constants: Constants) -> Expr:
        scale = constants[ansatz.columns[-1]]
        terms = []
        for column, c in constants.items():
            f, letter = ansatz.written(column)
            terms.append(c / scale * f * letter)
        return symengine.Add(*terms)

    def _field(self, constants: Constants, space: FunctionSpace) -> dict[str, Expr]:
        model, split = self.motion.model, len(space.generators)
        found = dict.fromkeys(model.directions, zero)
        scale = next((c for column, c in constants.items() if column[-1]), None)
        for column, c in constants.items():
            if not column[-1] and any(column[split:]):
                name = model.directions[column[split:].index(1)]
                f, _ = Ansatz(space, self.letters, ()).written(column)
                found[name] = found[name] - c / scale * f
        return {name: simplify(value) for name, value in found.items()}

    def _found(self, constants: Constants, space: FunctionSpace, proof: Finding) -> MovingEnergy:
        model = self.motion.model
        Y = self._field(constants, space)
        W = self._potential(constants, space)
        J = symengine.Add(self.energy, W, *(-Y[name] * p for name, p in zip(Y, self.letters.values, strict=False)))
        shown = self._shown(J)
        kind = "moving energy" if constants else "energy"
        law = Law(model, kind, 2, shown, proof, shown)
        return MovingEnergy(model, proof, law, Y, self._admissible(tuple(Y.values())) if constants else None, W)

    def _potential(self, constants: Constants, space: FunctionSpace) -> Expr:
        scale = next((c for column, c in constants.items() if column[-1]), None)
        alone = [column for column in constants if not any(column[len(space.generators) :])]
        return simplify(
            symengine.Add(*(constants[k] / scale * Ansatz(space, self.letters, ()).written(k)[0] for k in alone))
        )

    def _admissible(self, Y: tuple[Expr, ...]) -> Finding | None:
        """The claim that the field satisfies the constraints, which are linear for an observer who moves with it."""
        model = self.motion.model
        if Kind.NONLINEAR in model.kinds or Kind.ACCELERATION in model.kinds:
            return None
        rows = [Quantity(c.label, dot(c.coefficients, Y) + c.offset) for c in model.constraints]
        return vanishing("Y satisfies the constraints", "the constraints at Y", rows, self.motion.on) if rows else None

    def _shown(self, J: Expr) -> Expr:
        return short_form(inline([J], self.letters.steps)[0])

    def nothing(self, gave_up: str = "") -> MovingEnergy:
        """The answer that no field was found, as far as the search came."""
        among = self.finished or "constants"
        claim = f"E - p(Y) is constant for some field Y with components that are combinations of {among}"
        if self.potentials:
            claim = claim.replace("p(Y)", "p(Y) + W") + f", and some function W that is one of {self.potentials}"
        unknowns, rank = self.counted
        sure = self.searched is not None and not self.doubt
        reasons: list[AbstractEvidence] = [Reason(self.doubt or gave_up)]
        if self.searched is not None and sure:
            reasons = [NoCombination(self.motion, self.searched, unknowns, rank)]
        reasons += [Reason(f"unknown beyond that: {gave_up}")] if sure and gave_up else []
        verdict = Verdict.of(False if sure else None)
        scope = Scope(points=generic(self.motion.model).points)
        return MovingEnergy(self.motion.model, Finding(claim, verdict, tuple(reasons), scope), None, {}, None)
