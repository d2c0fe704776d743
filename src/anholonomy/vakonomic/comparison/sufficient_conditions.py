r"""Named conditions, each of which decides the comparison by itself, asked for all admissible velocities.

.. math::
   \text{reactions: } \nu = 0, \qquad \text{leaves: } [D, D] \subset D, \qquad
   \text{momenta: } A_s^{\mathsf T}\mu = -p_s, \quad
   \text{ideal: } [D, D^\perp] \subset D^\perp,\ D^\perp(L|_D) = 0, \qquad
   \text{grading: } \langle a, [a, [a, c]]\rangle = 0

A condition that is quadratic or cubic in the velocity is an identity in free speeds, and so holds on sums of directions too.
Each finding says whether its hypotheses hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain, combinations, product
from typing import final

from anholonomy.algebra.calculus import along, partial
from anholonomy.algebra.expressions import Expr, Matrix, Vector, dot, matrix_vector, time
from anholonomy.algebra.linear_algebra.symbolic import independent_rows, solve
from anholonomy.algebra.short_forms_on_groups import shortened_vector
from anholonomy.base.caching import cached_property
from anholonomy.base.deadlines import ASIDE, check, effort
from anholonomy.base.errors import TimeLimitError
from anholonomy.base.verdict import Verdict
from anholonomy.equations.lagrangian import variational_derivative
from anholonomy.equations.principles.base import QUADRATIC, STILL
from anholonomy.findings import Finding, Quantity, Reason, vanishing
from anholonomy.geometry.brackets import bracket
from anholonomy.geometry.distributions.distribution import Distribution
from anholonomy.laws.reduced_motion import ReducedMotion, reduced_motion
from anholonomy.system.constraints import Kind
from anholonomy.system.model import Model
from anholonomy.vakonomic.comparison.multiplier_equations import MultiplierEquations, complement

__all__ = ["conditions", "explanation"]


def conditions(model: Model, equations: MultiplierEquations) -> dict[str, Finding]:
    """All of them, each with what it rests on; unknown where one takes too long."""
    return {name: _asked(name, model, equations) for name in CONDITIONS}


def _asked(name: str, model: Model, equations: MultiplierEquations) -> Finding:
    try:
        with effort(ASIDE):
            return CONDITIONS[name](model, equations)
    except TimeLimitError as trouble:
        return Finding.unknown(f"the condition ({name}) holds", str(trouble))


def explanation(verdict: Verdict, found: dict[str, Finding]) -> str:
    """The name of the condition that explains a verdict; empty where none does."""
    if verdict.is_refuted and found:
        decisive = found["one constraint"]
        return "one constraint" if decisive.is_refuted and not _is_outside(decisive) else ""
    return next((name for name, each in found.items() if verdict and each), "")


def _is_outside(finding: Finding) -> bool:
    return any(isinstance(each, Reason) for each in finding.evidence)


def _outside(claim: str, why: str) -> Finding:
    return Finding(claim, Verdict.REFUTED, (Reason(why),))


def reactions(model: Model, equations: MultiplierEquations) -> Finding:
    r"""Whether no motion needs a reaction, $\nu = 0$: all are motions without the constraints, and $\mu = 0$ does."""
    names = (c.label for c in reduced_motion(model).model.constraints)
    parts = (Quantity(f"the reaction of {n}", nu) for n, nu in zip(names, equations.nu_n, strict=True))
    return vanishing("every motion is one without the constraints", "every reaction", parts, equations.on, r"\nu")


def leaves(model: Model, equations: MultiplierEquations) -> Finding:
    """Whether the admissible directions have leaves: then, and for linear or affine constraints only then, the variations coincide."""
    claim = "the constraints have integrals, and both principles the same variations"
    if Kind.NONLINEAR in model.kinds:
        parts = (Quantity("N", entry) for row in equations.N_bn for entry in row)
        return vanishing("nothing binds the multiplier but its rate", "N", parts, equations.on, "N")
    found = Distribution.of(model.independent).is_integrable(time_limit=None)
    return Finding(claim, found.verdict, found.evidence, found.scope)


def one_constraint(model: Model, equations: MultiplierEquations) -> Finding:
    """Whether there is one constraint, without an integral: then the multiplier vanishes, and reactions decide."""
    claim = "a single constraint without an integral leaves no multiplier but 0, and no motion needs a reaction"
    if len(equations.multipliers) != 1 or Kind.NONLINEAR in model.kinds:
        return _outside(claim, "there are several constraints, or a nonlinear one")
    if not leaves(model, equations).is_refuted:
        return _outside(claim, "it has an integral, or that is not known")
    return Finding(claim, (free := reactions(model, equations)).verdict, free.evidence, free.scope)


def cyclic_momenta(model: Model, equations: MultiplierEquations) -> Finding:
    r"""Whether the momenta of cyclic coordinates $s$ are a multiplier, $A_s^{\mathsf T}\mu = -p_s$, for constraints that can be solved for $\dot s$."""
    claim = "the momenta of as many cyclic coordinates as there are constraints are a multiplier"
    motion = reduced_motion(model)
    if not model.frame.is_chart or not motion.has_frame:
        return _outside(claim, "there are no such coordinates")
    plain, found = motion.model, _outside(claim, "there are no such coordinates")
    entries = (plain.lagrangian, *(c.expression for c in plain.constraints))
    still = [k for k, q in enumerate(plain.coordinates) if all(q not in e.free_symbols for e in entries)]
    for chosen in combinations(still, len(plain.constraints)):
        check()
        block = [[row[k] for row in plain.matrix_na] for k in chosen]
        if len(independent_rows(block)) < len(block):
            continue
        (mu,) = solve(block, [[-motion.momenta[k] for k in chosen]])
        parts = [Quantity("N mu or mu' - R mu + nu", e) for e in equations.misfits(mu)]
        found = vanishing(claim, f"N mu and mu' - R mu + nu for {_list(plain, chosen)}", parts, equations.on)
        if found:
            break
    return found


def _list(model: Model, places: tuple[int, ...]) -> str:
    return ", ".join(model.coordinates[k].name for k in places)


def ideal(model: Model, equations: MultiplierEquations) -> Finding:
    r"""Whether $D^\perp$ absorbs brackets and the Lagrangian of admissible velocities does not change along it."""
    claim = "what is orthogonal to the admissible directions is an ideal that leaves the Lagrangian alone"
    if why := _unnatural(model):
        return _outside(claim, why)
    split = Splitting(model)
    parts = chain(split.brackets("D", "D⊥", "D"), split.brackets("D⊥", "D⊥", "D"), split.slopes(split.Z))
    return vanishing(claim, "[., D⊥] in D and the slopes of L", _patiently(parts), equations.on)


def grading(model: Model, equations: MultiplierEquations) -> Finding:
    r"""Whether $D$ is the odd part of a grading of a Lie algebra, geodesic and invariant, with $\langle a, [a, [a, c]]\rangle = 0$."""
    claim = "the admissible directions are the odd part of a grading, and the double bracket is orthogonal"
    if why := _unnatural(model) or _not_constant(model):
        return _outside(claim, why)
    split = Splitting(model)
    parts = chain(
        split.brackets("D", "D", "D"),
        split.brackets("D", "D⊥", "D⊥"),
        split.brackets("D⊥", "D⊥", "D"),
        split.slopes((*split.X, *split.Z)),
        _double_brackets(split),
    )
    return vanishing(claim, "the wrong parts of brackets and <a, [a, [a, c]]>", _patiently(parts), equations.on)


def _double_brackets(split: Splitting) -> Iterator[Quantity]:
    a = split.velocity()
    for k, c in enumerate(split.X):
        twice = split.bracket(a, split.bracket(a, c))
        yield Quantity(f"<a, [a, [a, X_{k + 1}]]>", split.product(a, twice))


def _patiently(parts: Iterator[Quantity]) -> Iterator[Quantity]:
    for each in parts:
        check()
        yield each


def _unnatural(model: Model) -> str:
    """Why there is no orthogonal splitting that stays what it is; empty where there is one."""
    beyond = model.kinds & ~(Kind.LINEAR | Kind.POSITION | Kind.REDUNDANT)
    if beyond:
        return f"there are {', '.join(kind.phrase for kind in beyond)}"
    return QUADRATIC.obstacle(model) or STILL.obstacle(model)


def _not_constant(model: Model) -> str:
    """Why the frame is none of a Lie algebra with a constant product; empty where it is."""
    frame, split = model.frame, Splitting(model)
    entries: Matrix = (*split.X, *split.Z, *split.metric_ab, *(row for plane in frame.structure_abd for row in plane))
    moving = {*model.coordinates, *model.velocities, time}
    if any(not e.free_symbols.isdisjoint(moving) for row in entries for e in row):
        return "directions, metric or brackets are not constant in the system's own frame"
    if any(partial(model.lagrangian, q) != 0 for q in model.coordinates):
        return "the Lagrangian depends on the configuration"
    return ""


CONDITIONS: dict[str, Callable[[Model, MultiplierEquations], Finding]] = {
    "reactions": reactions,
    "leaves": leaves,
    "one constraint": one_constraint,
    "cyclic momenta": cyclic_momenta,
    "ideal": ideal,
    "grading": grading,
}
"""Every condition by name, in the order in which one is named as the explanation."""


# The admissible directions and what is orthogonal to them, $TQ = D \oplus D^\perp$, with brackets split the same way.
#
# .. math:: [X_a, Z_\kappa] = c_{a\kappa}{}^bX_b + c_{a\kappa}{}^\lambda Z_\lambda, \qquad A^\lambda(Z_\kappa) = \delta^\lambda_\kappa


@final
@dataclass(frozen=True)
class Splitting:
    """Of a system whose constraints are linear in the velocities and whose kinetic metric does not depend on them."""

    model: Model

    @cached_property
    def motion(self) -> ReducedMotion:
        return reduced_motion(self.model)

    @property
    def X(self) -> Matrix:
        """The admissible directions, a row each, in the system's own frame."""
        return self.motion.span_ba

    @cached_property
    def Z(self) -> Matrix:
        """The directions orthogonal to them, dual to the constraints."""
        plain = self.motion.model
        rows = complement(plain, plain.matrix_na, lambda e: e)
        return tuple(shortened_vector(row, self.motion.on) for row in rows)

    @cached_property
    def metric_ab(self) -> Matrix:
        return variational_derivative(self.model.replaced(constraints=())).mass_ab

    def bracket(self, left: Vector, right: Vector) -> Vector:
        """Of two fields with these components in the system's own frame."""
        return bracket(self.model.frame, left, right)

    def across(self, field: Vector) -> Vector:
        r"""The components along $D^\perp$: what the constraints say of a field."""
        return matrix_vector(self.motion.model.matrix_na, field)

    def within(self, field: Vector) -> Vector:
        r"""The momenta of the part in $D$: products with the admissible directions, to which $D^\perp$ adds nothing."""
        return matrix_vector(self.X, matrix_vector(self.metric_ab, field))

    def brackets(self, left: str, right: str, part: str) -> Iterator[Quantity]:
        """The parts ``D`` or ``D⊥`` of all brackets between two of the subspaces, as quantities that may have to vanish."""
        rows = {"D": self.X, "D⊥": self.Z}
        names = {"D": "X", "D⊥": "Z"}
        take = self.within if part == "D" else self.across
        pairs = (
            combinations(range(len(rows[left])), 2)
            if left == right
            else product(*(range(len(rows[s])) for s in (left, right)))
        )
        for a, b in pairs:
            label = f"the part of [{names[left]}{a + 1}, {names[right]}{b + 1}] in {part}"
            for value in take(self.bracket(rows[left][a], rows[right][b])):
                yield Quantity(label, value)

    def slopes(self, directions: Matrix) -> Iterator[Quantity]:
        """The derivative of the Lagrangian of admissible velocities along directions, the speeds held fixed."""
        own = self.motion.velocities
        restricted: Expr = self.model.lagrangian.xreplace(own)
        for row in directions:
            yield Quantity("the slope of the Lagrangian on D", along(restricted, self.model.frame.direction(row)))

    def velocity(self) -> Vector:
        """The admissible velocity in the system's own frame: any, its speeds being free."""
        return tuple(self.motion.velocities[w] for w in self.model.velocities)

    def product(self, left: Vector, right: Vector) -> Expr:
        """The kinetic product of two vectors."""
        return dot(left, matrix_vector(self.metric_ab, right))
